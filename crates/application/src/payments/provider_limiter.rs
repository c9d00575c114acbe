//! Rate limits on calls to the payment provider: it allows a number of calls per second for the whole shop, and neither
//! a background job nor one customer may use them up.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use domain::{AccountId, Payable, Timestamp, TransactionId};
use ports::PaymentIntent;

use crate::payments::open_payment::PaymentSecret;
use crate::platform::moments::{earlier, later};

/// How many calls one account may cause in a burst. No one who pays for orders by hand comes near it.
const ACCOUNT_BURST: u32 = 30;
/// The interval at which one more is allowed.
const ACCOUNT_EVERY: Duration = Duration::from_millis(500);
/// How many calls the background jobs of this process may make in a burst.
const BACKGROUND_BURST: u32 = 100;
/// The interval at which one more is allowed: ten instances of the shop stay below Stripe's limit for an account.
const BACKGROUND_EVERY: Duration = Duration::from_millis(100);
/// How long a payment's secret is cached.
const SECRET_FRESH: Duration = Duration::from_secs(30);
/// The number of entries above which a table is swept.
const SWEEP: usize = 5_000;

/// A rate limit budget that refills over time (the generic cell rate algorithm): its whole state is one timestamp.
#[derive(Debug, Clone, Copy)]
struct Budget {
    /// When the budget is full again.
    full_at: Timestamp,
}

impl Budget {
    const FULL: Self = Self { full_at: Timestamp::MIN };

    /// Takes one call; otherwise returns how long to wait for it.
    fn take(&mut self, burst: u32, every: Duration, now: Timestamp) -> Result<(), Duration> {
        let from = self.full_at.max(now);
        let used = from.duration_since(now).unsigned_abs();
        let most = every * (burst - 1);
        if let Some(wait) = used.checked_sub(most).filter(|wait| !wait.is_zero()) {
            return Err(wait);
        }
        self.full_at = later(from, every);
        Ok(())
    }
}

/// The provider's latest response about a payment, and the tick at which it was requested.
type Flight = tokio::sync::Mutex<Option<(u64, PaymentIntent)>>;

#[derive(Default)]
struct Tables {
    accounts: HashMap<AccountId, Budget>,
    background: Option<Budget>,
    secrets: HashMap<Payable, (TransactionId, PaymentSecret, Timestamp)>,
    openings: HashMap<Payable, Weak<tokio::sync::Mutex<()>>>,
    flights: HashMap<TransactionId, Weak<Flight>>,
}

/// Enforces the payment provider's limits in this process.
#[derive(Default)]
pub(crate) struct ProviderLimiter {
    tables: Mutex<Tables>,
    ticks: AtomicU64,
}

impl ProviderLimiter {
    fn tables(&self) -> MutexGuard<'_, Tables> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Allows an account to cause one call; otherwise returns how long it has to wait.
    pub(crate) fn admit(&self, account: AccountId, now: Timestamp) -> Result<(), Duration> {
        let accounts = &mut self.tables().accounts;
        if accounts.len() > SWEEP {
            accounts.retain(|_, budget| budget.full_at > now);
        }
        accounts.entry(account).or_insert(Budget::FULL).take(ACCOUNT_BURST, ACCOUNT_EVERY, now)
    }

    /// How many of the calls that a background job wants to make are allowed now.
    pub(crate) fn grant(&self, wanted: u32, now: Timestamp) -> u32 {
        let budget = &mut self.tables().background;
        let budget = budget.get_or_insert(Budget::FULL);
        let granted = (0..wanted).take_while(|_| budget.take(BACKGROUND_BURST, BACKGROUND_EVERY, now).is_ok()).count();
        u32::try_from(granted).unwrap_or(wanted)
    }

    /// Returns calls that were granted and not made.
    pub(crate) fn give_back(&self, calls: u32) {
        if let Some(budget) = &mut self.tables().background {
            budget.full_at = earlier(budget.full_at, BACKGROUND_EVERY * calls);
        }
    }

    /// The secret of an open payment, if it is cached.
    pub(crate) fn secret(&self, payable: Payable, payment: &TransactionId, now: Timestamp) -> Option<PaymentSecret> {
        let tables = self.tables();
        let (known, secret, until) = tables.secrets.get(&payable)?;
        (known == payment && now < *until).then(|| secret.clone())
    }

    pub(crate) fn remember(&self, payable: Payable, payment: &TransactionId, secret: &PaymentSecret, now: Timestamp) {
        let until = later(now, SECRET_FRESH);
        let secrets = &mut self.tables().secrets;
        if secrets.len() > SWEEP {
            secrets.retain(|_, (_, _, until)| now < *until);
        }
        secrets.insert(payable, (payment.clone(), secret.clone(), until));
    }

    /// Removes a secret from the cache: the payment has changed.
    pub(crate) fn forget(&self, payable: Payable) {
        self.tables().secrets.remove(&payable);
    }

    /// The lock for opening a payment: a concurrent caller waits, and then finds the payment that the first
    /// opened.
    pub(crate) fn opening(&self, payable: Payable) -> Arc<tokio::sync::Mutex<()>> {
        shared(&mut self.tables().openings, payable)
    }

    /// The shared response for callers who query the same payment concurrently.
    pub(crate) fn flight(&self, payment: &TransactionId) -> Arc<Flight> {
        shared(&mut self.tables().flights, payment.clone())
    }

    /// A counter: each value is greater than every one before.
    pub(crate) fn tick(&self) -> u64 {
        self.ticks.fetch_add(1, Ordering::Relaxed)
    }
}

