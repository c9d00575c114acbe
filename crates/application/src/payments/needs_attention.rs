//! Payment matters that need an admin: payments that match no order, failed refunds, refunds made outside the shop, and
//! disputes.

use domain::accounts::access::Denied;
use domain::{
    Caller, DisputeId, Order, Permission, Refund, RefundCause, RefundId, RefundState, Text, Timestamp, TransactionId,
};
use ports::{Acknowledged, AttentionItem, PaymentIntentState};
use thiserror::Error;

use crate::change_order::change_order;
use crate::payments::provider_answers::{belongs, unknown};
use crate::{Failure, Payments, Unavailable};

/// How many matters are returned; there should be none.
const SHOWN: u32 = 200;

/// A matter that needs an admin's attention.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attention {
    pub matter: AttentionItem,
    /// When it arose.
    pub since: Timestamp,
    pub order: Order,
}

/// The matter is resolved, or this action does not resolve it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("there is nothing to do about it any more")]
pub struct NothingToResolve;

impl Payments {
    /// All payment matters that need attention, oldest first.
    ///
    /// # Errors
    /// [`Failure::Denied`] to anyone but an admin.
    pub async fn attention(&self, caller: &Caller) -> Result<Vec<Attention>, Failure> {
        caller.require(Permission::ManagePayments)?;
        let mut all = Vec::new();
        for (matter, since) in self.refunds.attention(SHOWN).await? {
            if let Some(order) = self.orders.find(matter.order()).await? {
                all.push(Attention { matter, since, order });
            }
        }
        Ok(all)
    }

    /// Requests a failed refund again.
    ///
    /// # Errors
    /// [`NothingToResolve`].
    pub async fn retry_refund(&self, caller: &Caller, id: RefundId) -> Result<(), Failure<NothingToResolve>> {
        caller.require(Permission::ManagePayments)?;
        let refund = self.refunds.find(id).await?.ok_or(Denied::NotFound)?;
        let (by, now) = (caller.actor(), self.clock.now());
        if refund.again(by.clone(), now).is_none() {
            return Err(Failure::Refused(NothingToResolve));
        }
        let due = self.move_refund(refund, ports::REFUND_LEASE, |refund| refund.again(by.clone(), now)).await?;
        match self.advance_refund(due).await {
            Ok(_) => {}
            Err(Failure::Unavailable(Unavailable::Store(error))) => return Err(error.into()),
            Err(error) => tracing::warn!(refund = %id, %error, "a refund is left to the background job"),
        }
        Ok(())
    }

    /// Records that a failed refund was paid by bank transfer.
    ///
    /// # Errors
    /// [`NothingToResolve`].
    pub async fn record_bank_transfer(
        &self,
        caller: &Caller,
        id: RefundId,
        reference: Text<500>,
    ) -> Result<(), Failure<NothingToResolve>> {
        caller.require(Permission::ManagePayments)?;
        let refund = self.refunds.find(id).await?.ok_or(Denied::NotFound)?;
        let (by, now) = (caller.actor(), self.clock.now());
        let step = |refund: &Refund| refund.by_bank_transfer(reference.clone(), by.clone(), now);
        if step(&refund).is_none() {
            return Err(Failure::Refused(NothingToResolve));
        }
        let refund = self.move_refund(refund, std::time::Duration::ZERO, step).await?;
        // Another admin may have recorded another transfer at the same moment: then this one is nowhere on record.
        if refund.state != RefundState::Recorded || refund.note.as_ref() != Some(&reference) {
            return Err(Failure::Refused(NothingToResolve));
        }
        Ok(self.conclude(refund.order).await?)
    }

    /// Refunds a payment that does not match its order, and closes it.
    ///
    /// # Errors
    /// [`NothingToResolve`].
    pub async fn send_back_mismatched(
        &self,
        caller: &Caller,
        id: &TransactionId,
    ) -> Result<(), Failure<NothingToResolve>> {
        caller.require(Permission::ManagePayments)?;
        let opened = self.payment_attempts.find(id).await?.ok_or(Denied::NotFound)?;
        let intent = self.provider.find(id).await?.ok_or_else(unknown)?;
        let (opened, intent) = (&opened, &intent);
        change_order(&*self.orders, opened.order, |order| async move {
            let settles = order.state.transaction() == Some(id);
            if settles || intent.state != PaymentIntentState::Succeeded || belongs(intent, &order) {
                return Err(Failure::Refused(NothingToResolve));
            }
            // A refund made at the provider may have failed since.
            self.review_payment(opened).await?;
            Ok(self.send_back(opened, RefundCause::Mismatch, intent.received, caller.actor(), None).await?)
        })
        .await
        .map(drop)
    }

    /// Acknowledges a refund that was made outside the shop.
    ///
    /// # Errors
    /// [`NothingToResolve`].
    pub async fn acknowledge_refund(&self, caller: &Caller, id: RefundId) -> Result<(), Failure<NothingToResolve>> {
        self.acknowledge(caller, Acknowledged::Refund(id)).await
    }

    /// Acknowledges a lost dispute.
    ///
    /// # Errors
    /// [`NothingToResolve`].
    pub async fn acknowledge_dispute(&self, caller: &Caller, id: DisputeId) -> Result<(), Failure<NothingToResolve>> {
        self.acknowledge(caller, Acknowledged::Dispute(id)).await
    }

    async fn acknowledge(&self, caller: &Caller, what: Acknowledged) -> Result<(), Failure<NothingToResolve>> {
        caller.require(Permission::ManagePayments)?;
        let done = self.refunds.acknowledge(&what, &caller.actor(), self.clock.now()).await?;
        if done { Ok(()) } else { Err(Failure::Refused(NothingToResolve)) }
    }
}
