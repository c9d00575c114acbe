//! Products and their stock ledger.

use async_trait::async_trait;
use diesel::dsl::sql;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{Bool, Text};
use domain::{Category, PictureUrl, Product, ProductId, Quantity, Timestamp};
use jiff_diesel::{Timestamp as SqlTimestamp, ToDiesel};
use ports::{NewProduct, ProductPage, ProductQuery, ProductStore, RestockError, Restocking, Sort, StoreError};
use uuid::Uuid;

use crate::Database;
use crate::rows::{ProductRow, actor_columns, all, fold, units};
use crate::schema::{orders, products, restockings, stock_ledger};

/// Stands between the parts of what a search looks through. Text never holds it, so nothing is found across parts.
const BETWEEN: char = '\u{1}';

type Filtered<'a> = products::BoxedQuery<'a, Pg>;

enum Restocked {
    Done,
    Unknown,
    TooMuch,
}

#[async_trait]
impl ProductStore for Database {
    async fn list(&self, query: &ProductQuery) -> Result<ProductPage, StoreError> {
        let query = query.clone();
        self.run(move |connection| list(connection, &query)).await
    }

    async fn find(&self, id: ProductId) -> Result<Option<Product>, StoreError> {
        self.run(move |connection| {
            products::table
                .find(id.uuid())
                .filter(products::archived_at.is_null())
                .select(ProductRow::as_select())
                .first(connection)
                .optional()?
                .map(Product::try_from)
                .transpose()
        })
        .await
    }

    async fn matching(&self, name: &str, category: Category, img: &PictureUrl) -> Result<Vec<Product>, StoreError> {
        if name.contains('\0') {
            return Ok(Vec::new());
        }
        let (name, img) = (name.to_owned(), img.as_str().to_owned());
        self.run(move |connection| {
            all(products::table
                .filter(products::archived_at.is_null())
                .filter(products::name.eq(name))
                .filter(products::category.eq(category.as_str()))
                .filter(products::img.eq(img))
                .order(products::id)
                .limit(2)
                .select(ProductRow::as_select())
                .load(connection)?)
        })
        .await
    }

    async fn add(&self, new: &NewProduct) -> Result<ProductId, StoreError> {
        let new = new.clone();
        self.run(move |connection| connection.transaction(|connection| add(connection, &new))).await
    }

    async fn restock(&self, restocking: &Restocking) -> Result<(), RestockError> {
        let restocking = restocking.clone();
        let restocked =
            self.run(move |connection| connection.transaction(|connection| restock(connection, &restocking))).await?;
        match restocked {
            Restocked::Done => Ok(()),
            Restocked::Unknown => Err(RestockError::Unknown),
            Restocked::TooMuch => Err(RestockError::TooMuch),
        }
    }

    async fn archive(&self, id: ProductId, at: Timestamp) -> Result<bool, StoreError> {
        self.run(move |connection| {
            let archived = diesel::update(products::table.find(id.uuid()))
                .filter(products::archived_at.is_null())
                .set(products::archived_at.eq(at.to_diesel()))
                .execute(connection)?;
            Ok(archived > 0)
        })
        .await
    }
}

