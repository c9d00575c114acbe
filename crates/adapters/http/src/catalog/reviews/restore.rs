//! `POST /reviews/{id}/restore`.

use actix_web::web::{self, Data, Path};

use crate::app_state::AppState;
use crate::extract::{Authenticated, id};
use crate::problem::Problem;
use crate::wire::counts::ModifiedCount;

/// Puts a removed review back into the lists, at its old place (admins).
#[utoipa::path(
    post, path = "/reviews/{id}/restore",
    params(("id" = String, Path, description = "The review's id")),
    responses(
        (status = 200, description = "1 if this call did it, else 0", body = ModifiedCount),
    )
)]
pub(crate) async fn restore_review(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<ModifiedCount>, Problem> {
    Ok(web::Json(app.shop.catalog.restore_review(&caller, id(&path)?).await?.into()))
}
