//! `POST /auth/google/link`.

use actix_web::HttpResponse;
use actix_web::web::Data;
use serde::Serialize;
use utoipa::ToSchema;

use crate::accounts::google::cookies::{ATTEMPT, ATTEMPT_LIFE};
use crate::app_state::AppState;
use crate::extract::Authenticated as Visitor;
use crate::problem::Problem;

/// The page that shows the sign-in methods.
pub(super) const PROFILE: &str = "/dashboard/profile";

/// Where to send the browser.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct WayToGoogle {
    /// Google's page.
    address: String,
}

/// Begins to link a Google account to one's own. The browser goes to the returned address, and comes back to the
/// profile.
#[utoipa::path(
    post, path = "/auth/google/link",
    responses(
        (status = 200, description = "Where to go; sets the cookie `google-attempt`", body = WayToGoogle),
        (status = 403, description = "Too long after signing in, or after the second step"),
        (status = 404, description = "Not set up"),
    )
)]
pub(crate) async fn begin_google_link(app: Data<AppState>, Visitor(caller): Visitor) -> Result<HttpResponse, Problem> {
    let departure = app.shop.signing_in.begin_google_link(&caller, PROFILE).await?;
    let attempt = ATTEMPT.with(departure.sealed, &app.settings).max_age(ATTEMPT_LIFE).finish();
    Ok(HttpResponse::Ok().cookie(attempt).json(WayToGoogle { address: departure.address }))
}