fn list(connection: &mut PgConnection, query: &ProductQuery) -> QueryResult<ProductPage> {
    let asked = query.search.as_deref().map(fold);
    if asked.as_deref().is_some_and(|asked| asked.contains(['\0', BETWEEN])) {
        // Neither is ever stored, and Postgres does not even take a NUL.
        return Ok(ProductPage { products: Vec::new(), total: 0, next: None });
    }
    let mut page = matching(query, asked.as_deref());
    if let Some(after) = query.after {
        let anchor: Option<(SqlTimestamp, i64, String)> = products::table
            .find(after.uuid())
            // One that was archived since still marks its place; or whoever is on their way through the list would miss
            // all that comes after it.
            .select((products::created_at, products::price_cents, products::name_key))
            .first(connection)
            .optional()?;
        let Some(anchor) = anchor else {
            return Ok(ProductPage {
                products: Vec::new(),
                total: count(connection, query, asked.as_deref())?,
                next: None,
            });
        };
        page = beyond(page, query.sort, after.uuid(), anchor);
    }
    page = match query.sort {
        Sort::Newest => page.order((products::created_at.desc(), products::id.desc())),
        Sort::PriceUp => page.order((products::price_cents.asc(), products::id.asc())),
        Sort::PriceDown => page.order((products::price_cents.desc(), products::id.desc())),
        Sort::Name => page.order((products::name_key.asc(), products::id.asc())),
    };
    if let Some(limit) = query.limit {
        // One more than asked for tells whether others come after it.
        page = page.limit(i64::from(limit) + 1);
    }
    let mut found: Vec<Product> = all(page.select(ProductRow::as_select()).load(connection)?)?;
    let whole = query.after.is_none() && query.limit.is_none();
    let total = if whole {
        u64::try_from(found.len()).unwrap_or(u64::MAX)
    } else {
        count(connection, query, asked.as_deref())?
    };
    let mut next = None;
    if let Some(limit) = query.limit.and_then(|limit| usize::try_from(limit).ok())
        && found.len() > limit
    {
        found.truncate(limit);
        next = found.last().map(|product| product.id);
    }
    Ok(ProductPage { products: found, total, next })
}

fn matching<'a>(query: &ProductQuery, asked: Option<&'a str>) -> Filtered<'a> {
    let mut matching = products::table.filter(products::archived_at.is_null()).into_boxed();
    if let Some(category) = query.category {
        matching = matching.filter(products::category.eq(category.as_str()));
    }
    if query.in_stock {
        matching = matching.filter(products::available.ge(products::min_order));
    }
    if let Some(asked) = asked {
        // A position and not LIKE: nothing in what is searched for means anything but itself.
        matching = matching.filter(sql::<Bool>("position(").bind::<Text, _>(asked).sql(" IN search_key) > 0"));
    }
    matching
}

fn count(connection: &mut PgConnection, query: &ProductQuery, asked: Option<&str>) -> QueryResult<u64> {
    let total: i64 = matching(query, asked).count().get_result(connection)?;
    Ok(u64::try_from(total).unwrap_or(0))
}

/// Only what comes after a product in the list's order. The bare bound on the first key is what an index can use.
fn beyond(
    page: Filtered<'_>,
    sort: Sort,
    id: Uuid,
    (created_at, price, name): (SqlTimestamp, i64, String),
) -> Filtered<'_> {
    match sort {
        Sort::Newest => page
            .filter(products::created_at.le(created_at))
            .filter(products::created_at.lt(created_at).or(products::id.lt(id))),
        Sort::PriceUp => {
            page.filter(products::price_cents.ge(price)).filter(products::price_cents.gt(price).or(products::id.gt(id)))
        }
        Sort::PriceDown => {
            page.filter(products::price_cents.le(price)).filter(products::price_cents.lt(price).or(products::id.lt(id)))
        }
        Sort::Name => {
            page.filter(products::name_key.ge(name.clone())).filter(products::name_key.gt(name).or(products::id.gt(id)))
        }
    }
}

fn add(connection: &mut PgConnection, new: &NewProduct) -> QueryResult<ProductId> {
    let product = &new.product;
    let once = new.once.map(|key| key.0.to_vec());
    let part_number = product.part_number.as_ref().map(domain::Text::as_str);
    let available = units(product.available.get())?;
    let added: usize = diesel::insert_into(products::table)
        .values((
            products::id.eq(product.id.uuid()),
            products::name.eq(product.name.as_str()),
            products::description.eq(product.description.as_str()),
            products::part_number.eq(part_number),
            products::category.eq(product.category.as_str()),
            products::img.eq(product.img.as_str()),
            products::price_cents.eq(product.price.money().cents()),
            products::min_order.eq(units(product.min_order.get())?),
            products::available.eq(available),
            products::created_at.eq(product.created_at.to_diesel()),
            products::once_key.eq(once.as_deref()),
            products::name_key.eq(fold(product.name.as_str())),
            products::search_key.eq(search_key(product)),
        ))
        .on_conflict(products::once_key)
        .do_nothing()
        .execute(connection)?;
    if added == 0 {
        let first: Uuid = products::table.filter(products::once_key.eq(once)).select(products::id).first(connection)?;
        return Ok(ProductId::new(first));
    }
    if available > 0 {
        receive(connection, product.id, available, &new.by, product.created_at)?;
    }
    Ok(product.id)
}

