//! `POST /auth/verification/take-over`.

use actix_web::web::Data;
use actix_web::{HttpRequest, web};

use crate::accounts::passwords::reset::{NewPassword, PasswordOf};
use crate::app_state::AppState;
use crate::extract::Json;
use crate::middleware::client_address::client_network;
use crate::problem::Problem;

/// Takes over an account that someone else opened with the caller's address, by the link of the confirmation e-mail:
/// with another password, and without anything that opened it before.
#[utoipa::path(
    post, path = "/auth/verification/take-over", request_body = NewPassword,
    responses(
        (status = 200, description = "Done; nobody is signed in by it", body = PasswordOf),
        (status = 409, description = "An admin's account"),
        (status = 410, description = "The link was used or is too old"),
        (status = 422, description = "Invalid"),
        (status = 429, description = "Too many"),
    )
)]
pub(crate) async fn take_account_over(
    app: Data<AppState>,
    request: HttpRequest,
    Json(sent): Json<NewPassword>,
) -> Result<web::Json<PasswordOf>, Problem> {
    let (token, password) = sent.parse()?;
    let from = client_network(&request, &app.settings);
    let email = app.shop.account_links.take_account_over(&token, password, from).await?;
    Ok(web::Json(PasswordOf { email: email.to_string() }))
}
