//! `GET /auth/verification`.

use actix_web::web;
use actix_web::web::Data;
use domain::Account;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app_state::AppState;
use crate::extract::Authenticated;
use crate::problem::Problem;

/// Whether the caller's address is confirmed.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Verification {
    pub(super) email: String,
    pub(super) verified: bool,
}

impl From<Account> for Verification {
    fn from(account: Account) -> Self {
        Self { email: account.email.to_string(), verified: account.proved_at.is_some() }
    }
}

/// Whether the caller's address is confirmed.
#[utoipa::path(
    get, path = "/auth/verification",
    responses(
        (status = 200, description = "Whether it was", body = Verification),
    )
)]
pub(crate) async fn get_verification(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
) -> Result<web::Json<Verification>, Problem> {
    Ok(web::Json(app.shop.accounts.me(&caller).await?.into()))
}
