//! The shop: every port that a use case may need, in one place.

use std::sync::Arc;
use std::time::Duration;

use domain::orders::order::EventMeta;
use domain::{Account, Actor, Email, EventId, SessionId, Timestamp};
use ports::{
    AccountRepository, AccountTokenRepository, AccountTokens, Clock, DeviceCookies, EmailSender, GoogleSignIn,
    IdempotencyStore, Ids, ImageHost, LoginAttempts, NewSession, NewsletterRepository, OrderRepository, Outbox,
    OwnershipRepository, PasswordHash, PasswordHasher, PaymentAttempts, PaymentEvents, PaymentProvider,
    ProductRepository, ProfileRepository, RefundRepository, ReservationRules, ResponseSeal, ReviewRepository,
    SessionRepository, SessionSecret, SessionSecrets, SharedClock, StoreError, TokenIssuer, WebhookSecrets,
    WebhookSender, WebhookSubscriptions,
};

use tokio::task::JoinSet;

use crate::accounts::log_in::LoginLanes;
use crate::notifications::delivery_lanes::DeliveryLanes;
use crate::payments::provider_gate::ProviderLimiter;
use crate::platform::run_idempotent::Running;

/// How long a session lasts unless it is ended.
const SESSION_LIFE: Duration = Duration::from_hours(30 * 24);

/// How often a compare-and-set is retried before the order counts as too busy. Each retry means that another change of
/// the same order was written in between, and an order has only a handful of changes in its life.
pub(crate) const MAX_RETRIES: usize = 8;

/// Every port that a use case may need. Cheap to clone.
#[derive(Clone)]
pub struct Shop {
    /// Generates and hashes the tokens of e-mailed links.
    pub account_tokens: Arc<dyn AccountTokens>,
    /// The tokens that are valid.
    pub account_token_store: Arc<dyn AccountTokenRepository>,
    pub accounts: Arc<dyn AccountRepository>,
    /// Responses stored by idempotency key.
    pub idempotency: Arc<dyn IdempotencyStore>,
    /// Encrypts stored responses.
    pub response_seal: Arc<dyn ResponseSeal>,
    pub clock: Arc<dyn Clock>,
    /// Issues and verifies the cookies of known devices.
    pub device_cookies: Arc<dyn DeviceCookies>,
    pub webhook_sender: Arc<dyn WebhookSender>,
    /// Seals and opens the signing secrets of webhook subscriptions.
    pub webhook_secrets: Arc<dyn WebhookSecrets>,
    /// Webhook subscriptions.
    pub webhook_subscriptions: Arc<dyn WebhookSubscriptions>,
    /// Limits how often the payment provider is called.
    pub provider_limiter: Arc<ProviderLimiter>,
    /// Sign-in with Google; `None` if it is not configured.
    pub google: Option<Arc<dyn GoogleSignIn>>,
    /// How long the units of unpaid orders are reserved.
    pub reservations: ReservationRules,
    /// Counts failed logins.
    pub login_attempts: Arc<dyn LoginAttempts>,
    pub ids: Arc<dyn Ids>,
    pub images: Arc<dyn ImageHost>,
    pub payment_attempts: Arc<dyn PaymentAttempts>,
    /// Limits concurrent logins, by network and by account.
    pub login_lanes: Arc<LoginLanes>,
    /// The deliveries in progress in this process.
    pub lanes: Arc<DeliveryLanes>,
    /// Sends e-mails; `None` if no mail server is configured: then e-mails wait in the outbox.
    pub email_sender: Option<Arc<dyn EmailSender>>,
    pub newsletter: Arc<dyn NewsletterRepository>,
    pub orders: Arc<dyn OrderRepository>,
    /// Who owns which account.
    pub ownership: Arc<dyn OwnershipRepository>,
    /// The transactional outbox.
    pub outbox: Arc<dyn Outbox>,
    /// Hashes passwords.
    pub passwords: Arc<dyn PasswordHasher>,
    /// The provider's events that have been processed.
    pub payment_events: Arc<dyn PaymentEvents>,
    pub payments: Arc<dyn PaymentProvider>,
    pub products: Arc<dyn ProductRepository>,
    pub profiles: Arc<dyn ProfileRepository>,
    /// Refunds and disputes.
    pub refunds: Arc<dyn RefundRepository>,
    pub reviews: Arc<dyn ReviewRepository>,
    /// How long an account without a paid order waits between two reviews; `None` for no limit.
    pub review_pause: Option<Duration>,
    /// Requests with an idempotency key that run in this process.
    pub running: Arc<Running>,
    pub session_secrets: Arc<dyn SessionSecrets>,
    pub sessions: Arc<dyn SessionRepository>,
    /// The clock that all instances share.
    pub shared_clock: Arc<dyn SharedClock>,
    /// Issues and verifies access tokens.
    pub tokens: Arc<dyn TokenIssuer>,
    /// Whether only an account with a proved address can become an admin.
    pub roles_need_proof: bool,
}

