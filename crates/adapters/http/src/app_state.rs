//! The state shared by all HTTP handlers.

use std::sync::Arc;
use std::time::Duration;

use application::App;
use ipnet::IpNet;
use ports::{
    AuditScope, BrowserPayments, Clock, Ids, Lifecycle, PictureLibrary, ProviderEvents, RateLimit, ReservationRules,
    SandboxAccounts, SharedRateLimits, TestCardEndpoint, Traces,
};

use crate::catalog::snapshot::CatalogSnapshot;
use crate::middleware::idempotency::run::Idempotency;

/// The shop's use cases, and what only HTTP needs besides.
#[derive(Clone)]
pub struct AppState {
    pub shop: App,
    /// The catalogue in memory.
    pub catalog_snapshot: Arc<CatalogSnapshot>,
    /// The time, for the names of files.
    pub clock: Arc<dyn Clock>,
    /// Names requests in the log.
    pub ids: Arc<dyn Ids>,
    /// Begins the traces of requests.
    pub traces: Arc<dyn Traces>,
    pub settings: Settings,
    /// Whether this instance is starting, ready or draining.
    pub lifecycle: Arc<dyn Lifecycle>,
    /// What browsers need to pay with the payment provider.
    pub browser_payments: BrowserPayments,
    /// Verifies and parses the events that the payment provider sends; `None` if it sends none.
    pub provider_events: Option<Arc<dyn ProviderEvents>>,
    /// Accepts test cards in the sandbox; `None` with a real provider.
    pub test_card_endpoint: Option<Arc<dyn TestCardEndpoint>>,
    /// The accounts that the Google sandbox offers; `None` with the real Google or none.
    pub sandbox_accounts: Option<Arc<dyn SandboxAccounts>>,
    /// The pictures that this shop serves itself; `None` if an external host serves them.
    pub pictures: Option<Arc<dyn PictureLibrary>>,
    /// Runs requests once per idempotency key.
    pub idempotency: Idempotency,
    /// Attributes what is changed to the admin who changes it.
    pub audit_scope: Arc<dyn AuditScope>,
    /// What all copies of the shop count together.
    pub rate_limits: Arc<dyn SharedRateLimits>,
    pub metrics: MetricsText,
}

/// Renders the metrics as Prometheus text.
pub type MetricsText = Arc<dyn Fn() -> String + Send + Sync>;

/// Settings of the HTTP server.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The URL that browsers use, without a trailing slash. `https` makes cookies `Secure` and sends HSTS.
    pub public_url: String,
    /// The other origins that may call the API (CORS), compared exactly.
    pub cors_origins: Vec<String>,
    /// The networks of the proxies whose `X-Forwarded-For` is trusted.
    pub trusted_proxies: Vec<IpNet>,
    /// Limit on one client's changing requests.
    pub rate: RateLimit,
    /// Limit on one client's reading requests.
    pub read_rate: RateLimit,
    /// Whether this is a demo, which has sandboxes and public metrics.
    pub demo: bool,
    /// Who runs the shop and how to reach them.
    pub contact: ShopContact,
    /// How long unpaid orders are kept, for customers to read.
    pub reservations: ReservationRules,
    /// Limit on the rows that one unauthenticated client may leave behind: newsletter addresses and stored idempotent
    /// responses.
    pub strangers_rows_rate: RateLimit,
    /// Limit on the e-mails that one unauthenticated client may have sent.
    pub email_rate: RateLimit,
    /// How long a client may read none of its response before the connection is closed.
    pub write_timeout: Duration,
    /// How long requests may wait for their worker, for a second, before some of them are refused; zero if none ever are.
    pub queue_delay: Duration,
    /// Limit on open connections, over all workers.
    pub max_connections: usize,
    /// The number of worker threads.
    pub workers: usize,
}

impl Settings {
    pub(crate) fn is_https(&self) -> bool {
        self.public_url.starts_with("https://")
    }
}

/// Who runs the shop and how customers reach them, as the client's pages show it. What is not set is not shown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ShopContact {
    /// What the shop calls itself.
    pub name: Option<String>,
    /// The company that sells.
    pub company: Option<String>,
    pub email: Option<String>,
    pub phone: Option<String>,
    /// The postal address, on one line.
    pub address: Option<String>,
    /// When somebody answers.
    pub support_hours: Option<String>,
}
