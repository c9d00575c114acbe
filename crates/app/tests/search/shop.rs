//! A shop with a search engine of its own.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use application::{Followed, IndexFailed, SearchIndex};
use async_trait::async_trait;
use domain::{Actor, Category, MinOrder, Money, Product, ProductDetails, ProductId, Stock, Text, Timestamp, UnitPrice};
use opensearch::OpenSearch;
use persistence::Database;
use ports::contract::searching::Shop;
use ports::{
    CatalogLog, CatalogSearch, Clock, NewProduct, PartRepository, ProductQuery, ProductRepository, SearchEngine,
};
use reqwest::Method;
use serde_json::Value;
use testkit::{Osmem, TestDatabase};
use uuid::Uuid;

/// A clock that runs as fast as the test wants.
#[derive(Default)]
pub(crate) struct TestClock(AtomicU64);

impl TestClock {
    pub(crate) fn forward(&self, by: Duration) {
        self.0.fetch_add(u64::try_from(by.as_micros()).unwrap(), Ordering::Relaxed);
    }
}

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        // Every look takes a microsecond, so that two indexes never have the same name.
        let passed = self.0.fetch_add(1, Ordering::Relaxed);
        Timestamp::from_microsecond(1_800_000_000_000_000 + i64::try_from(passed).unwrap()).unwrap()
    }
}

pub(crate) struct Indexed {
    pub(crate) database: Database,
    pub(crate) engine: Arc<OpenSearch>,
    pub(crate) index: SearchIndex,
    pub(crate) clock: Arc<TestClock>,
    pub(crate) server: Osmem,
    // Dropped after the pool.
    test: TestDatabase,
}

fn migrate(url: &str) {
    std::thread::scope(|scope| {
        let migrating = scope.spawn(|| {
            let runtime = tokio::runtime::Runtime::new().unwrap();
            runtime.block_on(persistence::migrations::run(url)).unwrap()
        });
        assert!(!migrating.join().unwrap().is_empty());
    });
}

impl Indexed {
    pub(crate) async fn open() -> Self {
        let test = TestDatabase::fresh(migrate);
        let database = Database::connect(test.url(), 4, Duration::from_secs(10)).await.unwrap();
        let server = Osmem::start();
        let engine = OpenSearch::new(&server.url().parse().unwrap(), Arc::new(database.clone())).unwrap();
        let (engine, clock) = (Arc::new(engine), Arc::new(TestClock::default()));
        let index = index(&database, &engine, &clock, 1);
        Self { database, engine, index, clock, server, test }
    }

    /// The same shop's index as another copy of the program sees it.
    pub(crate) fn another(&self, holder: u128) -> SearchIndex {
        index(&self.database, &self.engine, &self.clock, holder)
    }

    pub(crate) fn log(&self) -> &dyn CatalogLog {
        &self.database
    }

    pub(crate) fn sql(&self, statements: &str) {
        testkit::execute(self.test.url(), statements);
    }

    /// Runs until there is nothing left to write.
    pub(crate) async fn up_to_date(&self) -> Followed {
        let mut all = Followed::default();
        for _ in 0..800 {
            let done = self.index.follow_products().await.unwrap();
            all.written += done.written;
            all.refused += done.refused;
            all.repaired += done.repaired;
            all.swapped |= done.swapped;
            let followers = self.log().followers().await.unwrap();
            let lag = self.log().lag().await.unwrap();
            if followers.len() == 1 && lag.live && lag.changes == 0 {
                self.ask(Method::POST, "driveline-products-1/_refresh", None).await;
                return all;
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        panic!("it is never up to date: {all:?}");
    }

    pub(crate) async fn try_once(&self) -> Result<Followed, IndexFailed> {
        self.index.follow_products().await
    }

    /// Asks the engine itself.
    pub(crate) async fn ask(&self, method: Method, path: &str, body: Option<Value>) -> Value {
        let request = reqwest::Client::new().request(method, format!("{}/{path}", self.server.url()));
        let request = match body {
            Some(body) => request.json(&body),
            None => request,
        };
        let answer = request.send().await.unwrap().text().await.unwrap();
        serde_json::from_str(&answer).unwrap_or_default()
    }

    pub(crate) async fn add(&self, name: &str) -> Product {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let details = ProductDetails::new(
            Text::new(name).unwrap(),
            Text::new("A pair, drilled and vented.").unwrap(),
            Category::Brakes,
            "/pictures/brake-disc-640.webp".parse().unwrap(),
            UnitPrice::new(Money::from_cents(12_999).unwrap()).unwrap(),
            MinOrder::effective(50).unwrap(),
            Stock::new(500).unwrap(),
        );
        let id = ProductId::new(Uuid::from_u128(u128::from(NEXT.fetch_add(1, Ordering::Relaxed)) << 64));
        let product = Product { id, details, created_at: Timestamp::from_second(1_700_000_000).unwrap() };
        let new = NewProduct { product: product.clone(), by: Actor::Shop, idempotency_key: None };
        self.database.add(&new).await.unwrap();
        product
    }

    /// How many products the engine finds.
    pub(crate) async fn found(&self, words: &str) -> u64 {
        let query = ProductQuery { search: Some(words.to_owned()), ..ProductQuery::default() };
        CatalogSearch::search(self.engine.as_ref(), &query).await.unwrap().total
    }
}

fn index(database: &Database, engine: &Arc<OpenSearch>, clock: &Arc<TestClock>, holder: u128) -> SearchIndex {
    let engine: Arc<dyn SearchEngine> = engine.clone();
    SearchIndex::new(Arc::new(database.clone()), Some(engine), clock.clone(), Uuid::from_u128(holder))
}

#[async_trait]
impl Shop for Indexed {
    fn products(&self) -> &dyn ProductRepository {
        &self.database
    }

    fn parts(&self) -> &dyn PartRepository {
        &self.database
    }

    fn search(&self) -> &dyn CatalogSearch {
        self.engine.as_ref()
    }

    async fn settle(&self) {
        self.up_to_date().await;
    }
}
