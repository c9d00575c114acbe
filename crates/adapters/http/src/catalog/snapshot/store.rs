//! The current snapshot, and how it is brought up to date.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use application::Catalog;
use arc_swap::ArcSwapOption;
use domain::{Product, ProductId};
use ports::{CatalogChange, CatalogChanges, Page, Pagination, Patience, ProductQuery, StoreError};
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};

use super::lists::Slots;
use super::names::Names;
use super::rounds::Rounds;
use super::{Entry, REVIEWS, Snapshot};

/// How long a reader waits for changes to be read. After that it asks the database itself.
const REFRESH_TIMEOUT: Duration = Duration::from_secs(1);
/// How long changes may take to be read. After that whoever comes next tries again.
const UPDATE_TIMEOUT: Duration = Duration::from_secs(2);
/// The pause after an attempt to read everything that failed: a row that cannot be read may stand at the end of a long
/// table.
const LOAD_PAUSE: Duration = Duration::from_secs(30);
/// How many products the snapshot has; absent until everything has been read once.
const PRODUCTS: &str = "catalog_snapshot_products";
/// How many products are read at a time.
const BATCH: u32 = 1_000;

/// The catalogue in memory. Readers never wait for a snapshot of everything, only for products that have just changed:
/// what this instance has acknowledged is in the next answer, what another has within a second.
pub struct CatalogSnapshot {
    catalog: Arc<Catalog>,
    changes: Arc<dyn CatalogChanges>,
    current: ArcSwapOption<Snapshot>,
    /// Changes are read in rounds, so that an older state never replaces a newer one.
    refreshes: Arc<Rounds>,
    /// Whether changes have been taken that are not in the current snapshot yet.
    is_refreshing: AtomicBool,
    /// When everything may be read again, after an attempt that failed.
    load_after: Mutex<Option<Instant>>,
    /// Whether everything is being read.
    is_loading: AtomicBool,
    snapshots: AtomicU64,
}

/// Changes that are being read. They are put back unless they were: the reader may fail, or its client may leave.
struct Taken<'a> {
    snapshot: &'a CatalogSnapshot,
    change: CatalogChange,
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        self.snapshot.changes.put_back(std::mem::take(&mut self.change));
        self.snapshot.is_refreshing.store(false, Ordering::Release);
    }
}

impl CatalogSnapshot {
    /// An empty one: until [`Self::refresh`] has succeeded once, everything is read from the database.
    #[must_use]
    pub fn new(catalog: Arc<Catalog>, changes: Arc<dyn CatalogChanges>) -> Self {
        metrics::describe_gauge!(PRODUCTS, "Products of the catalogue in memory.");
        Self {
            catalog,
            changes,
            current: ArcSwapOption::empty(),
            refreshes: Arc::default(),
            is_refreshing: AtomicBool::new(false),
            load_after: Mutex::new(None),
            is_loading: AtomicBool::new(false),
            snapshots: AtomicU64::new(0),
        }
    }

    /// Brings the snapshot up to date, if anything changed. To be called every second or so.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed. Then the next call reads what this one could not.
    pub async fn refresh(self: &Arc<Self>) -> Result<(), StoreError> {
        // What was read before changes are heard would have to be read again.
        if !self.changes.is_pending() || !self.changes.is_current() {
            return Ok(());
        }
        let snapshot = Arc::clone(self);
        self.refreshes.one_from_now_on(async move { snapshot.update_or_load().await }).await.map(drop)
    }

    /// Reads what has changed, or everything if that is not known; returns whether it has.
    async fn update_or_load(&self) -> Result<bool, StoreError> {
        let taken = self.take();
        if !taken.change.everything && self.current.load().is_some() {
            return self.update(taken).await.map(|()| true);
        }
        let mut load_after = self.load_after.lock().await;
        if load_after.is_some_and(|after| Instant::now() < after) {
            return Ok(false);
        }
        self.is_loading.store(true, Ordering::Release);
        let loaded = self.load(taken).await;
        self.is_loading.store(false, Ordering::Release);
        *load_after = loaded.is_err().then(|| Instant::now() + LOAD_PAUSE);
        loaded.map(|()| true)
    }

    /// The catalogue as it is now; `None` if it has to be read from the database.
    pub(crate) async fn current(self: &Arc<Self>) -> Option<Arc<Snapshot>> {
        if !self.changes.is_current() {
            return None;
        }
        if self.is_complete() {
            return self.current.load_full();
        }
        if self.is_loading.load(Ordering::Acquire) || self.current.load().is_none() {
            return None;
        }
        let snapshot = Arc::clone(self);
        let refresh = self.refreshes.one_from_now_on(async move {
            let taken = snapshot.take();
            // Everything takes long: that is not a reader's to do.
            if taken.change.everything {
                return Ok(false);
            }
            Patience::new(UPDATE_TIMEOUT).limits(snapshot.update(taken)).await.map(|()| true)
        });
        // It is the database that this request waits for as well.
        let _waits = Patience::current().map(|patience| patience.begin());
        match timeout(REFRESH_TIMEOUT, refresh).await {
            Ok(Ok(true)) => self.current.load_full(),
            _ => None,
        }
    }

