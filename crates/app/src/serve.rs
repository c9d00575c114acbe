//! `driveline serve`: the shop in production. It has no sandbox: what is not configured is refused or absent.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;

use identity::{AttemptSeal, GoogleProvider, GoogleSettings};
use images::{ImgbbImages, LocalImages};
use payments::StripeGatewayError;
use persistence::Database;
use ports::{Clock, GoogleSignIn, ImageHost, PictureLibrary, error_chain};

use crate::config::{Durability, Google, Images, Serve};
use crate::descriptors;
use crate::lifecycle;
use crate::opening;
use crate::readiness::Lifecycle;
use crate::signals::Signals;
use crate::startup_error::StartupError;
use crate::telemetry::{self, LogFormat, Metrics};
use crate::wiring::{self, Adapters, HttpSettings};

/// Where the provider redirects browsers to, below the shop's address.
const GOOGLE_CALLBACK: &str = "/auth/google/callback";

/// Runs the shop until it is stopped.
pub(crate) async fn run(settings: Serve) -> Result<(), StartupError> {
    let mut signals =
        Signals::listen().map_err(|error| StartupError::internal(format!("cannot listen for signals: {error}")))?;
    let listener = lifecycle::listen(settings.listen)?;
    let metrics_listener = listen_for_metrics(settings.metrics)?;
    let metrics = Metrics::collect()?;
    let drain = settings.drain;
    let requires_durability =
        settings.public_url.starts_with("https://") && settings.database.durability == Durability::Checked;
    // Before the first connection is opened, whose statements would not be seen for as long as it lives.
    let traces = telemetry::log_and_trace(LogFormat::Machine, settings.log.clone(), settings.traces.as_ref())?;
    let database =
        Database::open(settings.database.connection()).map_err(|error| StartupError::internal(error_chain(&error)))?;
    if let Some(warning) = settings.database.warning() {
        tracing::warn!("{warning}");
    }
    let (http, adapters) = outside(settings)?;
    let lifecycle = Lifecycle::starting();
    let ports = wiring::ports(&database, &adapters, &http)?;
    let app = wiring::app_state(&database, &ports, adapters, http, &metrics, lifecycle.clone());
    let metrics_server = lifecycle::MetricsServer::open(metrics_listener, Arc::clone(&app.metrics))?;
    tracing::info!(metrics = %metrics_server.address, "metrics are served");
    let address = listener.local_addr().map(|address| address.to_string()).unwrap_or_default();
    let public_url = app.settings.public_url.clone();
    tracing::info!(on = address, "listening");
    // It listens before it has a database, so that clients are asked to retry.
    let listening = lifecycle::serve(app, listener, lifecycle)?;
    tokio::select! {
        opened = opening::open(&database, requires_durability) => opened?,
        _ = signals.next() => {
            listening.close_at_once().await;
            return Ok(());
        }
    }
    let open = listening.open(&database, &metrics);
    tracing::info!(address, public_url, version = env!("CARGO_PKG_VERSION"), "the shop is open");
    let ended = open.until_asked_to_stop(&mut signals, drain).await;
    if let Some(traces) = traces {
        traces.finish().await;
    }
    metrics_server.close().await;
    ended
}

/// Where the metrics are unless configured: by convention, a port of Prometheus exporters of this kind.
const METRICS: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 9464);

/// Binds the port for the metrics. If the usual one is taken and none is configured, any free port is used, so that a
/// second instance runs on the same machine without configuration; the log says which.
fn listen_for_metrics(wanted: Option<SocketAddr>) -> Result<TcpListener, StartupError> {
    match wanted {
        Some(address) => lifecycle::listen(address),
        None => lifecycle::listen(METRICS).or_else(|_| lifecycle::listen(SocketAddr::new(METRICS.ip(), 0))),
    }
}

fn outside(settings: Serve) -> Result<(HttpSettings, Adapters), StartupError> {
    let clock = wiring::clock();
    let payments = settings.stripe.gateway().map_err(|error| {
        let setting = match &error {
            StripeGatewayError::Api(_) => "STRIPE_API_BASE or STRIPE_SECRET_KEY",
            StripeGatewayError::WebhookSecret(_) => "STRIPE_WEBHOOK_SECRET",
        };
        StartupError::refused(format!("{setting}: {}", error_chain(&error)))
    })?;
    let attempts = AttemptSeal::new(&settings.token_keys, Arc::clone(&clock));
    let google = settings.google.map(|google| sign_in(google, &settings.public_url, attempts, &clock)).transpose()?;
    let (images, pictures) = picture_host(settings.images)?;
    let email_sender = settings.mail.map(|mail| wiring::mail_server(mail, &settings.public_url)).transpose()?;
    if email_sender.is_none() {
        tracing::warn!("SMTP_URL is not set: no e-mails leave the shop, and they wait until it is");
    }
    let adapters = Adapters {
        clock,
        token_keys: settings.token_keys,
        token_issuer: settings.public_url.clone(),
        payments,
        webhook_sender: wiring::webhook_sender(settings.webhook_network)?,
        google,
        reservations: settings.reservations,
        sandbox_accounts: None,
        admin_second_factor: settings.admin_second_factor,
        passkey_url: settings.public_url.clone(),
        roles_need_proof: true,
        search: settings.search,
        images,
        email_sender,
        pictures,
    };
    let http = HttpSettings {
        public_url: settings.public_url,
        cors_origins: settings.cors_origins,
        trusted_proxies: settings.trusted_proxies,
        rate: settings.rate,
        read_rate: settings.read_rate,
        email_rate: settings.email_rate,
        write_timeout: settings.write_timeout,
        queue_delay: settings.queue_delay,
        max_connections: descriptors::room_for_clients(settings.database.pool),
        demo: false,
        feeds: settings.feeds,
        contact: settings.contact,
    };
    Ok((http, adapters))
}

fn sign_in(
    google: Google,
    public_url: &str,
    attempts: AttemptSeal,
    clock: &Arc<dyn Clock>,
) -> Result<Arc<dyn GoogleSignIn>, StartupError> {
    let settings = GoogleSettings {
        issuer: google.issuer,
        client_id: google.client_id,
        client_secret: google.client_secret,
        redirect_url: format!("{public_url}{GOOGLE_CALLBACK}"),
    };
    match GoogleProvider::new(settings, attempts, Arc::clone(clock)) {
        Ok(provider) => Ok(Arc::new(provider)),
        Err(error) => Err(StartupError::refused(format!("the GOOGLE_ settings cannot work: {}", error_chain(&error)))),
    }
}

type PictureHost = (Arc<dyn ImageHost>, Option<Arc<dyn PictureLibrary>>);

fn picture_host(images: Images) -> Result<PictureHost, StartupError> {
    match images {
        Images::Host { base, key } => {
            let host = ImgbbImages::new(&base, key)
                .map_err(|error| StartupError::refused(format!("IMGBB_API_BASE: {}", error_chain(&error))))?;
            Ok((Arc::new(host), None))
        }
        Images::Folder(folder) => {
            let host = LocalImages::in_folder(&folder)
                .map_err(|error| StartupError::refused(format!("DATA_DIR: {}", error_chain(&error))))?;
            let host = Arc::new(host);
            Ok((host.clone(), Some(host)))
        }
    }
}

#[cfg(test)]
mod tests;
