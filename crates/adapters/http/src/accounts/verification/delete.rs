//! `POST /auth/verification/delete`.

use actix_web::web;
use actix_web::web::Data;

use crate::accounts::verification::token::AddressProof;
use crate::app_state::AppState;
use crate::extract::Json;
use crate::problem::Problem;
use crate::wire::counts::DeletedCount;

/// Deletes an account that someone else opened with the caller's address, by the link of the confirmation e-mail. The
/// address is free again.
#[utoipa::path(
    post, path = "/auth/verification/delete", request_body = AddressProof,
    responses(
        (status = 200, description = "Deleted", body = DeletedCount),
        (status = 409, description = "An admin's account"),
        (status = 410, description = "The link was used or is too old"),
        (status = 422, description = "Invalid"),
        (status = 429, description = "Too many"),
    )
)]
pub(crate) async fn delete_unproved_account(
    app: Data<AppState>,
    Json(sent): Json<AddressProof>,
) -> Result<web::Json<DeletedCount>, Problem> {
    app.shop.account_links.delete_unproved_account(&sent.parse()?).await?;
    Ok(web::Json(true.into()))
}
