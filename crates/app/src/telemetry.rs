//! What the program tells about itself: a log on one stream, and numbers for Prometheus.

use std::io::IsTerminal as _;
use std::sync::Arc;

use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use persistence::Database;
use tracing_subscriber::EnvFilter;

use crate::startup_error::StartupError;

/// What is logged if `RUST_LOG` says nothing: the shop in full, its libraries only when they complain. `actix_http` not even
/// then: it complains of every stranger who sends no HTTP, and would let them fill the log.
pub(crate) const QUIET: &str = "warn,actix_http=off,driveline=info,application=info,http_adapter=info,identity=info,images=info,mail=info,payments=info,persistence=info,webhooks=info";

/// Upper bounds of every histogram of seconds: from a cached answer to one that gave up waiting.
const SECONDS: [f64; 14] = [0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];

/// For whom the log is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LogFormat {
    /// A person at a terminal: short lines on standard error, where they do not mix with what a command prints.
    Person,
    /// A machine that collects logs: one JSON object per line on standard output.
    Machine,
}

/// Begins to log what `filter` lets through. Only the first call counts.
pub(crate) fn log(reader: LogFormat, filter: EnvFilter) {
    let log = tracing_subscriber::fmt().with_env_filter(filter);
    // The only error is that a log is being written already.
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
    /// Begins to count.
    pub(crate) fn collect() -> Result<Self, StartupError> {
        let failed = |error| StartupError::broken(format!("cannot count what happens: {error}"));
        PrometheusBuilder::new()
            .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &SECONDS)
            .and_then(PrometheusBuilder::install_recorder)
            .map(Self)
            .map_err(failed)
    }

    /// What renders them in Prometheus' text format, with the state of the database's pool as of that moment.
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

    /// Drops what nobody will ask for again. To be called now and then, or histograms of a shop that nobody scrapes grow.
    pub(crate) fn tidy(&self) {
        self.0.run_upkeep();
    }
}
