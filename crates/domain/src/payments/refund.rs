//! Money on its way back: refunds and disputes, each with a life of its own.
//!
//! A refund that the provider took may still fail weeks later (a card that was closed meanwhile), and money may leave
//! without the shop's doing: by a refund at the provider's dashboard, by a dispute. What an order owes is what follows
//! from its refunds.

use std::fmt;
use std::str::FromStr;

use crate::payments::payment::{InvalidTransactionId, is_provider_id};
use crate::{Actor, Money, OrderId, RefundId, Text, Timestamp, TransactionId};

macro_rules! provider_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(String);

        impl $name {
            /// The id itself.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = InvalidTransactionId;

            fn from_str(text: &str) -> Result<Self, InvalidTransactionId> {
                if is_provider_id(text) { Ok(Self(text.to_owned())) } else { Err(InvalidTransactionId) }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

provider_id! {
    /// The payment provider's own id of a refund (at Stripe `re_…`): 1 to 255 letters, digits, `_` and `-`.
    ProviderRefundId
}
provider_id! {
    /// The payment provider's own id of a dispute (at Stripe `dp_…`): 1 to 255 letters, digits, `_` and `-`.
    DisputeId
}

/// Why money goes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RefundCause {
    /// A paid order was called off.
    CalledOff,
    /// An admin sends some of it back, or all of a shipped order's.
    Admin,
    /// It came in for an order that was cancelled by then.
    Late,
    /// It paid for an order that another payment had paid.
    Overpaid,
    /// It was of another amount, currency or order than it was opened for.
    Mismatch,
    /// Somebody sent it back at the provider, past the shop.
    Elsewhere,
    /// Somebody sent it back at the provider, it came back from there, and it had paid for nothing.
    Returned,
}

impl RefundCause {
    /// Every cause there is.
    pub const ALL: [Self; 7] =
        [Self::CalledOff, Self::Admin, Self::Late, Self::Overpaid, Self::Mismatch, Self::Elsewhere, Self::Returned];

    /// Its stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::CalledOff => "called_off",
            Self::Admin => "admin",
            Self::Late => "late",
            Self::Overpaid => "overpaid",
            Self::Mismatch => "mismatch",
            Self::Elsewhere => "elsewhere",
            Self::Returned => "returned",
        }
    }

    /// Whether it sends back all of a payment that no order could take, so that a payment has one such refund at most.
    #[must_use]
    pub const fn is_whole(self) -> bool {
        matches!(self, Self::Late | Self::Overpaid | Self::Mismatch)
    }
}

/// How far a refund has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RefundState {
    /// Decided on; the provider has not taken it yet.
    Due,
    /// The provider has taken it and is at it.
    Pending,
    /// The provider says that it went back; it may still fail.
    Succeeded,
    /// The provider could not send it back: a person has to look.
    Failed,
    /// A person sent it by bank transfer instead.
    Recorded,
}

impl RefundState {
    /// Every state there is.
    pub const ALL: [Self; 5] = [Self::Due, Self::Pending, Self::Succeeded, Self::Failed, Self::Recorded];

    /// Its stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Due => "due",
            Self::Pending => "pending",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Recorded => "recorded",
        }
    }

    /// Whether the money has gone back or is on its way.
    #[must_use]
    pub const fn stands(self) -> bool {
        matches!(self, Self::Pending | Self::Succeeded | Self::Recorded)
    }
}

/// Money on its way back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refund {
    /// Which one.
    pub id: RefundId,
    /// Of which order.
    pub order: OrderId,
    /// Of which payment.
    pub payment: TransactionId,
    /// How much.
    pub amount: Money,
    /// Why.
    pub cause: RefundCause,
    /// How far it has come.
    pub state: RefundState,
    /// The provider's id, once it has one.
    pub provider_id: Option<ProviderRefundId>,
    /// Under which number the provider is asked, from 1: what it refused under one number it repeats for a day.
    pub attempt: u32,
    /// How often the provider was asked in vain since the last change.
    pub tries: u32,
    /// What the provider said against it.
    pub failure: Option<Text<200>>,
    /// Why, in an admin's words; of a bank transfer, its reference.
    pub note: Option<Text<500>>,
    /// Who decided it.
    pub by: Actor,
    /// When it was decided.
    pub created_at: Timestamp,
    /// When it came into its state.
    pub changed_at: Timestamp,
}

/// A refund as the provider tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderRefund {
    /// The provider's id.
    pub id: ProviderRefundId,
    /// How much.
    pub amount: Money,
    /// How far it has come: pending, succeeded or failed.
    pub state: RefundState,
    /// Which refund of the shop's it is; `None` for one that somebody made at the provider.
    pub refund: Option<RefundId>,
    /// Why it failed, if it did.
    pub failure: Option<Text<200>>,
}

