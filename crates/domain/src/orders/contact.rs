//! The contact and delivery details of an order.

use crate::{Email, Text};

/// What the customer entered under Billing Details. A snapshot: later changes of the account do not affect it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contact {
    /// The customer's name, as entered.
    pub name: Text<120>,
    /// The customer's e-mail address: always the account's.
    pub email: Email,
    /// The telephone number, as entered.
    pub phone: Text<40>,
    /// The delivery address, as entered.
    pub address: Text<500>,
}
