//! Failures, and how often they happen.

use std::collections::VecDeque;
use std::str::FromStr;
use std::time::Duration;

use serde_json::{Value, json};

use super::rng::SeededRng;

/// How a response is corrupted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Garbage {
    /// It is cut off in the middle.
    Truncated,
    /// An HTML page, as from a proxy.
    Html,
    /// JSON, but with texts for numbers and the other way round.
    WrongTypes,
    /// It is about another payment.
    Anothers,
    /// Well-formed, but a cent too much.
    WrongAmount,
}

/// A failure of one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// The call has no effect and gets no response.
    HangBefore,
    /// The call takes effect and gets no response.
    HangAfter,
    /// The call has no effect, and the connection closes.
    HangUpBefore,
    /// The call takes effect, and the connection closes.
    HangUpAfter,
    /// The response takes this long; meanwhile its idempotency key is in use.
    Slow(Duration),
    /// 429, with how many seconds to wait; no effect.
    TooMany(u32),
    /// 500, which is stored under the idempotency key.
    ServerError {
        /// Whether the call took effect nevertheless.
        acted: bool,
    },
    /// 404 for a payment that exists; no effect.
    Amnesia,
    /// 502 from a gateway; no effect.
    BadGateway,
    /// 503 from a gateway; no effect.
    Unavailable,
    /// The call takes effect, and the response is corrupted.
    Spoilt(Garbage),
    /// A confirmed payment stays in `processing` for this long before the bank decides.
    Linger(Duration),
}

/// The name of each failure, as the control endpoints accept it.
const WORDS: [(&str, Trouble); 17] = [
    ("hang_before", Trouble::HangBefore),
    ("hang_after", Trouble::HangAfter),
    ("hang_up_before", Trouble::HangUpBefore),
    ("hang_up_after", Trouble::HangUpAfter),
    ("slow", Trouble::Slow(Duration::from_secs(2))),
    ("too_many", Trouble::TooMany(1)),
    ("server_error", Trouble::ServerError { acted: false }),
    ("server_error_after", Trouble::ServerError { acted: true }),
    ("amnesia", Trouble::Amnesia),
    ("bad_gateway", Trouble::BadGateway),
    ("unavailable", Trouble::Unavailable),
    ("truncated", Trouble::Spoilt(Garbage::Truncated)),
    ("html", Trouble::Spoilt(Garbage::Html)),
    ("wrong_types", Trouble::Spoilt(Garbage::WrongTypes)),
    ("anothers", Trouble::Spoilt(Garbage::Anothers)),
    ("wrong_amount", Trouble::Spoilt(Garbage::WrongAmount)),
    ("linger", Trouble::Linger(Duration::from_secs(5))),
];

impl Trouble {
    #[must_use]
    pub fn word(self) -> &'static str {
        let same = |other: Trouble| match (self, other) {
            (Self::Slow(_), Self::Slow(_))
            | (Self::TooMany(_), Self::TooMany(_))
            | (Self::Linger(_), Self::Linger(_)) => true,
            (one, other) => one == other,
        };
        WORDS.iter().find(|(_, trouble)| same(*trouble)).map_or("", |(word, _)| word)
    }
}

/// `hang_after`, or with a number where one is needed: `slow:1500` and `linger:5000` in milliseconds, `too_many:2` in
/// seconds.
impl FromStr for Trouble {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (word, number) = text.split_once(':').map_or((text, None), |(word, number)| (word, Some(number)));
        let unknown = || format!("no such trouble: {text}");
        let (_, trouble) = WORDS.iter().find(|(known, _)| *known == word).ok_or_else(unknown)?;
        let Some(number) = number else { return Ok(*trouble) };
        let number: u32 = number.parse().map_err(|_| unknown())?;
        let pause = Duration::from_millis(number.into());
        match trouble {
            Self::Slow(_) => Ok(Self::Slow(pause)),
            Self::Linger(_) => Ok(Self::Linger(pause)),
            Self::TooMany(_) => Ok(Self::TooMany(number)),
            _ => Err(unknown()),
        }
    }
}

/// How often failures happen at random, each from 0 (never) to 1 (always).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Rates {
    /// [`Trouble::HangBefore`].
    pub hang_before: f64,
    /// [`Trouble::HangAfter`].
    pub hang_after: f64,
    /// [`Trouble::HangUpBefore`].
    pub hang_up_before: f64,
    /// [`Trouble::HangUpAfter`].
    pub hang_up_after: f64,
    /// [`Trouble::Slow`], for up to a second.
    pub slow: f64,
    /// [`Trouble::TooMany`].
    pub too_many: f64,
    /// [`Trouble::ServerError`], half of them after acting.
    pub server_error: f64,
    /// [`Trouble::Amnesia`].
    pub amnesia: f64,
    /// [`Trouble::BadGateway`].
    pub bad_gateway: f64,
    /// [`Trouble::Unavailable`].
    pub unavailable: f64,
    /// [`Trouble::Spoilt`], in every way.
    pub spoilt: f64,
    /// [`Trouble::Linger`], for one second to ten.
    pub linger: f64,
    /// A webhook is sent twice.
    pub webhook_twice: f64,
    /// A webhook is sent up to half a minute late.
    pub webhook_late: f64,
    /// A webhook is sent after the one that follows it.
    pub webhook_swapped: f64,
    /// A webhook is never sent.
    pub webhook_lost: f64,
}