impl Refund {
    /// The refund with what the provider tells of it; `None` if that is nothing new, or cannot follow.
    #[must_use]
    pub fn heard(&self, told: &ProviderRefund, at: Timestamp) -> Option<Self> {
        let follows = match (self.state, told.state) {
            (RefundState::Recorded, _)
            | (RefundState::Failed, RefundState::Failed | RefundState::Pending)
            | (RefundState::Succeeded, RefundState::Pending) => false,
            // What was put down as failed and went through after all has gone back.
            (RefundState::Failed, state) => self.provider_id.as_ref() == Some(&told.id) && state.stands(),
            (before, after) => before != after || self.provider_id.is_none(),
        };
        follows.then(|| Self {
            state: told.state,
            provider_id: Some(told.id.clone()),
            failure: told.failure.clone().filter(|_| told.state == RefundState::Failed),
            tries: 0,
            changed_at: at,
            ..self.clone()
        })
    }

    /// The refund after the provider refused it under its number: due again under the next one, or, if it was refused
    /// too often, failed.
    #[must_use]
    pub fn refused(&self, why: Option<Text<200>>, at: Timestamp) -> Self {
        /// How many numbers are tried before a person is asked: with doubling waits, for about a day.
        const ATTEMPTS: u32 = 10;
        let state = if self.tries + 1 >= ATTEMPTS { RefundState::Failed } else { RefundState::Due };
        let changed_at = if state == self.state { self.changed_at } else { at };
        Self { state, failure: why, attempt: self.attempt + 1, changed_at, ..self.clone() }
    }

    /// The refund, if only so much is left to be sent back because somebody sent the rest back at the provider: less, or
    /// nothing at all, and then it is over.
    #[must_use]
    pub fn cut_to(&self, left: Money, at: Timestamp) -> Self {
        if left > Money::ZERO {
            return Self { amount: left, attempt: self.attempt + 1, ..self.clone() };
        }
        let note = Text::new("Sent back at the payment provider").ok();
        Self { amount: left, state: RefundState::Recorded, note, changed_at: at, ..self.clone() }
    }

    /// The refund, to be sent once more: only one that failed is.
    #[must_use]
    pub fn again(&self, by: Actor, at: Timestamp) -> Option<Self> {
        (self.state == RefundState::Failed && self.cause != RefundCause::Elsewhere).then(|| Self {
            state: RefundState::Due,
            provider_id: None,
            attempt: self.attempt + 1,
            tries: 0,
            by,
            changed_at: at,
            ..self.clone()
        })
    }

    /// The refund, sent by bank transfer under a reference: only one that failed is.
    #[must_use]
    pub fn by_bank_transfer(&self, reference: Text<500>, by: Actor, at: Timestamp) -> Option<Self> {
        (self.state == RefundState::Failed).then(|| Self {
            state: RefundState::Recorded,
            note: Some(reference),
            by,
            changed_at: at,
            ..self.clone()
        })
    }
}

/// How far a dispute has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DisputeState {
    /// The bank has asked, and nothing is decided.
    Open,
    /// The money stays here.
    Won,
    /// The money is gone.
    Lost,
}

impl DisputeState {
    /// Every state there is.
    pub const ALL: [Self; 3] = [Self::Open, Self::Won, Self::Lost];

    /// Its stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Won => "won",
            Self::Lost => "lost",
        }
    }
}

/// Somebody's bank that wants a payment back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dispute {
    /// The provider's id.
    pub id: DisputeId,
    /// How much.
    pub amount: Money,
    /// How far it has come.
    pub state: DisputeState,
    /// What the card's owner says, in the provider's word: `fraudulent`, `product_not_received`…
    pub reason: Option<Text<200>>,
}

/// Why an order's goods have to stay, although it is paid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Withheld {
    /// A bank wants the money back, or got it.
    Disputed,
    /// Somebody sent money back at the provider, past the shop.
    RefundedElsewhere,
    /// The provider no longer tells of the payment what it told when the order was paid.
    Disagreement,
}

/// Whether an order's goods have to stay.
#[must_use]
pub fn withheld(refunds: &[Refund], disputes: &[Dispute]) -> Option<Withheld> {
    if disputes.iter().any(|dispute| dispute.state != DisputeState::Won) {
        return Some(Withheld::Disputed);
    }
    let elsewhere = |refund: &&Refund| refund.cause == RefundCause::Elsewhere && refund.state.stands();
    refunds.iter().find(elsewhere).map(|_| Withheld::RefundedElsewhere)
}

