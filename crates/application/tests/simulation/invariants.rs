//! What must be true of the shop and of Stripe at every moment, and what must be true once everything has settled.

use std::collections::BTreeMap;

use domain::{
    DisputeState, Order, OrderEventKind, OrderId, OrderState, Payment, Refund, RefundCause, RefundState, TransactionId,
};
use ports::PaymentAttempt;
use testkit::fake_stripe::Payment as AtStripe;

use crate::books::{Books, Entry, PaymentAttemptRow, Row, Why};
use crate::world::{Notes, State};

/// The shop's tables, Stripe's data and what the clients know, side by side.
pub(crate) struct View<'a> {
    books: &'a Books,
    notes: &'a Notes,
    stripe: BTreeMap<&'a str, AtStripe<'a>>,
}

/// How long Stripe stores an idempotency key, in seconds.
const STRIPE_REMEMBERS: u64 = 24 * 3_600;

/// An invariant, and a function that returns a counterexample if there is one.
type Invariant = (&'static str, fn(&View<'_>) -> Option<String>);

/// True between any two calls to the ports.
const ALWAYS: [Invariant; 18] = [
    (STOCK_NOT_NEGATIVE, |view| {
        let below = view.books.stock.iter().find(|(_, stock)| stock.available < 0);
        below.map(|(id, stock)| format!("{id} has {}", stock.available))
    }),
    ("a product's stock is the sum of its ledger", |view| {
        view.books.stock.iter().find_map(|(id, stock)| {
            let sum: i64 = view.books.ledger.iter().filter(|entry| entry.product == *id).map(|entry| entry.units).sum();
            (sum != stock.available).then(|| format!("{id} has {}, its ledger says {sum}", stock.available))
        })
    }),
    ("every order took its units from stock once", |view| {
        view.orders().find_map(|order| {
            let taken = view.moved(order, Why::Ordered);
            (taken != [-units(order)]).then(|| format!("{}: {taken:?}", order.id))
        })
    }),
    (RETURNED_ONCE, |view| {
        view.orders().find_map(|order| {
            let returned = view.moved(order, Why::Cancelled);
            let due: &[i64] = if order.is_cancelled() { &[units(order)] } else { &[] };
            (returned != due).then(|| format!("{}: {returned:?}", order.id))
        })
    }),
    (TIMELINE_REPLAYS, |view| {
        let rows = view.books.orders.iter();
        rows.into_iter().find_map(|(id, row)| replay_mismatch(row).map(|how| format!("{id}: {how}")))
    }),
    ("no order is both shipped and cancelled", |view| {
        let both = |order: &&Order| {
            let timeline = || view.books.orders[&order.id].timeline.iter().map(|(_, event)| &event.kind);
            timeline().any(|kind| matches!(kind, OrderEventKind::Shipped { .. }))
                && timeline().any(|kind| *kind == OrderEventKind::Cancelled)
        };
        view.orders().find(both).map(|order| order.id.to_string())
    }),
    ("an order has one open payment at most", |view| {
        view.orders().find_map(|order| {
            let open = view.books.of_order(order.id).filter(|row| !row.closed).count();
            (open > 1).then(|| format!("{} has {open}", order.id))
        })
    }),
    ("an order is charged once, unless the money went back", |view| {
        let mut charged: BTreeMap<&str, usize> = BTreeMap::new();
        let kept = |payment: &&AtStripe<'_>| payment.taken > payment.sent_back && !view.goes_back(payment.id);
        for payment in view.stripe.values().filter(kept) {
            *charged.entry(payment.metadata["order_id"].as_str().unwrap_or_default()).or_default() += 1;
        }
        charged.into_iter().find(|(_, times)| *times > 1).map(|(order, times)| format!("{order}, {times} times"))
    }),
    (PAID_IN_FULL, |view| {
        view.books.orders.values().find_map(|Row { order, id, .. }| {
            let transaction = order.state.paid_by()?;
            let at_stripe = view.at_stripe(transaction);
            let charged = at_stripe.is_some_and(|payment| {
                payment.status == "succeeded"
                    && payment.taken == order.item.total.cents()
                    && payment.metadata["order_id"] == id.as_str()
            });
            (!charged).then(|| format!("{} of {}: {at_stripe:?}", order.id, order.item.total))
        })
    }),
    ("an order that stays paid keeps its money", |view| {
        view.orders().find_map(|order| {
            let transaction = order.state.paid_by()?;
            let sent_back = view.at_stripe(transaction).map_or(0, |payment| payment.sent_back);
            let decided: i64 = view.refunds_of(transaction).map(|refund| refund.amount.cents()).sum();
            let elsewhere = view.notes.elsewhere.get(transaction).copied().unwrap_or(0);
            let kept = order.is_cancelled() || sent_back <= decided.max(elsewhere) || sent_back <= decided + elsewhere;
            (!kept).then(|| format!("{}: {sent_back} went back", order.id))
        })
    }),
    ("no more money goes back than came in", |view| {
        // A refund made at the dashboard after a bank transfer is outside the shop's control.
        let ours = |payment: &&AtStripe<'_>| {
            let id: Option<TransactionId> = payment.id.parse().ok();
            let elsewhere = id.and_then(|id| view.notes.elsewhere.get(&id).copied()).unwrap_or(0);
            payment.sent_back > payment.taken
                || payment.sent_back - elsewhere + view.recorded(payment.id) > payment.taken
        };
        view.stripe.values().find(ours).map(|payment| format!("{payment:?}"))
    }),
    (REFUNDED_THERE, |view| {
        view.orders().find_map(|order| {
            let Payment::Refunded { transaction, .. } = &order.state.payment() else { return None };
            let at_stripe = view.at_stripe(transaction);
            let total = order.item.total.cents();
            // A refund that bounced is reported later.
            let gone = at_stripe.is_some_and(|payment| {
                let went = payment.sent_back + payment.came_back + view.recorded(payment.id);
                payment.taken == total && went >= total
            });
            (!gone).then(|| format!("{} of {}: {at_stripe:?}", order.id, order.item.total))
        })
    }),
    (CLOSED_HAS_ENDED, |view| {
        let closed = view.books.payment_attempts.values().filter(|row| row.closed);
        closed.into_iter().find_map(|row| {
            let payment = view.at_stripe(&row.opened.id)?;
            let ended = match payment.status {
                "canceled" => true,
                "succeeded" => view.is_accounted_for_in_all(&row.opened) || view.is_watched(&row.opened.id),
                _ => false,
            };
            (!ended).then(|| format!("{payment:?}"))
        })
    }),
    (PROCESSED_HAS_EFFECT, |view| {
        let received = view.books.received.keys().filter_map(|event| view.notes.messages.get(event));
        let ours = received.filter(|id| !view.notes.tampered.contains(id) && !view.notes.misquoted.contains(id));
        ours.filter_map(|id| view.books.payment_attempts.get(id))
            .find(|row| !view.is_accounted_for_in_all(&row.opened) && !view.is_watched(&row.opened.id))
            .map(|row| format!("{} of {}", row.opened.id, row.opened.payable))
    }),
    (ONE_PAYMENT_AN_ATTEMPT, |view| {
        view.notes.opened.iter().find_map(|((order, attempt), payments)| {
            let mut opened: Vec<u64> = payments.iter().filter_map(|id| Some(view.at_stripe(id)?.created)).collect();
            opened.sort_unstable();
            let again = opened.windows(2).any(|pair| pair[1] < pair[0] + STRIPE_REMEMBERS);
            again.then(|| format!("{order}, attempt {attempt}: {payments:?}"))
        })
    }),
    (ONE_ORDER_A_KEY, |view| {
        let rows: Vec<&Row> = view.books.orders.values().filter(|row| row.idempotency_key.is_some()).collect();
        rows.iter().enumerate().find_map(|(place, row)| {
            let same = |other: &&&Row| {
                other.idempotency_key == row.idempotency_key && other.order.customer == row.order.customer
            };
            let other = rows[place + 1..].iter().find(same)?;
            Some(format!("{} and {}", row.order.id, other.order.id))
        })
    }),
    (ACKNOWLEDGED_STAYS, |view| {
        let gone = view.notes.acknowledged.iter().find(|id| !view.books.orders.contains_key(id));
        gone.map(OrderId::to_string)
    }),
    ("a customer receives the payment of their own order", |view| {
        let anothers = view.notes.secrets.iter().find(|(order, secret)| {
            let payment = view.stripe.values().find(|payment| secret.starts_with(payment.id));
            payment.is_none_or(|payment| {
                order
                    .order()
                    .and_then(|order| view.books.orders.get(&order))
                    .is_none_or(|row| payment.metadata["order_id"] != row.id.as_str())
            })
        });
        anothers.map(|(order, _)| order.to_string())
    }),
];

