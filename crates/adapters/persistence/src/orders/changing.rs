//! Changing an order's state.

use diesel::prelude::*;
use diesel::result::{DatabaseErrorKind, Error};
use diesel::sql_types::{Bool, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use domain::orders::event::OrderEventKind;
use domain::orders::order::Change;
use uuid::Uuid;

use crate::orders::rows::{EventColumns, StateColumns};
use crate::platform::sql_file::sql_file;

/// [`change_order`]; `false` if it wrote nothing. Money events may be recorded without a change of the order's state,
/// so two entries may get the same sequence number: the later one is then decided again.
pub(crate) fn try_to_change(connection: &mut PgConnection, change: &Change) -> QueryResult<bool> {
    match change_order(connection, change) {
        Err(error) if is_seq_conflict(&error) => Ok(false),
        other => other,
    }
}

/// Whether two entries of a timeline got the same sequence number.
pub(crate) fn is_seq_conflict(error: &Error) -> bool {
    let Error::DatabaseError(DatabaseErrorKind::UniqueViolation, info) = error else { return false };
    matches!(info.constraint_name(), Some("order_events_order_id_seq_key" | "order_events_once"))
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
