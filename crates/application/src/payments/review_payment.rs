//! Reviewing a succeeded payment: recording refunds and disputes that the provider reports and the shop did not know.

#[cfg(test)]
mod tests;

use std::time::Duration;

use domain::orders::event::MoneyBack;
use domain::orders::order::Change;
use domain::payments::bearing::refunds_for;
use domain::payments::refund::{Withheld, is_all_back, left_of, withheld};
use domain::{
    Actor, Dispute, DisputeState, Order, OrderEventKind, OrderId, PaymentShare, ProviderRefund, Refund, RefundCause,
    RefundId, RefundState,
};
use ports::{
    Applied, NewRefund, PaymentAttempt, PaymentIntent, PaymentIntentState, PaymentRef, RefundBegun, StoreError,
};

use crate::change_order::{Attempt, change_if_found};
use crate::payments::provider_answers::{belongs, unknown};
use crate::{Payments, Unavailable};

/// The delay before a refund is checked again after its state changed.
const SOON: Duration = Duration::from_mins(1);

/// A payment's state, at the provider and in the shop.
pub(crate) struct Reviewed {
    intent: PaymentIntent,
    opened: Option<PaymentAttempt>,
    /// Of all its orders.
    refunds: Vec<Refund>,
    disputes: Vec<Dispute>,
}

impl Reviewed {
    /// The orders that it was opened for; `None` if that is not on record.
    pub(crate) fn orders(&self) -> Option<Vec<OrderId>> {
        Some(self.opened.as_ref()?.shares.iter().map(|share| share.order).collect())
    }

    /// Why the order that it paid must not be shipped, if so.
    pub(crate) fn withheld(&self, order: &Order) -> Option<Withheld> {
        let opened = self.opened.as_ref();
        let is_due = opened.is_some_and(|opened| opened.share_of(order.id) == Some(order.due()));
        let sound = self.intent.state == PaymentIntentState::Succeeded
            && is_due
            && opened.is_some_and(|opened| belongs(&self.intent, opened));
        let shares = opened.map_or(&[][..], |opened| &opened.shares);
        let refunds = refunds_for(order.id, shares, &self.refunds);
        withheld(&refunds, &self.disputes).or((!sound).then_some(Withheld::Disagreement))
    }
}

impl Payments {
    /// Queries the provider about a succeeded payment, and records what the shop did not know: refunds that succeeded
    /// or failed, refunds made at the provider, disputes.
    pub(crate) async fn review_payment(&self, payment: &PaymentRef) -> Result<Reviewed, Unavailable> {
        let Some(intent) = self.provider.find(&payment.id).await? else { return Err(unknown().into()) };
        let opened = self.payment_attempts.find(&payment.id).await?;
        let known = self.refunds.of_payment(&payment.id).await?;
        if intent.refunded != refunded_at_provider(&known)
            || known.iter().any(|refund| refund.state == RefundState::Pending)
        {
            let refunds = self.provider.refunds_of(&payment.id).await?;
            // Read again for each: a refund that was in progress when the provider answered may be recorded by now.
            for reported in refunds {
                let known = self.refunds.of_payment(&payment.id).await?;
                let of = opened.as_ref().map_or_else(|| payment.clone(), |opened| bearer_of(opened, &known, &reported));
                self.record_reported_refund(&of, &known, &reported).await?;
            }
        }
        // A dispute is about the whole payment: it is recorded with the first of its orders.
        let disputed = opened.as_ref().and_then(|opened| opened.shares.first());
        let disputed =
            disputed.map_or_else(|| payment.clone(), |first| PaymentRef { order: first.order, ..payment.clone() });
        let known = self.refunds.disputes_of(&payment.id).await?;
        let open = known.iter().any(|dispute| dispute.state == DisputeState::Open);
        if intent.disputed && (open || known.is_empty()) {
            for reported in self.provider.disputes_of(&payment.id).await? {
                if !known.contains(&reported) {
                    self.note_dispute(&disputed, reported).await?;
                }
            }
        }
        let refunds = self.refunds.of_payment(&payment.id).await?;
        Ok(Reviewed { intent, opened, refunds, disputes: self.refunds.disputes_of(&payment.id).await? })
    }

