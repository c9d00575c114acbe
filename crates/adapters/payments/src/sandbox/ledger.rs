//! The sandbox's state of every payment, and the transitions between states.
//!
//! Nothing here touches a disk or a clock: an operation takes the ledger as it is, and returns the result and the entry
//! to be written to the journal.

use std::collections::HashMap;
use std::time::Duration;

use aws_lc_rs::constant_time::verify_slices_are_equal;
use aws_lc_rs::rand;
use domain::{
    Dispute, DisputeId, DisputeState, Money, Payable, ProviderRefund, ProviderRefundId, RefundState, Text, Timestamp,
    TransactionId,
};
use ports::{CancelOutcome, PaymentIntent, PaymentIntentState, ProviderError, RefundOutcome, RefundRequest};
use thiserror::Error;

use super::cards::Course;
use super::journal::{Back, Entry};

/// The only currency that the shop charges.
const CURRENCY: &str = "usd";
/// What separates a payment's id from its secret in the client secret.
const SECRET_MARK: &str = "_secret_";
/// How long a refund that fails looks successful.
const FAILS_AFTER: Duration = Duration::from_secs(5);

/// An operation on the ledger.
pub(super) enum Command {
    Open { order: Payable, attempt: u32, amount: Money, fresh: Fresh },
    Find(TransactionId, Timestamp),
    Confirm { client_secret: String, verdict: Result<Course, &'static str> },
    Cancel(TransactionId),
    Refund { order: RefundRequest, id: ProviderRefundId, now: Timestamp },
    RefundsOf(TransactionId, Timestamp),
    DisputesOf(TransactionId),
}

/// The result of an operation.
pub(super) enum Answer {
    PaymentIntent(Option<PaymentIntent>),
    Confirm(Confirmed),
    Cancel(CancelOutcome),
    Refund(RefundOutcome),
    Refunds(Vec<ProviderRefund>),
    Disputes(Vec<Dispute>),
}

/// The result of confirming a payment with a card.
pub(super) enum Confirmed {
    Paid(PaymentIntent),
    Declined(&'static str),
    Unknown,
    Cancelled,
}

/// What Stripe would call an invalid request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub(super) enum Misuse {
    #[error("the same order and attempt were opened with another amount")]
    OtherAmount,
}

/// A new payment's id and secret, both impossible to guess.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fresh {
    id: TransactionId,
    secret: String,
}

/// A new, unique refund id.
pub(super) fn fresh_refund_id() -> Result<ProviderRefundId, ProviderError> {
    format!("re_{}", random_characters()?).parse().map_err(|error| ProviderError::InvalidResponse(Box::new(error)))
}

/// The system has no randomness.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the system gave no random bytes")]
struct NoRandomness;

impl Fresh {
    /// About 143 random bits each, in the alphabet of Stripe's ids.
    pub(super) fn from_system() -> Result<Self, ProviderError> {
        let id = format!("pi_{}", random_characters()?)
            .parse()
            .map_err(|error| ProviderError::InvalidResponse(Box::new(error)))?;
        Ok(Self { id, secret: random_characters()? })
    }
}

fn random_characters() -> Result<String, ProviderError> {
    const ALPHANUMERIC: &[u8; 62] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    const LENGTH: usize = 24;
    // Bytes from here on are discarded, so that every character is equally likely.
    const FAIR: u8 = 248;
    let mut text = String::with_capacity(LENGTH);
    while text.len() < LENGTH {
        let mut bytes = [0; 2 * LENGTH];
        rand::fill(&mut bytes).map_err(|_| ProviderError::Unavailable(Box::new(NoRandomness)))?;
        let characters = bytes
            .iter()
            .filter(|byte| **byte < FAIR)
            .map(|byte| char::from(ALPHANUMERIC[usize::from(*byte) % ALPHANUMERIC.len()]));
        text.extend(characters.take(LENGTH - text.len()));
    }
    Ok(text)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    Succeeded(Course),
    Cancelled,
}

struct Payment {
    secret: String,
    order: Payable,
    amount: Money,
    state: State,
    back: Vec<Back>,
}

impl Payment {
    /// The refunds and their current states.
    fn refunds(&self, now: Timestamp) -> Vec<ProviderRefund> {
        let reported = |back: &Back| {
            let on_its_way = now.duration_since(back.at).unsigned_abs();
            let fails = self.state == State::Succeeded(Course::RefundFails) && on_its_way >= FAILS_AFTER;
            ProviderRefund {
                id: back.id.clone(),
                amount: back.amount.unwrap_or(self.amount),
                state: if fails { RefundState::Failed } else { RefundState::Succeeded },
                refund: back.refund.map(|(id, _)| id),
                failure: if fails { Text::new("expired_or_canceled_card").ok() } else { None },
            }
        };
        self.back.iter().map(reported).collect()
    }

