//! `DELETE /notes/{id}`.

use actix_web::web::{self, Data, Path};

use crate::app_state::AppState;
use crate::extract::{Authenticated, id};
use crate::problem::Problem;
use crate::wire::counts::DeletedCount;

/// Removes an internal note (admins).
#[utoipa::path(
    delete, path = "/notes/{id}",
    params(("id" = String, Path, description = "The note's id")),
    responses(
        (status = 200, description = "1 if this call did it, else 0", body = DeletedCount),
    )
)]
pub(crate) async fn remove_note(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<DeletedCount>, Problem> {
    Ok(web::Json(app.shop.orders.remove_note(&caller, id(&path)?).await?.into()))
}
