//! Which admin did what, for the audit trail.

use std::rc::Rc;

use actix_web::body::BoxBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::USER_AGENT;
use actix_web::middleware::Next;
use actix_web::web::{Data, Query};
use actix_web::{Error, HttpMessage, HttpRequest, ResponseError};
use domain::Caller;
use ports::{AdminAction, AuditNote};

use crate::app_state::AppState;
use crate::middleware::client_address::client_address;
use crate::middleware::observe::RequestId;
use crate::middleware::trace::use_case;
use crate::problem::Problem;
use crate::route::RouteSpec;

/// How many characters of a client's name are kept.
const AGENT_MAX: usize = 200;

/// An admin's call that is to be written into the trail.
#[derive(Clone)]
pub(crate) struct Audited {
    action: AdminAction,
    is_export: bool,
}

/// Notes beside a request that what it does is attributed to its caller.
pub(crate) fn note_action(request: &HttpRequest, route: &RouteSpec, caller: &Caller, app: &AppState) {
    let agent = request.headers().get(USER_AGENT).map(|agent| String::from_utf8_lossy(agent.as_bytes()).into_owned());
    let id = request.extensions().get::<RequestId>().map(|id| id.0.clone()).unwrap_or_default();
    let action = AdminAction {
        account: caller.account,
        email: caller.email.clone(),
        operation: route.name(),
        method: route.method.to_string(),
        route: route.path.clone(),
        client_address: client_address(request, &app.settings),
        user_agent: agent.map(|agent| agent.chars().take(AGENT_MAX).collect()),
        request_id: id,
        not_own: route.permission.is_for_owners(),
    };
    request.extensions_mut().insert(Rc::new(Audited { action, is_export: route.is_export() }));
}

/// Runs the handler. What an audited call changes is attributed to the admin, by the transactions that change it.
pub(crate) async fn attribute(
    route: &RouteSpec,
    request: ServiceRequest,
    next: &Next<BoxBody>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let audited = request.extensions().get::<Rc<Audited>>().cloned();
    let app = request.app_data::<Data<AppState>>().cloned();
    let (Some(audited), Some(app)) = (audited, app) else { return use_case(route, request, next).await };
    let outer = request.request().clone();
    let mut answer = None;
    let work = Box::pin(async { answer = Some(run(route, request, next, &audited, &app).await) });
    app.audit_scope.attribute(&audited.action, work).await;
    answer.unwrap_or_else(|| Ok(ServiceResponse::new(outer, Problem::unavailable().error_response())))
}

/// An export is noted before any of it is sent. If that fails, nothing is.
async fn run(
    route: &RouteSpec,
    request: ServiceRequest,
    next: &Next<BoxBody>,
    audited: &Audited,
    app: &AppState,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let details = audited.is_export.then(|| asked(request.query_string(), request.match_info().iter()));
    let response = use_case(route, request, next).await?;
    let Some(details) = details.filter(|_| response.status().is_success()) else { return Ok(response) };
    let note = AuditNote { kind: "export", target: None, details };
    match app.shop.audit.note(&note).await {
        Ok(()) => Ok(response),
        Err(error) => Ok(response.into_response(Problem::from(error).error_response())),
    }
}

/// What an export was asked for: the parameters of its address.
fn asked<'a>(query: &str, path: impl Iterator<Item = (&'a str, &'a str)>) -> Vec<(String, String)> {
    let of_query = Query::<Vec<(String, String)>>::from_query(query).map(Query::into_inner).unwrap_or_default();
    path.map(|(name, value)| (name.to_owned(), value.to_owned())).chain(of_query).collect()
}
