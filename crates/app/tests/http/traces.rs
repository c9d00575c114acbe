//! Traces as a receiver gets them, and what log lines and problems say of them.

use std::collections::HashSet;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value as Attribute;
use opentelemetry_proto::tonic::common::v1::{AnyValue, KeyValue};
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message as _;
use serde_json::{Value, json};
use testkit::fake_stripe::{FakeStripe, Settings};
use testkit::{Reply, StandIn};

use crate::fixtures::{GOOD_CARD, PASSWORD, User, card, draft, eventually, inserted, purchase, unique};
use crate::reservations::shop_with;
use crate::server::{Demo, call, get, post, run};

const SOON: Duration = Duration::from_mins(1);
const VIN: &str = "1HGCM82633A004352";
const TRACEPARENT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

/// A receiver of OTLP over HTTP.
struct Receiver(StandIn);

impl Receiver {
    async fn start() -> Self {
        let accepted =
            "HTTP/1.1 200 OK\r\ncontent-type: application/x-protobuf\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";
        Self(StandIn::start(vec![Reply::Raw(accepted.into())]).await)
    }

    fn requests(&self) -> Vec<ExportTraceServiceRequest> {
        let received = self.0.received();
        received.iter().map(|one| ExportTraceServiceRequest::decode(&one.body[..]).unwrap()).collect()
    }

    fn spans(&self) -> Vec<Span> {
        let resources = self.requests().into_iter().flat_map(|request| request.resource_spans);
        resources.flat_map(|resource| resource.scope_spans).flat_map(|scope| scope.spans).collect()
    }

    /// The spans, once there is one of this name.
    async fn spans_with(&self, name: &str) -> Vec<Span> {
        eventually(SOON, async || self.spans().iter().any(|span| span.name == name)).await;
        self.spans()
    }
}

/// Bytes in hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]).filter_map(|half| char::from_digit(half.into(), 16)).collect()
}

#[track_caller]
fn the<'a>(spans: &'a [Span], name: &str) -> &'a Span {
    let mut found = spans.iter().filter(|span| span.name == name);
    let span = found.next().unwrap_or_else(|| panic!("no {name:?} in {:?}", names(spans)));
    assert!(found.next().is_none(), "{name:?} twice");
    span
}

fn names(spans: &[Span]) -> Vec<&str> {
    spans.iter().map(|span| span.name.as_str()).collect()
}

fn children<'a>(spans: &'a [Span], parent: &Span) -> Vec<&'a Span> {
    spans.iter().filter(|span| span.parent_span_id == parent.span_id).collect()
}

fn text(value: Option<&AnyValue>) -> String {
    match value.and_then(|value| value.value.as_ref()) {
        Some(Attribute::StringValue(text)) => text.clone(),
        Some(Attribute::IntValue(number)) => number.to_string(),
        other => format!("{other:?}"),
    }
}

fn attribute(span: &Span, key: &str) -> Option<String> {
    span.attributes.iter().find(|attribute| attribute.key == key).map(|attribute| text(attribute.value.as_ref()))
}

/// Everything that was exported, as text.
fn all_texts(receiver: &Receiver) -> Vec<String> {
    let texts = |attributes: &[KeyValue]| attributes.iter().map(|one| text(one.value.as_ref())).collect::<Vec<_>>();
    let mut all = Vec::new();
    for resource in receiver.requests().into_iter().flat_map(|request| request.resource_spans) {
        all.extend(texts(&resource.resource.unwrap().attributes));
        for span in resource.scope_spans.into_iter().flat_map(|scope| scope.spans) {
            all.extend(texts(&span.attributes));
            assert!(span.events.is_empty(), "{} has events: {:?}", span.name, span.events);
            all.push(span.status.map(|status| status.message).unwrap_or_default());
            all.push(span.trace_state);
            all.push(span.name);
        }
    }
    all
}

