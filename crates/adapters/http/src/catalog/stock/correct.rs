//! `POST /products/{id}/stock-corrections`.

use actix_web::HttpResponse;
use actix_web::web::{Data, Path};
use application::CorrectStock;
use domain::catalog::stock::{CorrectionReason, StockDelta};
use domain::{ProductId, Text};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::view::CorrectionReasonName;
use crate::app_state::AppState;
use crate::extract::{Authenticated, IdempotencyKeyHeader, Json, id};
use crate::problem::Problem;
use crate::wire::fields::Fields;
use crate::wire::whole::Whole;

/// A stock correction.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NewStockCorrection {
    /// Units to add or, below zero, to remove; not 0.
    #[schema(required, nullable = false, value_type = i64)]
    delta: Option<Whole>,
    #[schema(required, nullable = false, value_type = CorrectionReasonName)]
    reason: Option<String>,
    /// Up to 200 characters.
    note: Option<String>,
}

impl NewStockCorrection {
    fn parse(
        self,
        product: ProductId,
        idempotency_key: Option<ports::IdempotencyKey>,
    ) -> Result<CorrectStock, Problem> {
        let mut fields = Fields::default();
        let delta = fields.required("delta", "Quantity", self.delta, |units| StockDelta::new(units.0));
        let reason = fields.required("reason", "Reason", self.reason.as_deref(), str::parse::<CorrectionReason>);
        let note = fields.optional("note", "Note", self.note.as_deref(), |note| Text::<200>::optional(Some(note)));
        let whole = (|| {
            Some(CorrectStock { product, delta: delta?, reason: reason?, note: note?.flatten(), idempotency_key })
        })();
        fields.all(whole)
    }
}

/// A product's stock after a correction.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CorrectedStock {
    available_qty: u32,
}

/// Adds units to a product's stock or removes them, for a reason (admins); never more than there are.
#[utoipa::path(
    post, path = "/products/{id}/stock-corrections", request_body = NewStockCorrection,
    params(("id" = String, Path, description = "The product's id")),
    responses(
        (status = 201, description = "Corrected", body = CorrectedStock),
        (status = 404, description = "No such product"),
        (status = 409, description = "Fewer are there (`available`)"),
        (status = 422, description = "Invalid"),
    )
)]
pub(crate) async fn correct_stock(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    IdempotencyKeyHeader(idempotency_key): IdempotencyKeyHeader,
    path: Path<String>,
    Json(sent): Json<NewStockCorrection>,
) -> Result<HttpResponse, Problem> {
    let left = app.shop.catalog.correct_stock(&caller, sent.parse(id(&path)?, idempotency_key)?).await?;
    Ok(HttpResponse::Created().json(CorrectedStock { available_qty: left.get() }))
}
