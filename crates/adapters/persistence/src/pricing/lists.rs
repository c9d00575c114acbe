//! Rows of price lists and their prices.

use std::collections::{BTreeMap, BTreeSet};

use diesel::prelude::*;
use diesel::result::{DatabaseErrorKind, Error};
use domain::{Email, Ladder, Percent, PriceListDetails, PriceListRefused, ProductId, Tier, UnitPrice};
use jiff_diesel::{Timestamp as SqlTimestamp, ToDiesel};
use ports::{ListedPrices, PriceList, PriceListId};
use uuid::Uuid;

use crate::platform::decode::{RowDecoder, to_i32};
use crate::schema::{self, accounts, price_list_accounts, price_lists, prices, products};

/// How many rows one statement inserts: each has four parameters, and a statement may have 65,535.
const ROWS: usize = 10_000;

#[derive(Queryable, Selectable)]
#[diesel(table_name = schema::price_lists, check_for_backend(diesel::pg::Pg))]
pub(super) struct PriceListRow {
    pub(super) id: i32,
    name: String,
    percent_bp: Option<i32>,
    priority: i32,
    valid_from: Option<SqlTimestamp>,
    valid_until: Option<SqlTimestamp>,
}

impl PriceListRow {
    pub(super) fn decode(self) -> QueryResult<PriceListDetails> {
        let decoder = RowDecoder { what: "price list", id: self.id };
        let percent = |basis_points: i32| {
            let basis_points = u32::try_from(basis_points).map_err(|why| decoder.refuse("percent_bp", &why))?;
            Percent::new(basis_points).map_err(|why| decoder.refuse("percent_bp", &why))
        };
        Ok(PriceListDetails {
            name: decoder.text("name", &self.name)?,
            percent: self.percent_bp.map(percent).transpose()?,
            priority: u16::try_from(self.priority).map_err(|why| decoder.refuse("priority", &why))?,
            valid_from: self.valid_from.map(SqlTimestamp::to_jiff),
            valid_until: self.valid_until.map(SqlTimestamp::to_jiff),
        })
    }
}

/// The columns that an admin decides.
#[derive(Insertable, AsChangeset)]
#[diesel(table_name = schema::price_lists, treat_none_as_null = true)]
pub(super) struct Written {
    name: String,
    percent_bp: Option<i32>,
    priority: i32,
    valid_from: Option<SqlTimestamp>,
    valid_until: Option<SqlTimestamp>,
}

impl Written {
    pub(super) fn of(details: &PriceListDetails) -> Self {
        Self {
            name: details.name.to_string(),
            percent_bp: details.percent.and_then(|percent| i32::try_from(percent.basis_points()).ok()),
            priority: i32::from(details.priority),
            valid_from: details.valid_from.map(ToDiesel::to_diesel),
            valid_until: details.valid_until.map(ToDiesel::to_diesel),
        }
    }
}

pub(super) fn unless_named_twice<T>(written: QueryResult<T>) -> QueryResult<Result<T, PriceListRefused>> {
    match written {
        Err(Error::DatabaseError(DatabaseErrorKind::UniqueViolation, info))
            if info.constraint_name() == Some("price_lists_by_name") =>
        {
            Ok(Err(PriceListRefused::NameTaken))
        }
        written => written.map(Ok),
    }
}

pub(super) fn is_there(connection: &mut PgConnection, id: PriceListId) -> QueryResult<bool> {
    diesel::select(diesel::dsl::exists(price_lists::table.find(id))).get_result(connection)
}

pub(super) fn all(connection: &mut PgConnection) -> QueryResult<Vec<PriceList>> {
    let count = |rows: Vec<(i32, i64)>| -> BTreeMap<i32, u64> {
        rows.into_iter().map(|(list, many)| (list, u64::try_from(many).unwrap_or_default())).collect()
    };
    let members = count(
        price_list_accounts::table
            .group_by(price_list_accounts::list_id)
            .select((price_list_accounts::list_id, diesel::dsl::count_star()))
            .load(connection)?,
    );
    let priced = count(
        prices::table
            .group_by(prices::list_id)
            .select((prices::list_id, diesel::dsl::count_star()))
            .load(connection)?,
    );
    let rows: Vec<PriceListRow> = price_lists::table
        .order((price_lists::name, price_lists::id))
        .select(PriceListRow::as_select())
        .load(connection)?;
    rows.into_iter()
        .map(|row| {
            let id = row.id;
            let many = |counts: &BTreeMap<i32, u64>| counts.get(&id).copied().unwrap_or_default();
            Ok(PriceList { id, details: row.decode()?, accounts: many(&members), prices: many(&priced) })
        })
        .collect()
}

pub(super) fn edit(
    connection: &mut PgConnection,
    id: PriceListId,
    details: &PriceListDetails,
) -> QueryResult<Result<(), PriceListRefused>> {
    // A savepoint: what comes after a name that is taken still runs.
    let written = connection.transaction(|connection| {
        diesel::update(price_lists::table.find(id)).set(Written::of(details)).execute(connection)
    });
    match unless_named_twice(written)? {
        Err(refused) => return Ok(Err(refused)),
        Ok(0) => return Ok(Err(PriceListRefused::Unknown)),
        Ok(_) => {}
    }
    if details.percent.is_some() {
        diesel::delete(prices::table.filter(prices::list_id.eq(id))).execute(connection)?;
    }
    Ok(Ok(()))
}