fn log_file() -> PathBuf {
    std::env::temp_dir().join(format!("driveline-traces-{}-{}", std::process::id(), unique()))
}

#[test]
fn an_order_is_seen_from_the_request_to_the_database() {
    run(async {
        let (receiver, log) = (Receiver::start().await, log_file());
        let shop = Demo::open(&[
            ("OTEL_EXPORTER_OTLP_ENDPOINT", &receiver.0.base()),
            ("OTEL_SERVICE_NAME", "shop-under-test"),
            ("OUTGOING_WEBHOOKS_ALLOW_PRIVATE", "true"),
            ("RUST_LOG", "warn,http_adapter=info"),
            ("LOG_TO", log.to_str().unwrap()),
        ]);
        let scene = Scene::play(&shop).await;
        receiver.spans_with("webhook call").await;
        let spans = receiver.spans_with("call_webhooks").await;
        an_orders_spans_are_one_tree(&spans);
        a_refused_call_names_its_trace(&spans, &scene, &fs::read_to_string(&log).unwrap());
        an_untrusted_caller_names_no_trace(&spans, &scene);
        a_background_job_has_a_trace_of_its_own(&spans, &scene);
        nothing_that_a_customer_sent_is_exported(&receiver, &scene);
        drop(shop);
        fs::remove_file(log).unwrap();
    });
}

/// What happens in the shop, and what of it nobody else may see.
struct Scene {
    refused: Value,
    subscriber: StandIn,
    secrets: Vec<String>,
}

impl Scene {
    async fn play(shop: &Demo) -> Self {
        let boss = User::log_in_at(shop, "admin@example.com", "demo-password").await;
        let subscriber = StandIn::start(vec![Reply::Json(204, String::new())]).await;
        let hook = json!({"url": format!("{}/hooks?token=t0ken", subscriber.base()), "events": ["order.ordered"]});
        boss.send(post("/webhook-endpoints", &hook)).at(shop).await.is(201);
        let product = inserted(&boss.send(post("/products", &draft(1_000, 2.5))).at(shop).await);
        let customer = User::new_at(shop).await;
        let order = inserted(&customer.send(post("/orders", &purchase(&product, 50))).at(shop).await);
        let refused = customer.send(post("/orders", &purchase(&product, 7)));
        let refused = refused.header("traceparent", TRACEPARENT).at(shop).await.refused(422);
        let intent = customer.send(post("/create-payment-intent", &json!({"orderId": order}))).at(shop).await.is(200);
        let secret = intent.json()["clientSecret"].as_str().unwrap().to_owned();
        card(&secret, GOOD_CARD).at(shop).await.is(200);
        get(format!("/vin/{VIN}")).at(shop).await;
        let secrets = [
            customer.email.as_str(),
            &customer.token,
            &customer.session,
            &product,
            &order,
            &secret,
            PASSWORD,
            "Long Road",
            "Some Body",
            "+49 30 123456",
            GOOD_CARD,
            VIN,
            "t0ken",
            "/hooks",
        ];
        Self { refused, subscriber, secrets: secrets.map(str::to_owned).to_vec() }
    }
}