/// A user who has just signed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedIn {
    pub account: Account,
    /// The value of the session cookie.
    pub secret: SessionSecret,
    /// The lifetime of the cookie.
    pub lasts: Duration,
}

impl Shop {
    /// Opens a session for a user who has proved their identity; `proved_by` is the password hash if they used a
    /// password. `None` if the account was removed or its password changed in the meantime.
    pub(crate) async fn open_session(
        &self,
        account: Account,
        proved_by: Option<PasswordHash>,
    ) -> Result<Option<SignedIn>, StoreError> {
        let secret = self.session_secrets.fresh();
        let opened_at = self.clock.now();
        let session = NewSession {
            id: SessionId::new(self.ids.fresh()),
            account: account.id,
            secret: self.session_secrets.hash(&secret),
            proved_by,
            opened_at,
            expires_at: later(opened_at, SESSION_LIFE),
        };
        let opened = self.sessions.open(&session).await?;
        Ok(opened.then_some(SignedIn { account, secret, lasts: SESSION_LIFE }))
    }

    /// The cookie that identifies the device from now on, after a sign-in on it. `held` is the device's current cookie.
    #[must_use]
    pub fn device_cookie(&self, email: &Email, held: &str) -> String {
        self.device_cookies.issue(email, held, self.clock.now())
    }

    /// The id, actor and time of a new event.
    pub(crate) fn meta(&self, by: Actor) -> EventMeta {
        EventMeta { event: EventId::new(self.ids.fresh()), by, at: self.clock.now() }
    }
}

/// A moment later; [`Timestamp::MAX`] if that is out of range.
pub(crate) fn later(moment: Timestamp, by: Duration) -> Timestamp {
    moment.checked_add(by).unwrap_or(Timestamp::MAX)
}

/// A moment earlier; [`Timestamp::MIN`] if that is out of range.
pub(crate) fn earlier(moment: Timestamp, by: Duration) -> Timestamp {
    moment.checked_sub(by).unwrap_or(Timestamp::MIN)
}

/// How many items a background job processes concurrently, so that one that hangs delays few others.
pub(crate) const MAX_CONCURRENT: usize = 10;

/// Processes the items, several concurrently. Returns the results in no particular order; an item whose task panics is
/// left out.
pub(crate) async fn for_each_concurrent<T, R, F>(shop: &Shop, items: Vec<T>, run: impl Fn(Shop, T) -> F) -> Vec<R>
where
    R: Send + 'static,
    F: Future<Output = R> + Send + 'static,
{
    let mut waiting = items.into_iter();
    let mut under_way = JoinSet::new();
    let mut done = Vec::new();
    loop {
        while under_way.len() < MAX_CONCURRENT
            && let Some(item) = waiting.next()
        {
            under_way.spawn(run(shop.clone(), item));
        }
        match under_way.join_next().await {
            None => return done,
            Some(Ok(one)) => done.push(one),
            Some(Err(error)) => tracing::error!(%error, "a background task panicked"),
        }
    }
}
