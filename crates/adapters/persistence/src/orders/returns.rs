//! Returns of orders.

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::result::{DatabaseErrorKind, Error};
use diesel::sql_types::{Integer, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use domain::orders::returns::{AcceptedReturn, ReturnState};
use domain::{OrderId, OrderReturn, ReturnId};
use jiff_diesel::ToDiesel;
use ports::{
    IdempotencyKey, NewReturn, RefundBegun, ReturnDecided, ReturnDecision, ReturnRepository, ReturnRequested,
    StoreError,
};
use uuid::Uuid;

use crate::Database;
use crate::catalog::stock_changes::has_room;
use crate::orders::changing::try_to_change;
use crate::orders::return_rows::{ReturnRow, StateColumns};
use crate::orders::rows::EventColumns;
use crate::payments::refunds;
use crate::platform::decode::{decode_all, to_i32};
use crate::platform::idempotency::{columns, same_request};
use crate::platform::sql_file::sql_file;
use crate::schema::{orders, returns};

#[async_trait]
impl ReturnRepository for Database {
    async fn request(&self, new: &NewReturn) -> Result<ReturnRequested, StoreError> {
        let new = new.clone();
        self.run(move |connection| match connection.transaction(|connection| request(connection, &new)) {
            Err(Error::RollbackTransaction) => Ok(ReturnRequested::Conflict),
            other => other,
        })
        .await
    }

    async fn decide(&self, decision: &ReturnDecision) -> Result<ReturnDecided, StoreError> {
        let decision = decision.clone();
        self.run(move |connection| match connection.transaction(|connection| decide(connection, &decision)) {
            Err(Error::RollbackTransaction) => Ok(ReturnDecided::Conflict),
            other => other,
        })
        .await
    }

    async fn find(&self, id: ReturnId) -> Result<Option<OrderReturn>, StoreError> {
        self.read(move |connection| {
            returns::table
                .find(id.uuid())
                .select(ReturnRow::as_select())
                .first(connection)
                .optional()?
                .map(OrderReturn::try_from)
                .transpose()
        })
        .await
    }

    async fn requested_under(
        &self,
        order: OrderId,
        idempotency_key: IdempotencyKey,
    ) -> Result<Option<ReturnId>, StoreError> {
        self.read(move |connection| requested_under(connection, order, idempotency_key)).await
    }

    async fn of_order(&self, order: OrderId) -> Result<Vec<OrderReturn>, StoreError> {
        self.read(move |connection| {
            decode_all(
                returns::table
                    .filter(returns::order_id.eq(order.uuid()))
                    .order((returns::requested_at, returns::id))
                    .select(ReturnRow::as_select())
                    .load(connection)?,
            )
        })
        .await
    }
}

fn requested_under(
    connection: &mut PgConnection,
    order: OrderId,
    idempotency_key: IdempotencyKey,
) -> QueryResult<Option<ReturnId>> {
    let known: Option<(Uuid, Option<Vec<u8>>)> = returns::table
        .filter(returns::order_id.eq(order.uuid()))
        .filter(returns::once_key.eq(idempotency_key.key.0.to_vec()))
        .select((returns::id, returns::once_fingerprint))
        .first(connection)
        .optional()?;
    let Some((known, fingerprint)) = known else { return Ok(None) };
    same_request(idempotency_key, fingerprint.as_deref())?;
    Ok(Some(ReturnId::new(known)))
}

fn request(connection: &mut PgConnection, new: &NewReturn) -> QueryResult<ReturnRequested> {
    let NewReturn { asked, earlier, change, idempotency_key } = new;
    // Returns of one order are written one after the other.
    orders::table.find(asked.order.uuid()).select(orders::id).for_update().first::<Uuid>(connection)?;
    if let Some(key) = idempotency_key
        && let Some(known) = requested_under(connection, asked.order, *key)?
    {
        return Ok(ReturnRequested::Known(known));
    }
    let now: i64 = returns::table.filter(returns::order_id.eq(asked.order.uuid())).count().get_result(connection)?;
    if usize::try_from(now).ok() != Some(*earlier) || !try_to_change(connection, change)? {
        return Err(Error::RollbackTransaction);
    }
    let (once_key, once_fingerprint) = columns(*idempotency_key);
    diesel::insert_into(returns::table)
        .values((
            returns::id.eq(asked.id.uuid()),
            returns::order_id.eq(asked.order.uuid()),
            returns::reason.eq(asked.reason.as_str()),
            returns::details.eq(asked.details.as_ref().map(|details| details.as_str().to_owned())),
            returns::units.eq(to_i32(asked.units.get())?),
            returns::requested_at.eq(asked.requested_at.to_diesel()),
            returns::once_key.eq(once_key),
            returns::once_fingerprint.eq(once_fingerprint),
        ))
        .execute(connection)
        .map_err(|error| match error {
            Error::DatabaseError(DatabaseErrorKind::UniqueViolation, _) => Error::RollbackTransaction,
            other => other,
        })?;
    Ok(ReturnRequested::Written)
}

fn decide(connection: &mut PgConnection, decision: &ReturnDecision) -> QueryResult<ReturnDecided> {
    let ReturnDecision { after, change, refund } = decision;
    let restocked =
        matches!(after.state, ReturnState::Accepted { outcome: AcceptedReturn { restocked: true, .. }, .. });
    let units = to_i32(after.units.get())?;
    // Before the order's row is locked, as whoever restocks does.
    if restocked && !has_room(connection, change.after.item.product.uuid(), units)? {
        return Ok(ReturnDecided::NoRoom);
    }
    if let Some(refund) = refund
        && refunds::begin(connection, refund)? != RefundBegun::Written
    {
        return Err(Error::RollbackTransaction);
    }
    if !try_to_change(connection, change)? {
        return Err(Error::RollbackTransaction);
    }
    let decided = diesel::update(returns::table.find(after.id.uuid()))
        .filter(returns::state.eq("requested"))
        .set(StateColumns::from(&after.state))
        .execute(connection)?;
    if decided == 0 {
        return Err(Error::RollbackTransaction);
    }
    if restocked {
        let event = EventColumns::new(&change.event)?;
        sql_file!("return_units.sql", {
            product: SqlUuid = change.after.item.product.uuid(),
            returned: SqlUuid = after.id.uuid(),
            units: Integer = units,
            actor_id: Nullable<SqlUuid> = event.actor_id,
            actor_email: Nullable<Text> = event.actor_email,
            at: Timestamptz = event.at,
        })
        .execute(connection)?;
    }
    Ok(ReturnDecided::Written)
}
