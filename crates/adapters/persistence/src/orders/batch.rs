//! Placing orders that share a transaction.
//!
//! One statement places all orders that nothing stands in the way of. Those that it leaves are judged in a transaction,
//! in the order of their arrival.
//!
//! Locks are taken in one order everywhere: accounts by id, then products by id. A batch does not wait for a lock. An
//! order whose row somebody else holds leaves the batch and waits with the others that need that row, so that one locked
//! product holds up nobody else.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use diesel::dsl::{exists, not};
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Bool, Bytea, Integer, Nullable, Uuid as SqlUuid};
use domain::catalog::stock::TakeRefused;
use domain::orders::refusals::PlaceRefused;
use domain::payments::payment::{CARD_MAX, is_chargeable};
use domain::{OrderId, Stock, UnitPrice};
use ports::{NewOrder, StoreError};
use uuid::Uuid;

use crate::orders::batch_rows::{Row, place_orders};
use crate::orders::placing::{Placed, place, placed_under};
use crate::platform::db::{Batched, Call, Lane, answer_all, classify_error, is_retryable, unavailable};
use crate::platform::decode::RowDecoder;
use crate::platform::idempotency::{is_key_reused, same_request};
use crate::platform::sql_file::sql_file;
use crate::schema::{accounts, orders, products};

/// An order that is to be placed.
pub(crate) struct Placement(pub(crate) NewOrder);

impl Batched for Placement {
    type Outcome = Placed;

    const LANE: Lane = Lane::Writes;
    const PATIENCE: Option<Duration> = Some(Duration::from_secs(1));

    fn account(&self) -> Option<Uuid> {
        Some(self.0.order.customer.uuid())
    }

    /// The orders for one product are always in the same queue: in two, each batch would find it locked by the other.
    fn queue(&self, queues: usize) -> usize {
        let [.., last] = self.0.order.item.product.uuid().into_bytes();
        usize::from(last) % queues
    }

    fn key(&self) -> Option<[u8; 32]> {
        self.0.idempotency_key.map(|key| key.key.0)
    }

    fn rows(&self) -> Vec<Uuid> {
        vec![self.0.order.customer.uuid(), self.0.order.item.product.uuid()]
    }

    fn run(connection: &mut PgConnection, calls: Vec<Call<Self>>, waits: bool) -> QueryResult<Vec<(Uuid, Call<Self>)>> {
        let calls = if waits { calls } else { place_unhindered(connection, calls)? };
        if calls.is_empty() {
            return Ok(Vec::new());
        }
        let new: Vec<&NewOrder> = calls.iter().map(|call| &call.work.0).collect();
        let judged = connection.transaction(|connection| {
            if waits {
                wait_for_locks(connection, &new)?;
            }
            let verdicts = judge(connection, &new)?;
            let accepted = new.iter().zip(&verdicts).filter(|(_, verdict)| matches!(verdict, Verdict::Accepted));
            let accepted = accepted.map(|(new, _)| Row::of(new)).collect::<QueryResult<Vec<_>>>()?;
            let placed = place_orders(connection, &accepted, true)?;
            if placed.contains(&false) {
                return Err(diesel::result::Error::RollbackTransaction);
            }
            Ok(verdicts)
        });
        match judged {
            Ok(verdicts) => Ok(answer(calls, verdicts)),
            // Nothing was placed; or the connection was lost while it was committed, and nobody knows.
            Err(error) if is_retryable(&error) => {
                answer_all(calls, &unavailable(error.to_string()));
                Err(error)
            }
            Err(error) => {
                tracing::warn!(%error, orders = calls.len(), "a batch of orders failed, and is tried in parts");
                halve(connection, calls, waits)
            }
        }
    }
}

