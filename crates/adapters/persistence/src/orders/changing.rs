//! Changing an order's state.

use diesel::prelude::*;
use diesel::result::{DatabaseErrorKind, Error};
use diesel::sql_types::{Bool, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use domain::Timestamp;
use domain::orders::event::OrderEventKind;
use domain::orders::order::Change;
use jiff_diesel::ToDiesel;
use ports::Applied;
use uuid::Uuid;

use crate::orders::rows::{EventColumns, StateColumns};
use crate::platform::sql_file::sql_file;
use crate::schema::{orders, payment_events, products};

/// [`change_order`]; `false` if it wrote nothing. Money events may be recorded without a change of the order's state,
/// so two entries may get the same sequence number: the later one is then decided again.
pub(crate) fn try_to_change(connection: &mut PgConnection, change: &Change) -> QueryResult<bool> {
    match change_order(connection, change) {
        Err(error) if is_seq_conflict(&error) || is_shipped_in_part(&error) => Ok(false),
        other => other,
    }
}

/// Whether some units left after it had been decided to cancel the order.
fn is_shipped_in_part(error: &Error) -> bool {
    let Error::DatabaseError(DatabaseErrorKind::CheckViolation, info) = error else { return false };
    info.constraint_name() == Some("orders_shipped_in_part_stand")
}

/// Whether two entries of a timeline got the same sequence number.
pub(crate) fn is_seq_conflict(error: &Error) -> bool {
    let Error::DatabaseError(DatabaseErrorKind::UniqueViolation, info) = error else { return false };
    matches!(info.constraint_name(), Some("order_events_order_id_seq_key" | "order_events_once"))
}

/// The changes that return units to stock.
pub(crate) fn returning_units(changes: &[Change]) -> impl Iterator<Item = &Change> {
    changes.iter().filter(|change| matches!(change.event.kind, OrderEventKind::Cancelled))
}

/// Writes changes of several orders and the provider's event that caused them: all of it or nothing.
pub(crate) fn apply_all(
    connection: &mut PgConnection,
    changes: &[Change],
    event: Option<&(String, Timestamp)>,
) -> QueryResult<Applied> {
    let written = connection.transaction(|connection| {
        lock_all(connection, changes)?;
        for change in changes {
            if !change_order(connection, change)? {
                return Err(Error::RollbackTransaction);
            }
        }
        if let Some((id, at)) = event {
            diesel::insert_into(payment_events::table)
                .values((payment_events::id.eq(id), payment_events::heard_at.eq(at.to_diesel())))
                .execute(connection)?;
        }
        Ok(())
    });
    match written {
        Ok(()) => Ok(Applied::Written),
        Err(Error::RollbackTransaction) => Ok(Applied::Conflict),
        Err(error) if is_seq_conflict(&error) || is_known_event(&error) || is_shipped_in_part(&error) => {
            Ok(Applied::Conflict)
        }
        Err(error) => Err(error),
    }
}

/// Locks the orders by their ids, then the products that get units back by theirs, as all others do: an order, then its
/// product.
fn lock_all(connection: &mut PgConnection, changes: &[Change]) -> QueryResult<()> {
    let ids: Vec<Uuid> = changes.iter().map(|change| change.after.id.uuid()).collect();
    let locked = orders::table.filter(orders::id.eq_any(ids)).order(orders::id).select(orders::id).for_no_key_update();
    locked.load::<Uuid>(connection)?;
    let returned: Vec<Uuid> = returning_units(changes).map(|change| change.after.item.product.uuid()).collect();
    if !returned.is_empty() {
        let locked = products::table
            .filter(products::id.eq_any(returned))
            .order(products::id)
            .select(products::id)
            .for_no_key_update();
        locked.load::<Uuid>(connection)?;
    }
    Ok(())
}

/// Whether the provider's event was handled by another call after it had been looked for.
pub(crate) fn is_known_event(error: &Error) -> bool {
    let Error::DatabaseError(DatabaseErrorKind::UniqueViolation, info) = error else { return false };
    info.constraint_name() == Some("payment_events_pkey")
}

/// Writes a change if the order's state is still what the decision was based on; `false` if it is not, and nothing
/// is done.
pub(crate) fn change_order(connection: &mut PgConnection, change: &Change) -> QueryResult<bool> {
    let before = StateColumns::from(&change.before);
    let after = StateColumns::from(&change.after.state);
    let event = EventColumns::new(&change.event)?;
    let changed: Option<Uuid> = sql_file!("change_order.sql" => SqlUuid, {
        id: SqlUuid = change.after.id.uuid(),
        payment_state: Text = after.payment_state,
        payment_state_before: Text = before.payment_state,
        transaction_id: Nullable<Text> = after.transaction_id,
        transaction_id_before: Nullable<Text> = before.transaction_id,
        paid_at: Nullable<Timestamptz> = after.paid_at,
        paid_at_before: Nullable<Timestamptz> = before.paid_at,
        refunded_at: Nullable<Timestamptz> = after.refunded_at,
        refunded_at_before: Nullable<Timestamptz> = before.refunded_at,
        fulfilment: Text = after.fulfilment,
        fulfilment_before: Text = before.fulfilment,
        shipped_at: Nullable<Timestamptz> = after.shipped_at,
        shipped_at_before: Nullable<Timestamptz> = before.shipped_at,
        cancelled_at: Nullable<Timestamptz> = after.cancelled_at,
        cancelled_at_before: Nullable<Timestamptz> = before.cancelled_at,
        returns_units: Bool = matches!(change.event.kind, OrderEventKind::Cancelled),
        event: SqlUuid = event.id,
        event_kind: Text = event.kind,
        event_data: Jsonb = event.data,
        event_at: Timestamptz = event.at,
        actor_id: Nullable<SqlUuid> = event.actor_id,
        actor_email: Nullable<Text> = event.actor_email,
    })
    .get_result(connection)
    .optional()?;
    Ok(changed.is_some())
}
