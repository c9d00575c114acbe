//! The HTTP server.

use std::future::ready;
use std::net::TcpListener;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use actix_cors::Cors;
use actix_http::HttpService;
use actix_http::error::DispatchError;
use actix_service::{IntoServiceFactory, ServiceFactoryExt, fn_service, map_config};
use actix_web::dev::{AppConfig, HttpServiceFactory, Server};
use actix_web::http::header::HeaderValue;
use actix_web::http::{Method, header};
use actix_web::middleware::{Compress, Condition, from_fn};
use actix_web::web::{self, Data, ServiceConfig};
use actix_web::{App, Error, HttpServer, ResponseError, guard};
use tokio::net::TcpStream;

use crate::app_state::{AppState, MetricsText};
use crate::connection::{Connection, Connections};
use crate::encoding::Compressed;
use crate::middleware::content_policy::ContentPolicy;
use crate::middleware::enforce::enforce;
use crate::middleware::known_host::known_host;
use crate::middleware::lifecycle::lifecycle;
use crate::middleware::observe::observe;
use crate::middleware::panics::{self, answer_panics};
use crate::middleware::rate_limit::{self, RateLimiters};
use crate::middleware::reuse::Reuse;
use crate::middleware::shedding;
use crate::pages::sitemap::KnownPages;
use crate::payments::provider_events;
use crate::platform::api_description::ApiDescription;
use crate::platform::client_errors;
use crate::platform::metrics::metrics_alone;
use crate::problem::Problem;
use crate::route::RouteSpec;
use crate::routes::routes;
use crate::web_client;

/// Deadline for a request's head.
const HEAD_DEADLINE: Duration = Duration::from_secs(10);
/// How long an idle connection is kept open.
const KEEP_ALIVE: Duration = Duration::from_secs(30);
/// The least connections that a worker may have, however few file descriptors there are.
const ROOM_MIN: usize = 16;
/// How long requests in flight may take to finish after the server is stopped, in seconds.
const DRAIN_SECONDS: u64 = 20;

/// Serves the shop on a listening socket. The server runs once it is awaited; it handles no signals, and stops through
/// its handle.
///
/// # Errors
/// If the socket cannot be used, or the card form's origins are none.
pub fn serve(app: AppState, listener: TcpListener) -> std::io::Result<Server> {
    client_errors::count_from_zero();
    panics::count_from_zero();
    provider_events::count_from_zero();
    rate_limit::count_from_zero();
    shedding::count_from_zero();
    let workers = app.settings.workers.max(1);
    let room = (app.settings.max_connections / workers).max(ROOM_MIN);
    let address = listener.local_addr()?;
    let limiters = Data::new(RateLimiters::new(&app.settings));
    let description = Data::new(ApiDescription::default());
    let policy = ContentPolicy::allowing(&app.browser_payments.origins).map_err(std::io::Error::other)?;
    let policy = Data::new(policy);
    let app = Data::new(app);
    let compressed = Data::new(Compressed::default());
    let known_pages = Data::new(KnownPages::default());
    let reuse =
        Reuse { app: app.clone(), limiters: limiters.clone(), policy: policy.clone(), responses: Arc::default() };
    // What `HttpServer` would assemble, except for the stream, which is a [`Connection`].
    let server = Server::build();
    let closing = server.graceful_shutdown_signal();
    let worker = move || {
        let factory = App::new()
            .configure(|config| configure(config, &app, &limiters))
            .app_data(description.clone())
            .app_data(policy.clone())
            .app_data(compressed.clone())
            .app_data(known_pages.clone())
            .wrap(from_fn(lifecycle))
            .wrap(Condition::new(!app.settings.cors_origins.is_empty(), cors(&app.settings.cors_origins)))
            .wrap(from_fn(known_host))
            .wrap(Compress::default())
            .wrap(from_fn(observe))
            .wrap(reuse.clone());
        let factory = factory.into_factory().map_err(|error: Error| error.error_response());
        let closing = closing.clone();
        let http = HttpService::build()
            .graceful_shutdown_signal(move || {
                let closing = closing.clone();
                async move { closing.notified().await }
            })
            .keep_alive(KEEP_ALIVE)
            .client_request_timeout(HEAD_DEADLINE)
            .local_addr(address)
            .on_connect_ext(|connection: &Connection, data| {
                data.insert(connection.seat());
            })
            .h1(map_config(factory, |()| AppConfig::default()));
        let (connections, write_timeout) = (Connections::new(room), app.settings.write_timeout);
        fn_service(move |stream: TcpStream| {
            let peer = stream.peer_addr().ok();
            ready(Ok::<_, DispatchError>((Connection::new(stream, &connections, write_timeout), peer)))
        })
        .and_then(http)
    };
    let server = server
        .workers(workers)
        .max_concurrent_connections(room)
        .shutdown_timeout(DRAIN_SECONDS)
        .disable_signals()
        .listen("shop", listener, worker)?;
    Ok(server.run())
}

