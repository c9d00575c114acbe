//! Queries over many orders: pages, sales per day, and counts per state.

use diesel::dsl::sql;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Date as SqlDay, Timestamptz};
use domain::{Day, Money, Order, OrderId};
use jiff_diesel::{Date, Timestamp as SqlTimestamp, ToDiesel};
use ports::{DayOfSales, OrderFilter, OrderQuery, OrderSort, OrderStates, Page, SortOrder};
use uuid::Uuid;

use crate::orders::rows::OrderRow;
use crate::platform::decode::decode_all;
use crate::platform::page::{cut_page, limited, page_past_end};
use crate::platform::search::{self, strpos};
use crate::platform::sql_file::sql_file;
use crate::schema::orders;

type Filtered<'a> = orders::BoxedQuery<'a, Pg>;

// Literals and not bound, so that the planner uses the partial indexes with exactly these conditions.
const WAITING: &str = "fulfilment = 'pending'";
const UNPAID: &str = "payment_state = 'unpaid'";
const REFUNDED: &str = "payment_state = 'refunded'";

pub(crate) fn list(connection: &mut PgConnection, query: &OrderQuery) -> QueryResult<Page<Order, OrderId>> {
    let Some(words) = search::words(query.search.as_deref()) else {
        return Ok(Page::empty(0));
    };
    let mut page = matching(query, &words);
    let count = |connection: &mut PgConnection| matching(query, &words).count().get_result(connection);
    if let Some(after) = query.page.after {
        let anchor: Option<(SqlTimestamp, i64)> = orders::table
            .find(after.uuid())
            // A cancelled order still marks its position.
            .select((orders::placed_at, orders::total_cents))
            .first(connection)
            .optional()?;
        let Some(anchor) = anchor else {
            return page_past_end(&query.page, || count(connection));
        };
        page = beyond(page, query.sort, after.uuid(), anchor);
    }
    page = match query.sort {
        OrderSort::Placed(SortOrder::Descending) => page.order((orders::placed_at.desc(), orders::id.desc())),
        OrderSort::Placed(SortOrder::Ascending) => page.order((orders::placed_at.asc(), orders::id.asc())),
        OrderSort::Total(SortOrder::Ascending) => page.order((orders::total_cents.asc(), orders::id.asc())),
        OrderSort::Total(SortOrder::Descending) => page.order((orders::total_cents.desc(), orders::id.desc())),
    };
    let found = decode_all(limited(page, &query.page).select(OrderRow::as_select()).load(connection)?)?;
    cut_page(found, &query.page, |last: &Order| last.id, || count(connection))
}

fn matching<'a>(query: &OrderQuery, words: &'a [String]) -> Filtered<'a> {
    let mut matching = in_state(query.state);
    if let Some(customer) = query.customer {
        matching = matching.filter(orders::buyer_id.eq(customer.uuid()));
    }
    for word in words {
        matching = matching.filter(strpos(orders::search_key, word).gt(0));
    }
    matching
}

/// All orders that match the filter.
pub(crate) fn in_state<'a>(state: OrderFilter) -> Filtered<'a> {
    let every = orders::table.into_boxed();
    let standing = orders::cancelled_at.is_null();
    match state {
        OrderFilter::NotCancelled => every.filter(standing),
        OrderFilter::Waiting => every.filter(standing).filter(sql::<Bool>(WAITING)),
        OrderFilter::Shipped => every.filter(standing).filter(orders::fulfilment.eq("shipped")),
        OrderFilter::Unpaid => every.filter(standing).filter(sql::<Bool>(UNPAID)),
        OrderFilter::Reserved => every.filter(standing).filter(sql::<Bool>(UNPAID)).filter(sql::<Bool>(WAITING)),
        OrderFilter::Refunded => every.filter(sql::<Bool>(REFUNDED)),
        OrderFilter::Cancelled => every.filter(orders::cancelled_at.is_not_null()),
        OrderFilter::All => every,
    }
}

/// Only what comes after an order in the list's order. An index can use the bare bound on the first key.
fn beyond(page: Filtered<'_>, sort: OrderSort, id: Uuid, (placed_at, total): (SqlTimestamp, i64)) -> Filtered<'_> {
    match sort {
        OrderSort::Placed(SortOrder::Descending) => {
            page.filter(orders::placed_at.le(placed_at)).filter(orders::placed_at.lt(placed_at).or(orders::id.lt(id)))
        }
        OrderSort::Placed(SortOrder::Ascending) => {
            page.filter(orders::placed_at.ge(placed_at)).filter(orders::placed_at.gt(placed_at).or(orders::id.gt(id)))
        }
        OrderSort::Total(SortOrder::Ascending) => {
            page.filter(orders::total_cents.ge(total)).filter(orders::total_cents.gt(total).or(orders::id.gt(id)))
        }
        OrderSort::Total(SortOrder::Descending) => {
            page.filter(orders::total_cents.le(total)).filter(orders::total_cents.lt(total).or(orders::id.lt(id)))
        }
    }
}

#[derive(QueryableByName)]
struct SalesRow {
    #[diesel(sql_type = SqlDay)]
    day: Date,
    #[diesel(sql_type = BigInt)]
    orders: i64,
    #[diesel(sql_type = BigInt)]
    paid: i64,
    #[diesel(sql_type = BigInt)]
    returned: i64,
}

pub(crate) fn sales(connection: &mut PgConnection, first: Day, last: Day) -> QueryResult<Vec<DayOfSales>> {
    let rows: Vec<SalesRow> = sql_file!("sales_per_day.sql", {
        from_time: Timestamptz = first.begins().to_diesel(),
        before_time: Timestamptz = last.ends().to_diesel(),
        max_cents: BigInt = Money::MAX.cents(),
    })
    .load(connection)?;
    let day = |row: SalesRow| DayOfSales {
        day: Day::new(row.day.to_jiff()),
        orders: u64::try_from(row.orders).unwrap_or(0),
        paid: Money::from_cents(row.paid).unwrap_or(Money::MAX),
        returned_cents: row.returned,
    };
    Ok(rows.into_iter().map(day).collect())
}

#[derive(QueryableByName)]
struct StatesRow {
    #[diesel(sql_type = BigInt)]
    standing: i64,
    #[diesel(sql_type = BigInt)]
    waiting: i64,
    #[diesel(sql_type = BigInt)]
    unpaid: i64,
}

pub(crate) fn states(connection: &mut PgConnection) -> QueryResult<OrderStates> {
    let row: StatesRow = sql_file!("count_states.sql", {}).get_result(connection)?;
    let counted = |count: i64| u64::try_from(count).unwrap_or(0);
    Ok(OrderStates {
        waiting: counted(row.waiting),
        unpaid: counted(row.unpaid),
        paid: counted(row.standing - row.unpaid),
        shipped: counted(row.standing - row.waiting),
    })
}
