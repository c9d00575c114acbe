//! Logs on one stream, metrics for Prometheus, and traces for whoever receives OTLP.

mod lines;
mod traces;

use std::io::IsTerminal as _;
use std::sync::Arc;

use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use persistence::Database;
use ports::SPANS;
use tracing::Subscriber;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::format::JsonFields;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{EnvFilter, Layer, fmt, registry};

use self::lines::Lines;
pub(crate) use self::traces::{RandomTraces, TraceExport};
use crate::config::TraceSettings;
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
    // Spans that are only exported are none of the log's.
    let filter = with_exported_spans(filter, "off");
    // The only error is that a logger is already installed.
    let _ = match reader {
        LogFormat::Person => registry().with(filter).with(for_person()).try_init(),
        LogFormat::Machine => registry().with(filter).with(for_machine()).try_init(),
    };
}

/// [`log`], and the export of traces if they are configured. Only inside a runtime.
pub(crate) fn log_and_trace(
    reader: LogFormat,
    filter: EnvFilter,
    traces: Option<&TraceSettings>,
) -> Result<Option<TraceExport>, StartupError> {
    let Some(settings) = traces else {
        log(reader, filter);
        return Ok(None);
    };
    let export = TraceExport::start(settings)?;
    // The only error is that a logger is already installed.
    let _ = match reader {
        LogFormat::Person => {
            let filter = with_exported_spans(filter, "off");
            registry().with(for_person().with_filter(filter)).with(exporting(&export)).try_init()
        }
        LogFormat::Machine => {
            // The way from an event to its request leads through them.
            let filter = with_exported_spans(filter, "info");
            registry().with(for_machine().with_filter(filter)).with(exporting(&export)).try_init()
        }
    };
    tracing::info!(to = %settings.endpoint, service = settings.service, "traces are exported");
    Ok(Some(export))
}

fn with_exported_spans(filter: EnvFilter, level: &str) -> EnvFilter {
    match format!("{SPANS}={level}").parse() {
        Ok(directive) => filter.add_directive(directive),
        Err(_) => filter,
    }
}

fn exporting<S: Subscriber + for<'a> LookupSpan<'a>>(export: &TraceExport) -> impl Layer<S> {
    tracing_opentelemetry::layer()
        .with_tracer(export.tracer())
        .with_location(false)
        .with_threads(false)
        .with_target(false)
        .with_level(false)
        .with_tracked_inactivity(false)
        // Nothing asks OpenTelemetry for the current span: `tracing` knows it.
        .with_context_activation(false)
        .with_filter(Targets::new().with_target(SPANS, LevelFilter::INFO))
}

fn for_person<S: Subscriber + for<'a> LookupSpan<'a>>() -> impl Layer<S> {
    let colours = std::io::stderr().is_terminal();
    fmt::layer().with_writer(std::io::stderr).with_ansi(colours).with_target(false).compact()
}

fn for_machine<S: Subscriber + for<'a> LookupSpan<'a>>() -> impl Layer<S> {
    fmt::layer().fmt_fields(JsonFields::new()).event_format(Lines)
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
        metrics::describe_gauge!("database_connections_limit", "How many connections the pool may open.");
        let process = metrics_process::Collector::default();
        process.describe();
        Arc::new(move || {
            process.collect();
            let (open, idle) = database.connections();
            metrics::gauge!("database_connections", "state" => "idle").set(f64::from(idle));
            metrics::gauge!("database_connections", "state" => "busy").set(f64::from(open.saturating_sub(idle)));
            metrics::gauge!("database_connections_limit").set(f64::from(database.connections_limit()));
            handle.render()
        })
    }

    /// Drops old samples. It has to be called now and then, or the histograms grow while no one scrapes them.
    pub(crate) fn tidy(&self) {
        self.0.run_upkeep();
    }
}