/// True once nothing fails any more, the shop's timers have run for a while, and an admin has handled everything that
/// needs attention.
const IN_THE_END: [Invariant; 9] = [
    (MONEY_IS_ACCOUNTED_FOR, |view| {
        let taken = view.stripe.values().filter(|payment| payment.taken > 0);
        taken.into_iter().find_map(|payment| {
            let id: TransactionId = payment.id.parse().ok()?;
            let order: OrderId = payment.metadata["order_id"].as_str()?.parse().ok()?;
            (!view.is_accounted_for(&id, order)).then(|| format!("{payment:?}"))
        })
    }),
    (MONEY_HAS_ARRIVED, |view| {
        view.orders().find_map(|order| {
            let Payment::Refunded { transaction, .. } = &order.state.payment() else { return None };
            let payment = view.at_stripe(transaction)?;
            let arrived = payment.sent_back + view.recorded(payment.id) >= payment.taken || payment.disputed;
            (!arrived).then(|| format!("{}: {payment:?}", order.id))
        })
    }),
    (NOTHING_IS_OWED, |view| {
        let owes = |order: &&Order| {
            order.owed().is_some_and(|payment| view.at_stripe(payment).is_none_or(|payment| !payment.disputed))
        };
        view.orders().find(owes).map(|order| order.id.to_string())
    }),
    ("no refund stays due or failed without attention", |view| {
        let waits = |refund: &&Refund| {
            let open = refund.state == RefundState::Due
                || (refund.state == RefundState::Failed && refund.cause != RefundCause::Elsewhere);
            open && view.at_stripe(&refund.payment).is_none_or(|payment| !payment.disputed)
        };
        view.books.refunds.values().map(|row| &row.refund).find(waits).map(|refund| format!("{refund:?}"))
    }),
    ("the shop knows every refund of the orders that are not cancelled", |view| {
        view.orders().filter(|order| !order.is_cancelled()).find_map(|order| {
            let transaction = order.state.paid_by()?;
            let payment = view.at_stripe(transaction)?;
            let there = |refund: &&Refund| matches!(refund.state, RefundState::Pending | RefundState::Succeeded);
            let known: i64 = view.refunds_of(transaction).filter(there).map(|refund| refund.amount.cents()).sum();
            let disputed = view.books.disputes_of(transaction).iter().any(|known| known.state != DisputeState::Won);
            let knows = known == payment.sent_back && disputed == payment.disputed;
            (!knows).then(|| format!("{}: {known}, {payment:?}", order.id))
        })
    }),
    ("money for a cancelled order has gone back", |view| {
        view.orders().filter(|order| order.is_cancelled()).find_map(|order| {
            let of_it = view.books.of_order(order.id).filter_map(|row| view.at_stripe(&row.opened.id));
            let kept = of_it
                .into_iter()
                .find(|payment| payment.taken > payment.sent_back + view.recorded(payment.id) && !payment.disputed);
            kept.map(|payment| format!("{}: {payment:?}", order.id))
        })
    }),
    ("a cancelled order can no longer be paid", |view| {
        view.orders().filter(|order| order.is_cancelled()).find_map(|order| {
            let of_it = view.books.of_order(order.id).filter_map(|row| view.at_stripe(&row.opened.id));
            let open = of_it.into_iter().find(|payment| !matches!(payment.status, "succeeded" | "canceled"));
            open.map(|payment| format!("{}: {payment:?}", order.id))
        })
    }),
    ("unpaid orders are cancelled in time", |view| {
        let waits = |order: &&Order| order.state == OrderState::Placed;
        view.orders().find(waits).map(|order| order.id.to_string())
    }),
    ("the shop and Stripe agree on every payment", |view| {
        // A change made at Stripe's dashboard is known and waits for an admin.
        let known = |row: &PaymentAttemptRow| {
            let is_of = |order| row.opened.share_of(order).is_some();
            let refund = |other: &Refund| is_of(other.order) && other.cause == RefundCause::Elsewhere;
            view.books.refunds.values().any(|other| refund(&other.refund))
                || view.books.disputes.values().any(|other| is_of(other.payment.order))
        };
        let drift = view.books.drifting().find(|row| !known(row));
        drift.map(|row| format!("not on {:?}", row.opened))
    }),
];

