//! Rows of returns.

use std::num::NonZeroU32;

use diesel::prelude::*;
use diesel::result::Error;
use domain::orders::returns::{AcceptedReturn, ReturnState};
use domain::{OrderId, OrderReturn, RefundId, ReturnId};
use jiff_diesel::{Timestamp as SqlTimestamp, ToDiesel};
use uuid::Uuid;

use crate::platform::decode::RowDecoder;
use crate::schema::returns;

#[derive(Queryable, Selectable)]
#[diesel(table_name = returns, check_for_backend(diesel::pg::Pg))]
pub(crate) struct ReturnRow {
    id: Uuid,
    order_id: Uuid,
    reason: String,
    details: Option<String>,
    units: i32,
    requested_at: SqlTimestamp,
    state: String,
    decided_at: Option<SqlTimestamp>,
    refund_id: Option<Uuid>,
    refunded_cents: Option<i64>,
    restocked: Option<bool>,
    answer: Option<String>,
}

impl ReturnRow {
    fn state(&self, decoder: RowDecoder) -> QueryResult<ReturnState> {
        Ok(match self.state.as_str() {
            "requested" => ReturnState::Requested,
            "accepted" => {
                let refund = match (self.refund_id, self.refunded_cents) {
                    (Some(id), Some(cents)) => Some((RefundId::new(id), decoder.money("refunded_cents", cents)?)),
                    _ => None,
                };
                let restocked = self.restocked.ok_or_else(|| decoder.refuse("restocked", "null"))?;
                ReturnState::Accepted {
                    outcome: AcceptedReturn { refund, restocked },
                    at: decoder.moment("decided_at", self.decided_at)?,
                }
            }
            "declined" => ReturnState::Declined {
                answer: decoder.text("answer", self.answer.as_deref().unwrap_or_default())?,
                at: decoder.moment("decided_at", self.decided_at)?,
            },
            other => return Err(decoder.refuse("state", other)),
        })
    }
}

impl TryFrom<ReturnRow> for OrderReturn {
    type Error = Error;

    fn try_from(row: ReturnRow) -> QueryResult<Self> {
        let decoder = RowDecoder { what: "return", id: row.id };
        let units = u32::try_from(row.units).ok().and_then(NonZeroU32::new);
        Ok(Self {
            id: ReturnId::new(row.id),
            order: OrderId::new(row.order_id),
            reason: decoder.parse("reason", &row.reason)?,
            details: decoder.maybe_text("details", row.details.as_deref())?,
            units: units.ok_or_else(|| decoder.refuse("units", &row.units))?,
            requested_at: row.requested_at.to_jiff(),
            state: row.state(decoder)?,
        })
    }
}

/// The columns of a return's state.
#[derive(AsChangeset)]
#[diesel(table_name = returns)]
#[diesel(treat_none_as_null = true)]
pub(crate) struct StateColumns {
    pub(crate) state: &'static str,
    decided_at: Option<SqlTimestamp>,
    refund_id: Option<Uuid>,
    refunded_cents: Option<i64>,
    restocked: Option<bool>,
    answer: Option<String>,
}

impl From<&ReturnState> for StateColumns {
    fn from(state: &ReturnState) -> Self {
        let open = Self {
            state: "requested",
            decided_at: None,
            refund_id: None,
            refunded_cents: None,
            restocked: None,
            answer: None,
        };
        match state {
            ReturnState::Requested => open,
            ReturnState::Accepted { outcome, at } => Self {
                state: "accepted",
                decided_at: Some(at.to_diesel()),
                refund_id: outcome.refund.map(|(id, _)| id.uuid()),
                refunded_cents: outcome.refund.map(|(_, amount)| amount.cents()),
                restocked: Some(outcome.restocked),
                ..open
            },
            ReturnState::Declined { answer, at } => Self {
                state: "declined",
                decided_at: Some(at.to_diesel()),
                answer: Some(answer.as_str().to_owned()),
                ..open
            },
        }
    }
}
