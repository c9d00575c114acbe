//! The program's settings: the only reader of the environment.
//!
//! All missing or invalid settings are reported together, one line each, and never with the value of a secret in it.
//! What is valid has a type that the rest of the program need not check again.

mod database;
mod email;
mod google;
mod images;
mod limits;
mod network;
mod reader;
mod search;
mod shop;
mod stripe;
mod tokens;
mod traces;

use std::env;
use std::ffi::OsString;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use domain::SecondFactorPolicy;
use http_adapter::ShopContact;
use identity::TokenKeys;
use ipnet::IpNet;
use opensearch::EngineAddress;
use payments::StripeSettings;
use ports::{FeedRules, RateLimit, ReservationRules};
use tracing_subscriber::EnvFilter;
use webhooks::NetworkPolicy;

pub(crate) use self::database::{Database, Durability};
pub(crate) use self::email::Mail;
pub(crate) use self::google::Google;
pub(crate) use self::images::Images;
use self::network::network;
use self::reader::EnvReader;
pub(crate) use self::reader::Environment;
use self::tokens::Need;
pub(crate) use self::traces::{Sampling, TraceSettings};
use crate::telemetry;

/// Limit on one network address's changes in `serve`: more than any user needs, or an office of them behind one router.
const SERVE_RATE: RateLimit = RateLimit::per_second(200, 2_000);
/// Limit on one network address's reads in `serve`.
const SERVE_READ_RATE: RateLimit = RateLimit::per_second(500, 5_000);
/// Limit on the e-mails that one network address may have `serve` send without signing in: enough for an office that
/// signs up all at once, too few to fill the queue.
const SERVE_EMAIL_RATE: RateLimit = RateLimit { per_minute: 10, burst: 30 };
/// Limit on one network address in `demo`. All its visitors share one address, and it cannot be reached from outside.
const DEMO_RATE: RateLimit = RateLimit::per_second(100_000, 200_000);

/// The environment of this process.
#[expect(clippy::disallowed_methods, reason = "this is the one place that reads it")]
pub(crate) fn of_this_process() -> impl Fn(&str) -> Option<OsString> {
    |name: &str| env::var_os(name)
}

/// The settings of `driveline serve`.
#[derive(Debug)]
pub(crate) struct Serve {
    /// The shop's database.
    pub(crate) database: Database,
    /// The address to listen on.
    pub(crate) listen: SocketAddr,
    /// The address to serve metrics on; `None` for the usual one.
    pub(crate) metrics: Option<SocketAddr>,
    /// The URL that browsers use: scheme and host, without a trailing slash.
    pub(crate) public_url: String,
    /// The keys that tokens are signed with.
    pub(crate) token_keys: TokenKeys,
    /// Whether admins need a second factor.
    pub(crate) admin_second_factor: SecondFactorPolicy,
    pub(crate) stripe: StripeSettings,
    /// Sign-in with Google, if it is on.
    pub(crate) google: Option<Google>,
    /// Where pictures are stored.
    pub(crate) images: Images,
    /// The mail server for the shop's e-mails; `None` leaves them waiting in the outbox.
    pub(crate) mail: Option<Mail>,
    /// The search engine; `None` to search in the database.
    pub(crate) search: Option<EngineAddress>,
    /// Which networks outgoing webhooks may reach.
    pub(crate) webhook_network: NetworkPolicy,
    /// The other origins whose pages may call the shop.
    pub(crate) cors_origins: Vec<String>,
    /// The networks of the proxies that are trusted to name the client's address.
    pub(crate) trusted_proxies: Vec<IpNet>,
    /// Limit on one network address's changes.
    pub(crate) rate: RateLimit,
    /// Limit on one network address's reads.
    pub(crate) read_rate: RateLimit,
    /// Limit on the e-mails that one network address may have sent without signing in.
    pub(crate) email_rate: RateLimit,
    /// How long a client may read none of its response.
    pub(crate) write_timeout: Duration,
    /// How long requests may wait for their worker before some are refused.
    pub(crate) queue_delay: Duration,
    /// How long orders may stay unpaid, and how many.
    pub(crate) reservations: ReservationRules,
    /// Limits on feeds.
    pub(crate) feeds: FeedRules,
    /// Who runs the shop and how to reach them.
    pub(crate) contact: ShopContact,
    /// How long the shop goes on serving after SIGTERM.
    pub(crate) drain: Duration,
    /// Where traces go; `None` if none are exported.
    pub(crate) traces: Option<TraceSettings>,
    /// The log filter.
    pub(crate) log: EnvFilter,
}

