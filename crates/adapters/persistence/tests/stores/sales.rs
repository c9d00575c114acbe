//! What sells and who buys it: what the rollups say is what adding up every order says.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Uuid as SqlUuid};
use domain::{Actor, Day, Money};
use ports::{AccountQuery, AccountSort, AgeGroup, Conversion, Pagination, SalesFigures, SalesPeriod};
use uuid::Uuid;

use crate::world::{World, at, meta, new_order, transaction};

/// Who or what it is, orders, units, cents, and cents of the period before.
type Row = (Uuid, i64, i64, i64, i64);

#[derive(QueryableByName)]
struct Added {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = BigInt)]
    orders: i64,
    #[diesel(sql_type = BigInt)]
    units: i64,
    #[diesel(sql_type = BigInt)]
    cents: i64,
    #[diesel(sql_type = BigInt)]
    cents_before: i64,
}

/// From every entry of the revenue ledger.
fn added_up(connection: &mut PgConnection, by: &str, period: SalesPeriod) -> Vec<Row> {
    let SalesPeriod { before, first, last } = period;
    let is_now = format!("(placed_at AT TIME ZONE 'UTC')::date BETWEEN '{first}' AND '{last}'");
    let is_before = format!("(placed_at AT TIME ZONE 'UTC')::date BETWEEN '{before}' AND '{}'", first.earlier(1));
    let rows: Vec<Added> = diesel::sql_query(format!(
        "SELECT {by} AS id, count(*) FILTER (WHERE kind = 'payment' AND {is_now}) AS orders,
            coalesce(sum(quantity) FILTER (WHERE kind = 'payment' AND {is_now}), 0)::bigint AS units,
            coalesce(sum(cents) FILTER (WHERE {is_now}), 0)::bigint AS cents,
            coalesce(sum(cents) FILTER (WHERE {is_before}), 0)::bigint AS cents_before
        FROM revenue_ledger JOIN orders ON orders.id = order_id
        GROUP BY 1 HAVING sum(cents) FILTER (WHERE {is_now}) > 0 ORDER BY cents DESC, id"
    ))
    .load(connection)
    .unwrap();
    rows.into_iter().map(|row| (row.id, row.orders, row.units, row.cents, row.cents_before)).collect()
}

fn row(id: Uuid, units: i64, figures: SalesFigures) -> Row {
    (id, i64::try_from(figures.orders).unwrap(), units, figures.cents, figures.cents_before)
}

fn number(connection: &mut PgConnection, query: &str) -> i64 {
    #[derive(QueryableByName)]
    struct Number {
        #[diesel(sql_type = BigInt)]
        n: i64,
    }
    diesel::sql_query(format!("SELECT ({query})::bigint AS n")).get_result::<Number>(connection).unwrap().n
}

fn counted(connection: &mut PgConnection, condition: &str, from: Day, to: Day) -> u64 {
    let day = "(placed_at AT TIME ZONE 'UTC')::date";
    let query = format!("SELECT count(*) FROM orders WHERE {condition} AND {day} BETWEEN '{from}' AND '{to}'");
    number(connection, &query).unsigned_abs()
}

/// Compares what the categories brought in with what all entries add up to, of each and of all of them.
async fn assert_categories(world: &World, connection: &mut PgConnection, period: SalesPeriod) {
    let last = period.last;
    let sold = world.sales().category_sales(period).await.unwrap();
    let orders: u64 = sold.iter().map(|one| one.figures.orders).sum();
    let (now, before): (i64, i64) =
        sold.iter().fold((0, 0), |sum, one| (sum.0 + one.figures.cents, sum.1 + one.figures.cents_before));
    for category in &sold {
        let of = |condition: String| {
            format!(
                "SELECT coalesce(sum(cents), 0) FROM revenue_ledger JOIN orders ON orders.id = order_id
                JOIN products ON products.id = product_id
                WHERE {condition} AND products.category = '{}'",
                category.category.as_str()
            )
        };
        let day = "(placed_at AT TIME ZONE 'UTC')::date";
        let query = of(format!("{day} BETWEEN '{}' AND '{}'", period.first, period.last));
        assert_eq!(category.figures.cents, number(connection, &query), "{period:?}");
    }
    let of_all = |from: Day, to: Day, what: &str| {
        let day = "(placed_at AT TIME ZONE 'UTC')::date";
        format!(
            "SELECT coalesce({what}, 0) FROM revenue_ledger JOIN orders ON orders.id = order_id WHERE {day} BETWEEN '{from}' AND '{to}'"
        )
    };
    assert_eq!(now, number(connection, &of_all(period.first, last, "sum(cents)")), "{period:?}");
    assert_eq!(before, number(connection, &of_all(period.before, period.first.earlier(1), "sum(cents)")));
    let paid = of_all(period.first, last, "count(*) FILTER (WHERE kind = 'payment')");
    assert_eq!(orders.cast_signed(), number(connection, &paid), "{period:?}");
}

