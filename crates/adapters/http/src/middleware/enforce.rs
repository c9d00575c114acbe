//! What every call passes before its handler, in this order: rate limits, authentication, the body, its idempotency key.

use std::rc::Rc;

use actix_web::body::BoxBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::{CACHE_CONTROL, HeaderValue};
use actix_web::middleware::Next;
use actix_web::web::Data;
use actix_web::{Error, HttpMessage, ResponseError};
use domain::AccountId;
use ports::Patience;

use crate::app_state::AppState;
use crate::extract;
use crate::middleware::attribution::{attribute, note_action};
use crate::middleware::auth::authenticate;
use crate::middleware::body::{is_encoded, read_body};
use crate::middleware::foreign::is_foreign;
use crate::middleware::idempotency::{note_key, run_once, sent_key};
use crate::middleware::rate_limit::{check_rate, check_route_limits, check_stored_responses};
use crate::problem::Problem;
use crate::route::RouteSpec;

/// Passes a request on to one of the routes that share its path, or refuses it.
pub(crate) async fn enforce(
    routes: Rc<[&'static RouteSpec]>,
    mut request: ServiceRequest,
    next: Next<BoxBody>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let method = if request.method() == Method::HEAD { &Method::GET } else { request.method() };
    let route = routes.iter().find(|route| route.method == *method).copied();
    let app = request.app_data::<Data<AppState>>().cloned();
    let (Some(route), Some(app)) = (route, app) else {
        // No such method here: the resource's own answer says which ones there are.
        return next.call(request).await;
    };
    let changes = !request.method().is_safe();
    let account = match admit(&mut request, route, &app).await {
        Ok(account) => account,
        Err(problem) => return Ok(refuse(request, &problem)),
    };
    let private = !route.is_public() || changes || route.path.starts_with("/auth/");
    let mut response = if changes {
        change(request, next, route, app, account).await?
    } else {
        attribute(route, request, &next).await?
    };
    if private {
        response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    Ok(response)
}

/// Whether a request may come in, before its body is read. Its caller, if it has one, is put beside it.
async fn admit(request: &mut ServiceRequest, route: &RouteSpec, app: &AppState) -> Result<Option<AccountId>, Problem> {
    if !route.is_unlimited() {
        check_rate(request.request(), &app.settings)?;
        check_route_limits(route, request.request(), app).await?;
    }
    if !request.method().is_safe() {
        if is_encoded(request) {
            return Err(Problem::encoded());
        }
        if route.uses_cookies() && is_foreign(request.request(), &app.settings) {
            return Err(Problem::foreign_page());
        }
    }
    let caller = authenticate(request, route, app).await?;
    let account = caller.as_ref().map(|caller| caller.account);
    if let Some(caller) = caller {
        if route.is_export()
            && let Some(patience) = Patience::current()
        {
            // Its first rows may be those of years. Nobody waits for a connection for longer because of that.
            patience.allow_long_work();
        }
        if route.is_audited() {
            note_action(request.request(), route, &caller, app);
        }
        request.extensions_mut().insert(caller);
    }
    Ok(account)
}

/// Reads the body of a call that changes something and runs it, once if it has an idempotency key.
async fn change(
    mut request: ServiceRequest,
    next: Next<BoxBody>,
    route: &'static RouteSpec,
    app: Data<AppState>,
    account: Option<AccountId>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    if route.streams() {
        if let Err(problem) = note_key(&request, &app, account) {
            return Ok(refuse(request, &problem));
        }
        return attribute(route, request, &next).await;
    }
    let body = match read_body(&mut request, route).await {
        Ok(body) => body,
        Err(problem) => return Ok(refuse(request, &problem)),
    };
    request.extensions_mut().insert(extract::Body(body.clone()));
    let sent = match sent_key(&request).filter(|_| route.idempotent) {
        None => return attribute(route, request, &next).await,
        Some(Err(problem)) => return Ok(refuse(request, &problem)),
        Some(Ok(sent)) => sent,
    };
    if account.is_none()
        && let Err(problem) = check_stored_responses(request.request(), &app).await
    {
        return Ok(refuse(request, &problem));
    }
    run_once(request, next, app, route, account, sent, &body).await
}

fn refuse(request: ServiceRequest, problem: &Problem) -> ServiceResponse<BoxBody> {
    let mut response = problem.error_response();
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    request.into_response(response)
}
