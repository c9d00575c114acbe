//! Order quantities and minimum order quantities.

use thiserror::Error;

/// Units of one product in one order: from the shop's minimum of 50 up to [`Quantity::MAX`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Quantity(u32);

/// Why a number is not a quantity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum QuantityError {
    /// Below the shop's minimum.
    #[error("must be at least {}", Quantity::FLOOR)]
    BelowFloor,
    /// More than the stock of any product can be.
    #[error("must be 1,000,000,000 or less")]
    TooLarge,
}

impl Quantity {
    /// The shop's minimum order quantity (spec, section 9).
    pub const FLOOR: u32 = 50;
    /// The maximum stock of one product, so also the maximum of one order.
    pub const MAX: u32 = 1_000_000_000;

    /// A quantity from a number of units.
    ///
    /// # Errors
    /// [`QuantityError`] outside [`Quantity::FLOOR`] to [`Quantity::MAX`].
    pub fn new(units: i64) -> Result<Self, QuantityError> {
        if units < i64::from(Self::FLOOR) {
            return Err(QuantityError::BelowFloor);
        }
        u32::try_from(units).ok().filter(|units| *units <= Self::MAX).map(Self).ok_or(QuantityError::TooLarge)
    }

    /// The number of units.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0
    }
}

/// The minimum order quantity of one product. A product can raise the shop's minimum, never lower it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MinOrder(Quantity);

impl MinOrder {
    /// The effective minimum: the larger of the shop's minimum and the product's own.
    ///
    /// # Errors
    /// [`QuantityError::TooLarge`] above [`Quantity::MAX`].
    pub fn effective(asked: i64) -> Result<Self, QuantityError> {
        Quantity::new(asked.max(i64::from(Quantity::FLOOR))).map(Self)
    }

    /// The number of units.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0.get()
    }

    /// A stock of fewer units than this is low: it is used up by the next order or two.
    #[must_use]
    pub const fn low_stock_below(self) -> u32 {
        2 * self.get()
    }

    /// Whether a quantity meets this minimum.
    #[must_use]
    pub fn admits(self, quantity: Quantity) -> bool {
        quantity >= self.0
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn forty_nine_units_are_too_few_and_fifty_are_enough() {
        assert_eq!(Quantity::new(49), Err(QuantityError::BelowFloor));
        assert_eq!(Quantity::new(50).map(Quantity::get), Ok(50));
    }

    #[test]
    fn a_product_cannot_lower_the_shops_minimum() {
        assert_eq!(MinOrder::effective(1).map(MinOrder::get), Ok(50));
        assert_eq!(MinOrder::effective(-9).map(MinOrder::get), Ok(50));
        assert_eq!(MinOrder::effective(120).map(MinOrder::get), Ok(120));
    }

    proptest! {
        #[test]
        fn every_number_is_a_quantity_within_bounds_or_refused(units in any::<i64>()) {
            match Quantity::new(units) {
                Ok(quantity) => {
                    prop_assert_eq!(i64::from(quantity.get()), units);
                    prop_assert!((Quantity::FLOOR..=Quantity::MAX).contains(&quantity.get()));
                }
                Err(QuantityError::BelowFloor) => prop_assert!(units < i64::from(Quantity::FLOOR)),
                Err(QuantityError::TooLarge) => prop_assert!(units > i64::from(Quantity::MAX)),
            }
        }

        #[test]
        fn a_minimum_is_never_below_the_shops(asked in i64::MIN..=i64::from(Quantity::MAX)) {
            let minimum = MinOrder::effective(asked).unwrap();
            prop_assert!(minimum.get() >= Quantity::FLOOR);
            prop_assert!(i64::from(minimum.get()) >= asked);
        }
    }

    #[test]
    fn a_billion_units_are_a_quantity_and_one_more_is_none() {
        assert_eq!(Quantity::new(1_000_000_000).map(Quantity::get), Ok(1_000_000_000));
        assert_eq!(Quantity::new(1_000_000_001), Err(QuantityError::TooLarge));
        assert_eq!(MinOrder::effective(1_000_000_001), Err(QuantityError::TooLarge));
    }

    #[test]
    fn stock_is_low_below_two_minimum_orders() {
        assert_eq!(MinOrder::effective(50).unwrap().low_stock_below(), 100);
        assert_eq!(MinOrder::effective(120).unwrap().low_stock_below(), 240);
    }
}
