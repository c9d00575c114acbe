//! Sends responses again that were made from the current snapshot of the catalogue, before any other work is done, and refuses what
//! is too much ([`super::shedding`]).
//!
//! Of what the other middleware does, a response that is sent again gets what may differ between two requests for it: the
//! rate limit, the request's id, a trace, the metrics, and 304 for a client that has it. All else was done when it was made. It is
//! logged at the level of debugging: a line for each would cost more than the response.

use std::future::{Ready, ready};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{Service, ServiceRequest, ServiceResponse, Transform};
use actix_web::http::header::{
    ACCESS_CONTROL_ALLOW_CREDENTIALS, ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS, AUTHORIZATION,
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, HOST, HeaderName, HeaderValue, ORIGIN, VARY,
};
use actix_web::http::{ConnectionType, Method, StatusCode};
use actix_web::web::{Bytes, Data};
use actix_web::{Error, HttpMessage, HttpResponse, ResponseError};
use futures_util::future::{Either, LocalBoxFuture};
use metrics::{Counter, Histogram};
use ports::Readiness;
use quick_cache::sync::Cache;
use quick_cache::{Equivalent, Weighter};

use crate::app_state::AppState;
use crate::cache::{Reusable, has_already};
use crate::connection::Seat;
use crate::encoding::Encoding;
use crate::middleware::content_policy::ContentPolicy;
use crate::middleware::known_host::is_this_machine;
use crate::middleware::observe::{DURATIONS, REQUEST_ID, REQUESTS, secure};
use crate::middleware::rate_limit::RateLimiters;
use crate::middleware::shedding::Shedding;
use crate::middleware::trace::{exported, trace_of};
use crate::problem::Problem;
use crate::request_trace::end;

/// How many bytes of responses are kept.
const KEPT: u64 = 16 * 1024 * 1024;
/// About how large a response is, of pages and lists together.
const USUAL_SIZE: u64 = 8 * 1024;

/// A response, and what it is the response to.
struct Kept {
    /// The number of the snapshot that it was made from.
    snapshot: u64,
    tag: String,
    headers: Vec<(HeaderName, HeaderValue)>,
    /// Headers that a 304 does not carry.
    with_body: Vec<(HeaderName, HeaderValue)>,
    body: Bytes,
    route: String,
    /// Whether a caller may get another one.
    varies_by_caller: bool,
    sent: Counter,
    unchanged: Counter,
    took: Histogram,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Key(Encoding, Box<str>);

/// A [`Key`] that is looked up.
#[derive(Hash)]
struct Wanted<'a>(Encoding, &'a str);

impl Equivalent<Key> for Wanted<'_> {
    fn equivalent(&self, Key(encoding, target): &Key) -> bool {
        self.0 == *encoding && self.1 == target.as_ref()
    }
}

#[derive(Clone)]
struct Size;

impl Weighter<Key, Arc<Kept>> for Size {
    fn weight(&self, Key(_, target): &Key, kept: &Arc<Kept>) -> u64 {
        // A thousand for the headers and the bookkeeping.
        (target.len() + kept.body.len() + 1_000) as u64
    }
}

/// The responses that are kept, for all workers.
pub(crate) struct Responses(Cache<Key, Arc<Kept>, Size>);

impl Default for Responses {
    fn default() -> Self {
        let many = usize::try_from(KEPT / USUAL_SIZE).unwrap_or(usize::MAX);
        Self(Cache::with_weighter(many, KEPT, Size))
    }
}

/// The middleware.
#[derive(Clone)]
pub(crate) struct Reuse {
    pub(crate) app: Data<AppState>,
    pub(crate) limiters: Data<RateLimiters>,
    pub(crate) policy: Data<ContentPolicy>,
    pub(crate) responses: Arc<Responses>,
}

