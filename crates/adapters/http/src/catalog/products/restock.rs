//! `PUT /products/{id}`.

use actix_web::web;
use actix_web::web::{Data, Path};
use application::RestockProduct;
use domain::catalog::stock::StockError;
use domain::{ProductId, Stock, UnitPrice};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::app_state::AppState;
use crate::extract::{Authenticated, IdempotencyKeyHeader, Json, id};
use crate::problem::Problem;
use crate::wire::counts::ModifiedCount;
use crate::wire::fields::Fields;
use crate::wire::whole::Whole;

/// The arriving units, and the price from now on.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Restock {
    /// How many units to add; none is allowed.
    #[schema(required, nullable = false, value_type = i64)]
    updated_quantity: Option<Whole>,
    /// Dollars for one unit, at least 0.01.
    #[schema(required, nullable = false)]
    updated_price: Option<f64>,
    /// Dollars for one unit as the caller last saw them: if the price is another one, nothing changes and the response
    /// is a 409 with it.
    seen_price: Option<f64>,
}

impl Restock {
    fn parse(
        self,
        product: ProductId,
        idempotency_key: Option<ports::IdempotencyKey>,
    ) -> Result<RestockProduct, Problem> {
        let mut fields = Fields::default();
        let arriving =
            fields.required::<_, _, StockError>("updatedQuantity", "Quantity", self.updated_quantity, |units| {
                Stock::new(units.0)
            });
        let price = fields.required("updatedPrice", "Price", self.updated_price, UnitPrice::from_dollars);
        let seen = fields.optional("seenPrice", "Seen price", self.seen_price, UnitPrice::from_dollars);
        let whole = (|| {
            Some(RestockProduct { product, arriving: arriving?, price: price?, seen_price: seen?, idempotency_key })
        })();
        fields.all(whole)
    }
}

/// Adds units to a product's stock and sets its price (admins).
#[utoipa::path(
    put, path = "/products/{id}", request_body = Restock,
    params(("id" = String, Path, description = "The product's id")),
    responses(
        (status = 200, description = "Restocked", body = ModifiedCount),
        (status = 404, description = "No such product"),
        (status = 409, description = "Another price than `seenPrice` (`price`)"),
        (status = 422, description = "Invalid"),
    )
)]
pub(crate) async fn restock_product(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    IdempotencyKeyHeader(idempotency_key): IdempotencyKeyHeader,
    path: Path<String>,
    Json(sent): Json<Restock>,
) -> Result<web::Json<ModifiedCount>, Problem> {
    app.shop.catalog.restock_product(&caller, sent.parse(id(&path)?, idempotency_key)?).await?;
    Ok(web::Json(true.into()))
}
