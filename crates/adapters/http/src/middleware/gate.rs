//! What every call passes before its handler: rate limits, authentication, size limit, deadline, idempotency.

use std::cell::Cell;
use std::num::NonZeroU32;
use std::rc::Rc;
use std::time::Duration;

use actix_web::body::BoxBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, HeaderValue};
use actix_web::middleware::Next;
use actix_web::web::{Bytes, BytesMut, Data};
use actix_web::{Error, HttpMessage, HttpRequest, ResponseError};
use domain::{Caller, ClientNetwork};
use futures_util::StreamExt;
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota};
use ports::StoreError;

use crate::app_state::{AppState, RateLimit, Settings};
use crate::extract;
use crate::middleware::client_address::client_network;
use crate::middleware::foreign::is_foreign;
use crate::middleware::idempotency::{run_once, sent_key};
use crate::problem::Problem;
use crate::route::{Auth, RouteSpec};

/// Size limit of a JSON body, in bytes.
const JSON_MAX: usize = 100_000;
/// Size limit of a form with a picture, in bytes; the image host checks the picture itself.
const PICTURE_MAX: usize = 5_300_000;
/// Size limit of a product file, in bytes.
const FILE_MAX: usize = 2 * 1_024 * 1_024;
/// Deadline for a body.
const BODY_DEADLINE: Duration = Duration::from_secs(20);
/// After this many checks the limiter drops the clients that have been idle for long.
const SWEEP_EVERY: u32 = 4_096;

/// Limits how often one client may call.
pub(crate) struct RateLimiter(DefaultKeyedRateLimiter<ClientNetwork>);

impl RateLimiter {
    pub(crate) fn new(rate: RateLimit) -> Self {
        let at_least_one = |n: u32| NonZeroU32::new(n).unwrap_or(NonZeroU32::MIN);
        let quota = Quota::per_minute(at_least_one(rate.per_minute)).allow_burst(at_least_one(rate.burst));
        Self(DefaultKeyedRateLimiter::keyed(quota))
    }

    fn check_rate(&self, client: ClientNetwork) -> Result<(), Problem> {
        thread_local!(static CHECKS: Cell<u32> = const { Cell::new(0) });
        let checks = CHECKS.with(|checks| {
            checks.set(checks.get().wrapping_add(1));
            checks.get()
        });
        if checks.is_multiple_of(SWEEP_EVERY) {
            self.0.retain_recent();
        }
        self.0.check_key(&client).map_err(|refused| {
            let wait = refused.wait_time_from(DefaultClock::default().now());
            Problem::rate_limited(wait)
        })
    }
}

/// The rate limits, each counted per client.
pub(crate) struct RateLimiters {
    changes: RateLimiter,
    reads: RateLimiter,
    strangers_rows: RateLimiter,
    emails: RateLimiter,
}

impl RateLimiters {
    pub(crate) fn new(settings: &Settings) -> Self {
        Self {
            changes: RateLimiter::new(settings.rate),
            reads: RateLimiter::new(settings.read_rate),
            strangers_rows: RateLimiter::new(settings.strangers_rows_rate),
            emails: RateLimiter::new(settings.email_rate),
        }
    }
}

/// Counts a request against its client's limit.
///
/// # Errors
/// 429 past it.
pub(crate) fn check_rate(request: &HttpRequest, settings: &Settings) -> Result<(), Problem> {
    let Some(limiters) = request.app_data::<Data<RateLimiters>>() else { return Ok(()) };
    let pace = if request.method().is_safe() { &limiters.reads } else { &limiters.changes };
    pace.check_rate(client_network(request, settings))
}

/// Counts a request against the limit of its own that its route may have. The route is known from the table: a request
/// may spell its path in more than one way.
fn check_row_limits(row: &RouteSpec, request: &HttpRequest, settings: &Settings) -> Result<(), Problem> {
    let Some(limiters) = request.app_data::<Data<RateLimiters>>() else { return Ok(()) };
    match row.path.as_str() {
        "/newsletter" => limiters.strangers_rows.check_rate(client_network(request, settings)),
        "/auth/signup" | "/auth/password/forgot" => limiters.emails.check_rate(client_network(request, settings)),
        _ => Ok(()),
    }
}

/// Counts a response that is to be stored for an unauthenticated client.
fn admit_memory(request: &HttpRequest, settings: &Settings) -> Result<(), Problem> {
    let Some(limiters) = request.app_data::<Data<RateLimiters>>() else { return Ok(()) };
    limiters.strangers_rows.check_rate(client_network(request, settings))
}

