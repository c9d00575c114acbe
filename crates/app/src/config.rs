//! The program's settings: the only reader of the environment.
//!
//! All missing or invalid settings are reported together, one line each, and never with the value of a secret in it.
//! What is valid has a type that the rest of the program need not check again.

use std::collections::HashSet;
use std::env;
use std::ffi::OsString;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use email::{MailServer, Sender};
use http_adapter::RateLimit;
use identity::TokenKeys;
use ipnet::IpNet;
use payments::StripeSettings;
use ports::ReservationRules;
use secrecy::{ExposeSecret, SecretString};
use tracing_subscriber::EnvFilter;
use url::Url;
use webhooks::NetworkPolicy;

use crate::telemetry;

pub(crate) use self::database::{Database, Durability};

mod database;

/// How many unpaid orders an account that never paid may have in `serve`.
const UNPAID_ORDERS_NEW: u32 = 20;
/// The upper bound of `UNPAID_ORDER_HOLD_HOURS`: a year.
const HOLD_MAX: u64 = 8_784;
/// Limit on one network address's changes in `serve`: more than any user needs, or an office of them behind one router.
const SERVE_RATE: RateLimit = RateLimit::per_second(200, 2_000);
/// Limit on one network address's reads in `serve`.
const SERVE_READ_RATE: RateLimit = RateLimit::per_second(500, 5_000);
/// Limit on the e-mails that one network address may have `serve` send without signing in: enough for an office that
/// signs up all at once, too few to fill the queue.
const SERVE_EMAIL_RATE: RateLimit = RateLimit { per_minute: 10, burst: 30 };
/// Limit on one network address in `demo`. All its visitors share one address, and it cannot be reached from outside.
const DEMO_RATE: RateLimit = RateLimit::per_second(100_000, 200_000);
/// How long a client may read none of its response before the connection is closed: nginx' default.
const WRITE_TIMEOUT: Duration = Duration::from_mins(1);
/// The upper bound of `WRITE_TIMEOUT_SECONDS`.
const WRITE_TIMEOUT_MAX: u64 = 3_600;
/// The least entropy of a token secret in bits, by a crude estimate.
const SECRET_BITS: f64 = 128.0;
/// Google's issuer URL.
const GOOGLE: &str = "https://accounts.google.com";
/// The image host whose API the shop uses.
const IMGBB: &str = "https://api.imgbb.com";
/// Stripe's own address, and the only one that a live key may be sent to.
const STRIPE: &str = "https://api.stripe.com";

/// Looks up a variable of the environment.
pub(crate) type Environment = dyn Fn(&str) -> Option<OsString>;

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
    pub(crate) stripe: StripeSettings,
    /// Sign-in with Google, if it is on.
    pub(crate) google: Option<Google>,
    /// Where pictures are stored.
    pub(crate) images: Images,
    /// The mail server for the shop's e-mails; `None` leaves them waiting in the outbox.
    pub(crate) mail: Option<Mail>,
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
    /// How long orders may stay unpaid, and how many.
    pub(crate) reservations: ReservationRules,
    /// How long the shop goes on serving after SIGTERM.
    pub(crate) drain: Duration,
    /// The log filter.
    pub(crate) log: EnvFilter,
}

/// A client at Google, or at another `OpenID` provider.
#[derive(Debug)]
pub(crate) struct Google {
    pub(crate) client_id: String,
    pub(crate) client_secret: SecretString,
    /// The issuer URL.
    pub(crate) issuer: String,
}

/// Where pictures are stored.
#[derive(Debug)]
pub(crate) enum Images {
    /// On an image host.
    Host {
        /// The address of its API.
        base: String,
        /// The shop's API key.
        key: SecretString,
    },
    /// In a folder of the shop's own.
    Folder(PathBuf),
}

/// The mail server for the shop's e-mails.
#[derive(Debug)]
pub(crate) struct Mail {
    /// The mail server, password included.
    pub(crate) server: MailServer,
    /// The sender of the e-mails.
    pub(crate) from: Sender,
}

/// The settings that `driveline demo` takes from the environment.
#[derive(Debug)]
pub(crate) struct Demo {
    /// The keys that tokens are signed with; `None` for a secret in the data folder.
    pub(crate) token_keys: Option<TokenKeys>,
    /// The mail server for the shop's e-mails; `None` for a folder.
    pub(crate) mail: Option<Mail>,
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
    /// Where the Postgres programs are.
    pub(crate) programs: Programs,
    /// The log filter.
    pub(crate) log: EnvFilter,
}