/// Compares every answer about sales with what all rows add up to.
pub(crate) async fn assert_sales(world: &World) {
    // One for all of it: opening them would take longer than the test.
    let connection = &mut world.raw();
    let last = Day::of(at(15 * 86_400));
    for days in [3, 12] {
        let period = SalesPeriod::up_to(last, days);
        let products = world.sales().top_products(period, 100).await.unwrap();
        let products =
            products.into_iter().map(|top| row(top.product.id.uuid(), i64::try_from(top.units).unwrap(), top.figures));
        assert_eq!(products.collect::<Vec<_>>(), added_up(connection, "product_id", period), "{days} days");
        let customers = world.sales().top_customers(period, 100).await.unwrap();
        let customers: Vec<Row> = customers.into_iter().map(|top| row(top.account.id.uuid(), 0, top.figures)).collect();
        let expected = added_up(connection, "buyer_id", period)
            .into_iter()
            .map(|(id, orders, _, now, before)| (id, orders, 0, now, before));
        assert_eq!(customers, expected.collect::<Vec<_>>(), "{days} days");

        assert_categories(world, connection, period).await;

        let was_paid = "EXISTS (SELECT FROM revenue_ledger WHERE order_id = orders.id AND kind = 'payment')";
        let (day_before, first) = (period.first.earlier(1), period.first);
        let conversion = Conversion {
            placed: counted(connection, "true", first, last),
            paid: counted(connection, was_paid, first, last),
            placed_before: counted(connection, "true", period.before, day_before),
            paid_before: counted(connection, was_paid, period.before, day_before),
        };
        assert_eq!(world.sales().conversion(period).await.unwrap(), conversion, "{days} days");
    }

    let unpaid = "cancelled_at IS NULL AND payment_state = 'unpaid'";
    let bounds = [last.earlier(9), last.earlier(3)];
    let groups = world.sales().unpaid_by_age(&bounds).await.unwrap();
    let (earliest, latest) = (last.earlier(999), Day::of(at(99 * 86_400)));
    let spans = [(earliest, last.earlier(10)), (bounds[0], last.earlier(4)), (bounds[1], latest)];
    assert_eq!(
        groups.iter().map(|group| group.orders).collect::<Vec<_>>(),
        spans.map(|(from, to)| counted(connection, unpaid, from, to))
    );
    let total: i64 = groups.iter().map(|group| group.total.cents()).sum();
    assert_eq!(total, number(connection, &format!("SELECT coalesce(sum(total_cents), 0) FROM orders WHERE {unpaid}")));
}

