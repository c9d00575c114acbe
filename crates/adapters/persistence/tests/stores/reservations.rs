//! Unpaid orders: how long they reserve their units, how many an account may have, and how they are cancelled.

use std::collections::HashSet;
use std::time::Duration;

use domain::notifications::delivery::Topic;
use domain::orders::refusals::PlaceRefused;
use domain::{Account, Actor, Order, OrderEventKind, OrderId, Product, Role};
use ports::{LeaseRequest, NewOrder, OrderQuery, PlaceError, Queue, ReservationRules};

use crate::world::{World, actor, at, concurrently, id, key, meta, new_order, price, product, transaction};

const CAPPED: ReservationRules =
    ReservationRules { usual: Duration::from_hours(48), new: Duration::from_mins(90), most_new: Some(5) };

fn capped(customer: &Account, product: &Product) -> NewOrder {
    NewOrder { reservations: CAPPED, ..new_order(customer, product, 50, None) }
}

/// The minutes left of an order's reservation, rounded, so that the test's own duration does not count.
fn minutes_left(world: &World, order: &Order) -> i64 {
    world.count(&format!("SELECT extract(epoch FROM timestamptz '{}' - now()) / 60", order.reserved_until().unwrap()))
}

/// Moves the times of every order into the past by this much.
fn pass(world: &World, time: &str) {
    world.sql(&format!(
        "SET session_replication_role = replica; UPDATE orders SET reserved_until = reserved_until - interval '{time}',
            lapse_at = lapse_at - interval '{time}', remind_at = remind_at - interval '{time}'"
    ));
}

async fn emails(world: &World) -> Vec<(Topic, OrderId)> {
    let topics = vec![Topic::OrderReminder, Topic::OrderLapsed, Topic::OrderReleased];
    let request = LeaseRequest { queue: Queue::Mail, topics, lease: Duration::from_hours(1), limit: 100 };
    let leased = world.outbox().lease(&request).await.unwrap().deliveries;
    leased.into_iter().map(|delivery| (delivery.topic, delivery.order.unwrap())).collect()
}

