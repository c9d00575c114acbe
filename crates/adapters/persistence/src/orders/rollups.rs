//! Counts of orders and sums of their money, kept as rollups, so that nobody has to read every order for them.
//!
//! A rollup holds what is *folded in*: everything with a number up to `folded_to`. What has a higher number is counted
//! where it stands, through an index; what became of a folded order is in `order_changes` until it is folded in as well.
//! So every answer is exact at all times, also before the first fold and while another instance folds, and placing an
//! order writes nothing more than before.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Date as SqlDay, Nullable, Text, Timestamptz};
use domain::{Day, Money};
use jiff_diesel::{Date, ToDiesel};
use ports::{DayOfSales, OrderFilter, OrderStates};

use crate::platform::sql_file::sql_file;
use crate::schema::{orders, revenue_ledger, rollups, sales_rollups};

/// How often an answer is asked for again because a fold was committed meanwhile; then all is read as of one moment.
const TRIES: u32 = 3;

/// How many orders are in which state.
#[derive(Debug, Clone, Copy, QueryableByName)]
pub(crate) struct Counts {
    #[diesel(sql_type = BigInt)]
    folded_to: i64,
    #[diesel(sql_type = BigInt)]
    standing: i64,
    #[diesel(sql_type = BigInt)]
    waiting: i64,
    #[diesel(sql_type = BigInt)]
    ready: i64,
    #[diesel(sql_type = BigInt)]
    unpaid: i64,
    #[diesel(sql_type = BigInt)]
    reserved: i64,
    #[diesel(sql_type = BigInt)]
    refunded: i64,
    #[diesel(sql_type = BigInt)]
    cancelled: i64,
}

impl Counts {
    pub(crate) const fn of(&self, filter: OrderFilter) -> i64 {
        match filter {
            OrderFilter::NotCancelled => self.standing,
            OrderFilter::Waiting => self.waiting,
            OrderFilter::Ready => self.ready,
            OrderFilter::Shipped => self.standing - self.waiting,
            OrderFilter::Unpaid => self.unpaid,
            OrderFilter::Reserved => self.reserved,
            OrderFilter::Refunded => self.refunded,
            OrderFilter::Cancelled => self.cancelled,
            OrderFilter::All => self.standing + self.cancelled,
        }
    }
}

pub(crate) fn states(connection: &mut PgConnection) -> QueryResult<OrderStates> {
    let counts = counts(connection)?;
    let counted = |count: i64| u64::try_from(count).unwrap_or(0);
    let of = |filter| counted(counts.of(filter));
    Ok(OrderStates {
        waiting: of(OrderFilter::Waiting),
        ready: of(OrderFilter::Ready),
        unpaid: of(OrderFilter::Unpaid),
        reserved: of(OrderFilter::Reserved),
        paid: counted(counts.standing - counts.unpaid),
        shipped: of(OrderFilter::Shipped),
        refunded: of(OrderFilter::Refunded),
        cancelled: of(OrderFilter::Cancelled),
        all: of(OrderFilter::All),
    })
}

pub(crate) fn counts(connection: &mut PgConnection) -> QueryResult<Counts> {
    of_one_moment(connection, |connection| {
        let folded_to = folded_to(connection, "orders")?;
        let counts: Counts = sql_file!("count_states.sql", { folded_to: BigInt = folded_to }).get_result(connection)?;
        Ok((counts.folded_to == folded_to).then_some(counts))
    })
}

#[derive(QueryableByName)]
struct SalesRow {
    #[diesel(sql_type = BigInt)]
    orders_folded_to: i64,
    #[diesel(sql_type = BigInt)]
    revenue_folded_to: i64,
    #[diesel(sql_type = Nullable<SqlDay>)]
    day: Option<Date>,
    #[diesel(sql_type = BigInt)]
    orders: i64,
    #[diesel(sql_type = BigInt)]
    paid: i64,
    #[diesel(sql_type = BigInt)]
    returned: i64,
}