    /// The refunds on record of one payment that count for one of its orders, see [`refunds_for`].
    pub(crate) async fn refunds_of(&self, payment: &PaymentRef) -> Result<Vec<Refund>, StoreError> {
        let all = self.refunds.of_payment(&payment.id).await?;
        self.counting_for(payment, all).await
    }

    /// Those of all refunds of a payment that count for one of its orders.
    pub(super) async fn counting_for(
        &self,
        payment: &PaymentRef,
        mut all: Vec<Refund>,
    ) -> Result<Vec<Refund>, StoreError> {
        let is_borne_elsewhere =
            |refund: &Refund| refund.order != payment.order && refund.cause == RefundCause::Elsewhere;
        if all.iter().any(is_borne_elsewhere)
            && let Some(opened) = self.payment_attempts.find(&payment.id).await?
        {
            return Ok(refunds_for(payment.order, &opened.shares, &all));
        }
        all.retain(|refund| refund.order == payment.order);
        Ok(all)
    }

    /// Records what the provider reports about a refund, whoever made it.
    async fn record_reported_refund(
        &self,
        payment: &PaymentRef,
        known: &[Refund],
        reported: &ProviderRefund,
    ) -> Result<(), Unavailable> {
        if let Some(refund) = matching_refund(known, reported) {
            return self.note_refund(refund.clone(), reported).await.map(drop);
        }
        // If a refund of ours failed before its response was read, it has been requested again by now.
        if !reported.state.stands() || reported.refund.is_some_and(|id| known.iter().any(|refund| refund.id == id)) {
            return Ok(());
        }
        tracing::error!(payment = %payment.id, order = %payment.order, refund = %reported.id, "a payment was refunded outside the shop");
        self.adopt(payment, reported).await
    }

    /// Records a refund that was made at the provider.
    async fn adopt(&self, payment: &PaymentRef, reported: &ProviderRefund) -> Result<(), Unavailable> {
        let refund = Refund {
            provider_id: Some(reported.id.clone()),
            state: reported.state,
            ..self.new_refund(payment, RefundCause::Elsewhere, reported.amount, Actor::Shop)
        };
        let refund = &refund;
        let adopted = change_if_found(&*self.orders, payment.order, |order| async move {
            let mut after = self.refunds.of_payment(&payment.id).await?;
            after.push(refund.clone());
            let after = self.counting_for(payment, after).await?;
            let change = self.change_by(order, refund, None, &after);
            // The money was refunded there, whatever the shop's own records leave for refunds.
            let new = NewRefund { refund: refund.clone(), brought: reported.amount, idempotency_key: None, change };
            Ok(match self.refunds.begin(&new).await? {
                RefundBegun::Written | RefundBegun::Known(_) | RefundBegun::TooMuch { .. } => Attempt::Done(()),
                RefundBegun::Conflict => Attempt::Conflict,
            })
        });
        adopted.await.map(Option::unwrap_or_default)
    }

    /// A new refund that is due.
    pub(crate) fn new_refund(
        &self,
        payment: &PaymentRef,
        cause: RefundCause,
        amount: domain::Money,
        by: Actor,
    ) -> Refund {
        let now = self.clock.now();
        Refund {
            id: RefundId::new(self.ids.fresh()),
            order: payment.order,
            payment: payment.id.clone(),
            amount,
            cause,
            state: RefundState::Due,
            provider_id: None,
            attempt: 1,
            tries: 0,
            failure: None,
            note: None,
            by,
            created_at: now,
            changed_at: now,
        }
    }

    /// Records what the provider reports about a known refund, and the resulting change of its order. Returns the
    /// updated refund.
    pub(crate) async fn note_refund(&self, refund: Refund, reported: &ProviderRefund) -> Result<Refund, Unavailable> {
        // If it was requested again in the meantime, a report about the previous attempt does not apply to the new one.
        let attempt = refund.attempt;
        let step = |refund: &Refund| {
            let its = refund.attempt == attempt || matching_refund(std::slice::from_ref(refund), reported).is_some();
            if its { refund.updated_by(reported, self.clock.now()) } else { None }
        };
        self.move_refund(refund, SOON, step).await
    }

