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
    if let Some(product) = app.shop.catalog.product(id).await? {
        return PublicJson::of(&ProductView::whole(product));
    }
    match app.shop.catalog.successor(id).await? {
        Some(successor) => Err(Problem::replaced(&successor)),
        None => Err(Problem::not_found()),
    }
}

/// One product.
#[utoipa::path(
    get, path = "/products/{id}", params(("id" = String, Path, description = "The product's id")),
    responses(
        (status = 200, description = "The product", body = ProductView),
        (status = 404, description = "No such product"),
        (status = 410, description = "It was replaced by another (`replacedBy`)"),
    )
)]
pub(crate) async fn get_product(
    app: Data<AppState>,
    path: Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    Ok(find_one(&app, &path).await?.send(&request, HttpResponse::Ok()))
}
