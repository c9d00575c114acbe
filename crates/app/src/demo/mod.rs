//! `driveline demo`: the whole shop to try out, with a Postgres, payments, accounts and a catalogue of its own.
//!
//! The order of the start is a promise: a taken port is reported before anything is touched, and an unusable folder
//! before anything listens (the demo binds loopback only, so nothing outside can reach it).

mod catalogue;
mod facts;
mod fit_rule;
mod fits;
mod history;
mod popular;
mod range;
mod secret;
mod seed;
mod welcome;

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use email::{Composer, FolderSender};
use http_adapter::ShopContact;
use identity::{AttemptSeal, GoogleSandbox};
use images::LocalImages;
use payments::SandboxPayments;
use persistence::Database;
use ports::{EmailSender, ReservationRules, error_chain};
use tokio::sync::oneshot;

use crate::config;
use crate::database;
use crate::descriptors;
use crate::lifecycle;
use crate::private_postgres::{Durability, PrivatePostgres, Settings, StartError};
use crate::readiness::Lifecycle;
use crate::signals::Signals;
use crate::startup_error::StartupError;
use crate::telemetry::{self, LogFormat, Metrics};
use crate::wiring::{self, Adapters, HttpSettings};

/// The database within the private Postgres.
pub(crate) const DATABASE: &str = "driveline";
/// The number of connections of the shop's pool.
const POOL: u32 = 16;
/// How long the private Postgres, which has just reported that it is ready, may take for the first connection.
const FIRST_CONNECTION_TIMEOUT: Duration = Duration::from_secs(10);
/// The issuer of the demo's tokens. It is not the address, so that a token outlives a restart on another port.
const ISSUER: &str = "driveline-demo";

/// The sender of the demo's e-mails. No one can own this address (RFC 2606).
const SENDER: &str = "Driveline <shop@driveline.example>";

/// The arguments of `driveline demo`.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The port on 127.0.0.1; 0 for any free one
    #[arg(long, default_value_t = 8080)]
    port: u16,
    /// Where everything is kept; made if it is missing
    #[arg(long, value_name = "DIR", default_value = ".data")]
    data_dir: PathBuf,
    /// Open without the ninety days of orders that a new demo begins with
    #[arg(long)]
    no_history: bool,
}

/// Runs the demo until it is stopped.
pub(crate) async fn run(arguments: Arguments, settings: config::Demo) -> Result<(), StartupError> {
    let metrics = Metrics::collect()?;
    let traces = telemetry::log_and_trace(LogFormat::Person, settings.log.clone(), settings.traces.as_ref())?;
    let mut signals =
        Signals::listen().map_err(|error| StartupError::internal(format!("cannot listen for signals: {error}")))?;
    let listener = lifecycle::listen(SocketAddr::from((Ipv4Addr::LOCALHOST, arguments.port)))?;
    let mut starting = start(Settings {
        data_dir: arguments.data_dir.clone(),
        search: settings.programs.search.clone(),
        path_variable: settings.programs.path_variable.clone(),
        durability: Durability::Durable,
    })?;
    let started = tokio::select! {
        started = &mut starting => started,
        _ = signals.next() => {
            // Creating a cluster cannot be interrupted. After a second signal, it is left to end with this process.
            tokio::select! {
                started = &mut starting => { drop(started); }
                _ = signals.next() => {}
            }
            return Ok(());
        }
    };
    let postgres = started
        .map_err(|_| StartupError::internal("the thread that starts Postgres has died"))?
        .map_err(|refused| StartupError::refused(refused.to_string()))?;
    let kept = keep(&arguments, settings, &postgres.url(DATABASE), listener, &metrics, &mut signals).await;
    if let Some(traces) = traces {
        traces.finish().await;
    }
    stop(postgres).await;
    kept
}

/// Opens the shop, and serves until it is stopped.
async fn keep(
    arguments: &Arguments,
    settings: config::Demo,
    database_url: &str,
    listener: TcpListener,
    metrics: &Metrics,
    signals: &mut Signals,
) -> Result<(), StartupError> {
    let address = listener
        .local_addr()
        .map_err(|error| StartupError::internal(format!("cannot read the bound port: {error}")))?;
    let mailed = settings.mail.is_some();
    let lifecycle = Lifecycle::starting();
    let preparing = prepare(arguments, settings, database_url, address, metrics, lifecycle.clone());
    let (database, app) = tokio::select! {
        prepared = preparing => prepared?,
        _ = signals.next() => return Ok(()),
    };
    let open = lifecycle::serve(app, listener, lifecycle)?.open(&database, metrics);
    // A shop is open even if its output cannot be written.
    let _ = welcome::say(address, &arguments.data_dir, mailed);
    // No load balancer in front of a demo has to notice.
    open.until_asked_to_stop(signals, Duration::ZERO).await
}