/// The settings that `driveline migrate` and `driveline admin` take from the environment.
#[derive(Debug)]
pub(crate) struct Console {
    pub(crate) database: Database,
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
    let stripe = reading.stripe(public_url.as_deref());
    let google = reading.google();
    let images = reading.images();
    let mail = reading.mail();
    let webhook_network = reading.webhook_network();
    let cors_origins = reading.cors_origins();
    let trusted_proxies =
        reading.list("TRUSTED_PROXIES", "IP addresses or networks (10.0.0.0/8) separated by commas", network);
    let rate = reading.rate("RATE_LIMIT", SERVE_RATE);
    let read_rate = reading.rate("READ_LIMIT", SERVE_READ_RATE);
    let email_rate = reading.rate_per_minute("EMAIL_LIMIT", SERVE_EMAIL_RATE);
    let write_timeout = reading.write_timeout();
    let reservations = reading.reservations();
    let drain = reading.drain();
    let log = reading.log();
    match (database, public_url, token_keys, stripe) {
        (Some(database), Some(public_url), Some(token_keys), Some(stripe)) if reading.complaints.is_empty() => {
            Ok(Serve {
                database,
                listen: SocketAddr::new(host.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST)), port.unwrap_or(8080)),
                metrics,
                public_url,
                token_keys,
                stripe,
                google,
                images,
                mail,
                webhook_network,
                cors_origins,
                trusted_proxies,
                rate,
                read_rate,
                email_rate,
                write_timeout,
                reservations,
                drain,
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
        mail: reading.mail(),
        webhook_network: reading.webhook_network(),
        rate: reading.rate("RATE_LIMIT", DEMO_RATE),
        read_rate: reading.rate("READ_LIMIT", DEMO_RATE),
        email_rate: reading.rate_per_minute("EMAIL_LIMIT", DEMO_RATE),
        write_timeout: reading.write_timeout(),
        programs: programs(environment),
        log: reading.log(),
    };
    if reading.complaints.is_empty() { Ok(demo) } else { Err(reading.complaints) }
}

/// The settings of `driveline migrate` and `driveline admin`, or a line for each that is missing or invalid.
pub(crate) fn console(environment: &Environment) -> Result<Console, Vec<String>> {
    let mut reading = EnvReader::of(environment);
    let database = reading.database();
    let log = reading.log();
    match database {
        Some(database) if reading.complaints.is_empty() => Ok(Console { database, log }),
        _ => Err(reading.complaints),
    }
}

/// Where to look for the Postgres programs.
pub(crate) fn programs(environment: &Environment) -> Programs {
    let search = environment("POSTGRES_BIN").filter(|folder| !folder.is_empty());
    Programs { search: search.map(PathBuf::from).into_iter().collect(), path_variable: environment("PATH") }
}

/// Reads variables and collects the complaints about them.
struct EnvReader<'a> {
    environment: &'a Environment,
    complaints: Vec<String>,
}

impl<'a> EnvReader<'a> {
    fn of(environment: &'a Environment) -> Self {
        Self { environment, complaints: Vec::new() }
    }

    /// A variable's text without surrounding space. An empty one counts as not set, because unfilled lines of
    /// `.env.example` are empty.
    fn text(&mut self, name: &str) -> Option<String> {
        let Ok(text) = (self.environment)(name)?.into_string() else {
            self.complain(format!("{name} is not text"));
            return None;
        };
        let text = text.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }

    fn secret(&mut self, name: &str) -> Option<SecretString> {
        self.text(name).map(SecretString::from)
    }

    /// A variable that is not secret: its value may be repeated in the complaint.
    fn parsed<T>(&mut self, name: &str, wanted: impl Into<String>, parse: impl FnOnce(&str) -> Option<T>) -> Option<T> {
        let typed = self.text(name)?;
        let parsed = parse(&typed);
        if parsed.is_none() {
            self.complain(format!("{name} is {typed:?}, and has to be {}", wanted.into()));
        }
        parsed
    }

    /// A list separated by commas; not set is an empty list.
    fn list<T>(&mut self, name: &str, wanted: &str, parse: impl Fn(&str) -> Option<T>) -> Vec<T> {
        let parse = |typed: &str| -> Option<Vec<T>> {
            typed.split(',').map(str::trim).filter(|part| !part.is_empty()).map(&parse).collect()
        };
        self.parsed(name, wanted, parse).unwrap_or_default()
    }

