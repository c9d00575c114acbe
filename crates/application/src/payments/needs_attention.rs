//! Payment matters that need an admin: payments that match no order, failed refunds, refunds made outside the shop, and
//! disputes.

use domain::accounts::access::Denied;
use domain::{
    Caller, DisputeId, Order, Permission, Refund, RefundCause, RefundId, RefundState, Text, Timestamp, TransactionId,
};
use ports::{Acknowledged, AttentionItem, PaymentIntentState, StoreError, error_chain};
use thiserror::Error;

use crate::change_order::{Attempt, change_order};
use crate::payments::provider_answers::{belongs, unknown};
use crate::payments::settle_payment::Settled;
use crate::{Failure, Payments};

/// How many matters are returned, the oldest first; there should be none.
const LIST_LIMIT: u32 = 200;

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
    /// The payment matters that need attention, oldest first; at most the oldest 200. One whose order cannot be decoded
    /// is left out and logged, so that it does not hide the others.
    ///
    /// # Errors
    /// [`Failure::Denied`] to anyone but an admin.
    pub async fn attention(&self, caller: &Caller) -> Result<Vec<Attention>, Failure> {
        caller.require(Permission::ManagePayments)?;
        let mut listed = Vec::new();
        for (matter, since) in self.refunds.attention(LIST_LIMIT).await? {
            let Some(order) = matter.order() else { continue };
            match self.orders.find(order).await {
                Ok(Some(order)) => listed.push(Attention { matter, since, order }),
                Ok(None) => {}
                Err(error @ StoreError::Internal(_)) => {
                    tracing::error!(%order, error = error_chain(&error),
                        "the order of a payment matter cannot be decoded; the matter is not listed");
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(listed)
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
        self.request_refund(due).await;
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
        let first = opened.shares.first().ok_or(Denied::NotFound)?.order;
        let (opened, intent) = (&opened, &intent);
        change_order(&*self.orders, first, |order| async move {
            let settles = order.state.transaction() == Some(id);
            if settles || intent.state != PaymentIntentState::Succeeded || belongs(intent, opened) {
                return Err(Failure::Refused(NothingToResolve));
            }
            // A refund made at the provider may have failed since.
            let payment = opened.reference(order.id);
            self.review_payment(&payment).await?;
            let sent = self.send_back(&payment, RefundCause::Mismatch, intent.received, caller.actor(), None).await?;
            if sent == Attempt::Done(()) {
                self.ended(opened, Settled::SentBack).await?;
            }
            Ok(sent)
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::{Actor, OrderId, Role};
    use ports::{Applied, Ended, MockPaymentProvider, MockRefundRepository, NewRefund, PaymentIntent, RefundBegun};
    use uuid::Uuid;

    use super::*;
    use crate::Ports;
    use crate::payments::books::{Books, cents, kept, made, paid, refund};
    use crate::testing::{
        caller, customers_order, denial, holding, holding_beside_undecodable, intent, no_refunds, now, opened,
        paid_order, payments_on, ports, transaction,
    };

    fn failed_refund() -> Refund {
        let order = paid_order();
        Refund {
            id: RefundId::new(Uuid::from_u128(7)),
            order: order.id,
            payment: transaction(),
            amount: order.item.total,
            cause: RefundCause::Admin,
            state: RefundState::Failed,
            provider_id: None,
            attempt: 1,
            tries: 0,
            failure: None,
            note: None,
            by: Actor::Shop,
            created_at: now(),
            changed_at: now(),
        }
    }

    fn reference(text: &str) -> Text<500> {
        Text::new(text).unwrap()
    }

    /// The payment of [`customers_order`], of which too little arrived.
    fn mismatched() -> PaymentIntent {
        PaymentIntent { received: cents(500), ..intent(&customers_order(), PaymentIntentState::Succeeded) }
    }

    /// A provider that says this of every payment.
    fn saying(intent: PaymentIntent) -> MockPaymentProvider {
        let mut provider = MockPaymentProvider::new();
        provider.expect_find().returning(move |_| Ok(Some(intent.clone())));
        provider
    }

    #[tokio::test]
    async fn of_two_bank_transfers_recorded_at_once_only_the_one_on_record_is_accepted() {
        for (ours, accepted) in [("SEPA 1", true), ("SEPA 2", false)] {
            let mut refunds = MockRefundRepository::new();
            let (failed, recorded) = (failed_refund(), failed_refund());
            let recorded = recorded.by_bank_transfer(reference("SEPA 1"), Actor::Shop, now()).unwrap();
            refunds.expect_find().times(1).returning(move |_| Ok(Some(failed.clone())));
            refunds.expect_of_payment().returning(|_| Ok(Vec::new()));
            // Another admin writes first, and the refund is read again.
            refunds.expect_apply().times(1).returning(|_, _, _, _| Ok(Applied::Conflict));
            refunds.expect_find().times(1).returning(move |_| Ok(Some(recorded.clone())));
            let service =
                payments_on(Ports { orders: Arc::new(holding(&paid_order())), refunds: Arc::new(refunds), ..ports() });
            let done = service.record_bank_transfer(&caller(Role::Admin), failed_refund().id, reference(ours)).await;
            match done {
                Ok(()) => assert!(accepted, "a reference that is nowhere on record was accepted"),
                Err(error) => assert!(!accepted && matches!(error, Failure::Refused(NothingToResolve)), "{error:?}"),
            }
        }
    }

    #[tokio::test]
    async fn an_order_that_cannot_be_decoded_hides_only_its_own_matter() {
        let good = paid_order();
        let bad = OrderId::new(Uuid::from_u128(404));
        let matters = [bad, good.id].map(|order| (AttentionItem::Refund(Refund { order, ..failed_refund() }), now()));
        let mut refunds = MockRefundRepository::new();
        refunds.expect_attention().returning(move |_| Ok(matters.to_vec()));
        let orders = holding_beside_undecodable(bad, &good);
        let service = payments_on(Ports { orders: Arc::new(orders), refunds: Arc::new(refunds), ..ports() });
        let listed = service.attention(&caller(Role::Admin)).await.unwrap();
        assert_eq!(listed.iter().map(|matter| matter.order.id).collect::<Vec<_>>(), [good.id]);
    }

    #[tokio::test]
    async fn a_failed_refund_is_requested_again_but_not_one_that_has_succeeded() {
        let failed = refund(1, 1, RefundCause::Admin, RefundState::Failed, 500);
        let mut provider = MockPaymentProvider::new();
        provider.expect_refund().times(1).withf(|asked| asked.attempt == 2).returning(|asked| Ok(made(asked)));
        let (service, books) = kept(Books::of(&[paid(1)], std::slice::from_ref(&failed)), None, provider);
        let admin = caller(Role::Admin);
        service.retry_refund(&admin, failed.id).await.unwrap();
        let sent = books.lock().unwrap().refunds[0].clone();
        assert_eq!((sent.state, sent.by), (RefundState::Succeeded, admin.actor()));
        for refused in [
            service.retry_refund(&admin, failed.id).await,
            service.record_bank_transfer(&admin, failed.id, reference("SEPA 1")).await,
        ] {
            assert!(matches!(refused, Err(Failure::Refused(NothingToResolve))), "{refused:?}");
        }
    }

    #[tokio::test]
    async fn a_payment_that_does_not_match_is_sent_back_as_it_arrived_and_closed() {
        let mut payment_attempts = opened();
        payment_attempts
            .expect_close()
            .times(1)
            .withf(|id, ended, _| *id == transaction() && *ended == Ended::SentBack)
            .returning(|_, _, _| Ok(()));
        let mut refunds = no_refunds();
        refunds
            .expect_begin()
            .times(1)
            .withf(|NewRefund { refund, .. }| {
                let by_admin = refund.by == caller(Role::Admin).actor();
                refund.cause == RefundCause::Mismatch && refund.amount == cents(500) && by_admin
            })
            .returning(|_| Ok(RefundBegun::Written));
        refunds
            .expect_apply()
            .times(1)
            .withf(|_, after, _, _| after.state == RefundState::Succeeded)
            .returning(|_, _, _, _| Ok(Applied::Written));
        let mut provider = saying(mismatched());
        provider.expect_refund().times(1).withf(|asked| asked.amount == cents(500)).returning(|asked| Ok(made(asked)));
        let service = payments_on(Ports {
            orders: Arc::new(holding(&customers_order())),
            payment_attempts: Arc::new(payment_attempts),
            payment_provider: Arc::new(provider),
            refunds: Arc::new(refunds),
            ..ports()
        });
        service.send_back_mismatched(&caller(Role::Admin), &transaction()).await.unwrap();
    }

    #[tokio::test]
    async fn a_payment_that_settled_its_order_or_has_not_arrived_or_matches_is_not_sent_back() {
        let not_arrived = PaymentIntent { state: PaymentIntentState::Open, ..mismatched() };
        let matching = intent(&customers_order(), PaymentIntentState::Succeeded);
        for (order, found) in
            [(paid_order(), mismatched()), (customers_order(), not_arrived), (customers_order(), matching)]
        {
            let service = payments_on(Ports {
                orders: Arc::new(holding(&order)),
                payment_attempts: Arc::new(opened()),
                payment_provider: Arc::new(saying(found)),
                ..ports()
            });
            let refused = service.send_back_mismatched(&caller(Role::Admin), &transaction()).await;
            assert!(matches!(refused, Err(Failure::Refused(NothingToResolve))), "{refused:?}");
        }
    }

    #[tokio::test]
    async fn a_matter_is_acknowledged_by_an_admin_once() {
        let (id, dispute): (_, DisputeId) = (failed_refund().id, "dp_1".parse().unwrap());
        let mut refunds = MockRefundRepository::new();
        for matter in [Acknowledged::Refund(id), Acknowledged::Dispute(dispute.clone())] {
            let mut is_listed = true;
            refunds
                .expect_acknowledge()
                .times(2)
                .withf(move |what, by, at| *what == matter && *by == caller(Role::Admin).actor() && *at == now())
                .returning(move |_, _, _| Ok(std::mem::take(&mut is_listed)));
        }
        let service = payments_on(Ports { refunds: Arc::new(refunds), ..ports() });
        let admin = caller(Role::Admin);
        service.acknowledge_refund(&admin, id).await.unwrap();
        service.acknowledge_dispute(&admin, dispute.clone()).await.unwrap();
        for again in [service.acknowledge_refund(&admin, id).await, service.acknowledge_dispute(&admin, dispute).await]
        {
            assert!(matches!(again, Err(Failure::Refused(NothingToResolve))), "{again:?}");
        }
    }

    #[tokio::test]
    async fn nothing_is_resolved_that_is_not_on_record() {
        let (service, _) = kept(Books::of(&[], &[]), None, MockPaymentProvider::new());
        let (admin, unknown) = (caller(Role::Admin), failed_refund().id);
        let denials = [
            denial(&service.retry_refund(&admin, unknown).await),
            denial(&service.record_bank_transfer(&admin, unknown, reference("SEPA 1")).await),
            denial(&service.send_back_mismatched(&admin, &transaction()).await),
        ];
        assert_eq!(denials, [Some(Denied::NotFound); 3]);
    }

    #[tokio::test]
    async fn a_customer_neither_sees_nor_resolves_payment_matters() {
        let (service, customer, id) = (payments_on(ports()), caller(Role::Customer), failed_refund().id);
        let denials = [
            denial(&service.attention(&customer).await),
            denial(&service.retry_refund(&customer, id).await),
            denial(&service.record_bank_transfer(&customer, id, reference("SEPA 1")).await),
            denial(&service.send_back_mismatched(&customer, &transaction()).await),
            denial(&service.acknowledge_refund(&customer, id).await),
            denial(&service.acknowledge_dispute(&customer, "dp_1".parse().unwrap()).await),
        ];
        assert_eq!(denials, [Some(Denied::Forbidden); 6]);
    }
}