fn an_orders_spans_are_one_tree(spans: &[Span]) {
    let requests: Vec<&Span> = spans.iter().filter(|span| span.name == "POST /orders").collect();
    let is_placed = |span: &&&Span| attribute(span, "http.response.status_code").as_deref() == Some("201");
    let request = requests.iter().find(is_placed).expect("the order's request");
    assert!(request.parent_span_id.is_empty());
    assert_eq!(request.kind, 2, "a server's");
    for (key, value) in [("http.request.method", "POST"), ("http.route", "/orders"), ("url.scheme", "http")] {
        assert_eq!(attribute(request, key).as_deref(), Some(value));
    }
    let tree: Vec<Span> = spans.iter().filter(|span| span.trace_id == request.trace_id).cloned().collect();
    let use_case = the(&tree, "place_order");
    assert_eq!(use_case.parent_span_id, request.span_id);
    let calls = children(&tree, use_case);
    let placing = *calls.iter().find(|call| call.name == "batch::Placement").expect("the call that places it");
    assert_eq!(names_of(children(&tree, placing)), ["database", "wait for a transaction"]);
    let reading = *calls.iter().find(|call| call.name == "PriceRepository::book").expect("a call that reads");
    assert_eq!(names_of(children(&tree, reading)), ["database", "wait for a connection"]);
    // What orders share is seen in the trace of each of them.
    assert_eq!(in_order(statements(&tree, placing)), ["place_orders.sql"]);
    let read = statements(&tree, reading);
    for statement in &read {
        assert_eq!((statement.kind, attribute(statement, "db.system.name").as_deref()), (3, Some("postgresql")));
    }
    let tables = ["SELECT price_lists", "SELECT price_list_accounts", "SELECT price_epoch"];
    assert_eq!(in_order(read), [&["BEGIN"][..], &tables, &["COMMIT"]].concat());
    for call in calls {
        let parts = children(&tree, call);
        assert_eq!(parts.len(), 2, "{}", call.name);
        for part in parts {
            assert!(part.start_time_unix_nano >= call.start_time_unix_nano, "{}", call.name);
            assert!(part.end_time_unix_nano <= call.end_time_unix_nano, "{}", call.name);
        }
    }
    let ids: HashSet<&[u8]> = tree.iter().map(|span| &span.span_id[..]).collect();
    let lost = tree.iter().filter(|span| span.span_id != request.span_id && !ids.contains(&span.parent_span_id[..]));
    assert_eq!(lost.map(|span| &span.name).collect::<Vec<_>>(), Vec::<&String>::new());
}

/// The statements of a call of the database.
fn statements<'a>(spans: &'a [Span], call: &Span) -> Vec<&'a Span> {
    let parts = children(spans, call);
    let in_database = parts.iter().find(|part| part.name == "database").expect("its time in the database");
    children(spans, in_database)
}

/// Their names, the earliest first.
fn in_order(mut spans: Vec<&Span>) -> Vec<&str> {
    spans.sort_by_key(|span| span.start_time_unix_nano);
    spans.into_iter().map(|span| span.name.as_str()).collect()
}

fn names_of(spans: Vec<&Span>) -> Vec<&str> {
    let mut names: Vec<&str> = spans.into_iter().map(|span| span.name.as_str()).collect();
    names.sort_unstable();
    names
}

fn a_refused_call_names_its_trace(spans: &[Span], scene: &Scene, log: &str) {
    let id = scene.refused["traceId"].as_str().unwrap();
    let of_trace = |span: &&Span| hex(&span.trace_id) == id && span.name == "POST /orders";
    let request = spans.iter().find(of_trace).expect("the refused request");
    assert_eq!(attribute(request, "http.response.status_code").as_deref(), Some("422"));
    let line = log.lines().find(|line| line.contains(id)).expect("a line with the trace's id");
    assert!(line.contains("answered") && line.contains("status=422"), "{line}");
}

fn an_untrusted_caller_names_no_trace(spans: &[Span], scene: &Scene) {
    assert!(!TRACEPARENT.contains(scene.refused["traceId"].as_str().unwrap()));
    assert!(spans.iter().all(|span| !TRACEPARENT.contains(&hex(&span.trace_id))));
}

