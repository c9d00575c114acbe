//! Requesting refunds, and monitoring them until they are final. A background job of its own, so that a refund on which
//! the provider hangs delays no payment.

#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_on_books;

use std::time::Duration;

use domain::orders::event::MoneyBack;
use domain::payments::refund::{committed, is_all_back, left_of};
use domain::{Actor, Money, PaymentShare, ProviderRefund, Refund, RefundCause, RefundId, RefundState};
use ports::{
    Fingerprint, IdempotencyKey, KeyDigest, NewRefund, PaymentAttempt, PaymentRef, RefundOutcome, RefundRequest,
    StoreError,
};
use thiserror::Error;

use crate::change_order::{Attempt, change_if_found};
use crate::payments::review_payment::matching_refund;
use crate::platform::concurrent::for_each_concurrent;
use crate::{Failure, Payments, Unavailable};

/// How many refunds one run processes; the rest wait for the next run.
const AT_ONCE: u32 = 50;
/// The delay after the provider refused a refund; it doubles each time.
const AFTER_REFUSAL: Duration = Duration::from_mins(2);
/// The longest of those delays.
const AFTER_REFUSAL_MOST: Duration = Duration::from_hours(2);

/// Why the provider has not refunded money yet.
#[derive(Debug, Error)]
pub(crate) enum PayBackRefused {
    /// The provider knows of no money received, although the order is paid: an admin has to act.
    #[error("the provider holds no money of this payment")]
    NothingThere,
    /// The provider refuses the refund under this attempt number; the next one is tried later.
    #[error("the provider refuses to send this back")]
    Refused,
}

/// The result of one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PaidBack {
    /// Refunds that the provider has accepted.
    pub sent: u32,
    /// Refunds that failed, in this run or before.
    pub failed: u32,
    pub waiting: u32,
}

impl Payments {
    /// Requests due refunds from the provider, and checks those that it accepted: they may still fail. Any number of
    /// instances may run this concurrently; each leases different refunds, and one that fails or hangs delays no other.
    ///
    /// # Errors
    /// [`StoreError`] if the due refunds could not be leased.
    pub async fn pay_back(&self) -> Result<PaidBack, StoreError> {
        let due = self.lease_within_budget(AT_ONCE, |most| self.refunds.lease_due(most)).await?;
        let mut done = PaidBack::default();
        let run = |payments: Self, refund: Refund| async move {
            let (order, was) = (refund.order, refund.state);
            (order, was, payments.advance_refund(refund).await)
        };
        for (order, was, ended) in for_each_concurrent(self, due, run).await {
            match ended {
                Ok(refund) if refund.state == RefundState::Failed => done.failed += 1,
                Ok(refund) if was == RefundState::Due && refund.state.stands() => done.sent += 1,
                Ok(_) => {}
                Err(error) => {
                    tracing::warn!(%order, %error, "a refund is not complete yet");
                    done.waiting += u32::from(was == RefundState::Due);
                }
            }
        }
        Ok(done)
    }

    /// Requests a refund that was just recorded from the provider. If that fails, a background job retries it.
    pub(crate) async fn request_refund(&self, refund: Refund) {
        let order = refund.order;
        if let Err(error) = self.advance_refund(refund).await {
            tracing::warn!(%order, %error, "a refund is left to the background job");
        }
    }

    /// Advances one refund as far as possible now. Repeating it refunds nothing twice, because the provider is queried
    /// first.
    pub(crate) async fn advance_refund(&self, refund: Refund) -> Result<Refund, Failure<PayBackRefused>> {
        let refund = match refund.state {
            RefundState::Due => self.send_refund(refund).await?,
            RefundState::Pending | RefundState::Succeeded => self.check_refund(refund).await?,
            RefundState::Failed | RefundState::Recorded => refund,
        };
        if refund.state == RefundState::Failed && refund.cause == RefundCause::Elsewhere {
            self.owe_again(&refund).await?;
        }
        self.conclude(refund.order).await?;
        if refund.cause == RefundCause::Elsewhere {
            self.conclude_others(&refund).await?;
        }
        Ok(refund)
    }

