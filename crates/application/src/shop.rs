//! The shop: every port that a deed may need, in one place.

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
use crate::payments::provider_gate::ProviderGate;
use crate::platform::run_idempotent::Running;

/// How long a sign-in lasts if nobody ends it.
const SESSION_LIFE: Duration = Duration::from_hours(30 * 24);

/// How often a compare-and-set is judged anew before the order is said to be too busy. Each round means that somebody
/// else's change to the same order was written in between, and an order has only a handful of changes in its life.
pub(crate) const MAX_RETRIES: usize = 8;

/// Every port that a deed may need. Cheap to clone.
#[derive(Clone)]
pub struct Shop {
    /// What the links in letters hold.
    pub account_tokens: Arc<dyn AccountTokens>,
    /// Which of those are good.
    pub account_token_store: Arc<dyn AccountTokenRepository>,
    /// Who can sign in.
    pub accounts: Arc<dyn AccountRepository>,
    /// Answers that are remembered under an idempotency key.
    pub idempotency: Arc<dyn IdempotencyStore>,
    /// The cryptography behind remembered answers.
    pub response_seal: Arc<dyn ResponseSeal>,
    /// What time it is.
    pub clock: Arc<dyn Clock>,
    /// What devices are known by.
    pub device_cookies: Arc<dyn DeviceCookies>,
    /// Calls other programs.
    pub endpoint_caller: Arc<dyn WebhookSender>,
    /// The cryptography behind what they are called with.
    pub endpoint_secrets: Arc<dyn WebhookSecrets>,
    /// Which programs are told what happens here.
    pub endpoints: Arc<dyn WebhookSubscriptions>,
    /// How often the payment provider is asked.
    pub gate: Arc<ProviderGate>,
    /// Signing in with Google; `None` if the shop has no keys for it.
    pub google: Option<Arc<dyn GoogleSignIn>>,
    /// How long unpaid orders keep their units.
    pub reservations: ReservationRules,
    /// Wrong passwords.
    pub login_attempts: Arc<dyn LoginAttempts>,
    /// Fresh ids.
    pub ids: Arc<dyn Ids>,
    /// Where pictures go.
    pub images: Arc<dyn ImageHost>,
    /// Which payment was opened for which order.
    pub payment_attempts: Arc<dyn PaymentAttempts>,
    /// Lets logins wait for each other.
    pub login_lanes: Arc<LoginLanes>,
    /// What is being delivered at this moment.
    pub lanes: Arc<DeliveryLanes>,
    /// Sends letters; `None` if the shop has no mail server: then they wait.
    pub email_sender: Option<Arc<dyn EmailSender>>,
    /// Who wants the newsletter.
    pub newsletter: Arc<dyn NewsletterRepository>,
    /// Orders.
    pub orders: Arc<dyn OrderRepository>,
    /// Where browsers find the shop: scheme and host, no slash at the end.
    pub origin: Arc<str>,
    /// Who owns which account.
    pub ownership: Arc<dyn OwnershipRepository>,
    /// What the shop still has to tell the world.
    pub outbox: Arc<dyn Outbox>,
    /// Passwords.
    pub passwords: Arc<dyn PasswordHasher>,
    /// Which messages of the payment provider have been dealt with.
    pub payment_events: Arc<dyn PaymentEvents>,
    /// The payment provider.
    pub payments: Arc<dyn PaymentProvider>,
    /// Products.
    pub products: Arc<dyn ProductRepository>,
    /// Profiles.
    pub profiles: Arc<dyn ProfileRepository>,
    /// Refunds and disputes.
    pub refunds: Arc<dyn RefundRepository>,
    /// Reviews.
    pub reviews: Arc<dyn ReviewRepository>,
    /// How long an account that never paid waits from one review to the next; `None` for not at all.
    pub review_pause: Option<Duration>,
    /// Requests with an idempotency key that run in this process.
    pub running: Arc<Running>,
    /// Secrets of sessions.
    pub session_secrets: Arc<dyn SessionSecrets>,
    /// Who is signed in.
    pub sessions: Arc<dyn SessionRepository>,
    /// The clock that all copies share.
    pub shared_clock: Arc<dyn SharedClock>,
    /// Access tokens.
    pub tokens: Arc<dyn TokenIssuer>,
    /// Whether only a proved address can become an admin's.
    pub roles_need_proof: bool,
}

/// Somebody who has just signed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedIn {
    /// Who.
    pub account: Account,
    /// What their cookie holds.
    pub secret: SessionSecret,
    /// How long the cookie lasts.
    pub lasts: Duration,
}

impl Shop {
    /// Opens a session for somebody who has proved who they are, by a password if `proved_by` is its hash; `None` if they were
    /// removed or got another password in the meantime.
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

    /// The cookie by which the device is known from now on on which somebody has just signed in.
    #[must_use]
    pub fn device_cookie(&self, email: &Email, held: &str) -> String {
        self.device_cookies.issue(email, held, self.clock.now())
    }

    /// A move's stamp: now, by somebody, under a fresh id.
    pub(crate) fn meta(&self, by: Actor) -> EventMeta {
        EventMeta { event: EventId::new(self.ids.fresh()), by, at: self.clock.now() }
    }
}

/// A moment later; the end of time if that is past it.
pub(crate) fn later(moment: Timestamp, by: Duration) -> Timestamp {
    moment.checked_add(by).unwrap_or(Timestamp::MAX)
}

/// A moment earlier; the beginning of time if that is before it.
pub(crate) fn earlier(moment: Timestamp, by: Duration) -> Timestamp {
    moment.checked_sub(by).unwrap_or(Timestamp::MIN)
}

/// How many things a background job has under way at the same moment, so that one that hangs holds up few others.
pub(crate) const ABREAST: usize = 10;

/// Does something with each item, several at a time. Answers what came of them, in no order; one that panicked is left out.
pub(crate) async fn abreast<T, R, F>(shop: &Shop, items: Vec<T>, run: impl Fn(Shop, T) -> F) -> Vec<R>
where
    R: Send + 'static,
    F: Future<Output = R> + Send + 'static,
{
    let mut waiting = items.into_iter();
    let mut under_way = JoinSet::new();
    let mut done = Vec::new();
    loop {
        while under_way.len() < ABREAST
            && let Some(item) = waiting.next()
        {
            under_way.spawn(run(shop.clone(), item));
        }
        match under_way.join_next().await {
            None => return done,
            Some(Ok(one)) => done.push(one),
            Some(Err(error)) => tracing::error!(%error, "a part of a background job broke off"),
        }
    }
}
