//! Feeds: what each rule does to the tables, and what is left of a worker that dies.

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use diesel::connection::SimpleConnection;
use domain::{Actor, FeedConsent, FeedCounts, FeedKind, FeedMode, FeedState, Product, Role, Text};
use ports::{
    Feed, FeedDetails, FeedRepository, FeedRules, FeedWork, FileSeen, Ids, NewFeed, Pagination, StockEventKind,
    WriteError,
};
use uuid::Uuid;

use crate::fitment_feeds::names;
use crate::world::{World, actor, product};

pub(crate) const RULES: FeedRules = FeedRules { most_bytes: u64::MAX, archive_percent: 20 };

struct Counting(AtomicU64);

impl Ids for Counting {
    fn fresh(&self) -> Uuid {
        Uuid::from_u64_pair(0x1_0000, self.0.fetch_add(1, Ordering::Relaxed))
    }
}

pub(crate) fn ids() -> Arc<dyn Ids> {
    Arc::new(Counting(AtomicU64::new(1)))
}

pub(crate) fn new(kind: FeedKind, mode: FeedMode, dry_run: bool) -> NewFeed {
    let consent = FeedConsent::default();
    NewFeed { kind, mode, name: None, dry_run, consent, by: Actor::Shop, idempotency_key: None }
}

/// Sends a file in pieces of this length.
pub(crate) async fn send(world: &World, new: &NewFeed, file: &[u8], length: usize) -> i32 {
    let feed = world.database.begin(new).await.unwrap().unwrap();
    for (no, piece) in (0..).zip(file.chunks(length)) {
        world.database.store(feed, no, piece.to_vec()).await.unwrap();
    }
    let is_utf8 = std::str::from_utf8(file).is_ok();
    let seen = FileSeen { bytes: file.len() as u64, sha256: [7; 32], is_utf8 };
    world.database.finish(feed, &seen).await.unwrap();
    feed
}

pub(crate) async fn find(world: &World, feed: i32) -> FeedDetails {
    FeedRepository::find(&world.database, feed).await.unwrap().unwrap()
}

pub(crate) async fn run(world: &World, new: &NewFeed, file: &str) -> Feed {
    // Small pieces, so that they cut rows and cells.
    let feed = send(world, new, file.as_bytes(), 7.max(file.len() / 50)).await;
    assert_eq!(world.database.work(RULES, ids(), names()).await.unwrap(), 1);
    find(world, feed).await.feed
}

pub(crate) async fn part(world: &World, brand: &str, number: &str, available: u32) -> Product {
    let mut part = product(&format!("{brand} {number}"), available.into());
    part.details.part_number = Some(Text::new(number).unwrap());
    part.details.facts.brand = Some(Text::new(brand).unwrap());
    world.add(part).await
}

pub(crate) fn counts(feed: &Feed) -> [u64; 6] {
    let FeedCounts { rows, added, changed, same, refused, archived } = feed.counts;
    [rows, added, changed, same, refused, archived]
}

