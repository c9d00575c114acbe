//! Keeping the index of a search engine in step with the products.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use domain::Timestamp;
use ports::{CatalogLog, Clock, Documents, EngineError, Follower, IndexLag, SearchEngine, Standing, StoreError};
use thiserror::Error;
use uuid::Uuid;

use crate::delete_in_batches;
use crate::platform::moments::later;

/// How many changes are read at once, and how many documents are written.
const CHANGES: u32 = 1_000;
const WRITTEN: usize = 500;
/// How many products are compared at once.
const COMPARED: u32 = 1_000;
/// How long one run fills and compares; what is left is for the next one, after the changes that came meanwhile.
const BUDGET: Duration = Duration::from_secs(5);
/// The shortest and the longest wait after a failure of the engine.
const WAIT: Duration = Duration::from_secs(1);
const LONGEST_WAIT: Duration = Duration::from_mins(1);

/// Why an index was not brought up to date.
#[derive(Debug, Error)]
pub enum IndexFailed {
    /// Because of the engine.
    #[error("{}", ports::error_chain(.0))]
    Engine(#[from] EngineError),
    /// Because of the database.
    #[error("{}", ports::error_chain(.0))]
    Store(#[from] StoreError),
}

/// The result of one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Followed {
    /// Products that were written into an index, or removed from it.
    pub written: u64,
    /// Products that the engine refused, or that could not be read; the others are in.
    pub refused: u64,
    /// Products that the comparison found to be wrong, and that were written again.
    pub repaired: u64,
    /// Whether searches are answered from a new index from now on.
    pub swapped: bool,
}

/// How often the engine has failed in a row, and when it may be tried again.
#[derive(Debug, Default)]
struct Wait {
    failures: u32,
    until: Option<Timestamp>,
}

/// The index of a search engine. Without an engine there is nothing to do.
pub struct SearchIndex {
    clock: Arc<dyn Clock>,
    engine: Option<Arc<dyn SearchEngine>>,
    /// By which the lease knows this copy of the program.
    holder: Uuid,
    log: Arc<dyn CatalogLog>,
    wait: Mutex<Wait>,
}

impl SearchIndex {
    /// `holder` is by which the lease on writing to the engine knows this copy of the program.
    #[must_use]
    pub fn new(
        log: Arc<dyn CatalogLog>,
        engine: Option<Arc<dyn SearchEngine>>,
        clock: Arc<dyn Clock>,
        holder: Uuid,
    ) -> Self {
        Self { clock, engine, holder, log, wait: Mutex::default() }
    }

    /// How far the index is behind; `None` without a search engine.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn lag(&self) -> Result<Option<IndexLag>, StoreError> {
        match self.engine {
            None => Ok(None),
            Some(_) => self.log.lag().await.map(Some),
        }
    }

    /// Deletes changes that nobody needs, in batches.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn forget_changes(&self) -> Result<u64, StoreError> {
        delete_in_batches(|most| self.log.forget_changes(most)).await
    }

    /// Begins a new index beside the one that is searched. Returns its name; [`Self::follow_products`] fills it and lets searches
    /// be answered from it, and only then removes the old one. `None` without a search engine.
    ///
    /// # Errors
    /// [`IndexFailed`] if the engine or the store failed.
    pub async fn rebuild(&self) -> Result<Option<String>, IndexFailed> {
        let Some(engine) = &self.engine else { return Ok(None) };
        self.begin(engine.as_ref()).await.map(Some)
    }

    /// Whether searches are answered from this index.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn is_live(&self, name: &str) -> Result<bool, StoreError> {
        Ok(self.log.followers().await?.iter().any(|follower| follower.live && follower.name == name))
    }

    /// Lets another copy write at once.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn release(&self) -> Result<(), StoreError> {
        self.log.release(self.holder).await
    }

    /// Brings the index up to date; makes one if there is none, or if it cannot be brought up to date any more. One copy of the
    /// program at a time does it. After a failure of the engine it is left alone for a while, longer each time.
    ///
    /// # Errors
    /// [`IndexFailed`] if the engine or the store failed. What was written stands, and is written again.
    pub async fn follow_products(&self) -> Result<Followed, IndexFailed> {
        let mut followed = Followed::default();
        let Some(engine) = &self.engine else { return Ok(followed) };
        if self.has_to_wait() || !self.log.lease(self.holder).await? {
            return Ok(followed);
        }
        let done = Run { engine: engine.as_ref(), index: self, followed: &mut followed }.all().await;
        self.note(&done);
        done.map(|()| followed)
    }

    fn has_to_wait(&self) -> bool {
        let now = self.clock.now();
        self.wait.lock().is_ok_and(|wait| wait.until.is_some_and(|until| now < until))
    }

    fn note(&self, done: &Result<(), IndexFailed>) {
        let Ok(mut wait) = self.wait.lock() else { return };
        if let Err(IndexFailed::Engine(_)) = done {
            let doubled = WAIT.saturating_mul(1_u32.checked_shl(wait.failures).unwrap_or(u32::MAX));
            wait.failures = wait.failures.saturating_add(1).min(16);
            wait.until = Some(later(self.clock.now(), doubled.min(LONGEST_WAIT)));
        } else {
            *wait = Wait::default();
        }
    }

    async fn begin(&self, engine: &dyn SearchEngine) -> Result<String, IndexFailed> {
        let name = engine.name(self.clock.now());
        self.log.follow(&name).await?;
        engine.create(&name).await?;
        Ok(name)
    }
}

