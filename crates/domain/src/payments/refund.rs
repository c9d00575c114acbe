//! Refunds and disputes, each with states of its own.
//!
//! A refund that the provider has accepted may still fail weeks later (for example because the card was closed), and
//! money may leave without an action in the shop: through a refund made in the provider's dashboard, or through a
//! dispute. What an order owes follows from its refunds.

use thiserror::Error;

use crate::payments::provider_id::provider_id;
use crate::platform::name::read_by_name;
use crate::{Actor, Money, OrderId, RefundId, Text, Timestamp, TransactionId};

provider_id! {
    /// The payment provider's own id of a refund (at Stripe `re_…`): 1 to 255 letters, digits, `_` and `-`.
    ProviderRefundId
}
provider_id! {
    /// The payment provider's own id of a dispute (at Stripe `dp_…`): 1 to 255 letters, digits, `_` and `-`.
    DisputeId
}

/// Why money is refunded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RefundCause {
    /// A paid order was cancelled.
    OrderCancelled,
    /// An admin refunds part of a payment, or all of a shipped order's.
    Admin,
    /// The payment arrived after its order had been cancelled.
    Late,
    /// The payment arrived for an order that another payment had settled.
    Overpaid,
    /// The payment has a different amount, currency or order than it was opened for.
    Mismatch,
    /// Someone refunded it in the provider's dashboard, outside the shop.
    Elsewhere,
    /// A refund made in the provider's dashboard failed there, and the payment had settled no order.
    Returned,
}

impl RefundCause {
    /// Every cause.
    pub const ALL: [Self; 7] = [
        Self::OrderCancelled,
        Self::Admin,
        Self::Late,
        Self::Overpaid,
        Self::Mismatch,
        Self::Elsewhere,
        Self::Returned,
    ];

    /// The stable name, as stored in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::OrderCancelled => "called_off",
            Self::Admin => "admin",
            Self::Late => "late",
            Self::Overpaid => "overpaid",
            Self::Mismatch => "mismatch",
            Self::Elsewhere => "elsewhere",
            Self::Returned => "returned",
        }
    }

    /// Whether it refunds the whole of a payment that could not settle an order. A payment has at most one such refund.
    #[must_use]
    pub const fn is_whole(self) -> bool {
        matches!(self, Self::Late | Self::Overpaid | Self::Mismatch)
    }
}

read_by_name!(RefundCause);
read_by_name!(RefundState);
read_by_name!(DisputeState);

/// How far a refund has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RefundState {
    /// Decided on; the provider has not accepted it yet.
    Due,
    /// Accepted by the provider and in progress.
    Pending,
    /// Succeeded, according to the provider; it may still fail.
    Succeeded,
    /// Failed at the provider: an admin has to act.
    Failed,
    /// An admin paid it by bank transfer instead.
    Recorded,
}

impl RefundState {
    /// Every state.
    pub const ALL: [Self; 5] = [Self::Due, Self::Pending, Self::Succeeded, Self::Failed, Self::Recorded];

    /// The stable name, as stored in the database.
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

    /// Whether the money has been returned or is on its way.
    #[must_use]
    pub const fn stands(self) -> bool {
        matches!(self, Self::Pending | Self::Succeeded | Self::Recorded)
    }
}

/// A refund, made in the shop or in the provider's dashboard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refund {
    /// The shop's id of the refund.
    pub id: RefundId,
    /// The order it belongs to.
    pub order: OrderId,
    /// The payment that is refunded.
    pub payment: TransactionId,
    /// The refunded amount.
    pub amount: Money,
    /// Why it is refunded.
    pub cause: RefundCause,
    /// How far it has come.
    pub state: RefundState,
    /// The provider's id; `None` until the provider has accepted the refund.
    pub provider_id: Option<ProviderRefundId>,
    /// The number of the current attempt, from 1. It is part of the provider's idempotency key: for a day the provider
    /// repeats a refusal under the same number.
    pub attempt: u32,
    /// How many calls to the provider have failed since the last change.
    pub tries: u32,
    /// The provider's reason for a refusal or failure.
    pub failure: Option<Text<200>>,
    /// The admin's reason; for a bank transfer, its reference.
    pub note: Option<Text<500>>,
    /// Who decided it.
    pub by: Actor,
    /// When it was decided.
    pub created_at: Timestamp,
    /// When it entered its current state.
    pub changed_at: Timestamp,
}

/// A refund as the provider reports it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderRefund {
    /// The provider's id.
    pub id: ProviderRefundId,
    /// The refunded amount.
    pub amount: Money,
    /// How far it has come: pending, succeeded or failed.
    pub state: RefundState,
    /// The shop's id of the refund; `None` if it was made in the provider's dashboard.
    pub refund: Option<RefundId>,
    /// The reason, if it failed.
    pub failure: Option<Text<200>>,
}

