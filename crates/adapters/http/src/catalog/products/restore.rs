//! `POST /products/{id}/restore`.

use actix_web::web;
use actix_web::web::{Data, Path};

use crate::app_state::AppState;
use crate::extract::{Authenticated, id};
use crate::problem::Problem;
use crate::wire::counts::ModifiedCount;

/// Puts an archived product up for sale again, as it was (admins).
#[utoipa::path(
    post, path = "/products/{id}/restore",
    params(("id" = String, Path, description = "The product's id")),
    responses(
        (status = 200, description = "1 if this call did it, else 0", body = ModifiedCount),
        (status = 404, description = "There never was such a product"),
    )
)]
pub(crate) async fn restore_product(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<ModifiedCount>, Problem> {
    let restored = app.shop.catalog.restore_product(&caller, id(&path)?).await?;
    Ok(web::Json(restored.into()))
}
