//! The addresses that a customer keeps.

use crate::{Address, AddressId, Text, Timestamp};

/// How many addresses an account keeps at most.
pub const ADDRESSES_MAX: usize = 200;

/// An address in a customer's address book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptAddress {
    /// Its id.
    pub id: AddressId,
    /// Who receives what is sent there.
    pub name: Text<120>,
    /// A telephone number for the carrier.
    pub phone: Option<Text<40>>,
    /// Where it is.
    pub address: Address,
    /// Whether it is the one that is offered first; at most one of an account's is.
    pub is_default: bool,
    /// When it was added.
    pub added_at: Timestamp,
}
