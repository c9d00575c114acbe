//! Returns as the client sees them.

use domain::orders::returns::ReturnState;
use domain::{OrderReturn, Text};
use serde::Serialize;
use utoipa::ToSchema;

use crate::wire::enums::ReasonName;
use crate::wire::money::Dollars;

/// How far a return has come.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ReturnStateName {
    Requested,
    Accepted,
    Declined,
}

/// A return of some or all units of an order.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = OrderReturn)]
pub(crate) struct ReturnView {
    /// `UUIDv7`.
    #[serde(rename = "_id")]
    id: String,
    reason: ReasonName,
    /// The customer's own words.
    #[schema(required)]
    details: Option<String>,
    units: u32,
    state: ReturnStateName,
    /// RFC 3339, UTC.
    requested_at: String,
    /// RFC 3339, UTC; null until it is decided.
    #[schema(required)]
    decided_at: Option<String>,
    /// Dollars that an accepted return refunds; 0 if the order had been refunded before.
    #[schema(required, value_type = Option<f64>)]
    refunded: Option<Dollars>,
    /// Whether the units of an accepted return went back to stock.
    #[schema(required)]
    restocked: Option<bool>,
    /// Why it was declined.
    #[schema(required)]
    answer: Option<String>,
}

impl From<OrderReturn> for ReturnView {
    fn from(asked: OrderReturn) -> Self {
        let open = Self {
            id: asked.id.to_string(),
            reason: ReasonName(asked.reason),
            details: asked.details.map(Text::into_string),
            units: asked.units.get(),
            state: ReturnStateName::Requested,
            requested_at: asked.requested_at.to_string(),
            decided_at: None,
            refunded: None,
            restocked: None,
            answer: None,
        };
        match asked.state {
            ReturnState::Requested => open,
            ReturnState::Accepted { outcome, at } => Self {
                state: ReturnStateName::Accepted,
                decided_at: Some(at.to_string()),
                refunded: Some(Dollars(outcome.amount())),
                restocked: Some(outcome.restocked),
                ..open
            },
            ReturnState::Declined { answer, at } => Self {
                state: ReturnStateName::Declined,
                decided_at: Some(at.to_string()),
                answer: Some(answer.into_string()),
                ..open
            },
        }
    }
}
