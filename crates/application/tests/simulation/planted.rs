//! Planted bugs, which the simulation has to detect.
//!
//! Each bug is a realistic mistake. It is planted in the port whose contract it breaks; the application is the real one.

use crate::bug::Bug;
use crate::history;
use crate::invariants::{
    ACKNOWLEDGED_STAYS, CLOSED_HAS_ENDED, MONEY_HAS_ARRIVED, MONEY_IS_ACCOUNTED_FOR, NOTHING_IS_OWED, ONE_ORDER_A_KEY,
    ONE_PAYMENT_AN_ATTEMPT, PAID_IN_FULL, PROCESSED_HAS_EFFECT, REFUNDED_THERE, RETURNED_ONCE, STOCK_NOT_NEGATIVE,
    TIMELINE_REPLAYS, UNSAFE_STAYS_UNSHIPPED,
};
use crate::run_all;

/// Number of histories within which each bug must be detected.
const WITHIN: u64 = 1_000;

/// Plants a bug and expects that a history violates this invariant: the same violation when the history is
/// run again, and none without the bug.
fn is_caught(bug: Bug, invariant: &str) {
    let (seed, violation) = run_all(0..WITHIN, Some(bug), |violation| violation.invariant == invariant)
        .first
        .unwrap_or_else(|| panic!("{WITHIN} histories with {bug:?} do not violate: {invariant}"));
    let again = history::run(seed, Some(bug), false).violation;
    assert_eq!(again.as_ref(), Some(&violation), "history {seed} is deterministic");
    assert_eq!(history::run(seed, None, false).violation, None, "history {seed} is sound without {bug:?}");
}

#[test]
fn a_change_written_without_compare_and_set_is_detected() {
    is_caught(Bug::AppliesBlindly, TIMELINE_REPLAYS);
}

#[test]
fn selling_without_a_stock_check_is_detected() {
    is_caught(Bug::SellsWhatIsGone, STOCK_NOT_NEGATIVE);
}

#[test]
fn units_returned_to_stock_twice_are_detected() {
    is_caught(Bug::ReturnsTwice, RETURNED_ONCE);
}

#[test]
fn an_idempotency_key_that_is_never_looked_up_is_detected() {
    is_caught(Bug::ForgetsKeys, ONE_ORDER_A_KEY);
}

#[test]
fn an_order_that_is_acknowledged_and_lost_is_detected() {
    is_caught(Bug::AcknowledgesTooSoon, ACKNOWLEDGED_STAYS);
}

#[test]
fn a_new_payment_for_every_call_is_detected() {
    is_caught(Bug::OpensAnew, ONE_PAYMENT_AN_ATTEMPT);
}

#[test]
fn a_payment_of_another_amount_that_settles_an_order_is_detected() {
    is_caught(Bug::TrustsAmounts, PAID_IN_FULL);
}

#[test]
fn a_payment_closed_without_asking_the_provider_is_detected() {
    is_caught(Bug::CancelsUnasked, CLOSED_HAS_ENDED);
}

#[test]
fn a_refund_that_is_recorded_and_never_sent_is_detected() {
    is_caught(Bug::RefundsOnFaith, REFUNDED_THERE);
}

#[test]
fn an_event_recorded_before_its_effect_is_detected() {
    is_caught(Bug::RemembersTooSoon, PROCESSED_HAS_EFFECT);
}

#[test]
fn a_payment_that_is_polled_only_once_is_detected() {
    is_caught(Bug::LooksOnlyOnce, MONEY_IS_ACCOUNTED_FOR);
}

#[test]
fn a_due_refund_that_is_never_sent_is_detected() {
    is_caught(Bug::ForgetsDebts, NOTHING_IS_OWED);
}

#[test]
fn a_failed_refund_taken_for_a_success_is_detected() {
    is_caught(Bug::BelievesRefunds, MONEY_HAS_ARRIVED);
}

#[test]
fn an_unknown_payment_taken_for_cancelled_is_detected() {
    is_caught(Bug::TakesUnknownForOver, CLOSED_HAS_ENDED);
}

#[test]
fn shipping_an_order_with_a_disputed_payment_is_detected() {
    is_caught(Bug::SeesNoDisputes, UNSAFE_STAYS_UNSHIPPED);
}
