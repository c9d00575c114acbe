//! Lists of checkouts.

use std::collections::HashMap;

use diesel::dsl::{exists, not, sql};
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{Integer, Text};
use domain::{Checkout, CheckoutId, CheckoutState, Order};
use ports::{CheckoutQuery, Page, StoredCheckout};
use uuid::Uuid;

use crate::checkout::rows::CheckoutRow;
use crate::orders::rows::OrderRow;
use crate::platform::page::{cut_page, limited};
use crate::platform::search::{self, least, strpos};
use crate::schema::{checkouts, orders};

/// The orders of these checkouts, by their lines.
pub(super) fn orders_of(connection: &mut PgConnection, of: &[Uuid]) -> QueryResult<HashMap<CheckoutId, Vec<Order>>> {
    let rows: Vec<OrderRow> = orders::table
        .filter(orders::checkout_id.eq_any(of.to_vec()))
        .order((orders::checkout_id, orders::line))
        .select(OrderRow::as_select())
        .load(connection)?;
    let mut found: HashMap<CheckoutId, Vec<Order>> = HashMap::new();
    for row in rows {
        let order = Order::try_from(row)?;
        if let Some(checkout) = order.checkout() {
            found.entry(checkout).or_default().push(order);
        }
    }
    Ok(found)
}

type Filtered<'a> = checkouts::BoxedQuery<'a, Pg>;
type WordAt<'a> = Box<dyn BoxableExpression<checkouts::table, Pg, SqlType = Integer> + 'a>;

/// Whether an order of the checkout stands, and is unpaid if asked for.
fn with_orders(mut page: Filtered<'_>, state: CheckoutState) -> Filtered<'_> {
    let standing = || {
        orders::table.filter(orders::checkout_id.eq(checkouts::id.nullable())).filter(orders::cancelled_at.is_null())
    };
    let unpaid = || standing().filter(orders::payment_state.eq("unpaid"));
    page = match state {
        CheckoutState::Waiting => page.filter(checkouts::shipping_cents.is_null()).filter(exists(standing())),
        CheckoutState::Unpaid => page.filter(checkouts::shipping_cents.is_not_null()).filter(exists(unpaid())),
        CheckoutState::Paid => page.filter(exists(standing())).filter(not(exists(unpaid()))),
        CheckoutState::Cancelled => page.filter(not(exists(standing()))),
    };
    page
}

/// The filters of a list, without its page.
fn filtered<'a>(query: &CheckoutQuery, words: &'a [String]) -> Filtered<'a> {
    let mut page = checkouts::table.into_boxed();
    if let Some(customer) = query.customer {
        page = page.filter(checkouts::buyer_id.eq(customer.uuid()));
    }
    if let Some(state) = query.state {
        page = with_orders(page, state);
    }
    // One condition for all words, as for orders.
    let word_at = |word: &'a String| -> WordAt<'a> {
        let whole = sql::<Text>("checkouts.search_key || ' p-' || checkouts.number");
        Box::new(strpos(whole, word))
    };
    if let Some(first_of) = words.iter().map(word_at).reduce(|one, other| Box::new(least(one, other))) {
        page = page.filter(first_of.gt(0));
    }
    page
}

/// How many match, over all pages.
fn count(connection: &mut PgConnection, query: &CheckoutQuery, words: &[String]) -> QueryResult<i64> {
    let matching = filtered(query, words);
    let Some(most) = query.counted_up_to else { return matching.count().get_result(connection) };
    let newest = matching.order(checkouts::id.desc()).limit(i64::from(most)).select(checkouts::id);
    let found: Vec<Uuid> = newest.load(connection)?;
    Ok(i64::try_from(found.len()).unwrap_or(i64::MAX))
}

pub(super) fn list(
    connection: &mut PgConnection,
    query: &CheckoutQuery,
) -> QueryResult<Page<StoredCheckout, CheckoutId>> {
    let Some(words) = search::words(query.search.as_deref()) else {
        return Ok(Page::empty(0));
    };
    let mut page = filtered(query, &words);
    if let Some(cursor) = query.page.after {
        page = page.filter(checkouts::id.lt(cursor.uuid()));
    }
    let page = limited(page.order(checkouts::id.desc()), &query.page);
    let rows: Vec<CheckoutRow> = page.select(CheckoutRow::as_select()).load(connection)?;
    // The page alone shows as many as a search is counted to.
    let is_enough = !words.is_empty() && query.counted_up_to.is_some_and(|most| rows.len() > most as usize);
    let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
    let mut orders = orders_of(connection, &ids)?;
    let found = rows
        .into_iter()
        .map(|row| {
            let checkout = Checkout::try_from(row)?;
            let orders = orders.remove(&checkout.id).unwrap_or_default();
            Ok(StoredCheckout { checkout, orders })
        })
        .collect::<QueryResult<Vec<_>>>()?;
    cut_page(
        found,
        &query.page,
        |last: &StoredCheckout| last.checkout.id,
        || if is_enough { Ok(0) } else { count(connection, query, &words) },
    )
}