async fn pay(world: &World, order: Order, n: u128) {
    world.write(&order.settle(transaction(n), meta(20, Actor::Shop)).unwrap()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_placed_order_gets_a_number_and_a_reservation_time_and_keeps_both() {
    let world = World::fresh().await;
    let customer = world.customer("customer@example.com").await;
    let mut braked = product("Brake", 5_000);
    braked.details.part_number = Some(domain::Text::new("BD-330").unwrap());
    let braked = world.add(braked).await;
    let first = world.orders().place(&capped(&customer, &braked)).await.unwrap();
    let first = world.order(first).await;
    assert_eq!((minutes_left(&world, &first), first.name()), (90, "DL-10001".to_owned()));
    assert_eq!(first.item.part_number, braked.details.part_number);
    let OrderEventKind::Ordered { assigned, .. } = &world.timeline(first.id).await[0].kind else { panic!() };
    assert_eq!(*assigned, first.assigned);
    pay(&world, first.clone(), 1).await;

    // An account that has paid once gets the usual time; orders placed before keep theirs.
    let second = world.orders().place(&capped(&customer, &braked)).await.unwrap();
    let second = world.order(second).await;
    assert_eq!((minutes_left(&world, &second), second.name()), (48 * 60, "DL-10002".to_owned()));
    let paid = world.order(first.id).await;
    assert_eq!((paid.assigned, paid.reserved_until()), (first.assigned, None));
    for asked in ["DL-10002", "dl-10002 brake"] {
        let query = OrderQuery { search: Some(asked.to_owned()), ..OrderQuery::default() };
        assert_eq!(world.orders().list(&query).await.unwrap().items, std::slice::from_ref(&second), "{asked}");
    }
    for set in ["number = 7", "part_number = NULL", "reserved_until = now()"] {
        world.refuses(&format!("UPDATE orders SET {set} WHERE id = '{}'", second.id), "refused");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_orders_of_a_new_account_do_not_exceed_its_limit_of_unpaid_orders() {
    let world = World::with_pool(12).await;
    let fresh = world.customer("fresh@example.com").await;
    let other = world.customer("other@example.com").await;
    let mut products = Vec::new();
    for _ in 0..4 {
        products.push(world.product(100_000).await);
    }
    let outcomes = concurrently(60, |n| {
        let (orders, new) = (world.database.clone(), capped(&fresh, &products[n as usize % 4]));
        async move { ports::OrderRepository::place(&orders, &new).await }
    })
    .await;
    let placed = outcomes.iter().filter(|answer| answer.is_ok()).count();
    assert!(
        outcomes
            .iter()
            .all(|answer| matches!(answer, Ok(_) | Err(PlaceError::Refused(PlaceRefused::TooManyUnpaid { .. })))),
        "{outcomes:?}"
    );
    assert_eq!(placed, 5);
    world.orders().place(&capped(&other, &products[0])).await.unwrap();

    // A repeated request is not another order; cancelling, shipping or paying an order makes room.
    let own: Vec<Order> = world.orders_of(fresh.id).await;
    world.write(&own[0].clone().cancel(meta(20, actor(&fresh))).unwrap()).await;
    world.write(&own[1].clone().ship(meta(20, Actor::Shop)).unwrap()).await;
    let again = NewOrder { idempotency_key: Some(key(3)), ..capped(&fresh, &products[0]) };
    let first = world.orders().place(&again).await.unwrap();
    world.orders().place(&capped(&fresh, &products[1])).await.unwrap();
    assert!(matches!(
        world.orders().place(&capped(&fresh, &products[1])).await,
        Err(PlaceError::Refused(PlaceRefused::TooManyUnpaid { .. }))
    ));
    assert_eq!(world.orders().place(&again).await.unwrap(), first);
    pay(&world, own[2].clone(), 1).await;
    for _ in 0..9 {
        world.orders().place(&capped(&fresh, &products[2])).await.unwrap();
    }
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_above_the_card_limit_has_the_usual_time_and_a_new_account_may_have_one() {
    let world = World::fresh().await;
    let customer = world.customer("customer@example.com").await;
    let mut dear = product("Engine", 5_000);
    dear.details.price = price(2_000_000);
    let dear = world.add(dear).await;
    let large = world.orders().place(&capped(&customer, &dear)).await.unwrap();
    assert_eq!(minutes_left(&world, &world.order(large).await), 48 * 60);
    assert!(matches!(
        world.orders().place(&capped(&customer, &dear)).await,
        Err(PlaceError::Refused(PlaceRefused::TooManyUnpaid { .. }))
    ));
    let cheap = world.product(500).await;
    world.orders().place(&capped(&customer, &cheap)).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn reservations_expire_by_the_database_clock_and_failed_cancellations_back_off() {
    let world = World::fresh().await;
    let customer = world.customer("customer@example.com").await;
    let product = world.product(5_000).await;
    let waiting = world.fifty(&customer, &product).await;
    let on_account = world.fifty(&customer, &product).await;
    world.write(&on_account.ship(meta(20, Actor::Shop)).unwrap()).await;
    let cancelled = world.fifty(&customer, &product).await;
    world.write(&cancelled.cancel(meta(20, Actor::Shop)).unwrap()).await;
    let paid = world.fifty(&customer, &product).await;
    pay(&world, paid, 1).await;
    // Regardless of the placement time that an instance with a wrong clock recorded.
    assert_eq!(world.orders().lease_lapsed(10).await.unwrap(), []);
    pass(&world, "61 minutes");
    assert_eq!(world.orders().lease_lapsed(0).await.unwrap(), []);
    assert_eq!(world.orders().overdue().await.unwrap(), 0);
    for waits in ["1 minute", "2 minutes", "4 minutes", "8 minutes"] {
        assert_eq!(world.orders().lease_lapsed(10).await.unwrap(), [waiting.id], "{waits}");
        let until = format!(
            "SELECT count(*) FROM orders WHERE lapse_at BETWEEN now() + interval '{waits}' - interval
            '30 seconds' AND now() + interval '{waits}'"
        );
        assert_eq!(world.count(&until), 1, "{waits}");
        assert_eq!(world.orders().lease_lapsed(10).await.unwrap(), [], "{waits}");
        pass(&world, waits);
    }
    assert_eq!(world.orders().overdue().await.unwrap(), 1);
    world.write(&waiting.cancel(meta(30, Actor::Shop)).unwrap()).await;
    assert_eq!(world.orders().overdue().await.unwrap(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_orders_that_cannot_be_cancelled_block_no_other_and_instances_share_the_work() {
    let world = World::with_pool(8).await;
    let customer = world.customer("customer@example.com").await;
    let product = world.product(50_000).await;
    let mut placed = Vec::new();
    for _ in 0..101 {
        placed.push(world.fifty(&customer, &product).await.id);
    }
    pass(&world, "2 hours");
    let first = world.orders().lease_lapsed(100).await.unwrap();
    assert_eq!(first.len(), 100);
    let last: Vec<OrderId> = placed.iter().filter(|id| !first.contains(id)).copied().collect();
    assert_eq!(world.orders().lease_lapsed(100).await.unwrap(), last);

    pass(&world, "2 hours");
    let shares = concurrently(8, |_| {
        let orders = world.database.clone();
        async move { ports::OrderRepository::lease_lapsed(&orders, 20).await.unwrap() }
    })
    .await;
    let leased: Vec<OrderId> = shares.into_iter().flatten().collect();
    let different: HashSet<OrderId> = leased.iter().copied().collect();
    assert_eq!((leased.len(), different.len()), (101, 101));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_customer_is_reminded_once_and_in_time() {
    let world = World::fresh().await;
    let customer = world.customer("customer@example.com").await;
    let product = world.product(5_000).await;
    let order = world.fifty(&customer, &product).await;
    let paid = world.fifty(&customer, &product).await;
    pay(&world, paid, 1).await;
    let short = ReservationRules { usual: Duration::from_mins(20), ..ReservationRules::UNLIMITED };
    let soon = NewOrder { reservations: short, ..new_order(&customer, &product, 50, None) };
    let soon = world.orders().place(&soon).await.unwrap();
    assert_eq!(world.orders().remind(10).await.unwrap(), 0);
    // A quarter of the first order's hour is left; a reservation of twenty minutes gets no reminder.
    pass(&world, "16 minutes");
    assert_eq!(world.orders().remind(10).await.unwrap(), 0);
    pass(&world, "30 minutes");
    assert_eq!(world.orders().remind(10).await.unwrap(), 1);
    assert_eq!(world.orders().remind(10).await.unwrap(), 0);
    assert_eq!(emails(&world).await, [(Topic::OrderReminder, order.id)]);
    assert_eq!(world.orders().lease_lapsed(10).await.unwrap(), [soon]);
    // Too late for a reminder.
    let late = world.fifty(&customer, &product).await;
    pass(&world, "2 days");
    assert_eq!(world.orders().remind(10).await.unwrap(), 0);
    assert_eq!(emails(&world).await, []);
    assert!(late.assigned.number.is_some());
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn customers_get_an_email_only_if_they_did_not_cancel_the_unpaid_order_themselves() {
    let world = World::fresh().await;
    let customer = world.customer("customer@example.com").await;
    let admin = world.account_as("admin@example.com", Role::Admin).await;
    let product = world.product(5_000).await;
    let own = world.fifty(&customer, &product).await;
    world.write(&own.cancel(meta(20, actor(&customer))).unwrap()).await;
    let early = world.fifty(&customer, &product).await;
    world.write(&early.cancel(meta(20, Actor::Shop)).unwrap()).await;
    let refunded = world.fifty(&customer, &product).await;
    let change = refunded.settle(transaction(1), meta(20, Actor::Shop)).unwrap();
    let paid = world.write(&change).await;
    world.write(&paid.cancel_with_refund(meta(21, actor(&admin))).unwrap()).await;
    assert_eq!(emails(&world).await, []);

    let released = world.fifty(&customer, &product).await;
    world.write(&released.clone().cancel(meta(20, actor(&admin))).unwrap()).await;
    assert_eq!(emails(&world).await, [(Topic::OrderReleased, released.id)]);
    let lapsed = world.fifty(&customer, &product).await;
    pass(&world, "2 days");
    world.write(&lapsed.clone().cancel(meta(20, Actor::Shop)).unwrap()).await;
    assert_eq!(emails(&world).await, [(Topic::OrderLapsed, lapsed.id)]);
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn orders_of_the_previous_release_get_the_reservation_they_would_have_had() {
    let world = World::fresh().await;
    let customer = world.customer("customer@example.com").await;
    let product = world.product(5_000).await;
    let order = world.fifty(&customer, &product).await;
    world.sql(
        "SET session_replication_role = replica;
        UPDATE orders SET reserved_until = NULL, lapse_at = NULL, remind_at = NULL, placed_at = now() - interval '3 hours'",
    );
    assert_eq!(world.order(order.id).await.reserved_until(), None);
    assert_eq!(world.orders().lease_lapsed(10).await.unwrap(), []);
    for reserved in [1, 0] {
        assert_eq!(world.orders().reserve(Duration::from_hours(24), 10).await.unwrap(), reserved);
    }
    assert_eq!(minutes_left(&world, &world.order(order.id).await), 21 * 60);
    // It inserts rows without the newer columns; the number is assigned anyway.
    let id = id();
    world.sql(&format!(
        "INSERT INTO orders (id, buyer_id, contact_name, contact_email, contact_phone, contact_address, product_id,
            product_name, category, details, img, unit_price_cents, quantity, total_cents, placed_at, search_key)
        SELECT '{id}', buyer_id, contact_name, contact_email, contact_phone, contact_address, product_id, product_name,
            category, details, img, unit_price_cents, quantity, total_cents, placed_at, search_key FROM orders LIMIT 1"
    ));
    let old = world.order(OrderId::new(id)).await;
    assert!(old.assigned.number > order.assigned.number, "{old:?}");
    assert_eq!((old.reserved_until(), at(0) < old.placed_at), (None, true));
}
