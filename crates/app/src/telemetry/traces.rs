//! Traces, and where they go: to a receiver of OTLP over HTTP, if one is configured.
//!
//! What is exported waits in a queue of limited length, for a thread of its own: nobody waits for the receiver. What the
//! queue has no room for, and what the receiver does not take, is counted and gone.

use std::cell::Cell;
use std::fmt::Debug;
use std::num::NonZeroU128;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use opentelemetry::trace::{SpanContext, SpanId, TraceContextExt as _, TraceFlags, TraceState, TracerProvider as _};
use opentelemetry::{Context, KeyValue};
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::{Protocol, WithExportConfig as _, WithHttpConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{
    BatchConfigBuilder, BatchSpanProcessor, IdGenerator, RandomIdGenerator, Sampler, SdkTracer, SdkTracerProvider,
    SpanData, SpanExporter, SpanProcessor,
};
use ports::{CallersSpan, Trace, TraceId, Traces};
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio::time::timeout;
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt as _;

use crate::config::{Sampling, TraceSettings};
use crate::startup_error::StartupError;

/// How many spans may wait. With what they hold, they take some megabytes.
const WAITING_MOST: usize = 4_096;
/// How many are sent at once, and after how long at the latest.
const BATCH: usize = 512;
const SEND_EVERY: Duration = Duration::from_secs(1);
/// How long the receiver may take for a batch.
const SEND_WITHIN: Duration = Duration::from_secs(5);
/// How long the program waits for the last spans when it stops.
const LAST_SPANS: Duration = Duration::from_secs(2);

/// What became of spans, by result: sent, failed or dropped.
const TRACE_SPANS: &str = "trace_spans";

thread_local! {
    /// The id that the next trace that begins on this thread has.
    static CHOSEN: Cell<Option<TraceId>> = const { Cell::new(None) };
}

/// Traces with random ids.
pub(crate) struct RandomTraces;

impl Traces for RandomTraces {
    fn fresh(&self) -> TraceId {
        TraceId(NonZeroU128::new(fastrand::u128(..)).unwrap_or(NonZeroU128::MIN))
    }

    fn begin(&self, span: &Span, Trace { id, caller }: Trace) {
        if span.is_disabled() {
            return;
        }
        if let Some(CallersSpan { id: callers, is_recorded }) = caller {
            let flags = if is_recorded { TraceFlags::SAMPLED } else { TraceFlags::NOT_SAMPLED };
            let (trace, callers) = (otel(id), SpanId::from(callers.get()));
            let parent = SpanContext::new(trace, callers, flags, true, TraceState::default());
            // It fails for a span that has begun; then the trace begins here.
            let _ = span.set_parent(Context::new().with_remote_span_context(parent));
        } else {
            CHOSEN.set(Some(id));
            // Begins the span.
            drop(span.context());
            CHOSEN.set(None);
        }
    }
}

fn otel(id: TraceId) -> opentelemetry::TraceId {
    opentelemetry::TraceId::from(id.0.get())
}

/// Gives a trace the id that was chosen for it, so that log lines and problems have it whether or not it is exported.
#[derive(Debug, Default)]
struct ChosenIds(RandomIdGenerator);

impl IdGenerator for ChosenIds {
    fn new_trace_id(&self) -> opentelemetry::TraceId {
        CHOSEN.take().map_or_else(|| self.0.new_trace_id(), otel)
    }

    fn new_span_id(&self) -> SpanId {
        self.0.new_span_id()
    }
}

/// The export of traces.
pub(crate) struct TraceExport(SdkTracerProvider);

impl TraceExport {
    /// Begins to export. Only inside a runtime.
    pub(super) fn start(settings: &TraceSettings) -> Result<Self, StartupError> {
        let failed = |error: &dyn std::fmt::Display| StartupError::internal(format!("cannot export traces: {error}"));
        let client = reqwest::Client::builder()
            .timeout(SEND_WITHIN)
            .redirect(reqwest::redirect::Policy::none())
            // Proxies would come from the environment, which only the configuration may read.
            .no_proxy()
            .build()
            .map_err(|error| failed(&error))?;
        let exporter = opentelemetry_otlp::SpanExporter::builder()
            .with_http()
            .with_http_client(Client { client, runtime: Handle::current() })
            .with_protocol(Protocol::HttpBinary)
            .with_endpoint(settings.endpoint.as_str())
            .with_timeout(SEND_WITHIN)
            .build()
            .map_err(|error| failed(&error))?;
        metrics::describe_counter!(TRACE_SPANS, "Spans of traces by what became of them: sent, failed or dropped.");
        for result in ["sent", "failed", "dropped"] {
            metrics::counter!(TRACE_SPANS, "result" => result).absolute(0);
        }
        let waiting = Arc::new(AtomicUsize::new(0));
        let batches = BatchConfigBuilder::default()
            // Of the spans that wait here, those that are being sent are not in this queue: it is never full.
            .with_max_queue_size(WAITING_MOST)
            .with_max_export_batch_size(BATCH)
            .with_scheduled_delay(SEND_EVERY)
            .build();
        let sender = BatchSpanProcessor::builder(Counted { inner: exporter, waiting: Arc::clone(&waiting) })
            .with_batch_config(batches)
            .build();
        let provider = SdkTracerProvider::builder()
            .with_span_processor(Bounded { inner: sender, waiting })
            .with_sampler(sampler(settings.sampling))
            .with_id_generator(ChosenIds::default())
            .with_resource(resource(&settings.service))
            .build();
        Ok(Self(provider))
    }

    /// What makes spans.
    pub(super) fn tracer(&self) -> SdkTracer {
        self.0.tracer(env!("CARGO_PKG_NAME"))
    }

    /// Sends what waits, and gives up after a moment.
    pub(crate) async fn finish(self) {
        let (sender, finished) = oneshot::channel();
        // It blocks. A thread that still does when the program ends is ended with it.
        let spawned = std::thread::Builder::new().name("last-spans".to_owned()).spawn(move || {
            let _ = sender.send(self.0.shutdown_with_timeout(LAST_SPANS));
        });
        if spawned.is_err() {
            return;
        }
        let is_done = timeout(LAST_SPANS, finished).await.is_ok_and(|ended| ended.is_ok_and(|ended| ended.is_ok()));
        if !is_done {
            tracing::warn!("the last spans could not be sent");
        }
    }
}

fn sampler(Sampling { follows_caller, ratio }: Sampling) -> Sampler {
    let own = Sampler::TraceIdRatioBased(ratio);
    if follows_caller { Sampler::ParentBased(Box::new(own)) } else { own }
}

fn resource(service: &str) -> Resource {
    Resource::builder_empty()
        .with_service_name(service.to_owned())
        .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
        .build()
}

/// Posts batches with the HTTP client that the shop has anyway, on the shop's runtime: the thread that asks has none.
#[derive(Debug)]
struct Client {
    client: reqwest::Client,
    runtime: Handle,
}

#[async_trait]
impl HttpClient for Client {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let client = self.client.clone();
        let sending = async move {
            let answer = client.execute(request.try_into()?).await?;
            let status = answer.status();
            let body = answer.bytes().await?;
            Ok::<_, reqwest::Error>((status, body))
        };
        let (status, body) = self.runtime.spawn(sending).await??;
        Ok(Response::builder().status(status).body(body)?)
    }
}