    /// Records a new refund for money that was refunded at the provider and whose refund failed there, if its payment
    /// settled no order: nothing else would refund it again.
    async fn owe_again(&self, failed: &Refund) -> Result<(), Failure<PayBackRefused>> {
        let Some(order) = self.orders.find(failed.order).await? else { return Ok(()) };
        if order.state.transaction() == Some(&failed.payment) {
            return Ok(());
        }
        let payment = payment_of(failed);
        let others = committed(&self.refunds_of(&payment).await?);
        let brought = Money::from_cents(others + failed.amount.cents()).unwrap_or(failed.amount);
        let refund = self.new_refund(&payment, RefundCause::Returned, failed.amount, Actor::Shop);
        // Once per failed refund, however often it is checked.
        let idempotency_key = Some(key_of(failed.id));
        self.refunds.begin(&NewRefund { refund, brought, idempotency_key, change: None }).await?;
        Ok(())
    }

    /// Concludes the other orders of a payment, for which a refund in the provider's dashboard may count as well. If it has
    /// failed, they are no longer refunded by it.
    async fn conclude_others(&self, refund: &Refund) -> Result<(), Failure<PayBackRefused>> {
        let opened = self.payment_attempts.find(&refund.payment).await?;
        let others = opened.into_iter().flat_map(|opened| opened.shares).filter(|share| share.order != refund.order);
        for PaymentShare { order, amount } in others {
            if refund.state == RefundState::Failed {
                self.owe_for_another_again(refund, &PaymentRef { id: refund.payment.clone(), order }, amount).await?;
            }
            self.conclude(order).await?;
        }
        Ok(())
    }

    async fn owe_for_another_again(
        &self,
        failed: &Refund,
        payment: &PaymentRef,
        share: Money,
    ) -> Result<(), Unavailable> {
        let owed = change_if_found(&*self.orders, payment.order, |order| async move {
            let is_refunded = !order.is_paid() && order.state.transaction() == Some(&payment.id);
            if !is_refunded || is_all_back(share, &self.refunds_of(payment).await?) {
                return Ok(Attempt::Done(()));
            }
            let money = MoneyBack { transaction: payment.id.clone(), refund: failed.id, amount: share };
            let change = order.refund_failed(money, self.events.meta(Actor::Shop));
            Ok::<_, Unavailable>(Attempt::of(self.orders.apply(&change).await?, ()))
        });
        owed.await.map(Option::unwrap_or_default)
    }

    async fn check_refund(&self, refund: Refund) -> Result<Refund, Failure<PayBackRefused>> {
        let refunds = self.provider.refunds_of(&refund.payment).await?;
        let known = self.refunds_with(&refund).await?;
        match refunds.iter().find(|reported| is_report_of(&refund, &known, reported)) {
            Some(reported) => Ok(self.note_refund(refund, reported).await?),
            None => Ok(refund),
        }
    }

    /// The refunds on record of its payment, with this one as given.
    async fn refunds_with(&self, refund: &Refund) -> Result<Vec<Refund>, StoreError> {
        let mut known = self.refunds.of_payment(&refund.payment).await?;
        known.retain(|other| other.id != refund.id);
        known.push(refund.clone());
        Ok(known)
    }

