//! Every e-mail that the shop sends, compared with its stored copy.

use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

use domain::notifications::delivery::Topic;
use domain::orders::order::EventMeta;
use domain::{Actor, EventId, Order, OrderNumber, Text, Timestamp};
use ports::AccountToken;
use uuid::Uuid;

use crate::notifications::account_emails::{about_address, about_change, about_google, about_password};
use crate::notifications::emails::{Content, about_order, about_webhook};
use crate::testing::{customers_order, now, transaction};

const ORIGIN: &str = "https://shop.example.com";

/// An order as most are, with its number and its reservation.
fn plain() -> Order {
    let mut order = customers_order();
    order.assigned.number = Some(OrderNumber::new(10_428).unwrap());
    order.assigned.reserved_until = Some("2027-01-15T09:15:59.5Z".parse().unwrap());
    order
}

/// An order with markup, quotes, line breaks and Hebrew in every field that somebody typed.
fn hostile() -> Order {
    let mut order = plain();
    order.contact.name = Text::new("<b>Nia</b> & \"Co\"\r\nBcc: all@example.com\u{200f}").unwrap();
    order.contact.address = Text::new("1 \"Workshop\" & Lane\r\n<script>alert('1')</script>\n\nרחוב הרצל 5").unwrap();
    order.item.name = Text::new("Disc {{ order }}\r\nSubject: free\u{2028}<img src=x>\u{200f} צלחת").unwrap();
    order
}

fn at(hours: u64) -> EventMeta {
    EventMeta { event: EventId::new(Uuid::from_u128(6)), by: Actor::Shop, at: later(hours) }
}

fn later(hours: u64) -> Timestamp {
    crate::shop::later(now(), Duration::from_hours(hours))
}

fn order_emails(topic: Topic, change: fn(Order) -> Order) -> Vec<(&'static str, Content)> {
    let write = |order, with_typed| about_order(topic, &order, later(72), ORIGIN, with_typed).unwrap();
    vec![
        ("to a confirmed address", write(change(plain()), true)),
        ("with hostile text", write(change(hostile()), true)),
        ("to an unconfirmed address", write(change(plain()), false)),
    ]
}

fn paid(order: Order) -> Order {
    order.settle(transaction(), at(24)).unwrap().after
}

fn shipped(order: Order) -> Order {
    order.ship(at(48)).unwrap().after
}

fn cancelled(order: Order) -> Order {
    order.cancel(at(48)).unwrap().after
}

fn notice(topic: Topic) -> Vec<(&'static str, Content)> {
    vec![("always", about_change(topic, None, ORIGIN).unwrap())]
}

fn emails() -> Vec<(&'static str, Vec<(&'static str, Content)>)> {
    let token = AccountToken::new("k3y_of-an-e-mail".into());
    let admin = "o'neil&sons@example.com".parse().unwrap();
    let mut shipping = order_emails(Topic::OrderShipped, |order| shipped(paid(order)));
    shipping
        .push(("on account", about_order(Topic::OrderShipped, &shipped(plain()), later(72), ORIGIN, true).unwrap()));
    let mut unnumbered = order_emails(Topic::OrderOrdered, |order| order);
    unnumbered
        .push(("without a number", about_order(Topic::OrderOrdered, &customers_order(), now(), ORIGIN, true).unwrap()));
    vec![
        ("order_placed", unnumbered),
        ("order_paid", order_emails(Topic::OrderPaid, paid)),
        ("order_shipped", shipping),
        ("order_refunded", order_emails(Topic::OrderRefunded, |order| paid(order).cancel_paid(at(48)).unwrap().after)),
        ("order_reminder", order_emails(Topic::OrderReminder, |order| order)),
        ("order_lapsed", order_emails(Topic::OrderLapsed, cancelled)),
        ("order_released", order_emails(Topic::OrderReleased, cancelled)),
        ("verify_address", vec![("always", about_address(&token, ORIGIN))]),
        ("reset_password", vec![("always", about_password(&token, ORIGIN))]),
        ("confirm_google", vec![("always", about_google(&token, ORIGIN))]),
        ("password_set", notice(Topic::AccountPasswordSet)),
        ("password_changed", notice(Topic::AccountPasswordChanged)),
        ("google_linked", notice(Topic::AccountGoogleLinked)),
        ("google_unlinked", notice(Topic::AccountGoogleUnlinked)),
        ("account_taken_over", notice(Topic::AccountTakenOver)),
        ("account_deleted", notice(Topic::AccountDeleted)),
        ("role_given", notice(Topic::AccountRoleGiven)),
        ("role_taken", notice(Topic::AccountRoleTaken)),
        (
            "admin_added",
            vec![
                ("with the account", about_change(Topic::AccountAdminAdded, Some(&admin), ORIGIN).unwrap()),
                ("after the account went", about_change(Topic::AccountAdminAdded, None, ORIGIN).unwrap()),
            ],
        ),
        (
            "webhook_disabled",
            vec![
                ("plain", about_webhook("https://erp.example.com/hooks", "the receiver answers 410", ORIGIN)),
                (
                    "with hostile text",
                    about_webhook("https://erp.example.com/?a=1&b=<i>", "\"no\"\r\n<b>why</b>\u{202e}", ORIGIN),
                ),
                ("without a reason", about_webhook("https://erp.example.com/hooks", "", ORIGIN)),
            ],
        ),
    ]
}

#[test]
fn every_email_says_what_its_copy_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../adapters/email/tests/golden");
    for (kind, emails) in emails() {
        let mut written = String::new();
        for (case, Content { subject, text, html }) in emails {
            write!(written, "===== {case}: subject\n{subject}\n===== text\n{text}===== html\n{html}").unwrap();
        }
        let file = folder.join(format!("{kind}.txt"));
        assert_eq!(written, std::fs::read_to_string(&file).unwrap(), "{kind}");
    }
}
