//! `POST /products`.

use actix_web::HttpResponse;
use actix_web::web::Data;
use application::ProductDraft;
use domain::{Category, MinOrder, PictureUrl, Stock, Text, UnitPrice};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::app_state::AppState;
use crate::extract::{Authenticated, IdempotencyKeyHeader, Json};
use crate::problem::{FieldError, Problem};
use crate::wire::counts::InsertedId;
use crate::wire::fields::Fields;
use crate::wire::whole::Whole;
use crate::wire::words::CategoryName;

/// A product to be added.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NewProduct {
    /// Up to 200 characters.
    #[schema(required, nullable = false)]
    pub(super) name: Option<String>,
    /// Up to 5,000 characters.
    #[schema(required, nullable = false)]
    pub(super) description: Option<String>,
    /// Dollars for one unit, at least 0.01.
    #[schema(required, nullable = false)]
    pub(super) price: Option<f64>,
    #[schema(required, nullable = false, value_type = CategoryName)]
    pub(super) category: Option<String>,
    /// Units in stock.
    #[schema(required, nullable = false, value_type = i64)]
    pub(super) available_qty: Option<Whole>,
    /// The smallest quantity that may be ordered; below 50 it is 50.
    #[schema(nullable = false, value_type = Option<i64>)]
    pub(super) min_order: Option<Whole>,
    /// An http(s) address or a path of this shop.
    #[schema(required, nullable = false)]
    pub(super) img: Option<String>,
    /// The maker's number, up to 60 characters.
    pub(super) part_number: Option<String>,
}

impl NewProduct {
    fn parse(self) -> Result<ProductDraft, Problem> {
        self.validate().map_err(Problem::invalid)
    }

    /// Parses the draft, or returns the errors of its fields.
    pub(super) fn validate(self) -> Result<ProductDraft, Vec<FieldError>> {
        let mut fields = Fields::default();
        let name = fields.required("name", "Name", self.name.as_deref(), Text::new);
        let description = fields.required("description", "Description", self.description.as_deref(), Text::new);
        let price = fields.required("price", "Price", self.price, UnitPrice::from_dollars);
        let category = fields.required("category", "Category", self.category.as_deref(), str::parse::<Category>);
        let available =
            fields.required("availableQty", "Available quantity", self.available_qty, |units| Stock::new(units.0));
        let min_order = fields.optional("minOrder", "Minimum order", self.min_order, |units| match units.0 {
            i64::MIN..0 => Err("must not be negative"),
            units => MinOrder::effective(units).map_err(|_| "is more than any shelf holds"),
        });
        let img = fields.required("img", "Image", self.img.as_deref(), str::parse::<PictureUrl>);
        let part_number = fields
            .optional("partNumber", "Part number", self.part_number.as_deref(), |number| Text::optional(Some(number)));
        let whole = (|| {
            Some(ProductDraft {
                name: name?,
                description: description?,
                part_number: part_number?.flatten(),
                category: category?,
                img: img?,
                price: price?,
                min_order: match min_order? {
                    Some(minimum) => minimum,
                    None => MinOrder::effective(0).ok()?,
                },
                available: available?,
            })
        })();
        fields.or_errors(whole)
    }
}

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
    let added = app.shop.catalog.add_product(&caller, sent.parse()?, idempotency_key).await?;
    Ok(HttpResponse::Created().json(InsertedId::of(&added)))
}
