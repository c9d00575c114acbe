//! The history of a product's stock on the wire.

use domain::catalog::stock::CorrectionReason;
use domain::{Actor, Text};
use ports::{StockEvent, StockEventKind};
use serde::Serialize;
use utoipa::ToSchema;

use crate::wire::money::Dollars;

/// Why stock is corrected.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = CorrectionReason)]
pub(crate) enum CorrectionReasonName {
    Breakage,
    Miscount,
    Loss,
    Found,
    Other,
}

impl From<CorrectionReason> for CorrectionReasonName {
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

/// What was done to a product's stock and price, except by orders.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = StockEventKind)]
pub(crate) enum StockEventName {
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
    what: StockEventName,
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
    reason: Option<CorrectionReasonName>,
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
                ..bare(StockEventName::Restocked)
            },
            StockEventKind::Corrected { delta, reason, note } => Self {
                units: Some(i64::from(delta.get())),
                reason: Some(reason.into()),
                note: note.map(Text::into_string),
                ..bare(StockEventName::Corrected)
            },
            StockEventKind::Archived => bare(StockEventName::Archived),
        }
    }
}
