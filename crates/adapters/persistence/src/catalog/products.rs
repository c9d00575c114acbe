//! Products and their stock ledger.

use std::collections::HashMap;

use async_trait::async_trait;
use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::Bool;
use domain::{
    Actor, Category, CorrectStockRefused, EditRefused, PartRefused, PictureUrl, Pictures, Product, ProductId,
    RestockRefused, Stock, Text, Timestamp,
};
use jiff_diesel::ToDiesel;
use ports::{
    Editing, Imported, NewPart, NewProduct, NewProducts, Page, ProductCursor, ProductQuery, ProductRepository,
    Restocking, StockCorrection, StockEvent, StoreError, WriteError,
};
use uuid::Uuid;

use crate::Database;
use crate::accounts::rows::actor_columns;
use crate::catalog::arrivals::{Arrival, receive};
use crate::catalog::facts::{NewFacts, write_attributes};
use crate::catalog::part_numbers::{number_taken, refusable};
use crate::catalog::rows::{NewRow, ProductRow};
use crate::catalog::stock_changes::{self, Corrected, Restocked};
use crate::catalog::{edits, imports, lists, part_numbers, pictures};
use crate::platform::decode::decode_all;
use crate::platform::finding::Finding;
use crate::platform::idempotency::same_request;
use crate::platform::row_versions::state_of;
use crate::schema::products;

#[async_trait]
impl ProductRepository for Database {
    async fn list(&self, query: &ProductQuery) -> Result<Page<Product, ProductCursor>, StoreError> {
        let query = query.clone();
        self.read_list(move |connection| lists::list(connection, &query)).await
    }

    async fn state(&self) -> Result<String, StoreError> {
        self.read_list(|connection| state_of(connection, "products")).await
    }

    async fn running_low(&self, most: u32) -> Result<Vec<Product>, StoreError> {
        self.read_list(move |connection| {
            decode_all(
                products::table
                    .filter(products::archived_at.is_null())
                    // Literal SQL, so that the planner uses the partial index with exactly this condition.
                    .filter(sql::<Bool>("available < 2 * min_order"))
                    .order((products::available, products::id))
                    .limit(i64::from(most))
                    .select(ProductRow::as_select())
                    .load(connection)?,
            )
        })
        .await
    }

    async fn find(&self, id: ProductId) -> Result<Option<Product>, StoreError> {
        self.share(Finding::<Product>::new(id.uuid(), ())).await
    }

    async fn find_all(&self, ids: &[ProductId], archived: bool) -> Result<Vec<Product>, StoreError> {
        let ids: Vec<Uuid> = ids.iter().map(|id| id.uuid()).collect();
        self.read(move |connection| {
            decode_all(
                products::table
                    .filter(products::id.eq_any(ids))
                    .filter(products::archived_at.is_not_null().eq(archived))
                    .select(ProductRow::as_select())
                    .load(connection)?,
            )
        })
        .await
    }

    async fn numbers(&self, ids: &[ProductId]) -> Result<HashMap<ProductId, i32>, StoreError> {
        let ids: Vec<Uuid> = ids.iter().map(|id| id.uuid()).collect();
        let found: Vec<(Uuid, i32)> = self
            .read(move |connection| {
                products::table.filter(products::id.eq_any(ids)).select((products::id, products::no)).load(connection)
            })
            .await?;
        Ok(found.into_iter().map(|(id, no)| (ProductId::new(id), no)).collect())
    }

    async fn matching(&self, name: &str, category: Category, img: &PictureUrl) -> Result<Vec<Product>, StoreError> {
        if name.contains('\0') {
            return Ok(Vec::new());
        }
        let (name, img) = (name.to_owned(), img.as_str().to_owned());
        self.read(move |connection| {
            decode_all(
                products::table
                    .filter(products::archived_at.is_null())
                    .filter(products::name.eq(name))
                    .filter(products::category.eq(category.as_str()))
                    .filter(products::img.eq(img))
                    .order(products::id)
                    .limit(2)
                    .select(ProductRow::as_select())
                    .load(connection)?,
            )
        })
        .await
    }

    async fn add(&self, new: &NewProduct) -> Result<ProductId, WriteError<PartRefused>> {
        let new = new.clone();
        let added = self.run(move |connection| refusable(connection, |connection| add(connection, &new))).await?;
        let added = added.map_err(WriteError::Refused)?;
        self.note_product(added);
        Ok(added)
    }

    async fn add_parts(&self, new: &[NewPart]) -> Result<Vec<ProductId>, WriteError<PartRefused>> {
        let new = new.to_vec();
        let adding =
            move |connection: &mut PgConnection| refusable(connection, |connection| add_parts(connection, &new));
        let added = self.run_long(adding).await?.map_err(WriteError::Refused)?;
        for id in &added {
            self.note_product(*id);
        }
        Ok(added)
    }

    async fn add_all(&self, new: &NewProducts) -> Result<Imported, StoreError> {
        let importing = new.clone();
        let imported = self
            .run_long(move |connection| connection.transaction(|connection| imports::add_all(connection, &importing)))
            .await?;
        self.note_products(&new.products);
        Ok(imported)
    }

    async fn duplicates(&self, products: &[Product]) -> Result<Vec<usize>, StoreError> {
        let products = products.to_vec();
        self.read_many(move |connection| imports::duplicates(connection, &products)).await
    }