pub(crate) const STOCK_NOT_NEGATIVE: &str = "stock is never negative";
pub(crate) const RETURNED_ONCE: &str = "a cancelled order returned its units once, and no other order did";
pub(crate) const TIMELINE_REPLAYS: &str =
    "an order's timeline is numbered without a gap, legal, and replays to its row";
pub(crate) const PAID_IN_FULL: &str = "a paid order was charged exactly its total";
pub(crate) const REFUNDED_THERE: &str = "a refunded order was refunded at Stripe";
pub(crate) const CLOSED_HAS_ENDED: &str = "a closed payment has ended";
pub(crate) const PROCESSED_HAS_EFFECT: &str = "an event recorded as processed has had its effect";
pub(crate) const ONE_PAYMENT_AN_ATTEMPT: &str = "an order's attempt to pay is one payment";
pub(crate) const ONE_ORDER_A_KEY: &str = "an idempotency key places one order";
pub(crate) const ACKNOWLEDGED_STAYS: &str = "an acknowledged order exists";
pub(crate) const MONEY_IS_ACCOUNTED_FOR: &str = "money that came in has paid its order or was refunded";
pub(crate) const MONEY_HAS_ARRIVED: &str = "a refund has arrived";
pub(crate) const NOTHING_IS_OWED: &str = "no refund is owed any more";
/// Checked where the response is received.
pub(crate) const UNSAFE_STAYS_UNSHIPPED: &str = "orders with a disputed or externally refunded payment are not shipped";
/// Checked where the response is received.
pub(crate) const REPEATS_REPLAY: &str = "a repeated request gets the first response";

