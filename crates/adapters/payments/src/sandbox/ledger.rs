//! What the sandbox knows of every payment, and the moves between its states.
//!
//! Nothing here touches a disk or a clock: a deed takes the ledger as it is and answers what was decided and what is to
//! be written down.

use std::collections::HashMap;

use aws_lc_rs::constant_time::verify_slices_are_equal;
use aws_lc_rs::rand;
use domain::{Money, OrderId, TransactionId};
use ports::{CancelOutcome, Intent, IntentState, ProviderError, RefundOutcome};
use thiserror::Error;

use super::journal::Entry;

/// The only currency that the shop charges.
const CURRENCY: &str = "usd";
/// What separates a payment's id from its secret in the client secret.
const SECRET_MARK: &str = "_secret_";

/// Something that is asked of the ledger.
pub(super) enum Deed {
    Open { order: OrderId, attempt: u32, amount: Money, fresh: Fresh },
    Find(TransactionId),
    Confirm { client_secret: String, verdict: Result<(), &'static str> },
    Cancel(TransactionId),
    Refund(TransactionId),
}

/// What a deed came to.
pub(super) enum Answer {
    Intent(Option<Intent>),
    Confirm(Confirmed),
    Cancel(CancelOutcome),
    Refund(RefundOutcome),
}

/// What became of holding a card against a payment.
pub(super) enum Confirmed {
    Paid(Intent),
    Declined(&'static str),
    Unknown,
    Cancelled,
}

/// Something that Stripe would call an invalid request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub(super) enum Misuse {
    #[error("the same order and attempt were opened with another amount")]
    OtherAmount,
}

/// An id and a secret that nobody can guess.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fresh {
    id: TransactionId,
    secret: String,
}

/// The system has no randomness to give.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the system gave no random bytes")]
struct NoRandomness;

impl Fresh {
    /// About 143 random bits each, in the alphabet of Stripe's ids.
    pub(super) fn from_system() -> Result<Self, ProviderError> {
        let id =
            format!("pi_{}", random_letters()?).parse().map_err(|error| ProviderError::Nonsense(Box::new(error)))?;
        Ok(Self { id, secret: random_letters()? })
    }
}

fn random_letters() -> Result<String, ProviderError> {
    const LETTERS: &[u8; 62] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    const LENGTH: usize = 24;
    // Bytes from here on are thrown away, so that every letter is as likely as any other.
    const FAIR: u8 = 248;
    let mut text = String::with_capacity(LENGTH);
    while text.len() < LENGTH {
        let mut bytes = [0; 2 * LENGTH];
        rand::fill(&mut bytes).map_err(|_| ProviderError::Away(Box::new(NoRandomness)))?;
        let letters = bytes
            .iter()
            .filter(|byte| **byte < FAIR)
            .map(|byte| char::from(LETTERS[usize::from(*byte) % LETTERS.len()]));
        text.extend(letters.take(LENGTH - text.len()));
    }
    Ok(text)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    Succeeded { refunded: bool },
    Cancelled,
}

struct Payment {
    secret: String,
    order: OrderId,
    amount: Money,
    state: State,
}

impl Payment {
    fn as_intent(&self, id: &TransactionId) -> Intent {
        Intent {
            id: id.clone(),
            client_secret: format!("{id}{SECRET_MARK}{}", self.secret),
            amount: self.amount,
            currency: CURRENCY.to_owned(),
            order: Some(self.order),
            state: match self.state {
                State::Open => IntentState::Open,
                State::Succeeded { .. } => IntentState::Succeeded,
                State::Cancelled => IntentState::Cancelled,
            },
        }
    }
}

/// Every payment there ever was.
#[derive(Default)]
pub(super) struct Ledger {
    payments: HashMap<TransactionId, Payment>,
    opened: HashMap<(OrderId, u32), TransactionId>,
}

impl Ledger {
    /// The ledger that a journal tells of; `None` if an entry does not follow from those before it.
    pub(super) fn from_entries(entries: Vec<Entry>) -> Option<Self> {
        let mut ledger = Self::default();
        for entry in entries {
            ledger.enter(&entry)?;
        }
        Some(ledger)
    }

    /// Does a deed: what is to be written down before anybody hears of it, and what to answer then.
    pub(super) fn perform(&mut self, deed: Deed) -> (Option<Entry>, Result<Answer, Misuse>) {
        let (entry, answer) = match deed {
            Deed::Open { order, attempt, amount, fresh } => return self.open(order, attempt, amount, fresh),
            Deed::Find(id) => (None, Answer::Intent(self.intent(&id))),
            Deed::Confirm { client_secret, verdict } => self.confirm(&client_secret, verdict),
            Deed::Cancel(id) => self.cancel(id),
            Deed::Refund(id) => self.refund(id),
        };
        (entry, Ok(answer))
    }

