use ports::{Changes, MockCatalogLog, MockClock, MockSearchEngine, Position};

use super::*;
use crate::testing::now;

const NAME: &str = "parts-1";
const NEXT: &str = "parts-2";

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

/// A new index beside it, into which no product is written yet.
fn next() -> Follower {
    Follower { name: NEXT.to_owned(), filled_to: Some(0), ..follower(false) }
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
    engine_of(Some(NAME), true)
}

/// An engine that answers searches from this index, and either has the others or has lost them.
fn engine_of(serving: Option<&'static str>, has_others: bool) -> MockSearchEngine {
    let mut engine = MockSearchEngine::new();
    engine.expect_owns().returning(|name| [NAME, NEXT].contains(&name));
    engine.expect_serving().returning(move || Ok(serving.map(str::to_owned)));
    engine.expect_exists().returning(move |_| Ok(has_others));
    engine
}

/// A log whose lease nobody else has, in which no product changes, and all products are readable.
fn quiet(followers: [Vec<Follower>; 2]) -> MockCatalogLog {
    let mut log = MockCatalogLog::new();
    log.expect_lease().returning(|_| Ok(true));
    let mut followers = followers.into_iter();
    log.expect_followers().times(2).returning(move || Ok(followers.next().unwrap()));
    log.expect_changes().returning(|_, _| Ok(Changes { products: Vec::new(), to: None }));
    log.expect_documents().returning(|_| Ok(none()));
    log
}