/// Serves only the metrics, on a listening socket that the public cannot reach.
///
/// # Errors
/// If the socket cannot be used.
pub fn serve_metrics(metrics: MetricsText, listener: TcpListener) -> std::io::Result<Server> {
    let metrics = Data::from(metrics);
    let server = HttpServer::new(move || {
        App::new()
            .app_data(metrics.clone())
            .route("/metrics", web::get().to(metrics_alone))
            .route("/metrics", web::head().to(metrics_alone))
            .default_service(web::to(|| ready(Problem::not_found().error_response())))
    })
    .workers(1)
    .client_request_timeout(HEAD_DEADLINE)
    .disable_signals()
    .listen(listener)?
    .run();
    Ok(server)
}

fn configure(config: &mut ServiceConfig, app: &Data<AppState>, limiters: &Data<RateLimiters>) {
    config.app_data(app.clone()).app_data(limiters.clone());
    let mut remaining: Vec<&RouteSpec> =
        routes().iter().filter(|route| app.settings.demo || !route.demo_only).collect();
    while let Some(path) = remaining.first().map(|route| route.path.as_str()) {
        let (here, elsewhere) = remaining.into_iter().partition::<Vec<_>, _>(|route| route.path == path);
        remaining = elsewhere;
        config.service(resource(path, here.into()));
    }
    config.default_service(web::to(web_client::serve));
}

/// All routes of one path, behind the middleware.
fn resource(path: &'static str, routes: Rc<[&'static RouteSpec]>) -> impl HttpServiceFactory + 'static {
    let mut resource = web::resource(path);
    for spec in routes.iter() {
        let route = (spec.handler)();
        let route = if spec.method == Method::GET {
            route.guard(guard::Any(guard::Get()).or(guard::Head()))
        } else {
            route.method(spec.method.clone())
        };
        resource = resource.route(route);
    }
    let mut allowed: Vec<&str> = routes.iter().map(|spec| spec.method.as_str()).collect();
    if allowed.contains(&"GET") {
        allowed.push("HEAD");
    }
    let allowed = allowed.join(", ");
    resource
        .default_service(web::to(move || {
            let mut response = Problem::method_not_allowed().error_response();
            if let Ok(allowed) = HeaderValue::from_str(&allowed) {
                response.headers_mut().insert(header::ALLOW, allowed);
            }
            ready(response)
        }))
        .wrap(from_fn(answer_panics))
        .wrap(from_fn(move |request, next| enforce(Rc::clone(&routes), request, next)))
}

fn cors(origins: &[String]) -> Cors {
    let cors = Cors::default()
        .allowed_methods([Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE])
        .allowed_headers([header::AUTHORIZATION, header::CONTENT_TYPE, header::IF_NONE_MATCH])
        .allowed_header("idempotency-key")
        .expose_headers(["x-total-count", "link", "etag", "x-request-id", "retry-after", "content-disposition"])
        .supports_credentials()
        .max_age(600);
    origins.iter().fold(cors, |cors, origin| cors.allowed_origin(origin))
}
