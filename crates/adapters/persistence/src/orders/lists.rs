//! Pages of orders.

use diesel::dsl::sql;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{Bool, Integer, Text};
use domain::{AccountId, Order, OrderId};
use jiff_diesel::{Timestamp as SqlTimestamp, ToDiesel};
use ports::{OrderFilter, OrderQuery, OrderSort, Page, SortOrder};
use uuid::Uuid;

use crate::orders::rollups;
use crate::orders::rows::OrderRow;
use crate::platform::decode::decode_all;
use crate::platform::page::{cut_page, limited, page_past_end};
use crate::platform::search::{self, least, strpos};
use crate::schema::orders;

type Filtered<'a> = orders::BoxedQuery<'a, Pg>;
type WordAt<'a> = Box<dyn BoxableExpression<orders::table, Pg, SqlType = Integer> + 'a>;

// Literals and not bound, so that the planner uses the partial indexes with exactly these conditions.
const WAITING: &str = "fulfilment = 'pending'";
const UNPAID: &str = "payment_state = 'unpaid'";
const PAID: &str = "payment_state = 'paid'";
const REFUNDED: &str = "payment_state = 'refunded'";

pub(crate) fn list(connection: &mut PgConnection, query: &OrderQuery) -> QueryResult<Page<Order, OrderId>> {
    let Some(words) = search::words(query.search.as_deref()) else {
        return Ok(Page::empty(0));
    };
    let mut page = matching(query, &words);
    let count = |connection: &mut PgConnection| count(connection, query, &words);
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
    let found: Vec<Order> = decode_all(limited(page, &query.page).select(OrderRow::as_select()).load(connection)?)?;
    // The page alone shows as many as a search is counted to.
    let is_enough = !words.is_empty() && query.counted_up_to.is_some_and(|most| found.len() > most as usize);
    let count = || if is_enough { Ok(0) } else { count(connection) };
    cut_page(found, &query.page, |last: &Order| last.id, count)
}

/// How many orders of one customer are read together with those of others at most.
const SHARED_PAGE_MAX: u32 = 50;

/// The customer and the page size, of the first page of all orders of one customer that are not cancelled.
pub(crate) fn first_of_customer(query: &OrderQuery) -> Option<(AccountId, u32)> {
    let OrderQuery {
        customer, search: None, state: OrderFilter::NotCancelled, from: None, to: None, sort, page, ..
    } = query
    else {
        return None;
    };
    let is_first = page.after.is_none() && *sort == OrderSort::Placed(SortOrder::Descending);
    customer.zip(page.limit.filter(|limit| is_first && *limit <= SHARED_PAGE_MAX))
}

/// How many match, over all pages.
pub(crate) fn count(connection: &mut PgConnection, query: &OrderQuery, words: &[String]) -> QueryResult<i64> {
    let is_of_all = query.customer.is_none() && query.from.is_none() && query.to.is_none();
    if words.is_empty() && is_of_all {
        return Ok(rollups::counts(connection)?.of(query.state));
    }
    let Some(most) = query.counted_up_to else {
        return matching(query, words).count().get_result(connection);
    };
    // In the order of an index, because it is mostly the newest orders that are searched for and in memory.
    let newest = matching(query, words).order((orders::placed_at.desc(), orders::id.desc())).limit(i64::from(most));
    let found: Vec<Uuid> = newest.select(orders::id).load(connection)?;
    Ok(i64::try_from(found.len()).unwrap_or(i64::MAX))
}

fn matching<'a>(query: &OrderQuery, words: &'a [String]) -> Filtered<'a> {
    let mut matching = in_state(query.state);
    if let Some(customer) = query.customer {
        matching = matching.filter(orders::buyer_id.eq(customer.uuid()));
    }
    if let Some(from) = query.from {
        matching = matching.filter(orders::placed_at.ge(from.begins().to_diesel()));
    }
    if let Some(to) = query.to {
        matching = matching.filter(orders::placed_at.lt(to.ends().to_diesel()));
    }
    // One condition for all words: the planner takes every condition to hold for a third of the orders, and would read
    // and sort them all for a handful of words, instead of walking an index until the page is full.
    // The search keys of earlier orders lack the part number.
    let word_at = |word| -> WordAt<'a> {
        let whole = sql::<Text>("orders.search_key || coalesce(chr(1) || lower(orders.part_number), '')");
        Box::new(strpos(whole, word))
    };
    if let Some(first_of) = words.iter().map(word_at).reduce(|one, other| Box::new(least(one, other))) {
        matching = matching.filter(first_of.gt(0));
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
        OrderFilter::Ready => every.filter(standing).filter(sql::<Bool>(WAITING)).filter(sql::<Bool>(PAID)),
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