impl Refund {
    /// The refund updated with the provider's report; `None` if the report changes nothing or cannot follow the current
    /// state.
    #[must_use]
    pub fn updated_by(&self, report: &ProviderRefund, at: Timestamp) -> Option<Self> {
        let follows = match (self.state, report.state) {
            (RefundState::Recorded, _)
            | (RefundState::Failed, RefundState::Failed | RefundState::Pending)
            | (RefundState::Succeeded, RefundState::Pending) => false,
            // A refund that was recorded as failed and succeeded after all has been paid.
            (RefundState::Failed, state) => self.provider_id.as_ref() == Some(&report.id) && state.stands(),
            (before, after) => before != after || self.provider_id.is_none(),
        };
        follows.then(|| Self {
            state: report.state,
            provider_id: Some(report.id.clone()),
            failure: report.failure.clone().filter(|_| report.state == RefundState::Failed),
            tries: 0,
            changed_at: at,
            ..self.clone()
        })
    }

    /// The refund after the provider refused it: due again under the next attempt number, or failed after too many
    /// refusals.
    #[must_use]
    pub fn refused(&self, why: Option<Text<200>>, at: Timestamp) -> Self {
        /// How many attempts are made before an admin has to act: with doubling delays, about a day.
        const ATTEMPTS: u32 = 10;
        let state = if self.tries + 1 >= ATTEMPTS { RefundState::Failed } else { RefundState::Due };
        let changed_at = if state == self.state { self.changed_at } else { at };
        Self { state, failure: why, attempt: self.attempt + 1, changed_at, ..self.clone() }
    }

    /// The refund reduced to what is left of the payment, because the rest was refunded in the provider's dashboard. If
    /// nothing is left, the refund is closed as recorded.
    #[must_use]
    pub fn cut_to(&self, left: Money, at: Timestamp) -> Self {
        if left > Money::ZERO {
            return Self { amount: left, attempt: self.attempt + 1, ..self.clone() };
        }
        let note = Text::new("Sent back at the payment provider").ok();
        Self { amount: left, state: RefundState::Recorded, note, changed_at: at, ..self.clone() }
    }

    /// The refund, due again; `None` unless it failed, and for a refund made in the provider's dashboard.
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

    /// The refund, paid by bank transfer with this reference; `None` unless it failed.
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
    /// The bank has opened the dispute, and nothing is decided.
    Open,
    /// The shop keeps the money.
    Won,
    /// The shop has lost the money.
    Lost,
}

impl DisputeState {
    /// Every state.
    pub const ALL: [Self; 3] = [Self::Open, Self::Won, Self::Lost];

    /// The stable name, as stored in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Won => "won",
            Self::Lost => "lost",
        }
    }
}

/// A dispute: the cardholder's bank claims a payment back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dispute {
    /// The provider's id.
    pub id: DisputeId,
    /// The disputed amount.
    pub amount: Money,
    /// How far it has come.
    pub state: DisputeState,
    /// The cardholder's reason in the provider's word, such as `fraudulent` or `product_not_received`.
    pub reason: Option<Text<200>>,
}

/// Why an order must not be shipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Withheld {
    /// An admin has yet to say what its freight costs, so nobody knows what is due for it.
    #[error("the freight is not known yet")]
    AwaitsFreight,
    /// A dispute is open or lost.
    #[error("the payment is disputed")]
    Disputed,
    /// Money was refunded in the provider's dashboard, outside the shop.
    #[error("money of the payment was refunded outside the shop")]
    RefundedElsewhere,
    /// The provider now reports something else about the payment than when the order was paid.
    #[error("the provider no longer confirms the payment")]
    Disagreement,
}

/// Whether, and why, a paid order must not be shipped.
#[must_use]
pub fn withheld(refunds: &[Refund], disputes: &[Dispute]) -> Option<Withheld> {
    if disputes.iter().any(|dispute| dispute.state != DisputeState::Won) {
        return Some(Withheld::Disputed);
    }
    let elsewhere = |refund: &&Refund| refund.cause == RefundCause::Elsewhere && refund.state.stands();
    refunds.iter().find(elsewhere).map(|_| Withheld::RefundedElsewhere)
}

/// The cents of all refunds of a payment that are done, on their way or owed. A failed refund still counts as owed,
/// unless it was made in the provider's dashboard.
#[must_use]
pub fn committed(refunds: &[Refund]) -> i64 {
    let counts = |refund: &&Refund| refund.state != RefundState::Failed || refund.cause != RefundCause::Elsewhere;
    refunds.iter().filter(counts).map(|refund| refund.amount.cents()).sum()
}

