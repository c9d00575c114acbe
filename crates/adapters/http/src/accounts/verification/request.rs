//! `POST /auth/verification`.

use actix_web::HttpResponse;
use actix_web::web::Data;

use crate::app_state::AppState;
use crate::extract::Authenticated;
use crate::problem::Problem;
use crate::wire::counts::Noted;

/// Sends the confirmation e-mail again; none if the address is confirmed.
#[utoipa::path(
    post, path = "/auth/verification",
    responses(
        (status = 202, description = "Noted", body = Noted),
        (status = 429, description = "Too many"),
    )
)]
pub(crate) async fn request_verification(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
) -> Result<HttpResponse, Problem> {
    app.shop.account_links.request_verification(&caller).await?;
    Ok(HttpResponse::Accepted().json(Noted {}))
}
