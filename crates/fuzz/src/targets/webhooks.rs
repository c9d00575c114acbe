//! What the payment provider sends, and where subscribers want to be called.

use std::collections::BTreeMap;
use std::fmt::Write;

use aws_lc_rs::hmac;
use domain::{Timestamp, WebhookUrl};
use payments::StripeEvents;
use ports::{EventMessage, EventRefused, PaymentEvent, PaymentEventKind, ProviderEvents};

use super::texts;
use crate::target::Target;

const SECRET: &str = "whsec_fuzz";
/// When all events are said to be signed.
const SIGNED_AT: i64 = 1_760_000_000;

const WORDS: &[&str] = &[
    "payment_intent.succeeded",
    "charge.refunded",
    "charge.dispute.created",
    "\"payment_intent\":",
    "\"object\":",
    "\"id\":",
    "pi_3",
    "evt_",
    "null",
    "{}",
    "[[[[",
    "\\u0000",
    "\\ud800",
    "1e999",
];

/// The body of an event with a valid signature, whatever it is.
pub(super) const EVENT: Target = Target::of_text("stripe-event", events, WORDS, event);

/// The header of a signature, over one body.
pub(super) const SIGNATURE: Target = Target::of_text(
    "stripe-signature",
    signatures,
    &["t=", "v1=", "v0=", ",", "=", "-", "9223372036854775807"],
    signature,
);

/// The address of a webhook subscription.
pub(super) const SUBSCRIPTION: Target = Target::of_text(
    "webhook-url",
    || {
        texts(&[
            "https://example.com/hooks?shop=1#a",
            "https://user:secret@example.com:8443/a b",
            "http://[::ffff:127.0.0.1]/",
            "https://xn--bcher-kva.example/ü",
        ])
    },
    &["https://", "http://", "@", "[::1]", "127.0.0.1", "0x7f.1", "%00", "\u{202e}", ":65536", "//", ".."],
    subscription,
);

fn events() -> Vec<Vec<u8>> {
    texts(&[
        r#"{"id":"evt_1PFuzz","type":"payment_intent.succeeded","data":{"object":{"id":"pi_3PFuzz","amount":5000}}}"#,
        r#"{"id":"evt_2PFuzz","type":"charge.refunded","data":{"object":{"id":"ch_1","payment_intent":"pi_3PFuzz"}}}"#,
        r#"{"id":"evt_3PFuzz","type":"charge.dispute.created","data":{"object":{"payment_intent":null}}}"#,
        r#"{"id":"evt_4PFuzz","type":"invoice.paid","data":{"object":{}},"api_version":"2025-01-27"}"#,
    ])
}

fn signatures() -> Vec<Vec<u8>> {
    let right = sign(SIGNED_AT, BODY);
    let zeros = "0".repeat(64);
    vec![
        right.clone().into_bytes(),
        format!("t={SIGNED_AT},v1={zeros},v1={zeros},v0=old").into_bytes(),
        format!(" t = 1 ,{right}").into_bytes(),
    ]
}

/// What signatures are over.
const BODY: &[u8] = br#"{"id":"evt_1","type":"payment_intent.succeeded","data":{"object":{"id":"pi_1"}}}"#;

fn hex_of(signed: &[u8]) -> String {
    let key = hmac::Key::new(hmac::HMAC_SHA256, SECRET.as_bytes());
    hmac::sign(&key, signed).as_ref().iter().fold(String::new(), |mut hex, byte| {
        // Writing to a string cannot fail.
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

fn sign(seconds: i64, body: &[u8]) -> String {
    let signed = [seconds.to_string().as_bytes(), b".", body].concat();
    format!("t={seconds},v1={}", hex_of(&signed))
}

fn verify(body: &[u8], header: &str) -> Result<PaymentEvent, EventRefused> {
    let Ok(events) = StripeEvents::new(SECRET, None) else { return Err(EventRefused::Unsigned) };
    let headers = BTreeMap::from([("stripe-signature", header)]);
    let now = Timestamp::from_second(SIGNED_AT).unwrap_or_default();
    events.verify(&EventMessage { body, headers }, now)
}

fn event(body: &[u8]) {
    let read = verify(body, &sign(SIGNED_AT, body));
    match read {
        Ok(PaymentEvent { id, kind }) => {
            assert!(!id.is_empty() && !id.contains(char::is_whitespace), "an event without a usable id: {id:?}");
            if let PaymentEventKind::Succeeded(payment) | PaymentEventKind::MoneyMoved(payment) = kind {
                assert!(!payment.as_str().is_empty());
            }
        }
        Err(refused) => assert_eq!(refused, EventRefused::Unreadable, "a valid signature was refused"),
    }
}

fn signature(header: &[u8]) {
    let Ok(header) = std::str::from_utf8(header) else { return };
    if verify(BODY, header).is_ok() {
        // One of its signatures is the right one over the moment as it stands there.
        let fields: Vec<(&str, &str)> = header
            .split(',')
            .filter_map(|field| field.split_once('='))
            .map(|(scheme, value)| (scheme.trim(), value.trim()))
            .collect();
        let moment = fields.iter().rev().find(|(scheme, _)| *scheme == "t").map_or("", |(_, value)| *value);
        let right = hex_of(&[moment.as_bytes(), b".", BODY].concat());
        let made = fields.iter().any(|(scheme, value)| *scheme == "v1" && value.eq_ignore_ascii_case(&right));
        assert!(made, "accepted without a signature: {header}");
    }
}

fn subscription(typed: &[u8]) {
    let Some(url) = std::str::from_utf8(typed).ok().and_then(|typed| typed.parse::<WebhookUrl>().ok()) else { return };
    let written = url.to_string();
    assert_eq!(written.parse::<WebhookUrl>().ok(), Some(url), "{written} is not read as it was written");
}