async fn prepare(
    arguments: &Arguments,
    settings: config::Demo,
    database_url: &str,
    address: SocketAddr,
    metrics: &Metrics,
    lifecycle: Arc<Lifecycle>,
) -> Result<(Database, http_adapter::AppState), StartupError> {
    let database = Database::connect(database_url, POOL, FIRST_CONNECTION_TIMEOUT).await.map_err(|error| {
        StartupError::internal(format!("the private Postgres does not answer: {}", error_chain(&error)))
    })?;
    database::bring_up_to_date(&database).await?;
    let http = HttpSettings {
        public_url: format!("http://{address}"),
        cors_origins: Vec::new(),
        trusted_proxies: Vec::new(),
        rate: settings.rate,
        read_rate: settings.read_rate,
        email_rate: settings.email_rate,
        write_timeout: settings.write_timeout,
        queue_delay: settings.queue_delay,
        max_connections: descriptors::room_for_clients(POOL),
        demo: true,
        feeds: settings.feeds,
        contact: contact(),
    };
    let adapters = adapters(&arguments.data_dir, settings, &http.public_url)?;
    let ports = wiring::ports(&database, &adapters, &http)?;
    let seeded = seed::seed(&ports).await?;
    fits::seed(&ports, &seeded).await?;
    if let (false, Some(test_cards)) = (arguments.no_history, adapters.payments.test_cards.clone()) {
        Box::pin(history::add(&ports, test_cards, seeded)).await?;
    }
    let app = wiring::app_state(&database, &ports, adapters, http, metrics, lifecycle);
    Ok((database, app))
}

/// Sandboxes for everything that would cost money or need an account elsewhere.
fn adapters(data_dir: &Path, settings: config::Demo, public_url: &str) -> Result<Adapters, StartupError> {
    let clock = wiring::clock();
    let token_keys = match settings.token_keys {
        Some(keys) => keys,
        None => secret::kept_in(data_dir)?,
    };
    let journal = data_dir.join("sandbox-payments.journal");
    let payments = SandboxPayments::kept_in(&journal, Arc::clone(&clock));
    let payments = payments.map_err(|error| StartupError::refused(error_chain(&error)))?.gateway();
    let google = GoogleSandbox::new(AttemptSeal::new(&token_keys, Arc::clone(&clock)), Arc::clone(&clock));
    let google = Arc::new(google);
    let images = LocalImages::in_folder(&data_dir.join("images"));
    let images = Arc::new(images.map_err(|error| StartupError::refused(error_chain(&error)))?);
    let email_sender = match settings.mail {
        Some(mail) => wiring::mail_server(mail, public_url)?,
        None => mail_folder(data_dir, public_url)?,
    };
    Ok(Adapters {
        clock,
        token_keys,
        token_issuer: ISSUER.to_owned(),
        payments,
        webhook_sender: wiring::webhook_sender(settings.webhook_network)?,
        google: Some(google.clone()),
        // Only its own visitor can reserve a demo's stock.
        reservations: ReservationRules::UNLIMITED,
        sandbox_accounts: Some(google),
        admin_second_factor: settings.admin_second_factor,
        // Browsers make no passkeys for a number. The same page under the machine's name is another site to them, whose visitor
        // signs in there.
        passkey_url: public_url.replace("127.0.0.1", "localhost"),
        // A visitor of a demo may make any account an admin.
        roles_need_proof: false,
        search: settings.search,
        images: images.clone(),
        email_sender: Some(email_sender),
        pictures: Some(images),
    })
}

/// Facts that nobody can take for real: a reserved domain (RFC 2606), a number set aside for fiction, and no such street.
fn contact() -> ShopContact {
    let said = |text: &str| Some(text.to_owned());
    ShopContact {
        name: said("Driveline"),
        company: said("Driveline Demo Shop"),
        email: said("support@example.com"),
        phone: said("+1 555 0100"),
        address: said("1 Example Street, Sampletown, XX 00000"),
        support_hours: said("24 hours a day, 7 days a week"),
    }
}

/// Where e-mails go without a mail server: next to the data, where the user can open them.
fn mail_folder(data_dir: &Path, public_url: &str) -> Result<Arc<dyn EmailSender>, StartupError> {
    let from = SENDER.parse().map_err(|error| StartupError::internal(format!("{SENDER} is not {error}")))?;
    let folder = data_dir.join("mail");
    let email_sender = FolderSender::in_folder(&folder, Composer::new(from, public_url))
        .map_err(|error| StartupError::refused(format!("cannot store e-mails in {}: {error}", folder.display())))?;
    Ok(Arc::new(email_sender))
}

/// Starts the private Postgres on a thread of its own: it blocks, for a second or so.
fn start(settings: Settings) -> Result<oneshot::Receiver<Result<PrivatePostgres, StartError>>, StartupError> {
    let (sender, receiver) = oneshot::channel();
    on_a_thread("postgres-start", move || {
        // There is no receiver if we are already stopping; dropping the value stops Postgres.
        let _ = sender.send(PrivatePostgres::start(&settings));
    })?;
    Ok(receiver)
}

async fn stop(postgres: PrivatePostgres) {
    let (sender, receiver) = oneshot::channel();
    let stopping = on_a_thread("postgres-stop", move || {
        let _ = sender.send(postgres.stop());
    });
    // Without a thread the closure is dropped, and Postgres with it, which stops it as well.
    if stopping.is_ok()
        && let Ok(Err(error)) = receiver.await
    {
        tracing::warn!("{error}");
    }
}

fn on_a_thread(name: &str, work: impl FnOnce() + Send + 'static) -> Result<(), StartupError> {
    let thread = std::thread::Builder::new().name(name.to_owned()).spawn(work);
    thread.map(drop).map_err(|error| StartupError::internal(format!("cannot start a thread: {error}")))
}
