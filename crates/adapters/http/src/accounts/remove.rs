//! `DELETE /user/{email}`.

use actix_web::web::{self, Data, Path};

use crate::app_state::AppState;
use crate::extract::Authenticated;
use crate::problem::Problem;
use crate::wire::counts::DeletedCount;

/// Removes an account: ends its sessions and access, and keeps its orders (admins).
#[utoipa::path(
    delete, path = "/user/{email}",
    params(("email" = String, Path, description = "The account's e-mail")),
    responses(
        (status = 200, description = "Removed", body = DeletedCount),
        (status = 404, description = "No account has that e-mail"),
        (status = 409, description = "Oneself, or the last admin"),
    )
)]
pub(crate) async fn remove_account(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<DeletedCount>, Problem> {
    app.shop.accounts.remove_account(&caller, &path).await?;
    Ok(web::Json(true.into()))
}
