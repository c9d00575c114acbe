//! How an order was bought: alone, or as a line of a checkout.

use crate::platform::money::MoneyError;
use crate::{CheckoutId, Money, Text};

/// What an order owes besides its goods: its parts of its checkout's freight and tax.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Charges {
    /// Its part of the freight.
    pub shipping: Money,
    /// The tax on its goods and its freight.
    pub tax: Money,
}

impl Charges {
    /// Neither freight nor tax.
    pub const NONE: Self = Self { shipping: Money::ZERO, tax: Money::ZERO };

    /// What is due for goods with these charges.
    ///
    /// # Errors
    /// [`MoneyError::TooLarge`] if that is no amount of money.
    pub fn due(self, goods: Money) -> Result<Money, MoneyError> {
        goods.plus(self.shipping)?.plus(self.tax)
    }
}

/// The line of a checkout that an order is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CheckoutLine {
    /// The checkout.
    pub checkout: CheckoutId,
    /// Which line of it, from 1.
    pub line: u16,
    /// What it owes besides its goods; `None` while the freight waits for an admin's figure.
    pub charges: Option<Charges>,
}

/// How an order was bought.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Purchase {
    /// The line of a checkout that it is; `None` if it was bought alone.
    pub line: Option<CheckoutLine>,
    /// The customer's purchase order number.
    pub po_number: Option<Text<60>>,
}
