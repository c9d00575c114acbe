//! Units that arrive in stock.

use diesel::prelude::*;
use domain::{Actor, Product, Timestamp};
use jiff_diesel::ToDiesel;
use uuid::Uuid;

use crate::accounts::rows::actor_columns;
use crate::platform::decode::to_i32;
use crate::schema::stock_ledger;

/// Units that arrive in a product's stock.
#[derive(Clone, Copy)]
pub(crate) struct Arrival {
    pub(crate) product: Uuid,
    pub(crate) units: i32,
}

impl Arrival {
    pub(crate) fn of(product: &Product) -> QueryResult<Self> {
        Ok(Self { product: product.id.uuid(), units: to_i32(product.details.available.get())? })
    }
}

/// Enters arrivals into the stock ledger, except those of zero units.
pub(crate) fn receive(
    connection: &mut PgConnection,
    arrivals: &[Arrival],
    by: &Actor,
    at: Timestamp,
) -> QueryResult<()> {
    let (actor_id, actor_email) = actor_columns(by);
    let entries: Vec<_> = arrivals
        .iter()
        .filter(|arrival| arrival.units > 0)
        .map(|arrival| {
            (
                stock_ledger::product_id.eq(arrival.product),
                stock_ledger::delta.eq(arrival.units),
                stock_ledger::kind.eq("received"),
                stock_ledger::actor_id.eq(actor_id),
                stock_ledger::actor_email.eq(&actor_email),
                stock_ledger::at.eq(at.to_diesel()),
            )
        })
        .collect();
    diesel::insert_into(stock_ledger::table).values(&entries).execute(connection)?;
    Ok(())
}