pub(crate) fn sales(connection: &mut PgConnection, first: Day, last: Day) -> QueryResult<Vec<DayOfSales>> {
    let rows = of_one_moment(connection, |connection| {
        let (orders_folded_to, revenue_folded_to) =
            (folded_to(connection, "orders")?, folded_to(connection, "revenue")?);
        let rows: Vec<SalesRow> = sql_file!("sales_per_day.sql", {
            orders_folded_to: BigInt = orders_folded_to,
            revenue_folded_to: BigInt = revenue_folded_to,
            first_day: SqlDay = first.date().to_diesel(),
            last_day: SqlDay = last.date().to_diesel(),
            from_time: Timestamptz = first.begins().to_diesel(),
            before_time: Timestamptz = last.ends().to_diesel(),
            max_cents: BigInt = Money::MAX.cents(),
        })
        .load(connection)?;
        let asked = (orders_folded_to, revenue_folded_to);
        let holds = rows.first().is_some_and(|row| (row.orders_folded_to, row.revenue_folded_to) == asked);
        Ok(holds.then_some(rows))
    })?;
    let day = |row: SalesRow| {
        Some(DayOfSales {
            day: Day::new(row.day?.to_jiff()),
            orders: u64::try_from(row.orders).unwrap_or(0),
            paid: Money::from_cents(row.paid).unwrap_or(Money::MAX),
            returned_cents: row.returned,
        })
    };
    Ok(rows.into_iter().filter_map(day).collect())
}

fn folded_to(connection: &mut PgConnection, rollup: &str) -> QueryResult<i64> {
    rollups::table.find(rollup).select(rollups::folded_to).first(connection)
}

/// An answer of two statements that holds for one moment. `read` returns `None` if something was folded in between.
pub(crate) fn of_one_moment<T>(
    connection: &mut PgConnection,
    mut read: impl FnMut(&mut PgConnection) -> QueryResult<Option<T>>,
) -> QueryResult<T> {
    for _ in 0..TRIES {
        if let Some(answer) = read(connection)? {
            return Ok(answer);
        }
    }
    connection
        .build_transaction()
        .read_only()
        .repeatable_read()
        .run(|connection| read(connection)?.ok_or(diesel::NotFound))
}

#[derive(QueryableByName)]
struct Progress {
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = BigInt)]
    folded_to: i64,
    #[diesel(sql_type = BigInt)]
    newest: i64,
    #[diesel(sql_type = Bool)]
    has_changes: bool,
}

#[derive(QueryableByName)]
struct Locked {
    #[diesel(sql_type = BigInt)]
    folded_to: i64,
    #[diesel(sql_type = Nullable<BigInt>)]
    ready_to: Option<i64>,
    #[diesel(sql_type = Bool)]
    has_target: bool,
    #[diesel(sql_type = BigInt)]
    this_transaction: i64,
}

/// Folds in up to `limit` numbers of each rollup, and as many changes. Returns whether there is more that could be folded
/// in at once.
pub(crate) fn fold(connection: &mut PgConnection, limit: u32) -> QueryResult<bool> {
    let progress: Vec<Progress> = sql_file!("rollup_progress.sql", {}).load(connection)?;
    let mut folded = Ok(false);
    for one in progress {
        if one.newest > one.folded_to || one.has_changes {
            // Its newest number was read before the transaction has an id of its own: whoever took a number up to there
            // has an earlier one, because it writes before it takes a number.
            let more = connection.transaction(|connection| fold_one(connection, &one, i64::from(limit)));
            // One that cannot be folded keeps none of the others from it.
            folded = match (folded, more) {
                (Ok(before), Ok(more)) => Ok(before || more),
                (Err(error), _) | (Ok(_), Err(error)) => Err(error),
            };
        }
    }
    folded
}

