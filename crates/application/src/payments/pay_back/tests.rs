use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ports::{
    Applied, MockOrderRepository, MockPaymentAttempts, MockPaymentProvider, MockRefundRepository, PaymentAttempt,
    PaymentIntent, PaymentIntentState, ProviderError,
};

use super::*;
use crate::Ports;
use crate::payments::books::made;
use crate::testing::{
    cancelled_paid, customers_order, holding, intent, meta, paid_order, payments_on, ports, transaction,
};

fn due(n: u128) -> Refund {
    let order = cancelled_paid();
    let payment = PaymentRef { id: transaction(), order: order.id };
    let refund = payments_on(ports()).new_refund(&payment, RefundCause::OrderCancelled, order.item.total, Actor::Shop);
    Refund { id: domain::RefundId::new(uuid::Uuid::from_u128(n)), ..refund }
}

/// A repository that leases these refunds, knows no others, and records what is written.
fn handing_out(due: Vec<Refund>, written: &Arc<Mutex<Vec<Refund>>>) -> MockRefundRepository {
    let mut refunds = MockRefundRepository::new();
    refunds.expect_lease_due().returning(move |_| Ok(due.clone()));
    refunds.expect_of_payment().returning(|_| Ok(Vec::new()));
    refunds.expect_disputes_of().returning(|_| Ok(Vec::new()));
    let written = Arc::clone(written);
    refunds.expect_apply().returning(move |_, after, _, _| {
        written.lock().unwrap().push(after.clone());
        Ok(Applied::Written)
    });
    refunds.expect_begin().returning(|_| Ok(ports::RefundBegun::Written));
    refunds
}

#[tokio::test]
async fn a_refund_that_cannot_be_requested_delays_no_other() {
    let written = Arc::default();
    let mut payments = MockPaymentProvider::new();
    let asked = Arc::new(AtomicU32::new(0));
    let count = Arc::clone(&asked);
    payments.expect_refund().returning(move |order| {
        if count.fetch_add(1, Ordering::Relaxed) == 0 {
            return Err(ProviderError::Unavailable("timeout".into()));
        }
        Ok(made(order))
    });
    let service = payments_on(Ports {
        orders: Arc::new(holding(&cancelled_paid())),
        payment_provider: Arc::new(payments),
        refunds: Arc::new(handing_out(vec![due(1), due(2), due(3)], &written)),
        ..ports()
    });
    assert_eq!(service.pay_back().await.unwrap(), PaidBack { sent: 2, failed: 0, waiting: 1 });
    assert_eq!(asked.load(Ordering::Relaxed), 3);
}

