//! `POST /auth/verification/confirm`.

use actix_web::web::Data;
use actix_web::{HttpRequest, web};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::accounts::verification::get::Verification;
use crate::accounts::verification::token::token;
use crate::app_state::AppState;
use crate::extract::{Json, session_secret};
use crate::middleware::client_address::client_network;
use crate::problem::Problem;
use crate::wire::fields::Fields;

/// The token of the e-mail's link, and what shows that the account is one's own.
#[derive(Deserialize, ToSchema)]
pub(crate) struct OwnAddressProof {
    #[schema(required, nullable = false)]
    token: Option<String>,
    /// The account's password; not needed if the caller is signed in to the account.
    #[schema(format = "password")]
    password: Option<String>,
}

/// Confirms an address by the link of an e-mail, if the caller is signed in to its account or sends its password. The
/// link alone confirms nothing: someone else may have signed up with the address.
#[utoipa::path(
    post, path = "/auth/verification/confirm", request_body = OwnAddressProof,
    responses(
        (status = 200, description = "Confirmed", body = Verification),
        (status = 409, description = "Neither signed in to the account nor its password"),
        (status = 410, description = "The link was used or is too old"),
        (status = 422, description = "Invalid, or the wrong password"),
        (status = 429, description = "Too many"),
    )
)]
pub(crate) async fn confirm_address(
    app: Data<AppState>,
    request: HttpRequest,
    Json(sent): Json<OwnAddressProof>,
) -> Result<web::Json<Verification>, Problem> {
    let mut fields = Fields::default();
    let token = token(&mut fields, sent.token);
    let token = fields.all(token)?;
    let typed = sent.password.filter(|typed| !typed.is_empty());
    let session = session_secret(&request);
    let from = client_network(&request, &app.settings);
    let typed = typed.as_deref().map(|typed| (typed, from));
    let email = app.shop.account_links.verify_email(&token, session.as_ref(), typed).await?;
    Ok(web::Json(Verification { email: email.to_string(), verified: true }))
}
