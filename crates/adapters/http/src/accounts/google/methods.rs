//! `GET /auth/sign-in-methods`.

use actix_web::web::{self, Data};
use ports::SignInMethods;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app_state::AppState;
use crate::extract::Authenticated as Visitor;
use crate::problem::Problem;

/// The sign-in methods of an account.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Methods {
    /// Whether it has a password.
    password: bool,
    /// Whether a Google account is linked.
    google: bool,
    /// Whether its address is confirmed.
    verified: bool,
}

/// The sign-in methods of one's own account.
#[utoipa::path(
    get, path = "/auth/sign-in-methods",
    responses(
        (status = 200, description = "Which there are", body = Methods),
    )
)]
pub(crate) async fn list_sign_in_methods(
    app: Data<AppState>,
    Visitor(caller): Visitor,
) -> Result<web::Json<Methods>, Problem> {
    let SignInMethods { password, google, proved } = app.shop.signing_in.sign_in_methods(&caller).await?;
    Ok(web::Json(Methods { password, google, verified: proved }))
}
