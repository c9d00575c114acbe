//! The orders, refunds and disputes of one payment in memory, for tests of what becomes of them together.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use domain::orders::order::Change;
use domain::{
    Actor, CheckoutId, Dispute, Money, Order, OrderEventKind, OrderId, Payable, PaymentShare, ProviderRefund, Refund,
    RefundCause, RefundId, RefundState,
};
use ports::{
    Applied, MockOrderRepository, MockPaymentAttempts, MockPaymentProvider, MockRefundRepository, NewRefund,
    PaymentAttempt, PaymentRef, RefundBegun, RefundOutcome, RefundRequest,
};
use uuid::Uuid;

use crate::testing::{customers_order, meta, payments_on, ports, transaction};
use crate::{Payments, Ports};

/// What each order of these tests costs, in cents.
pub(crate) const TOTAL: i64 = 649_950;

pub(crate) struct Books {
    pub(crate) orders: Vec<Order>,
    pub(crate) refunds: Vec<Refund>,
    /// Each with the order that it is recorded with.
    pub(crate) disputes: Vec<(OrderId, Dispute)>,
    /// The refunds that were recorded anew.
    pub(crate) begun: Vec<NewRefund>,
    pub(crate) events: Vec<(OrderId, OrderEventKind)>,
    /// After how long each refund that was written is to be checked again.
    pub(crate) waits: Vec<Duration>,
    /// What somebody else does just before the next write, which conflicts with it.
    pub(crate) meddling: Option<fn(&mut Self)>,
}

impl Books {
    pub(crate) fn of(orders: &[Order], refunds: &[Refund]) -> Self {
        Self {
            orders: orders.to_vec(),
            refunds: refunds.to_vec(),
            disputes: Vec::new(),
            begun: Vec::new(),
            events: Vec::new(),
            waits: Vec::new(),
            meddling: None,
        }
    }

    pub(crate) fn order(&self, id: OrderId) -> Order {
        self.orders.iter().find(|order| order.id == id).cloned().unwrap()
    }

    fn write(&mut self, change: &Change) {
        for order in self.orders.iter_mut().filter(|order| order.id == change.after.id) {
            *order = change.after.clone();
        }
        self.events.push((change.event.order, change.event.kind.clone()));
    }

    fn is_meddled_with(&mut self) -> bool {
        self.meddling.take().is_some_and(|meddle| {
            meddle(self);
            true
        })
    }

    fn begin(&mut self, new: &NewRefund) -> RefundBegun {
        if self.is_meddled_with() {
            return RefundBegun::Conflict;
        }
        let known = self
            .begun
            .iter()
            .find(|known| known.idempotency_key.is_some() && known.idempotency_key == new.idempotency_key);
        if let Some(known) = known {
            return RefundBegun::Known(Box::new(known.refund.clone()));
        }
        self.refunds.push(new.refund.clone());
        self.begun.push(new.clone());
        if let Some(change) = &new.change {
            self.write(change);
        }
        RefundBegun::Written
    }

    fn apply(&mut self, before: &Refund, after: &Refund, change: Option<&Change>, wait: Duration) -> Applied {
        if self.is_meddled_with() || !self.refunds.contains(before) {
            return Applied::Conflict;
        }
        for refund in self.refunds.iter_mut().filter(|refund| refund.id == after.id) {
            *refund = after.clone();
        }
        self.waits.push(wait);
        if let Some(change) = change {
            self.write(change);
        }
        Applied::Written
    }

    fn note_dispute(
        &mut self,
        payment: &PaymentRef,
        before: Option<domain::DisputeState>,
        dispute: &Dispute,
        change: Option<&Change>,
    ) -> Applied {
        let known = self.disputes.iter().position(|(_, known)| known.id == dispute.id);
        if known.map(|at| self.disputes[at].1.state) != before {
            return Applied::Conflict;
        }
        match known {
            Some(at) => self.disputes[at].1 = dispute.clone(),
            None => self.disputes.push((payment.order, dispute.clone())),
        }
        if let Some(change) = change {
            self.write(change);
        }
        Applied::Written
    }
}

/// Payments on these books, of a payment that was opened so, if that is on record.
pub(crate) fn kept(
    books: Books,
    opened: Option<PaymentAttempt>,
    provider: MockPaymentProvider,
) -> (Payments, Arc<Mutex<Books>>) {
    let books = Arc::new(Mutex::new(books));
    let mut payment_attempts = MockPaymentAttempts::new();
    payment_attempts.expect_find().returning(move |id| Ok(opened.clone().filter(|opened| opened.id == *id)));
    let service = payments_on(Ports {
        orders: Arc::new(orders_in(&books)),
        refunds: Arc::new(refunds_in(&books)),
        payment_attempts: Arc::new(payment_attempts),
        payment_provider: Arc::new(provider),
        ..ports()
    });
    (service, books)
}

