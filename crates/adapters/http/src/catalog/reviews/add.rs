//! `POST /reviews`.

use actix_web::HttpResponse;
use actix_web::web::Data;
use application::ReviewDraft;
use domain::{ProductId, Rating, Text};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::app_state::AppState;
use crate::extract::{Authenticated, IdempotencyKeyHeader, Json};
use crate::problem::Problem;
use crate::wire::counts::InsertedId;
use crate::wire::fields::{Fields, filled};
use crate::wire::whole::Whole;

/// A review to be written.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NewReview {
    /// Up to 80 characters. If it is neither the account's name nor a part of it, the account's is published beside it.
    #[schema(required, nullable = false)]
    name: Option<String>,
    /// A whole number of stars, 0 to 5.
    #[schema(required, nullable = false, value_type = i64)]
    rating: Option<Whole>,
    /// Up to 2,000 characters.
    #[schema(required, nullable = false)]
    details: Option<String>,
    /// The product that it is about.
    product_id: Option<String>,
}

impl NewReview {
    fn parse(self) -> Result<ReviewDraft, Problem> {
        let mut fields = Fields::default();
        let name = fields.required("name", "Name", self.name.as_deref(), Text::new);
        let rating = fields.required("rating", "Rating", self.rating, |stars| Rating::new(stars.0));
        let details = fields.required("details", "Review details", self.details.as_deref(), Text::new);
        let part = fields.optional("productId", "Part", filled(self.product_id.as_deref()), |named| {
            named.parse::<ProductId>().map_err(|_| "is not a product of this shop")
        });
        let whole = (|| Some(ReviewDraft { name: name?, details: details?, rating: rating?, part: part? }))();
        fields.all(whole)
    }
}

/// Writes a review, of the shop or of a part. It is `verified` if the account has paid for an order, of that part if one
/// is named. In `serve` an account that never paid writes one a day.
#[utoipa::path(
    post, path = "/reviews", request_body = NewReview,
    responses(
        (status = 201, description = "Written", body = InsertedId),
        (status = 422, description = "Invalid"),
        (status = 429, description = "One was written within a day"),
    )
)]
pub(crate) async fn add_review(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    IdempotencyKeyHeader(idempotency_key): IdempotencyKeyHeader,
    Json(sent): Json<NewReview>,
) -> Result<HttpResponse, Problem> {
    let written = app.shop.catalog.write_review(&caller, sent.parse()?, idempotency_key).await?;
    Ok(HttpResponse::Created().json(InsertedId::of(&written)))
}
