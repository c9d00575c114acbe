//! One's own address book.

use domain::accounts::access::Denied;
use domain::{Address, AddressId, Caller, Email, KeptAddress, Permission, Text};
use ports::{AddressBookFull, IdempotencyKey, NewAddress};

use crate::{Delivery, Failure};

/// An address that a customer wants to keep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddressEntry {
    pub name: Text<120>,
    pub phone: Option<Text<40>>,
    pub address: Address,
    pub is_default: bool,
}

impl Delivery {
    /// The caller's addresses: the default first, then those added last first.
    ///
    /// # Errors
    /// [`Failure::Unavailable`].
    pub async fn addresses(&self, caller: &Caller) -> Result<Vec<KeptAddress>, Failure> {
        caller.require_owner(Permission::KeepAddresses, caller.account)?;
        Ok(self.address_book.list(caller.account).await?)
    }

    /// The addresses that a customer keeps, as [`Self::addresses`].
    ///
    /// # Errors
    /// [`Failure::Denied`] to anyone but an admin, and if no account has this address.
    pub async fn addresses_of(&self, caller: &Caller, email: &str) -> Result<Vec<KeptAddress>, Failure> {
        caller.require(Permission::ListAccounts)?;
        let email: Email = email.parse().map_err(|_| Denied::NotFound)?;
        let found = self.accounts.by_email(&email).await?.ok_or(Denied::NotFound)?;
        Ok(self.address_book.list(found.account.id).await?)
    }

    /// Keeps an address. The first one becomes the default.
    ///
    /// # Errors
    /// [`AddressBookFull`].
    pub async fn keep_address(
        &self,
        caller: &Caller,
        entry: AddressEntry,
        idempotency_key: Option<IdempotencyKey>,
    ) -> Result<KeptAddress, Failure<AddressBookFull>> {
        caller.require_owner(Permission::KeepAddresses, caller.account)?;
        let kept = self.kept(AddressId::new(self.ids.fresh()), entry);
        let new = NewAddress { account: caller.account, kept, idempotency_key };
        Ok(self.address_book.add(&new).await?)
    }

    /// Replaces an address of the caller's.
    ///
    /// # Errors
    /// [`Failure::Denied`] if the caller has no such address.
    pub async fn edit_address(
        &self,
        caller: &Caller,
        id: AddressId,
        entry: AddressEntry,
    ) -> Result<KeptAddress, Failure> {
        caller.require_owner(Permission::KeepAddresses, caller.account)?;
        let kept = self.kept(id, entry);
        Ok(self.address_book.replace(caller.account, &kept).await?.ok_or(Denied::NotFound)?)
    }

    /// Removes an address of the caller's.
    ///
    /// # Errors
    /// [`Failure::Denied`] if the caller has no such address.
    pub async fn remove_address(&self, caller: &Caller, id: AddressId) -> Result<(), Failure> {
        caller.require_owner(Permission::KeepAddresses, caller.account)?;
        if self.address_book.remove(caller.account, id).await? { Ok(()) } else { Err(Denied::NotFound.into()) }
    }

    fn kept(&self, id: AddressId, entry: AddressEntry) -> KeptAddress {
        let AddressEntry { name, phone, address, is_default } = entry;
        KeptAddress { id, name, phone, address, is_default, added_at: self.clock.now() }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::{AccountId, Role, TypedAddress};
    use ports::{MockAccountRepository, MockAddressBook};
    use uuid::Uuid;

    use super::*;
    use crate::Ports;
    use crate::testing::{caller, credentials, now, ports};

    fn entry() -> AddressEntry {
        let typed = TypedAddress {
            line1: Some("1 Workshop Lane"),
            city: Some("Berlin"),
            postcode: Some("10115"),
            country: Some("DE"),
            ..TypedAddress::default()
        };
        let address = Address::new(&typed).unwrap();
        AddressEntry { name: Text::new("Nia").unwrap(), phone: None, address, is_default: true }
    }

    fn kept(id: u128) -> KeptAddress {
        let AddressEntry { name, phone, address, .. } = entry();
        let id = AddressId::new(Uuid::from_u128(id));
        KeptAddress { id, name, phone, address, is_default: false, added_at: now() }
    }

    /// An address book that is read once, for its owner.
    fn book_of(owner: AccountId) -> MockAddressBook {
        let mut book = MockAddressBook::new();
        book.expect_list().times(1).withf(move |account| *account == owner).returning(|_| Ok(vec![kept(2), kept(1)]));
        book
    }

    #[tokio::test]
    async fn a_customer_lists_the_addresses_of_their_own_book() {
        let customer = caller(Role::Customer);
        let service = Delivery::new(&Ports { address_book: Arc::new(book_of(customer.account)), ..ports() });
        assert_eq!(service.addresses(&customer).await.unwrap(), [kept(2), kept(1)]);
    }

    #[tokio::test]
    async fn only_an_admin_lists_the_addresses_that_a_customer_keeps() {
        let nia = "nia@example.com";
        let mut accounts = MockAccountRepository::new();
        accounts.expect_by_email().returning(move |email| Ok((email.as_str() == nia).then(|| credentials(nia))));
        let book = book_of(credentials(nia).account.id);
        let service = Delivery::new(&Ports { accounts: Arc::new(accounts), address_book: Arc::new(book), ..ports() });
        let admin = caller(Role::Admin);
        assert_eq!(service.addresses_of(&admin, nia).await.unwrap(), [kept(2), kept(1)]);
        for nobody in ["kim@example.com", "kim"] {
            let missing = service.addresses_of(&admin, nobody).await;
            assert!(matches!(missing, Err(Failure::Denied(Denied::NotFound))), "{nobody}");
        }
        let refused = service.addresses_of(&caller(Role::Customer), nia).await;
        assert!(matches!(refused, Err(Failure::Denied(Denied::Forbidden))));
    }

    #[tokio::test]
    async fn an_address_is_kept_for_its_owner() {
        let mut book = MockAddressBook::new();
        book.expect_add()
            .times(1)
            .withf(|new| new.account == caller(Role::Customer).account && new.kept.is_default)
            .returning(|new| Ok(new.kept.clone()));
        let service = Delivery::new(&Ports { address_book: Arc::new(book), ..ports() });
        let kept = service.keep_address(&caller(Role::Customer), entry(), None).await.unwrap();
        assert_eq!(kept.address, entry().address);
    }

    #[tokio::test]
    async fn an_address_that_the_caller_does_not_have_is_not_found_even_by_an_admin() {
        let mut book = MockAddressBook::new();
        book.expect_replace().returning(|_, _| Ok(None));
        book.expect_remove().returning(|_, _| Ok(false));
        let service = Delivery::new(&Ports { address_book: Arc::new(book), ..ports() });
        let id = AddressId::new(Uuid::from_u128(1));
        let edited = service.edit_address(&caller(Role::Admin), id, entry()).await;
        assert!(matches!(edited, Err(Failure::Denied(Denied::NotFound))));
        let removed = service.remove_address(&caller(Role::Admin), id).await;
        assert!(matches!(removed, Err(Failure::Denied(Denied::NotFound))));
    }
}