/// The number of the last of `limit` rows after those that are folded in; `None` if there are fewer.
fn nth_number_after(
    connection: &mut PgConnection,
    rollup: &str,
    folded_to: i64,
    limit: i64,
) -> QueryResult<Option<i64>> {
    if matches!(rollup, "orders" | "placed") {
        let numbers = orders::table.filter(orders::number.gt(folded_to)).order(orders::number).offset(limit - 1);
        numbers.select(orders::number.assume_not_null()).first(connection).optional()
    } else {
        let entries = revenue_ledger::table.filter(revenue_ledger::id.gt(folded_to)).order(revenue_ledger::id);
        entries.offset(limit - 1).select(revenue_ledger::id).first(connection).optional()
    }
}

/// Whether it is one of `sales_rollups`.
fn is_of_sales(rollup: &str) -> bool {
    matches!(rollup, "placed" | "sales")
}

/// Takes a rollup for this transaction; `None` if another one has it.
fn lock(connection: &mut PgConnection, rollup: &str) -> QueryResult<Option<Locked>> {
    if !is_of_sales(rollup) {
        return sql_file!("lock_rollup.sql", { rollup: Text = rollup }).get_result(connection).optional();
    }
    // Both of them write to the same tables, and each would wait for what the other one has written.
    let first = sales_rollups::table.find("placed").select(sales_rollups::name).for_update().skip_locked();
    if first.first::<String>(connection).optional()?.is_none() {
        return Ok(None);
    }
    sql_file!("lock_sales_rollup.sql", { rollup: Text = rollup }).get_result(connection).optional()
}

fn fold_one(connection: &mut PgConnection, progress: &Progress, limit: i64) -> QueryResult<bool> {
    let name = progress.name.as_str();
    let Some(locked) = lock(connection, name)? else { return Ok(false) };
    let folded_to = locked.folded_to;
    // Never back: what is folded in already would be folded in once more.
    let target = locked.ready_to.unwrap_or(folded_to).max(folded_to);
    let fold_to = nth_number_after(connection, name, folded_to, limit)?.map_or(target, |nth| nth.min(target));
    // A statement of its own, whose snapshot is taken after the lock.
    let changes = fold_up_to(connection, name, folded_to, fold_to, limit)?;
    let is_at_target = locked.ready_to.is_some() && fold_to == target;
    if is_at_target || !locked.has_target {
        // Another instance may have folded beyond it since it was read.
        let (next_to, horizon) = (progress.newest.max(fold_to), locked.this_transaction);
        if is_of_sales(name) {
            diesel::update(sales_rollups::table.find(name))
                .set((sales_rollups::next_to.eq(next_to), sales_rollups::horizon.eq(horizon)))
                .execute(connection)?;
        } else {
            diesel::update(rollups::table.find(name))
                .set((rollups::next_to.eq(next_to), rollups::horizon.eq(horizon)))
                .execute(connection)?;
        }
    }
    Ok(fold_to < target || changes >= limit)
}

/// Folds the numbers after `folded_to` up to `fold_to`, and returns how many changes of orders it took.
fn fold_up_to(
    connection: &mut PgConnection,
    rollup: &str,
    folded_to: i64,
    fold_to: i64,
    limit: i64,
) -> QueryResult<i64> {
    match rollup {
        "orders" => {
            let folded = sql_file!("fold_orders.sql" => BigInt, {
                folded_to: BigInt = folded_to,
                fold_to: BigInt = fold_to,
                limit: BigInt = limit,
            });
            return folded.get_result(connection);
        }
        "placed" => sql_file!("fold_placed.sql", { folded_to: BigInt = folded_to, fold_to: BigInt = fold_to })
            .execute(connection)?,
        "sales" => sql_file!("fold_sales.sql", { folded_to: BigInt = folded_to, fold_to: BigInt = fold_to })
            .execute(connection)?,
        _ => sql_file!("fold_revenue.sql", { folded_to: BigInt = folded_to, fold_to: BigInt = fold_to })
            .execute(connection)?,
    };
    Ok(0)
}
