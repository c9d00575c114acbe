//! The counts of orders and the sums of their money: what the rollups say is what counting every order says.

use std::time::{Duration, Instant};

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Date as SqlDay, Nullable};
use domain::{Account, Actor, Day, EventId, Order, OrderId, OrderState, Payment, Product, Role};
use jiff_diesel::Date;
use ports::{
    AccountQuery, DayOfSales, OrderFilter, OrderQuery, OrderStates, Pagination, Removal, RoleChange, RoleGrant,
};

use crate::world::{World, actor, at, concurrently, id, meta, new_order, transaction};

const FILTERS: [(OrderFilter, &str); 9] = [
    (OrderFilter::NotCancelled, "cancelled_at IS NULL"),
    (OrderFilter::Waiting, "cancelled_at IS NULL AND fulfilment = 'pending'"),
    (OrderFilter::Ready, "cancelled_at IS NULL AND payment_state = 'paid' AND fulfilment = 'pending'"),
    (OrderFilter::Shipped, "cancelled_at IS NULL AND fulfilment = 'shipped'"),
    (OrderFilter::Unpaid, "cancelled_at IS NULL AND payment_state = 'unpaid'"),
    (OrderFilter::Reserved, "cancelled_at IS NULL AND payment_state = 'unpaid' AND fulfilment = 'pending'"),
    (OrderFilter::Refunded, "payment_state = 'refunded'"),
    (OrderFilter::Cancelled, "cancelled_at IS NOT NULL"),
    (OrderFilter::All, "true"),
];

fn first_day() -> Day {
    Day::of(at(-3 * 86_400))
}

fn last_day() -> Day {
    Day::of(at(40 * 86_400))
}

/// Sales by day, from every order and every entry of the ledger.
fn counted_sales(world: &World) -> Vec<(Day, u64, i64, i64)> {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = Nullable<SqlDay>)]
        day: Option<Date>,
        #[diesel(sql_type = BigInt)]
        orders: i64,
        #[diesel(sql_type = BigInt)]
        paid: i64,
        #[diesel(sql_type = BigInt)]
        returned: i64,
    }
    let rows: Vec<Row> = diesel::sql_query(
        "SELECT day, sum(orders)::bigint AS orders, sum(paid)::bigint AS paid, sum(returned)::bigint AS returned FROM (
            SELECT (placed_at AT TIME ZONE 'UTC')::date AS day, 1 AS orders, 0 AS paid, 0 AS returned FROM orders
                WHERE cancelled_at IS NULL
            UNION ALL SELECT (at AT TIME ZONE 'UTC')::date, 0, CASE kind WHEN 'payment' THEN cents ELSE 0 END,
                CASE kind WHEN 'payment' THEN 0 ELSE -cents END FROM revenue_ledger
        ) AS happened GROUP BY day ORDER BY day",
    )
    .load(&mut world.raw())
    .unwrap();
    let row = |row: Row| (Day::new(row.day.unwrap().to_jiff()), row.orders.unsigned_abs(), row.paid, row.returned);
    rows.into_iter().map(row).collect()
}

/// Compares every answer with what counting all rows says.
async fn assert_counts(world: &World) {
    for (state, condition) in FILTERS {
        let query = OrderQuery { state, page: Pagination::first(1), ..OrderQuery::default() };
        let total = world.orders().list(&query).await.unwrap().total;
        let counted = world.count(&format!("SELECT count(*) FROM orders WHERE {condition}"));
        assert_eq!(i64::try_from(total).unwrap(), counted, "{state:?}");
    }
    let counted =
        |condition: &str| world.count(&format!("SELECT count(*) FROM orders WHERE {condition}")).unsigned_abs();
    let count = |condition: &str| counted(&format!("cancelled_at IS NULL AND {condition}"));
    let states = OrderStates {
        waiting: count("fulfilment = 'pending'"),
        ready: count("payment_state = 'paid' AND fulfilment = 'pending'"),
        unpaid: count("payment_state = 'unpaid'"),
        reserved: count("payment_state = 'unpaid' AND fulfilment = 'pending'"),
        paid: count("payment_state <> 'unpaid'"),
        shipped: count("fulfilment = 'shipped'"),
        refunded: counted("payment_state = 'refunded'"),
        cancelled: counted("cancelled_at IS NOT NULL"),
        all: counted("true"),
    };
    assert_eq!(world.orders().states().await.unwrap(), states);
    let told = world.orders().sales(first_day(), last_day()).await.unwrap();
    let flat = |one: &DayOfSales| (one.day, one.orders, one.paid.cents(), one.returned_cents);
    // A day on which every order was cancelled may be listed, with nothing.
    let happened = |one: &(Day, u64, i64, i64)| (one.1, one.2, one.3) != (0, 0, 0);
    assert_eq!(told.iter().map(flat).filter(happened).collect::<Vec<_>>(), counted_sales(world));
    crate::sales::assert_sales(world).await;
    world.assert_sound();
}