    fn complain(&mut self, line: impl Into<String>) {
        self.complaints.push(line.into());
    }

    /// Reports that a variable is missing, unless there is a complaint about it already.
    fn missing(&mut self, name: &str, wanted: &str) {
        if !self.complaints.iter().any(|line| line.starts_with(&format!("{name} "))) {
            self.complain(format!("{name} is not set: {wanted}"));
        }
    }

    fn database_url(&mut self) -> Option<SecretString> {
        const WANTED: &str = "the address of a Postgres, such as postgres://driveline:password@127.0.0.1/driveline";
        let url = self.secret("DATABASE_URL");
        match &url {
            None => self.missing("DATABASE_URL", WANTED),
            Some(url) if !is_postgres(url.expose_secret()) => {
                self.complain(format!("DATABASE_URL has to be {WANTED}"));
                return None;
            }
            Some(_) => {}
        }
        url
    }

    fn public_url(&mut self) -> Option<String> {
        const WANTED: &str = "what browsers call the shop, such as https://shop.example.com, without a path";
        let url = self.parsed("PUBLIC_URL", WANTED, origin);
        if url.is_none() {
            self.missing("PUBLIC_URL", WANTED);
        }
        url
    }

    fn token_keys(&mut self, need: Need) -> Option<TokenKeys> {
        const WANTED: &str = "at least 32 random bytes, for example from `openssl rand -base64 48`";
        let current = self.secret("TOKEN_SECRET");
        let previous = self.secret("TOKEN_SECRET_PREVIOUS");
        let Some(current) = current else {
            if previous.is_some() {
                self.complain("TOKEN_SECRET_PREVIOUS is set, and TOKEN_SECRET is not");
            } else if need == Need::Required {
                self.missing("TOKEN_SECRET", WANTED);
            }
            return None;
        };
        let mut sound = true;
        for (name, secret) in [("TOKEN_SECRET", Some(&current)), ("TOKEN_SECRET_PREVIOUS", previous.as_ref())] {
            let length = secret.map_or(TokenKeys::MIN, |secret| secret.expose_secret().len());
            if length < TokenKeys::MIN {
                self.complain(format!(
                    "{name} is too short: {length} bytes, and at least {} are needed",
                    TokenKeys::MIN
                ));
                sound = false;
            }
        }
        // A weak one is accepted as the previous secret, so that it can be replaced.
        if sound && need == Need::Required && bits(current.expose_secret()) < SECRET_BITS {
            self.complain(format!("TOKEN_SECRET is too easy to guess: it has to be {WANTED}"));
            sound = false;
        }
        let previous = previous.as_ref().map(|secret| secret.expose_secret().as_bytes());
        if previous == Some(current.expose_secret().as_bytes()) {
            self.complain("TOKEN_SECRET_PREVIOUS is the same as TOKEN_SECRET");
            sound = false;
        }
        if sound { TokenKeys::new(current.expose_secret().as_bytes(), previous).ok() } else { None }
    }

