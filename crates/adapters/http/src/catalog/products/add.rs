//! `POST /products`.

use actix_web::HttpResponse;
use actix_web::web::Data;

use super::attributes::NewProduct;
use crate::app_state::AppState;
use crate::extract::{Authenticated, IdempotencyKeyHeader, Json};
use crate::problem::Problem;
use crate::wire::counts::InsertedId;

/// Adds a product (admins).
#[utoipa::path(
    post, path = "/products", request_body = NewProduct,
    responses(
        (status = 201, description = "Added", body = InsertedId),
        (status = 422, description = "Invalid"),
    )
)]
pub(crate) async fn add_product(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    IdempotencyKeyHeader(idempotency_key): IdempotencyKeyHeader,
    Json(sent): Json<NewProduct>,
) -> Result<HttpResponse, Problem> {
    let added =
        app.shop.catalog.add_product(&caller, sent.validate().map_err(Problem::invalid)?, idempotency_key).await?;
    Ok(HttpResponse::Created().json(InsertedId::of(&added)))
}
