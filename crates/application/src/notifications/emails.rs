//! The texts of e-mails about orders and webhooks.
//!
//! An e-mail is built from parts, and each part is rendered as plain text and as HTML, so that the two always agree.
//! User input is escaped.

use std::borrow::Cow;
use std::fmt::Write;

use domain::notifications::delivery::Topic;
use domain::orders::order::Fulfilment;
use domain::{Day, Order, Payment, Timestamp};

/// The content of an e-mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Content {
    /// The subject, on one line.
    pub(crate) subject: String,
    /// The plain-text body.
    pub(crate) text: String,
    /// The HTML document.
    pub(crate) html: String,
}

/// The e-mail about an order's event. `at` is when the event happened; `origin` is the shop's scheme and host, without
/// a trailing slash. User input is repeated only if `with_typed`. `None` for a topic without an e-mail.
pub(crate) fn about_order(
    topic: Topic,
    order: &Order,
    at: Timestamp,
    origin: &str,
    with_typed: bool,
) -> Option<Content> {
    let page = format!("{origin}/dashboard/order/{}", order.id);
    let goods = format!("{} × {}", order.item.quantity.get(), order.item.name);
    let mut draft = match topic {
        Topic::OrderOrdered => {
            let mut draft = Draft::new(format!("We have your order: {goods}"), "Thank you for your order");
            draft.says("We have your order and keep its units for you. It ships once it is paid and approved.");
            draft
        }
        Topic::OrderPaid => {
            let mut draft = Draft::new(format!("Your receipt: {goods}"), "Thank you for your payment");
            draft.says("Your payment has arrived, in full. This letter is your receipt.");
            draft
        }
        Topic::OrderShipped => {
            let mut draft = Draft::new(format!("On its way: {goods}"), "Your order is on its way");
            draft.says("Your order has left our warehouse.");
            if order.progress.payment == Payment::Unpaid {
                draft.says("It left on account: it is not paid yet, and can be paid on the order's page.");
            }
            draft
        }
        Topic::OrderRefunded => {
            let mut draft = Draft::new(format!("Your refund: {goods}"), "Your money is on its way back");
            draft.says(
                "Your order was called off, and your payment goes back to the card that it came from, in full. Banks take \
                 five to ten days until it can be seen there.",
            );
            draft
        }
        Topic::OrderReminder => {
            let mut draft = Draft::new(format!("Not paid yet: {goods}"), "Your order is waiting for its payment");
            draft.says(
                "We keep its units for you until the time below. If it is not paid by then, the order is cancelled and its \
                 units go on sale again.",
            );
            draft
        }
        Topic::OrderLapsed => {
            let mut draft =
                Draft::new(format!("Cancelled, because it was not paid: {goods}"), "Your order was cancelled");
            draft.says("It was not paid in time, so its units are on sale again. You were not charged.");
            draft.says("You are welcome to order again whenever you like.");
            draft
        }
        Topic::OrderReleased => {
            let mut draft = Draft::new(format!("Cancelled: {goods}"), "Your order was cancelled");
            draft.says(
                "We cancelled your unpaid order. You were not charged. Please ask us if you did not expect this.",
            );
            draft
        }
        // A cancellation is reported by the e-mail about the refund, if there is one; the other topics are not about
        // orders.
        _ => return None,
    };
    let mut facts = facts(topic, order, at);
    if with_typed {
        draft.greeting = Some(order.contact.name.as_str().to_owned());
        facts.push(("Goes to", format!("{}\n{}", order.contact.name, order.contact.address)));
    }
    draft.facts(facts);
    draft.leads("See your order", page);
    Some(draft.written())
}

/// The e-mail to an admin that a webhook subscription was disabled. It links to the page of deliveries at `origin`.
pub(crate) fn about_webhook(url: &str, why: &str, origin: &str) -> Content {
    let mut draft = Draft::new("A webhook was disabled".to_owned(), "A webhook was disabled");
    draft.says("This webhook gets no calls any more. Events from now on are not kept for it.");
    draft.facts(vec![("URL", one_line(url)), ("Reason", one_line(why))]);
    draft.says("Once its receiver works again, use Retry all on the page of deliveries: that enables it and sends what was given up.");
    draft.leads("See deliveries", format!("{origin}/dashboard/deliveries"));
    draft.written()
}

fn facts(topic: Topic, order: &Order, at: Timestamp) -> Vec<(&'static str, String)> {
    let item = &order.item;
    let mut facts = vec![
        ("Order", order.name()),
        ("Product", item.name.to_string()),
        ("Quantity", item.quantity.get().to_string()),
        ("Price of one", item.unit_price.money().to_string()),
        ("Total", item.total.to_string()),
        ("Ordered on", Day::of(order.placed_at).to_string()),
    ];
    if let (Topic::OrderOrdered | Topic::OrderReminder, Some(until)) = (topic, order.reserved_until()) {
        facts.push(("Reserved until", to_the_minute(until)));
    }
    match topic {
        Topic::OrderPaid => facts.push(("Paid on", Day::of(at).to_string())),
        Topic::OrderRefunded => facts.push(("Refunded on", Day::of(at).to_string())),
        Topic::OrderShipped => {
            if let Fulfilment::Shipped { at } = order.progress.fulfilment {
                facts.push(("Shipped on", Day::of(at).to_string()));
            }
        }
        Topic::OrderLapsed | Topic::OrderReleased => facts.push(("Cancelled on", Day::of(at).to_string())),
        _ => {}
    }
    if let (Topic::OrderPaid | Topic::OrderRefunded, Some(transaction)) = (topic, order.progress.payment.transaction())
    {
        facts.push(("Payment", transaction.to_string()));
    }
    facts
}