    fn stripe(&mut self, public_url: Option<&str>) -> Option<StripeSettings> {
        let secret_key = self.secret("STRIPE_SECRET_KEY");
        let publishable_key = self.text("STRIPE_PUBLISHABLE_KEY");
        let webhook_secret = self.secret("STRIPE_WEBHOOK_SECRET");
        let api_base = self.parsed("STRIPE_API_BASE", "an http(s) address", |typed| {
            is_web(typed).then(|| typed.trim_end_matches('/').to_owned())
        });
        let api_base = api_base.unwrap_or_else(|| STRIPE.to_owned());

        let secret_mode = secret_key.as_ref().and_then(|key| Mode::of(key.expose_secret(), &["sk", "rk"]));
        let public_mode = publishable_key.as_deref().and_then(|key| Mode::of(key, &["pk"]));
        match (&secret_key, secret_mode) {
            (None, _) => self.missing("STRIPE_SECRET_KEY", "the secret key of a Stripe account, sk_… or rk_…"),
            (Some(_), None) => {
                self.complain("STRIPE_SECRET_KEY does not begin with sk_test_, sk_live_, rk_test_ or rk_live_");
            }
            (Some(_), Some(Mode::Live)) => {
                if api_base != STRIPE {
                    self.complain(format!(
                        "STRIPE_SECRET_KEY is a live key, and STRIPE_API_BASE would send it to {api_base}"
                    ));
                }
                if public_url.is_some_and(|url| !url.starts_with("https://")) {
                    self.complain("STRIPE_SECRET_KEY is a live key, and PUBLIC_URL is not https");
                }
            }
            (Some(_), Some(Mode::Test)) => {}
        }
        match (&publishable_key, public_mode) {
            (None, _) => self.missing("STRIPE_PUBLISHABLE_KEY", "the publishable key of the same Stripe account, pk_…"),
            (Some(_), None) => self.complain("STRIPE_PUBLISHABLE_KEY does not begin with pk_test_ or pk_live_"),
            (Some(_), Some(_)) => {}
        }
        if let (Some(secret), Some(public)) = (secret_mode, public_mode)
            && secret != public
        {
            self.complain(format!("STRIPE_SECRET_KEY is a {secret} key, and STRIPE_PUBLISHABLE_KEY a {public} one"));
        }
        let webhook_secret_previous = self.secret("STRIPE_WEBHOOK_SECRET_PREVIOUS");
        if webhook_secret_previous.as_ref().is_some_and(|secret| !has_more_than(secret.expose_secret(), "whsec_")) {
            self.complain("STRIPE_WEBHOOK_SECRET_PREVIOUS does not begin with whsec_");
        }
        match &webhook_secret {
            None => self.missing("STRIPE_WEBHOOK_SECRET", "the signing secret of the webhook endpoint, whsec_…"),
            Some(secret) if !has_more_than(secret.expose_secret(), "whsec_") => {
                self.complain("STRIPE_WEBHOOK_SECRET does not begin with whsec_");
            }
            Some(_) => {}
        }
        Some(StripeSettings {
            secret_key: secret_key?,
            publishable_key: publishable_key?,
            webhook_secret: webhook_secret?,
            webhook_secret_previous,
            api_base,
        })
    }

    fn google(&mut self) -> Option<Google> {
        let client_id = self.text("GOOGLE_CLIENT_ID");
        let client_secret = self.secret("GOOGLE_CLIENT_SECRET");
        let issuer = self.parsed("GOOGLE_ISSUER", "an http(s) address", |typed| {
            is_web(typed).then(|| typed.trim_end_matches('/').to_owned())
        });
        match (client_id, client_secret) {
            (Some(client_id), Some(client_secret)) => {
                Some(Google { client_id, client_secret, issuer: issuer.unwrap_or_else(|| GOOGLE.to_owned()) })
            }
            (Some(_), None) => {
                self.complain("GOOGLE_CLIENT_ID is set, and GOOGLE_CLIENT_SECRET is not");
                None
            }
            (None, Some(_)) => {
                self.complain("GOOGLE_CLIENT_SECRET is set, and GOOGLE_CLIENT_ID is not");
                None
            }
            (None, None) => {
                if issuer.is_some() {
                    self.complain("GOOGLE_ISSUER is set, and GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET are not");
                }
                None
            }
        }
    }

    fn images(&mut self) -> Images {
        let key = self.secret("IMGBB_API_KEY");
        let base = self.parsed("IMGBB_API_BASE", "an http(s) address", |typed| is_web(typed).then(|| typed.to_owned()));
        let folder = self.text("DATA_DIR").map_or_else(|| PathBuf::from(".data"), PathBuf::from);
        match (key, base) {
            (Some(key), base) => Images::Host { base: base.unwrap_or_else(|| IMGBB.to_owned()), key },
            (None, base) => {
                if base.is_some() {
                    self.complain("IMGBB_API_BASE is set, and IMGBB_API_KEY is not");
                }
                Images::Folder(folder.join("images"))
            }
        }
    }

    fn mail(&mut self) -> Option<Mail> {
        let server = self.secret("SMTP_URL").map(|url| url.expose_secret().parse::<MailServer>());
        let from = self.parsed("MAIL_FROM", "an address such as Driveline <orders@shop.example.com>", |typed| {
            typed.parse::<Sender>().ok()
        });
        match server {
            Some(Ok(server)) => {
                if from.is_none() {
                    self.missing("MAIL_FROM", "the sender of e-mails, such as Driveline <orders@shop.example.com>");
                }
                Some(Mail { server, from: from? })
            }
            Some(Err(wanted)) => {
                self.complain(format!("SMTP_URL has to be {wanted}"));
                None
            }
            None => {
                if from.is_some() {
                    self.complain("MAIL_FROM is set, and SMTP_URL is not");
                }
                None
            }
        }
    }

