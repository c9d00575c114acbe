//! What an e-mail about a topic reports.

use std::time::Duration;

use domain::notifications::delivery::Topic;
use domain::{Email, Money, Order, OrderEventKind, Payment, Shipment};
use ports::{Notification, OrderSummary, PurchaseSummary, StoredCheckout};

/// What lapses together is cancelled one after the other. As much time the database gives it when it announces only the first.
const TOGETHER: Duration = Duration::from_mins(1);

/// The notification about an order's event. User input is part of it only if `with_contact`. `None` for a topic without
/// an e-mail, and for a reminder of an order that is not waiting for its payment any more.
pub(crate) fn about_order(
    topic: Topic,
    order: Order,
    purchase: Option<PurchaseSummary>,
    with_contact: bool,
) -> Option<Notification> {
    let reserved_until = order.reserved_until();
    let (payment, cancelled) = (order.state.payment(), order.is_cancelled());
    let summary = OrderSummary { purchase, ..summary_of(order, with_contact) };
    let transaction = payment.transaction().cloned();
    Some(match topic {
        Topic::OrderOrdered => Notification::OrderPlaced { order: summary, reserved_until },
        Topic::OrderPaid => Notification::OrderPaid { order: summary, transaction },
        Topic::OrderRefunded => Notification::OrderRefunded { order: summary, transaction, cancelled },
        Topic::OrderReminder => Notification::OrderReminder { order: summary, reserved_until: reserved_until? },
        Topic::OrderLapsed => Notification::OrderLapsed { order: summary },
        Topic::OrderReleased => Notification::OrderReleased { order: summary },
        // A cancellation is reported by the e-mail about the refund, if there is one; [`about_return`] and
        // [`about_shipment`] report what the order does not hold; the other topics are not about orders.
        _ => return None,
    })
}

/// What an e-mail about a topic says of the checkout that an order is a line of; `None` for topics that are about the order
/// alone, and for an order that was bought or paid by itself.
pub(crate) fn purchase_of(topic: Topic, order: &Order, stored: StoredCheckout) -> Option<PurchaseSummary> {
    let StoredCheckout { checkout, orders } = stored;
    let concerns = |other: &Order| match topic {
        Topic::OrderOrdered => true,
        Topic::OrderLapsed => lapsed_with(order, other),
        // Also what was cancelled since: the payment was of that too, and what goes back has an e-mail of its own.
        Topic::OrderPaid => other.state.transaction() == order.state.transaction(),
        Topic::OrderReminder => other.reserved_until().is_some(),
        _ => false,
    };
    let concerned: Vec<Order> = orders.into_iter().filter(concerns).collect();
    if concerned.len() < 2 {
        return None;
    }
    let sum = |of: &dyn Fn(&Order) -> Option<Money>| {
        concerned.iter().try_fold(Money::ZERO, |sum, order| sum.plus(of(order)?).ok())
    };
    Some(PurchaseSummary {
        id: checkout.id,
        number: checkout.number.map_or_else(|| checkout.id.to_string(), |number| number.to_string()),
        po_number: checkout.po_number,
        shipping: sum(&|order| order.item.charges().map(|charges| charges.shipping)),
        tax: sum(&|order| order.item.charges().map(|charges| charges.tax)),
        due: sum(&|order| order.item.charges().map(|_| order.due())),
        items: concerned.into_iter().map(|order| order.item).collect(),
    })
}

/// Whether another order lapsed with this one, rather than being cancelled before.
fn lapsed_with(order: &Order, other: &Order) -> bool {
    let times = order.state.cancelled_at().zip(other.state.cancelled_at());
    other.state.payment() == Payment::Unpaid
        && times.is_some_and(|(one, other)| one.duration_since(other).unsigned_abs() <= TOGETHER)
}

/// The notification about the shipment of a part, or about the last one and with it the whole order. `None` for a part that is
/// not on record, and for any other topic.
pub(crate) fn about_shipment(
    topic: Topic,
    shipment: Option<Shipment>,
    order: Order,
    with_contact: bool,
) -> Option<Notification> {
    let (shipped_at, on_account) = (order.state.shipped_at(), order.state.payment() == Payment::Unpaid);
    let order = summary_of(order, with_contact);
    let shipment = shipment.map(Box::new);
    match topic {
        Topic::OrderShipped => Some(Notification::OrderShipped { order, shipped_at, on_account, shipment }),
        Topic::OrderPartShipped => Some(Notification::OrderPartShipped { order, shipment: shipment? }),
        _ => None,
    }
}

