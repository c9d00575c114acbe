//! `DELETE /reviews/{id}`.

use actix_web::web::{self, Data, Path};

use crate::app_state::AppState;
use crate::extract::{Authenticated, id};
use crate::problem::Problem;
use crate::wire::counts::DeletedCount;

/// Removes a review from the lists (admins). It is kept, and can be put back.
#[utoipa::path(
    delete, path = "/reviews/{id}",
    params(("id" = String, Path, description = "The review's id")),
    responses(
        (status = 200, description = "1 if this call did it, else 0", body = DeletedCount),
    )
)]
pub(crate) async fn remove_review(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<DeletedCount>, Problem> {
    Ok(web::Json(app.shop.catalog.remove_review(&caller, id(&path)?).await?.into()))
}
