//! What needs an admin's attention.

use diesel::prelude::*;
use diesel::result::Error;
use diesel::sql_types::{BigInt, Double, Timestamptz};
use domain::{Dispute, DisputeState, OrderId, OrderReturn, Refund, Timestamp};
use jiff_diesel::Timestamp as SqlTimestamp;
use ports::{AttentionItem, MoneyTally, REFUND_OVERDUE};

use crate::orders::return_rows::ReturnRow;
use crate::payments::rows::{DisputeRow, PaymentAttemptRow, RefundRow, readable_with_shares};
use crate::platform::decode::readable;
use crate::platform::sql_file::sql_file;
use crate::schema::{disputes, returns};

#[derive(QueryableByName)]
struct TallyRow {
    #[diesel(sql_type = BigInt)]
    owing: i64,
    #[diesel(sql_type = BigInt)]
    overdue: i64,
    #[diesel(sql_type = BigInt)]
    failed: i64,
    #[diesel(sql_type = BigInt)]
    elsewhere: i64,
    #[diesel(sql_type = BigInt)]
    disputed: i64,
    #[diesel(sql_type = BigInt)]
    mismatched: i64,
    #[diesel(sql_type = BigInt)]
    unknown: i64,
    #[diesel(sql_type = BigInt)]
    returns: i64,
}

pub(crate) fn tally(connection: &mut PgConnection) -> QueryResult<MoneyTally> {
    let row: TallyRow = sql_file!("count_attention.sql", { overdue_seconds: Double = REFUND_OVERDUE.as_secs_f64() })
        .get_result(connection)?;
    let many = |count: i64| u64::try_from(count).unwrap_or(0);
    Ok(MoneyTally {
        owing: many(row.owing),
        overdue: many(row.overdue),
        failed: many(row.failed),
        elsewhere: many(row.elsewhere),
        disputed: many(row.disputed),
        mismatched: many(row.mismatched),
        unknown: many(row.unknown),
        returns: many(row.returns),
    })
}

#[derive(QueryableByName)]
struct Mismatched {
    #[diesel(embed)]
    payment: PaymentAttemptRow,
    #[diesel(sql_type = Timestamptz)]
    mismatched_at: SqlTimestamp,
}

impl Mismatched {
    fn read(self, connection: &mut PgConnection) -> QueryResult<Option<Matter>> {
        let payment = readable_with_shares(connection, self.payment)?;
        Ok(payment.map(|payment| (AttentionItem::Mismatched(payment), self.mismatched_at.to_jiff())))
    }
}

/// A matter, and since when it has needed attention.
type Matter = (AttentionItem, Timestamp);

impl TryFrom<RefundRow> for Matter {
    type Error = Error;

    fn try_from(row: RefundRow) -> QueryResult<Self> {
        let refund = Refund::try_from(row)?;
        let since = refund.changed_at;
        Ok((AttentionItem::Refund(refund), since))
    }
}

impl TryFrom<DisputeRow> for Matter {
    type Error = Error;

    fn try_from(row: DisputeRow) -> QueryResult<Self> {
        let (order, since) = (OrderId::new(row.order_id), row.opened_at.to_jiff());
        let payment = row.decoder().parse("payment_id", &row.payment_id)?;
        Ok((AttentionItem::Disputed { dispute: Dispute::try_from(row)?, payment, order }, since))
    }
}

impl TryFrom<ReturnRow> for Matter {
    type Error = Error;

    fn try_from(row: ReturnRow) -> QueryResult<Self> {
        let asked = OrderReturn::try_from(row)?;
        let since = asked.requested_at;
        Ok((AttentionItem::Return(asked), since))
    }
}

/// The first of everything that needs attention, oldest first. A row that cannot be decoded hides no other.
pub(crate) fn list(connection: &mut PgConnection, limit: u32) -> QueryResult<Vec<Matter>> {
    let mismatched: Vec<Mismatched> = diesel::sql_query(
        "SELECT id, order_id, checkout_id, amount_cents, mismatched_at FROM payment_intents
        WHERE closed_at IS NULL AND mismatched_at IS NOT NULL ORDER BY mismatched_at, id LIMIT $1",
    )
    .bind::<BigInt, _>(i64::from(limit))
    .load(connection)?;
    let mismatched = mismatched.into_iter().filter_map(|row| row.read(connection).transpose());
    let mut found: Vec<Matter> = mismatched.collect::<QueryResult<_>>()?;
    let odd: Vec<RefundRow> = sql_file!("refunds_for_attention.sql", {
        overdue_seconds: Double = REFUND_OVERDUE.as_secs_f64(),
        limit: BigInt = i64::from(limit),
    })
    .load(connection)?;
    found.extend(readable("refund", odd));
    let open: Vec<DisputeRow> = disputes::table
        .filter(disputes::state.ne(DisputeState::Won.as_str()))
        .filter(disputes::acknowledged_at.is_null())
        .order((disputes::opened_at, disputes::id))
        .limit(i64::from(limit))
        .select(DisputeRow::as_select())
        .load(connection)?;
    found.extend(readable("dispute", open));
    let asked: Vec<ReturnRow> = returns::table
        .filter(returns::state.eq("requested"))
        .order((returns::requested_at, returns::id))
        .limit(i64::from(limit))
        .select(ReturnRow::as_select())
        .load(connection)?;
    found.extend(readable("return", asked));
    found.sort_by_key(|(_, since)| *since);
    found.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    Ok(found)
}
