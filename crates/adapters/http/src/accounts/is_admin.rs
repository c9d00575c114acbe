//! `GET /admin/{email}`.

use actix_web::web::{self, Data, Path};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app_state::AppState;
use crate::extract::Authenticated;
use crate::problem::Problem;

/// Whether an account is an admin.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct IsAdmin {
    admin: bool,
}

/// Whether an account is an admin: one's own, or any account for an admin.
#[utoipa::path(
    get, path = "/admin/{email}",
    params(("email" = String, Path, description = "The account's e-mail")),
    responses(
        (status = 200, description = "Whether it is", body = IsAdmin),
        (status = 403, description = "Another's e-mail"),
    )
)]
pub(crate) async fn is_admin(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<IsAdmin>, Problem> {
    Ok(web::Json(IsAdmin { admin: app.shop.accounts.is_admin(&caller, &path).await? }))
}