/// Places and answers by one statement the orders that nothing stands in the way of, and returns the others.
fn place_unhindered(connection: &mut PgConnection, calls: Vec<Call<Placement>>) -> QueryResult<Vec<Call<Placement>>> {
    let rows: QueryResult<Vec<Row<'_>>> = calls.iter().map(|call| Row::of(&call.work.0)).collect();
    let placed = match rows.and_then(|rows| place_orders(connection, &rows, false)) {
        Ok(placed) => placed,
        // Nothing was placed; or the connection was lost while it was committed, and nobody knows.
        Err(error) if is_retryable(&error) => {
            answer_all(calls, &unavailable(error.to_string()));
            return Err(error);
        }
        // One of the orders cannot be written. Nothing was placed; which one it is shows when they are judged.
        Err(error) => {
            tracing::debug!(%error, orders = calls.len(), "a batch of orders could not be placed at once");
            return Ok(calls);
        }
    };
    let mut others = Vec::new();
    for (call, is_placed) in calls.into_iter().zip(placed) {
        if is_placed {
            let id = call.work.0.order.id;
            call.answer(Ok(Placed::As(id)));
        } else {
            others.push(call);
        }
    }
    Ok(others)
}

/// What is wrong with one order must not concern the others: the halves of a batch that failed are tried by themselves,
/// down to single orders.
fn halve(
    connection: &mut PgConnection,
    mut calls: Vec<Call<Placement>>,
    waits: bool,
) -> QueryResult<Vec<(Uuid, Call<Placement>)>> {
    if calls.len() > 1 {
        let second = calls.split_off(calls.len() / 2);
        let mut held = Placement::run(connection, calls, waits)?;
        held.extend(Placement::run(connection, second, waits)?);
        return Ok(held);
    }
    for call in calls {
        match place(connection, &call.work.0) {
            Err(error) if is_retryable(&error) => {
                call.answer(Err(unavailable(error.to_string())));
                return Err(error);
            }
            placed => call.answer(placed.map_err(classify_error)),
        }
    }
    Ok(Vec::new())
}

fn answer(calls: Vec<Call<Placement>>, verdicts: Vec<Verdict>) -> Vec<(Uuid, Call<Placement>)> {
    let mut held = Vec::new();
    for (call, verdict) in calls.into_iter().zip(verdicts) {
        let id = call.work.0.order.id;
        match verdict {
            Verdict::Accepted => call.answer(Ok(Placed::As(id))),
            Verdict::PlacedBefore(first) => call.answer(Ok(Placed::As(first))),
            Verdict::Refused(refused) => call.answer(Ok(Placed::Refused(refused))),
            Verdict::KeyReused => call.answer(Err(StoreError::KeyReused)),
            Verdict::KeyClaimed => call.answer(Err(StoreError::KeyClaimed)),
            Verdict::Held(row) => held.push((row, call)),
        }
    }
    held
}

/// Locks what a batch needs, however long others hold it: the server limits each wait.
fn wait_for_locks(connection: &mut PgConnection, new: &[&NewOrder]) -> QueryResult<()> {
    let limited = new.iter().filter(|new| new.reservations.most_new.is_some());
    let customers: Vec<Uuid> = limited.map(|new| new.order.customer.uuid()).collect();
    let paid = orders::table.filter(orders::buyer_id.eq(accounts::id)).filter(orders::transaction_id.is_not_null());
    accounts::table
        .filter(accounts::id.eq_any(customers))
        .filter(not(exists(paid)))
        .order(accounts::id)
        .select(accounts::id)
        .for_no_key_update()
        .load::<Uuid>(connection)?;
    products::table
        .filter(products::id.eq_any(new.iter().map(|new| new.order.item.product.uuid()).collect::<Vec<_>>()))
        .order(products::id)
        .select(products::id)
        .for_no_key_update()
        .load::<Uuid>(connection)?;
    Ok(())
}

/// What is to become of an order.
enum Verdict {
    Accepted,
    PlacedBefore(OrderId),
    Refused(PlaceRefused),
    KeyReused,
    KeyClaimed,
    /// Somebody else holds this row.
    Held(Uuid),
}

