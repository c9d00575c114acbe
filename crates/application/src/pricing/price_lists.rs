//! Price lists and ladders, for the admins.

use domain::accounts::access::Denied;
use domain::{Caller, Email, Ladder, Permission, PriceListDetails, PriceListRefused, ProductId};
use ports::{ListedPrices, PriceList, PriceListId};

use crate::{Failure, Pricing};

/// Why the prices of a list were not replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SetPricesRefused {
    /// The list takes a percentage off instead.
    IsPercentage,
    /// There are no such products.
    UnknownProducts(Vec<ProductId>),
}

/// There are no accounts with these addresses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownAccounts(pub Vec<Email>);

impl Pricing {
    /// Replaces the tiers of a product.
    ///
    /// # Errors
    /// [`Denied`] to anyone but an admin, and for a product that is not for sale.
    pub async fn set_tiers(&self, caller: &Caller, product: ProductId, ladder: &Ladder) -> Result<(), Failure> {
        caller.require(Permission::ManageProducts)?;
        let written = self.prices.set_tiers(product, ladder).await?;
        self.forget();
        if written { Ok(()) } else { Err(Denied::NotFound.into()) }
    }

    /// All price lists.
    ///
    /// # Errors
    /// [`Denied`] to anyone but an admin.
    pub async fn price_lists(&self, caller: &Caller) -> Result<Vec<PriceList>, Failure> {
        caller.require(Permission::ManageProducts)?;
        Ok(self.prices.lists().await?)
    }

    /// Adds a price list, and returns its id.
    ///
    /// # Errors
    /// [`PriceListRefused`]; [`Denied`] to anyone but an admin.
    pub async fn add_price_list(
        &self,
        caller: &Caller,
        details: &PriceListDetails,
    ) -> Result<PriceListId, Failure<PriceListRefused>> {
        caller.require(Permission::ManageProducts)?;
        let added = self.prices.add_list(details).await?;
        self.forget();
        Ok(added)
    }

    /// Replaces what is said of a price list. One that gets a percentage loses its prices.
    ///
    /// # Errors
    /// [`PriceListRefused`]; [`Denied`] to anyone but an admin.
    pub async fn edit_price_list(
        &self,
        caller: &Caller,
        id: PriceListId,
        details: &PriceListDetails,
    ) -> Result<(), Failure<PriceListRefused>> {
        caller.require(Permission::ManageProducts)?;
        self.prices.edit_list(id, details).await?;
        self.forget();
        Ok(())
    }

    /// Removes a price list; `false` if there is none.
    ///
    /// # Errors
    /// [`Denied`] to anyone but an admin.
    pub async fn remove_price_list(&self, caller: &Caller, id: PriceListId) -> Result<bool, Failure> {
        caller.require(Permission::ManageProducts)?;
        let removed = self.prices.remove_list(id).await?;
        self.forget();
        Ok(removed)
    }

    /// The prices of a list.
    ///
    /// # Errors
    /// [`Denied`] to anyone but an admin, and for a list that does not exist.
    pub async fn prices_of_list(&self, caller: &Caller, id: PriceListId) -> Result<Vec<ListedPrices>, Failure> {
        caller.require(Permission::ManageProducts)?;
        self.prices.prices_of(id).await?.ok_or(Denied::NotFound.into())
    }

    /// Replaces the prices of a list.
    ///
    /// # Errors
    /// [`SetPricesRefused`]; [`Denied`] to anyone but an admin, and for a list that does not exist.
    pub async fn set_prices_of_list(
        &self,
        caller: &Caller,
        id: PriceListId,
        prices: &[(ProductId, Ladder)],
    ) -> Result<(), Failure<SetPricesRefused>> {
        caller.require(Permission::ManageProducts)?;
        let lists = self.prices.lists().await?;
        let list = lists.into_iter().find(|list| list.id == id).ok_or(Denied::NotFound)?;
        if list.details.percent.is_some() {
            return Err(Failure::Refused(SetPricesRefused::IsPercentage));
        }
        let written = self.prices.set_prices(id, prices).await;
        let written = written.map_err(|error| Failure::from(error).map(SetPricesRefused::UnknownProducts))?;
        self.forget();
        if written { Ok(()) } else { Err(Denied::NotFound.into()) }
    }

    /// The addresses of the accounts that have a list.
    ///
    /// # Errors
    /// [`Denied`] to anyone but an admin, and for a list that does not exist.
    pub async fn accounts_of_list(&self, caller: &Caller, id: PriceListId) -> Result<Vec<Email>, Failure> {
        caller.require(Permission::ManageProducts)?;
        self.prices.accounts_of(id).await?.ok_or(Denied::NotFound.into())
    }

    /// Gives a list to exactly these accounts.
    ///
    /// # Errors
    /// [`UnknownAccounts`]; [`Denied`] to anyone but an admin, and for a list that does not exist.
    pub async fn set_accounts_of_list(
        &self,
        caller: &Caller,
        id: PriceListId,
        emails: &[Email],
    ) -> Result<(), Failure<UnknownAccounts>> {
        caller.require(Permission::ManageProducts)?;
        let written = self.prices.set_accounts(id, emails).await;
        let written = written.map_err(|error| Failure::from(error).map(UnknownAccounts))?;
        self.forget();
        if written { Ok(()) } else { Err(Denied::NotFound.into()) }
    }
}
