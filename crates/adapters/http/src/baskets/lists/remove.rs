//! `DELETE /lists/{id}`.

use actix_web::web::{self, Data, Path};

use crate::app_state::AppState;
use crate::extract::{Authenticated, id};
use crate::problem::Problem;
use crate::wire::counts::DeletedCount;

/// Removes a list of one's own.
#[utoipa::path(
    delete, path = "/lists/{id}",
    params(("id" = String, Path, description = "The list's id")),
    responses(
        (status = 200, description = "Removed", body = DeletedCount),
        (status = 404, description = "No such list of one's own"),
    )
)]
pub(crate) async fn remove_list(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<DeletedCount>, Problem> {
    app.shop.baskets.remove_list(&caller, id(&path)?).await?;
    Ok(web::Json(true.into()))
}