#[tokio::test(flavor = "multi_thread")]
async fn counted_stock_is_an_entry_of_the_difference_and_added_stock_a_delivery() {
    let world = World::fresh().await;
    let admin = world.account_as("admin@example.com", Role::Admin).await;
    let (one, two) = (part(&world, "Acme", "1", 500).await, part(&world, "Acme", "2", 500).await);
    let by = NewFeed { by: actor(&admin), ..new(FeedKind::Stock, FeedMode::Update, false) };
    let feed = run(&world, &by, "brand,part_number,availableQty,addQty\nacme,1,450,\nACME,2,,25\n").await;
    assert_eq!((feed.state, counts(&feed)), (FeedState::Applied, [2, 0, 2, 0, 0, 0]), "{feed:?}");
    assert_eq!([world.stock_of(one.id).await, world.stock_of(two.id).await], [450, 525]);
    let entries = "SELECT count(*) FROM stock_ledger WHERE actor_email = 'admin@example.com' AND (kind, delta) IN (('counted', -50), ('received', 25))";
    assert_eq!(world.count(entries), 2);
    for (product, expected) in [(&one, -50), (&two, 25)] {
        let history = world.products().stock_history(product.id, 10).await.unwrap().unwrap();
        let units = match &history[0].what {
            StockEventKind::Corrected { delta, .. } => i64::from(delta.get()),
            StockEventKind::Restocked { arriving, .. } => i64::from(arriving.get()),
            StockEventKind::Archived => 0,
        };
        assert_eq!((units, &history[0].by), (expected, &actor(&admin)));
    }
    assert_eq!(world.count("SELECT count(*) FROM feed_chunks"), 0, "the file is of no more use");
    world.refuses(
        "INSERT INTO stock_ledger (product_id, delta, kind, at) SELECT id, 0, 'counted', now() FROM products",
        "stock_ledger_entry_makes_sense",
    );
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_brand_is_applied_whole_or_not_at_all_and_a_worker_that_died_is_followed() {
    let world = World::fresh().await;
    let (one, two) = (part(&world, "Acme", "1", 500).await, part(&world, "Best", "2", 500).await);
    let file = "brand,part_number,addQty\nAcme,1,10\nBest,2,10\n";
    let stock = new(FeedKind::Stock, FeedMode::Update, false);
    let feed = send(&world, &stock, file.as_bytes(), 1_000).await;
    // Nothing can be entered for the second brand: the worker stops after the first.
    let mut other = world.raw();
    let guard = format!(
        "CREATE FUNCTION break() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            RAISE EXCEPTION 'terminating connection due to administrator command'; END $$;
        CREATE TRIGGER broken BEFORE INSERT ON stock_ledger FOR EACH ROW WHEN (NEW.product_id = '{}') EXECUTE FUNCTION break()",
        two.id
    );
    other.batch_execute(&guard).unwrap();
    world.database.work(RULES, ids(), names()).await.unwrap_err();
    assert_eq!(find(&world, feed).await.feed.state, FeedState::Applying);
    assert_eq!([world.stock_of(one.id).await, world.stock_of(two.id).await], [510, 500]);
    other.batch_execute("DROP TRIGGER broken ON stock_ledger").unwrap();
    world.database.work(RULES, ids(), names()).await.unwrap();
    let ended = find(&world, feed).await.feed;
    assert_eq!((ended.state, counts(&ended)), (FeedState::Applied, [2, 0, 2, 0, 0, 0]));
    assert_eq!([world.stock_of(one.id).await, world.stock_of(two.id).await], [510, 510], "nothing is added twice");
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn one_worker_works_at_a_time_and_one_that_is_gone_blocks_nobody() {
    let world = World::fresh().await;
    let one = part(&world, "Acme", "1", 500).await;
    let stock = new(FeedKind::Stock, FeedMode::Update, false);
    send(&world, &stock, b"brand,part_number,addQty\nAcme,1,10\n", 1_000).await;
    let mut other = world.raw();
    other.batch_execute("SELECT pg_advisory_lock(6275309418)").unwrap();
    assert_eq!(world.database.work(RULES, ids(), names()).await.unwrap(), 0);
    assert_eq!(world.stock_of(one.id).await, 500);
    drop(other);
    let mut worked = 0;
    // The server notices the closed connection in its own time.
    for _ in 0..100 {
        let (a, b) =
            tokio::join!(world.database.work(RULES, ids(), names()), world.database.work(RULES, ids(), names()));
        worked += a.unwrap() + b.unwrap();
        if worked > 0 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!((worked, world.stock_of(one.id).await), (1, 510));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_feed_that_kills_its_workers_is_given_up() {
    let world = World::fresh().await;
    part(&world, "Acme", "1", 500).await;
    let stock = new(FeedKind::Stock, FeedMode::Update, false);
    let feed = send(&world, &stock, b"brand,part_number,addQty\nAcme,1,10\n", 1_000).await;
    world.raw().batch_execute("UPDATE feeds SET state = 'reading', attempts = 5").unwrap();
    assert_eq!(world.database.work(RULES, ids(), names()).await.unwrap(), 0);
    let ended = find(&world, feed).await.feed;
    assert_eq!(ended.state, FeedState::Failed);
    assert!(ended.error.unwrap().contains("several times"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_changed_between_check_and_application_is_checked_again() {
    let world = World::fresh().await;
    let one = part(&world, "Acme", "1", 500).await;
    let stock = new(FeedKind::Stock, FeedMode::Update, true);
    let feed = run(&world, &stock, "brand,part_number,availableQty\nAcme,1,10\n").await;
    assert_eq!((feed.state, counts(&feed)), (FeedState::Checked, [1, 0, 1, 0, 0, 0]));
    world.products().archive(one.id, &Actor::Shop, crate::world::at(9)).await.unwrap();
    FeedRepository::apply(&world.database, feed.id, FeedConsent::default()).await.unwrap();
    world.database.work(RULES, ids(), names()).await.unwrap();
    let again = find(&world, feed.id).await.feed;
    assert_eq!((again.state, counts(&again)), (FeedState::Checked, [1, 0, 0, 0, 1, 0]));
    assert!(again.error.unwrap().contains("changed since"));
    assert_eq!(world.count("SELECT available::bigint FROM products"), 500);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_feed_is_seen_once_its_file_is_whole_and_one_key_is_one_feed() {
    let world = World::fresh().await;
    let key = Some(crate::world::key(1));
    let stock = NewFeed { idempotency_key: key, ..new(FeedKind::Stock, FeedMode::Update, true) };
    let feed = world.database.begin(&stock).await.unwrap().unwrap();
    assert_eq!(world.database.begin(&stock).await.unwrap(), Err(feed));
    assert!(FeedRepository::find(&world.database, feed).await.unwrap().is_none());
    assert_eq!(FeedRepository::list(&world.database, Pagination::whole()).await.unwrap().total, 0);
    world.database.store(feed, 0, b"brand".to_vec()).await.unwrap();
    world.raw().batch_execute("UPDATE feeds SET changed_at = now() - interval '2 hours'").unwrap();
    assert_eq!(world.database.expire().await.unwrap(), 1);
    assert_eq!(world.count("SELECT count(*) FROM feeds") + world.count("SELECT count(*) FROM feed_chunks"), 0);
    let feed = run(&world, &new(FeedKind::Stock, FeedMode::Update, true), "brand,part_number,addQty\n").await;
    world.raw().batch_execute("UPDATE feeds SET changed_at = now() - interval '8 days'").unwrap();
    world.database.expire().await.unwrap();
    assert_eq!(find(&world, feed.id).await.feed.state, FeedState::Cancelled);
    assert!(matches!(
        FeedRepository::apply(&world.database, feed.id, FeedConsent::default()).await,
        Err(WriteError::Refused(_))
    ));
}

#[tokio::test(flavor = "multi_thread")]
async fn findings_beyond_ten_thousand_are_counted() {
    let world = World::fresh().await;
    let file = "Acme,1,x\n".repeat(12_000);
    let stock = new(FeedKind::Stock, FeedMode::Update, true);
    let feed = run(&world, &stock, &format!("brand,part_number,addQty\n{file}")).await;
    assert_eq!(counts(&feed), [12_000, 0, 0, 0, 12_000, 0]);
    assert_eq!(feed.findings, 24_000, "each is no number, and about the same part as another");
    assert_eq!(world.count("SELECT count(*) FROM feed_findings"), 10_000);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chain_of_replacements_stays_short() {
    let world = World::fresh().await;
    let mut file = "brand,part_number,kind,number\n".to_owned();
    for no in 0..10 {
        part(&world, "Acme", &format!("N{no}"), 50).await;
        if no > 0 {
            let _ = writeln!(file, "Acme,N{no},superseded,N{}", no - 1);
        }
    }
    let numbers = new(FeedKind::Numbers, FeedMode::Upsert, false);
    let feed = run(&world, &numbers, &file).await;
    assert_eq!(feed.state, FeedState::Failed);
    assert_eq!(world.count("SELECT count(*) FROM products WHERE replaced_by IS NOT NULL"), 0, "nothing half done");
    let short: String = file.lines().take(9).flat_map(|line| [line, "\n"]).collect();
    let feed = run(&world, &numbers, &short).await;
    assert_eq!(feed.state, FeedState::Applied, "{feed:?}");
    assert_eq!(world.count("SELECT count(*) FROM products WHERE replaced_by IS NOT NULL"), 8);
}
