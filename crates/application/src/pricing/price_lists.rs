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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::{Percent, Role, Text, Tier, UnitPrice};
    use ports::{MockPriceRepository, WriteError};
    use uuid::Uuid;

    use super::*;
    use crate::Ports;
    use crate::testing::{caller, denial, ports, product};

    /// A list with prices of its own.
    const FLEET: PriceListId = 7;
    /// A list that takes a percentage off.
    const GARAGES: PriceListId = 8;
    /// The id of no list.
    const NONE: PriceListId = 9;

    fn details(percent: Option<u32>) -> PriceListDetails {
        PriceListDetails {
            name: Text::new("Fleet").unwrap(),
            percent: percent.map(|points| Percent::new(points).unwrap()),
            priority: 0,
            valid_from: None,
            valid_until: None,
        }
    }

    fn stored_lists() -> Vec<PriceList> {
        let list = |id, percent| PriceList { id, details: details(percent), accounts: 2, prices: 3 };
        vec![list(FLEET, None), list(GARAGES, Some(1_000))]
    }

    fn ladder() -> Ladder {
        Ladder::new(vec![Tier { from: 50, unit: UnitPrice::from_cents(11_500).unwrap() }]).unwrap()
    }

    fn prices_of_fleet() -> [(ProductId, Ladder); 1] {
        [(product().id, ladder())]
    }

    fn emails() -> Vec<Email> {
        vec!["fleet@example.com".parse().unwrap()]
    }

    fn admin() -> Caller {
        caller(Role::Admin)
    }

    fn pricing(prices: MockPriceRepository) -> Pricing {
        Pricing::new(&Ports { prices: Arc::new(prices), ..ports() })
    }

    #[tokio::test]
    async fn what_an_admin_says_of_a_price_list_is_stored_and_listed() {
        let mut prices = MockPriceRepository::new();
        prices.expect_lists().times(1).returning(|| Ok(stored_lists()));
        prices.expect_add_list().times(1).withf(|said| *said == details(None)).returning(|_| Ok(FLEET));
        prices
            .expect_edit_list()
            .times(1)
            .withf(|id, said| *id == FLEET && *said == details(Some(1_000)))
            .returning(|_, _| Ok(()));
        let pricing = pricing(prices);
        assert_eq!(pricing.add_price_list(&admin(), &details(None)).await.unwrap(), FLEET);
        pricing.edit_price_list(&admin(), FLEET, &details(Some(1_000))).await.unwrap();
        assert_eq!(pricing.price_lists(&admin()).await.unwrap(), stored_lists());
    }

    #[tokio::test]
    async fn a_taken_name_and_an_unknown_list_are_refused_as_such() {
        let mut prices = MockPriceRepository::new();
        prices.expect_add_list().returning(|_| Err(WriteError::Refused(PriceListRefused::NameTaken)));
        prices.expect_edit_list().returning(|_, _| Err(WriteError::Refused(PriceListRefused::Unknown)));
        let pricing = pricing(prices);
        let added = pricing.add_price_list(&admin(), &details(None)).await;
        assert!(matches!(added, Err(Failure::Refused(PriceListRefused::NameTaken))), "{added:?}");
        let edited = pricing.edit_price_list(&admin(), NONE, &details(None)).await;
        assert!(matches!(edited, Err(Failure::Refused(PriceListRefused::Unknown))), "{edited:?}");
    }

    #[tokio::test]
    async fn whoever_removes_a_list_learns_whether_there_was_one() {
        let mut prices = MockPriceRepository::new();
        prices.expect_remove_list().times(2).returning(|id| Ok(id == FLEET));
        let pricing = pricing(prices);
        assert!(pricing.remove_price_list(&admin(), FLEET).await.unwrap());
        assert!(!pricing.remove_price_list(&admin(), NONE).await.unwrap());
    }

    #[tokio::test]
    async fn tiers_are_replaced_only_of_a_product_that_is_for_sale() {
        let mut prices = MockPriceRepository::new();
        prices
            .expect_set_tiers()
            .times(2)
            .withf(|_, tiers| *tiers == ladder())
            .returning(|id, _| Ok(id == product().id));
        let pricing = pricing(prices);
        pricing.set_tiers(&admin(), product().id, &ladder()).await.unwrap();
        let archived = ProductId::new(Uuid::from_u128(77));
        assert_eq!(denial(&pricing.set_tiers(&admin(), archived, &ladder()).await), Some(Denied::NotFound));
    }

    #[tokio::test]
    async fn only_a_list_without_a_percentage_gets_prices() {
        let mut prices = MockPriceRepository::new();
        prices.expect_lists().returning(|| Ok(stored_lists()));
        prices
            .expect_set_prices()
            .times(1)
            .withf(|id, set| *id == FLEET && *set == prices_of_fleet())
            .returning(|_, _| Ok(true));
        let pricing = pricing(prices);
        pricing.set_prices_of_list(&admin(), FLEET, &prices_of_fleet()).await.unwrap();
        let refused = pricing.set_prices_of_list(&admin(), GARAGES, &prices_of_fleet()).await;
        assert!(matches!(refused, Err(Failure::Refused(SetPricesRefused::IsPercentage))), "{refused:?}");
        let unknown = pricing.set_prices_of_list(&admin(), NONE, &prices_of_fleet()).await;
        assert_eq!(denial(&unknown), Some(Denied::NotFound));
    }

    #[tokio::test]
    async fn prices_of_unknown_products_or_of_a_list_removed_meanwhile_are_not_set() {
        let mut prices = MockPriceRepository::new();
        prices.expect_lists().returning(|| Ok(stored_lists()));
        prices.expect_set_prices().times(1).returning(|_, _| Err(WriteError::Refused(vec![product().id])));
        prices.expect_set_prices().times(1).returning(|_, _| Ok(false));
        let pricing = pricing(prices);
        let refused = pricing.set_prices_of_list(&admin(), FLEET, &prices_of_fleet()).await;
        let unknown = SetPricesRefused::UnknownProducts(vec![product().id]);
        assert!(matches!(&refused, Err(Failure::Refused(why)) if *why == unknown), "{refused:?}");
        let removed = pricing.set_prices_of_list(&admin(), FLEET, &prices_of_fleet()).await;
        assert_eq!(denial(&removed), Some(Denied::NotFound));
    }

    #[tokio::test]
    async fn a_list_is_given_to_accounts_that_exist() {
        let mut prices = MockPriceRepository::new();
        prices.expect_set_accounts().times(2).withf(|_, given| *given == emails()).returning(|id, _| Ok(id == FLEET));
        prices.expect_set_accounts().times(1).returning(|_, unknown| Err(WriteError::Refused(unknown.to_vec())));
        let pricing = pricing(prices);
        pricing.set_accounts_of_list(&admin(), FLEET, &emails()).await.unwrap();
        let unknown = pricing.set_accounts_of_list(&admin(), NONE, &emails()).await;
        assert_eq!(denial(&unknown), Some(Denied::NotFound));
        let refused = pricing.set_accounts_of_list(&admin(), FLEET, &emails()).await;
        assert!(matches!(&refused, Err(Failure::Refused(UnknownAccounts(of))) if *of == emails()), "{refused:?}");
    }

    #[tokio::test]
    async fn what_is_in_a_list_is_shown_if_there_is_one() {
        let listed = || vec![ListedPrices { list: FLEET, product: product().id, ladder: ladder() }];
        let mut prices = MockPriceRepository::new();
        prices.expect_prices_of().times(2).returning(move |id| Ok((id == FLEET).then(listed)));
        prices.expect_accounts_of().times(2).returning(|id| Ok((id == FLEET).then(emails)));
        let pricing = pricing(prices);
        assert_eq!(pricing.prices_of_list(&admin(), FLEET).await.unwrap(), listed());
        assert_eq!(pricing.accounts_of_list(&admin(), FLEET).await.unwrap(), emails());
        assert_eq!(denial(&pricing.prices_of_list(&admin(), NONE).await), Some(Denied::NotFound));
        assert_eq!(denial(&pricing.accounts_of_list(&admin(), NONE).await), Some(Denied::NotFound));
    }

    #[tokio::test]
    async fn a_customer_neither_reads_nor_changes_price_lists() {
        let (pricing, customer) = (pricing(MockPriceRepository::new()), caller(Role::Customer));
        let denials = [
            denial(&pricing.set_tiers(&customer, product().id, &ladder()).await),
            denial(&pricing.price_lists(&customer).await),
            denial(&pricing.add_price_list(&customer, &details(None)).await),
            denial(&pricing.edit_price_list(&customer, FLEET, &details(None)).await),
            denial(&pricing.remove_price_list(&customer, FLEET).await),
            denial(&pricing.prices_of_list(&customer, FLEET).await),
            denial(&pricing.set_prices_of_list(&customer, FLEET, &prices_of_fleet()).await),
            denial(&pricing.accounts_of_list(&customer, FLEET).await),
            denial(&pricing.set_accounts_of_list(&customer, FLEET, &emails()).await),
        ];
        assert_eq!(denials, [Some(Denied::Forbidden); 9]);
    }
}
