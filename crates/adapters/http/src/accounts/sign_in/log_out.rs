//! `POST /auth/logout`.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use application::Demanded;

use crate::accounts::sign_in::cookies::remove_cookies;
use crate::app_state::AppState;
use crate::extract::session_secret;
use crate::problem::Problem;

/// Ends the session, on the server too. Without one there is nothing to do.
#[utoipa::path(
    post, path = "/auth/logout",
    responses((status = 204, description = "Signed out"))
)]
pub(crate) async fn log_out(app: Data<AppState>, request: HttpRequest) -> Result<HttpResponse, Problem> {
    if let Some(secret) = session_secret(&request)
        && let Some(caller) = app.shop.signing_in.caller_by_cookie(&secret, Demanded::FIRST_FACTOR).await?
    {
        app.shop.signing_in.log_out(&caller).await?;
    }
    let mut response = HttpResponse::NoContent();
    remove_cookies(&mut response, &app.settings);
    Ok(response.finish())
}
