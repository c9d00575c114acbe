//! What the store assigns to an order: its number, and until when its units are reserved.

use std::fmt;

use thiserror::Error;

use crate::Timestamp;

/// The order number that customers and staff use, such as `DL-10428`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OrderNumber(u64);

/// Not a valid order number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("is not an order's number")]
pub struct NotAnOrderNumber;

impl OrderNumber {
    /// Wraps a number of at least 1.
    ///
    /// # Errors
    /// [`NotAnOrderNumber`] below 1.
    pub fn new(number: i64) -> Result<Self, NotAnOrderNumber> {
        u64::try_from(number).ok().filter(|number| *number > 0).map(Self).ok_or(NotAnOrderNumber)
    }
}

impl fmt::Display for OrderNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DL-{}", self.0)
    }
}

/// What the store assigns when an order is placed: from its own sequence and its own clock, which all instances of the
/// shop share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StoreAssigned {
    /// The order number; `None` before the order is stored.
    pub number: Option<OrderNumber>,
    /// When the reservation of its units expires while it is unpaid; `None` before the order is stored.
    pub reserved_until: Option<Timestamp>,
}
