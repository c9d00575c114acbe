//! Connects the adapters to the use cases.

use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;

use application::{App, Ports, SearchIndex};
use documents::DocumentDrawer;
use domain::SecondFactorPolicy;
use email::{Composer, SmtpSender};
use http_adapter::{AppState, CatalogSnapshot, Idempotency, Settings, ShopContact};
use identity::{
    Argon2Hasher, DeviceSigner, HashingLimits, JwtIssuer, RandomSecrets, ResponseSealer, TimeBasedCodes, TokenKeys,
    VinSealer, WebauthnPasskeys, WebhookSecretSealer,
};
use ipnet::IpNet;
use opensearch::{EngineAddress, FallingBack, OpenSearch};
use persistence::{CachedSessions, Database};
use ports::{
    CatalogSearch, Clock, EmailSender, FeedRules, GoogleSignIn, Ids, ImageHost, Passkeys, PaymentGateway,
    PictureLibrary, RateLimit, ReservationRules, SandboxAccounts, SearchEngine, WebhookSender, error_chain,
};
use webhooks::{HttpWebhookSender, NetworkPolicy};

use crate::clock::{SystemClock, TimeOrderedIds};
use crate::config::Mail;
use crate::readiness::Lifecycle;
use crate::startup_error::StartupError;
use crate::telemetry::{Metrics, RandomTraces};
use crate::vat_check::OfflineVatCheck;
use crate::vehicle_names::EmbeddedVehicles;

/// The audience of access tokens: callers of the shop's own API.
const AUDIENCE: &str = "driveline";

/// Limit on the rows that one unauthenticated client may leave behind: an office can subscribe all at once, but no
/// client for long.
const STRANGERS_ROWS_RATE: RateLimit = RateLimit::per_second(1, 100);

/// How long an account that never paid has to wait between two reviews.
const REVIEW_PAUSE: Duration = Duration::from_hours(24);

/// Everything outside the shop but its database. Only these choices decide whether it is a demo.
pub(crate) struct Adapters {
    /// The source of the current time, for the shop and its adapters.
    pub(crate) clock: Arc<dyn Clock>,
    /// The keys that tokens are signed with.
    pub(crate) token_keys: TokenKeys,
    /// The issuer of tokens.
    pub(crate) token_issuer: String,
    pub(crate) payments: PaymentGateway,
    /// Calls webhook subscriptions.
    pub(crate) webhook_sender: Arc<dyn WebhookSender>,
    /// Sign-in with Google, if it is on.
    pub(crate) google: Option<Arc<dyn GoogleSignIn>>,
    /// How long unpaid orders reserve their units.
    pub(crate) reservations: ReservationRules,
    /// The accounts to choose from, if Google is the sandbox.
    pub(crate) sandbox_accounts: Option<Arc<dyn SandboxAccounts>>,
    /// Whether admins need a second factor.
    pub(crate) admin_second_factor: SecondFactorPolicy,
    /// The address that passkeys are for.
    pub(crate) passkey_url: String,
    /// Whether only a confirmed address can become an admin's.
    pub(crate) roles_need_proof: bool,
    /// The search engine, if there is one.
    pub(crate) search: Option<EngineAddress>,
    /// Stores pictures.
    pub(crate) images: Arc<dyn ImageHost>,
    /// Sends e-mails; `None` if they have to wait.
    pub(crate) email_sender: Option<Arc<dyn EmailSender>>,
    /// Reads pictures, if they are stored here.
    pub(crate) pictures: Option<Arc<dyn PictureLibrary>>,
}

/// Settings of the HTTP server.
pub(crate) struct HttpSettings {
    /// The URL that browsers use, without a trailing slash.
    pub(crate) public_url: String,
    /// The other origins whose pages may call the shop.
    pub(crate) cors_origins: Vec<String>,
    /// The networks of the proxies that are trusted to name the client's address.
    pub(crate) trusted_proxies: Vec<IpNet>,
    /// Limit on one client's changes.
    pub(crate) rate: RateLimit,
    /// Limit on one client's reads.
    pub(crate) read_rate: RateLimit,
    /// Limit on the e-mails that one unauthenticated client may have sent.
    pub(crate) email_rate: RateLimit,
    /// How long a client may read none of its response.
    pub(crate) write_timeout: Duration,
    /// How long requests may wait for their worker.
    pub(crate) queue_delay: Duration,
    /// How many clients may be connected.
    pub(crate) max_connections: usize,
    pub(crate) demo: bool,
    /// Limits on feeds.
    pub(crate) feeds: FeedRules,
    /// Who runs the shop and how to reach them.
    pub(crate) contact: ShopContact,
}