/// Judges each order in the order of their arrival: an earlier one of the batch counts as if it were placed.
fn judge(connection: &mut PgConnection, new: &[&NewOrder]) -> QueryResult<Vec<Verdict>> {
    // The accounts first, by a statement of its own: the next ones see what was committed before the locks were taken.
    let mut customers = examine_customers(connection, new)?;
    let found = lock_products(connection, new)?;
    count_unpaid(connection, &mut customers)?;
    let mut bench = Bench { customers, taken: HashMap::new() };
    let mut verdicts = Vec::with_capacity(new.len());
    for (new, found) in new.iter().zip(found) {
        verdicts.push(match bench.judge(new, found)? {
            Verdict::Refused(refused) => refused_or_placed_before(connection, new, refused)?,
            verdict => verdict,
        });
    }
    Ok(verdicts)
}

/// The first order under the key may be the very reason for the refusal: it may have been committed after the statement
/// that looked for it began, and before that statement locked the product.
fn refused_or_placed_before(
    connection: &mut PgConnection,
    new: &NewOrder,
    refused: PlaceRefused,
) -> QueryResult<Verdict> {
    let Some(key) = new.idempotency_key else { return Ok(Verdict::Refused(refused)) };
    match placed_under(connection, new.order.customer, key) {
        Ok(first) => Ok(first.map_or(Verdict::Refused(refused), Verdict::PlacedBefore)),
        Err(error) if is_key_reused(&error) => Ok(Verdict::KeyReused),
        Err(error) => Err(error),
    }
}

/// A customer, as their orders are judged.
#[derive(Default)]
struct Customer {
    has_paid: bool,
    /// Never true of one who has paid.
    is_locked: bool,
    unpaid: u32,
    has_large: bool,
}

fn examine_customers(connection: &mut PgConnection, new: &[&NewOrder]) -> QueryResult<HashMap<Uuid, Customer>> {
    let mut limited = BTreeMap::new();
    for new in new {
        *limited.entry(new.order.customer.uuid()).or_default() |= new.reservations.most_new.is_some();
    }
    let (customers, are_limited): (Vec<Uuid>, Vec<bool>) = limited.iter().unzip();
    let rows: Vec<(Uuid, bool, bool)> = sql_file!("examine_customers.sql" => (SqlUuid, Bool, Bool), {
        customers: Array<SqlUuid> = customers,
        are_limited: Array<Bool> = are_limited,
    })
    .load(connection)?;
    let customer = |(id, has_paid, is_locked)| (id, Customer { has_paid, is_locked, ..Customer::default() });
    Ok(rows.into_iter().map(customer).collect())
}

/// Adds the unpaid orders of those who are held to a limit.
fn count_unpaid(connection: &mut PgConnection, customers: &mut HashMap<Uuid, Customer>) -> QueryResult<()> {
    let limited = customers.iter().filter(|(_, customer)| customer.is_locked);
    let limited: Vec<Uuid> = limited.map(|(id, _)| *id).collect();
    if limited.is_empty() {
        return Ok(());
    }
    let rows: Vec<(Uuid, i64, bool)> = sql_file!("count_unpaid.sql" => (SqlUuid, BigInt, Bool), {
        customers: Array<SqlUuid> = limited,
        card_max_cents: BigInt = CARD_MAX.cents(),
    })
    .load(connection)?;
    for (id, unpaid, has_large) in rows {
        let customer = customers.entry(id).or_default();
        customer.unpaid = u32::try_from(unpaid).unwrap_or(u32::MAX);
        customer.has_large = has_large;
    }
    Ok(())
}

/// What one order is judged by: the first order under its key with its fingerprint, the product's units and price if it
/// is for sale and locked, whether somebody else holds it, the fingerprint under which its key is claimed, and the epoch of
/// prices.
type FoundColumns =
    (Nullable<SqlUuid>, Nullable<Bytea>, Bool, Nullable<Integer>, Nullable<BigInt>, Bool, Nullable<Bytea>, BigInt);