    fn refunded(&self, now: Timestamp) -> Money {
        let standing = self.refunds(now).into_iter().filter(|refund| refund.state.stands());
        Money::from_cents(standing.map(|refund| refund.amount.cents()).sum()).unwrap_or(self.amount)
    }

    fn as_intent(&self, id: &TransactionId, now: Timestamp) -> PaymentIntent {
        let paid = matches!(self.state, State::Succeeded(_));
        PaymentIntent {
            received: if paid { self.amount } else { Money::ZERO },
            refunded: self.refunded(now),
            disputed: self.state == State::Succeeded(Course::Disputed),
            id: id.clone(),
            client_secret: format!("{id}{SECRET_MARK}{}", self.secret),
            amount: self.amount,
            currency: CURRENCY.to_owned(),
            payable: Some(self.order),
            state: match self.state {
                State::Open => PaymentIntentState::Open,
                State::Succeeded(_) => PaymentIntentState::Succeeded,
                State::Cancelled => PaymentIntentState::Cancelled,
            },
        }
    }
}

/// Every payment so far.
#[derive(Default)]
pub(super) struct Ledger {
    payments: HashMap<TransactionId, Payment>,
    /// By the names of the attempts.
    opened: HashMap<String, TransactionId>,
}

impl Ledger {
    /// Rebuilds the ledger from a journal; `None` if an entry does not follow from those before it.
    pub(super) fn from_entries(entries: Vec<Entry>) -> Option<Self> {
        let mut ledger = Self::default();
        for entry in entries {
            ledger.enter(&entry)?;
        }
        Some(ledger)
    }

    /// Performs an operation. Returns the entry that has to be written before the result is released, and the result.
    pub(super) fn perform(&mut self, command: Command) -> (Option<Entry>, Result<Answer, Misuse>) {
        let (entry, answer) = match command {
            Command::Open { order, attempt, amount, fresh } => return self.open(order, attempt, amount, fresh),
            Command::Find(id, now) => (None, Answer::PaymentIntent(self.intent(&id, now))),
            Command::Confirm { client_secret, verdict } => self.confirm(&client_secret, verdict),
            Command::Cancel(id) => self.cancel(id),
            Command::Refund { order, id, now } => self.refund(&order, &id, now),
            Command::RefundsOf(id, now) => {
                let refunds = self.payments.get(&id).map(|payment| payment.refunds(now));
                (None, Answer::Refunds(refunds.unwrap_or_default()))
            }
            Command::DisputesOf(id) => (None, Answer::Disputes(self.disputes(&id))),
        };
        (entry, Ok(answer))
    }

    fn open(
        &mut self,
        order: Payable,
        attempt: u32,
        amount: Money,
        fresh: Fresh,
    ) -> (Option<Entry>, Result<Answer, Misuse>) {
        if let Some(id) = self.opened.get(&order.attempt_name(attempt, amount)) {
            let answer = match self.intent(id, Timestamp::MIN) {
                Some(intent) if intent.amount != amount => Err(Misuse::OtherAmount),
                intent => Ok(Answer::PaymentIntent(intent)),
            };
            return (None, answer);
        }
        let entry = Entry::Opened { id: fresh.id.clone(), secret: fresh.secret, order, attempt, amount };
        self.enter(&entry);
        (Some(entry), Ok(Answer::PaymentIntent(self.intent(&fresh.id, Timestamp::MIN))))
    }

    fn confirm(&mut self, client_secret: &str, verdict: Result<Course, &'static str>) -> (Option<Entry>, Answer) {
        let Some((id, state)) = self.by_client_secret(client_secret) else {
            return (None, Answer::Confirm(Confirmed::Unknown));
        };
        let entry = match (state, verdict) {
            (State::Cancelled, _) => return (None, Answer::Confirm(Confirmed::Cancelled)),
            (State::Succeeded(_), _) => None,
            (State::Open, Err(sentence)) => {
                return (None, Answer::Confirm(Confirmed::Declined(sentence)));
            }
            (State::Open, Ok(course)) => Some(Entry::Succeeded { id: id.clone(), course }),
        };
        if let Some(entry) = &entry {
            self.enter(entry);
        }
        let confirmed = self.intent(&id, Timestamp::MIN).map_or(Confirmed::Unknown, Confirmed::Paid);
        (entry, Answer::Confirm(confirmed))
    }

    fn cancel(&mut self, id: TransactionId) -> (Option<Entry>, Answer) {
        match self.payments.get(&id).map(|payment| payment.state) {
            Some(State::Succeeded(_)) => (None, Answer::Cancel(CancelOutcome::Succeeded)),
            Some(State::Open) => {
                let entry = Entry::Cancelled { id };
                self.enter(&entry);
                (Some(entry), Answer::Cancel(CancelOutcome::Cancelled))
            }
            Some(State::Cancelled) => (None, Answer::Cancel(CancelOutcome::Cancelled)),
            None => (None, Answer::Cancel(CancelOutcome::Unknown)),
        }
    }

