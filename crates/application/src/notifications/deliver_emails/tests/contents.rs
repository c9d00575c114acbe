//! What is looked up for an e-mail, and said in it.

use std::num::NonZeroU32;

use domain::orders::shipment::Tracking;
use domain::{Actor, Charges, EventId, Money, OrderEvent, ReturnId, ShipmentId, StoreAssigned, Text};
use ports::{MockOrderRepository, MockShipmentRepository};
use uuid::Uuid;

use super::*;
use crate::checkout::tests::{checkout, holding as holding_checkout, line};
use crate::testing::{meta, now, paid_order};

/// The id of an event of the order's timeline.
fn entry(id: u128) -> EventId {
    EventId::new(Uuid::from_u128(id))
}

/// An order repository that holds this order, whose timeline consists of these events, numbered from 1.
fn with_timeline(order: &Order, kinds: impl IntoIterator<Item = OrderEventKind>) -> MockOrderRepository {
    let event = |(id, kind)| OrderEvent { id: entry(id), order: order.id, kind, by: Actor::Shop, at: now() };
    let timeline: Vec<_> = (1..).zip(kinds).map(event).collect();
    let mut orders = holding(order);
    orders.expect_timeline().returning(move |_| Ok(timeline.clone()));
    orders
}

fn part(id: u128) -> Shipment {
    Shipment {
        id: ShipmentId::new(Uuid::from_u128(id)),
        order: customers_order().id,
        units: NonZeroU32::MIN,
        tracking: Tracking::default(),
        sent_at: now(),
    }
}

#[tokio::test(start_paused = true)]
async fn the_email_about_a_part_reports_that_part_and_the_one_about_the_order_its_last() {
    let shipped = paid_order().ship(meta(Actor::Shop)).unwrap().after;
    let left = |id| OrderEventKind::PartShipped { shipment: part(id).id, units: NonZeroU32::MIN };
    let timeline = [left(21), left(22), OrderEventKind::Shipped { on_account: false }];
    for (topic, event, reported) in [
        (Topic::OrderPartShipped, 1, part(21)),
        (Topic::OrderPartShipped, 2, part(22)),
        (Topic::OrderShipped, 3, part(23)),
    ] {
        let orders = Arc::new(with_timeline(&shipped, timeline.clone()));
        let mut shipments = MockShipmentRepository::new();
        shipments.expect_of_order().returning(|_| Ok([21, 22, 23].map(part).to_vec()));
        let shipments = Arc::new(shipments);
        let delivery = Delivery { event: Some(entry(event)), ..waiting(7, topic, None) };
        let (_, emails, _) = sending(delivery, |shop| Notifications { orders, shipments, ..shop }).await;
        let shipment = match &emails[0].notification {
            Notification::OrderPartShipped { shipment, .. } => Some(shipment),
            Notification::OrderShipped { shipment, .. } => shipment.as_ref(),
            other => panic!("{other:?}"),
        };
        assert_eq!(shipment, Some(&Box::new(reported)));
    }
}

#[tokio::test(start_paused = true)]
async fn the_email_about_a_return_reports_the_decision_on_that_return() {
    let declined = |number: u128, answer: &str| OrderEventKind::ReturnDeclined {
        id: ReturnId::new(Uuid::from_u128(number)),
        units: NonZeroU32::MIN,
        answer: Text::new(answer).unwrap(),
    };
    let timeline = [declined(31, "They were used."), declined(32, "They are not ours.")];
    let orders = Arc::new(with_timeline(&paid_order(), timeline));
    let delivery = Delivery { event: Some(entry(2)), ..waiting(7, Topic::OrderReturnDeclined, None) };
    let (_, emails, _) = sending(delivery, |shop| Notifications { orders, ..shop }).await;
    let Notification::ReturnDeclined { answer, .. } = &emails[0].notification else { panic!("{:?}", emails[0]) };
    assert_eq!(answer.as_str(), "They are not ours.");
}

#[tokio::test(start_paused = true)]
async fn the_confirmation_of_a_line_lists_all_of_its_checkout() {
    let lines = [line(1, Some(Charges::NONE)), line(2, Some(Charges::NONE))];
    let whole = checkout(Some(Money::ZERO), Vec::new());
    let orders = Arc::new(holding(&lines[0]));
    let checkouts = Arc::new(holding_checkout(&whole, &lines));
    let delivery = waiting(7, Topic::OrderOrdered, None);
    let (_, emails, _) = sending(delivery, |shop| Notifications { checkouts, orders, ..shop }).await;
    let purchase = emails[0].notification.order().unwrap().purchase.clone().unwrap();
    assert_eq!((purchase.id, purchase.items), (whole.id, lines.map(|line| line.item).to_vec()));
}

#[tokio::test(start_paused = true)]
async fn only_an_order_that_still_waits_for_its_payment_is_reminded_of() {
    let assigned = StoreAssigned { number: None, reserved_until: Some(now()) };
    let unpaid = Order { assigned, ..customers_order() };
    let paid = Order { assigned, ..paid_order() };
    for (order, sent) in [(unpaid, 1), (paid, 0)] {
        let orders = Arc::new(holding(&order));
        let delivery = waiting(7, Topic::OrderReminder, None);
        let (delivered, emails, outbox) = sending(delivery, |shop| Notifications { orders, ..shop }).await;
        assert_eq!(delivered, Delivered { sent, ..Delivered::default() });
        let left = outbox.all().len();
        assert_eq!((emails.len(), left), (sent as usize, sent as usize), "one that is not needed leaves no trace");
    }
}

#[tokio::test(start_paused = true)]
async fn the_notice_of_a_new_admin_names_the_account() {
    let admin: Email = "new.admin@example.com".parse().unwrap();
    let mut ownership = to_a(Recipient::Confirmed);
    let named = Some(admin.clone());
    ownership.expect_account_of_notice().withf(|email| email.get() == 7).returning(move |_| Ok(named.clone()));
    let ownership = Arc::new(ownership);
    let delivery = about_account_email(Topic::AccountAdminAdded);
    let (_, emails, _) = sending(delivery, |shop| Notifications { ownership, ..shop }).await;
    assert_eq!(emails[0].notification, Notification::AdminAdded { account: Some(admin) });
}

#[tokio::test(start_paused = true)]
async fn a_sign_in_with_google_is_confirmed_by_a_link_while_it_is_pending() {
    let confirmation = || Notification::ConfirmGoogle { token: AccountToken::new("the-token".into()) };
    for (pending, expected) in [(true, vec![confirmation()]), (false, Vec::new())] {
        let mut ownership = MockOwnershipRepository::new();
        ownership
            .expect_add_pending_token()
            .times(1)
            .withf(|email, hash, at| (email.get(), hash.0, *at) == (7, [7; 32], now()))
            .returning(move |_, _, _| Ok(pending));
        let ownership = Arc::new(ownership);
        let delivery = about_account_email(Topic::AccountGoogleConfirm);
        let (_, emails, outbox) = sending(delivery, |shop| carrying(Notifications { ownership, ..shop }, true)).await;
        assert_eq!(emails.into_iter().map(|email| email.notification).collect::<Vec<_>>(), expected);
        assert_eq!(outbox.all().len(), expected.len(), "one that is not sent leaves no trace");
    }
}