/// What of a payment is neither back nor on its way nor promised: a refund that failed is still owed.
#[must_use]
pub fn left_of(total: Money, refunds: &[Refund]) -> Money {
    let gone = |refund: &&Refund| refund.state != RefundState::Failed || refund.cause != RefundCause::Elsewhere;
    let gone: i64 = refunds.iter().filter(gone).map(|refund| refund.amount.cents()).sum();
    Money::from_cents(total.cents() - gone).unwrap_or(Money::ZERO)
}

/// Whether all of a payment has gone back or is on its way.
#[must_use]
pub fn is_all_back(total: Money, refunds: &[Refund]) -> bool {
    let back: i64 = refunds.iter().filter(|refund| refund.state.stands()).map(|refund| refund.amount.cents()).sum();
    back >= total.cents()
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn refund(state: RefundState) -> Refund {
        Refund {
            id: RefundId::new(Uuid::from_u128(1)),
            order: OrderId::new(Uuid::from_u128(2)),
            payment: "pi_1".parse().unwrap(),
            amount: Money::from_cents(500).unwrap(),
            cause: RefundCause::CalledOff,
            state,
            provider_id: None,
            attempt: 1,
            tries: 0,
            failure: None,
            note: None,
            by: Actor::Shop,
            created_at: Timestamp::UNIX_EPOCH,
            changed_at: Timestamp::UNIX_EPOCH,
        }
    }

    fn told(state: RefundState) -> ProviderRefund {
        ProviderRefund {
            id: "re_1".parse().unwrap(),
            amount: Money::from_cents(500).unwrap(),
            state,
            refund: None,
            failure: None,
        }
    }

    fn later() -> Timestamp {
        Timestamp::from_second(9).unwrap()
    }

    #[test]
    fn a_refund_that_went_through_may_fail_later() {
        let sent = refund(RefundState::Due).heard(&told(RefundState::Succeeded), later()).unwrap();
        assert!(sent.state.stands());
        assert_eq!(sent.heard(&told(RefundState::Succeeded), later()), None);
        assert_eq!(sent.heard(&told(RefundState::Pending), later()), None);
        let failed = sent.heard(&told(RefundState::Failed), later()).unwrap();
        assert_eq!(failed.state, RefundState::Failed);
        let again = failed.again(Actor::Shop, later()).unwrap();
        assert_eq!((again.state, again.attempt, again.provider_id), (RefundState::Due, 2, None));
    }

    #[test]
    fn only_what_failed_is_sent_again_or_by_bank_transfer() {
        for state in RefundState::ALL {
            let refund = refund(state);
            let failed = state == RefundState::Failed;
            assert_eq!(refund.again(Actor::Shop, later()).is_some(), failed, "{state:?}");
            let reference = Text::new("SEPA 4711").unwrap();
            assert_eq!(refund.by_bank_transfer(reference, Actor::Shop, later()).is_some(), failed, "{state:?}");
        }
    }

    #[test]
    fn what_the_provider_refuses_is_asked_for_under_the_next_number_and_at_last_by_a_person() {
        let mut refund = refund(RefundState::Due);
        for attempt in 2..=10 {
            refund = Refund { tries: attempt - 2, ..refund.refused(None, later()) };
            assert_eq!((refund.state, refund.attempt), (RefundState::Due, attempt));
        }
        let refund = Refund { tries: 9, ..refund };
        assert_eq!(refund.refused(None, later()).state, RefundState::Failed);
    }

    #[test]
    fn what_failed_is_still_promised_and_not_back() {
        let total = Money::from_cents(800).unwrap();
        let rows = [refund(RefundState::Failed)];
        assert_eq!(left_of(total, &rows).cents(), 300);
        assert!(!is_all_back(Money::from_cents(500).unwrap(), &rows));
        assert!(is_all_back(Money::from_cents(500).unwrap(), &[refund(RefundState::Pending)]));
    }

    #[test]
    fn goods_stay_while_a_bank_has_asked_and_once_money_went_back_elsewhere() {
        let dispute = |state| Dispute {
            id: "dp_1".parse().unwrap(),
            amount: Money::from_cents(500).unwrap(),
            state,
            reason: None,
        };
        assert_eq!(withheld(&[], &[dispute(DisputeState::Open)]), Some(Withheld::Disputed));
        assert_eq!(withheld(&[], &[dispute(DisputeState::Lost)]), Some(Withheld::Disputed));
        assert_eq!(withheld(&[], &[dispute(DisputeState::Won)]), None);
        let elsewhere = Refund { cause: RefundCause::Elsewhere, ..refund(RefundState::Succeeded) };
        assert_eq!(withheld(&[elsewhere], &[]), Some(Withheld::RefundedElsewhere));
        assert_eq!(withheld(&[refund(RefundState::Succeeded)], &[]), None);
    }
}
