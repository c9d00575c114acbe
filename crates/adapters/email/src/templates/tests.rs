use std::fmt::Write;
use std::num::NonZeroU32;
use std::path::Path;

use domain::orders::shipment::Tracking;
use domain::{Category, Contact, Item, Money, Quantity, Shipment, UnitPrice};
use ports::{AccountToken, OrderSummary, PurchaseSummary};

use super::*;

const ORIGIN: &str = "https://shop.example.com";

fn time(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// An order as most are.
pub(crate) fn plain() -> OrderSummary {
    let item = Item {
        product: "00000000-0000-0000-0000-000000000004".parse().unwrap(),
        name: domain::Text::new("Ventilated brake disc").unwrap(),
        category: Category::Brakes,
        details: domain::Text::new("A pair.").unwrap(),
        img: "/pictures/brake-disc-640.webp".parse().unwrap(),
        part_number: domain::Text::optional(Some("DL-BD-3120")).unwrap(),
        unit_price: UnitPrice::from_dollars(129.99).unwrap(),
        quantity: Quantity::new(50).unwrap(),
        total: Money::from_dollars(6_499.50).unwrap(),
        vehicle: None,
        purchase: None,
    };
    let contact = Contact {
        name: domain::Text::new("Nia").unwrap(),
        email: "nia@example.com".parse().unwrap(),
        phone: domain::Text::new("555 0100").unwrap(),
        address: domain::Text::new("1 Workshop Lane").unwrap(),
    };
    OrderSummary {
        id: "00000000-0000-0000-0000-000000000005".parse().unwrap(),
        name: "DL-10428".to_owned(),
        item,
        placed_at: time("2027-01-15T08:00:00Z"),
        contact: Some(contact),
        purchase: None,
    }
}

/// An order with markup, quotes, line breaks and Hebrew in every field that somebody typed.
pub(crate) fn hostile() -> OrderSummary {
    let mut order = plain();
    let contact = order.contact.as_mut().unwrap();
    contact.name = domain::Text::new("<b>Nia</b> & \"Co\"\r\nBcc: all@example.com\u{200f}").unwrap();
    contact.address = domain::Text::new("1 \"Workshop\" & Lane\r\n<script>alert('1')</script>\n\nרחוב הרצל 5").unwrap();
    order.item.name = domain::Text::new("Disc {{ order }}\r\nSubject: free\u{2028}<img src=x>\u{200f} צלחת").unwrap();
    order
}

/// The first order of a checkout of two lines: the first has a hostile name, the second neither a part number nor freight
/// beyond the first's.
fn purchased(settled: bool) -> OrderSummary {
    let second = Item { part_number: None, ..plain().item };
    let sum = |dollars: f64| settled.then(|| Money::from_dollars(dollars).unwrap());
    let purchase = PurchaseSummary {
        id: "00000000-0000-0000-0000-000000000009".parse().unwrap(),
        number: "P-1001".to_owned(),
        po_number: domain::Text::optional(Some("PO <7> & Co")).unwrap(),
        items: vec![hostile().item, second],
        shipping: sum(45.0),
        tax: sum(1_043.52),
        due: sum(14_087.52),
    };
    OrderSummary { purchase: Some(purchase), ..plain() }
}

/// The cases of an e-mail that may be about a whole checkout.
fn purchase_emails(about: impl Fn(OrderSummary) -> Notification) -> Cases {
    let mut cases = order_emails(&about);
    cases.push(("about a checkout", written(about(purchased(true)))));
    cases
}

/// What an e-mail says about something that happened three days after the order was placed.
fn written(notification: Notification) -> Content {
    written_at("2027-01-18T08:00:00Z", notification)
}

fn written_at(happened_at: &str, notification: Notification) -> Content {
    let to = "nia@example.com".parse().unwrap();
    let email = EmailMessage {
        id: "7.1".to_owned(),
        to,
        notification,
        attachments: Vec::new(),
        happened_at: time(happened_at),
    };
    content(&email, ORIGIN).unwrap()
}

/// The cases of a kind, by what is special about them.
type Cases = Vec<(&'static str, Content)>;

fn order_emails(about: impl Fn(OrderSummary) -> Notification) -> Cases {
    let unconfirmed = OrderSummary { contact: None, ..plain() };
    vec![
        ("to a confirmed address", written(about(plain()))),
        ("with hostile text", written(about(hostile()))),
        ("to an unconfirmed address", written(about(unconfirmed))),
    ]
}

fn placed() -> Cases {
    let reserved_until = Some(time("2027-01-15T09:15:59.5Z"));
    let mut cases = purchase_emails(|order| Notification::OrderPlaced { order, reserved_until });
    let waiting = Notification::OrderPlaced { order: purchased(false), reserved_until };
    cases.push(("about a checkout that waits for its freight", written(waiting)));
    let order = OrderSummary { name: plain().id.to_string(), ..plain() };
    let unnumbered = Notification::OrderPlaced { order, reserved_until: None };
    cases.push(("without a number", written_at("2027-01-15T08:00:00Z", unnumbered)));
    cases
}

fn shipped() -> Cases {
    let shipped_at = Some(time("2027-01-17T08:00:00Z"));
    let mut cases =
        order_emails(|order| Notification::OrderShipped { order, shipped_at, on_account: false, shipment: None });
    let shipped =
        |on_account, shipment| Notification::OrderShipped { order: plain(), shipped_at, on_account, shipment };
    cases.push(("on account", written(shipped(true, None))));
    cases.push(("with a last parcel", written(shipped(false, Some(Box::new(parcel("UPS", 20)))))));
    cases
}

fn parcel(carrier: &str, units: u32) -> Shipment {
    let tracking = Tracking {
        carrier: domain::Text::optional(Some(carrier)).unwrap(),
        number: domain::Text::optional(Some("1Z 999")).unwrap(),
        url: None,
    };
    Shipment {
        id: "00000000-0000-0000-0000-000000000007".parse().unwrap(),
        order: plain().id,
        units: NonZeroU32::new(units).unwrap(),
        tracking: tracking.with_page(),
        sent_at: time("2027-01-16T08:00:00Z"),
    }
}

fn part_shipped() -> Cases {
    let mut cases =
        order_emails(|order| Notification::OrderPartShipped { order, shipment: Box::new(parcel("UPS", 30)) });
    let by_hand =
        Notification::OrderPartShipped { order: plain(), shipment: Box::new(parcel("Uncle <Bob> & \"Co\"", 1)) };
    cases.push(("by a carrier without a page", written(by_hand)));
    cases
}

fn refunded() -> Cases {
    let refunded = |order, cancelled| {
        let transaction = Some("pi_1".parse().unwrap());
        Notification::OrderRefunded { order, transaction, cancelled }
    };
    let mut cases = order_emails(|order| refunded(order, true));
    cases.push(("of a shipped order", written(refunded(plain(), false))));
    cases
}

fn return_accepted() -> Cases {
    let units = NonZeroU32::new(10).unwrap();
    let amount = Money::from_dollars(1_299.90).unwrap();
    let mut cases = order_emails(|order| Notification::ReturnAccepted { order, units, amount });
    let without = Notification::ReturnAccepted { order: plain(), units, amount: Money::ZERO };
    cases.push(("after a refund in full", written(without)));
    cases
}

fn return_declined() -> Cases {
    let units = NonZeroU32::new(10).unwrap();
    let answer = || domain::Text::new("The discs <were> used.\nWe can't \"resell\" them.").unwrap();
    order_emails(|order| Notification::ReturnDeclined { order, units, answer: answer() })
}

fn admin_added() -> Cases {
    let account = Some("o'neil&sons@example.com".parse().unwrap());
    vec![
        ("with the account", written(Notification::AdminAdded { account })),
        ("after the account went", written(Notification::AdminAdded { account: None })),
    ]
}

fn webhook_disabled() -> Cases {
    let disabled = |url: &str, reason: &str| {
        written(Notification::WebhookDisabled { url: url.to_owned(), reason: reason.to_owned() })
    };
    vec![
        ("plain", disabled("https://erp.example.com/hooks", "the receiver answers 410")),
        ("with hostile text", disabled("https://erp.example.com/?a=1&b=<i>", "\"no\"\r\n<b>why</b>\u{202e}")),
        ("without a reason", disabled("https://erp.example.com/hooks", "")),
    ]
}

fn always(notification: Notification) -> Cases {
    vec![("always", written(notification))]
}

/// Every kind of e-mail, by its folder of templates.
fn emails() -> Vec<(&'static str, Cases)> {
    let token = || AccountToken::new("k3y_of-an-e-mail".into());
    let transaction = || Some("pi_1".parse().unwrap());
    let reserved_until = time("2027-01-15T09:15:59.5Z");
    vec![
        ("order_placed", placed()),
        ("order_paid", purchase_emails(|order| Notification::OrderPaid { order, transaction: transaction() })),
        ("order_shipped", shipped()),
        ("order_part_shipped", part_shipped()),
        ("order_refunded", refunded()),
        ("return_accepted", return_accepted()),
        ("return_declined", return_declined()),
        ("order_reminder", purchase_emails(|order| Notification::OrderReminder { order, reserved_until })),
        ("order_lapsed", purchase_emails(|order| Notification::OrderLapsed { order })),
        ("order_released", order_emails(|order| Notification::OrderReleased { order })),
        ("verify_address", always(Notification::VerifyAddress { token: token() })),
        ("reset_password", always(Notification::ResetPassword { token: token() })),
        ("confirm_google", always(Notification::ConfirmGoogle { token: token() })),
        ("password_set", always(Notification::PasswordSet)),
        ("password_changed", always(Notification::PasswordChanged)),
        ("second_factor_added", always(Notification::SecondFactorAdded)),
        ("second_factor_removed", always(Notification::SecondFactorRemoved)),
        ("recovery_code_used", always(Notification::RecoveryCodeUsed)),
        ("google_linked", always(Notification::GoogleLinked)),
        ("google_unlinked", always(Notification::GoogleUnlinked)),
        ("account_taken_over", always(Notification::AccountTakenOver)),
        ("account_deleted", always(Notification::AccountDeleted)),
        ("role_given", always(Notification::RoleGiven)),
        ("role_taken", always(Notification::RoleTaken)),
        ("admin_added", admin_added()),
        ("webhook_disabled", webhook_disabled()),
    ]
}

#[test]
fn every_email_says_what_its_copy_says() {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (kind, cases) in emails() {
        let mut said = String::new();
        for (case, Content { subject, text, html }) in cases {
            write!(said, "===== {case}: subject\n{subject}\n===== text\n{text}===== html\n{html}").unwrap();
        }
        let copy = std::fs::read_to_string(crate_folder.join("tests/golden").join(format!("{kind}.txt"))).unwrap();
        for (number, (says, said_before)) in said.lines().zip(copy.lines()).enumerate() {
            assert_eq!(says, said_before, "{kind}, line {}", number + 1);
        }
        assert_eq!(said.len(), copy.len(), "{kind}");
    }
    let folders = |path: &str| std::fs::read_dir(crate_folder.join(path)).unwrap().flatten().count();
    assert_eq!(folders("tests/golden"), emails().len());
    // Besides the folders of kinds: what they share, and the three files that choose.
    assert_eq!(folders("templates"), emails().len() + 4);
}

#[test]
fn user_input_is_text_and_never_markup_or_another_header() {
    let Content { subject, text, html } = written(Notification::OrderLapsed { order: hostile() });
    assert!(subject.ends_with(": 50 × Disc {{ order }} Subject: free <img src=x> צלחת"), "{subject}");
    assert!(text.contains("Hi <b>Nia</b> & \"Co\" Bcc: all@example.com,"), "{text}");
    for markup in ["<b>", "<script", "<img src=x", "'1'"] {
        assert!(!html.contains(markup), "{markup}: {html}");
    }
}

#[test]
fn an_email_to_an_unconfirmed_address_repeats_nothing_that_was_typed() {
    for (kind, cases) in emails() {
        let Some((_, Content { subject, text, html })) =
            cases.into_iter().find(|(case, _)| case.contains("unconfirmed"))
        else {
            continue;
        };
        for typed in ["Nia", "Workshop Lane", "Ship to"] {
            for part in [&subject, &text, &html] {
                assert!(!part.contains(typed), "{kind}: {typed}: {part}");
            }
        }
    }
}

#[test]
fn an_account_email_links_to_its_page_with_the_token_and_says_how_long_it_is_valid() {
    let token = || AccountToken::new("k3y".into());
    for (notification, page, life) in [
        (Notification::VerifyAddress { token: token() }, "/verify-email#token=", "24 hours"),
        (Notification::ResetPassword { token: token() }, "/reset-password#token=", "one hour"),
        (Notification::ConfirmGoogle { token: token() }, "/verify-email#google=", "one hour"),
    ] {
        let Content { subject, text, html } = written(notification);
        let link = format!("{ORIGIN}{page}k3y");
        assert!(text.contains(&format!("\n{link}\n")) && html.contains(&format!("<a href=\"{link}\"")), "{text}{html}");
        assert!(text.contains(life) && html.contains(life) && text.contains("Hi,\n"), "{text}");
        assert!(!subject.contains("k3y"));
    }
}