/// The notification about the decision on a return, which the event holds. `None` for any other event.
pub(crate) fn about_return(decision: OrderEventKind, order: Order, with_contact: bool) -> Option<Notification> {
    let order = summary_of(order, with_contact);
    match decision {
        OrderEventKind::ReturnAccepted { units, amount, .. } => {
            Some(Notification::ReturnAccepted { order, units, amount })
        }
        OrderEventKind::ReturnDeclined { units, answer, .. } => {
            Some(Notification::ReturnDeclined { order, units, answer })
        }
        _ => None,
    }
}

fn summary_of(order: Order, with_contact: bool) -> OrderSummary {
    OrderSummary {
        id: order.id,
        name: order.name(),
        item: order.item,
        placed_at: order.placed_at,
        contact: with_contact.then_some(order.contact),
        purchase: None,
    }
}

/// The notification about a change in how an account can be signed in to. `account` is the one that an e-mail to the
/// other admins is about. `None` for any other topic.
pub(crate) fn about_account(topic: Topic, account: Option<Email>) -> Option<Notification> {
    Some(match topic {
        Topic::AccountPasswordSet => Notification::PasswordSet,
        Topic::AccountPasswordChanged => Notification::PasswordChanged,
        Topic::AccountSecondFactorAdded => Notification::SecondFactorAdded,
        Topic::AccountSecondFactorRemoved => Notification::SecondFactorRemoved,
        Topic::AccountRecoveryCodeUsed => Notification::RecoveryCodeUsed,
        Topic::AccountGoogleLinked => Notification::GoogleLinked,
        Topic::AccountGoogleUnlinked => Notification::GoogleUnlinked,
        Topic::AccountTakenOver => Notification::AccountTakenOver,
        Topic::AccountDeleted => Notification::AccountDeleted,
        Topic::AccountRoleGiven => Notification::RoleGiven,
        Topic::AccountRoleTaken => Notification::RoleTaken,
        Topic::AccountAdminAdded => Notification::AdminAdded { account },
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use domain::orders::order::EventMeta;
    use domain::orders::shipment::Tracking;
    use domain::{Actor, Charges, Checkout, CheckoutNumber, Item, Money, ReturnId, ShipmentId, Text, Timestamp};
    use uuid::Uuid;

    use super::*;
    use crate::checkout::tests::{cancelled, checkout, line, paid};
    use crate::testing::{customers_order, meta, now, paid_order, transaction};

    fn cents(cents: i64) -> Money {
        Money::from_cents(cents).unwrap()
    }

    fn charges(shipping: i64, tax: i64) -> Charges {
        Charges { shipping: cents(shipping), tax: cents(tax) }
    }

    /// What an e-mail about the first of these orders says of the checkout that they are the lines of.
    fn purchase(topic: Topic, checkout: &Checkout, orders: &[Order]) -> Option<PurchaseSummary> {
        purchase_of(topic, &orders[0], StoredCheckout { checkout: checkout.clone(), orders: orders.to_vec() })
    }

    /// The lines of a checkout that an e-mail about the first of them names; none if it is about that order alone.
    fn lines_named(topic: Topic, orders: &[Order]) -> Vec<u16> {
        let items = purchase(topic, &checkout(None, Vec::new()), orders).map_or_else(Vec::new, |one| one.items);
        items.iter().filter_map(Item::line).map(|line| line.line).collect()
    }

    #[test]
    fn an_order_shipped_on_account_is_reported_as_unpaid() {
        let shipped = |order: Order| {
            let order = order.ship(meta(Actor::Shop)).unwrap().after;
            match about_shipment(Topic::OrderShipped, None, order, true) {
                Some(Notification::OrderShipped { shipped_at: Some(_), on_account, .. }) => on_account,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!((shipped(customers_order()), shipped(paid_order())), (true, false));
    }

    #[test]
    fn a_receipt_and_a_refund_name_the_payment() {
        let refunded = paid_order().cancel_with_refund(meta(Actor::Shop)).unwrap().after;
        for (topic, order) in [(Topic::OrderPaid, paid_order()), (Topic::OrderRefunded, refunded)] {
            match about_order(topic, order, None, true).unwrap() {
                Notification::OrderPaid { transaction: named, .. }
                | Notification::OrderRefunded { transaction: named, .. } => {
                    assert_eq!(named, Some(transaction()));
                }
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn a_confirmation_and_a_reminder_say_when_the_reservation_expires() {
        let until = "2027-01-15T09:15:59.5Z".parse().unwrap();
        let mut order = customers_order();
        order.assigned.reserved_until = Some(until);
        let Some(Notification::OrderPlaced { reserved_until, .. }) =
            about_order(Topic::OrderOrdered, order.clone(), None, true)
        else {
            panic!("no confirmation")
        };
        assert_eq!(reserved_until, Some(until));
        let reminder = about_order(Topic::OrderReminder, order.clone(), None, true);
        assert!(
            matches!(reminder, Some(Notification::OrderReminder { reserved_until, .. }) if reserved_until == until)
        );
        let paid = order.settle(transaction(), meta(Actor::Shop)).unwrap().after;
        assert_eq!(about_order(Topic::OrderReminder, paid, None, true), None, "nothing to remind of");
    }

    #[test]
    fn an_unpaid_order_that_is_cancelled_is_reported_as_lapsed_or_as_released() {
        let order = cancelled(customers_order());
        let reported = |topic| about_order(topic, order.clone(), None, true);
        let summary = || OrderSummary {
            id: order.id,
            name: order.id.to_string(),
            item: order.item.clone(),
            placed_at: now(),
            contact: Some(order.contact.clone()),
            purchase: None,
        };
        assert_eq!(reported(Topic::OrderLapsed), Some(Notification::OrderLapsed { order: summary() }));
        assert_eq!(reported(Topic::OrderReleased), Some(Notification::OrderReleased { order: summary() }));
    }

    #[test]
    fn a_part_is_reported_with_its_shipment_and_not_without_one() {
        let order = customers_order();
        let part = Shipment {
            id: ShipmentId::new(Uuid::from_u128(8)),
            order: order.id,
            units: NonZeroU32::MIN,
            tracking: Tracking::default(),
            sent_at: now(),
        };
        let reported = about_shipment(Topic::OrderPartShipped, Some(part.clone()), order.clone(), true);
        assert!(
            matches!(&reported, Some(Notification::OrderPartShipped { shipment, .. }) if **shipment == part),
            "{reported:?}"
        );
        assert_eq!(about_shipment(Topic::OrderPartShipped, None, order, true), None);
    }

    #[test]
    fn an_email_names_the_lines_of_the_checkout_that_its_topic_concerns() {
        let placed = [line(1, None), cancelled(line(2, None)), line(3, None)];
        assert_eq!(lines_named(Topic::OrderOrdered, &placed), [1, 2, 3]);
        let reserved = |number| {
            let mut order = line(number, None);
            order.assigned.reserved_until = Some(now());
            order
        };
        let reserved = [reserved(1), paid(reserved(2)), reserved(3)];
        assert_eq!(lines_named(Topic::OrderReminder, &reserved), [1, 3]);
        assert!(lines_named(Topic::OrderRefunded, &placed).is_empty(), "a refund is about one order");
    }

    #[test]
    fn a_receipt_names_all_lines_that_its_payment_paid_also_one_that_was_cancelled_since() {
        let by_another = line(3, None).settle("pi_2".parse().unwrap(), meta(Actor::Shop)).unwrap().after;
        let cancelled_since = paid(line(4, None)).cancel_with_refund(meta(Actor::Shop)).unwrap().after;
        let cancelled_before = cancelled(line(5, None));
        let orders = [paid(line(1, None)), line(2, None), by_another, cancelled_since, cancelled_before];
        assert_eq!(lines_named(Topic::OrderPaid, &orders), [1, 4]);
    }

    #[test]
    fn an_email_about_lapsed_lines_names_those_that_lapsed_together() {
        let after = |seconds, number| {
            let at = Timestamp::from_second(now().as_second() + seconds).unwrap();
            line(number, None).cancel(EventMeta { at, ..meta(Actor::Shop) }).unwrap().after
        };
        let paid_before = paid(line(6, None)).cancel_with_refund(meta(Actor::Shop)).unwrap().after;
        let lapsed =
            [after(0, 1), line(2, None), after(60, 3), after(61, 4), after(-61, 5), paid_before, after(-60, 7)];
        assert_eq!(lines_named(Topic::OrderLapsed, &lapsed), [1, 3, 7]);
    }

    #[test]
    fn an_email_about_one_line_says_nothing_of_the_checkout() {
        assert!(lines_named(Topic::OrderOrdered, &[line(1, None)]).is_empty());
        assert!(lines_named(Topic::OrderPaid, &[paid(line(1, None)), line(2, None)]).is_empty());
        assert_eq!(lines_named(Topic::OrderOrdered, &[line(1, None), line(2, None)]), [1, 2]);
    }

    #[test]
    fn an_email_about_a_checkout_says_what_is_due_for_it_once_its_freight_is_known() {
        let po_number = Some(Text::new("PO-7").unwrap());
        let number = CheckoutNumber::new(7).ok();
        let placed = Checkout { number, po_number: po_number.clone(), ..checkout(None, Vec::new()) };
        let orders = [line(1, Some(charges(100, 8))), line(2, Some(charges(200, 16)))];
        let summary = PurchaseSummary {
            id: placed.id,
            number: "P-7".to_owned(),
            po_number,
            items: orders.iter().map(|order| order.item.clone()).collect(),
            shipping: Some(cents(300)),
            tax: Some(cents(24)),
            // Two times 50 discs, with freight and tax.
            due: Some(cents(2 * 649_950 + 324)),
        };
        let stated = purchase(Topic::OrderOrdered, &placed, &orders);
        assert_eq!(stated.as_ref(), Some(&summary));
        let [order, _] = orders;
        let reported = about_order(Topic::OrderOrdered, order, stated, true).unwrap();
        assert_eq!(reported.order().unwrap().purchase.as_ref(), Some(&summary));

        let waiting = [line(1, Some(charges(100, 8))), line(2, None)];
        let summary = purchase(Topic::OrderOrdered, &checkout(None, Vec::new()), &waiting).unwrap();
        assert_eq!((summary.shipping, summary.tax, summary.due), (None, None, None));
        assert_eq!(summary.number, summary.id.to_string(), "it has no number before it is stored");
    }

    #[test]
    fn what_the_customer_typed_is_left_out_if_it_must_not_be_repeated() {
        let contact = |with_contact| {
            let notification = about_order(Topic::OrderOrdered, customers_order(), None, with_contact).unwrap();
            notification.order().unwrap().contact.clone()
        };
        assert_eq!((contact(true), contact(false)), (Some(customers_order().contact), None));
    }

    #[test]
    fn a_decided_return_is_reported_with_its_refund_or_the_answer() {
        let (id, units) = (ReturnId::new(Uuid::from_u128(7)), NonZeroU32::MIN);
        let order = || paid_order().ship(meta(Actor::Shop)).unwrap().after;
        let amount = Money::from_cents(500).unwrap();
        let accepted = OrderEventKind::ReturnAccepted { id, units, amount, refund: None, restocked: true };
        let reported = about_return(accepted, order(), false);
        assert!(
            matches!(&reported, Some(Notification::ReturnAccepted { order, amount: told, .. })
                if *told == amount && order.contact.is_none()),
            "{reported:?}"
        );
        let answer = Text::new("They were used.").unwrap();
        let declined = OrderEventKind::ReturnDeclined { id, units, answer: answer.clone() };
        let reported = about_return(declined, order(), true);
        assert!(
            matches!(&reported, Some(Notification::ReturnDeclined { answer: told, .. }) if *told == answer),
            "{reported:?}"
        );
        assert_eq!(about_return(OrderEventKind::Cancelled, order(), true), None);
    }

    #[test]
    fn topics_without_an_email_produce_none() {
        for topic in [Topic::OrderCancelled, Topic::AccountVerify, Topic::AccountReset] {
            assert_eq!(about_order(topic, customers_order(), None, true), None, "{topic:?}");
        }
        for topic in [Topic::OrderOrdered, Topic::AccountVerify, Topic::AccountReset, Topic::WebhookDisabled] {
            assert_eq!(about_account(topic, None), None, "{topic:?}");
        }
    }

    #[test]
    fn only_an_email_about_a_new_admin_names_another_account() {
        let admin: Email = "new.admin@example.com".parse().unwrap();
        let reported: Vec<_> =
            Topic::ALL.into_iter().filter_map(|topic| about_account(topic, Some(admin.clone()))).collect();
        assert_eq!(reported.len(), 12);
        let naming: Vec<_> =
            reported.into_iter().filter(|one| matches!(one, Notification::AdminAdded { account: Some(_) })).collect();
        assert_eq!(naming, [Notification::AdminAdded { account: Some(admin) }]);
    }
}
