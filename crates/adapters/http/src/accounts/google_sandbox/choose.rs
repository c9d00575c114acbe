//! `GET /sandbox/google/continue`.

use actix_web::http::header::{CACHE_CONTROL, LOCATION};
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use serde::Deserialize;
use utoipa::IntoParams;

use super::visit::{Visit, whole};
use crate::app_state::AppState;
use crate::extract::query;
use crate::problem::Problem;
use crate::wire::query::in_query;

/// The account that the user has chosen.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Chosen {
    /// One of the offered accounts.
    subject: Option<String>,
    state: Option<String>,
    nonce: Option<String>,
    challenge: Option<String>,
}

/// Sends the browser back as Google would (`demo` only).
#[utoipa::path(
    get, path = "/sandbox/google/continue", params(Chosen),
    responses(
        (status = 303, description = "Back to the shop with a code"),
        (status = 400, description = "Not begun at the shop"),
        (status = 404, description = "No sandbox, or no such account"),
    )
)]
pub(crate) async fn choose_sandbox_account(app: Data<AppState>, request: HttpRequest) -> Result<HttpResponse, Problem> {
    let sandbox = app.sandbox_accounts.as_ref().ok_or_else(Problem::not_found)?;
    let chosen = query::<Chosen>(&request)?;
    let visit = Visit { state: chosen.state, nonce: chosen.nonce, challenge: chosen.challenge };
    let (state, nonce, challenge) = whole(&visit)?;
    let subject = chosen.subject.unwrap_or_default();
    let code = sandbox.choose(&subject, nonce, challenge).ok_or_else(Problem::not_found)?;
    let back = format!("/auth/google/callback?code={}&state={}", in_query(&code), in_query(state));
    Ok(HttpResponse::SeeOther().insert_header((LOCATION, back)).insert_header((CACHE_CONTROL, "no-store")).finish())
}
