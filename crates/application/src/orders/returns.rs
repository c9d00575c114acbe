//! Returns of shipped orders: a customer asks, an admin accepts or declines.

use std::num::NonZeroU32;

use domain::accounts::access::Denied;
use domain::orders::returns::{AcceptedReturn, RequestReturnRefused, ReturnState};
use domain::payments::refund::left_of;
use domain::{
    Caller, Money, Order, OrderId, OrderReturn, Permission, Refund, RefundCause, ReturnId, ReturnReason, Text,
};
use ports::{IdempotencyKey, NewRefund, NewReturn, PaymentRef, ReturnDecided, ReturnDecision, ReturnRequested};
use thiserror::Error;

use crate::change_order::{Attempt, change_order, until_written};
use crate::{Failure, Orders};

/// The command to request a return.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestReturn {
    pub reason: ReturnReason,
    /// The customer's own words.
    pub details: Option<Text<1000>>,
    pub units: NonZeroU32,
    pub idempotency_key: Option<IdempotencyKey>,
}

/// The command to accept a return.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AcceptReturn {
    /// The amount to refund; `None` for what the units cost, or what is left of the payment if that is less.
    pub amount: Option<Money>,
    /// Whether the units go back to stock.
    pub restock: bool,
}

/// Why a return is not accepted or declined. Nothing was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum DecideReturnRefused {
    /// It was decided differently before.
    #[error("the return has been decided already")]
    Decided,
    /// The amount is more than what is left to be refunded.
    #[error("only {left} is left to be sent back")]
    TooMuch {
        /// What is left to be refunded.
        left: Money,
    },
    /// The product's stock has no room for the units.
    #[error("the stock has no room for the units")]
    NoRoom,
}

impl Orders {
    /// Requests a return of a shipped and paid order. The same idempotency key again returns the first id.
    ///
    /// # Errors
    /// [`RequestReturnRefused`]; [`Failure::Denied`] for another account's order and for a cancelled one.
    pub async fn request_return(
        &self,
        caller: &Caller,
        id: OrderId,
        command: RequestReturn,
    ) -> Result<ReturnId, Failure<RequestReturnRefused>> {
        let command = &command;
        change_order(&*self.orders, id, |order| async move {
            caller.require_owner(Permission::RequestReturn, order.customer)?;
            if order.is_cancelled() {
                return Err(Denied::NotFound.into());
            }
            if let Some(key) = command.idempotency_key
                && let Some(first) = self.returns.requested_under(id, key).await?
            {
                return Ok(Attempt::Done(first));
            }
            self.record_return(caller, order, command).await
        })
        .await
    }

    async fn record_return(
        &self,
        caller: &Caller,
        order: Order,
        command: &RequestReturn,
    ) -> Result<Attempt<ReturnId>, Failure<RequestReturnRefused>> {
        let meta = self.events.meta(caller.actor());
        let asked = OrderReturn {
            id: ReturnId::new(self.ids.fresh()),
            order: order.id,
            reason: command.reason,
            details: command.details.clone(),
            units: command.units,
            requested_at: meta.at,
            state: ReturnState::Requested,
        };
        let (earlier, left) = (self.returns.of_order(order.id).await?, self.left_to_refund(&order).await?);
        let change = order.request_return(&asked, &earlier, left, meta).map_err(Failure::Refused)?;
        let (id, earlier) = (asked.id, earlier.len());
        let new = NewReturn { asked, earlier, change, idempotency_key: command.idempotency_key };
        Ok(match self.returns.request(&new).await? {
            ReturnRequested::Written => Attempt::Done(id),
            ReturnRequested::Known(first) => Attempt::Done(first),
            ReturnRequested::Conflict => Attempt::Conflict,
        })
    }

    /// An order's returns, oldest first.
    ///
    /// # Errors
    /// [`Failure::Denied`] for another account's order, except to an admin; also if there is no such order.
    pub async fn returns_of(&self, caller: &Caller, id: OrderId) -> Result<Vec<OrderReturn>, Failure> {
        let order = self.orders.find(id).await?.ok_or(Denied::NotFound)?;
        caller.require_owner(Permission::ReadOrder, order.customer)?;
        Ok(self.returns.of_order(id).await?)
    }

    /// Accepts a return and refunds it. The decision is recorded before the provider is called, as any refund. Returns
    /// whether this call did it; `false` if it was accepted before.
    ///
    /// # Errors
    /// [`DecideReturnRefused`]; [`Failure::Denied`] to anyone but an admin, and if there is no such return.
    pub async fn accept_return(
        &self,
        caller: &Caller,
        id: ReturnId,
        command: AcceptReturn,
    ) -> Result<bool, Failure<DecideReturnRefused>> {
        caller.require(Permission::DecideReturn)?;
        until_written(|| self.try_to_accept(caller, id, command)).await
    }

