//! What products cost a customer now.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError};

use domain::{
    AccountId, Caller, ListTerms, Money, Permission, PriceRules, Product, ProductId, Tier, Timestamp, UnitPrice,
};
use ports::{PriceBook, PriceEpoch, PriceListId, StoreError};

use crate::{Failure, Pricing};

/// How many products may be asked for at once.
pub const PRICES_MAX: usize = 500;

/// A quantity of a product, to be priced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WantedPrice {
    pub product: ProductId,
    /// At least 1.
    pub quantity: u32,
}

/// What a quantity of a product costs somebody.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PriceQuote {
    pub product: ProductId,
    pub quantity: u32,
    /// The price of one unit at that quantity.
    pub unit: UnitPrice,
    /// The list price of one unit.
    pub list: UnitPrice,
    /// The price of the quantity; `None` if it is more than an amount of money can be.
    pub total: Option<Money>,
    /// From the minimum order on.
    pub tiers: Vec<Tier>,
}

/// The rules by which several products are priced, as of one epoch.
#[derive(Debug, Clone)]
pub struct PricesOf {
    pub epoch: PriceEpoch,
    special: HashMap<ProductId, Vec<ListTerms>>,
    /// Of all products.
    percentages: Vec<ListTerms>,
}

impl PricesOf {
    /// The rules for one of the products.
    #[must_use]
    pub fn rules(&self, product: &Product) -> PriceRules {
        let own = self.special.get(&product.id).into_iter().flatten();
        PriceRules {
            list: product.details.price,
            ladder: product.details.ladder.clone(),
            terms: self.percentages.iter().chain(own).cloned().collect(),
        }
    }
}

impl Pricing {
    /// What products cost the caller now, in the order in which they are asked for: `None` for one that is not for sale.
    ///
    /// # Errors
    /// [`Failure::Denied`] to a visitor.
    pub async fn quote_prices(
        &self,
        caller: &Caller,
        wanted: &[WantedPrice],
    ) -> Result<Vec<Option<PriceQuote>>, Failure> {
        caller.require_owner(Permission::PlaceOrder, caller.account)?;
        let ids: Vec<ProductId> = wanted.iter().map(|wanted| wanted.product).collect();
        let products = self.products.find_all(&ids, false).await?;
        let products: HashMap<ProductId, Product> = products.into_iter().map(|product| (product.id, product)).collect();
        let prices = self.prices_now(caller.account, &ids).await?;
        let quote = |wanted: &WantedPrice| {
            let product = products.get(&wanted.product)?;
            let (rules, quantity) = (prices.rules(product), wanted.quantity);
            Some(PriceQuote {
                product: product.id,
                quantity,
                unit: rules.unit(quantity),
                list: product.details.price,
                total: rules.total(quantity).ok(),
                tiers: rules.tiers(product.details.min_order.get()),
            })
        };
        Ok(wanted.iter().map(quote).collect())
    }