/// Returns the first invariant that does not hold, with a counterexample.
pub(crate) fn check(state: &State, in_the_end: bool) -> Result<(), (&'static str, String)> {
    if let Some(broken) = state.notes.broken.first() {
        return Err(broken.clone());
    }
    let stripe = state.stripe.payments().map(|payment| (payment.id, payment)).collect();
    let view = View { books: &state.books, notes: &state.notes, stripe };
    let in_the_end: &[Invariant] = if in_the_end { &IN_THE_END } else { &[] };
    for (sentence, broken) in ALWAYS.iter().chain(in_the_end) {
        if let Some(how) = broken(&view) {
            return Err((sentence, how));
        }
    }
    Ok(())
}

impl<'a> View<'a> {
    fn orders(&self) -> impl Iterator<Item = &'a Order> + use<'a> {
        self.books.orders.values().map(|row| &row.order)
    }

    /// The ledger entries of an order for one reason.
    fn moved(&self, order: &Order, why: Why) -> Vec<i64> {
        let its = |entry: &&Entry| entry.order == Some(order.id) && entry.why == why;
        let of_its_product = |entry: &Entry| if entry.product == order.item.product { entry.units } else { 0 };
        self.books.ledger.iter().filter(its).map(of_its_product).collect()
    }

    fn at_stripe(&self, id: &TransactionId) -> Option<&AtStripe<'a>> {
        self.stripe.get(id.as_str())
    }

    /// The recorded refunds of a payment.
    fn refunds_of(&self, payment: &TransactionId) -> impl Iterator<Item = &'a Refund> {
        self.books.refunds.values().map(|row| &row.refund).filter(move |refund| refund.payment == *payment)
    }

    /// The amount of a payment that was returned by bank transfer.
    fn recorded(&self, payment: &str) -> i64 {
        let all = self.books.refunds.values().map(|row| &row.refund);
        let recorded = all.filter(|refund| refund.payment.as_str() == payment && refund.state == RefundState::Recorded);
        recorded.map(|refund| refund.amount.cents()).sum()
    }

    /// Whether no order could take the payment, so that it is refunded.
    fn goes_back(&self, payment: &str) -> bool {
        let all = self.books.refunds.values().map(|row| &row.refund);
        let whole = |refund: &Refund| refund.cause.is_whole() || refund.cause == RefundCause::Returned;
        all.into_iter().any(|refund| refund.payment.as_str() == payment && whole(refund))
    }

    /// Whether a payment was refunded outside the shop, and the shop either has not yet been notified that the refund
    /// bounced or is about to send it again.
    fn is_watched(&self, payment: &TransactionId) -> bool {
        let all = self.books.refunds.values().map(|row| &row.refund);
        all.into_iter().any(|refund| refund.payment == *payment && refund.cause == RefundCause::Elsewhere)
    }

    /// Whether that is so of each of its shares.
    fn is_accounted_for_in_all(&self, opened: &PaymentAttempt) -> bool {
        opened.shares.iter().all(|share| self.is_accounted_for(&opened.id, share.order))
    }

    /// Whether a payment's money has paid its order, was refunded, or has a refund on record.
    fn is_accounted_for(&self, id: &TransactionId, order: OrderId) -> bool {
        let paid_by = self.books.orders.get(&order).and_then(|row| row.order.state.transaction());
        paid_by == Some(id)
            || self.goes_back(id.as_str())
            || self.at_stripe(id).is_some_and(|payment| payment.sent_back == payment.taken)
    }
}

fn units(order: &Order) -> i64 {
    i64::from(order.item.quantity.get())
}

fn replay_mismatch(row: &Row) -> Option<String> {
    let numbers: Vec<usize> = row.timeline.iter().map(|(number, _)| *number).collect();
    if !numbers.iter().copied().eq(1..=numbers.len()) {
        return Some(format!("numbered {numbers:?}"));
    }
    match Order::replay(row.timeline.iter().map(|(_, event)| event)) {
        Ok(replayed) if replayed == row.order => None,
        Ok(replayed) => Some(format!("replays to {:?}, is {:?}", replayed.state, row.order.state)),
        Err(error) => Some(error.to_string()),
    }
}
