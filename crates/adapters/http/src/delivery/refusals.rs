//! What clients read when a use case of deliveries refuses.

use domain::ADDRESSES_MAX;
use ports::{AddressBookFull, MethodNameTaken};

use crate::problem::{FieldError, Problem};

impl From<MethodNameTaken> for Problem {
    fn from(_: MethodNameTaken) -> Self {
        let message = "Another shipping method has this name";
        Self::conflict("name-taken", "Name taken", message)
            .about(vec![FieldError { field: "name".into(), message: message.into() }])
    }
}

impl From<AddressBookFull> for Problem {
    fn from(_: AddressBookFull) -> Self {
        let message = format!("Your address book holds up to {ADDRESSES_MAX} addresses. Remove one to add another.");
        Self::conflict("address-book-full", "Address book full", message).with("most", ADDRESSES_MAX)
    }
}
