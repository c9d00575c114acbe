//! Reservations of unpaid orders: reminders and expiry.
//!
//! Every time here comes from the database's clock, so that an instance whose clock is wrong expires nothing too early.

use std::time::Duration;

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Double, Uuid as SqlUuid};
use domain::OrderId;
use uuid::Uuid;

/// Each leased order's `lapse_at` moves on first, so that no other instance takes it meanwhile, and one that cannot be
/// cancelled does not block the others. MATERIALIZED, so that the rows are picked only once, whatever plan the update
/// gets.
const TAKE_LAPSED: &str = "
    WITH due AS MATERIALIZED (
        SELECT id AS due_id FROM orders
        WHERE payment_state = 'unpaid' AND fulfilment = 'pending' AND cancelled_at IS NULL
            AND lapse_at <= now() AND reserved_until <= now()
        ORDER BY lapse_at, id
        LIMIT $1
        FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE orders
    SET lapse_attempts = lapse_attempts + 1,
        lapse_at = now() + least(interval '1 minute' * power(2, least(lapse_attempts, 10)), interval '6 hours')
    FROM due WHERE id = due_id
    RETURNING id";

const RESERVE: &str = "
    WITH found AS MATERIALIZED (
        SELECT id AS found_id, placed_at + make_interval(secs => $1) AS until FROM orders
        WHERE payment_state = 'unpaid' AND fulfilment = 'pending' AND cancelled_at IS NULL AND reserved_until IS NULL
        ORDER BY placed_at, id
        LIMIT $2
        FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE orders
    SET reserved_until = until, lapse_at = until,
        remind_at = CASE WHEN $1 >= 1800 THEN until - least(make_interval(secs => $1) / 4, interval '4 hours') END
    FROM found WHERE id = found_id";

/// An order whose reservation has already expired gets no reminder any more.
const REMIND: &str = "
    WITH due AS MATERIALIZED (
        SELECT id AS due_id FROM orders
        WHERE payment_state = 'unpaid' AND fulfilment = 'pending' AND cancelled_at IS NULL AND remind_at IS NOT NULL
            AND remind_at <= now()
        ORDER BY remind_at, id
        LIMIT $1
        FOR NO KEY UPDATE SKIP LOCKED
    ), noted AS (
        UPDATE orders SET remind_at = NULL FROM due WHERE id = due_id RETURNING id, contact_email, reserved_until
    )
    INSERT INTO outbox (channel, topic, order_id, event_id, email, created_at, due_at)
    SELECT 'mail', 'order.reminder', noted.id, order_events.id, contact_email, now(), now()
    FROM noted JOIN order_events ON order_id = noted.id AND seq = 1
    WHERE reserved_until > now()";

const OVERDUE: &str = "
    SELECT count(*) AS many FROM orders
    WHERE payment_state = 'unpaid' AND fulfilment = 'pending' AND cancelled_at IS NULL AND lapse_attempts > 0";

#[derive(QueryableByName)]
struct Lapsed {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
}

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = BigInt)]
    many: i64,
}

pub(crate) fn lease_lapsed(connection: &mut PgConnection, limit: u32) -> QueryResult<Vec<OrderId>> {
    let taken: Vec<Lapsed> = diesel::sql_query(TAKE_LAPSED).bind::<BigInt, _>(i64::from(limit)).load(connection)?;
    Ok(taken.into_iter().map(|row| OrderId::new(row.id)).collect())
}

pub(crate) fn reserve(connection: &mut PgConnection, hold: Duration, limit: u32) -> QueryResult<u32> {
    let reserved = diesel::sql_query(RESERVE)
        .bind::<Double, _>(hold.as_secs_f64())
        .bind::<BigInt, _>(i64::from(limit))
        .execute(connection)?;
    Ok(u32::try_from(reserved).unwrap_or(u32::MAX))
}

pub(crate) fn remind(connection: &mut PgConnection, limit: u32) -> QueryResult<u32> {
    let reminded = diesel::sql_query(REMIND).bind::<BigInt, _>(i64::from(limit)).execute(connection)?;
    Ok(u32::try_from(reminded).unwrap_or(u32::MAX))
}

pub(crate) fn overdue(connection: &mut PgConnection) -> QueryResult<u64> {
    let row: Count = diesel::sql_query(OVERDUE).get_result(connection)?;
    Ok(u64::try_from(row.many).unwrap_or(0))
}