fn search_key(product: &Product) -> String {
    let number = product.part_number.as_ref().map_or("", domain::Text::as_str);
    let category = product.category.as_str();
    fold(&format!("{}{BETWEEN}{category}{BETWEEN}{number}", product.name))
}

fn receive(
    connection: &mut PgConnection,
    product: ProductId,
    arriving: i32,
    by: &domain::Actor,
    at: Timestamp,
) -> QueryResult<()> {
    let (actor_id, actor_email) = actor_columns(by);
    diesel::insert_into(stock_ledger::table)
        .values((
            stock_ledger::product_id.eq(product.uuid()),
            stock_ledger::delta.eq(arriving),
            stock_ledger::kind.eq("received"),
            stock_ledger::actor_id.eq(actor_id),
            stock_ledger::actor_email.eq(actor_email),
            stock_ledger::at.eq(at.to_diesel()),
        ))
        .execute(connection)?;
    Ok(())
}

/// Everything that can be in the way is found out before the first write, under a lock on the product's row.
fn restock(connection: &mut PgConnection, restocking: &Restocking) -> QueryResult<Restocked> {
    let id = restocking.product.uuid();
    let shelf: Option<(i32, bool)> = products::table
        .find(id)
        .select((products::available, products::archived_at.is_null()))
        .for_no_key_update()
        .first(connection)
        .optional()?;
    let once = restocking.once.map(|key| key.0.to_vec());
    if let Some(key) = &once {
        let before = restockings::table.filter(restockings::once_key.eq(key));
        if diesel::select(diesel::dsl::exists(before)).get_result(connection)? {
            return Ok(Restocked::Done);
        }
    }
    let Some((available, true)) = shelf else {
        return Ok(Restocked::Unknown);
    };
    // Units that a cancellation could still bring back need their place too, or a buyer could not cancel any more.
    let returnable: Option<i64> = orders::table
        .filter(orders::product_id.eq(id))
        .filter(orders::cancelled_at.is_null())
        .filter(orders::fulfilment.eq("pending"))
        .select(diesel::dsl::sum(orders::quantity))
        .first(connection)?;
    let arriving = units(restocking.arriving.get())?;
    let then = i64::from(available) + i64::from(arriving) + returnable.unwrap_or(0);
    if arriving > 0 && then > i64::from(Quantity::MAX) {
        return Ok(Restocked::TooMuch);
    }
    let (actor_id, actor_email) = actor_columns(&restocking.by);
    let price = restocking.price.money().cents();
    let remembered = diesel::insert_into(restockings::table)
        .values((
            restockings::product_id.eq(id),
            restockings::arriving.eq(arriving),
            restockings::price_cents.eq(price),
            restockings::actor_id.eq(actor_id),
            restockings::actor_email.eq(actor_email),
            restockings::at.eq(restocking.at.to_diesel()),
            restockings::once_key.eq(once),
        ))
        .on_conflict(restockings::once_key)
        .do_nothing()
        .execute(connection)?;
    if remembered == 0 {
        return Ok(Restocked::Done);
    }
    diesel::update(products::table.find(id))
        .set((products::available.eq(products::available + arriving), products::price_cents.eq(price)))
        .execute(connection)?;
    if arriving > 0 {
        receive(connection, restocking.product, arriving, &restocking.by, restocking.at)?;
    }
    Ok(Restocked::Done)
}