#[tokio::test(flavor = "multi_thread")]
async fn no_more_are_named_than_asked_for_the_best_first_and_none_that_brought_in_nothing() {
    let world = World::fresh().await;
    let customer = world.customer("customer@example.com").await;
    let mut best = Vec::new();
    for (nth, units) in [(0, 50), (1, 90), (2, 70), (3, 0)] {
        let product = world.product(500).await;
        let order = world.order(world.place(&customer, &product, units.max(50)).await.unwrap()).await;
        if units > 0 {
            world.write(&order.settle(transaction(nth), meta(20, Actor::Shop)).unwrap()).await;
        }
        best.push(product.id);
    }
    let period = SalesPeriod::up_to(Day::of(at(10)), 7);
    for _ in 0..2 {
        let named = async |limit| -> Vec<_> {
            let top = world.sales().top_products(period, limit).await.unwrap();
            top.into_iter().map(|top| top.product.id).collect()
        };
        assert_eq!(named(2).await, [best[1], best[2]]);
        assert_eq!(named(9).await, [best[1], best[2], best[0]]);
        world.fold().await;
    }
    // Whoever is archived or removed has sold and bought all the same.
    world.sql("UPDATE products SET archived_at = now()");
    world.sql("UPDATE accounts SET removed_at = now()");
    assert_eq!(world.sales().top_products(period, 9).await.unwrap().len(), 3);
    assert_eq!(world.sales().top_customers(period, 9).await.unwrap()[0].account.id, customer.id);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shop_without_orders_has_no_sales_and_an_empty_group_for_each_age() {
    let world = World::fresh().await;
    let period = SalesPeriod::up_to(Day::of(at(0)), 30);
    assert!(world.sales().top_products(period, 5).await.unwrap().is_empty());
    assert!(world.sales().top_customers(period, 5).await.unwrap().is_empty());
    assert_eq!(world.sales().conversion(period).await.unwrap(), Conversion::default());
    let none = AgeGroup { orders: 0, total: Money::ZERO };
    assert_eq!(world.sales().unpaid_by_age(&[period.before, period.first]).await.unwrap(), [none; 3]);
}

#[tokio::test(flavor = "multi_thread")]
async fn accounts_have_their_orders_and_what_they_spent_and_are_sorted_by_it() {
    let world = World::fresh().await;
    let product = world.product(50_000).await;
    let mut expected = Vec::new();
    for (name, orders, paid) in [("a", 1_u32, 0), ("b", 3, 2), ("c", 0, 0), ("d", 2, 1)] {
        let customer = world.customer(&format!("{name}@example.com")).await;
        let mut spent = 0;
        for nth in 0..orders {
            let order =
                world.order(world.orders().place(&new_order(&customer, &product, 50, None)).await.unwrap()).await;
            if nth < paid {
                spent += order.item.total.cents();
                let payment = transaction(customer.id.uuid().as_u128() * 10 + u128::from(nth));
                world.write(&order.settle(payment, meta(20, Actor::Shop)).unwrap()).await;
            } else {
                world.write(&order.cancel(meta(20, Actor::Shop)).unwrap()).await;
            }
        }
        expected.push((customer.email.to_string(), u64::from(orders), spent));
    }
    world.fold().await;
    let listed = async |sort, page| -> Vec<_> {
        let query = AccountQuery { sort, page, ..AccountQuery::default() };
        let found = world.accounts().list(&query).await.unwrap().items;
        found.into_iter().map(|one| (one.account.email.to_string(), one.orders, one.spent_cents)).collect()
    };
    assert_eq!(listed(AccountSort::Email, Pagination::whole()).await, expected);
    let by_spent = [&expected[1], &expected[3], &expected[2], &expected[0]].map(Clone::clone);
    assert_eq!(listed(AccountSort::Spent, Pagination::whole()).await, by_spent);
    assert_eq!(listed(AccountSort::Spent, Pagination::first(2)).await, by_spent[..2]);
    assert_eq!(world.count("SELECT count(*) FROM customer_totals"), 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn accounts_of_before_the_totals_have_theirs_and_earlier_orders_are_folded_in() {
    let world = World::fresh().await;
    let customer = world.customer("customer@example.com").await;
    let product = world.product(50_000).await;
    let order = world.order(world.place(&customer, &product, 60).await.unwrap()).await;
    world.write(&order.clone().settle(transaction(1), meta(20, Actor::Shop)).unwrap()).await;
    world.fold().await;
    world.sql(include_str!("../../../../../migrations/0037_sales_rollups/down.sql"));
    world.sql(include_str!("../../../../../migrations/0037_sales_rollups/up.sql"));
    world.sql(include_str!("../../../../../migrations/0039_totals_of_earlier_accounts/up.sql"));
    assert_sales(&world).await;
    world.fold().await;
    assert_sales(&world).await;
    world.assert_sound();
    let spent = world.accounts().list(&AccountQuery::default()).await.unwrap().items[0].spent_cents;
    assert_eq!(spent, order.item.total.cents());
}
