//! Prices that fall with the quantity.

use thiserror::Error;

use crate::UnitPrice;

/// A step of a ladder: the price of one unit for quantities from `from` on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tier {
    /// The least quantity that it is for.
    pub from: u32,
    /// The price of one unit.
    pub unit: UnitPrice,
}

/// Up to [`Ladder::MAX`] tiers, by ascending and distinct quantities from 1 to [`Tier::FROM_MAX`]. May be empty.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ladder(Vec<Tier>);

/// Why tiers are no ladder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum LadderRefused {
    /// More than [`Ladder::MAX`] tiers.
    #[error("must be {} tiers or fewer", Ladder::MAX)]
    TooMany,
    /// A least quantity outside 1 to [`Tier::FROM_MAX`].
    #[error("must begin at 1 to 1,000,000,000 units")]
    From,
    /// Two tiers begin at the same quantity.
    #[error("two tiers begin at {0} units")]
    Twice(u32),
}

impl Tier {
    /// The largest least quantity: the largest quantity of an order.
    pub const FROM_MAX: u32 = 1_000_000_000;
}

impl Ladder {
    /// No tiers.
    pub const NONE: Self = Self(Vec::new());
    /// The maximum number of tiers.
    pub const MAX: usize = 20;

    /// A ladder of tiers in any order.
    ///
    /// # Errors
    /// [`LadderRefused`].
    pub fn new(mut tiers: Vec<Tier>) -> Result<Self, LadderRefused> {
        if tiers.len() > Self::MAX {
            return Err(LadderRefused::TooMany);
        }
        if tiers.iter().any(|tier| !(1..=Tier::FROM_MAX).contains(&tier.from)) {
            return Err(LadderRefused::From);
        }
        tiers.sort_by_key(|tier| tier.from);
        let twice = tiers.windows(2).find_map(|pair| match pair {
            [one, other] if one.from == other.from => Some(one.from),
            _ => None,
        });
        twice.map_or(Ok(Self(tiers)), |from| Err(LadderRefused::Twice(from)))
    }

    /// The tiers, by ascending quantities.
    #[must_use]
    pub fn tiers(&self) -> &[Tier] {
        &self.0
    }

    /// The lowest price among the tiers that a quantity reaches.
    #[must_use]
    pub fn lowest(&self, quantity: u32) -> Option<UnitPrice> {
        self.0.iter().filter(|tier| tier.from <= quantity).map(|tier| tier.unit).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(crate) fn tier(from: u32, dollars: f64) -> Tier {
        Tier { from, unit: UnitPrice::from_dollars(dollars).unwrap() }
    }

    #[test]
    fn tiers_are_sorted_and_begin_at_quantities_of_their_own() {
        let ladder = Ladder::new(vec![tier(200, 11.1), tier(50, 12.4)]).unwrap();
        assert_eq!(ladder.tiers().iter().map(|tier| tier.from).collect::<Vec<_>>(), [50, 200]);
        assert_eq!(Ladder::new(vec![tier(50, 12.4), tier(50, 11.1)]), Err(LadderRefused::Twice(50)));
        assert_eq!(Ladder::new(vec![tier(0, 12.4)]), Err(LadderRefused::From));
        assert_eq!(Ladder::new(vec![tier(Tier::FROM_MAX + 1, 12.4)]), Err(LadderRefused::From));
        let many = (1..=21).map(|from| tier(from, 1.0)).collect();
        assert_eq!(Ladder::new(many), Err(LadderRefused::TooMany));
    }

    #[test]
    fn a_quantity_reaches_the_tiers_that_begin_at_it_or_below() {
        let ladder = Ladder::new(vec![tier(50, 12.4), tier(200, 11.1)]).unwrap();
        for (quantity, expected) in
            [(49, None), (50, Some(1240)), (199, Some(1240)), (200, Some(1110)), (9999, Some(1110))]
        {
            assert_eq!(ladder.lowest(quantity).map(|unit| unit.money().cents()), expected, "{quantity}");
        }
    }

    #[test]
    fn twenty_tiers_up_to_a_billion_units_are_a_ladder() {
        let ladder = Ladder::new((1..=20).map(|from| tier(from, 1.0)).collect()).unwrap();
        assert_eq!(ladder.tiers().len(), 20);
        assert_eq!(Ladder::new(vec![tier(1_000_000_000, 1.0)]).unwrap().tiers(), [tier(1_000_000_000, 1.0)]);
    }
}
