//! Settling a payment: the one use case that marks an order as paid, whoever reports the payment.

use std::time::Duration;

use domain::accounts::access::Denied;
use domain::orders::order::Change;
use domain::orders::refusals::SettleRefused;
use domain::{Actor, Caller, Money, Order, OrderEventKind, OrderId, Payable, Permission, RefundCause, TransactionId};
use ports::{
    Applied, CheckSooner, Ended, NewRefund, PaymentAttempt, PaymentIntent, PaymentIntentState, PaymentRef, RefundBegun,
    StoreError,
};
use thiserror::Error;

use crate::change_order::{Attempt, change_order};
use crate::payments::provider_answers::{belongs, unknown};
use crate::{Failure, Payments, Unavailable};

/// A browser's report that an order is paid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettlePayment {
    pub order: OrderId,
    /// The order's id as the payment record contains it, if it does.
    pub product: Option<String>,
    /// The payment's id as the record contains it.
    pub transaction: String,
}

/// Why a payment settles nothing. Nothing was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum SettlePaymentRefused {
    /// The provider does not confirm that the payment has succeeded.
    #[error("the payment has not succeeded")]
    NotPaid,
    /// The payment was not opened for this order, or has another amount or currency.
    #[error("the payment does not belong to this order")]
    Mismatch,
    /// Another payment has settled the order.
    #[error("another payment has settled the order")]
    PaidByAnother,
    /// The caller exceeds the rate limit.
    #[error("the caller asks too often")]
    TooMany {
        /// How long to wait.
        wait: Duration,
    },
}

/// What happened with money that arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Settled {
    /// The order is paid, by this call or an earlier one.
    Paid,
    /// It could not settle the order, and is being refunded.
    SentBack,
}

impl Payments {
    /// Treats a browser's report as a hint: queries the provider, and settles the order if the provider confirms the
    /// payment. Idempotent.
    ///
    /// # Errors
    /// [`SettlePaymentRefused`]; [`Failure::Denied`] also if the order is cancelled.
    pub async fn settle_payment(
        &self,
        caller: &Caller,
        hint: SettlePayment,
    ) -> Result<(), Failure<SettlePaymentRefused>> {
        let order = self.orders.find(hint.order).await?.ok_or(Denied::NotFound)?;
        caller.require_owner(Permission::PayOrder, order.customer)?;
        if order.is_cancelled() {
            return Err(Denied::NotFound.into());
        }
        let names_another = hint.product.is_some_and(|product| product.parse() != Ok(order.id));
        let transaction =
            hint.transaction.parse::<TransactionId>().map_err(|_| Failure::Refused(SettlePaymentRefused::Mismatch))?;
        let opened =
            self.payment_attempts.find(&transaction).await?.filter(|opened| opened.share_of(order.id).is_some());
        let (false, Some(opened)) = (names_another, opened) else {
            return Err(Failure::Refused(SettlePaymentRefused::Mismatch));
        };
        if order.state.transaction() == Some(&transaction) {
            return Ok(());
        }
        self.provider_limiter.forget(opened.payable);
        let intent = match self.look_for(caller, &transaction).await {
            Ok(intent) => intent,
            Err(error) => {
                self.payment_attempts.check_sooner(&transaction, CheckSooner::Confirmed).await?;
                return Err(error);
            }
        };
        match intent.state {
            PaymentIntentState::Open => {
                // A customer reports it as paid: it is checked before payments without such a report.
                self.payment_attempts.check_sooner(&transaction, CheckSooner::Confirmed).await?;
                Err(Failure::Refused(SettlePaymentRefused::NotPaid))
            }
            PaymentIntentState::Cancelled => Err(Failure::Refused(SettlePaymentRefused::Mismatch)),
            PaymentIntentState::Succeeded => match self.settle(&intent, &opened, caller.actor(), None).await? {
                Settled::Paid => Ok(()),
                // The order was cancelled, or paid by another payment, after it was read here.
                Settled::SentBack => Err(Failure::Refused(SettlePaymentRefused::PaidByAnother)),
            },
        }
    }

