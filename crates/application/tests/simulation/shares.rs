//! What must be true of checkouts, of their orders, and of the payments that several orders share.

use std::collections::{BTreeMap, BTreeSet};

use domain::{Actor, Money, Order, OrderEventKind, OrderId, OrderState, ProductId, RefundCause, TransactionId};

use crate::books::PaymentAttemptRow;
use crate::checkouts::{charges_of, line_of};
use crate::invariants::{Invariant, View};

/// True between any two calls to the ports.
pub(crate) const ALWAYS: [Invariant; 11] = [
    (SHARES_ADD_UP, |view| {
        view.attempts().find_map(|row| {
            let opened = &row.opened;
            let sum: i64 = opened.shares.iter().map(|share| share.amount.cents()).sum();
            let orders: BTreeSet<OrderId> = opened.shares.iter().map(|share| share.order).collect();
            let whole = sum == opened.amount.cents() && orders.len() == opened.shares.len() && !orders.is_empty();
            (!whole).then(|| format!("{opened:?}"))
        })
    }),
    (SHARES_ARE_DUE, |view| {
        view.attempts().find_map(|row| {
            let odd = row.opened.shares.iter().find(|share| {
                let order = view.order(share.order);
                order.is_none_or(|order| order.item.charges().is_none() || order.due() != share.amount)
            });
            odd.map(|share| format!("{:?} of {}", share, row.opened.id))
        })
    }),
    ("a checkout's payment is for its own orders, and an order's for that one", |view| {
        view.attempts().find_map(|row| {
            let is_of = |order: &Order| match row.opened.payable {
                domain::Payable::Order(id) => order.id == id,
                domain::Payable::Checkout(id) => order.checkout() == Some(id),
            };
            let odd = row.opened.shares.iter().find(|share| !view.order(share.order).is_some_and(is_of));
            odd.map(|share| format!("{share:?} of {:?}", row.opened))
        })
    }),
    (REFUNDS_WITHIN_SHARE, |view| {
        let mut sums: BTreeMap<(&str, OrderId), i64> = BTreeMap::new();
        // What somebody refunded at the dashboard names no order, and what matches no order is no order's money.
        let outside = [RefundCause::Elsewhere, RefundCause::Returned, RefundCause::Mismatch];
        let ours = view.refunds().filter(|refund| !outside.contains(&refund.cause));
        for refund in ours {
            *sums.entry((refund.payment.as_str(), refund.order)).or_default() += refund.amount.cents();
        }
        view.attempts().find_map(|row| {
            let odd = row.opened.shares.iter().find_map(|share| {
                let sum = *sums.get(&(row.opened.id.as_str(), share.order))?;
                (sum > share.amount.cents()).then_some((share, sum))
            });
            odd.map(|(share, sum)| format!("{sum} of {share:?} of {}", row.opened.id))
        })
    }),
    (DUES_ADD_UP, |view| {
        view.checkouts_with_lines().find_map(|(_, row, lines)| {
            let checkout = &row.checkout;
            let sum = |part: fn(&Order) -> Money| lines.iter().map(|order| part(order).cents()).sum::<i64>();
            let goods = sum(|order| order.item.total);
            let (shipping, tax) =
                (charges_of(lines, |charges| charges.shipping), charges_of(lines, |charges| charges.tax));
            let charged = match (checkout.shipping, checkout.tax) {
                (Some(all), Some(of_all)) => all.cents() == shipping && of_all.cents() == tax,
                (None, None) => lines.iter().all(|order| order.item.charges().is_none()),
                _ => false,
            };
            let whole = goods == checkout.goods.cents() && charged && sum(Order::due) == goods + shipping + tax;
            (!whole).then(|| format!("{checkout:?}: {lines:?}"))
        })
    }),
    ("a standing order of a checkout waits for its freight as long as the checkout does", |view| {
        view.checkouts_with_lines().find_map(|(id, row, lines)| {
            let waits = row.checkout.shipping.is_none();
            let odd = lines.iter().find(|order| !order.is_cancelled() && order.item.charges().is_none() != waits);
            odd.map(|order| format!("{id}: {}", order.id))
        })
    }),
    ("what is shipped is billed, so its freight is known", |view| {
        let unknown = view.rows().find(|row| row.order.is_shipped() && row.order.item.charges().is_none());
        unknown.map(|row| row.id.clone())
    }),
    (LINES_ARE_NUMBERED, |view| {
        view.checkouts_with_lines().find_map(|(id, row, lines)| {
            let numbers: Vec<u16> = lines.iter().map(|order| line_of(order)).collect();
            let products: BTreeSet<ProductId> = lines.iter().map(|order| order.item.product).collect();
            let sound = numbers.len() > 1
                && numbers.first().is_some_and(|first| *first > 0)
                && numbers.is_sorted_by(|one, next| one < next)
                && products.len() == lines.len()
                && lines.iter().all(|order| order.customer == row.checkout.customer);
            (!sound).then(|| format!("{id}: {numbers:?}, {products:?}"))
        })
    }),
    (PAID_TOGETHER, |view| {
        view.attempts().filter(|row| row.opened.shares.len() > 1).find_map(|row| {
            let id = &row.opened.id;
            let orders = || row.opened.shares.iter().filter_map(|share| view.order(share.order));
            // An order that another payment settled, or that was cancelled first, gets its share back.
            let waits = |order: &&Order| order.state.transaction().is_none() && !order.is_cancelled();
            let has_settled = orders().any(|order| view.was_paid_by(order.id, id));
            let waiting = orders().find(waits).filter(|_| has_settled);
            waiting.map(|order| format!("{} waits, of {id}", order.id))
        })
    }),
    (LAPSES_TOGETHER, |view| {
        view.checkouts_with_lines().find_map(|(id, _, lines)| {
            let has_lapsed = || lines.iter().any(|order| view.was_cancelled_by_the_shop(order.id));
            let standing = lines.iter().find(|order| order.state == OrderState::Placed).filter(|_| has_lapsed());
            standing.map(|order| format!("{} of {id}", order.id))
        })
    }),
    (PRICED_BY_RULES, |view| {
        let odd = view.rows().find(|row| row.order.item.unit_price != row.priced);
        odd.map(|row| format!("{:?}, by the rules {}", row.order.item, row.priced.money()))
    }),
];

