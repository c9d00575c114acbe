//! The price of a unit: one function, which everything asks that shows, compares, charges or prints a price.

use crate::platform::money::MoneyError;
use crate::{Ladder, ListTerms, Money, Tier, UnitPrice};

/// What the price of one product depends on, for one customer at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PriceRules {
    /// The list price: for everybody, from one unit on.
    pub list: UnitPrice,
    /// The tiers for everybody.
    pub ladder: Ladder,
    /// What the customer's price lists say that apply at that moment.
    pub terms: Vec<ListTerms>,
}

impl PriceRules {
    /// What everybody pays.
    #[must_use]
    pub const fn for_everybody(list: UnitPrice, ladder: Ladder) -> Self {
        Self { list, ladder, terms: Vec::new() }
    }

    /// The price of one unit at a quantity: the lowest of all that apply.
    #[must_use]
    pub fn unit(&self, quantity: u32) -> UnitPrice {
        let everybody = self.ladder.lowest(quantity).map_or(self.list, |tier| tier.min(self.list));
        let special = self.terms.iter().filter_map(|terms| match terms {
            ListTerms::Off(percent) => Some(percent.off(everybody)),
            ListTerms::Prices(ladder) => ladder.lowest(quantity),
        });
        special.fold(everybody, UnitPrice::min)
    }

    /// The price of a quantity.
    ///
    /// # Errors
    /// [`MoneyError::TooLarge`] if it is no amount of money.
    pub fn total(&self, quantity: u32) -> Result<Money, MoneyError> {
        self.unit(quantity).money().times(quantity)
    }

    /// The tiers that a quantity can reach, from the least one that can be ordered on: at least one, each at a lower price
    /// than the one before.
    #[must_use]
    pub fn tiers(&self, least: u32) -> Vec<Tier> {
        let lists = self.terms.iter().filter_map(|terms| match terms {
            ListTerms::Off(_) => None,
            ListTerms::Prices(ladder) => Some(ladder),
        });
        let steps = lists.chain([&self.ladder]).flat_map(Ladder::tiers).map(|tier| tier.from);
        let mut froms: Vec<u32> = steps.filter(|from| *from > least).collect();
        froms.sort_unstable();
        let mut tiers = vec![Tier { from: least, unit: self.unit(least) }];
        for from in froms {
            let unit = self.unit(from);
            if tiers.last().is_some_and(|last| unit < last.unit) {
                tiers.push(Tier { from, unit });
            }
        }
        tiers
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Percent;

    fn cents(cents: i64) -> UnitPrice {
        UnitPrice::from_cents(cents).unwrap()
    }

    fn ladder(tiers: &[(u32, i64)]) -> Ladder {
        Ladder::new(tiers.iter().map(|(from, unit)| Tier { from: *from, unit: cents(*unit) }).collect()).unwrap()
    }

    #[test]
    fn the_lowest_price_that_applies_is_the_price() {
        let everybody = PriceRules::for_everybody(cents(1300), ladder(&[(50, 1240), (200, 1110), (1000, 995)]));
        for (quantity, expected) in [(1, 1300), (50, 1240), (199, 1240), (200, 1110), (1000, 995)] {
            assert_eq!(everybody.unit(quantity), cents(expected), "{quantity}");
        }
        let two_lists = PriceRules {
            terms: vec![ListTerms::Off(Percent::new(1000).unwrap()), ListTerms::Prices(ladder(&[(100, 1050)]))],
            ..everybody.clone()
        };
        // 10 % off what everybody pays at that quantity, or the list's own price.
        for (quantity, expected) in [(50, 1116), (100, 1050), (200, 999), (1000, 896)] {
            assert_eq!(two_lists.unit(quantity), cents(expected), "{quantity}");
        }
        let dearer = PriceRules { terms: vec![ListTerms::Prices(ladder(&[(1, 9999)]))], ..everybody };
        assert_eq!(dearer.unit(50), cents(1240));
    }

    #[test]
    fn the_tiers_begin_at_the_least_quantity_and_only_fall() {
        let rules = PriceRules::for_everybody(cents(1300), ladder(&[(10, 1290), (50, 1240), (200, 1250), (1000, 995)]));
        let shown: Vec<_> = rules.tiers(50).iter().map(|tier| (tier.from, tier.unit.money().cents())).collect();
        assert_eq!(shown, [(50, 1240), (1000, 995)]);
        let plain = PriceRules::for_everybody(cents(1300), Ladder::NONE);
        assert_eq!(plain.tiers(60), [Tier { from: 60, unit: cents(1300) }]);
    }

    fn any_ladder() -> impl Strategy<Value = Ladder> {
        proptest::collection::btree_map(1_u32..5000, 1_i64..100_000, 0..6)
            .prop_map(|tiers| ladder(&tiers.into_iter().collect::<Vec<_>>()))
    }

    fn any_rules() -> impl Strategy<Value = PriceRules> {
        let terms = prop_oneof![
            (1_u32..10_000).prop_map(|points| ListTerms::Off(Percent::new(points).unwrap())),
            any_ladder().prop_map(ListTerms::Prices),
        ];
        (1_i64..100_000, any_ladder(), proptest::collection::vec(terms, 0..4))
            .prop_map(|(list, ladder, terms)| PriceRules { list: cents(list), ladder, terms })
    }

    proptest! {
        #[test]
        fn a_unit_never_costs_more_because_more_are_ordered(rules in any_rules(), one in 1_u32..6000, more in 0_u32..6000) {
            prop_assert!(rules.unit(one + more) <= rules.unit(one));
        }

        #[test]
        fn a_further_list_never_raises_a_price(rules in any_rules(), quantity in 1_u32..6000) {
            let fewer = PriceRules { terms: rules.terms.iter().skip(1).cloned().collect(), ..rules.clone() };
            prop_assert!(rules.unit(quantity) <= fewer.unit(quantity));
        }

        #[test]
        fn the_tiers_that_are_shown_say_what_every_quantity_costs(rules in any_rules(), least in 1_u32..500, more in 0_u32..6000) {
            let (tiers, quantity) = (rules.tiers(least), least + more);
            let reached = tiers.iter().rfind(|tier| tier.from <= quantity).unwrap();
            prop_assert_eq!(reached.unit, rules.unit(quantity));
        }
    }

    #[test]
    fn a_quantity_costs_its_units_at_the_price_of_one() {
        let rules = PriceRules::for_everybody(cents(1300), ladder(&[(50, 1240)]));
        assert_eq!(rules.total(49), Money::from_cents(63_700));
        assert_eq!(rules.total(50), Money::from_cents(62_000));
        let dear = PriceRules::for_everybody(cents(UnitPrice::MAX_CENTS), Ladder::NONE);
        assert_eq!(dear.total(u32::MAX), Err(MoneyError::TooLarge));
    }
}
