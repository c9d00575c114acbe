//! `GET /auth/google`.

use actix_web::http::header::LOCATION;
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::accounts::google::cookies::{ATTEMPT, ATTEMPT_LIFE};
use crate::app_state::AppState;
use crate::extract::query;
use crate::problem::Problem;

/// Where the browser goes after signing in.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct From {
    /// A path of this shop.
    from: Option<String>,
}

/// Sends the browser to Google.
#[utoipa::path(
    get, path = "/auth/google", params(From),
    responses(
        (status = 303, description = "To Google; sets the cookie `google-attempt`"),
        (status = 404, description = "Not set up"),
    )
)]
pub(crate) async fn begin_google(app: Data<AppState>, request: HttpRequest) -> Result<HttpResponse, Problem> {
    let query_fields = query::<From>(&request)?;
    let departure = app.shop.signing_in.begin_google(query_fields.from.as_deref().unwrap_or("/")).await?;
    let attempt = ATTEMPT.with(departure.sealed, &app.settings).max_age(ATTEMPT_LIFE).finish();
    Ok(HttpResponse::SeeOther().insert_header((LOCATION, departure.address)).cookie(attempt).finish())
}