/// Of all products, or of these.
pub(super) fn prices(
    connection: &mut PgConnection,
    lists: &[PriceListId],
    of: Option<&[Uuid]>,
) -> QueryResult<Vec<ListedPrices>> {
    let mut rows = prices::table
        .filter(prices::list_id.eq_any(lists.to_vec()))
        .order((prices::list_id, prices::product_id, prices::min_quantity))
        .select((prices::list_id, prices::product_id, prices::min_quantity, prices::unit_cents))
        .into_boxed();
    if let Some(of) = of {
        rows = rows.filter(prices::product_id.eq_any(of.to_vec()));
    }
    let mut tiers: BTreeMap<(i32, Uuid), Vec<Tier>> = BTreeMap::new();
    for (list, product, from, cents) in rows.load::<(i32, Uuid, i32, i64)>(connection)? {
        let decoder = RowDecoder { what: "price of product", id: product };
        let from = u32::try_from(from).map_err(|why| decoder.refuse("min_quantity", &why))?;
        let unit = UnitPrice::from_cents(cents).map_err(|why| decoder.refuse("unit_cents", &why))?;
        tiers.entry((list, product)).or_default().push(Tier { from, unit });
    }
    let listed = |((list, product), tiers)| {
        let decoder = RowDecoder { what: "price of product", id: product };
        let ladder = Ladder::new(tiers).map_err(|why| decoder.refuse("min_quantity", &why))?;
        Ok(ListedPrices { list, product: ProductId::new(product), ladder })
    };
    tiers.into_iter().map(listed).collect()
}

pub(super) fn set_prices(
    connection: &mut PgConnection,
    id: PriceListId,
    new: &[(ProductId, Ladder)],
) -> QueryResult<Result<bool, Vec<ProductId>>> {
    // Of two who replace them at once, the second replaces what the first wrote.
    let locked =
        price_lists::table.find(id).select(price_lists::id).for_update().first::<i32>(connection).optional()?;
    if locked.is_none() {
        return Ok(Ok(false));
    }
    let wanted: BTreeSet<Uuid> = new.iter().map(|(product, _)| product.uuid()).collect();
    let known: BTreeSet<Uuid> = products::table
        .filter(products::id.eq_any(wanted.iter().copied().collect::<Vec<_>>()))
        .select(products::id)
        .load(connection)?
        .into_iter()
        .collect();
    let unknown: Vec<ProductId> = wanted.difference(&known).copied().map(ProductId::new).collect();
    if !unknown.is_empty() {
        return Ok(Err(unknown));
    }
    diesel::delete(prices::table.filter(prices::list_id.eq(id))).execute(connection)?;
    let mut rows = Vec::new();
    for (product, ladder) in new {
        for tier in ladder.tiers() {
            rows.push((
                prices::list_id.eq(id),
                prices::product_id.eq(product.uuid()),
                prices::min_quantity.eq(to_i32(tier.from)?),
                prices::unit_cents.eq(tier.unit.money().cents()),
            ));
        }
    }
    for some in rows.chunks(ROWS) {
        diesel::insert_into(prices::table).values(some).execute(connection)?;
    }
    Ok(Ok(true))
}

pub(super) fn accounts(connection: &mut PgConnection, id: PriceListId) -> QueryResult<Vec<Email>> {
    let emails: Vec<String> = price_list_accounts::table
        .inner_join(accounts::table)
        .filter(price_list_accounts::list_id.eq(id))
        .filter(accounts::removed_at.is_null())
        .order(accounts::email)
        .select(accounts::email)
        .load(connection)?;
    let decoder = RowDecoder { what: "price list", id };
    emails.iter().map(|email| decoder.parse("email", email)).collect()
}

pub(super) fn set_accounts(
    connection: &mut PgConnection,
    id: PriceListId,
    emails: &[Email],
) -> QueryResult<Result<bool, Vec<Email>>> {
    let locked =
        price_lists::table.find(id).select(price_lists::id).for_update().first::<i32>(connection).optional()?;
    if locked.is_none() {
        return Ok(Ok(false));
    }
    let wanted: BTreeSet<&str> = emails.iter().map(Email::as_str).collect();
    let found: Vec<(Uuid, String)> = accounts::table
        .filter(accounts::email.eq_any(wanted.iter().copied().collect::<Vec<_>>()))
        .filter(accounts::removed_at.is_null())
        .select((accounts::id, accounts::email))
        .load(connection)?;
    let known: BTreeSet<&str> = found.iter().map(|(_, email)| email.as_str()).collect();
    let unknown: Vec<Email> = emails.iter().filter(|email| !known.contains(email.as_str())).cloned().collect();
    if !unknown.is_empty() {
        return Ok(Err(unknown));
    }
    diesel::delete(price_list_accounts::table.filter(price_list_accounts::list_id.eq(id))).execute(connection)?;
    let given = |(account, _): &(Uuid, String)| {
        (price_list_accounts::list_id.eq(id), price_list_accounts::account_id.eq(*account))
    };
    let rows: Vec<_> = found.iter().map(given).collect();
    for some in rows.chunks(ROWS) {
        diesel::insert_into(price_list_accounts::table).values(some).execute(connection)?;
    }
    Ok(Ok(true))
}