    /// Whether all known changes are in the current snapshot.
    fn is_complete(&self) -> bool {
        // In this order: changes are taken only while a refresh is on its way.
        !self.changes.is_pending() && !self.is_refreshing.load(Ordering::Acquire)
    }

    /// The number of the snapshot, if it is up to date; then a response that was made from it may be sent again.
    pub(crate) fn up_to_date(&self) -> Option<u64> {
        if !self.is_complete() || !self.changes.is_current() {
            return None;
        }
        self.current.load().as_ref().map(|snapshot| snapshot.number())
    }

    fn take(&self) -> Taken<'_> {
        self.is_refreshing.store(true, Ordering::Release);
        Taken { snapshot: self, change: self.changes.take() }
    }

    async fn update(&self, mut taken: Taken<'_>) -> Result<(), StoreError> {
        let Some(mut snapshot) = self.current.load_full() else { return Ok(()) };
        if !taken.change.products.is_empty() {
            let ids: Vec<ProductId> = taken.change.products.iter().copied().collect();
            let found = self.numbered(self.catalog.products_for_sale(&ids).await?, Some(&snapshot)).await?;
            let mut products: HashMap<_, _> = ids.into_iter().map(|id| (id, None)).collect();
            products.extend(found.into_iter().map(|(product, no)| (product.id, Some((product, no)))));
            let next = snapshot.with(self.next_number(), products);
            snapshot = Arc::new(next.map_err(|error| StoreError::Internal(error.into()))?);
        }
        if taken.change.reviews {
            let reviews = self.catalog.latest_reviews(REVIEWS).await?;
            let next = snapshot.with_reviews(self.next_number(), reviews);
            snapshot = Arc::new(next.map_err(|error| StoreError::Internal(error.into()))?);
        }
        self.publish(snapshot);
        taken.change = CatalogChange::default();
        Ok(())
    }

    /// Reads everything. What is the same as before stays where it is, so that a catalogue that is read again is not in
    /// memory twice.
    async fn load(&self, mut taken: Taken<'_>) -> Result<(), StoreError> {
        let before = self.current.load_full();
        let (mut slots, mut names) = (Slots::default(), Arc::new(Names::default()));
        let mut changed: HashMap<ProductId, Option<(Product, i32)>> =
            before.iter().flat_map(|before| before.ids()).map(|id| (id, None)).collect();
        let mut after = None;
        loop {
            let query = ProductQuery { page: Pagination::batch(BATCH, after), ..ProductQuery::default() };
            let Page { items, next, .. } = self.catalog.browse_products(&query).await?;
            for (product, no) in self.numbered(items.into_iter().map(|found| found.product).collect(), None).await? {
                let Some(before) = &before else {
                    let entry = Entry::new(product, no, &mut names);
                    slots.push(entry.map_err(|error| StoreError::Internal(error.into()))?);
                    continue;
                };
                if before.has(&product).map_err(|error| StoreError::Internal(error.into()))? {
                    changed.remove(&product.id);
                } else {
                    changed.insert(product.id, Some((product, no)));
                }
            }
            after = next;
            if after.is_none() {
                break;
            }
        }
        let reviews = self.catalog.latest_reviews(REVIEWS).await?;
        let loaded = match before {
            Some(before) => before
                .with(self.next_number(), changed)
                .and_then(|snapshot| snapshot.with_reviews(self.next_number(), reviews)),
            None => Snapshot::of(self.next_number(), slots, names, reviews),
        };
        self.publish(Arc::new(loaded.map_err(|error| StoreError::Internal(error.into()))?));
        taken.change = CatalogChange::default();
        Ok(())
    }

    /// Products with their numbers. Those of products that a snapshot has are not asked for: none ever changes.
    async fn numbered(
        &self,
        products: Vec<Product>,
        known: Option<&Snapshot>,
    ) -> Result<Vec<(Product, i32)>, StoreError> {
        let mut numbers: HashMap<ProductId, i32> = products
            .iter()
            .filter_map(|product| known.and_then(|snapshot| snapshot.no_of(product.id)).map(|no| (product.id, no)))
            .collect();
        let new: Vec<ProductId> =
            products.iter().map(|product| product.id).filter(|id| !numbers.contains_key(id)).collect();
        if !new.is_empty() {
            numbers.extend(self.catalog.product_numbers(&new).await?);
        }
        let numbered = |product: Product| {
            let no = numbers.get(&product.id).copied()?;
            Some((product, no))
        };
        Ok(products.into_iter().filter_map(numbered).collect())
    }

    fn publish(&self, snapshot: Arc<Snapshot>) {
        metrics::gauge!(PRODUCTS).set(f64::from(snapshot.count()));
        self.current.store(Some(snapshot));
    }

    fn next_number(&self) -> u64 {
        self.snapshots.fetch_add(1, Ordering::Relaxed) + 1
    }
}
