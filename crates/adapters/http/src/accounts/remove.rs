//! `DELETE /user/{email}`.

use actix_web::web::{self, Data, Path};

use crate::app_state::AppState;
use crate::extract::Authenticated;
use crate::problem::{Problem, ProblemView};
use crate::wire::counts::DeletedCount;

/// Removes an account: ends its sessions and access, and keeps its orders (admins).
#[utoipa::path(
    delete, path = "/user/{email}", tag = "people", security(("bearer" = [])),
    params(("email" = String, Path, description = "The account's e-mail")),
    responses(
        (status = 200, description = "Removed", body = DeletedCount),
        (status = 401, description = "Not signed in", body = ProblemView, content_type = "application/problem+json"),
        (status = 403, description = "Not an admin", body = ProblemView, content_type = "application/problem+json"),
        (status = 404, description = "No account has that e-mail", body = ProblemView, content_type = "application/problem+json"),
        (status = 409, description = "Oneself, or the last admin", body = ProblemView, content_type = "application/problem+json"),
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