/// What ends a run after its first step: another copy gets the lease, or the run's time is over.
fn cut_short() -> [(MockCatalogLog, MockClock); 2] {
    let mut lost = MockCatalogLog::new();
    let mut lease = [true, false].into_iter();
    lost.expect_lease().times(2).returning(move |_| Ok(lease.next().unwrap()));
    lost.expect_documents().returning(|_| Ok(none()));
    let mut kept = MockCatalogLog::new();
    kept.expect_lease().returning(|_| Ok(true));
    kept.expect_documents().returning(|_| Ok(none()));
    let mut running_out = MockClock::new();
    let mut time = now();
    running_out.expect_now().returning(move || {
        time = later(time, BUDGET);
        time
    });
    [(lost, still()), (kept, running_out)]
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

#[tokio::test]
async fn the_log_says_how_far_the_index_is_behind_and_which_changes_are_needed_no_more() {
    let lag = IndexLag { live: true, changes: 7, seconds: 60 };
    let mut log = MockCatalogLog::new();
    log.expect_lag().times(1).returning(move || Ok(lag));
    log.expect_forget_changes().times(1).returning(|_| Ok(7));
    let index = index(log, engine(), still());
    assert_eq!((index.lag().await.unwrap(), index.forget_changes().await.unwrap()), (Some(lag), 7));
}

#[tokio::test]
async fn a_copy_that_stops_gives_up_its_own_lease() {
    let holder = Uuid::from_u128(9);
    let mut log = MockCatalogLog::new();
    log.expect_release().withf(move |released| *released == holder).times(1).returning(|_| Ok(()));
    SearchIndex::new(Arc::new(log), None, Arc::new(still()), holder).release().await.unwrap();
}

#[tokio::test]
async fn nothing_is_done_while_another_copy_has_the_lease() {
    let mut log = MockCatalogLog::new();
    log.expect_lease().times(1).returning(|_| Ok(false));
    assert_eq!(index(log, engine(), still()).follow_products().await.unwrap(), Followed::default());
}

#[tokio::test]
async fn searches_are_answered_from_the_index_that_is_live_and_from_no_other() {
    let mut log = MockCatalogLog::new();
    log.expect_followers().returning(|| Ok(vec![follower(true), next()]));
    let index = index(log, engine(), still());
    for (name, is_live) in [(NAME, true), (NEXT, false), ("parts-3", false)] {
        assert_eq!(index.is_live(name).await.unwrap(), is_live, "{name}");
    }
}

#[tokio::test]
async fn changes_are_written_down_for_a_new_index_before_it_is_made() {
    let mut order = mockall::Sequence::new();
    let mut log = MockCatalogLog::new();
    log.expect_follow().withf(|name| name == NEXT).times(1).in_sequence(&mut order).returning(|_| Ok(()));
    let mut engine = engine();
    engine.expect_name().withf(|made_at| *made_at == now()).returning(|_| NEXT.to_owned());
    engine.expect_create().withf(|name| name == NEXT).times(1).in_sequence(&mut order).returning(|_| Ok(()));
    assert_eq!(index(log, engine, still()).rebuild().await.unwrap().as_deref(), Some(NEXT));
}

#[tokio::test]
async fn an_index_that_can_never_be_brought_up_to_date_is_replaced_as_if_there_were_none() {
    let lost = |live| Follower { standing: Standing::Lost, ..follower(live) };
    for (found, mut engine) in [
        (vec![], engine()),
        (vec![lost(true)], engine()),
        (vec![lost(false)], engine()),
        (vec![follower(true)], engine_of(None, true)),
        (vec![follower(true)], engine_of(Some("parts-0"), true)),
        (vec![follower(false)], engine_of(Some(NAME), false)),
    ] {
        let forgotten = found.len();
        let mut log = quiet([found, vec![Follower { position: None, ..next() }]]);
        log.expect_forget().withf(|name| name == NAME).times(forgotten).returning(|_| Ok(()));
        log.expect_follow().withf(|name| name == NEXT).times(1).returning(|_| Ok(()));
        log.expect_begin().withf(|name| name == NEXT).times(1).returning(|_| Ok(()));
        engine.expect_name().returning(|_| NEXT.to_owned());
        engine.expect_create().withf(|name| name == NEXT).times(1).returning(|_| Ok(()));
        // It only begins: searches are not answered from it before all products are in.
        assert_eq!(index(log, engine, still()).follow_products().await.unwrap(), Followed::default());
    }
}

#[tokio::test]
async fn a_new_index_is_not_filled_while_older_transactions_run() {
    let mut log = MockCatalogLog::new();
    log.expect_lease().returning(|_| Ok(true));
    log.expect_followers().returning(|| Ok(vec![Follower { standing: Standing::Waits, ..next() }]));
    // Nobody may call `products_after`.
    assert_eq!(index(log, engine(), still()).follow_products().await.unwrap(), Followed::default());
}

#[tokio::test]
async fn a_new_index_is_filled_with_all_products_before_it_takes_the_place_of_the_live_one() {
    let mut order = mockall::Sequence::new();
    let mut log = quiet([vec![follower(true), next()], vec![Follower { live: true, ..next() }]]);
    let mut engine = engine();
    for (from, products, last) in [(0, vec![1, 2], 2), (2, vec![3], 3)] {
        let found = products.clone();
        log.expect_products_after().withf(move |no, _| *no == from).times(1).returning(move |_, _| Ok(found.clone()));
        engine
            .expect_write()
            .times(1)
            .in_sequence(&mut order)
            .withf(move |name, asked, _| name == NEXT && asked == products)
            .returning(|_, _, _| Ok(Vec::new()));
        log.expect_filled()
            .times(1)
            .in_sequence(&mut order)
            .withf(move |name, to| name == NEXT && *to == Some(last))
            .returning(|_, _| Ok(()));
    }
    log.expect_products_after().withf(|no, _| *no == 3).times(1).returning(|_, _| Ok(Vec::new()));
    log.expect_filled().withf(|_, to| to.is_none()).times(1).in_sequence(&mut order).returning(|_, _| Ok(()));
    engine.expect_serve().withf(|name| name == NEXT).times(1).in_sequence(&mut order).returning(|_| Ok(()));
    log.expect_make_live()
        .times(1)
        .in_sequence(&mut order)
        .withf(|name, former| name == NEXT && former.as_deref() == Some(NAME))
        .returning(|_, _| Ok(()));
    engine.expect_keep_only().withf(|names| names == [NEXT]).times(1).in_sequence(&mut order).returning(|_| Ok(()));
    let done = index(log, engine, still()).follow_products().await.unwrap();
    assert_eq!(done, Followed { written: 3, swapped: true, ..Followed::default() });
}

#[tokio::test]
async fn filling_an_index_is_left_to_the_next_run_without_the_lease_or_after_its_time() {
    for (mut log, clock) in cut_short() {
        log.expect_followers().returning(|| Ok(vec![next()]));
        log.expect_products_after().times(1).returning(|_, _| Ok(vec![1, 2]));
        log.expect_filled().withf(|name, to| name == NEXT && *to == Some(2)).times(1).returning(|_, _| Ok(()));
        let mut engine = engine();
        engine.expect_write().times(1).returning(|_, _, _| Ok(Vec::new()));
        let done = index(log, engine, clock).follow_products().await.unwrap();
        assert_eq!(done, Followed { written: 2, ..Followed::default() });
    }
}

#[tokio::test]
async fn later_changes_are_left_to_the_next_run_without_the_lease_or_after_its_time() {
    let to = Position { xact: 6, seq: 9 };
    for (mut log, clock) in cut_short() {
        log.expect_followers().returning(|| Ok(vec![follower(true)]));
        log.expect_changes().times(1).returning(move |_, _| Ok(Changes { products: vec![1, 2], to: Some(to) }));
        log.expect_followed().withf(move |_, noted| *noted == to).times(1).returning(|_, _| Ok(()));
        let mut engine = engine();
        engine.expect_write().times(1).returning(|_, _, _| Ok(Vec::new()));
        let done = index(log, engine, clock).follow_products().await.unwrap();
        assert_eq!(done, Followed { written: 2, ..Followed::default() });
    }
}

#[tokio::test]
async fn a_product_that_the_engine_refuses_counts_as_refused_and_not_as_written() {
    let mut log = log(|_| Ok(none()));
    log.expect_followed().times(1).returning(|_, _| Ok(()));
    let mut engine = engine();
    engine.expect_write().times(1).returning(|_, _, _| Ok(vec![(1, "too long".to_owned())]));
    let done = index(log, engine, still()).follow_products().await.unwrap();
    assert_eq!(done, Followed { written: 1, refused: 1, ..Followed::default() });
}

#[tokio::test]
async fn the_comparison_goes_on_after_the_last_product_compared_and_writes_what_was_wrong() {
    let live = Follower { compared_to: 41, compare_due: true, ..follower(true) };
    let mut log = quiet([vec![live.clone()], vec![live]]);
    log.expect_products_after().times(2).returning(|from, _| Ok(if from == 41 { vec![42, 43] } else { Vec::new() }));
    let mut engine = engine();
    for (from, to, wrong, compared) in [(42, 43, vec![43], Some(43)), (44, i32::MAX, vec![], None)] {
        engine
            .expect_differing()
            .times(1)
            .withf(move |name, first, last, _| (name, *first, *last) == (NAME, from, to))
            .returning(move |_, _, _, _| Ok(wrong.clone()));
        log.expect_compared().withf(move |_, to| *to == compared).times(1).returning(|_, _| Ok(()));
    }
    engine.expect_write().withf(|_, asked, _| asked == [43]).times(1).returning(|_, _, _| Ok(Vec::new()));
    engine.expect_keep_only().times(1).returning(|_| Ok(()));
    let done = index(log, engine, still()).follow_products().await.unwrap();
    assert_eq!(done, Followed { written: 1, repaired: 1, ..Followed::default() });
}

#[tokio::test]
async fn the_comparison_is_left_to_the_next_run_without_the_lease_or_after_its_time() {
    for (mut log, clock) in cut_short() {
        log.expect_followers().returning(|| Ok(vec![Follower { compare_due: true, ..follower(true) }]));
        log.expect_changes().returning(|_, _| Ok(Changes { products: Vec::new(), to: None }));
        log.expect_products_after().times(1).returning(|_, _| Ok(vec![1, 2]));
        log.expect_compared().withf(|_, to| *to == Some(2)).times(1).returning(|_, _| Ok(()));
        let mut engine = engine();
        engine.expect_differing().times(1).returning(|_, _, _, _| Ok(Vec::new()));
        // Nobody may call `keep_only`.
        assert_eq!(index(log, engine, clock).follow_products().await.unwrap(), Followed::default());
    }
}
