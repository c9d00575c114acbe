//! What a payment pays for.

use std::fmt;
use std::str::FromStr;

use crate::platform::id::NotAnId;
use crate::{CheckoutId, Money, OrderId};

/// What a payment is opened for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Payable {
    /// One order.
    Order(OrderId),
    /// All orders of a checkout that are neither paid nor cancelled.
    Checkout(CheckoutId),
}

/// What distinguishes a checkout from an order where both are a text.
const CHECKOUT: &str = "checkout-";

impl fmt::Display for Payable {
    /// An order's id as it is, because there were no checkouts at first.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Order(id) => id.fmt(f),
            Self::Checkout(id) => write!(f, "{CHECKOUT}{id}"),
        }
    }
}

impl FromStr for Payable {
    type Err = NotAnId;

    fn from_str(text: &str) -> Result<Self, NotAnId> {
        match text.strip_prefix(CHECKOUT) {
            Some(id) => id.parse().map(Self::Checkout),
            None => text.parse().map(Self::Order),
        }
    }
}

impl Payable {
    /// What names the attempt to pay an amount for it, so that a provider opens one payment. What is due for an order stays the
    /// same; what is due for a checkout does not.
    #[must_use]
    pub fn attempt_name(self, attempt: u32, amount: Money) -> String {
        match self {
            Self::Order(_) => format!("{self}-{attempt}"),
            Self::Checkout(_) => format!("{self}-{attempt}-{}", amount.cents()),
        }
    }

    /// The order, if it is one.
    #[must_use]
    pub const fn order(self) -> Option<OrderId> {
        match self {
            Self::Order(id) => Some(id),
            Self::Checkout(_) => None,
        }
    }
}

/// How much of a payment is for one order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PaymentShare {
    /// The order.
    pub order: OrderId,
    /// Exactly what was due for it.
    pub amount: Money,
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn an_order_and_a_checkout_of_the_same_id_have_different_texts() {
        let id = Uuid::from_u128(7);
        for (payable, text) in [
            (Payable::Order(OrderId::new(id)), id.to_string()),
            (Payable::Checkout(CheckoutId::new(id)), format!("checkout-{id}")),
        ] {
            assert_eq!(payable.to_string(), text);
            assert_eq!(text.parse(), Ok(payable));
        }
        assert!("checkout-x".parse::<Payable>().is_err());
        assert_eq!(Payable::Order(OrderId::new(id)).order(), Some(OrderId::new(id)));
        assert_eq!(Payable::Checkout(CheckoutId::new(id)).order(), None);
    }

    #[test]
    fn another_amount_is_another_attempt_for_a_checkout_and_not_for_an_order() {
        let (id, amount) = (Uuid::from_u128(7), Money::from_cents(1_250).unwrap());
        assert_eq!(Payable::Order(OrderId::new(id)).attempt_name(2, amount), format!("{id}-2"));
        let checkout = Payable::Checkout(CheckoutId::new(id));
        assert_eq!(checkout.attempt_name(2, amount), format!("checkout-{id}-2-1250"));
    }
}
