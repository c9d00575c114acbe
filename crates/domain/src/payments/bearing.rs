//! Refunds that somebody made in the provider's dashboard: they name no order, and may be more than any order has left.

use crate::{Money, OrderId, PaymentShare, Refund, RefundCause};

/// The refunds that count for one order of a payment: its own; and, as one more, its part of what was refunded in the
/// provider's dashboard beyond the share of the order that it is booked on. Of that, each other order bears what has not gone
/// back of its share, the first one first. Refunds that are only decided on do not count for this, so that whoever asks for
/// whichever order gets the same answer.
#[must_use]
pub fn refunds_for(order: OrderId, shares: &[PaymentShare], all: &[Refund]) -> Vec<Refund> {
    let of = |order: OrderId| all.iter().filter(move |refund| refund.order == order);
    let gone = |order: OrderId| -> i64 {
        of(order).filter(|refund| refund.state.stands()).map(|refund| refund.amount.cents()).sum()
    };
    let made_there = |order| of(order).filter(|refund| refund.cause == RefundCause::Elsewhere && refund.state.stands());
    let beyond = |share: &PaymentShare| {
        let there: i64 = made_there(share.order).map(|refund| refund.amount.cents()).sum();
        (gone(share.order) - share.amount.cents()).clamp(0, there)
    };
    let mut excess: i64 = shares.iter().map(beyond).sum();
    let made = shares.iter().filter(|share| beyond(share) > 0).find_map(|share| made_there(share.order).next_back());
    let mut counting: Vec<Refund> = of(order).cloned().collect();
    for share in shares {
        let borne = (share.amount.cents() - gone(share.order)).clamp(0, excess);
        excess -= borne;
        if share.order == order
            && let (Some(made), Ok(amount)) = (made, Money::from_cents(borne))
            && amount > Money::ZERO
        {
            counting.push(Refund { order, amount, ..made.clone() });
        }
    }
    counting
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::payments::refund::{is_all_back, left_of};
    use crate::{Actor, RefundId, RefundState, Timestamp};

    fn order(n: u128) -> OrderId {
        OrderId::new(Uuid::from_u128(n))
    }

    fn cents(cents: i64) -> Money {
        Money::from_cents(cents).unwrap()
    }

    fn shares() -> [PaymentShare; 3] {
        [(1, 300), (2, 200), (3, 500)].map(|(n, amount)| PaymentShare { order: order(n), amount: cents(amount) })
    }

    fn refund(of: u128, amount: i64, cause: RefundCause) -> Refund {
        Refund {
            id: RefundId::new(Uuid::from_u128(of)),
            order: order(of),
            payment: "pi_1".parse().unwrap(),
            amount: cents(amount),
            cause,
            state: RefundState::Succeeded,
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

    fn lefts(all: &[Refund]) -> [i64; 3] {
        shares().map(|share| left_of(share.amount, &refunds_for(share.order, &shares(), all)).cents())
    }

    #[test]
    fn what_one_order_can_bear_leaves_the_others_alone() {
        assert_eq!(lefts(&[refund(3, 450, RefundCause::Elsewhere)]), [300, 200, 50]);
        assert_eq!(lefts(&[refund(1, 100, RefundCause::Admin)]), [200, 200, 500]);
    }

    #[test]
    fn what_is_more_than_any_order_has_left_counts_for_the_others() {
        assert_eq!(lefts(&[refund(3, 600, RefundCause::Elsewhere)]), [200, 200, 0]);
        assert_eq!(lefts(&[refund(3, 850, RefundCause::Elsewhere), refund(1, 50, RefundCause::Admin)]), [0, 100, 0]);
        let whole = [refund(3, 1_000, RefundCause::Elsewhere)];
        assert_eq!(lefts(&whole), [0, 0, 0]);
        for share in shares() {
            assert!(is_all_back(share.amount, &refunds_for(share.order, &shares(), &whole)));
        }
    }

    #[test]
    fn what_is_only_decided_on_stands_in_nobodys_way() {
        let due = Refund { state: RefundState::Due, ..refund(1, 300, RefundCause::OrderCancelled) };
        let all = [refund(3, 850, RefundCause::Elsewhere), due.clone()];
        assert_eq!(lefts(&all), [0, 150, 0]);
        assert_eq!(refunds_for(order(1), &shares(), &all)[1].amount, cents(300));
        assert_eq!(refunds_for(order(1), &shares(), &all[..1])[0].amount, cents(300));
    }

    #[test]
    fn a_refund_that_failed_there_counts_for_nobody() {
        let failed = Refund { state: RefundState::Failed, ..refund(3, 1_000, RefundCause::Elsewhere) };
        assert_eq!(lefts(&[failed]), [300, 200, 500]);
    }

    #[test]
    fn money_that_matched_no_order_counts_for_nobody_else() {
        assert_eq!(lefts(&[refund(1, 1_000, RefundCause::Mismatch)]), [0, 200, 500]);
    }

    #[test]
    fn what_an_order_bears_is_the_refund_that_was_too_much_as_its_own() {
        let all = [refund(1, 100, RefundCause::Elsewhere), refund(3, 600, RefundCause::Elsewhere)];
        let borne = Refund { order: order(1), amount: cents(100), ..all[1].clone() };
        assert_eq!(refunds_for(order(1), &shares(), &all), [all[0].clone(), borne]);
        assert_eq!(refunds_for(order(2), &shares(), &all), []);
    }
}