#[tokio::test]
async fn money_that_the_provider_never_received_is_not_recorded_as_refunded() {
    let written = Arc::default();
    let mut payments = MockPaymentProvider::new();
    payments.expect_refund().returning(|_| Ok(RefundOutcome::NothingThere));
    let service = payments_on(Ports {
        orders: Arc::new(holding(&cancelled_paid())),
        payment_provider: Arc::new(payments),
        refunds: Arc::new(handing_out(vec![due(1)], &written)),
        ..ports()
    });
    assert_eq!(service.pay_back().await.unwrap(), PaidBack { waiting: 1, ..PaidBack::default() });
    assert!(written.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_refused_refund_is_retried_under_the_next_number_within_minutes() {
    let written: Arc<Mutex<Vec<Refund>>> = Arc::default();
    let mut payments = MockPaymentProvider::new();
    payments
        .expect_refund()
        .returning(|_| Ok(RefundOutcome::Refused(domain::Text::new("balance_insufficient").unwrap())));
    let sound = intent(&paid_order(), PaymentIntentState::Succeeded);
    payments.expect_find().returning(move |_| Ok(Some(sound.clone())));
    let mut refunds = MockRefundRepository::new();
    refunds.expect_lease_due().returning(|_| Ok(vec![due(1)]));
    refunds.expect_of_payment().returning(|_| Ok(Vec::new()));
    refunds.expect_disputes_of().returning(|_| Ok(Vec::new()));
    let noted = Arc::clone(&written);
    refunds
        .expect_apply()
        .times(1)
        .withf(|_, _, _, wait| *wait >= Duration::from_mins(1) && *wait <= Duration::from_mins(10))
        .returning(move |_, after, _, _| {
            noted.lock().unwrap().push(after.clone());
            Ok(Applied::Written)
        });
    let service = payments_on(Ports {
        orders: Arc::new(holding(&cancelled_paid())),
        payment_provider: Arc::new(payments),
        refunds: Arc::new(refunds),
        payment_attempts: Arc::new(crate::testing::opened()),
        ..ports()
    });
    assert_eq!(service.pay_back().await.unwrap(), PaidBack { waiting: 1, ..PaidBack::default() });
    let written = written.lock().unwrap();
    assert_eq!((written[0].state, written[0].attempt), (RefundState::Due, 2));
}

#[test]
fn a_refund_made_at_the_provider_is_not_mistaken_for_one_of_the_same_amount() {
    let reported = ProviderRefund {
        id: "re_dashboard".parse().unwrap(),
        amount: due(1).amount,
        state: RefundState::Succeeded,
        refund: None,
        failure: None,
    };
    let elsewhere = Refund {
        cause: RefundCause::Elsewhere,
        state: RefundState::Succeeded,
        provider_id: Some(reported.id.clone()),
        ..due(2)
    };
    assert!(is_report_of(&due(1), &[due(1)], &reported), "a refund by a version that sent no refund id of ours");
    assert!(!is_report_of(&due(1), &[elsewhere, due(1)], &reported));
}

#[tokio::test]
async fn a_failed_refund_made_at_the_provider_is_repeated_unless_its_payment_paid_the_order() {
    for (order, again) in [(customers_order(), Some(RefundCause::Returned)), (cancelled_paid(), None)] {
        let failed = Refund { cause: RefundCause::Elsewhere, state: RefundState::Failed, ..due(1) };
        let mut refunds = MockRefundRepository::new();
        let (taken, known) = (failed.clone(), failed.clone());
        refunds.expect_lease_due().returning(move |_| Ok(vec![taken.clone()]));
        refunds.expect_of_payment().returning(move |_| Ok(vec![known.clone()]));
        refunds
            .expect_begin()
            .times(usize::from(again.is_some()))
            .withf(move |new| Some(new.refund.cause) == again && new.brought == new.refund.amount)
            .returning(|_| Ok(ports::RefundBegun::Written));
        let service = payments_on(Ports { orders: Arc::new(holding(&order)), refunds: Arc::new(refunds), ..ports() });
        service.pay_back().await.unwrap();
    }
}

#[tokio::test]
async fn a_refund_that_fails_after_succeeding_is_owed_again() {
    let refunded = cancelled_paid().refund(transaction(), meta(Actor::Shop)).unwrap().after;
    let sent = Refund { state: RefundState::Succeeded, provider_id: Some("re_1".parse().unwrap()), ..due(1) };
    let mut payments = MockPaymentProvider::new();
    payments.expect_refunds_of().returning(|_| {
        Ok(vec![ProviderRefund {
            id: "re_1".parse().unwrap(),
            amount: Money::from_cents(649_950).unwrap(),
            state: RefundState::Failed,
            refund: None,
            failure: None,
        }])
    });
    let mut refunds = MockRefundRepository::new();
    refunds.expect_lease_due().returning(move |_| Ok(vec![sent.clone()]));
    refunds.expect_of_payment().returning(|_| Ok(Vec::new()));
    refunds
        .expect_apply()
        .times(1)
        .withf(|_, after, change, _| {
            let owed = change.as_ref().is_some_and(|change| change.after.owed().is_some());
            after.state == RefundState::Failed && owed
        })
        .returning(|_, _, _, _| Ok(Applied::Written));
    let service = payments_on(Ports {
        orders: Arc::new(holding(&refunded)),
        payment_provider: Arc::new(payments),
        refunds: Arc::new(refunds),
        ..ports()
    });
    assert_eq!(service.pay_back().await.unwrap(), PaidBack { failed: 1, ..PaidBack::default() });
}

/// Hangs on every refund, and knows one payment that succeeded.
struct Dawdling(PaymentIntent);

#[async_trait::async_trait]
impl ports::PaymentProvider for Dawdling {
    async fn open(&self, _: domain::Payable, _: u32, _: Money) -> Result<PaymentIntent, ProviderError> {
        unreachable!()
    }

    async fn find(&self, _: &domain::TransactionId) -> Result<Option<PaymentIntent>, ProviderError> {
        Ok(Some(self.0.clone()))
    }

    async fn cancel(&self, _: &domain::TransactionId) -> Result<ports::CancelOutcome, ProviderError> {
        unreachable!()
    }

    async fn refund(&self, _: &RefundRequest) -> Result<RefundOutcome, ProviderError> {
        tokio::time::sleep(Duration::from_secs(20)).await;
        Err(ProviderError::Unavailable("timeout".into()))
    }

    async fn refunds_of(&self, _: &domain::TransactionId) -> Result<Vec<ProviderRefund>, ProviderError> {
        unreachable!()
    }

    async fn disputes_of(&self, _: &domain::TransactionId) -> Result<Vec<domain::Dispute>, ProviderError> {
        unreachable!()
    }
}

#[tokio::test(start_paused = true)]
async fn refunds_that_hang_delay_no_payment_and_each_other_only_briefly() {
    let written = Arc::default();
    let unpaid = crate::testing::customers_order();
    let mut orders = MockOrderRepository::new();
    let found = unpaid.clone();
    orders.expect_find().returning(move |_| Ok(Some(found.clone())));
    orders.expect_apply().times(1).returning(|_| Ok(Applied::Written));
    let mut payment_attempts = MockPaymentAttempts::new();
    let open = PaymentAttempt::of_order(transaction(), unpaid.id, unpaid.item.total);
    payment_attempts.expect_lease_due().returning(move |_, _| Ok(vec![open.clone()]));
    payment_attempts.expect_note_known().returning(|_, _| Ok(()));
    payment_attempts.expect_close().returning(|_, _, _| Ok(()));
    let service = payments_on(Ports {
        orders: Arc::new(orders),
        payment_attempts: Arc::new(payment_attempts),
        payment_provider: Arc::new(Dawdling(intent(&unpaid, PaymentIntentState::Succeeded))),
        refunds: Arc::new(handing_out((1..=12).map(due).collect(), &written)),
        ..ports()
    });
    let begun = tokio::time::Instant::now();
    let paying_back = tokio::spawn({
        let service = service.clone();
        async move { service.pay_back().await }
    });
    assert_eq!(service.reconcile_payments().await.unwrap().settled, 1);
    assert!(begun.elapsed() < Duration::from_secs(10));
    assert_eq!(paying_back.await.unwrap().unwrap().waiting, 12);
    assert!(begun.elapsed() < Duration::from_mins(1), "{:?}", begun.elapsed());
}