fn a_background_job_has_a_trace_of_its_own(spans: &[Span], scene: &Scene) {
    let sent = the(spans, "webhook call");
    assert_eq!(sent.kind, 3, "a client's");
    assert_eq!(attribute(sent, "server.address").as_deref(), Some("127.0.0.1"));
    assert_eq!(attribute(sent, "http.response.status_code").as_deref(), Some("204"));
    let received = scene.subscriber.received();
    assert!(!received.is_empty() && received.iter().all(|request| request.header("traceparent").is_none()));
    let job = spans.iter().find(|span| span.name == "call_webhooks").expect("a job's span");
    assert!(job.parent_span_id.is_empty());
    assert!(!children(spans, job).is_empty());
    // The shop checks its database all the time, which is part of no request and no job.
    let roots = spans.iter().filter(|span| span.parent_span_id.is_empty() && span.name.contains("::"));
    assert_eq!(roots.map(|root| &root.name).collect::<Vec<_>>(), Vec::<&String>::new());
}

fn nothing_that_a_customer_sent_is_exported(receiver: &Receiver, scene: &Scene) {
    let all = all_texts(receiver);
    assert!(all.iter().any(|text| text == "shop-under-test"));
    assert!(all.len() > 500, "hardly anything was exported: {}", all.len());
    none_holds(&all, &scene.secrets);
}

/// None of the exported texts holds one of these.
#[track_caller]
fn none_holds(texts: &[String], secrets: &[String]) {
    for secret in secrets {
        assert!(secret.len() >= 5);
        let found: Vec<&String> = texts.iter().filter(|text| text.contains(secret.as_str())).collect();
        assert!(found.is_empty(), "{secret:?} in {found:?}");
    }
}

#[test]
fn a_call_of_the_payment_provider_is_a_part_of_the_request_that_needs_it() {
    run(async {
        let (receiver, stripe) = (Receiver::start().await, FakeStripe::start(Settings::default()).await.unwrap());
        let keys = Settings::default().keys;
        let (shop, boss) = shop_with(&[
            ("OTEL_EXPORTER_OTLP_ENDPOINT", &receiver.0.base()),
            ("STRIPE_API_BASE", stripe.base()),
            ("STRIPE_SECRET_KEY", &keys.secret),
            ("STRIPE_PUBLISHABLE_KEY", &keys.publishable),
        ])
        .await;
        eventually(SOON, async || boss.send(get("/user")).at(&shop).await.status == 200).await;
        let product = inserted(&boss.send(post("/products", &draft(1_000, 2.5))).at(&shop).await);
        let customer = User::new_at(&shop).await;
        let order = inserted(&customer.send(post("/orders", &purchase(&product, 50))).at(&shop).await);
        let opened = customer.send(post("/create-payment-intent", &json!({"orderId": order}))).at(&shop).await.is(200);
        let secret = opened.json()["clientSecret"].as_str().unwrap().to_owned();

        let is_opened = |span: &Span| {
            let status = attribute(span, "http.response.status_code");
            span.name == "POST /create-payment-intent" && status.as_deref() == Some("200")
        };
        eventually(SOON, async || receiver.spans().iter().any(is_opened)).await;
        let spans = receiver.spans();
        let request = spans.iter().find(|span| is_opened(span)).unwrap();
        let tree: Vec<Span> = spans.iter().filter(|span| span.trace_id == request.trace_id).cloned().collect();
        let use_case = the(&tree, "open_payment");
        assert_eq!(use_case.parent_span_id, request.span_id);
        let asked = the(&tree, "stripe payment_intents");
        assert_eq!((asked.kind, &asked.parent_span_id), (3, &use_case.span_id), "a client's, within the use case");
        for (key, value) in
            [("server.address", "127.0.0.1"), ("peer.service", "stripe"), ("http.response.status_code", "200")]
        {
            assert_eq!(attribute(asked, key).as_deref(), Some(value));
        }
        let payment = secret.split("_secret").next().unwrap();
        let secrets = [&*keys.secret, &secret, payment, &order, &customer.email, &customer.token, &customer.session];
        none_holds(&all_texts(&receiver), &secrets.map(str::to_owned));
    });
}