type Found = (Option<Uuid>, Option<Vec<u8>>, bool, Option<i32>, Option<i64>, bool, Option<Vec<u8>>, i64);

fn lock_products(connection: &mut PgConnection, new: &[&NewOrder]) -> QueryResult<Vec<Found>> {
    let key = |new: &&NewOrder| new.idempotency_key.map(|key| key.key.0.to_vec());
    sql_file!("lock_products.sql" => FoundColumns, {
        customers: Array<SqlUuid> = new.iter().map(|new| new.order.customer.uuid()).collect::<Vec<_>>(),
        products: Array<SqlUuid> = new.iter().map(|new| new.order.item.product.uuid()).collect::<Vec<_>>(),
        idempotency_keys: Array<Nullable<Bytea>> = new.iter().map(key).collect::<Vec<_>>(),
    })
    .load(connection)
}

/// What the orders of a batch leave to those after them.
struct Bench {
    customers: HashMap<Uuid, Customer>,
    /// Units that were taken, by product.
    taken: HashMap<Uuid, u32>,
}

impl Bench {
    fn judge(&mut self, new: &NewOrder, found: Found) -> QueryResult<Verdict> {
        let (first, fingerprint, is_anothers, available, price, is_held, claimed_for, epoch) = found;
        let (customer, item) = (new.order.customer.uuid(), &new.order.item);
        let product = item.product.uuid();
        if let Some(key) = new.idempotency_key {
            if let Some(first) = first {
                let is_same = same_request(key, fingerprint.as_deref()).is_ok();
                return Ok(if is_same { Verdict::PlacedBefore(OrderId::new(first)) } else { Verdict::KeyReused });
            }
            if is_anothers {
                return Ok(Verdict::KeyReused);
            }
            if let Some(claimed_for) = claimed_for.filter(|_| !new.holds_claim) {
                let is_same = claimed_for == key.fingerprint.0;
                return Ok(if is_same { Verdict::KeyClaimed } else { Verdict::KeyReused });
            }
        }
        let (Some(available), Some(price)) = (available, price) else {
            return Ok(if is_held { Verdict::Held(product) } else { Verdict::Refused(PlaceRefused::Gone) });
        };
        let decoder = RowDecoder { what: "product", id: product };
        let now: UnitPrice = decoder.unit_price("price_cents", price)?;
        let taken = self.taken.get(&product).copied().unwrap_or_default();
        let left = decoder.stock("available", available - i32::try_from(taken).unwrap_or(i32::MAX))?;
        if now != new.basis.list || epoch != new.basis.epoch.0 {
            return Ok(Verdict::Refused(item.price_changed(now)));
        }
        if left < Stock::from(item.quantity) {
            return Ok(Verdict::Refused(TakeRefused::NotEnough { left }.into()));
        }
        let owner = self.customers.entry(customer).or_default();
        if let Some(most) = new.reservations.most_new.filter(|_| !owner.has_paid) {
            if !owner.is_locked {
                return Ok(Verdict::Held(customer));
            }
            if owner.unpaid >= most || (!is_chargeable(item.total) && owner.has_large) {
                return Ok(Verdict::Refused(PlaceRefused::TooManyUnpaid { most }));
            }
        }
        Ok(self.accept(new))
    }

    fn accept(&mut self, new: &NewOrder) -> Verdict {
        let (customer, item) = (new.order.customer.uuid(), &new.order.item);
        let is_large = !is_chargeable(item.total);
        *self.taken.entry(item.product.uuid()).or_default() += item.quantity.get();
        let owner = self.customers.entry(customer).or_default();
        owner.unpaid = owner.unpaid.saturating_add(1);
        owner.has_large |= is_large;
        Verdict::Accepted
    }
}