impl Rates {
    /// A day on which everything that can fail does, each in a few percent of the cases.
    pub const BAD_DAY: Self = Self {
        hang_before: 0.01,
        hang_after: 0.02,
        hang_up_before: 0.02,
        hang_up_after: 0.03,
        slow: 0.05,
        too_many: 0.04,
        server_error: 0.02,
        amnesia: 0.01,
        bad_gateway: 0.02,
        unavailable: 0.03,
        spoilt: 0.03,
        linger: 0.15,
        webhook_twice: 0.15,
        webhook_late: 0.1,
        webhook_swapped: 0.15,
        webhook_lost: 0.1,
    };

    fn by_name(&mut self) -> [(&'static str, &mut f64); 16] {
        [
            ("hang_before", &mut self.hang_before),
            ("hang_after", &mut self.hang_after),
            ("hang_up_before", &mut self.hang_up_before),
            ("hang_up_after", &mut self.hang_up_after),
            ("slow", &mut self.slow),
            ("too_many", &mut self.too_many),
            ("server_error", &mut self.server_error),
            ("amnesia", &mut self.amnesia),
            ("bad_gateway", &mut self.bad_gateway),
            ("unavailable", &mut self.unavailable),
            ("spoilt", &mut self.spoilt),
            ("linger", &mut self.linger),
            ("webhook_twice", &mut self.webhook_twice),
            ("webhook_late", &mut self.webhook_late),
            ("webhook_swapped", &mut self.webhook_swapped),
            ("webhook_lost", &mut self.webhook_lost),
        ]
    }

    /// Parses `{"hang_after": 0.1}`; rates that are not named are 0.
    pub(super) fn read(sent: &Value) -> Result<Self, String> {
        let sent = sent.as_object().ok_or("rates are an object")?;
        let mut rates = Self::default();
        for (name, rate) in sent {
            let mut places = rates.by_name();
            let place = places.iter_mut().find(|(known, _)| known == name);
            let (_, place) = place.ok_or_else(|| format!("no such rate: {name}"))?;
            **place =
                rate.as_f64().filter(|rate| (0.0..=1.0).contains(rate)).ok_or("a rate is a number from 0 to 1")?;
        }
        Ok(rates)
    }
}

/// What happens to a webhook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Post {
    AtOnce,
    Twice,
    Late(Duration),
    Swapped,
    Lost,
}

impl Post {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::AtOnce => "at once",
            Self::Twice => "twice",
            Self::Late(_) => "late",
            Self::Swapped => "swapped",
            Self::Lost => "lost",
        }
    }
}

/// A scheduled failure, for the next call that its filter matches.
#[derive(Debug, Clone)]
struct Ordered {
    trouble: Trouble,
    /// The beginning of `POST /v1/payment_intents/pi_1/confirm`; empty for every call.
    calls: String,
}

/// Decides at random for every call and every webhook how it fails.
#[derive(Debug, Clone)]
pub(super) struct Faults {
    rates: Rates,
    ordered: VecDeque<Ordered>,
    of_calls: SeededRng,
    of_payments: SeededRng,
    of_webhooks: SeededRng,
}

impl Faults {
    pub(super) fn new(seed: u64, rates: Rates) -> Self {
        let rng = |stream| SeededRng::new(seed, stream);
        Self { rates, ordered: VecDeque::new(), of_calls: rng(1), of_payments: rng(2), of_webhooks: rng(3) }
    }

    pub(super) fn set(&mut self, rates: Rates) {
        self.rates = rates;
    }

    /// Schedules a failure for the next call that begins with `calls`.
    pub(super) fn order(&mut self, trouble: Trouble, calls: &str) {
        self.ordered.push_back(Ordered { trouble, calls: calls.to_owned() });
    }

    /// Cancels the failure that was scheduled last; returns whether there was one.
    pub(super) fn forget(&mut self) -> bool {
        self.ordered.pop_back().is_some()
    }

    /// How many scheduled failures have not happened yet.
    pub(super) fn waiting(&self) -> usize {
        self.ordered.len()
    }