fn shared<K: Eq + Hash, T: Default>(table: &mut HashMap<K, Weak<T>>, key: K) -> Arc<T> {
    if let Some(known) = table.get(&key).and_then(Weak::upgrade) {
        return known;
    }
    if table.len() > SWEEP {
        table.retain(|_, known| known.strong_count() > 0);
    }
    let fresh = Arc::new(T::default());
    table.insert(key, Arc::downgrade(&fresh));
    fresh
}

#[cfg(test)]
mod tests {
    use domain::OrderId;
    use uuid::Uuid;

    use super::*;
    use crate::testing::now;

    fn account(n: u128) -> AccountId {
        AccountId::new(Uuid::from_u128(n))
    }

    fn order(n: u128) -> Payable {
        Payable::Order(OrderId::new(Uuid::from_u128(n)))
    }

    /// As many numbers as a table may have entries without being swept.
    fn as_many_as_fit() -> impl Iterator<Item = u128> {
        (1..).take(SWEEP)
    }

    #[test]
    fn an_account_over_its_limit_waits_and_another_does_not() {
        let provider_limiter = ProviderLimiter::default();
        for _ in 0..ACCOUNT_BURST {
            assert_eq!(provider_limiter.admit(account(1), now()), Ok(()));
        }
        assert_eq!(provider_limiter.admit(account(1), now()), Err(ACCOUNT_EVERY));
        assert_eq!(provider_limiter.admit(account(2), now()), Ok(()));
        let next = later(now(), ACCOUNT_EVERY);
        assert_eq!(provider_limiter.admit(account(1), next), Ok(()));
        assert_eq!(provider_limiter.admit(account(1), next), Err(ACCOUNT_EVERY));
    }

    #[test]
    fn background_jobs_share_one_budget_and_return_what_they_do_not_use() {
        let provider_limiter = ProviderLimiter::default();
        assert_eq!(provider_limiter.grant(80, now()), 80);
        assert_eq!(provider_limiter.grant(80, now()), 20);
        assert_eq!(provider_limiter.grant(80, now()), 0);
        provider_limiter.give_back(30);
        assert_eq!(provider_limiter.grant(80, now()), 30);
        assert_eq!(provider_limiter.grant(80, later(now(), Duration::from_secs(2))), 20);
    }

    #[test]
    fn a_secret_is_cached_for_its_payment_and_for_a_short_time() {
        let provider_limiter = ProviderLimiter::default();
        let order = order(5);
        let (one, other): (TransactionId, TransactionId) = ("pi_1".parse().unwrap(), "pi_2".parse().unwrap());
        let secret = PaymentSecret("pi_1_secret".into());
        provider_limiter.remember(order, &one, &secret, now());
        assert_eq!(provider_limiter.secret(order, &one, now()), Some(secret));
        assert_eq!(provider_limiter.secret(order, &other, now()), None);
        assert_eq!(provider_limiter.secret(order, &one, later(now(), SECRET_FRESH)), None);
        provider_limiter.forget(order);
        assert_eq!(provider_limiter.secret(order, &one, now()), None);
    }

    #[test]
    fn accounts_at_rest_are_forgotten_once_there_are_too_many() {
        let provider_limiter = ProviderLimiter::default();
        for n in as_many_as_fit() {
            provider_limiter.admit(account(n), now()).unwrap();
        }
        let (busy, rested) = (account(10_001), later(now(), ACCOUNT_EVERY));
        provider_limiter.admit(busy, rested).unwrap();
        assert_eq!(provider_limiter.tables().accounts.len(), SWEEP + 1);
        for _ in 1..ACCOUNT_BURST {
            provider_limiter.admit(busy, rested).unwrap();
        }
        assert_eq!(provider_limiter.tables().accounts.len(), 1);
        assert_eq!(provider_limiter.admit(busy, rested), Err(ACCOUNT_EVERY));
    }

    #[test]
    fn secrets_that_expired_are_forgotten_once_there_are_too_many() {
        let provider_limiter = ProviderLimiter::default();
        let (payment, secret): (TransactionId, _) = ("pi_1".parse().unwrap(), PaymentSecret("pi_1_secret".into()));
        for n in as_many_as_fit() {
            provider_limiter.remember(order(n), &payment, &secret, now());
        }
        let (fresh, expiry) = (order(10_001), later(now(), SECRET_FRESH));
        provider_limiter.remember(fresh, &payment, &secret, expiry);
        assert_eq!(provider_limiter.tables().secrets.len(), SWEEP + 1);
        provider_limiter.remember(order(10_002), &payment, &secret, expiry);
        assert_eq!(provider_limiter.tables().secrets.len(), 2);
        assert_eq!(provider_limiter.secret(fresh, &payment, expiry), Some(secret));
    }

    #[test]
    fn locks_that_nobody_holds_are_forgotten_once_there_are_too_many() {
        let provider_limiter = ProviderLimiter::default();
        let held = provider_limiter.opening(order(10_001));
        for n in as_many_as_fit() {
            drop(provider_limiter.opening(order(n)));
        }
        assert_eq!(provider_limiter.tables().openings.len(), SWEEP + 1);
        drop(provider_limiter.opening(order(10_002)));
        assert_eq!(provider_limiter.tables().openings.len(), 2);
        let same = provider_limiter.opening(order(10_001));
        assert!(Arc::ptr_eq(&held, &same), "two callers would each open a payment of one order");
    }
}
