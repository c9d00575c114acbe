//! Promises that are broken on purpose, to see that the simulation notices.
//!
//! Each bug is one that somebody could write. It lives in the port that makes the promise; the application is the real one.

use crate::bug::Bug;
use crate::history;
use crate::invariants::{
    ACKNOWLEDGED_STAYS, CLOSED_HAS_ENDED, GOODS_STAY, HEARD_IS_DONE, MONEY_HAS_ARRIVED, MONEY_IS_ACCOUNTED_FOR,
    NO_SHELF_BELOW_NOTHING, NOTHING_IS_OWED, ONE_ORDER_A_KEY, ONE_PAYMENT_AN_ATTEMPT, PAID_IN_FULL, REFUNDED_THERE,
    RETURNED_ONCE, TIMELINE_TELLS,
};
use crate::run_all;

/// Within how many histories each has to be noticed.
const WITHIN: u64 = 1_000;

/// Plants a bug, and expects that a history breaks this invariant before long: the same one in the same way when it is
/// run again, and none without the bug.
fn is_caught(bug: Bug, invariant: &str) {
    let (seed, violation) = run_all(0..WITHIN, Some(bug), |violation| violation.invariant == invariant)
        .first
        .unwrap_or_else(|| panic!("{WITHIN} histories with {bug:?} keep to it that {invariant}"));
    let again = history::run(seed, Some(bug), false).violation;
    assert_eq!(again.as_ref(), Some(&violation), "history {seed} is told the same way twice");
    assert_eq!(history::run(seed, None, false).violation, None, "history {seed} is sound without {bug:?}");
}

#[test]
fn a_change_that_is_written_blindly_is_noticed() {
    is_caught(Bug::AppliesBlindly, TIMELINE_TELLS);
}

#[test]
fn units_that_are_sold_without_a_look_are_noticed() {
    is_caught(Bug::SellsWhatIsGone, NO_SHELF_BELOW_NOTHING);
}

#[test]
fn units_that_come_back_twice_are_noticed() {
    is_caught(Bug::ReturnsTwice, RETURNED_ONCE);
}

#[test]
fn an_idempotency_key_that_nobody_looks_for_is_noticed() {
    is_caught(Bug::ForgetsKeys, ONE_ORDER_A_KEY);
}

#[test]
fn an_order_that_is_acknowledged_and_lost_is_noticed() {
    is_caught(Bug::AcknowledgesTooSoon, ACKNOWLEDGED_STAYS);
}

#[test]
fn a_payment_that_is_opened_anew_by_every_call_is_noticed() {
    is_caught(Bug::OpensAnew, ONE_PAYMENT_AN_ATTEMPT);
}

#[test]
fn a_payment_of_another_amount_that_settles_an_order_is_noticed() {
    is_caught(Bug::TrustsAmounts, PAID_IN_FULL);
}

#[test]
fn a_payment_that_is_closed_without_asking_is_noticed() {
    is_caught(Bug::CancelsUnasked, CLOSED_HAS_ENDED);
}

#[test]
fn a_refund_that_is_recorded_and_never_sent_is_noticed() {
    is_caught(Bug::RefundsOnFaith, REFUNDED_THERE);
}

#[test]
fn a_message_that_is_noted_before_its_effect_is_noticed() {
    is_caught(Bug::RemembersTooSoon, HEARD_IS_DONE);
}

#[test]
fn a_payment_that_is_looked_at_only_once_is_noticed() {
    is_caught(Bug::LooksOnlyOnce, MONEY_IS_ACCOUNTED_FOR);
}

#[test]
fn a_debt_that_nobody_looks_for_is_noticed() {
    is_caught(Bug::ForgetsDebts, NOTHING_IS_OWED);
}

#[test]
fn a_refund_that_failed_and_is_believed_is_noticed() {
    is_caught(Bug::BelievesRefunds, MONEY_HAS_ARRIVED);
}

#[test]
fn a_payment_that_is_unknown_and_taken_for_over_is_noticed() {
    is_caught(Bug::TakesUnknownForOver, CLOSED_HAS_ENDED);
}

#[test]
fn goods_that_leave_although_their_money_is_disputed_are_noticed() {
    is_caught(Bug::SeesNoDisputes, GOODS_STAY);
}
