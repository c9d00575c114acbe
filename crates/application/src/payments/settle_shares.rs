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