    fn refund(&mut self, order: &RefundRequest, id: &ProviderRefundId, now: Timestamp) -> (Option<Entry>, Answer) {
        let refuse = |why: &str| Text::new(why).map_or(RefundOutcome::NothingThere, RefundOutcome::Refused);
        let Some(payment) =
            self.payments.get(&order.payment).filter(|known| matches!(known.state, State::Succeeded(_)))
        else {
            return (None, Answer::Refund(RefundOutcome::NothingThere));
        };
        // The same refund and attempt again is the same refund, as with an idempotency key at Stripe.
        let same = |back: &&Back| back.refund == Some((order.refund, order.attempt));
        if let Some(known) = payment.back.iter().find(same) {
            let refunds = payment.refunds(now);
            let reported = refunds.into_iter().find(|refund| refund.id == known.id);
            return (None, Answer::Refund(reported.map_or(RefundOutcome::NothingThere, RefundOutcome::Accepted)));
        }
        let left = payment.amount.cents() - payment.refunded(now).cents();
        if left == 0 {
            return (None, Answer::Refund(refuse("charge_already_refunded")));
        }
        if order.amount.cents() > left {
            return (None, Answer::Refund(refuse("amount_too_large")));
        }
        let refund = Some((order.refund, order.attempt));
        let back = Back { id: id.clone(), refund, amount: Some(order.amount), at: now };
        let entry = Entry::Refunded { id: order.payment.clone(), back };
        self.enter(&entry);
        let refunds = self.payments.get(&order.payment).map(|payment| payment.refunds(now)).unwrap_or_default();
        let reported = refunds.into_iter().find(|refund| refund.id == *id);
        (Some(entry), Answer::Refund(reported.map_or(RefundOutcome::NothingThere, RefundOutcome::Accepted)))
    }

    /// A payment by a card whose owner disputes it has one dispute, which stays open.
    fn disputes(&self, id: &TransactionId) -> Vec<Dispute> {
        let disputed = |payment: &&Payment| payment.state == State::Succeeded(Course::Disputed);
        let Some(payment) = self.payments.get(id).filter(disputed) else { return Vec::new() };
        let Ok(dispute) = format!("dp_of_{id}").parse::<DisputeId>() else { return Vec::new() };
        let (amount, reason) = (payment.amount, Text::new("fraudulent").ok());
        vec![Dispute { id: dispute, amount, state: DisputeState::Open, reason }]
    }

    fn intent(&self, id: &TransactionId, now: Timestamp) -> Option<PaymentIntent> {
        self.payments.get(id).map(|payment| payment.as_intent(id, now))
    }

    fn by_client_secret(&self, client_secret: &str) -> Option<(TransactionId, State)> {
        let (id, secret) = client_secret.split_once(SECRET_MARK)?;
        let id = id.parse().ok()?;
        let payment = self.payments.get(&id)?;
        // Constant time: otherwise the duration would reveal how much of a guessed secret is right.
        verify_slices_are_equal(payment.secret.as_bytes(), secret.as_bytes()).ok()?;
        Some((id, payment.state))
    }

    /// Applies an entry; `None`, and nothing changes, if it does not follow from the current state.
    fn enter(&mut self, entry: &Entry) -> Option<()> {
        match entry {
            Entry::Opened { id, secret, order, attempt, amount } => {
                let place = order.attempt_name(*attempt, *amount);
                if self.payments.contains_key(id) || self.opened.contains_key(&place) {
                    return None;
                }
                self.opened.insert(place, id.clone());
                self.payments.insert(
                    id.clone(),
                    Payment {
                        secret: secret.clone(),
                        order: *order,
                        amount: *amount,
                        state: State::Open,
                        back: Vec::new(),
                    },
                );
                Some(())
            }
            Entry::Succeeded { id, course } => self.step(id, State::Open, State::Succeeded(*course)),
            Entry::Cancelled { id } => self.step(id, State::Open, State::Cancelled),
            Entry::Refunded { id, back } => {
                let payment = self.payments.get_mut(id)?;
                let twice = payment.back.iter().any(|known| known.id == back.id);
                if twice || !matches!(payment.state, State::Succeeded(_)) {
                    return None;
                }
                payment.back.push(back.clone());
                Some(())
            }
        }
    }

    fn step(&mut self, id: &TransactionId, from: State, to: State) -> Option<()> {
        let payment = self.payments.get_mut(id)?;
        if payment.state != from {
            return None;
        }
        payment.state = to;
        Some(())
    }
}