    /// Private networks are allowed only if the operator says so: otherwise an account that may add a webhook
    /// subscription could make the shop call any host there.
    fn webhook_network(&mut self) -> NetworkPolicy {
        let private = self.parsed("OUTGOING_WEBHOOKS_ALLOW_PRIVATE", "true or false", |typed| typed.parse().ok());
        if private == Some(true) { NetworkPolicy::Anywhere } else { NetworkPolicy::Public }
    }

    /// Origins as browsers send them (RFC 6454, section 6.2). One with a path would match no browser, and a `*` every
    /// one.
    fn cors_origins(&mut self) -> Vec<String> {
        const WANTED: &str = "origins such as https://partner.example.com, without a path, separated by commas";
        self.list("CORS_ORIGINS", WANTED, |typed| origin(typed).filter(|_| !typed.ends_with('/')))
    }

    fn rate(&mut self, what: &str, default: RateLimit) -> RateLimit {
        let per_second = self.many_requests(&format!("{what}_PER_SECOND"));
        let burst = self.many_requests(&format!("{what}_BURST"));
        let per_second = per_second.unwrap_or(default.per_minute / 60);
        // A lower rate without a burst of its own does not mean the large default burst.
        RateLimit::per_second(per_second, burst.unwrap_or_else(|| default.burst.min(per_second.saturating_mul(10))))
    }

    fn rate_per_minute(&mut self, what: &str, default: RateLimit) -> RateLimit {
        let per_minute = self.many_requests(&format!("{what}_PER_MINUTE")).unwrap_or(default.per_minute);
        let burst = self.many_requests(&format!("{what}_BURST"));
        RateLimit { per_minute, burst: burst.unwrap_or_else(|| default.burst.min(per_minute.saturating_mul(3))) }
    }

    fn many_requests(&mut self, name: &str) -> Option<u32> {
        let number = |typed: &str| typed.parse().ok().filter(|number| *number > 0);
        self.parsed(name, "a whole number of requests, at least 1", number)
    }

    fn write_timeout(&mut self) -> Duration {
        let wanted = format!("a whole number of seconds from 1 to {WRITE_TIMEOUT_MAX}");
        let seconds = self.parsed("WRITE_TIMEOUT_SECONDS", wanted, |typed| {
            typed.parse().ok().filter(|seconds| (1..=WRITE_TIMEOUT_MAX).contains(seconds))
        });
        seconds.map_or(WRITE_TIMEOUT, Duration::from_secs)
    }

    fn reservations(&mut self) -> ReservationRules {
        fn up_to(most: u64) -> impl FnOnce(&str) -> Option<u64> {
            move |typed| typed.parse().ok().filter(|number| (1..=most).contains(number))
        }
        let wanted = format!("a whole number of hours from 1 to {HOLD_MAX}");
        let hours = self.parsed("UNPAID_ORDER_HOLD_HOURS", wanted, up_to(HOLD_MAX));
        let minutes_max = HOLD_MAX * 60;
        let wanted = format!("a whole number of minutes from 1 to {minutes_max}");
        let minutes = self.parsed("UNPAID_ORDER_HOLD_NEW_MINUTES", wanted, up_to(minutes_max));
        let wanted = format!("a whole number of orders from 1 to {}", i32::MAX);
        let most = self.parsed("UNPAID_ORDERS_NEW", wanted, |typed| {
            typed.parse().ok().filter(|most| (1..=i32::MAX.unsigned_abs()).contains(most))
        });
        ReservationRules {
            usual: hours.map_or(ReservationRules::UNLIMITED.usual, Duration::from_hours),
            new: minutes.map_or(ReservationRules::UNLIMITED.new, Duration::from_mins),
            most_new: Some(most.unwrap_or(UNPAID_ORDERS_NEW)),
        }
    }

    fn log(&mut self) -> EnvFilter {
        let wanted = "a filter such as info,driveline=debug";
        let filter = self.parsed("RUST_LOG", wanted, |typed| EnvFilter::try_new(typed).ok());
        filter.unwrap_or_else(|| EnvFilter::new(telemetry::QUIET))
    }
}

