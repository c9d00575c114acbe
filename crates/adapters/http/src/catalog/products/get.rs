//! `GET /products/{id}`.

use actix_web::http::header::{CACHE_CONTROL, HeaderValue, VARY};
use actix_web::web::{Bytes, Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use application::Demanded;
use domain::Permission;

use super::attributes::ProductView;
use crate::app_state::AppState;
use crate::cache::{PublicJson, hex_tag};
use crate::extract::{bearer, id};
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
        (status = 200, description = "The product; with a bearer also `yourPrice`, and for no cache", body = ProductView),
        (status = 404, description = "No such product"),
        (status = 410, description = "It was replaced by another (`replacedBy`)"),
    )
)]
pub(crate) async fn get_product(
    app: Data<AppState>,
    path: Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    if let Some(personal) = with_own_price(&app, &path, &request).await? {
        return Ok(personal);
    }
    let mut response = find_one(&app, &path).await?.send(&request, HttpResponse::Ok());
    response.headers_mut().insert(VARY, HeaderValue::from_static("accept-encoding, authorization"));
    Ok(response)
}

/// What one's own price demands.
const PERSONAL: Demanded = Demanded::permission(Permission::Browse);

/// The product with what it costs the caller, for nobody else and no cache; `None` for a visitor. A bearer that is not
/// valid makes a visitor, because the product is public.
async fn with_own_price(app: &AppState, named: &str, request: &HttpRequest) -> Result<Option<HttpResponse>, Problem> {
    let Some(token) = bearer(request) else { return Ok(None) };
    let Ok(Some(caller)) = app.shop.signing_in.caller_by_token(token, PERSONAL).await else {
        return Ok(None);
    };
    if app.shop.signing_in.check(&caller, PERSONAL).is_err() {
        return Ok(None);
    }
    let Some(product) = app.shop.catalog.product(id(named)?).await? else { return Ok(None) };
    let prices = app.shop.pricing.prices_now(caller.account, &[product.id]).await?;
    let own = prices.rules(&product).unit(product.details.min_order.get());
    let response = HttpResponse::Ok()
        .insert_header((CACHE_CONTROL, "private, no-store"))
        .insert_header((VARY, "authorization"))
        .json(ProductView::whole(product).at_own_price(own));
    Ok(Some(response))
}
