//! What lies on a shelf, and how it may change.

use std::str::FromStr;

use thiserror::Error;

use crate::{MinOrder, Quantity};

/// Units of one product on the shelf, from 0 to [`Quantity::MAX`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stock(u32);

/// Why the units asked for cannot be handed out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum TakeRefused {
    /// The order is smaller than this product's minimum.
    #[error("at least {minimum} have to be ordered")]
    BelowMinimum {
        /// The effective minimum, in units.
        minimum: u32,
    },
    /// There is less on the shelf than was asked for.
    #[error("only {left} are left")]
    NotEnough {
        /// What is left, in units.
        left: Stock,
    },
}

/// A number of units that no shelf can hold, or fewer than none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum StockError {
    /// Below zero.
    #[error("must not be negative")]
    Negative,
    /// More than a shelf can hold.
    #[error("is more than any shelf holds")]
    TooLarge,
}

impl Stock {
    /// An empty shelf.
    pub const NONE: Self = Self(0);

    /// A number of units on a shelf.
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

    /// Whether anything can be ordered at all: enough for the least order.
    #[must_use]
    pub const fn can_fill(self, minimum: MinOrder) -> bool {
        self.0 >= minimum.get()
    }

    /// What is left once an order's units are taken off the shelf.
    ///
    /// A product that cannot even fill its least order refuses every quantity for that reason.
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

    /// What is there once units arrive: a delivery, or a cancelled order's.
    ///
    /// # Errors
    /// [`StockError::TooLarge`] for more than a shelf can hold.
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

/// Why stock was counted anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CorrectionReason {
    /// Units broke.
    Breakage,
    /// Somebody had counted wrong.
    Miscount,
    /// Units are gone, and nobody knows where.
    Loss,
    /// Units turned up.
    Found,
    /// Something else; the note says what.
    Other,
}

impl CorrectionReason {
    /// Every reason there is.
    pub const ALL: [Self; 5] = [Self::Breakage, Self::Miscount, Self::Loss, Self::Found, Self::Other];

    /// Its name, in the database and on the wire.
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

/// Not a reason for which stock is corrected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must be breakage, miscount, loss, found or other")]
pub struct UnknownReason;

impl FromStr for CorrectionReason {
    type Err = UnknownReason;

    fn from_str(name: &str) -> Result<Self, UnknownReason> {
        Self::ALL.into_iter().find(|reason| reason.as_str() == name).ok_or(UnknownReason)
    }
}

/// How many units a correction adds or, below zero, takes away: never none, and no more than there can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StockDelta(i32);

/// Why a number corrects nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum DeltaError {
    /// It changes nothing.
    #[error("must not be 0")]
    Nothing,
    /// More than there can be.
    #[error("is more than can be in stock")]
    TooLarge,
}

impl StockDelta {
    /// A number of units that come or go.
    ///
    /// # Errors
    /// [`DeltaError`] for none, and beyond [`Quantity::MAX`] either way.
    pub fn new(units: i64) -> Result<Self, DeltaError> {
        match i32::try_from(units) {
            Ok(0) => Err(DeltaError::Nothing),
            Ok(units) if units.unsigned_abs() <= Quantity::MAX => Ok(Self(units)),
            _ => Err(DeltaError::TooLarge),
        }
    }

    /// The number of units; below zero if they go.
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
    fn a_shelf_below_the_minimum_sells_nothing() {
        let refused = Stock(49).take(Quantity::new(50).unwrap(), fifty());
        assert_eq!(refused, Err(TakeRefused::NotEnough { left: Stock(49) }));
    }

    #[test]
    fn a_correction_adds_or_takes_some_units_and_has_a_known_reason() {
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
        fn taking_and_giving_back_restores_the_shelf(
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
}
