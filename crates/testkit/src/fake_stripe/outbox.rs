//! Webhook deliveries (<https://docs.stripe.com/webhooks>).

use std::time::Duration;

use aws_lc_rs::hmac;
use serde_json::{Value, json};

use super::calls::written;
use super::faults::Post;

/// How long a webhook is held back for the one that follows it before it is sent alone.
const HELD: Duration = Duration::from_secs(5);
/// The pause after the first attempt; every further pause is four times as long.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
/// The maximum number of attempts.
const ATTEMPTS: u32 = 8;

/// Where webhooks go, and the secrets that sign them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// An `http://` URL.
    pub url: String,
    /// Several while one is being replaced: each signs.
    pub secrets: Vec<String>,
}

/// The state of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Course {
    Waiting { due: Duration },
    Sending,
    Delivered,
    Lost,
    GivenUp,
}

#[derive(Debug, Clone)]
struct Delivery {
    event: String,
    kind: String,
    body: String,
    course: Course,
    /// Held back until the next one has been sent.
    held: bool,
    /// The endpoint's status of each attempt; `None` for no response.
    answers: Vec<Option<u16>>,
}

/// One webhook to be sent.
#[derive(Debug, Clone)]
pub struct Sending {
    pub(super) delivery: usize,
    /// The URL to call.
    pub url: String,
    /// The event as JSON.
    pub body: String,
    /// The `Stripe-Signature` header.
    pub signature: String,
}

/// All deliveries, past and pending.
#[derive(Debug, Clone, Default)]
pub(super) struct Outbox {
    endpoint: Option<Endpoint>,
    deliveries: Vec<Delivery>,
    paused: bool,
}

impl Outbox {
    pub(super) fn send_to(&mut self, endpoint: Option<Endpoint>) {
        self.endpoint = endpoint;
    }

    pub(super) fn pause(&mut self, paused: bool) {
        self.paused = paused;
    }

    /// Queues an event. Without an endpoint it is dropped.
    pub(super) fn put(&mut self, event: &Value, post: Post, now: Duration) {
        if self.endpoint.is_none() {
            return;
        }
        for delivery in self.deliveries.iter_mut().filter(|delivery| delivery.held) {
            delivery.held = false;
            delivery.course = Course::Waiting { due: now + Duration::from_millis(1) };
        }
        let text = |name: &str| event[name].as_str().unwrap_or_default().to_owned();
        let (course, held) = match post {
            Post::AtOnce | Post::Twice => (Course::Waiting { due: now }, false),
            Post::Late(pause) => (Course::Waiting { due: now + pause }, false),
            Post::Swapped => (Course::Waiting { due: now + HELD }, true),
            Post::Lost => (Course::Lost, false),
        };
        let delivery =
            Delivery { event: text("id"), kind: text("type"), body: written(event), course, held, answers: Vec::new() };
        if post == Post::Twice {
            self.deliveries.push(delivery.clone());
        }
        self.deliveries.push(delivery);
    }

    /// The deliveries that have to be sent now, in the order of their due times. Report the result of each with
    /// [`Outbox::told`].
    pub(super) fn take_due(&mut self, now: Duration) -> Vec<Sending> {
        let Some(endpoint) = self.endpoint.clone().filter(|_| !self.paused) else { return Vec::new() };
        let mut due: Vec<(Duration, usize)> = self
            .deliveries
            .iter()
            .enumerate()
            .filter_map(|(number, delivery)| match delivery.course {
                Course::Waiting { due } if due <= now => Some((due, number)),
                _ => None,
            })
            .collect();
        due.sort_unstable();
        due.into_iter()
            .map(|(_, number)| {
                let delivery = &mut self.deliveries[number];
                delivery.course = Course::Sending;
                delivery.held = false;
                let signature = signature(&endpoint.secrets, now.as_secs(), delivery.body.as_bytes());
                Sending { delivery: number, url: endpoint.url.clone(), body: delivery.body.clone(), signature }
            })
            .collect()
    }

    /// Records the result of a delivery: the endpoint's status, or none. Anything but a 2xx is retried.
    pub(super) fn answered(&mut self, delivery: usize, status: Option<u16>, now: Duration) {
        let delivery = &mut self.deliveries[delivery];
        delivery.answers.push(status);
        let failures = u32::try_from(delivery.answers.len()).unwrap_or(u32::MAX);
        delivery.course = if status.is_some_and(|status| (200..300).contains(&status)) {
            Course::Delivered
        } else if failures >= ATTEMPTS {
            Course::GivenUp
        } else {
            Course::Waiting { due: now + FIRST_PAUSE * 4_u32.pow(failures - 1) }
        };
    }

    /// When the next delivery is due.
    pub(super) fn next_due(&self) -> Option<Duration> {
        if self.paused {
            return None;
        }
        self.deliveries
            .iter()
            .filter_map(|delivery| match delivery.course {
                Course::Waiting { due } => Some(due),
                _ => None,
            })
            .min()
    }