    fn open(
        &mut self,
        order: OrderId,
        attempt: u32,
        amount: Money,
        fresh: Fresh,
    ) -> (Option<Entry>, Result<Answer, Misuse>) {
        if let Some(id) = self.opened.get(&(order, attempt)) {
            let answer = match self.intent(id) {
                Some(intent) if intent.amount != amount => Err(Misuse::OtherAmount),
                intent => Ok(Answer::Intent(intent)),
            };
            return (None, answer);
        }
        let entry = Entry::Opened { id: fresh.id.clone(), secret: fresh.secret, order, attempt, amount };
        self.enter(&entry);
        (Some(entry), Ok(Answer::Intent(self.intent(&fresh.id))))
    }

    fn confirm(&mut self, client_secret: &str, verdict: Result<(), &'static str>) -> (Option<Entry>, Answer) {
        let Some((id, state)) = self.by_client_secret(client_secret) else {
            return (None, Answer::Confirm(Confirmed::Unknown));
        };
        let entry = match (state, verdict) {
            (State::Cancelled, _) => return (None, Answer::Confirm(Confirmed::Cancelled)),
            (State::Succeeded { .. }, _) => None,
            (State::Open, Err(sentence)) => {
                return (None, Answer::Confirm(Confirmed::Declined(sentence)));
            }
            (State::Open, Ok(())) => Some(Entry::Succeeded { id: id.clone() }),
        };
        if let Some(entry) = &entry {
            self.enter(entry);
        }
        let confirmed = self.intent(&id).map_or(Confirmed::Unknown, Confirmed::Paid);
        (entry, Answer::Confirm(confirmed))
    }

    fn cancel(&mut self, id: TransactionId) -> (Option<Entry>, Answer) {
        match self.payments.get(&id).map(|payment| payment.state) {
            Some(State::Succeeded { .. }) => (None, Answer::Cancel(CancelOutcome::Succeeded)),
            Some(State::Open) => {
                let entry = Entry::Cancelled { id };
                self.enter(&entry);
                (Some(entry), Answer::Cancel(CancelOutcome::Cancelled))
            }
            Some(State::Cancelled) | None => (None, Answer::Cancel(CancelOutcome::Cancelled)),
        }
    }

    fn refund(&mut self, id: TransactionId) -> (Option<Entry>, Answer) {
        match self.payments.get(&id).map(|payment| payment.state) {
            Some(State::Succeeded { refunded: false }) => {
                let entry = Entry::Refunded { id };
                self.enter(&entry);
                (Some(entry), Answer::Refund(RefundOutcome::Refunded))
            }
            Some(State::Succeeded { refunded: true }) => (None, Answer::Refund(RefundOutcome::Refunded)),
            Some(State::Open | State::Cancelled) | None => (None, Answer::Refund(RefundOutcome::NothingThere)),
        }
    }

    fn intent(&self, id: &TransactionId) -> Option<Intent> {
        self.payments.get(id).map(|payment| payment.as_intent(id))
    }

    fn by_client_secret(&self, client_secret: &str) -> Option<(TransactionId, State)> {
        let (id, secret) = client_secret.split_once(SECRET_MARK)?;
        let id = id.parse().ok()?;
        let payment = self.payments.get(&id)?;
        // Byte by byte, a comparison's duration would tell how much of a guess is right.
        verify_slices_are_equal(payment.secret.as_bytes(), secret.as_bytes()).ok()?;
        Some((id, payment.state))
    }

    /// Makes an entry true; `None`, and nothing changes, if it does not follow from what is.
    fn enter(&mut self, entry: &Entry) -> Option<()> {
        match entry {
            Entry::Opened { id, secret, order, attempt, amount } => {
                let place = (*order, *attempt);
                if self.payments.contains_key(id) || self.opened.contains_key(&place) {
                    return None;
                }
                self.opened.insert(place, id.clone());
                self.payments.insert(
                    id.clone(),
                    Payment { secret: secret.clone(), order: *order, amount: *amount, state: State::Open },
                );
                Some(())
            }
            Entry::Succeeded { id } => self.step(id, State::Open, State::Succeeded { refunded: false }),
            Entry::Cancelled { id } => self.step(id, State::Open, State::Cancelled),
            Entry::Refunded { id } => {
                self.step(id, State::Succeeded { refunded: false }, State::Succeeded { refunded: true })
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