    async fn restock(&self, restocking: &Restocking) -> Result<(), WriteError<RestockRefused>> {
        let restocking = restocking.clone();
        let product = restocking.product;
        let restocked = self
            .run_on(product.uuid(), move |connection| {
                connection.transaction(|connection| stock_changes::restock(connection, &restocking))
            })
            .await?;
        match restocked {
            Restocked::Done => {
                self.note_product(product);
                Ok(())
            }
            Restocked::Unknown => Err(WriteError::Refused(RestockRefused::Unknown)),
            Restocked::TooMuch => Err(WriteError::Refused(RestockRefused::TooMuch)),
            Restocked::PriceChanged(now) => Err(WriteError::Refused(RestockRefused::PriceChanged { now })),
        }
    }

    async fn correct(&self, correction: &StockCorrection) -> Result<Stock, WriteError<CorrectStockRefused>> {
        let correction = correction.clone();
        let product = correction.product;
        let corrected = self
            .run(move |connection| connection.transaction(|connection| stock_changes::correct(connection, &correction)))
            .await?;
        match corrected {
            Corrected::To(left) => {
                self.note_product(product);
                Ok(left)
            }
            Corrected::Unknown => Err(WriteError::Refused(CorrectStockRefused::Unknown)),
            Corrected::NotEnough(left) => Err(WriteError::Refused(CorrectStockRefused::NotEnough { left })),
            Corrected::TooMuch => Err(WriteError::Refused(CorrectStockRefused::TooMuch)),
        }
    }

    async fn stock_history(&self, id: ProductId, most: u32) -> Result<Option<Vec<StockEvent>>, StoreError> {
        self.read_many(move |connection| stock_changes::history(connection, id, most)).await
    }

    async fn edit(&self, editing: &Editing) -> Result<bool, WriteError<EditRefused>> {
        let editing = editing.clone();
        let product = editing.product;
        let edited = self
            .run_on(product.uuid(), move |connection| {
                refusable(connection, |connection| edits::edit(connection, &editing))
            })
            .await?;
        self.note_product(product);
        edited.map_err(WriteError::Refused)
    }

    async fn set_pictures(&self, id: ProductId, wanted: &Pictures) -> Result<Option<bool>, StoreError> {
        let wanted = wanted.clone();
        let set = self
            .run_on(id.uuid(), move |connection| {
                connection.transaction(|connection| pictures::set(connection, id, &wanted))
            })
            .await?;
        self.note_product(id);
        Ok(set)
    }

    async fn archive(&self, id: ProductId, by: &Actor, at: Timestamp) -> Result<bool, StoreError> {
        let (actor_id, actor_email) = actor_columns(by);
        let archived = self
            .run(move |connection| {
                let archived = diesel::update(products::table.find(id.uuid()))
                    .filter(products::archived_at.is_null())
                    .set((
                        products::archived_at.eq(at.to_diesel()),
                        products::archived_by.eq(actor_id),
                        products::archived_by_email.eq(actor_email),
                    ))
                    .execute(connection)?;
                Ok(archived > 0)
            })
            .await?;
        self.note_product(id);
        Ok(archived)
    }

    async fn restore(&self, id: ProductId) -> Result<Option<bool>, StoreError> {
        let restored = self.run(move |connection| edits::restore(connection, id)).await?;
        self.note_product(id);
        Ok(restored)
    }
}

fn add_parts(connection: &mut PgConnection, new: &[NewPart]) -> QueryResult<Result<Vec<ProductId>, PartRefused>> {
    let mut added = Vec::with_capacity(new.len());
    for part in new {
        let id = match add(connection, &part.new)? {
            Ok(id) => id,
            Err(refused) => return Ok(Err(refused)),
        };
        // What is there already may have been edited.
        if id == part.new.product.id
            && let Err(refused) = part_numbers::set(connection, id, &part.numbers)?
        {
            return Ok(Err(refused));
        }
        added.push(id);
    }
    Ok(Ok(added))
}

fn add(connection: &mut PgConnection, new: &NewProduct) -> QueryResult<Result<ProductId, PartRefused>> {
    let product = &new.product;
    let mut fresh = NewRow::new(product, new.idempotency_key)?;
    let known: Option<(Uuid, Option<Vec<u8>>)> = products::table
        .filter(products::once_key.eq(&fresh.once_key))
        .select((products::id, products::once_fingerprint))
        .first(connection)
        .optional()?;
    if let Some((first, fingerprint)) = known {
        if let Some(idempotency_key) = new.idempotency_key {
            same_request(idempotency_key, fingerprint.as_deref())?;
        }
        return Ok(Ok(ProductId::new(first)));
    }
    fresh.facts = match NewFacts::of(connection, &product.details.facts)? {
        Ok(facts) => facts,
        Err(refused) => return Ok(Err(refused)),
    };
    let added: QueryResult<Option<i32>> = diesel::insert_into(products::table)
        .values(&fresh)
        .on_conflict(products::once_key)
        .do_nothing()
        .returning(products::no)
        .get_result(connection)
        .optional();
    let no = match number_taken(added, product.details.facts.brand.as_ref().map(Text::as_str))? {
        Ok(Some(no)) => no,
        // Another call with the same key was faster.
        Ok(None) => return add(connection, new),
        Err(refused) => return Ok(Err(refused)),
    };
    if let Err(refused) = write_attributes(connection, no, &product.details.facts.attributes)? {
        return Ok(Err(refused));
    }
    pictures::write_further(connection, no, &product.details.further_pictures)?;
    receive(connection, &[Arrival::of(product)?], &new.by, product.created_at)?;
    Ok(Ok(product.id))
}
