//! Settling a checkout's payment: a share for each of its orders, all of them at once.

use domain::orders::order::Change;
use domain::{Actor, Money, OrderId, RefundCause};
use ports::{Applied, PaymentAttempt, PaymentRef};

use crate::change_order::{Attempt, until_written};
use crate::payments::settle_payment::{SettlePaymentRefused, Settled, Settlement};
use crate::{Failure, Payments};

/// A share that goes back, and the note of it for its order.
struct Back {
    payment: PaymentRef,
    cause: RefundCause,
    amount: Money,
    note: Option<Change>,
}

impl Payments {
    /// Marks the orders as paid that wait for their shares, in one transaction, and refunds the shares of the others.
    /// [`Settled::Paid`] if any order is paid by it.
    pub(super) async fn settle_shares(
        &self,
        opened: &PaymentAttempt,
        by: Actor,
        event_id: Option<&str>,
    ) -> Result<Settled, Failure<SettlePaymentRefused>> {
        let by = &by;
        until_written(|| async move {
            let (changes, backs, mut settled) = self.settlements(opened, by).await?;
            if !changes.is_empty() {
                let event = event_id.map(|id| (id.to_owned(), self.clock.now()));
                if self.orders.apply_all(&changes, event).await? == Applied::Conflict {
                    return Ok(Attempt::Conflict);
                }
                settled = Settled::Paid;
            }
            for Back { payment, cause, amount, note } in backs {
                if self.send_back(&payment, cause, amount, Actor::Shop, note).await? == Attempt::Conflict {
                    return Ok(Attempt::Conflict);
                }
            }
            Ok(Attempt::Done(settled))
        })
        .await
    }

    /// What is to become of each order and its share, in the order of their ids: so no two settlements wait for each other.
    async fn settlements(
        &self,
        opened: &PaymentAttempt,
        by: &Actor,
    ) -> Result<(Vec<Change>, Vec<Back>, Settled), Failure<SettlePaymentRefused>> {
        let ids: Vec<OrderId> = opened.shares.iter().map(|share| share.order).collect();
        let mut orders = self.orders.find_all(&ids).await?;
        orders.sort_unstable_by_key(|order| order.id);
        let (mut changes, mut backs, mut settled) = (Vec::new(), Vec::new(), Settled::SentBack);
        for order in orders {
            let payment = opened.reference(order.id);
            let amount = opened.share_of(order.id).unwrap_or(Money::ZERO);
            match self.settlement(order, &payment, amount, by) {
                Settlement::Change(change) => changes.push(change),
                Settlement::Known(Settled::Paid) => settled = Settled::Paid,
                Settlement::Known(Settled::SentBack) => {}
                Settlement::Back(cause, note) => backs.push(Back { payment, cause, amount, note }),
            }
        }
        Ok((changes, backs, settled))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use domain::{Order, PaymentShare};
    use ports::{MockOrderRepository, MockRefundRepository, RefundBegun};
    use uuid::Uuid;

    use super::*;
    use crate::Ports;
    use crate::testing::{customers_order, meta, paid_order, payments_on, ports, transaction};

    fn with_id(id: u128, order: Order) -> Order {
        Order { id: OrderId::new(Uuid::from_u128(id)), ..order }
    }

    fn cancelled() -> Order {
        customers_order().cancel(meta(Actor::Shop)).unwrap().after
    }

    /// Settles a payment for these orders. What came of it, and how many orders each attempt to write has paid; the attempts end
    /// so. Of every share that goes back nothing is left any more, so that the provider is not called.
    async fn settled(orders: Vec<Order>, attempts: Vec<Applied>, goes_back: usize) -> (Settled, Vec<usize>) {
        let shares: Vec<PaymentShare> =
            orders.iter().map(|order| PaymentShare { order: order.id, amount: order.item.total }).collect();
        let opened = PaymentAttempt { shares, ..PaymentAttempt::of_order(transaction(), orders[0].id, Money::ZERO) };
        let written = Arc::new(Mutex::new(Vec::new()));
        let (writing, ends) = (Arc::clone(&written), Mutex::new(attempts.clone().into_iter()));
        let mut store = MockOrderRepository::new();
        store.expect_find_all().returning(move |_| Ok(orders.clone()));
        store.expect_apply_all().times(attempts.len()).returning(move |changes, _| {
            writing.lock().unwrap().push(changes.iter().filter(|change| change.after.is_paid()).count());
            Ok(ends.lock().unwrap().next().unwrap())
        });
        let mut refunds = MockRefundRepository::new();
        refunds.expect_begin().times(goes_back).returning(|_| Ok(RefundBegun::TooMuch { left: Money::ZERO }));
        let service = payments_on(Ports { orders: Arc::new(store), refunds: Arc::new(refunds), ..ports() });
        let settled = service.settle_shares(&opened, Actor::Shop, None).await.unwrap();
        let written = written.lock().unwrap().clone();
        (settled, written)
    }

    #[tokio::test]
    async fn orders_that_wait_are_paid_at_once_and_the_shares_of_the_others_go_back() {
        let orders = vec![with_id(1, customers_order()), with_id(2, cancelled()), with_id(3, customers_order())];
        assert_eq!(settled(orders, vec![Applied::Written], 1).await, (Settled::Paid, vec![2]));
    }

    #[tokio::test]
    async fn a_payment_that_nothing_waits_for_goes_back_whole() {
        let orders = vec![with_id(1, cancelled()), with_id(2, cancelled())];
        assert_eq!(settled(orders, Vec::new(), 2).await, (Settled::SentBack, Vec::new()));
    }

    #[tokio::test]
    async fn a_payment_that_has_settled_its_orders_stays_so() {
        let orders = vec![with_id(1, paid_order()), with_id(2, paid_order())];
        assert_eq!(settled(orders, Vec::new(), 0).await, (Settled::Paid, Vec::new()));
    }

    #[tokio::test]
    async fn orders_that_have_changed_meanwhile_are_read_again() {
        let orders = vec![with_id(1, customers_order())];
        let attempts = vec![Applied::Conflict, Applied::Written];
        assert_eq!(settled(orders, attempts, 0).await, (Settled::Paid, vec![1, 1]));
    }
}
