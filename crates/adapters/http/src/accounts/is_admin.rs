//! `GET /admin/{email}`.

use actix_web::web::{self, Data, Path};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app_state::AppState;
use crate::extract::Authenticated;
use crate::problem::{Problem, ProblemView};

/// Whether an account is an admin.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct IsAdmin {
    admin: bool,
}

/// Whether an account is an admin: one's own, or any account for an admin.
#[utoipa::path(
    get, path = "/admin/{email}", tag = "people", security(("bearer" = [])),
    params(("email" = String, Path, description = "The account's e-mail")),
    responses(
        (status = 200, description = "Whether it is", body = IsAdmin),
        (status = 401, description = "Not signed in", body = ProblemView, content_type = "application/problem+json"),
        (status = 403, description = "Another's e-mail", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn is_admin(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<IsAdmin>, Problem> {
    Ok(web::Json(IsAdmin { admin: app.shop.accounts.is_admin(&caller, &path).await? }))
}
