//! `GET /products/{id}`.

use actix_web::web::{Bytes, Data, Path};
use actix_web::{HttpRequest, HttpResponse};

use super::attributes::ProductView;
use crate::app_state::AppState;
use crate::cache::{PublicJson, hex_tag};
use crate::extract::id;
use crate::problem::Problem;

/// The product with this id.
///
/// # Errors
/// [`Problem`] if there is none, or the store failed.
pub(crate) async fn find_one(app: &AppState, named: &str) -> Result<PublicJson, Problem> {
    let id = id(named)?;
    if let Some(snapshot) = app.catalog_snapshot.current().await
        // Another copy may have added it a moment ago.
        && let Some(entry) = snapshot.product(id)
    {
        let (json, tag) = (Bytes::copy_from_slice(&entry.json), hex_tag(&entry.digest));
        return Ok(PublicJson { json, tag, snapshot: Some(snapshot.number()) });
    }
    let product = app.shop.catalog.product(id).await?.ok_or_else(Problem::not_found)?;
    PublicJson::of(&ProductView::from(product))
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
    Ok(find_one(&app, &path).await?.send(&request, HttpResponse::Ok()))
}