    async fn try_to_accept(
        &self,
        caller: &Caller,
        id: ReturnId,
        command: AcceptReturn,
    ) -> Result<Attempt<bool>, Failure<DecideReturnRefused>> {
        let (asked, order) = self.return_and_order(id).await?;
        match asked.state {
            ReturnState::Requested => {}
            ReturnState::Accepted { .. } => return Ok(Attempt::Done(false)),
            ReturnState::Declined { .. } => return Err(Failure::Refused(DecideReturnRefused::Decided)),
        }
        let left = self.left_to_refund(&order).await?;
        let amount = command.amount.unwrap_or_else(|| asked.worth(&order, left));
        if amount > left {
            return Err(Failure::Refused(DecideReturnRefused::TooMuch { left }));
        }
        let refund = self.refund_of_return(caller, &order, &asked, amount);
        let outcome =
            AcceptedReturn { refund: refund.as_ref().map(|refund| (refund.id, amount)), restocked: command.restock };
        let meta = self.events.meta(caller.actor());
        let brought = order.due();
        let Ok((after, kind)) = asked.accept(outcome, meta.at) else { return Ok(Attempt::Conflict) };
        let Some(change) = order.note(kind, meta) else { return Ok(Attempt::Conflict) };
        let recorded = refund.clone().map(|refund| NewRefund { refund, brought, idempotency_key: None, change: None });
        match self.returns.decide(&ReturnDecision { after, change, refund: recorded }).await? {
            ReturnDecided::Conflict => return Ok(Attempt::Conflict),
            ReturnDecided::NoRoom => return Err(Failure::Refused(DecideReturnRefused::NoRoom)),
            ReturnDecided::Written => {}
        }
        if let Some(refund) = refund {
            self.payments.request_refund(refund).await;
        }
        Ok(Attempt::Done(true))
    }

    /// Declines a return with a sentence that the customer reads. Returns whether this call did it; `false` if it was
    /// declined before.
    ///
    /// # Errors
    /// [`DecideReturnRefused::Decided`]; [`Failure::Denied`] to anyone but an admin, and if there is no such return.
    pub async fn decline_return(
        &self,
        caller: &Caller,
        id: ReturnId,
        answer: Text<500>,
    ) -> Result<bool, Failure<DecideReturnRefused>> {
        caller.require(Permission::DecideReturn)?;
        let answer = &answer;
        until_written(|| async move {
            let (asked, order) = self.return_and_order(id).await?;
            match asked.state {
                ReturnState::Requested => {}
                ReturnState::Declined { .. } => return Ok(Attempt::Done(false)),
                ReturnState::Accepted { .. } => return Err(Failure::Refused(DecideReturnRefused::Decided)),
            }
            let meta = self.events.meta(caller.actor());
            let Ok((after, kind)) = asked.decline(answer.clone(), meta.at) else { return Ok(Attempt::Conflict) };
            let Some(change) = order.note(kind, meta) else { return Ok(Attempt::Conflict) };
            let decision = ReturnDecision { after, change, refund: None };
            Ok(match self.returns.decide(&decision).await? {
                ReturnDecided::Written => Attempt::Done(true),
                ReturnDecided::Conflict | ReturnDecided::NoRoom => Attempt::Conflict,
            })
        })
        .await
    }

    async fn return_and_order(&self, id: ReturnId) -> Result<(OrderReturn, Order), Failure<DecideReturnRefused>> {
        let asked = self.returns.find(id).await?.ok_or(Denied::NotFound)?;
        let order = self.orders.find(asked.order).await?.ok_or(Denied::NotFound)?;
        Ok((asked, order))
    }

    /// What is left of the order's payment after all refunds; nothing if it is not paid.
    async fn left_to_refund<R>(&self, order: &Order) -> Result<Money, Failure<R>> {
        let Some(payment) = payment_of(order) else { return Ok(Money::ZERO) };
        Ok(left_of(order.due(), &self.payments.refunds_of(&payment).await?))
    }

    /// The refund of a return; `None` if nothing is left to refund.
    fn refund_of_return(&self, caller: &Caller, order: &Order, asked: &OrderReturn, amount: Money) -> Option<Refund> {
        let payment = payment_of(order).filter(|_| amount > Money::ZERO)?;
        let note = Text::new(&format!("Return of {} units", asked.units)).ok();
        Some(Refund { note, ..self.payments.new_refund(&payment, RefundCause::Admin, amount, caller.actor()) })
    }
}

/// The payment whose money the shop holds.
fn payment_of(order: &Order) -> Option<PaymentRef> {
    order.state.paid_by().map(|id| PaymentRef { id: id.clone(), order: order.id })
}

#[cfg(test)]
mod tests;
