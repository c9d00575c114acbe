//! Placing orders and changing them.

use domain::catalog::stock::TakeRefused;
use domain::orders::order::EventMeta;
use domain::orders::refusals::PlaceRefused;
use domain::{Actor, Order, OrderEventKind, OrderId, OrderState, Payment, Stock, StoreAssigned};
use ports::{Applied, OrderQuery, OrderRepository, PlaceError};

use crate::world::{World, actor, at, concurrently, id, key, meta, new_order, price, transaction};

#[tokio::test(flavor = "multi_thread")]
async fn an_order_reads_back_as_it_was_placed() {
    let world = World::fresh().await;
    let customer = world.customer("customer@example.com").await;
    let product = world.product(500).await;
    let new = new_order(&customer, &product, 60, None);

    assert_eq!(world.orders().place(&new).await.unwrap(), new.order.id);

    let placed = world.order(new.order.id).await;
    assert_eq!(Order { assigned: StoreAssigned::default(), ..placed.clone() }, new.order);
    assert_eq!(world.timeline(new.order.id).await, [placed.placed(new.event.id, new.event.by)]);
    assert_eq!(world.stock_of(product.id).await, 440);
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_order_has_no_row_and_no_timeline() {
    let world = World::fresh().await;
    let nothing = OrderId::new(id());
    assert_eq!(world.orders().find(nothing).await.unwrap(), None);
    assert_eq!(world.timeline(nothing).await, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_order_reports_why_and_changes_nothing() {
    let world = World::fresh().await;
    let customer = world.customer("customer@example.com").await;
    let read = world.product(500).await;

    world.sql(&format!("UPDATE products SET price_cents = 13000 WHERE id = '{}'", read.id));
    let repriced = world.place(&customer, &read, 60).await;
    assert!(
        matches!(repriced, Err(PlaceError::Refused(PlaceRefused::PriceChanged { unit, total }))
            if unit == price(13_000) && total.cents() == 780_000),
        "{repriced:?}"
    );

    let mut read = read;
    read.details.price = price(13_000);
    read.details.available = Stock::new(1_000).unwrap();
    let too_many = world.place(&customer, &read, 501).await;
    assert!(
        matches!(too_many, Err(PlaceError::Refused(PlaceRefused::Stock(TakeRefused::NotEnough { left }))) if left == Stock::new(500).unwrap()),
        "{too_many:?}"
    );
    assert_eq!(world.stock_of(read.id).await, 500);

    assert!(world.products().archive(read.id, &domain::Actor::Shop, at(20)).await.unwrap());
    let gone = world.place(&customer, &read, 60).await;
    assert!(matches!(gone, Err(PlaceError::Refused(PlaceRefused::Gone))), "{gone:?}");

    assert_eq!(world.count("SELECT count(*) FROM orders"), 0);
    assert_eq!(world.count("SELECT count(*) FROM stock_ledger WHERE kind <> 'received'"), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_for_an_unknown_account_leaves_the_stock_unchanged() {
    let world = World::fresh().await;
    let product = world.product(500).await;
    let unknown = crate::world::account("unknown@example.com", domain::Role::Customer);
    let refused = world.place(&unknown, &product, 60).await;
    assert!(matches!(refused, Err(PlaceError::Store(ports::StoreError::Internal(_)))), "{refused:?}");
    assert_eq!(world.stock_of(product.id).await, 500);
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_key_returns_the_first_order_even_if_stock_or_product_is_gone() {
    let world = World::fresh().await;
    let customer = world.customer("customer@example.com").await;
    let product = world.product(60).await;
    let first = world.orders().place(&new_order(&customer, &product, 60, Some(key(1)))).await.unwrap();
    assert_eq!(world.stock_of(product.id).await, 0);

    let again = world.orders().place(&new_order(&customer, &product, 60, Some(key(1)))).await.unwrap();
    assert_eq!(again, first);
    world.products().archive(product.id, &domain::Actor::Shop, at(20)).await.unwrap();
    let again = world.orders().place(&new_order(&customer, &product, 60, Some(key(1)))).await.unwrap();
    assert_eq!(again, first);
    assert_eq!(world.orders().placed_under(customer.id, key(1)).await.unwrap(), Some(first));
    assert_eq!(world.orders().placed_under(customer.id, key(2)).await.unwrap(), None);
    assert_eq!(world.count("SELECT count(*) FROM orders"), 1);
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_key_of_another_customer_is_another_order() {
    let world = World::fresh().await;
    let (one, other) = (world.customer("one@example.com").await, world.customer("other@example.com").await);
    let product = world.product(500).await;
    let first = world.orders().place(&new_order(&one, &product, 60, Some(key(1)))).await.unwrap();
    let second = world.orders().place(&new_order(&other, &product, 60, Some(key(1)))).await.unwrap();
    assert_ne!(first, second);
    assert_eq!(world.orders().placed_under(other.id, key(1)).await.unwrap(), Some(second));
    assert_eq!(world.stock_of(product.id).await, 380);
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_requests_with_the_same_key_place_one_order() {
    let world = World::with_pool(12).await;
    let customer = world.customer("customer@example.com").await;
    for round in 0..20 {
        // In every other round the first order leaves too little stock for the others.
        let units = if round % 2 == 0 { 500 } else { 50 };
        let product = world.product(units).await;
        let ids = concurrently(12, |_| {
            let (database, order) = (world.database.clone(), new_order(&customer, &product, 50, Some(key(round))));
            async move { database.place(&order).await }
        })
        .await;
        let first = ids[0].as_ref().unwrap();
        assert!(ids.iter().all(|id| id.as_ref().unwrap() == first), "round {round}: {ids:?}");
        assert_eq!(i64::from(world.stock_of(product.id).await), units - 50, "round {round}");
    }
    assert_eq!(world.count("SELECT count(*) FROM orders"), 20);
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_order_returns_its_units_and_leaves_the_lists_but_not_its_timeline() {
    let world = World::fresh().await;
    let customer = world.customer("customer@example.com").await;
    let product = world.product(500).await;
    let order = world.fifty(&customer, &product).await;
    let kept = world.fifty(&customer, &product).await;

    let change = order.clone().cancel(meta(20, actor(&customer))).unwrap();
    let cancelled = world.write(&change).await;

    assert_eq!(cancelled.state, OrderState::Cancelled { at: at(20), payment: Payment::Unpaid });
    assert_eq!(world.order(order.id).await, cancelled);
    assert_eq!(world.stock_of(product.id).await, 450);
    assert_eq!(world.orders_of(customer.id).await, std::slice::from_ref(&kept));
    assert_eq!(world.orders().list(&OrderQuery::default()).await.unwrap().items, [kept]);
    assert_eq!(world.timeline(order.id).await.last(), Some(&change.event));
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn units_return_to_a_product_that_was_archived_meanwhile() {
    let world = World::fresh().await;
    let customer = world.customer("customer@example.com").await;
    let product = world.product(500).await;
    let order = world.fifty(&customer, &product).await;
    world.products().archive(product.id, &domain::Actor::Shop, at(15)).await.unwrap();
    world.write(&order.cancel(meta(20, Actor::Shop)).unwrap()).await;
    assert_eq!(world.count("SELECT available FROM products"), 500);
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_based_on_an_older_order_conflicts() {
    let world = World::fresh().await;
    let customer = world.customer("customer@example.com").await;
    let product = world.product(500).await;
    let order = world.fifty(&customer, &product).await;
    let cancel = order.clone().cancel(meta(20, actor(&customer))).unwrap();
    let cancel_again = order.clone().cancel(meta(21, actor(&customer))).unwrap();
    let pay = order.settle(transaction(1), meta(22, Actor::Shop)).unwrap();

    world.write(&cancel).await;

    assert_eq!(world.orders().apply(&cancel_again).await.unwrap(), Applied::Conflict);
    assert_eq!(world.orders().apply(&pay).await.unwrap(), Applied::Conflict);
    assert_eq!(world.stock_of(product.id).await, 500);
    assert_eq!(world.timeline(cancel.after.id).await.len(), 2);
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_cancellations_return_the_units_once() {
    let world = World::with_pool(8).await;
    let customer = world.customer("customer@example.com").await;
    let product = world.product(500).await;
    for round in 0..20 {
        let order = world.fifty(&customer, &product).await;
        let outcomes = concurrently(8, |n| {
            let database = world.database.clone();
            let change = order.clone().cancel(meta(20 + i64::from(n), actor(&customer))).unwrap();
            async move { database.apply(&change).await.unwrap() }
        })
        .await;
        let written = outcomes.iter().filter(|outcome| **outcome == Applied::Written).count();
        assert_eq!(written, 1, "round {round}");
        assert_eq!(world.stock_of(product.id).await, 500, "round {round}");
    }
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn of_concurrent_payment_shipping_and_cancellation_only_one_is_written() {
    let world = World::with_pool(6).await;
    let customer = world.customer("customer@example.com").await;
    let product = world.product(5_000).await;
    for round in 0..30_u32 {
        let order = world.fifty(&customer, &product).await;
        let outcomes = concurrently(6, |n| {
            let database = world.database.clone();
            let (order, meta) = (order.clone(), meta(20, Actor::Shop));
            let change = match n % 3 {
                0 => order.cancel(meta).unwrap(),
                1 => order.ship(meta).unwrap(),
                _ => order.settle(transaction(u128::from(round * 10 + n)), meta).unwrap(),
            };
            async move { database.apply(&change).await.unwrap() }
        })
        .await;
        assert_eq!(outcomes.iter().filter(|outcome| **outcome == Applied::Written).count(), 1, "round {round}");
        assert_eq!(world.timeline(order.id).await.len(), 2, "round {round}");
    }
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_shipped_on_account_and_then_paid_records_both() {
    let world = World::fresh().await;
    let customer = world.customer("customer@example.com").await;
    let admin = world.account_as("admin@example.com", domain::Role::Admin).await;
    let product = world.product(500).await;
    let order = world.fifty(&customer, &product).await;

    let shipped = world.write(&order.ship(meta(20, actor(&admin))).unwrap()).await;
    let paid = world.write(&shipped.settle(transaction(7), meta(30, Actor::Shop)).unwrap()).await;

    let read = world.order(paid.id).await;
    assert_eq!(read, paid);
    assert_eq!(read.state.shipped_at(), Some(at(20)));
    assert_eq!(read.state.payment(), Payment::Paid { transaction: transaction(7), at: at(30) });
    let timeline = world.timeline(paid.id).await;
    assert_eq!(timeline[1].kind, OrderEventKind::Shipped { on_account: true });
    assert_eq!(timeline[1].by, actor(&admin));
    assert_eq!(timeline[2].by, Actor::Shop);
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn money_for_a_cancelled_order_is_recorded_as_refunded() {
    let world = World::fresh().await;
    let customer = world.customer("customer@example.com").await;
    let product = world.product(500).await;
    let order = world.fifty(&customer, &product).await;
    let cancelled = world.write(&order.cancel(meta(20, Actor::Shop)).unwrap()).await;
    let refunded = world.write(&cancelled.refund(transaction(3), meta(30, Actor::Shop)).unwrap()).await;
    assert_eq!(
        world.order(refunded.id).await.state.payment(),
        Payment::Refunded { transaction: transaction(3), at: at(30) }
    );
    assert_eq!(world.stock_of(product.id).await, 500);
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_are_newest_first_and_a_customer_sees_only_their_own_orders() {
    let world = World::fresh().await;
    let (one, other) = (world.customer("one@example.com").await, world.customer("other@example.com").await);
    let product = world.product(5_000).await;
    let mut placed = Vec::new();
    for (second, customer) in [(5, &one), (9, &other), (7, &one), (7, &one)] {
        let mut new = new_order(customer, &product, 50, None);
        new.order.placed_at = at(second);
        new.event = new.order.placed(domain::EventId::new(id()), Actor::Shop);
        placed.push(world.orders().place(&new).await.unwrap());
    }
    let ids = |orders: Vec<domain::Order>| orders.iter().map(|order| order.id).collect::<Vec<_>>();
    let all = world.orders().list(&OrderQuery::default()).await.unwrap();
    assert_eq!((all.total, all.next), (4, None));
    assert_eq!(ids(all.items), [placed[1], placed[3], placed[2], placed[0]]);
    assert_eq!(ids(world.orders_of(one.id).await), [placed[3], placed[2], placed[0]]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_event_rolls_back_the_whole_change() {
    let world = World::fresh().await;
    let customer = world.customer("customer@example.com").await;
    let product = world.product(500).await;
    let order = world.fifty(&customer, &product).await;
    let taken = world.timeline(order.id).await[0].id;
    let change = order.cancel(EventMeta { event: taken, by: Actor::Shop, at: at(20) }).unwrap();
    assert!(world.orders().apply(&change).await.is_err());
    assert_eq!(world.stock_of(product.id).await, 450);
    assert!(!world.order(change.after.id).await.is_cancelled());
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_row_in_a_state_that_no_order_can_be_in_is_an_internal_error() {
    let world = World::fresh().await;
    let customer = world.customer("customer@example.com").await;
    let product = world.product(500).await;
    world.sql(
        "ALTER TABLE orders DROP CONSTRAINT orders_cancelled_not_shipped, DROP CONSTRAINT orders_refunded_only_if_over",
    );
    for mixture in [
        "cancelled_at = now(), fulfilment = 'shipped', shipped_at = now()",
        "payment_state = 'refunded', transaction_id = 'pi_9', refunded_at = now()",
    ] {
        let order = world.fifty(&customer, &product).await;
        world.sql(&format!("UPDATE orders SET {mixture} WHERE id = '{}'", order.id));
        let found = world.orders().find(order.id).await;
        assert!(matches!(found, Err(ports::StoreError::Internal(_))), "{mixture}: {found:?}");
    }
}
