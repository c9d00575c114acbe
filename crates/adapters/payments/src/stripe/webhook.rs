//! Stripe's webhook events: signature and content (<https://docs.stripe.com/webhooks#verify-manually>).

use std::fmt;

use aws_lc_rs::hmac;
use domain::{Timestamp, TransactionId};
use ports::{EventMessage, EventRefused, PaymentEvent, PaymentEventKind, ProviderEvents};
use serde::Deserialize;
use thiserror::Error;

/// The name of the header with the signature, in lower case.
const SIGNATURE: &str = "stripe-signature";
/// Maximum distance, in seconds, between a signature's timestamp and our clock; Stripe's own libraries allow the same.
const TOLERANCE: u64 = 300;

/// The webhook secret is empty: anyone could sign with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the webhook secret is empty")]
pub struct InvalidWebhookSecret;

/// Verifies and reads Stripe's webhook events. `Debug` does not show its secrets.
pub struct StripeEvents {
    keys: Vec<hmac::Key>,
}

impl fmt::Debug for StripeEvents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("StripeEvents(…)")
    }
}

impl StripeEvents {
    /// With the webhook's signing secret (`whsec_…`, as Stripe shows it) and, during a rotation, the previous one.
    ///
    /// # Errors
    /// [`InvalidWebhookSecret`] if either is empty.
    pub fn new(secret: &str, previous: Option<&str>) -> Result<Self, InvalidWebhookSecret> {
        let keys = [Some(secret), previous]
            .into_iter()
            .flatten()
            .map(|secret| {
                if secret.is_empty() {
                    Err(InvalidWebhookSecret)
                } else {
                    Ok(hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes()))
                }
            })
            .collect::<Result<_, _>>()?;
        Ok(Self { keys })
    }

    fn made(&self, body: &[u8], header: &SignatureHeader) -> bool {
        // Stripe signs the timestamp as it is written in the header.
        let signed = [header.seconds_as_sent.as_bytes(), b".", body].concat();
        header
            .signatures
            .iter()
            .any(|signature| self.keys.iter().any(|key| hmac::verify(key, &signed, signature).is_ok()))
    }

    fn read(&self, body: &[u8], signature: Option<&str>, now: Timestamp) -> Result<PaymentEvent, EventRefused> {
        let header = signature.and_then(SignatureHeader::parse).ok_or(EventRefused::Unsigned)?;
        if !self.made(body, &header) {
            return Err(EventRefused::Forged);
        }
        if header.seconds.abs_diff(now.as_second()) > TOLERANCE {
            return Err(EventRefused::Stale);
        }
        understand(body).ok_or(EventRefused::Unreadable)
    }
}

impl ProviderEvents for StripeEvents {
    fn verify(&self, message: &EventMessage<'_>, now: Timestamp) -> Result<PaymentEvent, EventRefused> {
        self.read(message.body, message.headers.get(SIGNATURE).copied(), now)
    }
}

/// `t=1492774577,v1=5257a8…,v1=…,v0=…`: schemes other than `v1` are ignored.
struct SignatureHeader<'a> {
    seconds: i64,
    seconds_as_sent: &'a str,
    signatures: Vec<Vec<u8>>,
}

impl<'a> SignatureHeader<'a> {
    /// More than Stripe ever sends, and few enough to check.
    const MOST_SIGNATURES: usize = 8;

    fn parse(header: &'a str) -> Option<Self> {
        let mut seconds_as_sent = None;
        let mut signatures = Vec::new();
        for (scheme, value) in header.split(',').filter_map(|part| part.split_once('=')) {
            match scheme.trim() {
                "t" => seconds_as_sent = Some(value.trim()),
                "v1" if signatures.len() < Self::MOST_SIGNATURES => {
                    signatures.extend(from_hex(value.trim()));
                }
                _ => {}
            }
        }
        let seconds_as_sent = seconds_as_sent?;
        if signatures.is_empty() {
            return None;
        }
        Some(Self { seconds: seconds_as_sent.parse().ok()?, seconds_as_sent, signatures })
    }
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    if !rest.is_empty() {
        return None;
    }
    pairs.iter().map(|[high, low]| u8::try_from(digit(*high)? * 16 + digit(*low)?).ok()).collect()
}

#[derive(Deserialize)]
struct Event {
    id: String,
    #[serde(rename = "type")]
    kind: String,
    data: EventData,
}

#[derive(Deserialize)]
struct EventData {
    object: serde_json::Value,
}