#[test]
fn a_trusted_proxys_trace_is_continued_and_named_in_every_line() {
    run(async {
        let receiver = Receiver::start().await;
        let (shop, _) = Demo::serve(&[
            ("OTEL_EXPORTER_OTLP_ENDPOINT", &receiver.0.base()),
            ("TRUSTED_PROXIES", "127.0.0.0/8"),
            ("RUST_LOG", "warn,driveline::serve=info,http_adapter=info"),
        ]);
        let refused = get("/orders/none").header("traceparent", TRACEPARENT).at(&shop).await.refused(401);
        let id = "4bf92f3577b34da6a3ce929d0e0e4736";
        assert_eq!(refused["traceId"], id);
        let line: Value = serde_json::from_str(&shop.next_line_with(id)).unwrap();
        assert_eq!(
            (&line["trace_id"], &line["message"], &line["status"]),
            (&json!(id), &json!("answered"), &json!(401))
        );
        assert_eq!((&line["span"]["name"], &line["span"]["method"]), (&json!("request"), &json!("GET")));
        let spans = receiver.spans_with("GET /orders/{id}").await;
        let request = the(&spans, "GET /orders/{id}");
        assert_eq!(
            (hex(&request.trace_id), hex(&request.parent_span_id)),
            (id.to_owned(), "00f067aa0ba902b7".to_owned())
        );
        // One that the proxy does not record is not exported.
        let unrecorded = TRACEPARENT.replace("4bf9", "5bf9").replace("-01", "-00");
        get("/orders/none").header("traceparent", unrecorded).at(&shop).await.refused(401);
        get("/checkouts/none").header("traceparent", TRACEPARENT).at(&shop).await.refused(401);
        let spans = receiver.spans_with("GET /checkouts/{id}").await;
        the(&spans, "GET /orders/{id}");
    });
}

#[test]
fn without_an_exporter_problems_and_lines_have_ids_of_their_own() {
    run(async {
        let mut ids = HashSet::new();
        for _ in 0..3 {
            let problem = get("/orders/none").header("traceparent", TRACEPARENT).await.refused(401);
            let id = problem["traceId"].as_str().unwrap().to_owned();
            assert!(id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit()), "{id}");
            assert!(!TRACEPARENT.contains(&id));
            assert!(ids.insert(id));
        }
        // A repetition has the trace of the request that did the work.
        let customer = User::new().await;
        let wrong = || customer.send(post("/orders", &purchase("none", 7))).key("the same key, twice");
        let (first, second) = (wrong().await, wrong().await);
        assert_ne!(first.header("x-request-id"), second.header("x-request-id"));
        assert_eq!(second.header("idempotent-replayed"), "true");
        assert_eq!(first.json()["traceId"], second.json()["traceId"]);
    });
}

#[test]
fn a_receiver_that_hangs_delays_nobody() {
    run(async {
        let receiver = StandIn::start(vec![Reply::Hang]).await;
        let shop = Demo::open(&[("OTEL_EXPORTER_OTLP_ENDPOINT", &receiver.base())]);
        eventually(SOON, async || !receiver.received().is_empty()).await;
        let begun = Instant::now();
        for _ in 0..200 {
            get("/products?limit=1").at(&shop).await.is(200);
            get("/orders/none").at(&shop).await.is(401);
        }
        let took = begun.elapsed();
        // Each batch hangs for five seconds; four hundred calls take less than one on a quiet machine.
        assert!(took < Duration::from_secs(30), "{took:?}");
        let counted = async |result: &str| {
            let metrics = call("GET", "/metrics").at(&shop).await.is(200).text();
            let line = metrics.lines().find(|line| line.starts_with(&format!("trace_spans{{result=\"{result}\"}}")));
            line.and_then(|line| line.split(' ').next_back()?.parse::<u64>().ok())
        };
        eventually(SOON, async || counted("failed").await.is_some_and(|many| many > 0)).await;
        assert_eq!(counted("sent").await, Some(0));
        assert!(counted("dropped").await.is_some());
    });
}
