//! What must be true of the shop and of Stripe at every moment, and what must be true once everything has settled.

use std::collections::BTreeMap;

use domain::{
    CheckoutId, DisputeState, Order, OrderEventKind, OrderId, OrderState, Payable, Payment, Refund, RefundCause,
    RefundState, TransactionId,
};
use ports::PaymentAttempt;
use testkit::fake_stripe::Payment as AtStripe;

use crate::books::{Books, Entry, PaymentAttemptRow, Row, Why};
use crate::checkouts::{CheckoutRow, line_of};
use crate::shares;
use crate::world::{Notes, State};

/// The shop's tables, Stripe's data and what the clients know, side by side.
pub(crate) struct View<'a> {
    pub(crate) books: &'a Books,
    notes: &'a Notes,
    stripe: BTreeMap<&'a str, AtStripe<'a>>,
    /// The orders of each checkout, by their lines.
    pub(crate) lines: BTreeMap<CheckoutId, Vec<&'a Order>>,
}

/// How long Stripe stores an idempotency key, in seconds.
const STRIPE_REMEMBERS: u64 = 24 * 3_600;

/// An invariant, and a function that returns a counterexample if there is one.
pub(crate) type Invariant = (&'static str, fn(&View<'_>) -> Option<String>);

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
    (ONE_OPEN_PAYMENT, |view| {
        view.orders().find_map(|order| {
            let open = view.books.of_order(order.id).filter(|row| !row.closed).count();
            (open > 1).then(|| format!("{} has {open}", order.id))
        })
    }),
    ("an order is charged once, unless the money went back", |view| {
        let mut charged: BTreeMap<String, usize> = BTreeMap::new();
        let kept = |payment: &&AtStripe<'_>| payment.taken > payment.sent_back;
        for payment in view.stripe.values().filter(kept) {
            match payment.id.parse().ok().and_then(|id: TransactionId| view.books.payment_attempts.get(&id)) {
                Some(row) if row.opened.payable.order().is_none() => {
                    let kept = row.opened.shares.iter().filter(|share| !view.goes_back(payment.id, share.order));
                    for share in kept {
                        *charged.entry(share.order.to_string()).or_default() += 1;
                    }
                }
                _ if view.goes_back_at_all(payment.id) => {}
                _ => *charged.entry(reference(payment).to_owned()).or_default() += 1,
            }
        }
        charged.into_iter().find(|(_, times)| *times > 1).map(|(order, times)| format!("{order}, {times} times"))
    }),
    (PAID_IN_FULL, |view| {
        view.orders().find_map(|order| {
            let transaction = order.state.paid_by()?;
            let at_stripe = view.at_stripe(transaction);
            let row = view.books.payment_attempts.get(transaction);
            let charged = at_stripe.zip(row).is_some_and(|(payment, row)| {
                payment.status == "succeeded"
                    && payment.taken == row.opened.amount.cents()
                    && row.opened.share_of(order.id) == Some(order.due())
                    && reference(payment) == view.id_of(row.opened.payable)
            });
            (!charged).then(|| format!("{} of {}: {at_stripe:?}", order.id, order.due()))
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
            // A refund that bounced is reported later.
            let gone = at_stripe.zip(view.refunded_by(transaction)).is_some_and(|(payment, (brought, total))| {
                let went = payment.sent_back + payment.came_back + view.recorded(payment.id);
                payment.taken == brought && went >= total
            });
            (!gone).then(|| format!("{} of {}: {at_stripe:?}", order.id, order.due()))
        })
    }),
    (CLOSED_HAS_ENDED, |view| {
        let closed = view.books.payment_attempts.values().filter(|row| row.closed);
        closed.into_iter().find_map(|row| {
            let payment = view.at_stripe(&row.opened.id)?;
            let ended = match payment.status {
                "canceled" => true,
                // No browser has its secret.
                status if row.late && status != "succeeded" => true,
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
            // Its shares that settled no order go back afterwards; until then the payment stays open.
            .filter(|row| row.closed || !view.has_settled_any(&row.opened))
            .find(|row| !view.is_accounted_for_in_all(&row.opened) && !view.is_watched(&row.opened.id))
            .map(|row| format!("{} of {}", row.opened.id, row.opened.payable))
    }),
    (ONE_PAYMENT_AN_ATTEMPT, |view| {
        view.notes.opened.iter().find_map(|((order, attempt, _), payments)| {
            let mut opened: Vec<u64> = payments.iter().filter_map(|id| Some(view.at_stripe(id)?.created)).collect();
            opened.sort_unstable();
            let again = opened.windows(2).any(|pair| pair[1] < pair[0] + STRIPE_REMEMBERS);
            again.then(|| format!("{order}, attempt {attempt}: {payments:?}"))
        })
    }),
    (ONE_ORDER_A_KEY, |view| {
        let orders = view.rows().map(|row| (row.order.customer, row.idempotency_key, row.id.clone()));
        let checkouts = view.checkouts().map(|(id, row)| (row.checkout.customer, row.idempotency_key, id.to_string()));
        let mut placed = BTreeMap::new();
        orders.chain(checkouts).find_map(|(customer, key, id)| {
            let first = placed.insert((customer, key?.key.0), id.clone())?;
            Some(format!("{first} and {id}"))
        })
    }),
    (ACKNOWLEDGED_STAYS, |view| {
        let gone = view.notes.acknowledged.iter().find(|id| !view.books.orders.contains_key(id));
        gone.map(OrderId::to_string)
    }),
    ("a customer receives the payment of their own order", |view| {
        let anothers = view.notes.secrets.iter().find(|(payable, secret)| {
            let payment = view.stripe.values().find(|payment| secret.starts_with(payment.id));
            payment.is_none_or(|payment| reference(payment) != view.id_of(*payable))
        });
        anothers.map(|(payable, _)| payable.to_string())
    }),
];

/// True once nothing fails any more, the shop's timers have run for a while, and an admin has handled everything that
/// needs attention.
const IN_THE_END: [Invariant; 9] = [
    (MONEY_IS_ACCOUNTED_FOR, |view| {
        let taken = view.stripe.values().filter(|payment| payment.taken > 0);
        taken.into_iter().find_map(|payment| {
            let id: TransactionId = payment.id.parse().ok()?;
            let accounted = match view.books.payment_attempts.get(&id) {
                Some(row) => view.is_accounted_for_in_all(&row.opened),
                None => view.is_accounted_for(&id, reference(payment).parse().ok()?),
            };
            (!accounted).then(|| format!("{payment:?}"))
        })
    }),
    (MONEY_HAS_ARRIVED, |view| {
        view.orders().find_map(|order| {
            let Payment::Refunded { transaction, .. } = &order.state.payment() else { return None };
            let payment = view.at_stripe(transaction)?;
            let (_, total) = view.refunded_by(transaction)?;
            let arrived = payment.sent_back + view.recorded(payment.id) >= total || payment.disputed;
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
            let of_it = view.books.of_order(order.id).filter_map(|row| Some((row, view.at_stripe(&row.opened.id)?)));
            let kept = of_it.into_iter().find(|(row, payment)| {
                // Of another sum it is nobody's, and all of it goes back.
                let is_sound = payment.taken == row.opened.amount.cents();
                let owed = if is_sound { view.owed_back(&row.opened) } else { payment.taken };
                owed > payment.sent_back + view.recorded(payment.id) && !payment.disputed
            });
            kept.map(|(_, payment)| format!("{}: {payment:?}", order.id))
        })
    }),
    ("a cancelled order can no longer be paid", |view| {
        view.orders().filter(|order| order.is_cancelled()).find_map(|order| {
            // One that was recorded as closed at once is in no browser.
            let of_it = view.books.of_order(order.id).filter(|row| !row.late);
            let of_it = of_it.filter_map(|row| view.at_stripe(&row.opened.id));
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
pub(crate) const ONE_OPEN_PAYMENT: &str = "an order is in one open payment at most";
pub(crate) const PAID_IN_FULL: &str = "a paid order was charged exactly what was due";
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

/// Checked where the response is received.
pub(crate) const CAN_BE_PAID: &str = "what is unpaid can be paid once nothing fails";

/// Returns the first invariant that does not hold, with a counterexample.
pub(crate) fn check(state: &State, in_the_end: bool) -> Result<(), (&'static str, String)> {
    if let Some(broken) = state.notes.broken.first() {
        return Err(broken.clone());
    }
    let stripe = state.stripe.payments().map(|payment| (payment.id, payment)).collect();
    let mut lines: BTreeMap<CheckoutId, Vec<&Order>> =
        state.books.checkouts.keys().map(|id| (*id, Vec::new())).collect();
    for row in state.books.orders.values() {
        if let Some(checkout) = row.order.checkout() {
            lines.entry(checkout).or_default().push(&row.order);
        }
    }
    for lines in lines.values_mut() {
        lines.sort_by_key(|order| line_of(order));
    }
    let view = View { books: &state.books, notes: &state.notes, stripe, lines };
    let (in_the_end, of_shares): (&[Invariant], &[Invariant]) =
        if in_the_end { (&IN_THE_END, &shares::IN_THE_END) } else { (&[], &[]) };
    for (sentence, broken) in ALWAYS.iter().chain(&shares::ALWAYS).chain(in_the_end).chain(of_shares) {
        if let Some(how) = broken(&view) {
            return Err((sentence, how));
        }
    }
    Ok(())
}

impl<'a> View<'a> {
    fn orders(&self) -> impl Iterator<Item = &'a Order> + use<'a> {
        self.rows().map(|row| &row.order)
    }

    pub(crate) fn rows(&self) -> impl Iterator<Item = &'a Row> + use<'a> {
        self.books.orders.values()
    }

    pub(crate) fn order(&self, id: OrderId) -> Option<&'a Order> {
        self.books.orders.get(&id).map(|row| &row.order)
    }

    pub(crate) fn checkouts(&self) -> impl Iterator<Item = (CheckoutId, &'a CheckoutRow)> + use<'a> {
        self.books.checkouts.iter().map(|(id, row)| (*id, row))
    }

    /// A checkout's row, and its orders by their lines.
    pub(crate) fn checkouts_with_lines(&self) -> impl Iterator<Item = (CheckoutId, &'a CheckoutRow, &[&'a Order])> {
        self.checkouts().map(|(id, row)| (id, row, self.lines.get(&id).map_or(&[][..], Vec::as_slice)))
    }

    pub(crate) fn attempts(&self) -> impl Iterator<Item = &'a PaymentAttemptRow> + use<'a> {
        self.books.payment_attempts.values()
    }

    pub(crate) fn refunds(&self) -> impl Iterator<Item = &'a Refund> + use<'a> {
        self.books.refunds.values().map(|row| &row.refund)
    }

    /// The id of an order or a checkout as it was sent to Stripe.
    fn id_of(&self, payable: Payable) -> String {
        match payable {
            Payable::Order(id) => self.books.orders.get(&id).map_or_else(String::new, |row| row.id.clone()),
            Payable::Checkout(id) => id.to_string(),
        }
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

    /// Whether no order could take the payment, so that all of it is refunded.
    fn goes_back_at_all(&self, payment: &str) -> bool {
        self.refunds().any(|refund| refund.payment.as_str() == payment && is_whole(refund))
    }

    /// Whether an order could not take its share of the payment, so that it is refunded.
    fn goes_back(&self, payment: &str, order: OrderId) -> bool {
        // What matches no order is recorded with the first one.
        let is_of_it = |refund: &&Refund| refund.order == order || refund.cause == RefundCause::Mismatch;
        self.refunds().filter(is_of_it).any(|refund| refund.payment.as_str() == payment && is_whole(refund))
    }

    /// What has to go back of a payment: the shares of its cancelled orders, and what was refunded for the others. What was
    /// refunded at the dashboard beyond an order's share went back for the others.
    fn owed_back(&self, opened: &PaymentAttempt) -> i64 {
        let refunded = |order: OrderId| -> i64 {
            let of_it = self.refunds_of(&opened.id).filter(|refund| refund.order == order && refund.state.stands());
            of_it.map(|refund| refund.amount.cents()).sum()
        };
        let is_cancelled = |order: OrderId| self.order(order).is_some_and(Order::is_cancelled);
        let owed = opened.shares.iter().map(|share| {
            if is_cancelled(share.order) {
                share.amount.cents()
            } else {
                refunded(share.order).min(share.amount.cents())
            }
        });
        owed.sum()
    }

    /// What a payment brought in all, and how much of that was for orders that are refunded by now.
    fn refunded_by(&self, payment: &TransactionId) -> Option<(i64, i64)> {
        let opened = &self.books.payment_attempts.get(payment)?.opened;
        let is_refunded = |order: OrderId| {
            let state = self.order(order).map(|order| order.state.payment());
            matches!(state, Some(Payment::Refunded { transaction, .. }) if transaction == *payment)
        };
        let refunded = opened.shares.iter().filter(|share| is_refunded(share.order));
        Some((opened.amount.cents(), refunded.map(|share| share.amount.cents()).sum()))
    }

    /// Whether any of a payment's orders is paid by it.
    fn has_settled_any(&self, opened: &PaymentAttempt) -> bool {
        opened.shares.len() > 1 && opened.shares.iter().any(|share| self.was_paid_by(share.order, &opened.id))
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
            || self.goes_back(id.as_str(), order)
            || self.at_stripe(id).is_some_and(|payment| payment.sent_back == payment.taken)
    }
}

/// What a payment at Stripe was opened for: the id of an order or of a checkout.
fn reference<'a>(payment: &AtStripe<'a>) -> &'a str {
    let of = |name| payment.metadata.get(name).and_then(|id| id.as_str());
    of("order_id").or_else(|| of("checkout_id")).unwrap_or_default()
}

/// Whether it refunds money that paid for nothing.
fn is_whole(refund: &Refund) -> bool {
    refund.cause.is_whole() || refund.cause == RefundCause::Returned
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
