//! Checkouts and their orders.

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::result::Error;
use domain::orders::event::OrderEventKind;
use domain::orders::order::Change;
use domain::{AccountId, Checkout, CheckoutId, Money, ProductId};
use ports::{
    Applied, CheckoutPlaced, CheckoutQuery, CheckoutRepository, IdempotencyKey, NewCheckout, Page, PlaceCheckoutError,
    StoreError, StoredCheckout,
};

use crate::Database;
use crate::checkout::lists;
use crate::checkout::placing::{self, Outcome};
use crate::checkout::rows::CheckoutRow;
use crate::orders::changing::{change_order, is_seq_conflict};
use crate::schema::{checkouts, orders};

#[async_trait]
impl CheckoutRepository for Database {
    async fn place(&self, new: &NewCheckout) -> Result<CheckoutPlaced, PlaceCheckoutError> {
        let new = new.clone();
        let ordered: Vec<ProductId> = new.orders.iter().map(|new| new.order.item.product).collect();
        match self.run(move |connection| placing::place(connection, &new)).await? {
            Outcome::Placed(placed) => {
                for product in ordered {
                    self.note_product(product);
                }
                Ok(placed)
            }
            Outcome::Lines(refusals) => Err(PlaceCheckoutError::Lines(refusals)),
            Outcome::OneUnpaid => Err(PlaceCheckoutError::OneUnpaid),
        }
    }

    async fn placed_under(
        &self,
        customer: AccountId,
        idempotency_key: IdempotencyKey,
    ) -> Result<Option<CheckoutId>, StoreError> {
        self.read(move |connection| placing::placed_under(connection, customer.uuid(), idempotency_key)).await
    }

    async fn find(&self, id: CheckoutId) -> Result<Option<StoredCheckout>, StoreError> {
        self.read(move |connection| {
            let row: Option<CheckoutRow> =
                checkouts::table.find(id.uuid()).select(CheckoutRow::as_select()).first(connection).optional()?;
            let Some(row) = row else { return Ok(None) };
            let checkout = Checkout::try_from(row)?;
            let orders = lists::orders_of(connection, &[id.uuid()])?.remove(&id).unwrap_or_default();
            Ok(Some(StoredCheckout { checkout, orders }))
        })
        .await
    }

    async fn list(&self, query: &CheckoutQuery) -> Result<Page<StoredCheckout, CheckoutId>, StoreError> {
        let query = query.clone();
        self.read_list(move |connection| lists::list(connection, &query)).await
    }

    async fn set_freight(
        &self,
        id: CheckoutId,
        shipping: Money,
        tax: Money,
        changes: &[Change],
    ) -> Result<Applied, StoreError> {
        let changes = changes.to_vec();
        self.run(move |connection| {
            let written = connection.transaction(|connection| set_freight(connection, id, shipping, tax, &changes));
            match written {
                Ok(()) => Ok(Applied::Written),
                Err(Error::RollbackTransaction) => Ok(Applied::Conflict),
                Err(error) if is_seq_conflict(&error) => Ok(Applied::Conflict),
                Err(error) => Err(error),
            }
        })
        .await
    }
}

fn set_freight(
    connection: &mut PgConnection,
    id: CheckoutId,
    shipping: Money,
    tax: Money,
    changes: &[Change],
) -> QueryResult<()> {
    let waiting = checkouts::table.find(id.uuid()).filter(checkouts::shipping_cents.is_null());
    let sums = (checkouts::shipping_cents.eq(shipping.cents()), checkouts::tax_cents.eq(tax.cents()));
    if diesel::update(waiting).set(sums).execute(connection)? == 0 {
        return Err(Error::RollbackTransaction);
    }
    for change in changes {
        let OrderEventKind::FreightSet { charges } = &change.event.kind else { return Err(Error::RollbackTransaction) };
        let order = orders::table.find(change.after.id.uuid()).filter(orders::awaits_freight);
        let written = diesel::update(order)
            .set((
                orders::shipping_cents.eq(charges.shipping.cents()),
                orders::tax_cents.eq(charges.tax.cents()),
                orders::awaits_freight.eq(false),
            ))
            .execute(connection)?;
        if written == 0 || !change_order(connection, change)? {
            return Err(Error::RollbackTransaction);
        }
    }
    Ok(())
}
