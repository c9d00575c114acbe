//! Stock levels, and how they may change.

use std::str::FromStr;

use thiserror::Error;

use crate::{MinOrder, Quantity};

/// Units of one product in stock, from 0 to [`Quantity::MAX`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stock(u32);

/// Why the units cannot be taken from stock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum TakeRefused {
    /// The quantity is below this product's minimum.
    #[error("at least {minimum} have to be ordered")]
    BelowMinimum {
        /// The effective minimum order quantity, in units.
        minimum: u32,
    },
    /// The stock is smaller than the quantity, or than the minimum order.
    #[error("only {left} are left")]
    NotEnough {
        /// The current stock.
        left: Stock,
    },
}

/// Why a product's stock was not corrected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum CorrectStockRefused {
    /// There is no such product.
    #[error("no such product")]
    Unknown,
    /// Fewer units are in stock than the correction would remove.
    #[error("only {left} are left")]
    NotEnough {
        /// The current stock.
        left: Stock,
    },
    /// The stock would exceed its maximum.
    #[error("more than can be in stock")]
    TooMuch,
}

/// Why a number is not a stock level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum StockError {
    /// Below zero.
    #[error("must not be negative")]
    Negative,
    /// Above [`Quantity::MAX`].
    #[error("must be 1,000,000,000 or less")]
    TooLarge,
}

impl Stock {
    /// Out of stock.
    pub const NONE: Self = Self(0);

    /// A stock level from a number of units.
    ///
    /// # Errors
    /// [`StockError`] outside 0 to [`Quantity::MAX`].
    pub fn new(units: i64) -> Result<Self, StockError> {
        if units < 0 {
            return Err(StockError::Negative);
        }
        u32::try_from(units).ok().filter(|units| *units <= Quantity::MAX).map(Self).ok_or(StockError::TooLarge)
    }

    /// The number of units.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0
    }

    /// Whether the stock is enough for a minimum order, so that the product can be ordered at all.
    #[must_use]
    pub const fn can_fill(self, minimum: MinOrder) -> bool {
        self.0 >= minimum.get()
    }

    /// The stock that remains after an order's units are taken.
    ///
    /// If the stock does not cover the minimum order, every quantity is refused with [`TakeRefused::NotEnough`].
    ///
    /// # Errors
    /// [`TakeRefused`], and nothing is taken.
    pub fn take(self, quantity: Quantity, minimum: MinOrder) -> Result<Self, TakeRefused> {
        if !self.can_fill(minimum) {
            return Err(TakeRefused::NotEnough { left: self });
        }
        if !minimum.admits(quantity) {
            return Err(TakeRefused::BelowMinimum { minimum: minimum.get() });
        }
        self.0.checked_sub(quantity.get()).map(Self).ok_or(TakeRefused::NotEnough { left: self })
    }

    /// The stock after units are added: by a delivery, or from a cancelled order.
    ///
    /// # Errors
    /// [`StockError::TooLarge`] above [`Quantity::MAX`].
    pub fn receive(self, arriving: Stock) -> Result<Self, StockError> {
        Self::new(i64::from(self.0) + i64::from(arriving.0))
    }
}

impl From<Quantity> for Stock {
    fn from(quantity: Quantity) -> Self {
        Self(quantity.get())
    }
}

impl std::fmt::Display for Stock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// Why stock was corrected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CorrectionReason {
    /// Units were damaged.
    Breakage,
    /// An earlier count was wrong.
    Miscount,
    /// Units are missing without a known cause.
    Loss,
    /// Units that were missing were found.
    Found,
    /// Any other reason; the note explains it.
    Other,
}

impl CorrectionReason {
    /// Every reason.
    pub const ALL: [Self; 5] = [Self::Breakage, Self::Miscount, Self::Loss, Self::Found, Self::Other];

    /// The name, in the database and on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Breakage => "breakage",
            Self::Miscount => "miscount",
            Self::Loss => "loss",
            Self::Found => "found",
            Self::Other => "other",
        }
    }
}

/// Not the name of a correction reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must be breakage, miscount, loss, found or other")]
pub struct UnknownReason;

impl FromStr for CorrectionReason {
    type Err = UnknownReason;

    fn from_str(name: &str) -> Result<Self, UnknownReason> {
        Self::ALL.into_iter().find(|reason| reason.as_str() == name).ok_or(UnknownReason)
    }
}

/// The number of units that a stock correction adds or, if negative, removes: never 0, and at most [`Quantity::MAX`]
/// either way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StockDelta(i32);

/// Why a number is not a valid correction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum DeltaError {
    /// Zero, which changes nothing.
    #[error("must not be 0")]
    Nothing,
    /// Beyond [`Quantity::MAX`] in either direction.
    #[error("is more than can be in stock")]
    TooLarge,
}

