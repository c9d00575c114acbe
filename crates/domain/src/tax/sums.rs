//! Tax sums, to the cent.

use crate::{BasisPoints, Money};

/// The tax on a base, rounded half up to a cent. It is never more than the base.
#[must_use]
pub fn tax_of(base: Money, rate: BasisPoints) -> Money {
    // Below 2^47 times 10,000: far from the end of the type. At most the base, since the rate is at most the whole.
    let cents = (i128::from(base.cents()) * i128::from(rate.get()) + 5_000) / 10_000;
    within(cents)
}

/// Splits one sum, such as the freight of a checkout, over lines in proportion to what their goods cost. The shares add up to
/// exactly the sum: each is rounded down, and the cents that are left go to the greatest remainders, of equal ones to the
/// first. Where no line costs anything, all of them count the same.
#[must_use]
pub fn split_by_goods(sum: Money, goods: &[Money]) -> Vec<Money> {
    let total: i128 = goods.iter().map(|line| i128::from(line.cents())).sum();
    let weight = |line: &Money| if total == 0 { 1 } else { i128::from(line.cents()) };
    let whole: i128 = goods.iter().map(weight).sum();
    if whole == 0 {
        return Vec::new();
    }
    let exact = |line: &Money| i128::from(sum.cents()) * weight(line);
    let mut shares: Vec<i128> = goods.iter().map(|line| exact(line) / whole).collect();
    let left = i128::from(sum.cents()) - shares.iter().sum::<i128>();
    let mut lines: Vec<usize> = (0..goods.len()).collect();
    lines.sort_by_key(|line| std::cmp::Reverse(goods.get(*line).map_or(0, |goods| exact(goods) % whole)));
    // Fewer cents are left than there are lines.
    for line in lines.into_iter().take(usize::try_from(left).unwrap_or(0)) {
        if let Some(share) = shares.get_mut(line) {
            *share += 1;
        }
    }
    shares.into_iter().map(within).collect()
}

/// Cents that are known to be between nothing and an amount that was money before.
fn within(cents: i128) -> Money {
    i64::try_from(cents).ok().and_then(|cents| Money::from_cents(cents).ok()).unwrap_or(Money::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn money(cents: i64) -> Money {
        Money::from_cents(cents).unwrap()
    }

    fn points(points: i64) -> BasisPoints {
        BasisPoints::new(points).unwrap()
    }

    fn cents(shares: &[Money]) -> Vec<i64> {
        shares.iter().map(|share| share.cents()).collect()
    }

    #[test]
    fn half_a_cent_is_rounded_up() {
        assert_eq!(tax_of(money(50), points(100)).cents(), 1);
        assert_eq!(tax_of(money(49), points(100)).cents(), 0);
        assert_eq!(tax_of(money(1_050), points(1_900)).cents(), 200);
        assert_eq!(tax_of(Money::MAX, points(10_000)), Money::MAX);
        assert_eq!(tax_of(Money::MAX, points(0)), Money::ZERO);
    }

    #[test]
    fn shares_add_up_to_the_cent() {
        let goods = [money(100), money(100), money(100)];
        assert_eq!(cents(&split_by_goods(money(100), &goods)), [34, 33, 33]);
        assert_eq!(cents(&split_by_goods(money(1_500), &[money(1), money(14_998), money(1)])), [0, 1_500, 0]);
        assert_eq!(cents(&split_by_goods(money(3), &[money(0), money(0)])), [2, 1]);
        assert_eq!(cents(&split_by_goods(money(7), &[money(0), money(5)])), [0, 7]);
        assert_eq!(split_by_goods(money(7), &[]), []);
    }

    /// What a browser computes: the same formula on floating-point numbers, which are exact for sums of this size.
    fn tax_in_a_browser(base: i64, points: u16) -> i64 {
        #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "a browser has no integers")]
        let cents = ((base as f64 * f64::from(points) + 5_000.0) / 10_000.0).floor() as i64;
        cents
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(10_000))]

        #[test]
        fn a_baskets_tax_is_the_sum_of_its_lines_here_and_in_a_browser(
            lines in proptest::collection::vec((0..1_000_000_000_i64, 0..=10_000_i64), 1..30),
            freight in 0..1_000_000_i64,
        ) {
            let goods: Vec<Money> = lines.iter().map(|(base, _)| money(*base)).collect();
            let shares = split_by_goods(money(freight), &goods);
            prop_assert_eq!(cents(&shares).iter().sum::<i64>(), freight);
            let (mut here, mut browser, mut due) = (0, 0, 0);
            for ((goods, share), (_, rate)) in goods.iter().zip(&shares).zip(&lines) {
                let base = goods.plus(*share).unwrap();
                let tax = tax_of(base, points(*rate));
                prop_assert!(tax <= base);
                here += tax.cents();
                browser += tax_in_a_browser(base.cents(), points(*rate).get());
                due += base.cents() + tax.cents();
            }
            prop_assert_eq!(here, browser);
            let goods: i64 = goods.iter().map(|line| line.cents()).sum();
            prop_assert_eq!(due, goods + freight + here);
        }

        #[test]
        fn no_share_is_more_than_a_cent_away_from_its_proportion(
            sum in 0..=Money::MAX.cents(),
            goods in proptest::collection::vec(0..=Money::MAX.cents(), 1..20),
        ) {
            let shares = split_by_goods(money(sum), &goods.iter().map(|cents| money(*cents)).collect::<Vec<_>>());
            prop_assert_eq!(cents(&shares).iter().sum::<i64>(), sum);
            let whole: i128 = goods.iter().map(|cents| i128::from(*cents)).sum();
            for (share, goods) in shares.iter().zip(&goods) {
                let away = i128::from(share.cents()) * whole - i128::from(sum) * i128::from(*goods);
                prop_assert!(whole == 0 || away.abs() < whole);
            }
        }
    }

    #[test]
    fn of_equal_remainders_the_first_lines_get_the_cents_that_are_left() {
        assert_eq!(cents(&split_by_goods(money(10), &[money(1), money(1), money(1), money(1)])), [3, 3, 2, 2]);
        assert_eq!(cents(&split_by_goods(money(10), &[money(1), money(3), money(3)])), [2, 4, 4]);
        assert_eq!(cents(&split_by_goods(money(5), &[money(9), money(1)])), [5, 0]);
    }
}