/// The sender of webhooks, within the networks that the settings allow.
pub(crate) fn webhook_sender(reach: NetworkPolicy) -> Result<Arc<dyn WebhookSender>, StartupError> {
    match HttpWebhookSender::new(reach) {
        Ok(caller) => Ok(Arc::new(caller)),
        Err(error) => Err(StartupError::internal(error_chain(&error))),
    }
}

/// The mail server as a port. Links in e-mails begin with the public URL.
pub(crate) fn mail_server(mail: Mail, public_url: &str) -> Result<Arc<dyn EmailSender>, StartupError> {
    match SmtpSender::new(mail.server, Composer::new(mail.from, public_url)) {
        Ok(email_sender) => Ok(Arc::new(email_sender)),
        Err(error) => Err(StartupError::refused(format!("SMTP_URL: {}", error_chain(&error)))),
    }
}

/// The system's clock, as a port.
pub(crate) fn clock() -> Arc<dyn Clock> {
    Arc::new(SystemClock)
}

/// What has threads of its own: the hashing of passwords, and the drawing of documents.
fn threads() -> Result<(Argon2Hasher, DocumentDrawer), StartupError> {
    let hasher = Argon2Hasher::new(HashingLimits::of_this_machine())
        .map_err(|error| StartupError::internal(format!("cannot start the threads that hash passwords: {error}")))?;
    let drawer = DocumentDrawer::start().map_err(|error| StartupError::internal(error_chain(&error)))?;
    Ok((hasher, drawer))
}

/// The ports that the services are built from: the database's repositories, and the adapters.
#[expect(clippy::too_many_lines, reason = "a line for each port")]
pub(crate) fn ports(database: &Database, adapters: &Adapters, http: &HttpSettings) -> Result<Ports, StartupError> {
    let (hasher, drawer) = threads()?;
    let database = Arc::new(database.clone());
    let (search, search_engine) = search(adapters.search.as_ref(), &database)?;
    Ok(Ports {
        account_tokens: Arc::new(RandomSecrets),
        account_token_store: database.clone(),
        accounts: database.clone(),
        audit_trail: database.clone(),
        carts: database.clone(),
        lists: database.clone(),
        ordered_parts: database.clone(),
        address_book: database.clone(),
        catalog_log: database.clone(),
        clock: adapters.clock.clone(),
        device_cookies: Arc::new(DeviceSigner::new(&adapters.token_keys)),
        document_renderer: Arc::new(drawer),
        documents: database.clone(),
        webhook_sender: adapters.webhook_sender.clone(),
        webhook_secrets: Arc::new(WebhookSecretSealer::new(&adapters.token_keys)),
        webhook_subscriptions: database.clone(),
        garage: database.clone(),
        checkouts: database.clone(),
        prices: database.clone(),
        exemptions: database.clone(),
        feeds: database.clone(),
        feed_rules: http.feeds,
        feed_work: database.clone(),
        vehicle_names: Arc::new(EmbeddedVehicles),
        google: adapters.google.clone(),
        login_attempts: database.clone(),
        reservations: adapters.reservations,
        ids: Arc::new(TimeOrderedIds),
        images: adapters.images.clone(),
        payment_attempts: database.clone(),
        email_sender: adapters.email_sender.clone(),
        newsletter: database.clone(),
        notes: database.clone(),
        returns: database.clone(),
        sales: database.clone(),
        orders: database.clone(),
        outbox: database.clone(),
        ownership: database.clone(),
        passwords: Arc::new(hasher),
        payment_events: database.clone(),
        payment_provider: adapters.payments.provider.clone(),
        fitments: database.clone(),
        part_pages: database.clone(),
        parts: database.clone(),
        products: database.clone(),
        profiles: database.clone(),
        refunds: database.clone(),
        reviews: database.clone(),
        review_pause: (!http.demo).then_some(REVIEW_PAUSE),
        search,
        search_engine,
        search_holder: TimeOrderedIds.fresh(),
        session_secrets: Arc::new(RandomSecrets),
        shared_clock: database.clone(),
        sessions: Arc::new(CachedSessions::new((*database).clone())),
        shipments: database.clone(),
        shipping_methods: database.clone(),
        tax_rates: database.clone(),
        tokens: Arc::new(JwtIssuer::new(&adapters.token_keys, &adapters.token_issuer, AUDIENCE)),
        vat_check: Arc::new(OfflineVatCheck),
        vins: Arc::new(VinSealer::new(&adapters.token_keys)),
        admin_second_factor: adapters.admin_second_factor,
        one_time_codes: Arc::new(TimeBasedCodes::new(&adapters.token_keys)),
        passkeys: passkeys(&adapters.passkey_url),
        second_factors: database,
        roles_need_proof: adapters.roles_need_proof,
    })
}

