//! Searches that go on without the engine.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use ports::{
    Candidate, CatalogSearch, Facets, Hit, NumberHits, Page, ProductCursor, ProductQuery, StoreError, error_chain,
};
use tokio::sync::Mutex;
use tokio::time::Instant;

/// After so many failures in a row the engine is left alone.
const OPENS_AFTER: u32 = 3;
/// How long, until one search tries it again.
const PROBE_EVERY: Duration = Duration::from_secs(5);

/// The engine, and the database in its place while it does not answer or has no index yet. What is asked for a vehicle or about
/// positions is the database's as well: fitments are in no document.
pub struct FallingBack {
    engine: Arc<dyn CatalogSearch>,
    database: Arc<dyn CatalogSearch>,
    failures: AtomicU32,
    probe_at: Mutex<Option<Instant>>,
    is_down: AtomicBool,
}

impl FallingBack {
    /// Asks `engine` first, and `database` if that fails.
    #[must_use]
    pub fn new(engine: Arc<dyn CatalogSearch>, database: Arc<dyn CatalogSearch>) -> Self {
        metrics::describe_counter!(
            "searches_without_engine",
            "Searches that were answered from the database because the search engine failed or was left alone."
        );
        metrics::counter!("searches_without_engine").increment(0);
        Self {
            engine,
            database,
            failures: AtomicU32::new(0),
            probe_at: Mutex::new(None),
            is_down: AtomicBool::new(false),
        }
    }

    /// Whether only the database knows.
    fn is_about_fitments(query: &ProductQuery) -> bool {
        query.fit.is_some() || !query.positions.is_empty()
    }

    /// Whether a search may ask the engine: it works, or it is time to see whether it does.
    async fn may_ask(&self) -> bool {
        if self.failures.load(Ordering::Relaxed) < OPENS_AFTER {
            return true;
        }
        let mut probe_at = self.probe_at.lock().await;
        let now = Instant::now();
        let is_due = probe_at.is_some_and(|at| now >= at);
        // The next one waits, however long this one takes; so does the first one after the failures.
        if is_due || probe_at.is_none() {
            *probe_at = Some(now + PROBE_EVERY);
        }
        is_due
    }

    async fn note(&self, failed: Option<&StoreError>) {
        let Some(error) = failed else {
            self.failures.store(0, Ordering::Relaxed);
            if self.is_down.swap(false, Ordering::Relaxed) {
                *self.probe_at.lock().await = None;
                tracing::info!("the search engine answers again");
            }
            return;
        };
        self.failures.fetch_add(1, Ordering::Relaxed);
        if !self.is_down.swap(true, Ordering::Relaxed) {
            tracing::warn!(error = %error_chain(error), "the search engine fails: searches are answered from the database");
        }
    }

    async fn either<T>(
        &self,
        engine: impl Future<Output = Result<T, StoreError>>,
        database: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        if self.may_ask().await {
            match engine.await {
                Ok(answer) => {
                    self.note(None).await;
                    return Ok(answer);
                }
                Err(error) => self.note(Some(&error)).await,
            }
        }
        metrics::counter!("searches_without_engine").increment(1);
        database.await
    }
}

#[async_trait]
impl CatalogSearch for FallingBack {
    async fn search(&self, query: &ProductQuery) -> Result<Page<Hit, ProductCursor>, StoreError> {
        if Self::is_about_fitments(query) {
            return self.database.search(query).await;
        }
        self.either(self.engine.search(query), self.database.search(query)).await
    }

    async fn by_number(&self, number: &str) -> Result<Option<NumberHits>, StoreError> {
        self.either(self.engine.by_number(number), self.database.by_number(number)).await
    }

    /// With a part type, positions are counted.
    async fn facets(&self, query: &ProductQuery) -> Result<Facets, StoreError> {
        if Self::is_about_fitments(query) || !query.part_types.is_empty() {
            return self.database.facets(query).await;
        }
        self.either(self.engine.facets(query), self.database.facets(query)).await
    }

    async fn candidates(&self, query: &ProductQuery) -> Result<Option<Vec<Candidate>>, StoreError> {
        if Self::is_about_fitments(query) {
            return self.database.candidates(query).await;
        }
        Ok(None)
    }

    async fn placed(&self, part_types: &[String]) -> Result<Vec<Candidate>, StoreError> {
        self.database.placed(part_types).await
    }

    /// Of the database, because it is asked while the engine is away.
    async fn forgives_slips(&self) -> Result<bool, StoreError> {
        self.database.forgives_slips().await
    }
}
