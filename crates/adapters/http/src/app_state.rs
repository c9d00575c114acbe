//! What the wire needs to know of the shop behind it.

use std::sync::Arc;
use std::time::Duration;

use application::Shop;
use ipnet::IpNet;
use ports::{CardDesk, Lifecycle, PictureLibrary, ProviderEvents, SandboxPeople};

/// The shop, and what only the wire needs besides.
#[derive(Clone)]
pub struct AppState {
    /// What the shop does.
    pub shop: Shop,
    /// How it is served.
    pub settings: Settings,
    /// How far this copy of the shop has come.
    pub lifecycle: Arc<dyn Lifecycle>,
    /// What the payment provider tells of its own accord.
    pub webhooks: Arc<dyn ProviderEvents>,
    /// Where the sandbox takes cards; `None` with a real provider.
    pub card_desk: Option<Arc<dyn CardDesk>>,
    /// Whom the sandbox offers to be; `None` with the real Google or none.
    pub sandbox_people: Option<Arc<dyn SandboxPeople>>,
    /// The pictures that this shop serves itself; `None` if a host elsewhere does.
    pub pictures: Option<Arc<dyn PictureLibrary>>,
    /// Renders the metrics as Prometheus text.
    pub metrics: MetricsText,
}

/// Renders the metrics as Prometheus text.
pub type MetricsText = Arc<dyn Fn() -> String + Send + Sync>;

/// How the shop is served.
#[derive(Debug, Clone)]
pub struct Settings {
    /// What browsers call it, without a slash at the end. `https` makes cookies `Secure` and sends HSTS.
    pub public_url: String,
    /// The other origins that may call it, exactly.
    pub cors_origins: Vec<String>,
    /// The proxies whose `X-Forwarded-For` is believed, by their networks.
    pub trusted_proxies: Vec<IpNet>,
    /// How many changes one client may ask for.
    pub rate: RateLimit,
    /// How often one client may look.
    pub read_rate: RateLimit,
    /// Whether this is a demo, which has sandboxes, and figures for everybody to see.
    pub demo: bool,
    /// `sandbox` or `stripe`.
    pub payment_provider: &'static str,
    /// What the browser introduces itself to the provider with.
    pub publishable_key: Option<String>,
    /// How many rows one client that is not signed in may leave for good: addresses for the newsletter, and answers that are
    /// remembered under an idempotency key.
    pub strangers_rows_rate: RateLimit,
    /// How often one client that is not signed in may have an e-mail sent.
    pub email_rate: RateLimit,
    /// How long a client may take nothing of its answer before it is let go of.
    pub write_timeout: Duration,
    /// How many connections all threads together may have.
    pub max_connections: usize,
    /// How many threads serve.
    pub workers: usize,
}

impl Settings {
    pub(crate) fn is_https(&self) -> bool {
        self.public_url.starts_with("https://")
    }
}

/// How often one client may ask.
#[derive(Debug, Clone, Copy)]
pub struct RateLimit {
    /// So many a minute, for as long as it likes.
    pub per_minute: u32,
    /// So many at once.
    pub burst: u32,
}

impl RateLimit {
    /// So many a second, for as long as it likes.
    #[must_use]
    pub const fn per_second(many: u32, burst: u32) -> Self {
        Self { per_minute: many.saturating_mul(60), burst }
    }
}