    pub(super) fn list(&self) -> Vec<Value> {
        self.deliveries
            .iter()
            .map(|delivery| {
                let state = match delivery.course {
                    Course::Waiting { .. } => "waiting",
                    Course::Sending => "sending",
                    Course::Delivered => "delivered",
                    Course::Lost => "lost",
                    Course::GivenUp => "given_up",
                };
                json!({"event": delivery.event, "type": delivery.kind, "state": state, "answers": delivery.answers})
            })
            .collect()
    }
}

/// The `Stripe-Signature` header of a body that is sent at a time in seconds since 1970, signed with each secret.
#[must_use]
pub fn signature(secrets: &[String], seconds: u64, body: &[u8]) -> String {
    let signed = [seconds.to_string().as_bytes(), b".", body].concat();
    let mut header = format!("t={seconds}");
    for secret in secrets {
        let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes()), &signed);
        let hex: Vec<String> = tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
        header = format!("{header},v1={}", hex.concat());
    }
    header
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Duration = Duration::from_hours(495_000);

    fn outbox() -> Outbox {
        let mut outbox = Outbox::default();
        outbox.send_to(Some(Endpoint { url: "http://127.0.0.1/hook".to_owned(), secrets: vec!["whsec_1".to_owned()] }));
        outbox
    }

    fn event(id: &str) -> Value {
        json!({"id": id, "type": "payment_intent.succeeded"})
    }

    fn due(outbox: &mut Outbox, now: Duration) -> Vec<usize> {
        outbox.take_due(now).into_iter().map(|sending| sending.delivery).collect()
    }

    #[test]
    fn a_swapped_webhook_is_sent_after_the_next_one() {
        let mut outbox = outbox();
        outbox.put(&event("evt_0"), Post::Swapped, NOW);
        outbox.put(&event("evt_1"), Post::AtOnce, NOW);
        assert_eq!(due(&mut outbox, NOW + Duration::from_millis(1)), [1, 0]);
    }

    #[test]
    fn a_swapped_webhook_without_a_successor_is_sent_alone() {
        let mut outbox = outbox();
        outbox.put(&event("evt_0"), Post::Swapped, NOW);
        assert_eq!(due(&mut outbox, NOW), [0; 0]);
        assert_eq!(outbox.next_due(), Some(NOW + HELD));
        assert_eq!(due(&mut outbox, NOW + HELD), [0]);
    }

    #[test]
    fn lost_webhooks_are_never_sent_and_doubled_ones_are_sent_twice() {
        let mut outbox = outbox();
        outbox.put(&event("evt_0"), Post::Lost, NOW);
        outbox.put(&event("evt_1"), Post::Twice, NOW);
        let later = NOW + Duration::from_secs(1_000_000);
        let sent: Vec<String> = outbox.take_due(later).into_iter().map(|sending| sending.body).collect();
        assert_eq!(sent, [event("evt_1").to_string(), event("evt_1").to_string()]);
    }

    #[test]
    fn a_failed_webhook_is_retried_with_growing_pauses_and_given_up() {
        let mut outbox = outbox();
        outbox.put(&event("evt_0"), Post::AtOnce, NOW);
        let mut now = NOW;
        let mut pauses = Vec::new();
        while let Some(next) = outbox.next_due() {
            pauses.push(next.saturating_sub(now).as_secs());
            now = next;
            assert_eq!(due(&mut outbox, now), [0]);
            assert_eq!(due(&mut outbox, now), [0; 0], "it is being sent");
            outbox.answered(0, Some(503), now);
        }
        assert_eq!(pauses, [0, 1, 4, 16, 64, 256, 1024, 4096]);
        assert_eq!(outbox.list()[0]["state"], "given_up");
    }

    #[test]
    fn while_paused_nothing_is_sent_and_nothing_is_lost() {
        let mut outbox = outbox();
        outbox.pause(true);
        outbox.put(&event("evt_0"), Post::AtOnce, NOW);
        assert_eq!((due(&mut outbox, NOW), outbox.next_due()), (vec![], None));
        outbox.pause(false);
        assert_eq!(due(&mut outbox, NOW), [0]);
    }

    #[test]
    fn a_signature_equals_that_of_stripes_own_library() {
        // Made by `webhooks.generateTestHeaderString` of Stripe's library for Node.
        let body = br#"{"id":"evt_1","object":"event","type":"payment_intent.succeeded","data":{"object":{"id":"pi_1","object":"payment_intent"}}}"#;
        assert_eq!(
            signature(&["whsec_vector".to_owned()], 1_782_000_000, body),
            "t=1782000000,v1=0ae5c583248bef82a78f5b70d9849a5f905f366955223d59aa0215e19d417940"
        );
    }

    #[test]
    fn every_secret_signs() {
        let header = signature(&["a".to_owned(), "b".to_owned()], 7, b"{}");
        assert_eq!(header.matches(",v1=").count(), 2);
        assert!(header.starts_with("t=7,v1="));
    }
}
