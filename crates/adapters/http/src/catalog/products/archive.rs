//! `DELETE /products/{id}`.

use actix_web::web;
use actix_web::web::{Data, Path};

use crate::app_state::AppState;
use crate::extract::{Authenticated, id};
use crate::problem::Problem;
use crate::wire::counts::DeletedCount;

/// Archives a product (admins); orders keep their snapshot.
#[utoipa::path(
    delete, path = "/products/{id}",
    params(("id" = String, Path, description = "The product's id")),
    responses(
        (status = 200, description = "1 if this call did it, else 0", body = DeletedCount),
    )
)]
pub(crate) async fn archive_product(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<DeletedCount>, Problem> {
    let archived = app.shop.catalog.archive_product(&caller, id(&path)?).await?;
    Ok(web::Json(archived.into()))
}
