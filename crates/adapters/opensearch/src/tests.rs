//! An engine that fails in every way.

use std::sync::Arc;
use std::time::Duration;

use domain::Position;
use ports::{
    CatalogSearch, Documents, EngineError, Facets, Hit, MockCatalogSearch, MockPartRepository, Page, ProductQuery,
    SearchEngine, StoreError,
};
use testkit::{Reply, StandIn};
use tokio::time::Instant;

use crate::{FallingBack, OpenSearch};

const AT_ONCE: Duration = Duration::from_millis(100);

fn engine(base: &str) -> OpenSearch {
    let mut parts = MockPartRepository::new();
    parts.expect_synonyms().returning(|| Ok(Vec::new()));
    OpenSearch::new(&base.parse().unwrap(), Arc::new(parts)).unwrap().with_timeout(AT_ONCE)
}

fn query() -> ProductQuery {
    ProductQuery { search: Some("disc".to_owned()), ..ProductQuery::default() }
}

fn refusal(kind: &str) -> String {
    format!(r#"{{"error":{{"type":"{kind}","reason":"because"}},"status":0}}"#)
}

/// Answers in place of results, each with whether the engine is to blame for not answering.
fn failures() -> Vec<(Reply, bool)> {
    let gap = r#"{"hits":{"total":{"value":1},"hits":[{"_source":{"no":"one"}}]}}"#;
    vec![
        (Reply::Json(429, refusal("circuit_breaking_exception")), true),
        (Reply::Json(500, refusal("search_phase_execution_exception")), true),
        (Reply::Json(503, "not JSON".to_owned()), true),
        (Reply::Json(404, refusal("index_not_found_exception")), true),
        (Reply::Json(400, refusal("parsing_exception")), false),
        (Reply::Json(401, "Unauthorized".to_owned()), false),
        (Reply::Json(302, String::new()), false),
        (Reply::Json(200, "<html>a proxy</html>".to_owned()), false),
        (Reply::Json(200, "{}".to_owned()), false),
        (Reply::Json(200, "[]".to_owned()), false),
        (Reply::Json(200, gap.to_owned()), false),
        (Reply::Raw(b"SSH-2.0-OpenSSH\r\n".to_vec()), true),
        (Reply::Raw(b"HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{".to_vec()), true),
        (Reply::HangUp, true),
        (Reply::Hang, true),
    ]
}

#[tokio::test]
async fn whatever_is_wrong_with_the_engine_is_an_error_and_soon() {
    for (reply, is_away) in failures() {
        let stand_in = StandIn::start(vec![reply.clone()]).await;
        let engine = engine(&stand_in.base());
        let began = Instant::now();
        let found = engine.search(&query()).await;
        assert!(began.elapsed() < 10 * AT_ONCE, "{reply:?}");
        match found {
            Err(StoreError::Unavailable(_)) => assert!(is_away, "{reply:?}"),
            Err(StoreError::Internal(_)) => assert!(!is_away, "{reply:?}"),
            other => panic!("{reply:?}: {other:?}"),
        }
        assert!(engine.facets(&query()).await.is_err(), "{reply:?}");
        assert!(engine.by_number("DL-1").await.is_err(), "{reply:?}");
    }
    let nobody = engine("http://127.0.0.1:9");
    assert!(matches!(nobody.search(&query()).await, Err(StoreError::Unavailable(_))));
}

#[tokio::test]
async fn a_bulk_write_tells_documents_that_are_refused_from_an_engine_that_is_busy() {
    let documents = Documents { version: 7, found: Vec::new() };
    let item = |status: u16, error: &str| {
        let error = if error.is_empty() {
            String::new()
        } else {
            format!(r#","error":{{"type":"{error}","reason":"because"}}"#)
        };
        format!(r#"{{"delete":{{"_id":"1","status":{status}{error}}}}}"#)
    };
    let answer = |items: &[String]| Reply::Json(200, format!(r#"{{"errors":true,"items":[{}]}}"#, items.join(",")));
    let written = async |reply: Reply| {
        let stand_in = StandIn::start(vec![reply]).await;
        let written = engine(&stand_in.base()).write("parts-1", &[1, 2], &documents).await;
        (written, stand_in)
    };
    let gone = item(404, "");
    let (done, stand_in) = written(answer(&[gone.clone(), item(400, "mapper_parsing_exception")])).await;
    assert_eq!(done.unwrap(), [(2, "because".to_owned())]);
    let sent = &stand_in.received()[0];
    assert!(sent.head.starts_with("POST /parts-1-write/_bulk?require_alias=true "), "{}", sent.head);
    let lines = String::from_utf8(sent.body.clone()).unwrap();
    let first = r#"{"delete":{"_id":"1","version":7,"version_type":"external_gte"}}"#;
    assert_eq!(lines.lines().next(), Some(first));
    let (newer, _) = written(answer(&[gone.clone(), item(409, "version_conflict_engine_exception")])).await;
    assert_eq!(newer.unwrap(), [], "what is there is of a later moment");
    let (busy, _) = written(answer(&[gone.clone(), item(429, "rejected_execution_exception")])).await;
    assert!(matches!(busy, Err(EngineError::Unavailable(_))));
    let (lost, _) = written(answer(&[gone.clone(), item(404, "index_not_found_exception")])).await;
    assert!(matches!(lost, Err(EngineError::Missing)));
    let (short, _) = written(answer(&[gone])).await;
    assert!(matches!(short, Err(EngineError::InvalidResponse(_))));
    let (long, _) = written(Reply::Json(413, String::new())).await;
    assert!(matches!(long, Err(EngineError::Refused(_))));
}

#[tokio::test]
async fn a_password_is_sent_and_never_told() {
    let stand_in = StandIn::start(vec![Reply::HangUp]).await;
    let engine = engine(&stand_in.base().replace("http://", "http://shop:s3cr3t@"));
    let error = ports::error_chain(&engine.search(&query()).await.unwrap_err());
    assert!(!error.contains("s3cr3t"), "{error}");
    assert_eq!(stand_in.received()[0].header("authorization"), Some("Basic c2hvcDpzM2NyM3Q="));
}

fn failing() -> MockCatalogSearch {
    let mut engine = MockCatalogSearch::new();
    engine.expect_search().returning(|_| Err(StoreError::Unavailable("away".into())));
    engine
}

fn database(total: u64) -> MockCatalogSearch {
    let mut database = MockCatalogSearch::new();
    database.expect_search().returning(move |_| Ok(Page::<Hit, _>::empty(total)));
    database.expect_facets().returning(|_| Ok(Facets::default()));
    database
}

#[tokio::test(start_paused = true)]
async fn searches_go_on_without_the_engine_which_is_left_alone_and_tried_again() {
    let mut engine = failing();
    engine.checkpoint();
    let mut asked = 0;
    engine.expect_search().times(5).returning(move |_| {
        asked += 1;
        if asked < 5 { Err(StoreError::Unavailable("away".into())) } else { Ok(Page::empty(1)) }
    });
    let searching = FallingBack::new(Arc::new(engine), Arc::new(database(2)));
    let total = async || searching.search(&query()).await.unwrap().total;
    for _ in 0..10 {
        assert_eq!(total().await, 2, "three of them ask the engine");
    }
    tokio::time::advance(Duration::from_secs(6)).await;
    assert_eq!((total().await, total().await), (2, 2), "one tries it again");
    tokio::time::advance(Duration::from_secs(6)).await;
    assert_eq!(total().await, 1);
}

#[tokio::test]
async fn what_is_asked_about_fitments_is_never_the_engines() {
    // Nobody may call the engine.
    let searching = FallingBack::new(Arc::new(MockCatalogSearch::new()), Arc::new(database(2)));
    let front = ProductQuery { positions: vec![Position::ALL[0]], ..query() };
    assert_eq!(searching.search(&front).await.unwrap().total, 2);
    assert_eq!(searching.facets(&front).await.unwrap(), Facets::default());
    let of_a_type = ProductQuery { part_types: vec!["Brake disc".to_owned()], ..query() };
    assert_eq!(searching.facets(&of_a_type).await.unwrap(), Facets::default());
}

#[tokio::test]
async fn a_search_that_both_fail_is_an_error() {
    let searching = FallingBack::new(Arc::new(failing()), Arc::new(failing()));
    assert!(matches!(searching.search(&query()).await, Err(StoreError::Unavailable(_))));
}