/// The settings that `driveline demo` takes from the environment.
#[derive(Debug)]
pub(crate) struct Demo {
    /// The keys that tokens are signed with; `None` for a secret in the data folder.
    pub(crate) token_keys: Option<TokenKeys>,
    /// Whether admins need a second factor.
    pub(crate) admin_second_factor: SecondFactorPolicy,
    /// The mail server for the shop's e-mails; `None` for a folder.
    pub(crate) mail: Option<Mail>,
    /// The search engine; `None` to search in the database.
    pub(crate) search: Option<EngineAddress>,
    /// Which networks outgoing webhooks may reach.
    pub(crate) webhook_network: NetworkPolicy,
    /// Limit on one network address's changes.
    pub(crate) rate: RateLimit,
    /// Limit on one network address's reads.
    pub(crate) read_rate: RateLimit,
    /// Limit on the e-mails that one network address may have sent without signing in.
    pub(crate) email_rate: RateLimit,
    /// How long a client may read none of its response.
    pub(crate) write_timeout: Duration,
    /// How long requests may wait for their worker before some are refused.
    pub(crate) queue_delay: Duration,
    /// Limits on feeds.
    pub(crate) feeds: FeedRules,
    /// Where the Postgres programs are.
    pub(crate) programs: Programs,
    /// Where traces go; `None` if none are exported.
    pub(crate) traces: Option<TraceSettings>,
    /// The log filter.
    pub(crate) log: EnvFilter,
}

/// The settings that commands on a shop's database take from the environment.
#[derive(Debug)]
pub(crate) struct Console {
    pub(crate) database: Database,
    /// Limits on feeds.
    pub(crate) feeds: FeedRules,
    /// The search engine.
    pub(crate) search: Option<EngineAddress>,
    /// The log filter.
    pub(crate) log: EnvFilter,
}

/// Where to look for the Postgres programs.
#[derive(Debug, Clone)]
pub(crate) struct Programs {
    /// `POSTGRES_BIN`: searched before all other places.
    pub(crate) search: Vec<PathBuf>,
    /// `PATH`.
    pub(crate) path_variable: Option<OsString>,
}

/// The settings of `driveline serve`, or a line for each that is missing or invalid.
pub(crate) fn serve(environment: &Environment) -> Result<Serve, Vec<String>> {
    let mut reading = EnvReader::of(environment);
    let database = reading.database();
    let host = reading.parsed("HOST", "an IP address to listen on", |typed| match typed {
        "localhost" => Some(IpAddr::V4(Ipv4Addr::LOCALHOST)),
        address => address.trim_start_matches('[').trim_end_matches(']').parse().ok(),
    });
    let port = reading.parsed("PORT", "a port from 0 to 65535", |typed| typed.parse().ok());
    let metrics = reading.parsed("METRICS_ADDR", "an IP address and a port, such as 127.0.0.1:9464", |typed| {
        typed.parse::<SocketAddr>().ok()
    });
    let public_url = reading.public_url();
    let token_keys = reading.token_keys(Need::Required);
    let admin_second_factor = reading.admin_second_factor(SecondFactorPolicy::Required);
    let stripe = reading.stripe(public_url.as_deref());
    let google = reading.google();
    let images = reading.images();
    let mail = reading.mail();
    let search = reading.search();
    let webhook_network = reading.webhook_network();
    let cors_origins = reading.cors_origins();
    let trusted_proxies =
        reading.list("TRUSTED_PROXIES", "IP addresses or networks (10.0.0.0/8) separated by commas", network);
    let rate = reading.rate("RATE_LIMIT", SERVE_RATE);
    let read_rate = reading.rate("READ_LIMIT", SERVE_READ_RATE);
    let email_rate = reading.rate_per_minute("EMAIL_LIMIT", SERVE_EMAIL_RATE);
    let (write_timeout, queue_delay) = (reading.write_timeout(), reading.queue_delay());
    let (reservations, feeds, contact) = (reading.reservations(), reading.feeds(), reading.contact());
    let (drain, traces, log) = (reading.drain(), reading.traces(), reading.log());
    match (database, public_url, token_keys, stripe) {
        (Some(database), Some(public_url), Some(token_keys), Some(stripe)) if reading.complaints.is_empty() => {
            Ok(Serve {
                database,
                listen: SocketAddr::new(host.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST)), port.unwrap_or(8080)),
                metrics,
                public_url,
                token_keys,
                admin_second_factor,
                stripe,
                google,
                images,
                mail,
                search,
                webhook_network,
                cors_origins,
                trusted_proxies,
                rate,
                read_rate,
                email_rate,
                write_timeout,
                queue_delay,
                reservations,
                feeds,
                contact,
                drain,
                traces,
                log,
            })
        }
        _ => Err(reading.complaints),
    }
}