impl Reuse {
    /// The response, if one for this request is kept.
    fn response(&self, request: &ServiceRequest) -> Option<HttpResponse> {
        let begun = Instant::now();
        let headers = request.headers();
        if *request.method() != Method::GET
            || headers.contains_key(ORIGIN)
            || self.app.lifecycle.readiness() != Readiness::Ready
            || (self.app.settings.demo && !is_known_host(request))
        {
            return None;
        }
        let snapshot = self.app.catalog_snapshot.up_to_date()?;
        let wanted = Wanted(Encoding::preferred(request.request()), request.uri().path_and_query()?.as_str());
        let kept = self.responses.0.get(&wanted).filter(|kept| kept.snapshot == snapshot)?;
        if kept.varies_by_caller && headers.contains_key(AUTHORIZATION) {
            return None;
        }
        // A client past its limit is refused where all others are.
        self.limiters.check_read(request.request(), &self.app.settings).ok()?;
        let id = HeaderValue::try_from(self.app.ids.fresh().to_string()).ok()?;
        let mut response = if has_already(headers, &kept.tag) {
            kept.unchanged.increment(1);
            HttpResponse::new(StatusCode::NOT_MODIFIED)
        } else {
            kept.sent.increment(1);
            let mut response = HttpResponse::with_body(StatusCode::OK, BoxBody::new(kept.body.clone()));
            for (name, value) in &kept.with_body {
                response.headers_mut().append(name.clone(), value.clone());
            }
            response
        };
        for (name, value) in &kept.headers {
            response.headers_mut().append(name.clone(), value.clone());
        }
        if let Some(seat) = request.conn_data::<Rc<Seat>>() {
            seat.serve();
            if seat.is_wanted() {
                response.head_mut().set_connection_type(ConnectionType::Close);
            }
        }
        self.trace(request, &kept, response.status(), &id);
        response.headers_mut().append(REQUEST_ID, id);
        kept.took.record(begun.elapsed().as_secs_f64());
        Some(response)
    }

    /// Logs and traces what was sent again.
    fn trace(&self, request: &ServiceRequest, kept: &Kept, status: StatusCode, id: &HeaderValue) {
        let trace = trace_of(request, &self.app);
        let route = Some(kept.route.as_str()).filter(|route| *route != "static");
        let exported = exported("GET", route, &self.app);
        self.app.traces.begin(&exported, trace);
        end(&exported, status);
        tracing::debug!(?id, trace_id = %trace.id, route = kept.route, status = status.as_u16(), "sent again");
    }

