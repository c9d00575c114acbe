//! Stock corrections, and the history of a product's stock and price.

use actix_web::HttpResponse;
use actix_web::web::{self, Data, Path};
use application::CorrectStock;
use domain::catalog::stock::{CorrectionReason, StockDelta};
use domain::{Actor, ProductId, Text};
use ports::{StockEvent, StockEventKind};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app_state::AppState;
use crate::extract::{Authenticated, IdempotencyKeyHeader, Json, id};
use crate::problem::{Problem, ProblemView};
use crate::wire::fields::Fields;
use crate::wire::money::Dollars;
use crate::wire::whole::Whole;

/// Why stock is corrected.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = CorrectionReason)]
pub(crate) enum ReasonWord {
    Breakage,
    Miscount,
    Loss,
    Found,
    Other,
}

impl From<CorrectionReason> for ReasonWord {
    fn from(reason: CorrectionReason) -> Self {
        match reason {
            CorrectionReason::Breakage => Self::Breakage,
            CorrectionReason::Miscount => Self::Miscount,
            CorrectionReason::Loss => Self::Loss,
            CorrectionReason::Found => Self::Found,
            CorrectionReason::Other => Self::Other,
        }
    }
}

/// A stock correction.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NewStockCorrection {
    /// Units to add or, below zero, to remove; not 0.
    #[schema(required, nullable = false, value_type = i64)]
    delta: Option<Whole>,
    #[schema(required, nullable = false, value_type = ReasonWord)]
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
    post, path = "/products/{id}/stock-corrections", tag = "products", request_body = NewStockCorrection,
    security(("bearer" = [])), params(("id" = String, Path, description = "The product's id")),
    responses(
        (status = 201, description = "Corrected", body = CorrectedStock),
        (status = 401, description = "Not signed in", body = ProblemView, content_type = "application/problem+json"),
        (status = 403, description = "Not an admin", body = ProblemView, content_type = "application/problem+json"),
        (status = 404, description = "No such product", body = ProblemView, content_type = "application/problem+json"),
        (status = 409, description = "Fewer are there (`available`)", body = ProblemView, content_type = "application/problem+json"),
        (status = 422, description = "Invalid", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn correct(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    IdempotencyKeyHeader(idempotency_key): IdempotencyKeyHeader,
    path: Path<String>,
    Json(sent): Json<NewStockCorrection>,
) -> Result<HttpResponse, Problem> {
    let left = app.shop.correct_stock(&caller, sent.parse(id(&path)?, idempotency_key)?).await?;
    Ok(HttpResponse::Created().json(CorrectedStock { available_qty: left.get() }))
}

/// What was done to a product's stock and price, except by orders.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = StockEventKind)]
pub(crate) enum StockWord {
    /// Units arrived, or none did and only the price was changed.
    Restocked,
    Corrected,
    Archived,
}

/// One thing that was done to a product's stock or price.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = StockEvent)]
pub(crate) struct StockEventView {
    what: StockWord,
    /// An e-mail; null for the shop itself, and if it was not recorded.
    #[schema(required)]
    who: Option<String>,
    /// RFC 3339, UTC.
    when: String,
    /// How many units came or, below zero, went.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    units: Option<i64>,
    /// Dollars for one unit from then on.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<f64>)]
    price: Option<Dollars>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    reason: Option<ReasonWord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    note: Option<String>,
}

impl From<StockEvent> for StockEventView {
    fn from(event: StockEvent) -> Self {
        let who = match event.by {
            Actor::Account { email, .. } => Some(email.to_string()),
            Actor::Shop => None,
        };
        let bare =
            |what| Self { what, who, when: event.at.to_string(), units: None, price: None, reason: None, note: None };
        match event.what {
            StockEventKind::Restocked { arriving, price } => Self {
                units: Some(i64::from(arriving.get())),
                price: Some(Dollars(price.money())),
                ..bare(StockWord::Restocked)
            },
            StockEventKind::Corrected { delta, reason, note } => Self {
                units: Some(i64::from(delta.get())),
                reason: Some(reason.into()),
                note: note.map(Text::into_string),
                ..bare(StockWord::Corrected)
            },
            StockEventKind::Archived => bare(StockWord::Archived),
        }
    }
}

/// What was done to a product's stock and price, at most the latest hundred, latest first (admins); an archived one's too.
#[utoipa::path(
    get, path = "/products/{id}/stock-history", tag = "products", security(("bearer" = [])),
    params(("id" = String, Path, description = "The product's id")),
    responses(
        (status = 200, description = "Who did what, and when", body = [StockEventView]),
        (status = 401, description = "Not signed in", body = ProblemView, content_type = "application/problem+json"),
        (status = 403, description = "Not an admin", body = ProblemView, content_type = "application/problem+json"),
        (status = 404, description = "No such product", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn history(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<Vec<StockEventView>>, Problem> {
    let events = app.shop.stock_history(&caller, id(&path)?).await?;
    Ok(web::Json(events.into_iter().map(Into::into).collect()))
}