fn orders_in(books: &Arc<Mutex<Books>>) -> MockOrderRepository {
    let mut orders = MockOrderRepository::new();
    let held = Arc::clone(books);
    orders.expect_find().returning(move |id| Ok(Some(held.lock().unwrap().order(id))));
    let held = Arc::clone(books);
    orders.expect_apply().returning(move |change| {
        held.lock().unwrap().write(change);
        Ok(Applied::Written)
    });
    orders
}

fn refunds_in(books: &Arc<Mutex<Books>>) -> MockRefundRepository {
    let mut refunds = MockRefundRepository::new();
    let held = Arc::clone(books);
    refunds.expect_lease_due().returning(move |_| Ok(held.lock().unwrap().refunds.clone()));
    let held = Arc::clone(books);
    refunds
        .expect_find()
        .returning(move |id| Ok(held.lock().unwrap().refunds.iter().find(|refund| refund.id == id).cloned()));
    let held = Arc::clone(books);
    refunds.expect_of_payment().returning(move |payment| {
        Ok(held.lock().unwrap().refunds.iter().filter(|refund| refund.payment == *payment).cloned().collect())
    });
    let held = Arc::clone(books);
    refunds
        .expect_disputes_of()
        .returning(move |_| Ok(held.lock().unwrap().disputes.iter().map(|(_, dispute)| dispute.clone()).collect()));
    let held = Arc::clone(books);
    refunds.expect_begin().returning(move |new| Ok(held.lock().unwrap().begin(new)));
    let held = Arc::clone(books);
    refunds.expect_apply().returning(move |before, after, change, wait| {
        Ok(held.lock().unwrap().apply(before, after, change.as_ref(), wait))
    });
    let held = Arc::clone(books);
    refunds.expect_note_dispute().returning(move |payment, before, dispute, change, _| {
        Ok(held.lock().unwrap().note_dispute(payment, before, dispute, change.as_ref()))
    });
    refunds
}

/// An unpaid order of [`TOTAL`].
pub(crate) fn unpaid(n: u128) -> Order {
    Order { id: OrderId::new(Uuid::from_u128(n)), ..customers_order() }
}

/// A cancelled order that was never paid.
pub(crate) fn cancelled(n: u128) -> Order {
    unpaid(n).cancel(meta(Actor::Shop)).unwrap().after
}

pub(crate) fn paid(n: u128) -> Order {
    unpaid(n).settle(transaction(), meta(Actor::Shop)).unwrap().after
}

/// A cancelled order whose money the shop owes.
pub(crate) fn owed(n: u128) -> Order {
    paid(n).cancel_with_refund(meta(Actor::Shop)).unwrap().after
}

pub(crate) fn refunded(n: u128) -> Order {
    owed(n).refund(transaction(), meta(Actor::Shop)).unwrap().after
}

pub(crate) fn cents(cents: i64) -> Money {
    Money::from_cents(cents).unwrap()
}

/// A refund of an order; that and the number are its id.
pub(crate) fn refund(order: u128, n: u128, cause: RefundCause, state: RefundState, amount: i64) -> Refund {
    let payment = PaymentRef { id: transaction(), order: OrderId::new(Uuid::from_u128(order)) };
    let new = payments_on(ports()).new_refund(&payment, cause, cents(amount), Actor::Shop);
    Refund { id: RefundId::new(Uuid::from_u128(1_000 * order + n)), state, ..new }
}

/// The same refund, as the provider knows it.
pub(crate) fn sent_as(refund: Refund, id: &str) -> Refund {
    Refund { provider_id: Some(id.parse().unwrap()), ..refund }
}

/// What the provider reports of a refund that it knows under this id, made by the shop or in the dashboard.
pub(crate) fn report(id: &str, of: Option<&Refund>, state: RefundState, amount: i64) -> ProviderRefund {
    let refund = of.map(|refund| refund.id);
    ProviderRefund { id: id.parse().unwrap(), amount: cents(amount), state, refund, failure: None }
}

/// What the provider answers when it has made a refund at once.
pub(crate) fn made(asked: &RefundRequest) -> RefundOutcome {
    RefundOutcome::Accepted(ProviderRefund {
        id: "re_1".parse().unwrap(),
        amount: asked.amount,
        state: RefundState::Succeeded,
        refund: Some(asked.refund),
        failure: None,
    })
}

/// A payment that was opened for several orders of [`TOTAL`].
pub(crate) fn opened_for(orders: &[u128]) -> PaymentAttempt {
    let shares: Vec<PaymentShare> = orders
        .iter()
        .map(|n| PaymentShare { order: OrderId::new(Uuid::from_u128(*n)), amount: cents(TOTAL) })
        .collect();
    let amount = cents(TOTAL * i64::try_from(shares.len()).unwrap());
    let checkout = Payable::Checkout(CheckoutId::new(Uuid::from_u128(8)));
    let payable = if let [alone] = shares.as_slice() { Payable::Order(alone.order) } else { checkout };
    PaymentAttempt { id: transaction(), payable, amount, shares }
}
