//! Payment matters that need an admin: payments that match no order, failed refunds, refunds made outside the shop, and
//! disputes.

use domain::accounts::access::Denied;
use domain::{
    Caller, DisputeId, Order, Permission, Refund, RefundCause, RefundId, RefundState, Text, Timestamp, TransactionId,
};
use ports::{Acknowledged, AttentionItem, PaymentIntentState, ProviderError, StoreError};
use thiserror::Error;

use crate::Shop;
use crate::payments::pay_back::PayBackError;
use crate::payments::review_payment::{ReviewError, unknown};
use crate::payments::settle_payment::{SettleError, belongs};

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

/// Why a matter was not resolved.
#[derive(Debug, Error)]
pub enum AttentionError {
    /// The caller is no admin, or there is no such matter.
    #[error(transparent)]
    Denied(#[from] Denied),
    /// The matter is resolved, or this action does not resolve it.
    #[error("there is nothing to do about it any more")]
    Over,
    /// The order changed repeatedly in the meantime.
    #[error("the order is changing too fast")]
    TooBusy,
    #[error(transparent)]
    Provider(#[from] ProviderError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<ReviewError> for AttentionError {
    fn from(error: ReviewError) -> Self {
        match error {
            ReviewError::TooBusy => Self::TooBusy,
            ReviewError::Provider(error) => Self::Provider(error),
            ReviewError::Store(error) => Self::Store(error),
        }
    }
}

impl From<SettleError> for AttentionError {
    fn from(error: SettleError) -> Self {
        match error {
            SettleError::Provider(error) => Self::Provider(error),
            SettleError::Store(error) => Self::Store(error),
            SettleError::TooBusy => Self::TooBusy,
            _ => Self::Over,
        }
    }
}

impl Shop {
    /// All payment matters that need attention, oldest first.
    ///
    /// # Errors
    /// [`AttentionError`].
    pub async fn attention(&self, caller: &Caller) -> Result<Vec<Attention>, AttentionError> {
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
    /// [`AttentionError`].
    pub async fn retry_refund(&self, caller: &Caller, id: RefundId) -> Result<(), AttentionError> {
        caller.require(Permission::ManagePayments)?;
        let refund = self.refunds.find(id).await?.ok_or(Denied::NotFound)?;
        let (by, now) = (caller.actor(), self.clock.now());
        if refund.again(by.clone(), now).is_none() {
            return Err(AttentionError::Over);
        }
        let due = self.move_refund(refund, ports::REFUND_LEASE, |refund| refund.again(by.clone(), now)).await?;
        match self.advance_refund(due).await {
            Ok(_) => {}
            Err(PayBackError::Look(ReviewError::Store(error))) => return Err(error.into()),
            Err(error) => tracing::warn!(refund = %id, %error, "a refund is left to the background job"),
        }
        Ok(())
    }

    /// Records that a failed refund was paid by bank transfer.
    ///
    /// # Errors
    /// [`AttentionError`].
    pub async fn record_bank_transfer(
        &self,
        caller: &Caller,
        id: RefundId,
        reference: Text<500>,
    ) -> Result<(), AttentionError> {
        caller.require(Permission::ManagePayments)?;
        let refund = self.refunds.find(id).await?.ok_or(Denied::NotFound)?;
        let (by, now) = (caller.actor(), self.clock.now());
        let step = |refund: &Refund| refund.by_bank_transfer(reference.clone(), by.clone(), now);
        if step(&refund).is_none() {
            return Err(AttentionError::Over);
        }
        let refund = self.move_refund(refund, std::time::Duration::ZERO, step).await?;
        if refund.state != RefundState::Recorded {
            return Err(AttentionError::Over);
        }
        Ok(self.conclude(refund.order).await?)
    }

    /// Refunds a payment that does not match its order, and closes it.
    ///
    /// # Errors
    /// [`AttentionError`].
    pub async fn send_back_mismatched(&self, caller: &Caller, id: &TransactionId) -> Result<(), AttentionError> {
        caller.require(Permission::ManagePayments)?;
        let opened = self.payment_attempts.find(id).await?.ok_or(Denied::NotFound)?;
        let order = self.orders.find(opened.order).await?.ok_or(Denied::NotFound)?;
        let intent = self.payments.find(id).await?.ok_or_else(unknown)?;
        let settles = order.progress.payment.transaction() == Some(id);
        if settles || intent.state != PaymentIntentState::Succeeded || belongs(&intent, &order) {
            return Err(AttentionError::Over);
        }
        // A refund made at the provider may have failed since.
        self.review_payment(&opened).await?;
        self.send_back(&opened, RefundCause::Mismatch, intent.received, caller.actor(), None).await?;
        Ok(())
    }

    /// Acknowledges a refund that was made outside the shop.
    ///
    /// # Errors
    /// [`AttentionError`].
    pub async fn acknowledge_refund(&self, caller: &Caller, id: RefundId) -> Result<(), AttentionError> {
        self.acknowledge(caller, Acknowledged::Refund(id)).await
    }

    /// Acknowledges a lost dispute.
    ///
    /// # Errors
    /// [`AttentionError`].
    pub async fn acknowledge_dispute(&self, caller: &Caller, id: DisputeId) -> Result<(), AttentionError> {
        self.acknowledge(caller, Acknowledged::Dispute(id)).await
    }

    async fn acknowledge(&self, caller: &Caller, what: Acknowledged) -> Result<(), AttentionError> {
        caller.require(Permission::ManagePayments)?;
        let done = self.refunds.acknowledge(&what, &caller.actor(), self.clock.now()).await?;
        if done { Ok(()) } else { Err(AttentionError::Over) }
    }
}