/// Numbers that look random, the same for each seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }

    fn second(&mut self) -> i64 {
        i64::try_from(self.below(20 * 86_400)).unwrap()
    }
}

async fn placed(world: &World, customer: &Account, product: &Product, second: i64) -> Order {
    let mut new = new_order(customer, product, 50, None);
    new.order.placed_at = at(second);
    new.event = new.order.placed(EventId::new(id()), actor(customer));
    let id = world.orders().place(&new).await.unwrap();
    world.order(id).await
}

/// Gives some cents of a paid order back.
fn refund_some(world: &World, order: OrderId, cents: u64) {
    world.sql(&format!(
        "INSERT INTO refunds (id, order_id, payment_id, provider_refund_id, amount_cents, cause, state, attempt, created_at,
            changed_at)
        SELECT gen_random_uuid(), id, transaction_id, 're_' || gen_random_uuid(), {cents} + 1, 'admin', 'succeeded', 1,
            placed_at, placed_at + interval '1 day'
        FROM orders WHERE id = '{order}' AND payment_state = 'paid' AND cancelled_at IS NULL"
    ));
}

/// One thing that may happen to an order in its state, if any.
fn change(order: Order, dice: &mut Dice, nth: u64) -> Option<domain::orders::order::Change> {
    let meta = meta(dice.second(), Actor::Shop);
    let paid = |state: &OrderState| matches!(state.payment(), Payment::Paid { .. });
    match dice.below(4) {
        0 => order.settle(transaction(nth.into()), meta).ok(),
        1 => order.ship(meta).ok(),
        2 if paid(&order.state) => order.cancel_with_refund(meta).ok(),
        2 => order.cancel(meta).ok(),
        _ => {
            let transaction = order.state.transaction()?.clone();
            order.refund(transaction, meta).ok()
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_happens_and_whenever_it_is_folded_the_counts_are_those_of_all_orders() {
    let mut folded = 0;
    for seed in 1..=6 {
        let world = World::fresh().await;
        let customers = [world.customer("a@example.com").await, world.customer("b@example.com").await];
        let products = [world.product(500_000).await, world.product(500_000).await, world.product(500_000).await];
        let mut dice = Dice(0x9E37_79B9_7F4A_7C15 ^ seed);
        let mut orders = Vec::new();
        let mut changed = 0;
        for step in 0..120 {
            match dice.below(8) {
                0..=2 => {
                    let customer = &customers[usize::try_from(dice.below(2)).unwrap()];
                    let product = &products[usize::try_from(dice.below(3)).unwrap()];
                    orders.push(placed(&world, customer, product, dice.second()).await.id);
                }
                3..=5 if !orders.is_empty() => {
                    let order = orders[usize::try_from(dice.below(orders.len() as u64)).unwrap()];
                    if let Some(change) = change(world.order(order).await, &mut dice, step) {
                        world.write(&change).await;
                        changed += 1;
                    }
                    refund_some(&world, order, dice.below(90));
                }
                // A few numbers at a time, so that many histories are cut in two.
                _ => drop(world.orders().fold(1 + u32::try_from(dice.below(7)).unwrap()).await.unwrap()),
            }
            if step % 10 == 9 {
                assert_counts(&world).await;
            }
        }
        assert!(changed > 15, "{changed} changes prove little");
        folded += world.count("SELECT coalesce(sum(orders), 0) FROM order_totals");
        world.fold().await;
        assert_counts(&world).await;
    }
    assert!(folded > 20, "{folded} orders that were folded in meanwhile prove little");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_that_is_committed_late_is_not_missed_by_a_fold_beyond_its_number() {
    let world = World::fresh().await;
    let customer = world.customer("customer@example.com").await;
    let product = world.product(50_000).await;
    let before = placed(&world, &customer, &product, 0).await;
    // Places an order, takes a number and does not commit yet.
    let mut slow = world.raw();
    slow.batch_execute(&format!(
        "BEGIN;
        INSERT INTO orders SELECT (jsonb_populate_record(orders, jsonb_build_object('id', gen_random_uuid(), 'number',
            nextval('order_numbers')))).* FROM orders WHERE id = '{}'",
        before.id
    ))
    .unwrap();
    let mut after = placed(&world, &customer, &product, 1).await;
    for _ in 0..4 {
        world.orders().fold(100).await.unwrap();
    }
    after = world.write(&after.cancel(meta(2, Actor::Shop)).unwrap()).await;
    assert!(after.is_cancelled());
    let folded_to = || world.count("SELECT folded_to FROM rollups WHERE name = 'orders'");
    let last = world.count("SELECT max(number) FROM orders");
    assert!(folded_to() < last - 1, "folded beyond an order that is still being placed");
    slow.batch_execute("COMMIT").unwrap();
    // The copy has no timeline, so only its counts are looked at.
    let total = |state| {
        let query = OrderQuery { state, page: Pagination::first(1), ..OrderQuery::default() };
        let world = &world;
        async move { world.orders().list(&query).await.unwrap().total }
    };
    assert_eq!((total(OrderFilter::NotCancelled).await, total(OrderFilter::All).await), (2, 3));
    world.fold().await;
    assert_eq!(folded_to(), last);
    assert_eq!((total(OrderFilter::NotCancelled).await, total(OrderFilter::All).await), (2, 3));
}

#[tokio::test(flavor = "multi_thread")]
async fn instances_that_fold_and_sell_at_the_same_time_count_every_order_once() {
    let world = World::with_pool(8).await;
    let customer = world.customer("customer@example.com").await;
    let product = world.product(500_000).await;
    concurrently(8, |n| {
        let (database, customer, product) = (world.database.clone(), customer.clone(), product.clone());
        async move {
            let orders: &dyn ports::OrderRepository = &database;
            for _ in 0..15 {
                if n < 4 {
                    orders.fold(3).await.unwrap();
                    continue;
                }
                let id = orders.place(&new_order(&customer, &product, 50, None)).await.unwrap();
                let order = orders.find(id).await.unwrap().unwrap();
                if n < 6 {
                    orders.apply(&order.ship(meta(20, Actor::Shop)).unwrap()).await.unwrap();
                } else {
                    orders.apply(&order.cancel(meta(20, Actor::Shop)).unwrap()).await.unwrap();
                }
                let states = orders.states().await.unwrap();
                assert_eq!(states.waiting + states.shipped, states.unpaid + states.paid);
            }
        }
    })
    .await;
    assert_counts(&world).await;
    world.fold().await;
    assert_counts(&world).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fold_that_another_instance_holds_is_left_to_it() {
    let world = World::fresh().await;
    let customer = world.customer("customer@example.com").await;
    let product = world.product(50_000).await;
    placed(&world, &customer, &product, 0).await;
    world.orders().fold(100).await.unwrap();
    let mut other = world.raw();
    other.batch_execute("BEGIN; SELECT FROM rollups FOR UPDATE").unwrap();
    assert!(!world.orders().fold(100).await.unwrap());
    // It is killed.
    drop(other);
    world.fold().await;
    assert_eq!(world.count("SELECT orders FROM order_totals"), 1);
    assert_counts(&world).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_horizon_of_another_servers_transactions_is_set_anew() {
    let world = World::fresh().await;
    let customer = world.customer("customer@example.com").await;
    let product = world.product(50_000).await;
    placed(&world, &customer, &product, 0).await;
    world.sql("UPDATE rollups SET next_to = 1000000, horizon = 9000000000000");
    world.fold().await;
    assert_eq!(world.count("SELECT sum(orders) FROM order_totals"), 1);
    assert_counts(&world).await;
}

/// An instance that read the newest number, and got the lock only after another one had folded beyond it, has noted that number.
#[tokio::test(flavor = "multi_thread")]
async fn a_target_below_what_is_folded_in_folds_nothing_twice() {
    let world = World::fresh().await;
    let customer = world.customer("customer@example.com").await;
    let product = world.product(50_000).await;
    for second in 0..5 {
        placed(&world, &customer, &product, second).await;
    }
    world.fold().await;
    for rollups in ["rollups", "sales_rollups"] {
        world.sql(&format!("UPDATE {rollups} SET next_to = greatest(folded_to - 3, 0), horizon = 1"));
    }
    placed(&world, &customer, &product, 6).await;
    world.fold().await;
    assert_counts(&world).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_count_that_cannot_be_folded_keeps_none_of_the_others_from_it() {
    let world = World::fresh().await;
    let customer = world.customer("customer@example.com").await;
    let product = world.product(50_000).await;
    for second in 0..3 {
        placed(&world, &customer, &product, second).await;
    }
    world.sql("ALTER TABLE order_totals ADD CONSTRAINT broken CHECK (false) NOT VALID");
    // A fold goes no further than every transaction of the server has, and other tests have theirs on it.
    let (begun, mut refused) = (Instant::now(), false);
    while !refused || world.count("SELECT coalesce(sum(placed), 0) FROM placed_days") < 3 {
        refused |= world.orders().fold(100).await.is_err();
        assert!(begun.elapsed() < Duration::from_mins(2), "refused: {refused}, and the others wait for it");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(world.count("SELECT coalesce(sum(orders), 0) FROM order_totals"), 0);
    world.sql("ALTER TABLE order_totals DROP CONSTRAINT broken");
    world.fold().await;
    assert_counts(&world).await;
}

/// The statements that operators read.
#[tokio::test(flavor = "multi_thread")]
async fn wrong_counts_are_made_anew_from_orders_and_the_ledger() {
    let operations = include_str!("../../../../../docs/operations.md");
    let (_, section) = operations.split_once("\n## Counting anew\n").unwrap();
    let (_, statements) = section.split_once("```sql\n").unwrap();
    let (statements, _) = statements.split_once("```").unwrap();
    let world = World::fresh().await;
    let customer = world.customer("customer@example.com").await;
    let product = world.product(50_000).await;
    for nth in 0..6 {
        let order = placed(&world, &customer, &product, nth).await;
        world.write(&order.settle(transaction(u128::try_from(nth).unwrap()), meta(60, Actor::Shop)).unwrap()).await;
        if nth == 3 {
            world.fold().await;
        }
    }
    assert_counts(&world).await;
    world.sql(
        "UPDATE order_totals SET orders = orders + 3; UPDATE order_days SET orders = orders + 1; UPDATE revenue_days SET paid = paid + 1;
        UPDATE placed_days SET placed = placed + 2, paid = 0; DELETE FROM product_sales; DELETE FROM customer_sales;
        UPDATE customer_totals SET orders = orders + 2, spent_cents = 0",
    );
    let broken = testkit::invariants(world.url());
    assert!(broken.len() >= 7, "{broken:#?}");
    world.sql(statements);
    assert_counts(&world).await;
    world.fold().await;
    assert_counts(&world).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn accounts_are_counted_by_role_through_sign_ups_new_roles_and_removals() {
    let world = World::fresh().await;
    let total = async |role| {
        let query = AccountQuery { role, page: Pagination::first(1), ..AccountQuery::default() };
        world.accounts().list(&query).await.unwrap().total
    };
    let totals = async || (total(None).await, total(Some(Role::Admin)).await, total(Some(Role::Customer)).await);
    let mut emails = Vec::new();
    for n in 0..5 {
        emails.push(world.customer(&format!("p{n}@example.com")).await.email);
        world.accounts().fold(2).await.unwrap();
    }
    assert_eq!(totals().await, (5, 0, 5));
    for email in &emails[..3] {
        let grant = RoleGrant { role: Role::Admin, needs_proof: false, at: at(1) };
        assert_eq!(world.accounts().set_role(email, grant).await.unwrap(), RoleChange::Changed);
    }
    assert_eq!(totals().await, (5, 3, 2));
    for email in [&emails[0], &emails[4]] {
        assert_eq!(world.accounts().remove(email, at(2)).await.unwrap(), Removal::Removed);
    }
    for _ in 0..3 {
        assert_eq!(totals().await, (3, 2, 1));
        world.assert_sound();
        world.fold().await;
    }
    assert_eq!(world.count("SELECT sum(accounts) FROM account_totals"), 3);
}