/// One run of whoever has the lease.
struct Run<'a> {
    engine: &'a dyn SearchEngine,
    index: &'a SearchIndex,
    followed: &'a mut Followed,
}

impl Run<'_> {
    async fn all(&mut self) -> Result<(), IndexFailed> {
        let (engine, log) = (self.engine, Arc::clone(&self.index.log));
        let mut followers = Vec::new();
        // Others are those of another version of the program, which runs beside this one or did so before.
        for follower in log.followers().await?.into_iter().filter(|follower| engine.owns(&follower.name)) {
            if self.is_lost(&follower).await? {
                tracing::warn!(index = follower.name, "a search index cannot be brought up to date any more");
                log.forget(&follower.name).await?;
            } else {
                followers.push(follower);
            }
        }
        if followers.is_empty() {
            let name = self.index.begin(engine).await?;
            tracing::info!(index = name, "a search index is made");
            followers = log.followers().await?.into_iter().filter(|follower| engine.owns(&follower.name)).collect();
        }
        let (live, mut others): (Vec<_>, Vec<_>) = followers.into_iter().partition(|follower| follower.live);
        let live = live.into_iter().next();
        if let Some(live) = &live {
            self.catch_up(live).await?;
        }
        // Of several the newest: whoever asks for another one does not want the one before.
        let Some(next) = others.pop() else {
            return match live.filter(|live| live.compare_due) {
                Some(live) => self.compare(&live).await,
                None => Ok(()),
            };
        };
        for former in others {
            log.forget(&former.name).await?;
        }
        if self.fill(&next).await? {
            self.swap(&next, live.as_ref()).await?;
        }
        Ok(())
    }

    /// Whether an index can never be brought up to date: its changes are not known, or the engine has lost it.
    async fn is_lost(&self, follower: &Follower) -> Result<bool, EngineError> {
        let is_there = if follower.live {
            self.engine.serving().await?.as_deref() == Some(follower.name.as_str())
        } else {
            self.engine.exists(&follower.name).await?
        };
        Ok(!is_there || follower.standing == Standing::Lost)
    }

    /// Fills an index with all products, and then brings it up to date. `true` once it is.
    async fn fill(&mut self, follower: &Follower) -> Result<bool, IndexFailed> {
        let log = Arc::clone(&self.index.log);
        if follower.position.is_none() {
            log.begin(&follower.name).await?;
            return Ok(false);
        }
        if follower.standing == Standing::Waits {
            tracing::debug!(index = follower.name, "the search index waits for the end of older transactions");
            return Ok(false);
        }
        let end = later(self.index.clock.now(), BUDGET);
        let mut filled_to = follower.filled_to;
        while let Some(from) = filled_to {
            let products = log.products_after(from, CHANGES).await?;
            self.write(&follower.name, &products).await?;
            filled_to = products.last().copied();
            log.filled(&follower.name, filled_to).await?;
            if filled_to.is_some() && (self.index.clock.now() >= end || !log.lease(self.index.holder).await?) {
                return Ok(false);
            }
        }
        self.catch_up(follower).await
    }

    /// Writes what changed since. `true` if nothing is left.
    async fn catch_up(&mut self, follower: &Follower) -> Result<bool, IndexFailed> {
        let log = Arc::clone(&self.index.log);
        let Some(mut position) = follower.position else { return Ok(false) };
        let end = later(self.index.clock.now(), BUDGET);
        loop {
            let changes = log.changes(position, CHANGES).await?;
            let Some(to) = changes.to else { return Ok(true) };
            self.write(&follower.name, &changes.products).await?;
            log.followed(&follower.name, to).await?;
            position = to;
            if self.index.clock.now() >= end || !log.lease(self.index.holder).await? {
                return Ok(false);
            }
        }
    }

    /// Lets searches be answered from an index that is up to date. Only then the former one goes.
    async fn swap(&mut self, next: &Follower, former: Option<&Follower>) -> Result<(), IndexFailed> {
        let log = &self.index.log;
        self.engine.serve(&next.name).await?;
        log.make_live(&next.name, former.map(|former| former.name.clone())).await?;
        self.followed.swapped = true;
        tracing::info!(index = next.name, "searches are answered from a new index");
        let kept: Vec<String> = log.followers().await?.into_iter().map(|follower| follower.name).collect();
        self.engine.keep_only(&kept).await?;
        Ok(())
    }

    /// Goes on with the comparison of an index with the products.
    async fn compare(&mut self, live: &Follower) -> Result<(), IndexFailed> {
        let log = Arc::clone(&self.index.log);
        let end = later(self.index.clock.now(), BUDGET);
        let mut from = live.compared_to;
        loop {
            let products = log.products_after(from, COMPARED).await?;
            let to = products.last().copied();
            let (documents, _) = self.documents(&products).await?;
            let differing =
                self.engine.differing(&live.name, from + 1, to.unwrap_or(i32::MAX), &documents.found).await?;
            if !differing.is_empty() {
                tracing::warn!(index = live.name, products = ?differing, "products were wrong in the search index");
                self.write(&live.name, &differing).await?;
                self.followed.repaired += differing.len() as u64;
            }
            log.compared(&live.name, to).await?;
            let Some(to) = to else { return self.forget_other_versions().await };
            from = to;
            if self.index.clock.now() >= end || !log.lease(self.index.holder).await? {
                return Ok(());
            }
        }
    }

    /// A day after an upgrade no copy of the program before is left, nor does anybody need its index.
    async fn forget_other_versions(&self) -> Result<(), IndexFailed> {
        let log = &self.index.log;
        let (kept, others): (Vec<Follower>, Vec<Follower>) =
            log.followers().await?.into_iter().partition(|follower| self.engine.owns(&follower.name));
        for other in others {
            log.forget(&other.name).await?;
        }
        let kept: Vec<String> = kept.into_iter().map(|follower| follower.name).collect();
        Ok(self.engine.keep_only(&kept).await?)
    }

    /// Writes products into an index. One that cannot be read or that the engine refuses keeps no other out.
    async fn write(&mut self, name: &str, products: &[i32]) -> Result<(), IndexFailed> {
        let mut batches: Vec<Vec<i32>> = products.chunks(WRITTEN).map(<[i32]>::to_vec).collect();
        while let Some(batch) = batches.pop() {
            let (documents, batch) = self.documents(&batch).await?;
            match self.engine.write(name, &batch, &documents).await {
                Ok(refused) => {
                    self.followed.written += (batch.len() - refused.len()) as u64;
                    for (product, why) in refused {
                        self.refuse(product, &why);
                    }
                }
                Err(EngineError::Refused(why)) => match batch.as_slice() {
                    [product] => self.refuse(*product, &why.to_string()),
                    both => {
                        let (one, other) = both.split_at(both.len() / 2);
                        batches.extend([one.to_vec(), other.to_vec()]);
                    }
                },
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    fn refuse(&mut self, product: i32, why: &str) {
        self.followed.refused += 1;
        tracing::warn!(product, why, "a product is not in the search index");
    }

    /// The documents of products, and those of the products that can be read.
    async fn documents(&mut self, products: &[i32]) -> Result<(Documents, Vec<i32>), StoreError> {
        let log = Arc::clone(&self.index.log);
        match log.documents(products).await {
            Ok(documents) => return Ok((documents, products.to_vec())),
            Err(StoreError::Internal(_)) => {}
            Err(error) => return Err(error),
        }
        let mut all = Documents { version: i64::MAX, found: Vec::new() };
        let mut readable = Vec::new();
        for product in products {
            match log.documents(&[*product]).await {
                Ok(one) => {
                    // Of several readings the first.
                    all.version = all.version.min(one.version);
                    all.found.extend(one.found);
                    readable.push(*product);
                }
                Err(StoreError::Internal(why)) => self.refuse(*product, &why.to_string()),
                Err(error) => return Err(error),
            }
        }
        Ok((all, readable))
    }
}

#[cfg(test)]
mod tests;
