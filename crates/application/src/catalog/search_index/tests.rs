use ports::{Changes, MockCatalogLog, MockClock, MockSearchEngine, Position};

use super::*;
use crate::testing::now;

const NAME: &str = "parts-1";

fn follower(live: bool) -> Follower {
    Follower {
        name: NAME.to_owned(),
        position: Some(Position { xact: 5, seq: 1 }),
        standing: Standing::GoesOn,
        filled_to: None,
        live,
        compared_to: 0,
        compare_due: false,
    }
}

/// A log of one live follower, which two changed products wait for.
fn log(documents: impl Fn(&[i32]) -> Result<Documents, StoreError> + Send + 'static) -> MockCatalogLog {
    let mut log = MockCatalogLog::new();
    log.expect_lease().returning(|_| Ok(true));
    log.expect_followers().returning(|| Ok(vec![follower(true)]));
    let mut left = vec![Changes { products: vec![1, 2], to: Some(Position { xact: 6, seq: 9 }) }];
    log.expect_changes().returning(move |_, _| Ok(left.pop().unwrap_or(Changes { products: Vec::new(), to: None })));
    log.expect_documents().returning(move |products| documents(products));
    log
}

fn engine() -> MockSearchEngine {
    let mut engine = MockSearchEngine::new();
    engine.expect_owns().returning(|name| name == NAME);
    engine.expect_serving().returning(|| Ok(Some(NAME.to_owned())));
    engine
}

fn index(log: MockCatalogLog, engine: MockSearchEngine, clock: MockClock) -> SearchIndex {
    SearchIndex::new(Arc::new(log), Some(Arc::new(engine)), Arc::new(clock), Uuid::nil())
}

fn still() -> MockClock {
    let mut clock = MockClock::new();
    clock.expect_now().returning(now);
    clock
}

fn none() -> Documents {
    Documents { version: 3, found: Vec::new() }
}

#[tokio::test]
async fn a_product_that_cannot_be_read_keeps_no_other_out() {
    let mut log =
        log(
            |products| {
                if products.contains(&1) { Err(StoreError::Internal("a row of nonsense".into())) } else { Ok(none()) }
            },
        );
    log.expect_followed().withf(|_, to| to.seq == 9).times(1).returning(|_, _| Ok(()));
    let mut engine = engine();
    engine
        .expect_write()
        .withf(|_, asked, documents| asked == [2] && documents.version == 3)
        .times(1)
        .returning(|_, _, _| Ok(Vec::new()));
    let done = index(log, engine, still()).follow_products().await.unwrap();
    assert_eq!(done, Followed { written: 1, refused: 1, ..Followed::default() });
}

#[tokio::test]
async fn a_batch_that_is_refused_is_halved_until_the_one_is_found() {
    let mut log = log(|_| Ok(none()));
    log.expect_followed().times(1).returning(|_, _| Ok(()));
    let mut engine = engine();
    engine.expect_write().times(3).returning(|_, asked, _| {
        if asked.contains(&1) { Err(EngineError::Refused("too long".into())) } else { Ok(Vec::new()) }
    });
    let done = index(log, engine, still()).follow_products().await.unwrap();
    assert_eq!(done, Followed { written: 1, refused: 1, ..Followed::default() });
}

#[tokio::test]
async fn nothing_counts_as_followed_that_the_engine_has_not_taken() {
    let log = log(|_| Ok(none()));
    let mut engine = engine();
    engine.expect_write().returning(|_, _, _| Err(EngineError::Unavailable("busy".into())));
    // Nobody may call `followed`.
    let failed = index(log, engine, still()).follow_products().await;
    assert!(matches!(failed, Err(IndexFailed::Engine(EngineError::Unavailable(_)))));
}

#[tokio::test]
async fn an_engine_that_fails_is_left_alone_for_longer_each_time_up_to_a_minute() {
    let mut log = MockCatalogLog::new();
    log.expect_lease().returning(|_| Ok(true));
    log.expect_followers().returning(|| Ok(vec![follower(true)]));
    let mut engine = MockSearchEngine::new();
    engine.expect_owns().returning(|_| true);
    let calls = Arc::new(Mutex::new(Vec::new()));
    let (seconds, seen) = (Arc::new(Mutex::new(0_i64)), Arc::clone(&calls));
    let (of_clock, of_engine) = (Arc::clone(&seconds), Arc::clone(&seconds));
    engine.expect_serving().returning(move || {
        seen.lock().unwrap().push(*of_engine.lock().unwrap());
        Err(EngineError::Unavailable("away".into()))
    });
    let mut clock = MockClock::new();
    clock.expect_now().returning(move || {
        let passed = *of_clock.lock().unwrap();
        now().checked_add(Duration::from_secs(passed.unsigned_abs())).unwrap()
    });
    let index = index(log, engine, clock);
    for second in 0..200 {
        *seconds.lock().unwrap() = second;
        let _ = index.follow_products().await;
    }
    assert_eq!(*calls.lock().unwrap(), [0, 1, 3, 7, 15, 31, 63, 123, 183]);
}

#[tokio::test]
async fn the_index_of_another_version_stays_for_a_day() {
    let mut log = MockCatalogLog::new();
    log.expect_lease().returning(|_| Ok(true));
    let other = Follower { name: "other-1".to_owned(), ..follower(true) };
    log.expect_followers().returning(move || Ok(vec![Follower { compare_due: true, ..follower(true) }, other.clone()]));
    log.expect_changes().returning(|_, _| Ok(Changes { products: Vec::new(), to: None }));
    log.expect_products_after().returning(|_, _| Ok(Vec::new()));
    log.expect_documents().returning(|_| Ok(none()));
    log.expect_compared().withf(|name, to| name == NAME && to.is_none()).times(1).returning(|_, _| Ok(()));
    log.expect_forget().withf(|name| name == "other-1").times(1).returning(|_| Ok(()));
    let mut engine = engine();
    engine.expect_differing().returning(|_, _, _, _| Ok(Vec::new()));
    engine.expect_keep_only().withf(|names| names == [NAME]).times(1).returning(|_| Ok(()));
    index(log, engine, still()).follow_products().await.unwrap();
}

#[tokio::test]
async fn without_an_engine_there_is_nothing_to_do() {
    let index = SearchIndex::new(Arc::new(MockCatalogLog::new()), None, Arc::new(still()), Uuid::nil());
    assert_eq!(index.follow_products().await.unwrap(), Followed::default());
    assert_eq!((index.lag().await.unwrap(), index.rebuild().await.unwrap()), (None, None));
}