    /// Schedules the next check of a payment that its customer has just confirmed.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn payment_was_confirmed(&self, payment: &TransactionId) -> Result<(), StoreError> {
        if let Some(opened) = self.payment_attempts.find(payment).await? {
            self.provider_limiter.forget(opened.payable);
            self.payment_attempts.check_sooner(payment, CheckSooner::Confirmed).await?;
        }
        Ok(())
    }

    /// The provider's current state of a payment. Concurrent callers share a response that was requested after they
    /// came; each request counts against the rate limit of the account that causes it.
    async fn look_for(
        &self,
        caller: &Caller,
        payment: &TransactionId,
    ) -> Result<PaymentIntent, Failure<SettlePaymentRefused>> {
        let came = self.provider_limiter.tick();
        let flight = self.provider_limiter.flight(payment);
        let mut latest = flight.lock().await;
        if let Some((asked, intent)) = &*latest
            && *asked > came
        {
            return Ok(intent.clone());
        }
        self.provider_limiter
            .admit(caller.account, self.clock.now())
            .map_err(|wait| Failure::Refused(SettlePaymentRefused::TooMany { wait }))?;
        let asked = self.provider_limiter.tick();
        let intent = self.provider.find(payment).await?.ok_or_else(unknown)?;
        *latest = Some((asked, intent.clone()));
        Ok(intent)
    }

    /// Settles a payment that the provider reported as succeeded; `event_id` is the id of the event that reported it, if
    /// one did.
    pub(crate) async fn settle_what_succeeded(
        &self,
        opened: &PaymentAttempt,
        event_id: Option<&str>,
    ) -> Result<Settled, Failure<SettlePaymentRefused>> {
        let intent = self.provider.find(&opened.id).await?.ok_or_else(unknown)?;
        if intent.state != PaymentIntentState::Succeeded {
            return Err(Failure::Refused(SettlePaymentRefused::NotPaid));
        }
        self.settle(&intent, opened, Actor::Shop, event_id).await
    }

    /// Settles a succeeded payment: the orders become paid, or the money is refunded. Concurrent calls, in any order, lead to
    /// the same result. The event id is stored in the same transaction as the change.
    pub(crate) async fn settle(
        &self,
        intent: &PaymentIntent,
        opened: &PaymentAttempt,
        by: Actor,
        event_id: Option<&str>,
    ) -> Result<Settled, Failure<SettlePaymentRefused>> {
        let settled = match opened.payable {
            Payable::Order(order) => self.settle_order(intent, opened, order, by, event_id).await?,
            Payable::Checkout(_) => {
                self.check(intent, opened).await?;
                self.settle_shares(opened, by, event_id).await?
            }
        };
        Ok(self.ended(opened, settled).await?)
    }

    /// Refuses a payment that is not the one that was opened: an admin has to act.
    async fn check(
        &self,
        intent: &PaymentIntent,
        opened: &PaymentAttempt,
    ) -> Result<(), Failure<SettlePaymentRefused>> {
        if belongs(intent, opened) {
            return Ok(());
        }
        tracing::error!(payable = %opened.payable, payment = %intent.id, "a payment does not match what it was opened for");
        self.payment_attempts.note_mismatch(&intent.id).await?;
        Err(Failure::Refused(SettlePaymentRefused::Mismatch))
    }

    /// Settles the payment of a single order.
    async fn settle_order(
        &self,
        intent: &PaymentIntent,
        opened: &PaymentAttempt,
        order: OrderId,
        by: Actor,
        event_id: Option<&str>,
    ) -> Result<Settled, Failure<SettlePaymentRefused>> {
        let (by, payment, received) = (&by, &opened.reference(order), intent.received);
        change_order(&*self.orders, order, |order| async move {
            self.check(intent, opened).await?;
            let change = match self.settlement(order, payment, received, by) {
                Settlement::Change(change) => change,
                Settlement::Known(settled) => return Ok(Attempt::Done(settled)),
                Settlement::Back(cause, change) => {
                    let sent = self.send_back(payment, cause, received, Actor::Shop, change).await?;
                    return Ok(sent.map(|()| Settled::SentBack));
                }
            };
            Ok(Attempt::of(self.write(&change, event_id).await?, Settled::Paid))
        })
        .await
    }

    /// What is to become of one order and its share of a payment.
    pub(super) fn settlement(&self, order: Order, payment: &PaymentRef, share: Money, by: &Actor) -> Settlement {
        match order.clone().settle(payment.id.clone(), self.events.meta(by.clone())) {
            Ok(change) => Settlement::Change(change),
            Err(SettleRefused::BySame) => Settlement::Known(settled_by_same(&order)),
            Err(SettleRefused::Cancelled) => Settlement::Back(RefundCause::Late, None),
            Err(SettleRefused::ByAnother) => {
                tracing::error!(order = %order.id, payment = %payment.id, "an order was paid twice; refunding one payment");
                let kind = OrderEventKind::Overpaid { transaction: payment.id.clone(), amount: share };
                Settlement::Back(RefundCause::Overpaid, order.note(kind, self.events.meta(Actor::Shop)))
            }
        }
    }

    /// Records the refund of money that settles no order, and requests the refund. Once it is recorded, a background job
    /// completes it.
    pub(crate) async fn send_back(
        &self,
        payment: &PaymentRef,
        cause: RefundCause,
        received: Money,
        by: Actor,
        change: Option<Change>,
    ) -> Result<Attempt<()>, Unavailable> {
        let mut refund = self.new_refund(payment, cause, received, by);
        loop {
            let new =
                NewRefund { refund: refund.clone(), brought: received, idempotency_key: None, change: change.clone() };
            match self.refunds.begin(&new).await? {
                RefundBegun::Written => break,
                // Part of it was refunded at the provider: less and less is left.
                RefundBegun::TooMuch { left } if left > Money::ZERO && left < refund.amount => refund.amount = left,
                // All of it is being refunded already.
                RefundBegun::Known(_) | RefundBegun::TooMuch { .. } => return Ok(Attempt::Done(())),
                RefundBegun::Conflict => return Ok(Attempt::Conflict),
            }
        }
        self.request_refund(refund).await;
        Ok(Attempt::Done(()))
    }

    async fn write(&self, change: &Change, event_id: Option<&str>) -> Result<Applied, StoreError> {
        match event_id {
            Some(event_id) => self.payment_events.apply(event_id, change, self.clock.now()).await,
            None => self.orders.apply(change).await,
        }
    }

    pub(super) async fn ended(&self, opened: &PaymentAttempt, settled: Settled) -> Result<Settled, StoreError> {
        let ended = if settled == Settled::Paid { Ended::Settled } else { Ended::SentBack };
        self.payment_attempts.close(&opened.id, ended, self.clock.now()).await?;
        self.provider_limiter.forget(opened.payable);
        Ok(settled)
    }
}

