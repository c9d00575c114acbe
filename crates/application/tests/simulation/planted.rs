//! Planted bugs, which the simulation has to detect.
//!
//! Each bug is a realistic mistake. It is planted in the port whose contract it breaks; the application is the real one.

use crate::bug::Bug;
use crate::history;
use crate::invariants::{
    ACKNOWLEDGED_STAYS, CLOSED_HAS_ENDED, MONEY_HAS_ARRIVED, MONEY_IS_ACCOUNTED_FOR, NOTHING_IS_OWED, ONE_OPEN_PAYMENT,
    ONE_ORDER_A_KEY, ONE_PAYMENT_AN_ATTEMPT, PAID_IN_FULL, PROCESSED_HAS_EFFECT, REFUNDED_THERE, RETURNED_ONCE,
    STOCK_NOT_NEGATIVE, TIMELINE_REPLAYS, UNSAFE_STAYS_UNSHIPPED,
};
use crate::run_all;
use crate::shares::{
    DUES_ADD_UP, LAPSES_TOGETHER, PAID_TOGETHER, PRICED_BY_RULES, REFUNDS_WITHIN_SHARE, SHARES_ADD_UP, SHARES_ARE_DUE,
};

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

#[test]
fn a_payment_that_settles_only_the_first_of_its_orders_is_detected() {
    is_caught(Bug::SettlesOnlyTheFirst, PAID_TOGETHER);
}

#[test]
fn orders_of_a_checkout_that_outlast_the_first_are_detected() {
    is_caught(Bug::CancelsOnlyTheFirst, LAPSES_TOGETHER);
}

#[test]
fn refunding_all_of_a_payment_that_came_too_late_for_one_order_is_detected() {
    is_caught(Bug::SendsBackTheWholePayment, REFUNDS_WITHIN_SHARE);
}

#[test]
fn refunds_that_only_the_payment_limits_are_detected() {
    is_caught(Bug::BoundsByThePayment, REFUNDS_WITHIN_SHARE);
}

#[test]
fn shares_without_freight_are_detected() {
    is_caught(Bug::ForgetsFreightInShares, SHARES_ADD_UP);
}

#[test]
fn a_second_open_payment_for_an_order_of_a_checkout_is_detected() {
    is_caught(Bug::OpensBesides, ONE_OPEN_PAYMENT);
}

#[test]
fn units_returned_once_for_each_payment_are_detected() {
    is_caught(Bug::ReturnsForEachPayment, RETURNED_ONCE);
}

#[test]
fn a_repeated_request_that_places_a_second_checkout_is_detected() {
    is_caught(Bug::ForgetsKeysOfCheckouts, ONE_ORDER_A_KEY);
}

#[test]
fn paying_before_the_freight_is_known_is_detected() {
    is_caught(Bug::PaysBeforeFreight, SHARES_ARE_DUE);
}

#[test]
fn a_checkout_placed_without_some_of_its_orders_is_detected() {
    is_caught(Bug::PlacesWhatItCan, DUES_ADD_UP);
}

#[test]
fn a_price_for_another_quantity_is_detected() {
    is_caught(Bug::ReadsOtherTiers, PRICED_BY_RULES);
}