/// Reads only the fields that the shop acts on, so that a newer version of Stripe's API breaks nothing.
fn understand(body: &[u8]) -> Option<PaymentEvent> {
    let event: Event = serde_json::from_slice(body).ok()?;
    // Event ids and payment ids have the same format.
    event.id.parse::<TransactionId>().ok()?;
    let payment = || event.data.object.get("id")?.as_str()?.parse().ok();
    // Refunds, charges and disputes each name their payment.
    let moved = || event.data.object.get("payment_intent")?.as_str()?.parse().ok();
    let kind = match event.kind.as_str() {
        "payment_intent.succeeded" => PaymentEventKind::Succeeded(payment()?),
        "refund.created"
        | "refund.updated"
        | "refund.failed"
        | "charge.refunded"
        | "charge.refund.updated"
        | "charge.dispute.created"
        | "charge.dispute.updated"
        | "charge.dispute.closed"
        | "charge.dispute.funds_withdrawn"
        | "charge.dispute.funds_reinstated" => {
            moved().map_or(PaymentEventKind::Irrelevant, PaymentEventKind::MoneyMoved)
        }
        _ => PaymentEventKind::Irrelevant,
    };
    Some(PaymentEvent { id: event.id, kind })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "whsec_test_secret";
    const AT: i64 = 1_782_000_000;

    fn now() -> Timestamp {
        Timestamp::from_second(AT).unwrap()
    }

    fn body(kind: &str) -> Vec<u8> {
        serde_json::json!({
            "id": "evt_1NG8Du2eZvKYlo2CUI79vXWy",
            "object": "event",
            "api_version": "2026-01-01.some-name",
            "created": AT,
            "data": {"object": {
                "id": "pi_3MtwBwLkdIwHu7ix28a3tqPa", "object": "payment_intent", "amount": 645_000, "status": "succeeded"
            }},
            "livemode": false,
            "pending_webhooks": 1,
            "request": {"id": null, "idempotency_key": null},
            "type": kind
        })
        .to_string()
        .into_bytes()
    }

    fn sign(secret: &str, seconds: i64, body: &[u8]) -> String {
        use std::fmt::Write;
        let key = hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes());
        let signed = [seconds.to_string().as_bytes(), b".", body].concat();
        let tag = hmac::sign(&key, &signed);
        tag.as_ref().iter().fold(String::new(), |mut hex, byte| {
            write!(hex, "{byte:02x}").unwrap();
            hex
        })
    }

    fn header(secret: &str, seconds: i64, body: &[u8]) -> String {
        format!("t={seconds},v1={}", sign(secret, seconds, body))
    }

    fn stripe() -> StripeEvents {
        StripeEvents::new(SECRET, None).unwrap()
    }

    #[test]
    fn the_signature_matches_the_hmac_of_rfc_4231() {
        // Test case 2 of RFC 4231: it would reveal a mistake that `sign` and the code under test share.
        let key = hmac::Key::new(hmac::HMAC_SHA256, b"Jefe");
        let expected = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
        assert_eq!(from_hex(expected).as_deref(), Some(hmac::sign(&key, b"what do ya want for nothing?").as_ref()));
    }

    #[test]
    fn an_event_signed_by_stripes_own_library_is_read() {
        // Created with `webhooks.generateTestHeaderString` of Stripe's library for Node.
        let body = br#"{"id":"evt_1","object":"event","type":"payment_intent.succeeded","data":{"object":{"id":"pi_1","object":"payment_intent"}}}"#;
        let header = "t=1782000000,v1=0ae5c583248bef82a78f5b70d9849a5f905f366955223d59aa0215e19d417940";
        let event = StripeEvents::new("whsec_vector", None).unwrap().read(body, Some(header), now());
        let kind = PaymentEventKind::Succeeded("pi_1".parse().unwrap());
        assert_eq!(event, Ok(PaymentEvent { id: "evt_1".to_owned(), kind }));
    }

    #[test]
    fn a_signed_success_is_read() {
        let body = body("payment_intent.succeeded");
        let event = stripe().read(&body, Some(&header(SECRET, AT, &body)), now());
        assert_eq!(
            event,
            Ok(PaymentEvent {
                id: "evt_1NG8Du2eZvKYlo2CUI79vXWy".to_owned(),
                kind: PaymentEventKind::Succeeded("pi_3MtwBwLkdIwHu7ix28a3tqPa".parse().unwrap()),
            })
        );
    }

    #[test]
    fn events_that_ask_for_nothing_are_irrelevant() {
        for kind in
            ["payment_intent.canceled", "payment_intent.payment_failed", "charge.refunded", "v9.of.something.new"]
        {
            let body = body(kind);
            let event = stripe().read(&body, Some(&header(SECRET, AT, &body)), now());
            assert_eq!(event.map(|event| event.kind), Ok(PaymentEventKind::Irrelevant), "{kind}");
        }
    }

    #[test]
    fn one_changed_byte_is_a_forgery() {
        let body = body("payment_intent.succeeded");
        let header = header(SECRET, AT, &body);
        for place in [0, body.len() / 2, body.len() - 1] {
            let mut changed = body.clone();
            changed[place] ^= 1;
            assert_eq!(stripe().read(&changed, Some(&header), now()), Err(EventRefused::Forged));
        }
    }

    #[test]
    fn a_signature_with_another_secret_is_a_forgery() {
        let body = body("payment_intent.succeeded");
        for secret in ["whsec_other", "", "whsec_test_secre"] {
            assert_eq!(
                stripe().read(&body, Some(&header(secret, AT, &body)), now()),
                Err(EventRefused::Forged),
                "{secret}"
            );
        }
    }

    #[test]
    fn a_timestamp_that_was_not_signed_is_a_forgery() {
        let body = body("payment_intent.succeeded");
        let moved = format!("t={},v1={}", AT + 1, sign(SECRET, AT, &body));
        assert_eq!(stripe().read(&body, Some(&moved), now()), Err(EventRefused::Forged));
    }

    #[test]
    fn a_signature_is_accepted_for_five_minutes_and_stale_a_second_later() {
        let body = body("payment_intent.succeeded");
        for (age, fresh) in [(300, true), (-300, true), (301, false), (-301, false)] {
            let header = header(SECRET, AT - age, &body);
            let read = stripe().read(&body, Some(&header), now());
            assert_eq!(read.is_ok(), fresh, "{age}");
            if !fresh {
                assert_eq!(read, Err(EventRefused::Stale), "{age}");
            }
        }
    }

    #[test]
    fn both_secrets_are_accepted_during_a_rotation() {
        let rotating = StripeEvents::new("whsec_new", Some(SECRET)).unwrap();
        let body = body("payment_intent.succeeded");
        for secret in ["whsec_new", SECRET] {
            assert!(rotating.read(&body, Some(&header(secret, AT, &body)), now()).is_ok());
        }
        // Meanwhile Stripe signs with both of its own secrets, in either order.
        let two = format!("t={AT},v1={},v1={},v0=abcdef", sign("whsec_other", AT, &body), sign(SECRET, AT, &body));
        assert!(stripe().read(&body, Some(&two), now()).is_ok());
    }

    #[test]
    fn an_event_without_a_valid_signature_header_is_unsigned() {
        let body = body("payment_intent.succeeded");
        let good = sign(SECRET, AT, &body);
        for header in [
            None,
            Some(String::new()),
            Some("nonsense".to_owned()),
            Some(format!("t={AT}")),
            Some(format!("v1={good}")),
            Some(format!("t=soon,v1={good}")),
            Some(format!("t={AT},v0={good}")),
            Some(format!("t={AT},v1=xyz")),
            Some(format!("t={AT},v1=ä{good}")),
            Some(format!("t=99999999999999999999999,v1={good}")),
        ] {
            assert_eq!(stripe().read(&body, header.as_deref(), now()), Err(EventRefused::Unsigned), "{header:?}");
        }
    }

    #[test]
    fn extreme_timestamps_are_stale_without_overflow() {
        let body = body("payment_intent.succeeded");
        for seconds in [i64::MIN, i64::MAX] {
            let header = header(SECRET, seconds, &body);
            assert_eq!(stripe().read(&body, Some(&header), now()), Err(EventRefused::Stale));
        }
    }

    #[test]
    fn signed_nonsense_is_unreadable() {
        for body in [
            &b""[..],
            b"{}",
            b"[]",
            b"\xff\xfe",
            br#"{"id":"evt 1","type":"x","data":{"object":{}}}"#,
            br#"{"id":"evt_1","type":"payment_intent.succeeded","data":{"object":{}}}"#,
            br#"{"id":"evt_1","type":"payment_intent.succeeded","data":{"object":{"id":7}}}"#,
        ] {
            assert_eq!(
                stripe().read(body, Some(&header(SECRET, AT, body)), now()),
                Err(EventRefused::Unreadable),
                "{}",
                String::from_utf8_lossy(body)
            );
        }
    }

    #[test]
    fn an_event_that_moves_money_names_its_payment() {
        for kind in [
            "refund.created",
            "refund.updated",
            "refund.failed",
            "charge.refunded",
            "charge.refund.updated",
            "charge.dispute.created",
            "charge.dispute.updated",
            "charge.dispute.closed",
        ] {
            let body = serde_json::json!({
                "id": "evt_1", "type": kind, "data": {"object": {"id": "xx_1", "payment_intent": "pi_1"}},
            })
            .to_string();
            let read = stripe().read(body.as_bytes(), Some(&header(SECRET, AT, body.as_bytes())), now()).unwrap();
            assert_eq!(read.kind, PaymentEventKind::MoneyMoved("pi_1".parse().unwrap()), "{kind}");
            let without = body.replace("payment_intent", "something_else");
            let read = stripe().read(without.as_bytes(), Some(&header(SECRET, AT, without.as_bytes())), now()).unwrap();
            assert_eq!(read.kind, PaymentEventKind::Irrelevant, "{kind}");
        }
    }

    #[test]
    fn an_empty_secret_is_refused() {
        assert_eq!(StripeEvents::new("", None).map(|_| ()), Err(InvalidWebhookSecret));
        assert_eq!(StripeEvents::new(SECRET, Some("")).map(|_| ()), Err(InvalidWebhookSecret));
    }

    #[test]
    fn secrets_are_not_shown() {
        assert!(!format!("{:?}", stripe()).contains(SECRET));
    }

    #[test]
    fn the_signature_is_the_header_that_stripe_sends_it_in() {
        let body = body("payment_intent.succeeded");
        let header = header(SECRET, AT, &body);
        let under = |name| EventMessage { body: &body, headers: [("accept", "*/*"), (name, header.as_str())].into() };
        assert!(stripe().verify(&under("stripe-signature"), now()).is_ok());
        assert_eq!(stripe().verify(&under("signature"), now()), Err(EventRefused::Unsigned));
    }
}