    /// Advances a refund, with the resulting change of its order, by compare-and-set. Returns the updated refund.
    pub(crate) async fn move_refund(
        &self,
        refund: Refund,
        wait: Duration,
        step: impl Fn(&Refund) -> Option<Refund>,
    ) -> Result<Refund, Unavailable> {
        let (mut read, given, step) = (Some(refund.clone()), &refund, &step);
        let moved = change_if_found(&*self.orders, refund.order, |order| {
            let read = read.take();
            async move {
                // After a conflict, the refund is read again as well.
                let read = if read.is_some() { read } else { self.refunds.find(given.id).await? };
                let Some(refund) = read else { return Ok(Attempt::Done(given.clone())) };
                let Some(after) = step(&refund) else { return Ok(Attempt::Done(refund)) };
                let mut all = self.refunds.of_payment(&refund.payment).await?;
                all.retain(|other| other.id != refund.id);
                all.push(after.clone());
                let payment = PaymentRef { id: refund.payment.clone(), order: refund.order };
                let all = self.counting_for(&payment, all).await?;
                let change = self.change_by(order, &after, Some(refund.state), &all);
                if self.refunds.apply(&refund, &after, change, wait).await? == Applied::Conflict {
                    return Ok(Attempt::Conflict);
                }
                log_if_failed(refund.state, &after);
                Ok(Attempt::Done(after))
            }
        });
        let moved = moved.await;
        moved.map(|moved| moved.unwrap_or(refund))
    }

    /// The change of the order that results from a refund's step. `all` is every refund that counts for it after the step.
    fn change_by(&self, order: Order, after: &Refund, before: Option<RefundState>, all: &[Refund]) -> Option<Change> {
        let stood = before.is_some_and(RefundState::stands);
        let money = || MoneyBack { transaction: after.payment.clone(), refund: after.id, amount: after.amount };
        let meta = || self.events.meta(after.by.clone());
        match (stood, after.state.stands()) {
            (false, true) => {
                // What matched nothing was no order's money.
                if after.cause != RefundCause::Mismatch
                    && is_all_back(order.due(), all)
                    && let Ok(change) = order.clone().refund(after.payment.clone(), meta())
                {
                    return Some(change);
                }
                // For money that settled no order, the timeline has no entry about the refund, only about its arrival.
                let in_timeline = !after.cause.is_whole() && after.amount > domain::Money::ZERO;
                order.note(OrderEventKind::PartlyRefunded(money()), meta()).filter(|_| in_timeline)
            }
            (_, false) if after.state == RefundState::Failed && before != Some(RefundState::Failed) => {
                Some(order.refund_failed(money(), self.events.meta(Actor::Shop)))
            }
            _ => None,
        }
    }

    /// Concludes an order whose refunds are final: marks it as refunded, or records a refund for what is left.
    pub(crate) async fn conclude(&self, id: OrderId) -> Result<(), Unavailable> {
        let concluded = change_if_found(&*self.orders, id, |order| async move {
            let Some(payment) = order.state.paid_by().cloned() else { return Ok(Attempt::Done(())) };
            let total = order.due();
            let payment = PaymentRef { id: payment, order: id };
            let refunds = self.refunds_of(&payment).await?;
            let left = left_of(total, &refunds);
            if is_all_back(total, &refunds) {
                let Ok(change) = order.refund(payment.id, self.events.meta(Actor::Shop)) else {
                    return Ok(Attempt::Done(()));
                };
                return Ok(Attempt::of(self.orders.apply(&change).await?, ()));
            }
            if order.owed().is_none() || left == domain::Money::ZERO {
                return Ok(Attempt::Done(()));
            }
            let refund = self.new_refund(&payment, RefundCause::OrderCancelled, left, Actor::Shop);
            let new = NewRefund { refund, brought: total, idempotency_key: None, change: None };
            Ok(match self.refunds.begin(&new).await? {
                RefundBegun::Written | RefundBegun::Known(_) => Attempt::Done(()),
                RefundBegun::Conflict | RefundBegun::TooMuch { .. } => Attempt::Conflict,
            })
        });
        concluded.await.map(Option::unwrap_or_default)
    }

