//! `GET /auth/sign-in-methods`.

use actix_web::web::{self, Data};
use ports::SignInMethods;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app_state::AppState;
use crate::extract::Authenticated as Visitor;
use crate::problem::{Problem, ProblemView};

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
    get, path = "/auth/sign-in-methods", tag = "identity", security(("session" = [])),
    responses(
        (status = 200, description = "Which there are", body = Methods),
        (status = 401, description = "Nobody is signed in", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn list_sign_in_methods(
    app: Data<AppState>,
    Visitor(caller): Visitor,
) -> Result<web::Json<Methods>, Problem> {
    let SignInMethods { password, google, proved } = app.shop.signing_in.sign_in_methods(&caller).await?;
    Ok(web::Json(Methods { password, google, verified: proved }))
}
