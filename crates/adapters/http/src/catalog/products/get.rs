//! `GET /products/{id}`.

use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse};

use super::attributes::ProductView;
use crate::app_state::AppState;
use crate::cache;
use crate::extract::id;
use crate::problem::Problem;

/// The product with this id.
///
/// # Errors
/// [`Problem`] if there is none, or the store failed.
pub(crate) async fn find_one(app: &AppState, named: &str) -> Result<ProductView, Problem> {
    Ok(app.shop.catalog.product(id(named)?).await?.ok_or_else(Problem::not_found)?.into())
}

/// One product.
#[utoipa::path(
    get, path = "/products/{id}", params(("id" = String, Path, description = "The product's id")),
    responses(
        (status = 200, description = "The product", body = ProductView),
        (status = 404, description = "No such product"),
    )
)]
pub(crate) async fn get_product(
    app: Data<AppState>,
    path: Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    cache::json(&request, HttpResponse::Ok(), &find_one(&app, &path).await?)
}
