//! Returns: a customer asks to send back units of a shipped order, and an admin accepts or declines.

use std::num::NonZeroU32;

use jiff::SignedDuration;
use thiserror::Error;

use crate::orders::event::OrderEventKind;
use crate::orders::order::{Change, EventMeta};
use crate::{Money, Order, OrderId, OrderState, Payment, RefundId, ReturnId, ReturnReason, Text, Timestamp};

/// How long after an order was shipped a return can be requested: the shop's money back guarantee.
pub const RETURN_WINDOW: SignedDuration = SignedDuration::from_hours(30 * 24);

/// How far a return has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReturnState {
    /// An admin has to decide.
    Requested,
    /// An admin accepted it.
    Accepted {
        /// What came of it.
        outcome: AcceptedReturn,
        /// When it was accepted.
        at: Timestamp,
    },
    /// An admin declined it.
    Declined {
        /// What the customer reads.
        answer: Text<500>,
        /// When it was declined.
        at: Timestamp,
    },
}

/// What an accepted return leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AcceptedReturn {
    /// The refund and its amount; `None` if the whole payment had been refunded before.
    pub refund: Option<(RefundId, Money)>,
    /// Whether its units go back to stock.
    pub restocked: bool,
}

impl AcceptedReturn {
    /// What the return refunds; nothing if the payment had been refunded before.
    #[must_use]
    pub fn amount(&self) -> Money {
        self.refund.map_or(Money::ZERO, |(_, amount)| amount)
    }
}

/// A return of some or all units of an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderReturn {
    /// The return's id.
    pub id: ReturnId,
    /// The order that the units belong to.
    pub order: OrderId,
    /// Why they are sent back.
    pub reason: ReturnReason,
    /// The customer's own words.
    pub details: Option<Text<1000>>,
    /// How many units are sent back.
    pub units: NonZeroU32,
    /// When it was requested.
    pub requested_at: Timestamp,
    /// How far it has come.
    pub state: ReturnState,
}

/// Why a return cannot be requested. Nothing was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum RequestReturnRefused {
    /// The order has not been shipped.
    #[error("the order has not been shipped")]
    NotShipped,
    /// The order was shipped on account and is not paid.
    #[error("the order is not paid")]
    NotPaid,
    /// The whole payment has been refunded, or is on its way back.
    #[error("the order has been refunded")]
    Refunded,
    /// The order was shipped too long ago.
    #[error("the time for returns was over at {until}")]
    TooLate {
        /// When it ended.
        until: Timestamp,
    },
    /// Another return of the order is not decided yet.
    #[error("another return of the order is open")]
    AlreadyOpen,
    /// More units than are left of the order.
    #[error("only {left} units can be returned")]
    TooMany {
        /// How many units have not been returned yet.
        left: u32,
    },
}

/// The return has been decided already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the return has been decided already")]
pub struct ReturnDecided;

impl OrderReturn {
    /// Whether an admin has to decide about it.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        matches!(self.state, ReturnState::Requested)
    }

    /// The units that have come back, or are about to: those of an accepted return.
    const fn units_back(&self) -> u32 {
        match self.state {
            ReturnState::Accepted { .. } => self.units.get(),
            ReturnState::Requested | ReturnState::Declined { .. } => 0,
        }
    }

    /// What its units cost, at most `left`.
    #[must_use]
    pub fn worth(&self, order: &Order, left: Money) -> Money {
        let price = order.item.unit_price.money();
        price.times(self.units.get()).map_or(left, |worth| worth.min(left))
    }

    /// The event of its request.
    #[must_use]
    pub const fn requested(&self) -> OrderEventKind {
        OrderEventKind::ReturnRequested { id: self.id, units: self.units, reason: self.reason }
    }

    /// Accepts it.
    ///
    /// # Errors
    /// [`ReturnDecided`].
    pub fn accept(self, outcome: AcceptedReturn, at: Timestamp) -> Result<(Self, OrderEventKind), ReturnDecided> {
        let AcceptedReturn { restocked, .. } = outcome;
        let kind = OrderEventKind::ReturnAccepted {
            id: self.id,
            units: self.units,
            amount: outcome.amount(),
            refund: outcome.refund.map(|(refund, _)| refund),
            restocked,
        };
        Ok((self.decided(ReturnState::Accepted { outcome, at })?, kind))
    }

    /// Declines it.
    ///
    /// # Errors
    /// [`ReturnDecided`].
    pub fn decline(self, answer: Text<500>, at: Timestamp) -> Result<(Self, OrderEventKind), ReturnDecided> {
        let kind = OrderEventKind::ReturnDeclined { id: self.id, units: self.units, answer: answer.clone() };
        Ok((self.decided(ReturnState::Declined { answer, at })?, kind))
    }

    fn decided(self, state: ReturnState) -> Result<Self, ReturnDecided> {
        if self.is_open() { Ok(Self { state, ..self }) } else { Err(ReturnDecided) }
    }
}

impl Order {
    /// Until when a return can be requested; `None` unless the order is shipped and the shop holds its money.
    #[must_use]
    pub fn returnable_until(&self) -> Option<Timestamp> {
        match &self.state {
            OrderState::Shipped { at, payment: Payment::Paid { .. } } => at.checked_add(RETURN_WINDOW).ok(),
            _ => None,
        }
    }

    /// Requests a return. `earlier` are all other returns of the order, and `left` is what has not been refunded.
    ///
    /// # Errors
    /// [`RequestReturnRefused`].
    pub fn request_return(
        self,
        asked: &OrderReturn,
        earlier: &[OrderReturn],
        left: Money,
        meta: EventMeta,
    ) -> Result<Change, RequestReturnRefused> {
        match &self.state {
            OrderState::Shipped { payment: Payment::Unpaid, .. } => return Err(RequestReturnRefused::NotPaid),
            OrderState::Shipped { payment: Payment::Refunded { .. }, .. } => {
                return Err(RequestReturnRefused::Refunded);
            }
            OrderState::Shipped { payment: Payment::Paid { .. }, .. } => {}
            OrderState::Placed | OrderState::Paid { .. } | OrderState::Cancelled { .. } => {
                return Err(RequestReturnRefused::NotShipped);
            }
        }
        if earlier.iter().any(OrderReturn::is_open) {
            return Err(RequestReturnRefused::AlreadyOpen);
        }
        if left == Money::ZERO {
            return Err(RequestReturnRefused::Refunded);
        }
        if let Some(until) = self.returnable_until().filter(|until| meta.at > *until) {
            return Err(RequestReturnRefused::TooLate { until });
        }
        let back = earlier.iter().map(OrderReturn::units_back).fold(0, u32::saturating_add);
        let units_left = self.item.quantity.get().saturating_sub(back);
        if asked.units.get() > units_left {
            return Err(RequestReturnRefused::TooMany { left: units_left });
        }
        // An event of a return is a note, so there is always a change.
        self.note(asked.requested(), meta).ok_or(RequestReturnRefused::NotShipped)
    }
}

#[cfg(test)]
mod tests;
