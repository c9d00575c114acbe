//! Logs on one stream, and metrics for Prometheus.

use std::io::IsTerminal as _;
use std::sync::Arc;

use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use persistence::Database;
use tracing_subscriber::EnvFilter;

use crate::startup_error::StartupError;

/// The log filter if `RUST_LOG` is not set: the shop in full, its libraries only warnings. `actix_http` not even those:
/// it warns of every client that does not send HTTP, which could fill the log.
pub(crate) const QUIET: &str = "warn,actix_http=off,driveline=info,application=info,email=info,http_adapter=info,identity=info,images=info,payments=info,persistence=info,webhooks=info";

/// Upper bounds of all histograms of seconds: from a cached response to one that timed out.
const SECONDS: [f64; 14] = [0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];

/// The reader of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LogFormat {
    /// A user at a terminal: short lines on standard error, where they do not mix with a command's output.
    Person,
    /// A log collector: one JSON object per line on standard output.
    Machine,
}

/// Begins to log what passes `filter`. Only the first call counts.
pub(crate) fn log(reader: LogFormat, filter: EnvFilter) {
    let log = tracing_subscriber::fmt().with_env_filter(filter);
    // The only error is that a logger is already installed.
    let _ = match reader {
        LogFormat::Person => {
            let colours = std::io::stderr().is_terminal();
            log.with_writer(std::io::stderr).with_ansi(colours).with_target(false).compact().try_init()
        }
        LogFormat::Machine => log.json().flatten_event(true).with_current_span(true).with_span_list(false).try_init(),
    };
}

/// The program's counters and histograms.
#[derive(Clone)]
pub(crate) struct Metrics(PrometheusHandle);

impl Metrics {
    pub(crate) fn collect() -> Result<Self, StartupError> {
        let failed = |error| StartupError::internal(format!("cannot install the metrics recorder: {error}"));
        PrometheusBuilder::new()
            .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &SECONDS)
            .and_then(PrometheusBuilder::install_recorder)
            .map(Self)
            .map_err(failed)
    }

    /// Renders them in Prometheus' text format, with the current state of the database's pool.
    pub(crate) fn renderer(&self, database: &Database) -> Arc<dyn Fn() -> String + Send + Sync> {
        let (handle, database) = (self.0.clone(), database.clone());
        metrics::describe_gauge!("database_connections", "Open connections to the database, by state.");
        Arc::new(move || {
            let (open, idle) = database.connections();
            metrics::gauge!("database_connections", "state" => "idle").set(f64::from(idle));
            metrics::gauge!("database_connections", "state" => "busy").set(f64::from(open.saturating_sub(idle)));
            handle.render()
        })
    }

    /// Drops old samples. It has to be called now and then, or the histograms grow while no one scrapes them.
    pub(crate) fn tidy(&self) {
        self.0.run_upkeep();
    }
}
