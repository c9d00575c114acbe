//! `POST /auth/password/forgot`.

use actix_web::HttpResponse;
use actix_web::web::Data;
use domain::Email;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::app_state::AppState;
use crate::extract::Json;
use crate::problem::Problem;
use crate::wire::counts::Noted;
use crate::wire::fields::{Fields, filled};

/// Whose password was forgotten.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct ForgottenPassword {
    #[schema(required, nullable = false)]
    email: Option<String>,
}

/// Sends an e-mail with a link to choose another password. The response is the same whether or not the address has an
/// account.
#[utoipa::path(
    post, path = "/auth/password/forgot", request_body = ForgottenPassword,
    responses(
        (status = 202, description = "If the address has an account, an e-mail is on its way", body = Noted),
        (status = 422, description = "No address"),
        (status = 429, description = "Too many"),
    )
)]
pub(crate) async fn request_password_reset(
    app: Data<AppState>,
    Json(sent): Json<ForgottenPassword>,
) -> Result<HttpResponse, Problem> {
    let mut fields = Fields::default();
    let email = fields.required("email", "Email", filled(sent.email.as_deref()), str::parse::<Email>);
    app.shop.account_links.request_password_reset(&fields.all(email)?).await?;
    Ok(HttpResponse::Accepted().json(Noted {}))
}