impl StockDelta {
    /// A correction by a number of units.
    ///
    /// # Errors
    /// [`DeltaError`] for 0, and beyond [`Quantity::MAX`] in either direction.
    pub fn new(units: i64) -> Result<Self, DeltaError> {
        match i32::try_from(units) {
            Ok(0) => Err(DeltaError::Nothing),
            Ok(units) if units.unsigned_abs() <= Quantity::MAX => Ok(Self(units)),
            _ => Err(DeltaError::TooLarge),
        }
    }

    /// The number of units; negative if they are removed.
    #[must_use]
    pub const fn get(self) -> i32 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn fifty() -> MinOrder {
        MinOrder::effective(50).unwrap()
    }

    #[test]
    fn stock_below_the_minimum_order_cannot_be_sold() {
        let refused = Stock(49).take(Quantity::new(50).unwrap(), fifty());
        assert_eq!(refused, Err(TakeRefused::NotEnough { left: Stock(49) }));
    }

    #[test]
    fn a_correction_is_not_zero_is_within_bounds_and_has_a_known_reason() {
        for (units, expected) in [
            (-7, Ok(StockDelta(-7))),
            (0, Err(DeltaError::Nothing)),
            (1_000_000_000, Ok(StockDelta(1_000_000_000))),
            (-1_000_000_001, Err(DeltaError::TooLarge)),
            (i64::MIN, Err(DeltaError::TooLarge)),
        ] {
            assert_eq!(StockDelta::new(units), expected, "{units}");
        }
        for reason in CorrectionReason::ALL {
            assert_eq!(reason.as_str().parse(), Ok(reason));
        }
        assert_eq!("theft".parse::<CorrectionReason>(), Err(UnknownReason));
    }

    #[test]
    fn an_order_below_a_raised_minimum_is_refused() {
        let refused = Stock(500).take(Quantity::new(60).unwrap(), MinOrder::effective(100).unwrap());
        assert_eq!(refused, Err(TakeRefused::BelowMinimum { minimum: 100 }));
    }

    #[test]
    fn the_last_units_can_be_sold() {
        assert_eq!(Stock(50).take(Quantity::new(50).unwrap(), fifty()), Ok(Stock::NONE));
    }

    proptest! {
        #[test]
        fn taking_and_returning_units_restores_the_stock(
            units in 0..=i64::from(Quantity::MAX),
            asked in i64::from(Quantity::FLOOR)..=i64::from(Quantity::MAX),
            minimum in 0..=i64::from(Quantity::MAX),
        ) {
            let stock = Stock::new(units).unwrap();
            let quantity = Quantity::new(asked).unwrap();
            let minimum = MinOrder::effective(minimum).unwrap();
            match stock.take(quantity, minimum) {
                Ok(left) => {
                    prop_assert_eq!(i64::from(left.get()), units - asked);
                    prop_assert!(minimum.admits(quantity));
                    prop_assert_eq!(left.receive(quantity.into()), Ok(stock));
                }
                Err(TakeRefused::NotEnough { left }) => {
                    prop_assert_eq!(left, stock);
                    prop_assert!(asked > units || units < i64::from(minimum.get()));
                }
                Err(TakeRefused::BelowMinimum { .. }) => prop_assert!(asked < i64::from(minimum.get())),
            }
        }

        #[test]
        fn any_sequence_of_takes_never_goes_below_zero(
            units in 0..10_000_i64,
            asks in proptest::collection::vec(50..500_i64, 0..60),
        ) {
            let mut stock = Stock::new(units).unwrap();
            let mut sold = 0;
            for ask in asks {
                if let Ok(left) = stock.take(Quantity::new(ask).unwrap(), fifty()) {
                    stock = left;
                    sold += ask;
                }
            }
            prop_assert_eq!(sold + i64::from(stock.get()), units);
        }
    }

    #[test]
    fn stock_is_from_nothing_to_a_billion_units() {
        for (units, expected) in [
            (-1, Err(StockError::Negative)),
            (0, Ok(Stock::NONE)),
            (1_000_000_000, Ok(Stock(1_000_000_000))),
            (1_000_000_001, Err(StockError::TooLarge)),
        ] {
            assert_eq!(Stock::new(units), expected, "{units}");
        }
        assert_eq!(Stock(999_999_999).receive(Stock(1)), Ok(Stock(1_000_000_000)));
        assert_eq!(Stock(1_000_000_000).receive(Stock(1)), Err(StockError::TooLarge));
        assert_eq!(TakeRefused::NotEnough { left: Stock(640) }.to_string(), "only 640 are left");
    }

    #[test]
    fn a_correction_changes_the_stock_by_its_units() {
        for units in [-1_000_000_000, -7, 3] {
            assert_eq!(i64::from(StockDelta::new(units).unwrap().get()), units);
        }
    }
}