/// What is left of a payment after all refunds that are [`committed`].
#[must_use]
pub fn left_of(total: Money, refunds: &[Refund]) -> Money {
    Money::from_cents(total.cents() - committed(refunds)).unwrap_or(Money::ZERO)
}

/// Whether all of a payment has been refunded or is on its way back.
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
            cause: RefundCause::OrderCancelled,
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

    fn report(state: RefundState) -> ProviderRefund {
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
    fn a_succeeded_refund_may_fail_later() {
        let sent = refund(RefundState::Due).updated_by(&report(RefundState::Succeeded), later()).unwrap();
        assert!(sent.state.stands());
        assert_eq!(sent.updated_by(&report(RefundState::Succeeded), later()), None);
        assert_eq!(sent.updated_by(&report(RefundState::Pending), later()), None);
        let failed = sent.updated_by(&report(RefundState::Failed), later()).unwrap();
        assert_eq!(failed.state, RefundState::Failed);
        let again = failed.again(Actor::Shop, later()).unwrap();
        assert_eq!((again.state, again.attempt, again.provider_id), (RefundState::Due, 2, None));
    }

    #[test]
    fn only_a_failed_refund_is_retried_or_paid_by_bank_transfer() {
        for state in RefundState::ALL {
            let refund = refund(state);
            let failed = state == RefundState::Failed;
            assert_eq!(refund.again(Actor::Shop, later()).is_some(), failed, "{state:?}");
            let reference = Text::new("SEPA 4711").unwrap();
            assert_eq!(refund.by_bank_transfer(reference, Actor::Shop, later()).is_some(), failed, "{state:?}");
        }
    }

    #[test]
    fn a_refused_refund_is_retried_under_the_next_number_and_fails_after_ten_attempts() {
        let mut refund = refund(RefundState::Due);
        for attempt in 2..=10 {
            refund = Refund { tries: attempt - 2, ..refund.refused(None, later()) };
            assert_eq!((refund.state, refund.attempt), (RefundState::Due, attempt));
        }
        let refund = Refund { tries: 9, ..refund };
        assert_eq!(refund.refused(None, later()).state, RefundState::Failed);
    }

    #[test]
    fn a_failed_refund_is_still_owed_and_not_returned() {
        let total = Money::from_cents(800).unwrap();
        let rows = [refund(RefundState::Failed)];
        assert_eq!(left_of(total, &rows).cents(), 300);
        assert!(!is_all_back(Money::from_cents(500).unwrap(), &rows));
        assert!(is_all_back(Money::from_cents(500).unwrap(), &[refund(RefundState::Pending)]));
    }

    #[test]
    fn goods_are_withheld_during_a_dispute_and_after_a_refund_at_the_provider() {
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

    #[test]
    fn causes_and_states_are_read_by_the_names_that_they_are_stored_under() {
        for cause in RefundCause::ALL {
            assert_eq!(cause.as_str().parse(), Ok(cause));
        }
        for state in RefundState::ALL {
            assert_eq!(state.as_str().parse(), Ok(state));
        }
        for state in DisputeState::ALL {
            assert_eq!(state.as_str().parse(), Ok(state));
        }
        assert_eq!(RefundCause::OrderCancelled.as_str(), "called_off");
        assert_eq!((RefundState::Due.as_str(), DisputeState::Lost.as_str()), ("due", "lost"));
    }

    #[test]
    fn a_payment_that_settled_nothing_is_refunded_whole() {
        let whole: Vec<_> = RefundCause::ALL.into_iter().filter(|cause| cause.is_whole()).collect();
        assert_eq!(whole, [RefundCause::Late, RefundCause::Overpaid, RefundCause::Mismatch]);
    }

    #[test]
    fn money_is_back_while_it_is_on_its_way_or_there_or_was_paid_otherwise() {
        let standing: Vec<_> = RefundState::ALL.into_iter().filter(|state| state.stands()).collect();
        assert_eq!(standing, [RefundState::Pending, RefundState::Succeeded, RefundState::Recorded]);
    }

    fn text<const MAX: usize>(text: &str) -> Text<MAX> {
        Text::new(text).unwrap()
    }

    /// A refund that has failed after its third attempt.
    fn failed() -> Refund {
        Refund {
            provider_id: Some("re_1".parse().unwrap()),
            attempt: 3,
            tries: 2,
            failure: Some(text("account closed")),
            ..refund(RefundState::Failed)
        }
    }

    #[test]
    fn a_report_changes_state_id_reason_tries_and_moment_and_nothing_else() {
        let tried = Refund { tries: 4, failure: Some(text("busy")), ..refund(RefundState::Due) };
        let at_provider =
            Refund { provider_id: Some("re_1".parse().unwrap()), tries: 0, changed_at: later(), ..tried.clone() };
        let pending = tried.updated_by(&report(RefundState::Pending), later()).unwrap();
        assert_eq!(pending, Refund { state: RefundState::Pending, failure: None, ..at_provider.clone() });
        let why = ProviderRefund { failure: Some(text("account closed")), ..report(RefundState::Failed) };
        let failed = tried.updated_by(&why, later()).unwrap();
        let reason = Some(text("account closed"));
        assert_eq!(failed, Refund { state: RefundState::Failed, failure: reason, ..at_provider });
        // The first report of the same state brings the id.
        let unnamed = refund(RefundState::Pending);
        let named = unnamed.updated_by(&report(RefundState::Pending), later()).unwrap();
        assert_eq!(named.provider_id, Some("re_1".parse().unwrap()));
        assert_eq!(named.updated_by(&report(RefundState::Pending), later()), None);
    }

    #[test]
    fn what_failed_or_was_recorded_is_changed_only_by_the_success_of_the_same_refund() {
        for state in [RefundState::Failed, RefundState::Pending] {
            assert_eq!(failed().updated_by(&report(state), later()), None, "{state:?}");
        }
        let another = ProviderRefund { id: "re_2".parse().unwrap(), ..report(RefundState::Succeeded) };
        assert_eq!(failed().updated_by(&another, later()), None);
        assert_eq!(failed().updated_by(&report(RefundState::Due), later()), None);
        let paid = failed().updated_by(&report(RefundState::Succeeded), later()).unwrap();
        assert_eq!(paid.state, RefundState::Succeeded);
        for state in [RefundState::Pending, RefundState::Succeeded, RefundState::Failed] {
            assert_eq!(refund(RefundState::Recorded).updated_by(&report(state), later()), None, "{state:?}");
        }
    }

    #[test]
    fn a_refusal_counts_an_attempt_and_keeps_the_moment_until_the_state_changes() {
        let refund = Refund { tries: 8, ..refund(RefundState::Due) };
        let again = refund.refused(Some(text("busy")), later());
        assert_eq!(again, Refund { failure: Some(text("busy")), attempt: 2, ..refund.clone() });
        let over = Refund { tries: 9, ..refund }.refused(None, later());
        assert_eq!((over.state, over.attempt, over.changed_at), (RefundState::Failed, 2, later()));
    }

    #[test]
    fn a_refund_is_cut_to_what_is_left_and_closed_if_that_is_nothing() {
        let (refund, left) = (refund(RefundState::Due), Money::from_cents(1).unwrap());
        assert_eq!(refund.cut_to(left, later()), Refund { amount: left, attempt: 2, ..refund.clone() });
        let closed = Refund {
            amount: Money::ZERO,
            state: RefundState::Recorded,
            note: Some(text("Sent back at the payment provider")),
            changed_at: later(),
            ..refund.clone()
        };
        assert_eq!(refund.cut_to(Money::ZERO, later()), closed);
    }

    #[test]
    fn a_failed_refund_is_due_again_under_a_new_number_by_whoever_asks() {
        let by = Actor::Account { id: crate::AccountId::new(Uuid::from_u128(5)), email: "a@b.co".parse().unwrap() };
        let again = Refund {
            state: RefundState::Due,
            provider_id: None,
            attempt: 4,
            tries: 0,
            by: by.clone(),
            changed_at: later(),
            ..failed()
        };
        assert_eq!(failed().again(by.clone(), later()), Some(again));
        let elsewhere = Refund { cause: RefundCause::Elsewhere, ..failed() };
        assert_eq!(elsewhere.again(by.clone(), later()), None);
        let note = Some(text("SEPA 4711"));
        let recorded = Refund { state: RefundState::Recorded, note, by: by.clone(), changed_at: later(), ..failed() };
        assert_eq!(failed().by_bank_transfer(text("SEPA 4711"), by, later()), Some(recorded));
    }

    #[test]
    fn of_refunds_made_elsewhere_only_those_that_stand_count() {
        let cents = |cents| Money::from_cents(cents).unwrap();
        let elsewhere = |state| Refund { cause: RefundCause::Elsewhere, ..refund(state) };
        assert_eq!(withheld(&[elsewhere(RefundState::Failed)], &[]), None);
        assert_eq!(committed(&[]), 0);
        assert_eq!(committed(&[refund(RefundState::Due), elsewhere(RefundState::Succeeded)]), 1_000);
        assert_eq!(committed(&[refund(RefundState::Failed), elsewhere(RefundState::Failed)]), 500);
        assert_eq!(left_of(cents(400), &[refund(RefundState::Due)]), Money::ZERO);
        assert!(is_all_back(cents(499), &[refund(RefundState::Succeeded)]));
        assert!(!is_all_back(cents(501), &[refund(RefundState::Succeeded)]));
    }
}