/// True once nothing fails any more and everything has settled.
pub(crate) const IN_THE_END: [Invariant; 2] = [
    ("of a payment exactly the shares went back that settled no order", |view| {
        let settled = |row: &&PaymentAttemptRow| {
            let mut orders = row.opened.shares.iter().map(|share| share.order);
            row.opened.shares.len() > 1 && orders.any(|order| view.was_paid_by(order, &row.opened.id))
        };
        view.attempts().filter(settled).find_map(|row| {
            let odd = row.opened.shares.iter().find(|share| {
                let by_it = view.was_paid_by(share.order, &row.opened.id);
                let is_of_it =
                    |refund: &&domain::Refund| refund.payment == row.opened.id && refund.order == share.order;
                view.refunds().filter(is_of_it).any(|refund| refund.cause.is_whole()) == by_it
            });
            odd.map(|share| format!("{share:?} of {:?}", row.opened))
        })
    }),
    ("no order is left in a checkout that waits for its freight", |view| {
        let waiting = view.checkouts_with_lines().filter(|(_, row, _)| row.checkout.shipping.is_none());
        let mut lines = waiting.flat_map(|(_, _, lines)| lines.iter());
        lines.find(|order| order.state == OrderState::Placed).map(|order| order.id.to_string())
    }),
];

pub(crate) const SHARES_ADD_UP: &str = "the shares of a payment are its amount";
pub(crate) const SHARES_ARE_DUE: &str = "a share is exactly what is due for its order, and known";
pub(crate) const REFUNDS_WITHIN_SHARE: &str = "no more of a payment is refunded for an order than its share";
pub(crate) const DUES_ADD_UP: &str = "goods, freight and tax of a checkout are those of its orders";
pub(crate) const LINES_ARE_NUMBERED: &str = "each line of a checkout has a number and a product of its own";
pub(crate) const PAID_TOGETHER: &str = "a payment settles all of its orders that still wait for it";
pub(crate) const LAPSES_TOGETHER: &str = "the unpaid orders of a checkout lapse together";
pub(crate) const PRICED_BY_RULES: &str = "a unit costs what the rules say for its customer and quantity";
/// Checked where the response is received.
pub(crate) const PLACED_WHOLE: &str = "a checkout is placed as it was sent, whole or not at all";
/// Checked where the response is received.
pub(crate) const SHOWN_IS_CHARGED: &str = "goods cost what was shown for them";
/// Checked where the response is received.
pub(crate) const ANOTHER_BODY_IS_REFUSED: &str = "a key that was used is refused to another request";

impl View<'_> {
    pub(crate) fn was_paid_by(&self, order: OrderId, payment: &TransactionId) -> bool {
        let timeline = self.books.orders.get(&order).map(|row| &row.timeline);
        let paid =
            |kind: &OrderEventKind| matches!(kind, OrderEventKind::Paid { transaction } if transaction == payment);
        timeline.is_some_and(|timeline| timeline.iter().any(|(_, event)| paid(&event.kind)))
    }

    /// Only a reservation that expired makes the shop itself cancel an order.
    fn was_cancelled_by_the_shop(&self, order: OrderId) -> bool {
        let timeline = self.books.orders.get(&order).map(|row| &row.timeline);
        timeline.is_some_and(|timeline| {
            timeline.iter().any(|(_, event)| event.kind == OrderEventKind::Cancelled && event.by == Actor::Shop)
        })
    }
}