/// Lets no more than [`WAITING_MOST`] spans wait, and counts those that are turned away.
#[derive(Debug)]
struct Bounded<P> {
    inner: P,
    waiting: Arc<AtomicUsize>,
}

impl<P: SpanProcessor> SpanProcessor for Bounded<P> {
    fn on_start(&self, span: &mut opentelemetry_sdk::trace::Span, context: &Context) {
        self.inner.on_start(span, context);
    }

    fn on_end(&self, span: SpanData) {
        if self.waiting.fetch_add(1, Ordering::Relaxed) >= WAITING_MOST {
            self.waiting.fetch_sub(1, Ordering::Relaxed);
            metrics::counter!(TRACE_SPANS, "result" => "dropped").increment(1);
        } else {
            self.inner.on_end(span);
        }
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.inner.force_flush()
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.inner.shutdown_with_timeout(timeout)
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.inner.set_resource(resource);
    }
}

/// Counts what is sent, and makes room for what comes.
#[derive(Debug)]
struct Counted<E> {
    inner: E,
    waiting: Arc<AtomicUsize>,
}

impl<E: SpanExporter> SpanExporter for Counted<E> {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        let many = batch.len();
        let sent = self.inner.export(batch).await;
        self.waiting.fetch_sub(many, Ordering::Relaxed);
        let result = if sent.is_ok() { "sent" } else { "failed" };
        metrics::counter!(TRACE_SPANS, "result" => result).increment(u64::try_from(many).unwrap_or(u64::MAX));
        sent
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.inner.shutdown_with_timeout(timeout)
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.inner.set_resource(resource);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use metrics_exporter_prometheus::PrometheusBuilder;
    use opentelemetry::trace::{Span as _, Tracer as _};
    use testkit::{Reply, StandIn};

    use super::*;

    fn settings(receiver: &str, ratio: f64) -> TraceSettings {
        TraceSettings {
            endpoint: format!("{receiver}/v1/traces").parse().unwrap(),
            service: "tests".to_owned(),
            sampling: Sampling { follows_caller: true, ratio },
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn what_a_receiver_that_hangs_does_not_take_is_dropped_and_counted_and_ends_in_time() {
        let receiver = StandIn::start(vec![Reply::Hang]).await;
        let recorder = PrometheusBuilder::new().build_recorder();
        let export = TraceExport::start(&settings(&receiver.base(), 1.0)).unwrap();
        let tracer = export.tracer();
        let begun = Instant::now();
        metrics::with_local_recorder(&recorder, || {
            for _ in 0..WAITING_MOST + 1_000 {
                tracer.start("work").end();
            }
        });
        assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
        let counted = recorder.handle().render();
        assert!(counted.contains("trace_spans{result=\"dropped\"} 1000"), "{counted}");
        let begun = Instant::now();
        export.finish().await;
        assert!(begun.elapsed() < LAST_SPANS + Duration::from_secs(1), "{:?}", begun.elapsed());
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn the_last_spans_are_sent_when_the_program_ends() {
        let receiver = StandIn::start(vec![Reply::Json(200, String::new())]).await;
        let export = TraceExport::start(&settings(&receiver.base(), 1.0)).unwrap();
        export.tracer().start("the last").end();
        export.finish().await;
        let requests = receiver.received();
        let [sent] = &requests[..] else { panic!("{} requests", requests.len()) };
        assert!(sent.head.starts_with("POST /v1/traces "), "{}", sent.head);
        assert_eq!(sent.header("content-type"), Some("application/x-protobuf"));
        assert!(sent.body.windows(8).any(|bytes| bytes == b"the last"));
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn random_ids_are_sampled_evenly() {
        let receiver = StandIn::start(vec![Reply::Json(200, String::new())]).await;
        let export = TraceExport::start(&settings(&receiver.base(), 0.25)).unwrap();
        let tracer = export.tracer();
        let recorded = (0..2_000).filter(|_| {
            CHOSEN.set(Some(RandomTraces.fresh()));
            tracer.start("work").span_context().is_sampled()
        });
        let recorded = recorded.count();
        assert!((400..=600).contains(&recorded), "{recorded} of 2000");
    }
}
