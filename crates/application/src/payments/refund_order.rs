//! Refunding a paid order, in full or in part. A full refund of an unshipped order cancels it, and its units return to
//! stock.

#[cfg(test)]
mod tests;

use domain::accounts::access::Denied;
use domain::orders::order::Change;
use domain::payments::refund::left_of;
use domain::{Caller, Money, Order, OrderId, Permission, Refund, RefundCause, Text};
use ports::{Applied, IdempotencyKey, NewRefund, PaymentRef, RefundBegun};
use thiserror::Error;

use crate::change_order::{Attempt, change_order};
use crate::{Failure, Payments, Unavailable};

/// The command to refund an order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RefundOrder {
    /// The amount; `None` for whatever is left.
    pub amount: Option<Money>,
    /// The reason, for the record.
    pub reason: Option<Text<500>>,
    pub idempotency_key: Option<IdempotencyKey>,
}

/// Why an order is not refunded. Nothing was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum RefundOrderRefused {
    /// No money has arrived, so there is nothing to refund.
    #[error("an unpaid order has nothing to refund")]
    NotPaid,
    /// Some of its units have left, so that it can neither be cancelled nor is it over.
    #[error("an order that is shipped in part is not refunded in full")]
    ShippedInPart,
    /// The amount is more than what is left to be refunded.
    #[error("only {left} is left to be sent back")]
    TooMuch {
        /// What is left to be refunded.
        left: Money,
    },
}

impl Payments {
    /// Refunds an order's payment, in full or in part. The decision is recorded before the provider is called; if the
    /// provider does not answer, a background job retries until it does. Returns whether this call decided it; `false`
    /// if a full refund was decided before.
    ///
    /// # Errors
    /// [`RefundOrderRefused`]; [`Failure::Denied`] also if the order was cancelled unpaid.
    pub async fn refund_order(
        &self,
        caller: &Caller,
        id: OrderId,
        command: RefundOrder,
    ) -> Result<bool, Failure<RefundOrderRefused>> {
        caller.require(Permission::RefundOrder)?;
        let command = &command;
        change_order(&*self.orders, id, |order| self.refund(caller, order, command)).await
    }

    async fn refund(
        &self,
        caller: &Caller,
        order: Order,
        command: &RefundOrder,
    ) -> Result<Attempt<bool>, Failure<RefundOrderRefused>> {
        if let Some(key) = command.idempotency_key
            && self.refunds.begun_under(order.id, key).await?.is_some()
        {
            return Ok(Attempt::Done(true));
        }
        let Some(payment) = order.state.transaction().cloned() else {
            // An order that was cancelled unpaid is in no list, and there was nothing to refund.
            let cancelled = order.is_cancelled();
            return Err(if cancelled { Denied::NotFound.into() } else { refused(RefundOrderRefused::NotPaid) });
        };
        let payment = PaymentRef { id: payment, order: order.id };
        let left = left_of(order.due(), &self.refunds_of(&payment).await?);
        let over = order.is_cancelled() || !order.is_paid();
        if over || (left == Money::ZERO && order.is_shipped()) {
            return match command.amount {
                None => Ok(Attempt::Done(false)),
                Some(_) => Err(refused(RefundOrderRefused::TooMuch { left: Money::ZERO })),
            };
        }
        let amount = command.amount.unwrap_or(left);
        if amount > left {
            return Err(refused(RefundOrderRefused::TooMuch { left }));
        }
        if amount == left && order.is_shipped_in_part() {
            return Err(refused(RefundOrderRefused::ShippedInPart));
        }
        // A full refund cancels an order that has not shipped.
        let change = if amount == left && !order.is_shipped() {
            let Ok(change) = order.clone().cancel_with_refund(self.events.meta(caller.actor())) else {
                return Ok(Attempt::Conflict);
            };
            Some(change)
        } else {
            None
        };
        match change {
            Some(change) if left == Money::ZERO => self.cancel_what_is_back(&change).await,
            change => self.begin_refund(caller, &order, &payment, amount, change, command).await,
        }
    }

    /// Cancels an order whose payment was already refunded at the provider.
    async fn cancel_what_is_back(&self, change: &Change) -> Result<Attempt<bool>, Failure<RefundOrderRefused>> {
        if self.orders.apply(change).await? == Applied::Conflict {
            return Ok(Attempt::Conflict);
        }
        match self.conclude(change.after.id).await {
            Err(Unavailable::Store(error)) => Err(error.into()),
            Ok(()) | Err(_) => Ok(Attempt::Done(true)),
        }
    }

    /// Records a refund, with the change of its order if there is one, and requests it from the provider.
    async fn begin_refund(
        &self,
        caller: &Caller,
        order: &Order,
        payment: &PaymentRef,
        amount: Money,
        change: Option<Change>,
        command: &RefundOrder,
    ) -> Result<Attempt<bool>, Failure<RefundOrderRefused>> {
        let cause = if change.is_some() { RefundCause::OrderCancelled } else { RefundCause::Admin };
        let refund = Refund { note: command.reason.clone(), ..self.new_refund(payment, cause, amount, caller.actor()) };
        let brought = order.due();
        let new = NewRefund { refund: refund.clone(), brought, idempotency_key: command.idempotency_key, change };
        match self.refunds.begin(&new).await? {
            RefundBegun::Written => self.request_refund(refund).await,
            RefundBegun::Known(_) => {}
            RefundBegun::TooMuch { left } if command.amount.is_some() => {
                return Err(refused(RefundOrderRefused::TooMuch { left }));
            }
            RefundBegun::Conflict | RefundBegun::TooMuch { .. } => return Ok(Attempt::Conflict),
        }
        Ok(Attempt::Done(true))
    }
}

const fn refused(why: RefundOrderRefused) -> Failure<RefundOrderRefused> {
    Failure::Refused(why)
}
