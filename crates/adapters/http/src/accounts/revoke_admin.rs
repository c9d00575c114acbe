//! `DELETE /user/admin/{email}`.

use actix_web::web::{self, Data, Path};
use domain::Role;

use crate::app_state::AppState;
use crate::extract::Authenticated;
use crate::problem::Problem;
use crate::wire::counts::ModifiedCount;

/// Revokes the admin role (admins).
#[utoipa::path(
    delete, path = "/user/admin/{email}",
    params(("email" = String, Path, description = "The account's e-mail")),
    responses(
        (status = 200, description = "1 if this call did it, else 0", body = ModifiedCount),
        (status = 404, description = "No account has that e-mail"),
        (status = 409, description = "The last admin"),
    )
)]
pub(crate) async fn revoke_admin(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<ModifiedCount>, Problem> {
    Ok(web::Json(app.shop.accounts.change_role(&caller, &path, Role::Customer).await?.into()))
}