    pub(super) fn of_call(&mut self, call: &str) -> Option<Trouble> {
        let fits = |ordered: &Ordered| {
            !matches!(ordered.trouble, Trouble::Linger(_)) && call.starts_with(ordered.calls.as_str())
        };
        if let Some(place) = self.ordered.iter().position(fits) {
            return self.ordered.remove(place).map(|ordered| ordered.trouble);
        }
        // Two draws for every call, whatever they are used for, so that one call's failure does not change the next
        // one's.
        let (share, detail) = (self.of_calls.share(), self.of_calls.next());
        let spoilt = [Garbage::Truncated, Garbage::Html, Garbage::WrongTypes, Garbage::Anothers, Garbage::WrongAmount];
        let rates = &self.rates;
        let mut reached = 0.0;
        [
            (rates.hang_before, Trouble::HangBefore),
            (rates.hang_after, Trouble::HangAfter),
            (rates.hang_up_before, Trouble::HangUpBefore),
            (rates.hang_up_after, Trouble::HangUpAfter),
            (rates.slow, Trouble::Slow(Duration::from_millis(detail % 1000))),
            (rates.too_many, Trouble::TooMany(1)),
            (rates.server_error, Trouble::ServerError { acted: detail % 2 == 0 }),
            (rates.bad_gateway, Trouble::BadGateway),
            (rates.unavailable, Trouble::Unavailable),
            (rates.amnesia, Trouble::Amnesia),
            (rates.spoilt, Trouble::Spoilt(spoilt[usize::try_from(detail % 5).unwrap_or(0)])),
        ]
        .into_iter()
        .find(|(rate, _)| {
            reached += rate;
            share < reached
        })
        .map(|(_, trouble)| trouble)
    }

    /// How long the bank takes to decide on a payment, if it does not decide immediately.
    pub(super) fn of_payment(&mut self) -> Option<Duration> {
        let lingers = |ordered: &Ordered| matches!(ordered.trouble, Trouble::Linger(_));
        if let Some(place) = self.ordered.iter().position(lingers)
            && let Some(Ordered { trouble: Trouble::Linger(pause), .. }) = self.ordered.remove(place)
        {
            return Some(pause);
        }
        let (share, pause) = (self.of_payments.share(), 1_000 + self.of_payments.below(9_000));
        (share < self.rates.linger).then(|| Duration::from_millis(pause))
    }

    pub(super) fn of_webhook(&mut self) -> Post {
        let (share, pause) = (self.of_webhooks.share(), self.of_webhooks.below(30_000));
        let rates = &self.rates;
        let mut reached = 0.0;
        [
            (rates.webhook_lost, Post::Lost),
            (rates.webhook_twice, Post::Twice),
            (rates.webhook_late, Post::Late(Duration::from_millis(pause))),
            (rates.webhook_swapped, Post::Swapped),
        ]
        .into_iter()
        .find(|(rate, _)| {
            reached += rate;
            share < reached
        })
        .map_or(Post::AtOnce, |(_, post)| post)
    }
}

/// Corrupts a response's body. `anothers` is a payment that was not asked for.
pub(super) fn spoil(garbage: Garbage, body: &Value, anothers: Option<Value>) -> (String, &'static str) {
    const JSON: &str = "application/json";
    let whole = body.to_string();
    match garbage {
        Garbage::Truncated => (whole.chars().take(whole.chars().count() / 2).collect(), JSON),
        Garbage::Html => {
            ("<html><head><title>Be right back</title></head><body>…</body></html>".to_owned(), "text/html")
        }
        Garbage::WrongTypes => (json!({"id": 7, "object": [], "amount": "much", "status": {}}).to_string(), JSON),
        Garbage::Anothers => (anothers.unwrap_or_else(|| json!({"object": "payment_intent"})).to_string(), JSON),
        Garbage::WrongAmount => {
            let mut body = body.clone();
            if let Some(amount) = body.get("amount").and_then(Value::as_i64) {
                body["amount"] = json!(amount + 1);
            }
            (body.to_string(), JSON)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_failure_name_round_trips() {
        for (word, trouble) in WORDS {
            assert_eq!(word.parse(), Ok(trouble));
            assert_eq!(trouble.word(), word);
        }
        assert_eq!("slow:20".parse(), Ok(Trouble::Slow(Duration::from_millis(20))));
        assert_eq!(Trouble::Slow(Duration::ZERO).word(), "slow");
        for wrong in ["", "slow:x", "hang_after:3", "sloth"] {
            assert!(wrong.parse::<Trouble>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn failures_happen_about_as_often_as_their_rates_say() {
        let mut faults = Faults::new(7, Rates { too_many: 0.25, webhook_lost: 0.5, linger: 0.1, ..Rates::default() });
        let count = |happened: &mut dyn FnMut() -> bool| (0..4_000).filter(|_| happened()).count();
        let calls = count(&mut || faults.of_call("GET /v1/events").is_some());
        assert!((900..1_100).contains(&calls), "{calls}");
        let lost = count(&mut || faults.of_webhook() == Post::Lost);
        assert!((1_850..2_150).contains(&lost), "{lost}");
        let lingering = count(&mut || faults.of_payment().is_some());
        assert!((320..480).contains(&lingering), "{lingering}");
    }

    #[test]
    fn a_scheduled_failure_waits_for_the_call_that_it_is_meant_for() {
        let mut faults = Faults::new(1, Rates::default());
        faults.order(Trouble::HangAfter, "POST /v1/refunds");
        faults.order(Trouble::Linger(Duration::from_secs(9)), "");
        assert_eq!(faults.of_call("GET /v1/refunds/re_1"), None);
        assert_eq!(faults.of_call("POST /v1/refunds"), Some(Trouble::HangAfter));
        assert_eq!(faults.of_call("POST /v1/refunds"), None);
        assert_eq!(faults.of_payment(), Some(Duration::from_secs(9)));
        assert_eq!((faults.of_payment(), faults.waiting()), (None, 0));
    }
}