    /// The response to a request that is too much: as any other, but made with as little work as can be. Its route is not known.
    fn refuse(&self, request: &ServiceRequest) -> HttpResponse {
        let mut response = Problem::unavailable().error_response();
        let headers = response.headers_mut();
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if let Ok(id) = HeaderValue::try_from(self.app.ids.fresh().to_string()) {
            headers.insert(REQUEST_ID, id);
        }
        // The layer that says which other origins may read a response is not reached.
        if let Some(origin) = request.headers().get(ORIGIN).filter(|origin| self.is_allowed(origin)) {
            headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
            headers.insert(ACCESS_CONTROL_ALLOW_CREDENTIALS, HeaderValue::from_static("true"));
            headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("retry-after, x-request-id"));
            headers.insert(VARY, HeaderValue::from_static("Origin"));
        }
        secure(headers, Some(&self.policy), self.app.settings.is_https());
        if let Some(seat) = request.conn_data::<Rc<Seat>>() {
            seat.serve();
            if seat.is_wanted() {
                response.head_mut().set_connection_type(ConnectionType::Close);
            }
        }
        let method = if *request.method() == Method::GET { "GET" } else { "POST" };
        metrics::counter!(REQUESTS, "method" => method, "route" => "refused", "status" => "503").increment(1);
        response
    }

    fn is_allowed(&self, origin: &HeaderValue) -> bool {
        self.app.settings.cors_origins.iter().any(|allowed| allowed.as_bytes() == origin.as_bytes())
    }

    /// Keeps a response that was made from a snapshot.
    fn keep(&self, response: &ServiceResponse<BoxBody>) {
        let request = response.request();
        let Some(Reusable { snapshot, tag, media_type, encoding, body }) = request.extensions_mut().remove() else {
            return;
        };
        let has_status = matches!(response.status(), StatusCode::OK | StatusCode::NOT_MODIFIED);
        let Some(target) = request.uri().path_and_query().filter(|_| has_status) else { return };
        // The response to a page of another origin says so.
        if request.headers().contains_key(ORIGIN) || body.len() as u64 > KEPT / 16 {
            return;
        }
        let mut with_body = vec![(CONTENT_TYPE, HeaderValue::from_static(media_type))];
        with_body.extend(encoding.name().map(|name| (CONTENT_ENCODING, HeaderValue::from_static(name))));
        let is_own = |name: &HeaderName| [CONTENT_TYPE, CONTENT_ENCODING, REQUEST_ID].contains(name);
        let headers = response.headers().iter().filter(|(name, _)| !is_own(name));
        let headers = headers.map(|(name, value)| (name.clone(), value.clone())).collect();
        let route = request.match_pattern().unwrap_or_else(|| "static".to_owned());
        let counter = |status: &'static str| metrics::counter!(REQUESTS, "method" => "GET", "route" => route.clone(), "status" => status);
        let varies_by_caller = response.headers().get_all(VARY).any(|by| by.as_bytes().ends_with(b"authorization"));
        let kept = Kept {
            snapshot,
            varies_by_caller,
            tag,
            headers,
            with_body,
            body,
            sent: counter("200"),
            unchanged: counter("304"),
            took: metrics::histogram!(DURATIONS, "route" => route.clone()),
            route,
        };
        self.responses.0.insert(Key(encoding, target.as_str().into()), Arc::new(kept));
    }
}

fn is_known_host(request: &ServiceRequest) -> bool {
    let host = request.headers().get(HOST).map(|host| host.to_str().unwrap_or_default());
    host.is_none_or(is_this_machine)
}

impl<S, B> Transform<S, ServiceRequest> for Reuse
where
    S: Service<ServiceRequest, Response = ServiceResponse<B>, Error = Error> + 'static,
    S::Future: 'static,
    B: MessageBody + 'static,
{
    type Response = ServiceResponse<BoxBody>;
    type Error = Error;
    type Transform = Reusing<S>;
    type InitError = ();
    type Future = Ready<Result<Reusing<S>, ()>>;

    fn new_transform(&self, service: S) -> Self::Future {
        let shedding = Shedding::new(self.app.settings.queue_delay);
        ready(Ok(Reusing { reuse: Rc::new(self.clone()), shedding, service }))
    }
}

/// The middleware before a service.
pub(crate) struct Reusing<S> {
    reuse: Rc<Reuse>,
    shedding: Shedding,
    service: S,
}

impl<S, B> Service<ServiceRequest> for Reusing<S>
where
    S: Service<ServiceRequest, Response = ServiceResponse<B>, Error = Error>,
    S::Future: 'static,
    B: MessageBody + 'static,
{
    type Response = ServiceResponse<BoxBody>;
    type Error = Error;
    type Future = Either<Ready<Result<Self::Response, Error>>, LocalBoxFuture<'static, Result<Self::Response, Error>>>;

    actix_web::dev::forward_ready!(service);

    fn call(&self, request: ServiceRequest) -> Self::Future {
        if let Some(response) = self.reuse.response(&request) {
            return Either::Left(ready(Ok(request.into_response(response))));
        }
        let Ok(mut admitted) = self.shedding.admit(&request) else {
            let response = self.reuse.refuse(&request);
            return Either::Left(ready(Ok(request.into_response(response))));
        };
        let (reuse, answering) = (Rc::clone(&self.reuse), self.service.call(request));
        Either::Right(Box::pin(async move {
            let response = answering.await?.map_into_boxed_body();
            if let Some(admitted) = &mut admitted {
                admitted.answered(response.status());
            }
            reuse.keep(&response);
            Ok(response)
        }))
    }
}