/// The settings of `driveline demo`, or a line for each that is invalid; none is required.
pub(crate) fn demo(environment: &Environment) -> Result<Demo, Vec<String>> {
    let mut reading = EnvReader::of(environment);
    let demo = Demo {
        token_keys: reading.token_keys(Need::Optional),
        admin_second_factor: reading.admin_second_factor(SecondFactorPolicy::Optional),
        mail: reading.mail(),
        search: reading.search(),
        webhook_network: reading.webhook_network(),
        rate: reading.rate("RATE_LIMIT", DEMO_RATE),
        read_rate: reading.rate("READ_LIMIT", DEMO_RATE),
        email_rate: reading.rate_per_minute("EMAIL_LIMIT", DEMO_RATE),
        write_timeout: reading.write_timeout(),
        queue_delay: reading.queue_delay(),
        feeds: reading.feeds(),
        programs: programs(environment),
        traces: reading.traces(),
        log: reading.log(),
    };
    if reading.complaints.is_empty() { Ok(demo) } else { Err(reading.complaints) }
}

/// The settings of commands on a shop's database, or a line for each that is missing or invalid.
pub(crate) fn console(environment: &Environment) -> Result<Console, Vec<String>> {
    let mut reading = EnvReader::of(environment);
    let database = reading.database();
    let (search, feeds) = (reading.search(), reading.feeds());
    let log = reading.log();
    match database {
        Some(database) if reading.complaints.is_empty() => Ok(Console { database, feeds, search, log }),
        _ => Err(reading.complaints),
    }
}

/// The same for a demo that runs, whose database has this URL.
pub(crate) fn console_of_demo(environment: &Environment, url: String) -> Result<Console, Vec<String>> {
    let mut reading = EnvReader::of(environment);
    let (search, feeds, log) = (reading.search(), reading.feeds(), reading.log());
    let database = Database::at(url);
    if reading.complaints.is_empty() { Ok(Console { database, feeds, search, log }) } else { Err(reading.complaints) }
}

/// Where to look for the Postgres programs.
pub(crate) fn programs(environment: &Environment) -> Programs {
    let search = environment("POSTGRES_BIN").filter(|folder| !folder.is_empty());
    Programs { search: search.map(PathBuf::from).into_iter().collect(), path_variable: environment("PATH") }
}

/// `TMPDIR`: where temporary folders are made, if somebody has chosen.
pub(crate) fn temporary_folders(environment: &Environment) -> Option<PathBuf> {
    environment("TMPDIR").filter(|folder| !folder.is_empty()).map(PathBuf::from)
}

impl EnvReader<'_> {
    fn log(&mut self) -> EnvFilter {
        let wanted = "a filter such as info,driveline=debug";
        let filter = self.parsed("RUST_LOG", wanted, |typed| EnvFilter::try_new(typed).ok());
        filter.unwrap_or_else(|| EnvFilter::new(telemetry::QUIET))
    }
}

#[cfg(test)]
mod tests;