/// Whether the program requires a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Need {
    Required,
    Optional,
}

/// Whether a key moves real money.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Test,
    Live,
}

impl Mode {
    /// The mode of a Stripe key, which is part of the key.
    fn of(key: &str, kinds: &[&str]) -> Option<Self> {
        kinds.iter().find_map(|kind| {
            [("test", Self::Test), ("live", Self::Live)]
                .into_iter()
                .find_map(|(mode, found)| has_more_than(key, &format!("{kind}_{mode}_")).then_some(found))
        })
    }
}

impl Database {
    /// A warning about settings that work but are dangerous.
    pub(crate) fn warning(&self) -> Option<&'static str> {
        could_be_anybody(self.url.expose_secret()).then_some(
            "DATABASE_URL leads over a network without sslmode=verify-full: anyone on the path can read and change \
            everything; add it, and sslrootcert if the authority is your own",
        )
    }
}

impl std::fmt::Display for Mode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Test => "test",
            Self::Live => "live",
        })
    }
}

/// The most bits of entropy that a secret can have, by a crude estimate: what a text of these kinds of characters could
/// hold, or of so few different ones.
fn bits(secret: &str) -> f64 {
    const FEW: usize = 8;
    let different = secret.bytes().collect::<HashSet<_>>().len();
    let has = |kind: fn(&u8) -> bool| secret.bytes().any(|byte| kind(&byte));
    let of_kinds: usize = [
        if has(u8::is_ascii_digit) { 10 } else { 0 },
        if has(u8::is_ascii_lowercase) { 26 } else { 0 },
        if has(u8::is_ascii_uppercase) { 26 } else { 0 },
        if has(|byte| !byte.is_ascii_alphanumeric()) { 32 } else { 0 },
    ]
    .iter()
    .sum();
    let choices = if different < FEW { different } else { of_kinds };
    let (choices, length) = (u32::try_from(choices.max(1)), u32::try_from(secret.len()));
    f64::from(length.unwrap_or(u32::MAX)) * f64::from(choices.unwrap_or(u32::MAX)).log2()
}

/// Whether a database is reached over a network on which another server could impersonate it: its host is neither this
/// machine nor a bare name, as containers on one machine have, and its certificate is not verified.
fn could_be_anybody(url: &str) -> bool {
    let Ok(url) = Url::from_str(url) else { return false };
    let told = |name: &str| url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned());
    let host = told("host").or_else(|| url.host_str().map(str::to_owned)).unwrap_or_default();
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let near = match bare.parse::<IpAddr>() {
        Ok(address) => address.is_loopback(),
        Err(_) => bare.starts_with('/') || !bare.contains('.'),
    };
    let checked = told("sslmode").is_some_and(|mode| matches!(mode.as_str(), "verify-full" | "verify-ca"));
    !near && !checked
}

fn has_more_than(text: &str, prefix: &str) -> bool {
    text.strip_prefix(prefix).is_some_and(|rest| !rest.is_empty())
}

fn is_postgres(url: &str) -> bool {
    let rest = url.strip_prefix("postgres://").or_else(|| url.strip_prefix("postgresql://"));
    rest.is_some_and(|rest| !rest.is_empty())
}

fn is_web(address: &str) -> bool {
    Url::from_str(address).is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
}

/// A network, or an address as a network of its own. Both are normalised for comparison: IPv4 mapped into IPv6 is IPv4.
fn network(typed: &str) -> Option<IpNet> {
    const MAPPED: u8 = 96;
    let network = typed.parse().ok().or_else(|| typed.parse::<IpAddr>().ok().map(IpNet::from))?;
    match (network.addr().to_canonical(), network.prefix_len().checked_sub(MAPPED)) {
        (address @ IpAddr::V4(_), Some(prefix)) if network.addr().is_ipv6() => IpNet::new(address, prefix).ok(),
        _ => Some(network),
    }
}

/// Scheme, host and, unless it is the default, port of an http(s) address that has no other parts.
fn origin(address: &str) -> Option<String> {
    let url = Url::from_str(address).ok()?;
    let web = matches!(url.scheme(), "http" | "https") && url.has_host();
    let bare = url.path() == "/"
        && url.query().is_none()
        && url.fragment().is_none()
        && url.username().is_empty()
        && url.password().is_none();
    (web && bare).then(|| url.origin().ascii_serialization())
}

#[cfg(test)]
mod tests;
