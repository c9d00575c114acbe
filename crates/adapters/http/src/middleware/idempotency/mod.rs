//! Idempotency keys: a request that is repeated under its key takes effect once, and gets the first one's response.

mod identity;
pub(crate) mod run;
mod stored_response;

use std::ops::ControlFlow;

use actix_web::body::BoxBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::web::Data;
use actix_web::{Error, HttpMessage, ResponseError, rt};
use domain::AccountId;

use crate::app_state::AppState;
use crate::extract::HoldsClaim;
use crate::middleware::attribution::attribute;
use crate::middleware::idempotency::identity::identity;
pub use crate::middleware::idempotency::run::Idempotency;
use crate::middleware::idempotency::run::{IdempotencyError, IdempotentRequest};
pub(crate) use crate::middleware::idempotency::stored_response::REPLAYED;
use crate::middleware::idempotency::stored_response::StoredResponse;
use crate::problem::Problem;
use crate::request_trace::in_this_trace;
use crate::route::RouteSpec;

/// The longest idempotency key, in characters (the length that Stripe takes).
pub(crate) const KEY_MAX: usize = 255;

/// The `Idempotency-Key` header, if one was sent: 1 to 255 printable ASCII characters.
pub(crate) fn sent_key(request: &ServiceRequest) -> Option<Result<String, Problem>> {
    let header = request.headers().get("idempotency-key")?;
    let key = header.to_str().ok().map(str::trim).filter(|key| (1..=KEY_MAX).contains(&key.len()));
    let refused = || Problem::bad_request(format!("Idempotency-Key must be 1 to {KEY_MAX} printable characters"));
    Some(key.map(str::to_owned).ok_or_else(refused))
}

/// Passes the key of a request on to its use case, which keeps it with what it creates. The body is no part of what is compared.
pub(crate) fn note_key(request: &ServiceRequest, app: &AppState, caller: Option<AccountId>) -> Result<(), Problem> {
    if let Some(sent) = sent_key(request) {
        let key = app.idempotency.key(caller, &sent?, &identity(request, &[]));
        request.extensions_mut().insert(key);
    }
    Ok(())
}

/// Runs the call once under its key. It runs to its end even if the client disconnects, so that a retry finds the
/// response. If the route keeps the key, it claims the key only if the call is refused: what it creates remembers the key.
pub(crate) async fn run_once(
    request: ServiceRequest,
    next: Next<BoxBody>,
    app: Data<AppState>,
    route: &'static RouteSpec,
    caller: Option<AccountId>,
    sent: String,
    body: &[u8],
) -> Result<ServiceResponse<BoxBody>, Error> {
    let identity = identity(&request, body);
    let outer = request.request().clone();
    let key = app.idempotency.key(caller, &sent, &identity);
    request.extensions_mut().insert(key);
    let answered = rt::spawn(in_this_trace(async move {
        let idempotent = IdempotentRequest { key, caller, sent: &sent, request: &identity };
        let run = async |request| StoredResponse::capture(attribute(route, request, &next).await).await;
        if !route.keeps_key {
            return app.idempotency.run(idempotent, run(request)).await;
        }
        // The request once more, for a run under the claim; its body has been read.
        let again = request.request().clone();
        let attempt = async {
            let (response, store_it) = run(request).await;
            let is_final = response.is_success() || !store_it;
            if is_final { ControlFlow::Break(response) } else { ControlFlow::Continue(again) }
        };
        let under_claim = async |again| {
            let request = ServiceRequest::from_request(again);
            request.extensions_mut().insert(HoldsClaim(true));
            run(request).await
        };
        app.idempotency.attempt(idempotent, attempt, under_claim).await
    }));
    let response = match answered.await {
        Ok(Ok(answered)) => answered.response.to_http(answered.replayed),
        Ok(Err(error)) => Problem::from(error).error_response(),
        Err(error) => {
            tracing::error!(%error, "a request with an idempotency key was aborted");
            Problem::unavailable().error_response()
        }
    };
    Ok(ServiceResponse::new(outer, response))
}

impl From<IdempotencyError> for Problem {
    fn from(error: IdempotencyError) -> Self {
        match error {
            IdempotencyError::Mismatch => Self::key_reused(),
            IdempotencyError::StillRunning => Self::unavailable(),
            IdempotencyError::Store(error) => error.into(),
        }
    }
}
