//! Ladders and price lists.

use std::collections::HashMap;

use async_trait::async_trait;
use diesel::prelude::*;
use domain::{AccountId, Email, Ladder, PriceListDetails, PriceListRefused, ProductId};
use ports::{ListedPrices, PriceBook, PriceEpoch, PriceList, PriceListId, PriceRepository, StoreError, WriteError};
use uuid::Uuid;

use crate::Database;
use crate::pricing::{ladder_json, lists};
use crate::schema::{price_epoch, price_list_accounts, price_lists, products};

#[async_trait]
impl PriceRepository for Database {
    async fn epoch(&self) -> Result<PriceEpoch, StoreError> {
        self.read(epoch).await
    }

    async fn book(&self) -> Result<PriceBook, StoreError> {
        self.read(|connection| {
            connection.build_transaction().repeatable_read().read_only().run(|connection| {
                let rows: Vec<lists::PriceListRow> =
                    price_lists::table.select(lists::PriceListRow::as_select()).load(connection)?;
                let mut accounts: HashMap<AccountId, Vec<PriceListId>> = HashMap::new();
                let members: Vec<(Uuid, i32)> = price_list_accounts::table
                    .select((price_list_accounts::account_id, price_list_accounts::list_id))
                    .order((price_list_accounts::account_id, price_list_accounts::list_id))
                    .load(connection)?;
                for (account, list) in members {
                    accounts.entry(AccountId::new(account)).or_default().push(list);
                }
                let lists = rows.into_iter().map(|row| Ok((row.id, row.decode()?))).collect::<QueryResult<_>>()?;
                Ok(PriceBook { epoch: epoch(connection)?, lists, accounts })
            })
        })
        .await
    }

    async fn prices(
        &self,
        lists: &[PriceListId],
        products: &[ProductId],
    ) -> Result<(PriceEpoch, Vec<ListedPrices>), StoreError> {
        let (lists, products) = (lists.to_vec(), products.iter().map(|id| id.uuid()).collect::<Vec<_>>());
        self.read(move |connection| {
            connection
                .build_transaction()
                .repeatable_read()
                .read_only()
                .run(|connection| Ok((epoch(connection)?, lists::prices(connection, &lists, Some(&products))?)))
        })
        .await
    }

    async fn set_tiers(&self, product: ProductId, ladder: &Ladder) -> Result<bool, StoreError> {
        let ladder = ladder.clone();
        let written = self
            .run(move |connection| {
                let for_sale = products::table.find(product.uuid()).filter(products::archived_at.is_null());
                let tiers = products::tiers.eq(ladder_json::write(&ladder)?);
                Ok(diesel::update(for_sale).set(tiers).execute(connection)? > 0)
            })
            .await?;
        self.note_product(product);
        Ok(written)
    }

    async fn lists(&self) -> Result<Vec<PriceList>, StoreError> {
        self.read(lists::all).await
    }

    async fn add_list(&self, details: &PriceListDetails) -> Result<PriceListId, WriteError<PriceListRefused>> {
        let details = details.clone();
        self.run(move |connection| {
            lists::unless_named_twice(
                diesel::insert_into(price_lists::table)
                    .values(lists::Written::of(&details))
                    .returning(price_lists::id)
                    .get_result(connection),
            )
        })
        .await?
        .map_err(WriteError::Refused)
    }

    async fn edit_list(&self, id: PriceListId, details: &PriceListDetails) -> Result<(), WriteError<PriceListRefused>> {
        let details = details.clone();
        self.run(move |connection| connection.transaction(|connection| lists::edit(connection, id, &details)))
            .await?
            .map_err(WriteError::Refused)
    }

    async fn remove_list(&self, id: PriceListId) -> Result<bool, StoreError> {
        self.run(move |connection| Ok(diesel::delete(price_lists::table.find(id)).execute(connection)? > 0)).await
    }

    async fn prices_of(&self, id: PriceListId) -> Result<Option<Vec<ListedPrices>>, StoreError> {
        self.read(move |connection| {
            if lists::is_there(connection, id)? { lists::prices(connection, &[id], None).map(Some) } else { Ok(None) }
        })
        .await
    }

    async fn set_prices(
        &self,
        id: PriceListId,
        prices: &[(ProductId, Ladder)],
    ) -> Result<bool, WriteError<Vec<ProductId>>> {
        let prices = prices.to_vec();
        self.run(move |connection| connection.transaction(|connection| lists::set_prices(connection, id, &prices)))
            .await?
            .map_err(WriteError::Refused)
    }

    async fn accounts_of(&self, id: PriceListId) -> Result<Option<Vec<Email>>, StoreError> {
        self.read(
            move |connection| {
                if lists::is_there(connection, id)? { lists::accounts(connection, id).map(Some) } else { Ok(None) }
            },
        )
        .await
    }

    async fn set_accounts(&self, id: PriceListId, emails: &[Email]) -> Result<bool, WriteError<Vec<Email>>> {
        let emails = emails.to_vec();
        self.run(move |connection| connection.transaction(|connection| lists::set_accounts(connection, id, &emails)))
            .await?
            .map_err(WriteError::Refused)
    }
}

fn epoch(connection: &mut PgConnection) -> QueryResult<PriceEpoch> {
    price_epoch::table.select(price_epoch::epoch).first(connection).map(PriceEpoch)
}