/// The ceremonies of passkeys, if browsers make any for this address.
fn passkeys(public_url: &str) -> Option<Arc<dyn Passkeys>> {
    match WebauthnPasskeys::new(public_url) {
        Ok(passkeys) => Some(Arc::new(passkeys)),
        Err(reason) => {
            tracing::info!(%reason, "no passkeys: second factors are authenticator apps alone");
            None
        }
    }
}

type Search = (Arc<dyn CatalogSearch>, Option<Arc<dyn SearchEngine>>);

/// Where products are searched: in the engine, and in the database while that fails; or in the database alone.
fn search(address: Option<&EngineAddress>, database: &Arc<Database>) -> Result<Search, StartupError> {
    let Some(address) = address else { return Ok((database.clone(), None)) };
    let engine = OpenSearch::new(address, database.clone())
        .map_err(|error| StartupError::refused(format!("SEARCH_URL: {}", error_chain(&error))))?;
    tracing::info!(engine = %address, "products are searched with a search engine");
    let engine = Arc::new(engine);
    Ok((Arc::new(FallingBack::new(engine.clone(), database.clone())), Some(engine)))
}

/// What a command needs to keep a search engine in step.
pub(crate) fn search_index(database: &Database, address: &EngineAddress) -> Result<SearchIndex, StartupError> {
    let database = Arc::new(database.clone());
    let (_, engine) = search(Some(address), &database)?;
    Ok(SearchIndex::new(database, engine, clock(), TimeOrderedIds.fresh()))
}

/// Builds the application.
pub(crate) fn app_state(
    database: &Database,
    ports: &Ports,
    adapters: Adapters,
    http: HttpSettings,
    metrics: &Metrics,
    lifecycle: Arc<Lifecycle>,
) -> AppState {
    let seal = Arc::new(ResponseSealer::new(&adapters.token_keys));
    let shop = App::new(ports);
    AppState {
        catalog_snapshot: Arc::new(CatalogSnapshot::new(Arc::clone(&shop.catalog), database.catalog_changes())),
        shop,
        idempotency: Idempotency::new(Arc::new(database.clone()), seal, Arc::clone(&ports.ids)),
        audit_scope: Arc::new(database.clone()),
        rate_limits: Arc::new(database.clone()),
        clock: Arc::clone(&ports.clock),
        ids: Arc::clone(&ports.ids),
        traces: Arc::new(RandomTraces),
        settings: Settings {
            public_url: http.public_url,
            cors_origins: http.cors_origins,
            trusted_proxies: http.trusted_proxies,
            rate: http.rate,
            read_rate: http.read_rate,
            strangers_rows_rate: if http.demo { http.rate } else { STRANGERS_ROWS_RATE },
            email_rate: http.email_rate,
            write_timeout: http.write_timeout,
            queue_delay: http.queue_delay,
            max_connections: http.max_connections,
            demo: http.demo,
            contact: http.contact,
            reservations: adapters.reservations,
            workers: available_parallelism().map_or(1, usize::from),
        },
        lifecycle,
        browser_payments: adapters.payments.browser,
        provider_events: adapters.payments.events,
        test_card_endpoint: adapters.payments.test_cards,
        sandbox_accounts: adapters.sandbox_accounts,
        pictures: adapters.pictures,
        metrics: metrics.renderer(database),
    }
}