    async fn send_refund(&self, refund: Refund) -> Result<Refund, Failure<PayBackRefused>> {
        let payment = payment_of(&refund);
        if refund.tries > 0 {
            // The provider forgets an idempotency key after a day, and its response may have been lost.
            let refunds = self.provider.refunds_of(&refund.payment).await?;
            let known = self.refunds_with(&refund).await?;
            let sent =
                |reported: &&domain::ProviderRefund| reported.state.stands() && is_report_of(&refund, &known, reported);
            if let Some(reported) = refunds.iter().find(sent) {
                return Ok(self.note_refund(refund.clone(), reported).await?);
            }
        }
        let refund = self.cut_to_what_is_left(&payment, refund).await?;
        if refund.state != RefundState::Due {
            return Ok(refund);
        }
        let order = RefundRequest {
            payment: refund.payment.clone(),
            refund: refund.id,
            attempt: refund.attempt,
            amount: refund.amount,
        };
        match self.provider.refund(&order).await? {
            RefundOutcome::Accepted(reported) => Ok(self.note_refund(refund, &reported).await?),
            RefundOutcome::NothingThere => Err(Failure::Refused(PayBackRefused::NothingThere)),
            RefundOutcome::Refused(why) => {
                tracing::warn!(order = %refund.order, refund = %refund.id, why = why.as_str(), "a refund was refused");
                // A refund made at the provider in the meantime is recorded now, and the next attempt requests only
                // what is left.
                let reviewed = self.review_payment(&payment).await;
                let wait = AFTER_REFUSAL_MOST.min(AFTER_REFUSAL * 2_u32.saturating_pow(refund.tries.min(16)));
                let (number, now) = (refund.attempt, self.clock.now());
                let step = |refund: &Refund| {
                    (refund.state == RefundState::Due && refund.attempt == number)
                        .then(|| refund.refused(Some(why.clone()), now))
                };
                let refund = self.move_refund(refund.clone(), wait, step).await?;
                reviewed?;
                if refund.state == RefundState::Due {
                    Err(Failure::Refused(PayBackRefused::Refused))
                } else {
                    Ok(refund)
                }
            }
        }
    }

    /// The refund, reduced to what has not been refunded otherwise.
    async fn cut_to_what_is_left(
        &self,
        payment: &PaymentRef,
        refund: Refund,
    ) -> Result<Refund, Failure<PayBackRefused>> {
        let mut others = self.refunds.of_payment(&payment.id).await?;
        others.retain(|other| other.id != refund.id);
        // What matches no order is recorded with the first one, and is all that the payment brought.
        let is_of_all = refund.cause == RefundCause::Mismatch;
        let others = if is_of_all { others } else { self.counting_for(payment, others).await? };
        if !others.iter().any(|other| other.cause == RefundCause::Elsewhere) {
            return Ok(refund);
        }
        let brought = match self.orders.find(refund.order).await? {
            Some(order) if !refund.cause.is_whole() => order.due(),
            _ => self.brought_for(payment, is_of_all).await?.unwrap_or(refund.amount),
        };
        let left = left_of(brought, &others);
        if left >= refund.amount {
            return Ok(refund);
        }
        let now = self.clock.now();
        let step = |refund: &Refund| {
            (refund.state == RefundState::Due && left < refund.amount).then(|| refund.cut_to(left, now))
        };
        Ok(self.move_refund(refund, Duration::ZERO, step).await?)
    }

    /// What a payment brought for one of its orders, or for all of them; `None` if the provider does not know it.
    async fn brought_for(
        &self,
        payment: &PaymentRef,
        is_of_all: bool,
    ) -> Result<Option<Money>, Failure<PayBackRefused>> {
        let opened = self.payment_attempts.find(&payment.id).await?;
        let is_shared = |opened: &PaymentAttempt| opened.shares.len() > 1 && !is_of_all;
        let share = opened.filter(is_shared).and_then(|opened| opened.share_of(payment.order));
        if share.is_some() {
            return Ok(share);
        }
        Ok(self.provider.find(&payment.id).await?.map(|intent| intent.received))
    }
}

fn payment_of(refund: &Refund) -> PaymentRef {
    PaymentRef { id: refund.payment.clone(), order: refund.order }
}

/// Whether the provider reports this refund, and not another one on record of the same amount.
fn is_report_of(refund: &Refund, known: &[Refund], reported: &ProviderRefund) -> bool {
    matching_refund(known, reported).is_some_and(|found| found.id == refund.id)
}

/// The idempotency key for what follows from a refund.
fn key_of(refund: RefundId) -> IdempotencyKey {
    let (id, mut key) = (refund.uuid(), [0; 32]);
    key[..16].copy_from_slice(id.as_bytes());
    IdempotencyKey { key: KeyDigest(key), fingerprint: Fingerprint(key) }
}
