//! Where an order goes, and who answers the phone.

use crate::{Email, Text};

/// What the buyer typed into Billing Details. A snapshot: it does not follow the account's later changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contact {
    /// The buyer's name, as typed.
    pub name: Text<120>,
    /// The buyer's e-mail: always the account's.
    pub email: Email,
    /// A telephone number, as typed.
    pub phone: Text<40>,
    /// The delivery address, as typed.
    pub address: Text<500>,
}
