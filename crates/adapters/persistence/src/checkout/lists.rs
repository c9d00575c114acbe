//! Lists of checkouts.

use std::collections::HashMap;

use diesel::dsl::{exists, not, sql};
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{Bool, Text};
use domain::{Checkout, CheckoutId, Order};
use ports::{CheckoutQuery, CheckoutState, Page, StoredCheckout};
use uuid::Uuid;

use crate::checkout::rows::CheckoutRow;
use crate::orders::rows::OrderRow;
use crate::platform::page::cut_page;
use crate::platform::search;
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
fn filtered<'a>(query: &CheckoutQuery, words: &[String]) -> Filtered<'a> {
    let mut page = checkouts::table.into_boxed();
    if let Some(customer) = query.customer {
        page = page.filter(checkouts::buyer_id.eq(customer.uuid()));
    }
    if let Some(state) = query.state {
        page = with_orders(page, state);
    }
    for word in words {
        page = page.filter(
            sql::<Bool>("position(")
                .bind::<Text, _>(word.clone())
                .sql(" in checkouts.search_key || ' p-' || checkouts.number) > 0"),
        );
    }
    page
}

pub(super) fn list(
    connection: &mut PgConnection,
    query: &CheckoutQuery,
) -> QueryResult<Page<StoredCheckout, CheckoutId>> {
    // A search for nothing but spaces matches everything.
    let words = search::words(query.search.as_deref()).unwrap_or_default();
    let mut page = filtered(query, &words);
    if let Some(cursor) = query.page.after {
        page = page.filter(checkouts::id.lt(cursor.uuid()));
    }
    let mut page = page.order(checkouts::id.desc()).select(CheckoutRow::as_select());
    if let Some(limit) = query.page.limit {
        page = page.limit(i64::from(limit) + 1);
    }
    let rows: Vec<CheckoutRow> = page.load(connection)?;
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
        || filtered(query, &words).count().get_result(connection),
    )
}