    async fn note_dispute(&self, payment: &PaymentRef, reported: Dispute) -> Result<(), Unavailable> {
        let reported = &reported;
        let noted = change_if_found(&*self.orders, payment.order, |order| async move {
            let known = self.refunds.disputes_of(&payment.id).await?;
            let before = known.iter().find(|dispute| dispute.id == reported.id);
            if before == Some(reported) {
                return Ok(Attempt::Done(()));
            }
            let before = before.map(|dispute| dispute.state);
            tracing::error!(payment = %payment.id, order = %payment.order, dispute = %reported.id, state = reported.state.as_str(), "a payment is disputed");
            let kind = event_of(payment, before, reported);
            let change = kind.and_then(|kind| order.note(kind, self.events.meta(Actor::Shop)));
            let applied = self.refunds.note_dispute(payment, before, reported, change, self.clock.now()).await?;
            Ok(Attempt::of(applied, ()))
        });
        noted.await.map(Option::unwrap_or_default)
    }
}

fn log_if_failed(before: RefundState, after: &Refund) {
    if after.state == RefundState::Failed && before != RefundState::Failed {
        tracing::error!(order = %after.order, payment = %after.payment, refund = %after.id,
            why = after.failure.as_ref().map(domain::Text::as_str), "a refund failed");
    }
}

/// The timeline's event about a dispute that was in the state `before`, or not known; `None` if there is nothing new.
fn event_of(payment: &PaymentRef, before: Option<DisputeState>, reported: &Dispute) -> Option<OrderEventKind> {
    let (transaction, dispute) = (payment.id.clone(), reported.id.clone());
    match (before, reported.state) {
        (None, DisputeState::Open) => Some(OrderEventKind::Disputed { transaction, dispute, amount: reported.amount }),
        (before, state @ (DisputeState::Won | DisputeState::Lost)) if before != Some(state) => {
            Some(OrderEventKind::DisputeClosed { transaction, dispute, won: state == DisputeState::Won })
        }
        _ => None,
    }
}

/// The order that bears a refund which was made at the provider: of those of which enough is left the one with the least, and
/// otherwise the one with the most.
fn bearer_of(opened: &PaymentAttempt, known: &[Refund], reported: &ProviderRefund) -> PaymentRef {
    let left = |share: &PaymentShare| {
        let of_order: Vec<Refund> = known.iter().filter(|refund| refund.order == share.order).cloned().collect();
        left_of(share.amount, &of_order)
    };
    let lefts = || opened.shares.iter().map(|share| (left(share), share.order));
    let enough = lefts().filter(|(left, _)| *left >= reported.amount).min();
    let order = enough.or_else(|| lefts().max()).map(|(_, order)| order);
    PaymentRef {
        id: opened.id.clone(),
        order: order.or_else(|| opened.payable.order()).unwrap_or_else(|| OrderId::new(uuid::Uuid::nil())),
    }
}

/// The amount that, by the shop's records, was refunded at the provider.
fn refunded_at_provider(known: &[Refund]) -> domain::Money {
    let there = |refund: &&Refund| matches!(refund.state, RefundState::Pending | RefundState::Succeeded);
    let cents: i64 = known.iter().filter(there).map(|refund| refund.amount.cents()).sum();
    domain::Money::from_cents(cents).unwrap_or(domain::Money::MAX)
}

/// The refund on record that the provider's report is about.
pub(crate) fn matching_refund<'a>(known: &'a [Refund], reported: &ProviderRefund) -> Option<&'a Refund> {
    let by_its_id = known.iter().find(|refund| refund.provider_id.as_ref() == Some(&reported.id));
    // One refund of ours may have several at the provider: failed attempts, and the one that stands.
    let by_ours = || {
        let fits = |refund: &&Refund| {
            reported.refund == Some(refund.id)
                && (reported.state.stands() || refund.state.stands())
                && refund.provider_id.is_none()
        };
        known.iter().find(fits)
    };
    // A refund by a version that did not send our refund id.
    let by_its_amount = || {
        let fits = |refund: &&Refund| {
            reported.refund.is_none()
                && refund.provider_id.is_none()
                && refund.amount == reported.amount
                && refund.cause != RefundCause::Elsewhere
                && matches!(refund.state, RefundState::Due | RefundState::Pending | RefundState::Succeeded)
                && (reported.state.stands() || refund.state != RefundState::Due)
        };
        known.iter().find(fits)
    };
    by_its_id.or_else(by_ours).or_else(by_its_amount)
}