/// Passes a request on to one of the routes that share its path, or refuses it.
pub(crate) async fn gate(
    rows: Rc<[&'static RouteSpec]>,
    mut request: ServiceRequest,
    next: Next<BoxBody>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let method = if request.method() == Method::HEAD { &Method::GET } else { request.method() };
    let row = rows.iter().find(|row| row.method == *method);
    let app = request.app_data::<Data<AppState>>().cloned();
    let (Some(row), Some(app)) = (row, app) else {
        // No such method here: the resource's own answer says which ones there are.
        return next.call(request).await;
    };
    let changes = !request.method().is_safe();
    if !row.is_unlimited()
        && let Err(problem) = check_rate(request.request(), &app.settings)
            .and_then(|()| check_row_limits(row, request.request(), &app.settings))
    {
        return Ok(refuse(request, &problem));
    }
    if changes {
        if is_encoded(&request) {
            return Ok(refuse(request, &Problem::encoded()));
        }
        if row.uses_cookies() && is_foreign(request.request(), &app.settings) {
            return Ok(refuse(request, &Problem::foreign_page()));
        }
    }
    let caller = match enter(&request, row, &app).await {
        Ok(caller) => caller,
        Err(problem) => return Ok(refuse(request, &problem)),
    };
    let account = caller.as_ref().map(|caller| caller.account);
    if let Some(caller) = caller {
        request.extensions_mut().insert(caller);
    }
    let private = row.auth != Auth::Public || changes || row.path.starts_with("/auth/");
    let mut response = if changes {
        let most = match row.path.as_str() {
            "/images" | "/auth/me/photo" => PICTURE_MAX,
            "/products.csv" => FILE_MAX,
            _ => JSON_MAX,
        };
        let body = match body_of(&mut request, most).await {
            Ok(body) => body,
            Err(problem) => return Ok(refuse(request, &problem)),
        };
        request.extensions_mut().insert(extract::Body(body.clone()));
        match sent_key(&request).filter(|_| row.idempotent) {
            None => next.call(request).await?,
            Some(Err(problem)) => return Ok(refuse(request, &problem)),
            Some(Ok(_))
                if account.is_none()
                    && let Err(problem) = admit_memory(request.request(), &app.settings) =>
            {
                return Ok(refuse(request, &problem));
            }
            Some(Ok(sent)) => run_once(request, next, app, account, sent, &body).await?,
        }
    } else {
        next.call(request).await?
    };
    if private {
        response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    Ok(response)
}

fn refuse(request: ServiceRequest, problem: &Problem) -> ServiceResponse<BoxBody> {
    let mut response = problem.error_response();
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    request.into_response(response)
}

/// Authenticates the caller, if the route requires it. A role that can never have the permission is refused before the
/// payload is read; the use case checks again, because it knows who owns the object.
async fn enter(request: &ServiceRequest, row: &RouteSpec, app: &AppState) -> Result<Option<Caller>, Problem> {
    let found: Result<Option<Caller>, StoreError> = match row.auth {
        Auth::Public => return Ok(None),
        Auth::Bearer => match extract::bearer(request.request()) {
            Some(token) => app.shop.signing_in.caller_by_token(token).await,
            None => Ok(None),
        },
        Auth::Session => match extract::session_secret(request.request()) {
            Some(secret) => app.shop.signing_in.caller_by_cookie(&secret).await,
            None => Ok(None),
        },
    };
    let caller = found?.ok_or_else(Problem::unauthenticated)?;
    caller.require(row.permission)?;
    Ok(Some(caller))
}

/// Whether the body is compressed or otherwise encoded. It is never inflated here: a few hundred bytes can expand to
/// gigabytes, so a limit on what arrives says nothing about what comes out.
fn is_encoded(request: &ServiceRequest) -> bool {
    request.headers().get_all(CONTENT_ENCODING).any(|codings| {
        // A coding that is not even text is not a known one.
        codings.to_str().map_or(true, |codings| {
            codings
                .split(',')
                .map(str::trim)
                .any(|coding| !coding.is_empty() && !coding.eq_ignore_ascii_case("identity"))
        })
    })
}

/// The whole body, within the size limit and the deadline.
async fn body_of(request: &mut ServiceRequest, most: usize) -> Result<Bytes, Problem> {
    let announced =
        request.headers().get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    if announced.is_some_and(|length| length > most) {
        return Err(Problem::too_large(most));
    }
    let mut payload = request.take_payload();
    let read = async {
        let mut body = BytesMut::new();
        while let Some(chunk) = payload.next().await {
            let chunk = chunk.map_err(|_| Problem::bad_request("The request broke off"))?;
            if body.len() + chunk.len() > most {
                return Err(Problem::too_large(most));
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body.freeze())
    };
    tokio::time::timeout(BODY_DEADLINE, read).await.unwrap_or_else(|_| Err(Problem::too_slow()))
}