/// What is to become of one order and its share of a payment.
pub(super) enum Settlement {
    /// The order becomes paid.
    Change(Change),
    /// That was decided before.
    Known(Settled),
    /// The money goes back, and the order keeps this note of it.
    Back(RefundCause, Option<Change>),
}

/// The result for the payment that has settled the order: it may have been refunded since.
fn settled_by_same(order: &Order) -> Settled {
    if order.is_paid() { Settled::Paid } else { Settled::SentBack }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::sync::{Arc, Mutex};

    use domain::{ProviderRefund, RefundState, Role};
    use ports::{
        MockPaymentAttempts, MockPaymentProvider, MockRefundRepository, ProviderError, RefundOutcome, RefundRequest,
    };

    use super::*;
    use crate::Ports;
    use crate::testing::{caller, customers_order, holding, intent, meta, paid_order, payments_on, ports, transaction};

    fn hint(order: &Order) -> SettlePayment {
        SettlePayment {
            order: order.id,
            product: Some(order.id.to_string()),
            transaction: transaction().as_str().to_owned(),
        }
    }

    fn opened_for(order: &Order) -> MockPaymentAttempts {
        let mut payment_attempts = MockPaymentAttempts::new();
        let opened = PaymentAttempt::of_order(transaction(), order.id, order.item.total);
        payment_attempts.expect_find().returning(move |id| Ok((*id == opened.id).then(|| opened.clone())));
        payment_attempts
    }

    fn saying(intent: PaymentIntent) -> Arc<MockPaymentProvider> {
        let mut payments = MockPaymentProvider::new();
        payments.expect_find().returning(move |_| Ok(Some(intent.clone())));
        Arc::new(payments)
    }

    #[tokio::test]
    async fn a_confirmed_payment_settles_its_order_once_and_is_closed() {
        let order = customers_order();
        let mut orders = holding(&order);
        orders.expect_apply().times(1).withf(|change| change.after.is_paid()).returning(|_| Ok(Applied::Written));
        let mut payment_attempts = opened_for(&order);
        payment_attempts.expect_close().times(1).returning(|_, _, _| Ok(()));
        let service = payments_on(Ports {
            orders: Arc::new(orders),
            payment_attempts: Arc::new(payment_attempts),
            payment_provider: saying(intent(&order, PaymentIntentState::Succeeded)),
            ..ports()
        });
        service.settle_payment(&caller(Role::Customer), hint(&order)).await.unwrap();
    }

    #[tokio::test]
    async fn a_browsers_report_alone_settles_nothing() {
        let order = customers_order();
        for (state, expected) in [(PaymentIntentState::Open, true), (PaymentIntentState::Cancelled, false)] {
            let mut payment_attempts = opened_for(&order);
            payment_attempts
                .expect_check_sooner()
                .times(usize::from(expected))
                .withf(|_, why| *why == CheckSooner::Confirmed)
                .returning(|_, _| Ok(()));
            let service = payments_on(Ports {
                orders: Arc::new(holding(&order)),
                payment_attempts: Arc::new(payment_attempts),
                payment_provider: saying(intent(&order, state)),
                ..ports()
            });
            let refused = service.settle_payment(&caller(Role::Customer), hint(&order)).await;
            assert_eq!(
                matches!(refused, Err(Failure::Refused(SettlePaymentRefused::NotPaid))),
                expected,
                "{state:?}: {refused:?}"
            );
            assert!(refused.is_err());
        }
    }

    #[tokio::test]
    async fn a_payment_of_another_order_amount_or_currency_settles_nothing() {
        let order = customers_order();
        let sound = intent(&order, PaymentIntentState::Succeeded);
        let other_order =
            PaymentIntent { payable: Some(Payable::Order(OrderId::new(uuid::Uuid::from_u128(999)))), ..sound.clone() };
        let no_order = PaymentIntent { payable: None, ..sound.clone() };
        let other_amount = PaymentIntent { amount: Money::from_cents(1).unwrap(), ..sound.clone() };
        let less_received = PaymentIntent { received: Money::from_cents(1).unwrap(), ..sound.clone() };
        let other_currency = PaymentIntent { currency: "eur".into(), ..sound };
        for lie in [other_order, no_order, other_amount, less_received, other_currency] {
            let mut payment_attempts = opened_for(&order);
            payment_attempts.expect_note_mismatch().times(1).returning(|_| Ok(()));
            let service = payments_on(Ports {
                orders: Arc::new(holding(&order)),
                payment_attempts: Arc::new(payment_attempts),
                payment_provider: saying(lie.clone()),
                ..ports()
            });
            let refused = service.settle_payment(&caller(Role::Customer), hint(&order)).await;
            assert!(matches!(refused, Err(Failure::Refused(SettlePaymentRefused::Mismatch))), "{lie:?}: {refused:?}");
        }
    }

    #[tokio::test]
    async fn a_report_of_an_unknown_payment_or_another_order_is_refused_without_a_provider_call() {
        let order = customers_order();
        for (product, transaction) in
            [(None, "pi_unknown"), (None, "not an id"), (Some("elsewhere"), transaction().as_str())]
        {
            let service = payments_on(Ports {
                orders: Arc::new(holding(&order)),
                payment_attempts: Arc::new(opened_for(&order)),
                ..ports()
            });
            let hint = SettlePayment {
                order: order.id,
                product: product.map(str::to_owned),
                transaction: transaction.to_owned(),
            };
            let refused = service.settle_payment(&caller(Role::Customer), hint).await;
            assert!(matches!(refused, Err(Failure::Refused(SettlePaymentRefused::Mismatch))), "{refused:?}");
        }
    }

    #[tokio::test]
    async fn settling_the_same_payment_again_succeeds() {
        let order = paid_order();
        let service = payments_on(Ports {
            orders: Arc::new(holding(&order)),
            payment_attempts: Arc::new(opened_for(&order)),
            ..ports()
        });
        service.settle_payment(&caller(Role::Customer), hint(&order)).await.unwrap();
    }

    #[tokio::test]
    async fn a_payment_unknown_to_the_provider_is_neither_refused_nor_settled() {
        let order = customers_order();
        let mut payments = MockPaymentProvider::new();
        payments.expect_find().returning(|_| Ok(None));
        let mut payment_attempts = opened_for(&order);
        payment_attempts.expect_check_sooner().times(1).returning(|_, _| Ok(()));
        let service = payments_on(Ports {
            orders: Arc::new(holding(&order)),
            payment_attempts: Arc::new(payment_attempts),
            payment_provider: Arc::new(payments),
            ..ports()
        });
        let refused = service.settle_payment(&caller(Role::Customer), hint(&order)).await;
        assert!(
            matches!(refused, Err(Failure::Unavailable(Unavailable::Provider(ProviderError::Unavailable(_))))),
            "{refused:?}"
        );
    }

    #[tokio::test]
    async fn reports_that_come_together_share_a_query_and_a_later_one_asks_again() {
        let order = customers_order();
        let mut payment_attempts = opened_for(&order);
        payment_attempts.expect_check_sooner().returning(|_, _| Ok(()));
        let (open, asked) = (intent(&order, PaymentIntentState::Open), Arc::new(AtomicU32::new(0)));
        let asking = Arc::clone(&asked);
        let mut payments = MockPaymentProvider::new();
        payments.expect_find().returning(move |_| {
            asking.fetch_add(1, Ordering::Relaxed);
            Ok(Some(open.clone()))
        });
        let service = payments_on(Ports {
            orders: Arc::new(holding(&order)),
            payment_attempts: Arc::new(payment_attempts),
            payment_provider: Arc::new(payments),
            ..ports()
        });
        let customer = caller(Role::Customer);
        // As if the provider were just being asked on behalf of somebody who came before.
        let flight = service.provider_limiter.flight(&transaction());
        let held = flight.lock().await;
        let (one, other, ()) = tokio::join!(
            service.settle_payment(&customer, hint(&order)),
            service.settle_payment(&customer, hint(&order)),
            async { drop(held) },
        );
        assert_eq!(asked.load(Ordering::Relaxed), 1);
        let third = service.settle_payment(&customer, hint(&order)).await;
        assert_eq!(asked.load(Ordering::Relaxed), 2);
        for answer in [one, other, third] {
            assert!(matches!(answer, Err(Failure::Refused(SettlePaymentRefused::NotPaid))), "{answer:?}");
        }
    }

    #[tokio::test]
    async fn too_many_reports_are_rate_limited() {
        let order = customers_order();
        let mut payment_attempts = opened_for(&order);
        payment_attempts.expect_check_sooner().returning(|_, _| Ok(()));
        let service = payments_on(Ports {
            orders: Arc::new(holding(&order)),
            payment_attempts: Arc::new(payment_attempts),
            payment_provider: saying(intent(&order, PaymentIntentState::Open)),
            ..ports()
        });
        let mut refused = 0;
        for _ in 0..100 {
            match service.settle_payment(&caller(Role::Customer), hint(&order)).await {
                Err(Failure::Refused(SettlePaymentRefused::TooMany { wait })) if !wait.is_zero() => refused += 1,
                Err(Failure::Refused(SettlePaymentRefused::NotPaid)) => {}
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(refused, 70);
    }

    /// A refund repository that records one refund with this cause and lets it succeed.
    fn taking(cause: RefundCause, noted: bool) -> MockRefundRepository {
        let mut refunds = MockRefundRepository::new();
        refunds
            .expect_begin()
            .times(1)
            .withf(move |new| {
                let kind = new.change.as_ref().map(|change| &change.event.kind);
                new.refund.cause == cause && matches!(kind, Some(OrderEventKind::Overpaid { .. })) == noted
            })
            .returning(|_| Ok(RefundBegun::Written));
        refunds.expect_of_payment().returning(|_| Ok(Vec::new()));
        refunds.expect_apply().times(1).returning(|_, _, _, _| Ok(Applied::Written));
        refunds
    }

    fn accepted(request: &RefundRequest) -> RefundOutcome {
        RefundOutcome::Accepted(ProviderRefund {
            id: "re_1".parse().unwrap(),
            amount: request.amount,
            state: RefundState::Succeeded,
            refund: Some(request.refund),
            failure: None,
        })
    }

    fn sending_back() -> Arc<MockPaymentProvider> {
        let mut payments = MockPaymentProvider::new();
        payments.expect_refund().times(1).returning(|order| Ok(accepted(order)));
        Arc::new(payments)
    }

    fn closing(as_what: Ended) -> Arc<MockPaymentAttempts> {
        let mut payment_attempts = MockPaymentAttempts::new();
        payment_attempts
            .expect_close()
            .times(1)
            .withf(move |_, ended, _| *ended == as_what)
            .returning(|_, _, _| Ok(()));
        Arc::new(payment_attempts)
    }

    #[tokio::test]
    async fn a_payment_for_a_cancelled_order_is_recorded_and_refunded() {
        let order = customers_order().cancel(meta(Actor::Shop)).unwrap().after;
        let service = payments_on(Ports {
            orders: Arc::new(holding(&order)),
            payment_provider: sending_back(),
            payment_attempts: closing(Ended::SentBack),
            refunds: Arc::new(taking(RefundCause::Late, false)),
            ..ports()
        });
        let opened = PaymentAttempt::of_order(transaction(), order.id, order.item.total);
        let intent = intent(&order, PaymentIntentState::Succeeded);
        assert_eq!(service.settle(&intent, &opened, Actor::Shop, None).await.unwrap(), Settled::SentBack);
    }

    #[tokio::test]
    async fn a_second_payment_of_a_paid_order_is_refunded_and_appears_in_the_timeline() {
        let order = paid_order();
        let service = payments_on(Ports {
            orders: Arc::new(holding(&order)),
            payment_provider: sending_back(),
            payment_attempts: closing(Ended::SentBack),
            refunds: Arc::new(taking(RefundCause::Overpaid, true)),
            ..ports()
        });
        let second: TransactionId = "pi_second".parse().unwrap();
        let opened = PaymentAttempt::of_order(second.clone(), order.id, order.item.total);
        let intent = PaymentIntent { id: second, ..intent(&order, PaymentIntentState::Succeeded) };
        assert_eq!(service.settle(&intent, &opened, Actor::Shop, None).await.unwrap(), Settled::SentBack);
    }

    /// Sends 500 cents back, to which the records give these answers one after the other. The amounts that were to be recorded, and
    /// how many cents were then sent.
    async fn sent_back(answers: Vec<RefundBegun>) -> (Vec<i64>, Option<i64>, Attempt<()>) {
        let (asked, sent) = (Arc::new(Mutex::new(Vec::new())), Arc::new(Mutex::new(None)));
        let (asking, sending) = (Arc::clone(&asked), Arc::clone(&sent));
        let (times, answers) = (answers.len(), Mutex::new(answers.into_iter()));
        let mut refunds = MockRefundRepository::new();
        refunds.expect_begin().times(times).returning(move |new| {
            asking.lock().unwrap().push(new.refund.amount.cents());
            Ok(answers.lock().unwrap().next().unwrap())
        });
        refunds.expect_of_payment().returning(|_| Ok(Vec::new()));
        refunds.expect_apply().returning(|_, _, _, _| Ok(Applied::Written));
        let mut payments = MockPaymentProvider::new();
        payments.expect_refund().returning(move |order| {
            *sending.lock().unwrap() = Some(order.amount.cents());
            Ok(accepted(order))
        });
        let service = payments_on(Ports {
            orders: Arc::new(holding(&customers_order())),
            refunds: Arc::new(refunds),
            payment_provider: Arc::new(payments),
            ..ports()
        });
        let payment = PaymentRef { id: transaction(), order: customers_order().id };
        let received = Money::from_cents(500).unwrap();
        let ended = service.send_back(&payment, RefundCause::Late, received, Actor::Shop, None).await.unwrap();
        let (asked, sent) = (asked.lock().unwrap().clone(), *sent.lock().unwrap());
        (asked, sent, ended)
    }

    #[tokio::test]
    async fn no_more_is_sent_back_than_is_left_of_a_payment() {
        let left = |cents| RefundBegun::TooMuch { left: Money::from_cents(cents).unwrap() };
        for (answers, expected) in [
            (vec![RefundBegun::Written], (vec![500], Some(500), Attempt::Done(()))),
            (vec![left(400), RefundBegun::Written], (vec![500, 400], Some(400), Attempt::Done(()))),
            (vec![left(400), left(1), RefundBegun::Written], (vec![500, 400, 1], Some(1), Attempt::Done(()))),
            (vec![left(0)], (vec![500], None, Attempt::Done(()))),
            (vec![left(500)], (vec![500], None, Attempt::Done(()))),
            (vec![RefundBegun::Conflict], (vec![500], None, Attempt::Conflict)),
        ] {
            let words = format!("{answers:?}");
            assert_eq!(sent_back(answers).await, expected, "{words}");
        }
    }

    #[tokio::test]
    async fn a_payment_that_was_confirmed_is_checked_sooner_if_the_shop_opened_it() {
        let mut payment_attempts = opened_for(&customers_order());
        payment_attempts
            .expect_check_sooner()
            .times(1)
            .withf(|id, why| *id == transaction() && *why == CheckSooner::Confirmed)
            .returning(|_, _| Ok(()));
        let service = payments_on(Ports { payment_attempts: Arc::new(payment_attempts), ..ports() });
        service.payment_was_confirmed(&transaction()).await.unwrap();
        service.payment_was_confirmed(&"pi_unknown".parse().unwrap()).await.unwrap();
    }
}
