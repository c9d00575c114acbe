//! Sessions that are looked up again within half a second.

use std::time::Duration;

use async_trait::async_trait;
use domain::{AccountId, Caller, SessionId, Timestamp};
use ports::{Browser, Ending, LiveSession, NewSession, SecretHash, SessionRepository, StoreError};
use quick_cache::sync::Cache;

use crate::Database;

/// How long a caller is remembered. A change by another instance bites within this time, one by this instance at once.
const REMEMBERED: Duration = Duration::from_millis(500);
/// How many callers are remembered, by either key.
const CALLERS_MAX: usize = 20_000;

/// The sessions of a database, which is not asked again for a caller that was looked up a moment ago.
pub struct CachedSessions {
    database: Database,
    by_id: Cache<SessionId, Remembered>,
    by_secret: Cache<[u8; 32], Remembered>,
}

#[derive(Clone)]
struct Remembered {
    caller: Caller,
    at: Timestamp,
    /// The version of all accounts before the caller was looked up.
    version: u64,
}

impl Remembered {
    fn is_valid(&self, now: Timestamp, version: u64) -> bool {
        let age = Duration::try_from(now.duration_since(self.at));
        self.version == version && age.is_ok_and(|age| age < REMEMBERED)
    }
}

impl CachedSessions {
    /// The sessions of this database.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database, by_id: Cache::new(CALLERS_MAX), by_secret: Cache::new(CALLERS_MAX) }
    }
}

#[async_trait]
impl SessionRepository for CachedSessions {
    async fn open(&self, session: &NewSession) -> Result<bool, StoreError> {
        self.database.open(session).await
    }

    async fn note_browser(&self, secret: &SecretHash, browser: &Browser, at: Timestamp) -> Result<(), StoreError> {
        self.database.note_browser(secret, browser, at).await
    }

    async fn by_secret(&self, secret: &SecretHash, now: Timestamp) -> Result<Option<Caller>, StoreError> {
        let version = self.database.changes().accounts_version();
        if let Some(known) = self.by_secret.get(&secret.0).filter(|known| known.is_valid(now, version)) {
            return Ok(Some(known.caller));
        }
        let found = self.database.by_secret(secret, now).await?;
        if let Some(caller) = &found {
            self.by_secret.insert(secret.0, Remembered { caller: caller.clone(), at: now, version });
        }
        Ok(found)
    }

    async fn by_secret_now(&self, secret: &SecretHash, now: Timestamp) -> Result<Option<Caller>, StoreError> {
        self.by_secret.remove(&secret.0);
        self.by_secret(secret, now).await
    }

    async fn by_id(&self, id: SessionId, now: Timestamp) -> Result<Option<Caller>, StoreError> {
        let version = self.database.changes().accounts_version();
        if let Some(known) = self.by_id.get(&id).filter(|known| known.is_valid(now, version)) {
            return Ok(Some(known.caller));
        }
        let found = self.database.by_id(id, now).await?;
        if let Some(caller) = &found {
            self.by_id.insert(id, Remembered { caller: caller.clone(), at: now, version });
        }
        Ok(found)
    }

    async fn by_id_now(&self, id: SessionId, now: Timestamp) -> Result<Option<Caller>, StoreError> {
        self.by_id.remove(&id);
        self.by_id(id, now).await
    }

    async fn close(&self, id: SessionId, at: Timestamp) -> Result<(), StoreError> {
        self.database.close(id, at).await
    }

    async fn list(&self, account: AccountId, now: Timestamp) -> Result<Vec<LiveSession>, StoreError> {
        SessionRepository::list(&self.database, account, now).await
    }

    async fn close_of(&self, account: AccountId, id: SessionId, at: Timestamp) -> Result<Ending, StoreError> {
        self.database.close_of(account, id, at).await
    }

    async fn close_others(&self, account: AccountId, kept: SessionId, at: Timestamp) -> Result<u64, StoreError> {
        self.database.close_others(account, kept, at).await
    }

    async fn forget(&self, before: Timestamp, limit: u32) -> Result<u32, StoreError> {
        SessionRepository::forget(&self.database, before, limit).await
    }
}