/// A timestamp to the minute, as in `2026-11-22 09:15 UTC`.
fn to_the_minute(at: Timestamp) -> String {
    let exact = at.to_string();
    let (day, time) = exact.split_once('T').unwrap_or((&exact, ""));
    format!("{day} {} UTC", time.get(..5).unwrap_or(time))
}

/// An e-mail that is being composed.
#[derive(Debug)]
pub(crate) struct Draft {
    subject: String,
    heading: &'static str,
    /// The name in the greeting, if it has one.
    greeting: Option<String>,
    parts: Vec<Part>,
}

#[derive(Debug)]
enum Part {
    Says(Cow<'static, str>),
    Facts(Vec<(&'static str, String)>),
    Leads { label: &'static str, to: String },
}

impl Draft {
    /// An e-mail without a greeting by name and without parts. The subject may be any text.
    pub(crate) fn new(subject: String, heading: &'static str) -> Self {
        Self { subject, heading, greeting: None, parts: Vec::new() }
    }

    /// Adds a paragraph.
    pub(crate) fn says(&mut self, paragraph: impl Into<Cow<'static, str>>) {
        self.parts.push(Part::Says(paragraph.into()));
    }

    /// Adds a table of facts; values may be user input.
    pub(crate) fn facts(&mut self, facts: Vec<(&'static str, String)>) {
        self.parts.push(Part::Facts(facts));
    }

    /// Adds a link to an absolute URL.
    pub(crate) fn leads(&mut self, label: &'static str, to: String) {
        self.parts.push(Part::Leads { label, to });
    }

    /// The finished content.
    pub(crate) fn written(&self) -> Content {
        Content { subject: one_line(&self.subject), text: self.as_text(), html: self.as_html() }
    }

    fn hello(&self) -> String {
        self.greeting.as_deref().map_or_else(|| "Hello,".to_owned(), |name| format!("Hello {},", one_line(name)))
    }

    // Writing to a `String` never fails.
    fn as_text(&self) -> String {
        let mut text = format!("{}\n\n{}\n\n", self.heading, self.hello());
        for part in &self.parts {
            let _ = match part {
                Part::Says(paragraph) => write!(text, "{paragraph}\n\n"),
                Part::Facts(facts) => {
                    for (name, value) in facts {
                        let mut lines = value.lines();
                        let _ = writeln!(text, "{name:<16}{}", lines.next().unwrap_or_default());
                        for line in lines {
                            let _ = writeln!(text, "{:<16}{line}", "");
                        }
                    }
                    writeln!(text)
                }
                Part::Leads { label, to } => write!(text, "{label}:\n{to}\n\n"),
            };
        }
        text.push_str(CLOSING);
        text.push('\n');
        text
    }

    fn as_html(&self) -> String {
        let (heading, hello) = (escaped(self.heading), escaped(&self.hello()));
        let mut html = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{heading}</title>\n</head>\n\
             <body style=\"font-family: sans-serif; line-height: 1.5; color: #1b1f24\">\n<h1 style=\"font-size: 1.4em\">\
             {heading}</h1>\n<p dir=\"auto\">{hello}</p>\n"
        );
        for part in &self.parts {
            let _ = match part {
                Part::Says(paragraph) => writeln!(html, "<p>{}</p>", escaped(paragraph)),
                Part::Facts(facts) => {
                    html.push_str("<table style=\"border-collapse: collapse\">\n");
                    for (name, value) in facts {
                        let lines: Vec<String> = value.lines().map(escaped).collect();
                        let _ = writeln!(
                            html,
                            "<tr><th scope=\"row\" style=\"padding: 2px 16px 2px 0; text-align: left; vertical-align: top\">\
                             {}</th><td dir=\"auto\">{}</td></tr>",
                            escaped(name),
                            lines.join("<br>")
                        );
                    }
                    writeln!(html, "</table>")
                }
                Part::Leads { label, to } => {
                    let (label, to) = (escaped(label), escaped(to));
                    writeln!(html, "<p><a href=\"{to}\">{label}</a><br>{to}</p>")
                }
            };
        }
        let _ = write!(html, "<p>{}</p>\n</body>\n</html>\n", escaped(CLOSING));
        html
    }
}

const CLOSING: &str = "Driveline";

/// Text escaped for HTML elements and quoted attributes.
fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            c => html.push(c),
        }
    }
    html
}

/// Text for a header: line breaks, which would start another header, become spaces, and bidirectional controls, which
/// would change the direction of the following text, are removed.
pub(crate) fn one_line(text: &str) -> String {
    let turns = |c: char| matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let shown: String = text.chars().filter(|c| !turns(*c)).map(|c| if c.is_control() { ' ' } else { c }).collect();
    shown.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use domain::{Actor, Text};

    use super::*;
    use crate::testing::{customers_order, now, paid_order, shop};

    const ORIGIN: &str = "https://shop.example.com";

    fn message(topic: Topic, order: &Order) -> Content {
        about_order(topic, order, now(), ORIGIN, true).unwrap()
    }

    #[test]
    fn a_confirmation_states_the_product_the_prices_and_the_orders_page() {
        let order = customers_order();
        let message = message(Topic::OrderOrdered, &order);
        assert_eq!(message.subject, "We have your order: 50 × Ventilated brake disc");
        let page = format!("{ORIGIN}/dashboard/order/{}", order.id);
        for told in ["Hello Nia,", "Ventilated brake disc", "$129.99", "$6,499.50", "1 Workshop Lane", &page] {
            assert!(message.text.contains(told), "{told}: {}", message.text);
            assert!(message.html.contains(told), "{told}: {}", message.html);
        }
        assert!(!message.text.contains("Paid on") && !message.text.contains("Payment"), "{}", message.text);
    }

    #[test]
    fn a_receipt_states_the_payment_and_the_day() {
        let message = message(Topic::OrderPaid, &paid_order());
        for told in ["receipt", "pi_1", "$6,499.50", "Paid on         2027-01-15"] {
            assert!(message.text.contains(told), "{told}: {}", message.text);
        }
    }

    #[test]
    fn an_order_shipped_on_account_says_that_it_is_not_paid() {
        let ship = |order: Order| order.ship(shop().meta(Actor::Shop)).unwrap().after;
        let on_account = message(Topic::OrderShipped, &ship(customers_order()));
        assert!(on_account.text.contains("not paid yet") && on_account.html.contains("not paid yet"));
        let paid = message(Topic::OrderShipped, &ship(paid_order()));
        assert!(!paid.text.contains("not paid yet") && paid.text.contains("Shipped on"), "{}", paid.text);
    }

    #[test]
    fn a_refund_says_that_the_money_is_returned() {
        let cancelled_paid = paid_order().cancel_paid(shop().meta(Actor::Shop)).unwrap().after;
        let message = message(Topic::OrderRefunded, &cancelled_paid);
        assert!(message.text.contains("goes back") && message.text.contains("Refunded on"), "{}", message.text);
    }

    #[test]
    fn a_confirmation_and_a_reminder_state_when_the_reservation_expires() {
        let mut order = customers_order();
        order.assigned.reserved_until = Some("2027-01-15T09:15:59.5Z".parse().unwrap());
        for topic in [Topic::OrderOrdered, Topic::OrderReminder] {
            let message = message(topic, &order);
            assert!(message.text.contains("Reserved until  2027-01-15 09:15 UTC"), "{}", message.text);
        }
        let paid = order.settle(crate::testing::transaction(), shop().meta(Actor::Shop)).unwrap().after;
        assert!(!message(Topic::OrderPaid, &paid).text.contains("Reserved until"));
    }

    #[test]
    fn a_cancelled_unpaid_order_states_why_and_that_nothing_was_charged() {
        let mut order = customers_order();
        order.assigned.number = Some(domain::OrderNumber::new(10_428).unwrap());
        let gone = order.cancel(shop().meta(Actor::Shop)).unwrap().after;
        for (topic, why) in [(Topic::OrderLapsed, "not paid in time"), (Topic::OrderReleased, "We cancelled")] {
            let message = message(topic, &gone);
            for told in [why, "not charged", "DL-10428", "Cancelled on"] {
                assert!(message.text.contains(told) && message.html.contains(told), "{told}: {}", message.text);
            }
        }
    }

    #[test]
    fn topics_without_an_order_email_produce_none() {
        for topic in [Topic::OrderCancelled, Topic::AccountVerify, Topic::AccountReset] {
            assert_eq!(about_order(topic, &customers_order(), now(), ORIGIN, true), None, "{topic:?}");
        }
    }

    #[test]
    fn user_input_is_text_and_never_markup_or_another_header() {
        let mut order = customers_order();
        order.contact.name = Text::new("<b>Nia</b>\r\nBcc: all@example.com\u{202e}").unwrap();
        order.contact.address = Text::new("1 \"Workshop\" & Lane\n<script>alert('1')</script>").unwrap();
        order.item.name = Text::new("Disc\r\nSubject: free\u{2028}<img src=x>").unwrap();
        let message = message(Topic::OrderOrdered, &order);
        assert_eq!(message.subject, "We have your order: 50 × Disc Subject: free <img src=x>");
        assert!(message.text.contains("Hello <b>Nia</b> Bcc: all@example.com,"), "{}", message.text);
        for markup in ["<b>", "<script", "<img", "'1'"] {
            assert!(!message.html.contains(markup), "{markup}: {}", message.html);
        }
        assert!(message.html.contains("1 &quot;Workshop&quot; &amp; Lane<br>&lt;script&gt;"), "{}", message.html);
    }
}
