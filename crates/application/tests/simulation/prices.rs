//! The port to ladders and price lists, on the simulated world. Some customers have a percentage off; there are no other
//! price lists.

use std::collections::HashMap;

use async_trait::async_trait;
use domain::{AccountId, Email, Ladder, PriceListDetails, PriceListRefused, ProductId, Text};
use ports::{ListedPrices, PriceBook, PriceEpoch, PriceList, PriceListId, PriceRepository, StoreError, WriteError};

use crate::books::Books;
use crate::stores::Stores;

impl Books {
    fn price_book(&self) -> PriceBook {
        let details = |percent| PriceListDetails {
            name: Text::new("Fleets").unwrap(),
            percent: Some(percent),
            priority: 0,
            valid_from: None,
            valid_until: None,
        };
        let lists = || self.percentages.iter().zip(1..);
        PriceBook {
            epoch: self.epoch(),
            lists: lists().map(|((_, percent), id)| (id, details(*percent))).collect::<HashMap<PriceListId, _>>(),
            accounts: lists().map(|((account, _), id)| (*account, vec![id])).collect::<HashMap<AccountId, _>>(),
        }
    }
}

#[async_trait]
impl PriceRepository for Stores {
    async fn epoch(&self) -> Result<PriceEpoch, StoreError> {
        self.read("read the epoch of prices", |state| state.books.epoch()).await
    }

    async fn book(&self) -> Result<PriceBook, StoreError> {
        self.read("read the price lists", |state| state.books.price_book()).await
    }

    async fn prices(&self, _: &[PriceListId], _: &[ProductId]) -> Result<(PriceEpoch, Vec<ListedPrices>), StoreError> {
        unreachable!("no list has prices of its own")
    }

    async fn set_tiers(&self, product: ProductId, ladder: &Ladder) -> Result<bool, StoreError> {
        self.write("replace a product's tiers", |state| state.books.set_tiers(product, ladder)).await
    }

    async fn lists(&self) -> Result<Vec<PriceList>, StoreError> {
        unreachable!("the simulation manages no price lists")
    }

    async fn add_list(&self, _: &PriceListDetails) -> Result<PriceListId, WriteError<PriceListRefused>> {
        unreachable!("the simulation manages no price lists")
    }

    async fn edit_list(&self, _: PriceListId, _: &PriceListDetails) -> Result<(), WriteError<PriceListRefused>> {
        unreachable!("the simulation manages no price lists")
    }

    async fn remove_list(&self, _: PriceListId) -> Result<bool, StoreError> {
        unreachable!("the simulation manages no price lists")
    }

    async fn prices_of(&self, _: PriceListId) -> Result<Option<Vec<ListedPrices>>, StoreError> {
        unreachable!("the simulation manages no price lists")
    }

    async fn set_prices(&self, _: PriceListId, _: &[(ProductId, Ladder)]) -> Result<bool, WriteError<Vec<ProductId>>> {
        unreachable!("the simulation manages no price lists")
    }

    async fn accounts_of(&self, _: PriceListId) -> Result<Option<Vec<Email>>, StoreError> {
        unreachable!("the simulation manages no price lists")
    }

    async fn set_accounts(&self, _: PriceListId, _: &[Email]) -> Result<bool, WriteError<Vec<Email>>> {
        unreachable!("the simulation manages no price lists")
    }
}