    /// The rules by which these products are priced for an account now. Nothing that was changed before the call is missed.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn prices_now(&self, account: AccountId, products: &[ProductId]) -> Result<PricesOf, StoreError> {
        let current = self.prices.epoch().await?;
        if self.remembered().is_some_and(|book| book.epoch != current) {
            self.forget();
        }
        self.prices_as_known(account, products).await
    }

    /// The same by what is remembered, without a query for an account that has no price list. Only for what is written if
    /// the epoch is still the same.
    pub(crate) async fn prices_as_known(
        &self,
        account: AccountId,
        products: &[ProductId],
    ) -> Result<PricesOf, StoreError> {
        let now = self.clock.now();
        let book = self.book().await?;
        let lists = lists_of(&book, account, now);
        if lists.priced.is_empty() {
            return Ok(PricesOf { epoch: book.epoch, special: HashMap::new(), percentages: lists.percentages });
        }
        let (epoch, listed) = self.prices.prices(&lists.priced, products).await?;
        if epoch != book.epoch {
            // The lists changed in the meantime: by what is remembered nothing can be written any more.
            self.forget();
        }
        let mut special: HashMap<ProductId, Vec<ListTerms>> = HashMap::new();
        for of in listed {
            special.entry(of.product).or_default().push(ListTerms::Prices(of.ladder));
        }
        Ok(PricesOf { epoch: book.epoch, special, percentages: lists.percentages })
    }

    /// The epoch that prices are computed by. Whoever reads products does so after this and writes by this epoch: tiers that were
    /// replaced in between belong to a later one.
    pub(crate) async fn epoch_known(&self) -> Result<PriceEpoch, StoreError> {
        Ok(self.book().await?.epoch)
    }

    /// Whether what is remembered is outdated; then it is forgotten.
    pub(crate) async fn has_changed_since(&self, epoch: PriceEpoch) -> Result<bool, StoreError> {
        let has_changed = self.prices.epoch().await? != epoch;
        if has_changed {
            self.forget();
        }
        Ok(has_changed)
    }

    async fn book(&self) -> Result<Arc<PriceBook>, StoreError> {
        if let Some(book) = self.remembered() {
            return Ok(book);
        }
        let book = Arc::new(self.prices.book().await?);
        *self.book.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&book));
        Ok(book)
    }

    fn remembered(&self) -> Option<Arc<PriceBook>> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn forget(&self) {
        *self.book.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// The lists of an account that apply at a moment.
struct ListsOf {
    percentages: Vec<ListTerms>,
    priced: Vec<PriceListId>,
}

fn lists_of(book: &PriceBook, account: AccountId, at: Timestamp) -> ListsOf {
    let mut of = ListsOf { percentages: Vec::new(), priced: Vec::new() };
    for id in book.accounts.get(&account).into_iter().flatten() {
        let Some(list) = book.lists.get(id).filter(|list| list.applies_at(at)) else { continue };
        match list.percent {
            Some(percent) => of.percentages.push(ListTerms::Off(percent)),
            None => of.priced.push(*id),
        }
    }
    of
}

#[cfg(test)]
mod tests {
    use domain::{Ladder, Percent, PriceListDetails, Role, Text};
    use ports::{ListedPrices, MockPriceRepository, MockProductRepository};

    use super::*;
    use crate::Ports;
    use crate::testing::{caller, now, ports, product};

    fn list(percent: Option<u32>, until: Option<i64>) -> PriceListDetails {
        PriceListDetails {
            name: Text::new("Fleet").unwrap(),
            percent: percent.map(|points| Percent::new(points).unwrap()),
            priority: 0,
            valid_from: None,
            valid_until: until.map(|second| Timestamp::from_second(second).unwrap()),
        }
    }

    fn book(epoch: i64, lists: Vec<PriceListDetails>) -> PriceBook {
        let lists: HashMap<_, _> = (1..).zip(lists).collect();
        let mut of: Vec<i32> = lists.keys().copied().collect();
        of.sort_unstable();
        let accounts = HashMap::from([(caller(Role::Customer).account, of)]);
        PriceBook { epoch: PriceEpoch(epoch), lists, accounts }
    }

    fn pricing(prices: MockPriceRepository) -> Pricing {
        let mut products = MockProductRepository::new();
        products.expect_find_all().returning(|_, _| Ok(vec![product()]));
        Pricing::new(&Ports { prices: Arc::new(prices), products: Arc::new(products), ..ports() })
    }

    fn fifty() -> [WantedPrice; 1] {
        [WantedPrice { product: product().id, quantity: 50 }]
    }

    async fn unit_cents(pricing: &Pricing) -> i64 {
        let quotes = pricing.quote_prices(&caller(Role::Customer), &fifty()).await.unwrap();
        quotes[0].as_ref().unwrap().unit.money().cents()
    }

    #[tokio::test]
    async fn a_customer_pays_the_lowest_price_of_the_lists_that_apply_now() {
        let seconds = now().as_second();
        let mut prices = MockPriceRepository::new();
        prices.expect_epoch().returning(|| Ok(PriceEpoch(1)));
        prices.expect_book().times(1).returning(move || {
            Ok(book(1, vec![list(Some(1000), None), list(None, None), list(Some(5000), Some(seconds))]))
        });
        prices.expect_prices().withf(|lists, _| lists == [2]).returning(|_, products| {
            let unit = UnitPrice::from_cents(11_500).unwrap();
            let ladder = Ladder::new(vec![Tier { from: 50, unit }]).unwrap();
            Ok((PriceEpoch(1), vec![ListedPrices { list: 2, product: products[0], ladder }]))
        });
        let pricing = pricing(prices);
        // 129.99 for everybody; 10 % off, 115.00, or half of it by a list that has just ended.
        assert_eq!(unit_cents(&pricing).await, 11_500);
        assert_eq!(unit_cents(&pricing).await, 11_500);
    }

    #[tokio::test]
    async fn lists_that_changed_are_read_again() {
        let mut prices = MockPriceRepository::new();
        let mut epochs = [1, 1, 2].into_iter();
        prices.expect_epoch().returning(move || Ok(PriceEpoch(epochs.next().unwrap())));
        let mut books = vec![book(2, vec![list(Some(5000), None)]), book(1, vec![list(Some(1000), None)])];
        prices.expect_book().times(2).returning(move || Ok(books.pop().unwrap()));
        let pricing = pricing(prices);
        assert_eq!(unit_cents(&pricing).await, 11_699);
        assert_eq!(unit_cents(&pricing).await, 11_699);
        assert_eq!(unit_cents(&pricing).await, 6_500);
    }

    #[tokio::test]
    async fn what_is_not_for_sale_has_no_price() {
        let mut prices = MockPriceRepository::new();
        prices.expect_epoch().returning(|| Ok(PriceEpoch(1)));
        prices.expect_book().returning(|| Ok(book(1, Vec::new())));
        let unknown = WantedPrice { product: ProductId::new(uuid::Uuid::from_u128(77)), quantity: 1 };
        let quotes = pricing(prices).quote_prices(&caller(Role::Customer), &[unknown, fifty()[0]]).await.unwrap();
        assert_eq!(quotes.iter().map(Option::is_some).collect::<Vec<_>>(), [false, true]);
    }
}
