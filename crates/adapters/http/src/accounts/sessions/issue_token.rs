//! `PUT /user/{email}`.

use actix_web::web::{self, Data, Path};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app_state::AppState;
use crate::extract::Authenticated;
use crate::problem::Problem;

/// An access token.
#[derive(Serialize, ToSchema)]
pub(crate) struct Token {
    /// A JWT, valid for 15 minutes.
    token: String,
}

/// Issues an access token for one's own session.
#[utoipa::path(
    put, path = "/user/{email}",
    params(("email" = String, Path, description = "One's own e-mail")),
    responses(
        (status = 200, description = "A token", body = Token),
        (status = 403, description = "Another's e-mail"),
    )
)]
pub(crate) async fn issue_token(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<Token>, Problem> {
    let token = app.shop.signing_in.issue_token(&caller, &path)?;
    Ok(web::Json(Token { token: token.expose().to_owned() }))
}
