//! Shipments: an order leaves in parts, and never in more units than it has.

use std::num::NonZeroU32;

use domain::orders::refusals::CancelRefused;
use domain::orders::shipment::Tracking;
use domain::{Actor, Order, Shipment, ShipmentId, Text};
use ports::{Applied, IdempotencyKey, NewShipment, ShipmentRepository, ShipmentSent};

use crate::world::{World, at, concurrently, id, key, meta};

async fn fifty(world: &World) -> Order {
    let customer = world.customer("customer@example.com").await;
    world.fifty(&customer, &world.product(500).await).await
}

fn of(order: &Order, units: u32, second: i64, idempotency_key: Option<IdempotencyKey>) -> NewShipment {
    let tracking =
        Tracking { carrier: Some(Text::new("UPS").unwrap()), number: Some(Text::new("1Z 999").unwrap()), url: None };
    let shipment = Shipment {
        id: ShipmentId::new(id()),
        order: order.id,
        units: NonZeroU32::new(units).unwrap(),
        tracking: tracking.with_page(),
        sent_at: at(second),
    };
    let change = order.clone().ship_units(shipment.id, shipment.units, meta(second, Actor::Shop)).unwrap();
    NewShipment { shipment, shipped_before: order.shipped_units, change, idempotency_key }
}

fn units(shipments: &[Shipment]) -> Vec<u32> {
    shipments.iter().map(|shipment| shipment.units.get()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_leaves_in_parts_and_is_shipped_with_the_last() {
    let world = World::fresh().await;
    let shipments: &dyn ShipmentRepository = &world.database;
    let order = fifty(&world).await;
    let first = of(&order, 20, 30, Some(key(1)));
    assert_eq!(shipments.send(&first).await.unwrap(), ShipmentSent::Written);
    let repeated = of(&order, 20, 31, Some(key(1)));
    assert_eq!(shipments.send(&repeated).await.unwrap(), ShipmentSent::Known(first.shipment.id));
    assert_eq!(shipments.sent_under(order.id, key(1)).await.unwrap(), Some(first.shipment.id));
    assert_eq!(shipments.send(&of(&order, 50, 32, None)).await.unwrap(), ShipmentSent::Conflict, "of what was before");
    let part = world.order(order.id).await;
    assert_eq!(part, first.change.after);
    assert_eq!(part.clone().cancel(meta(33, Actor::Shop)), Err(CancelRefused::Shipped));

    let rest = of(&part, 30, 40, None);
    assert_eq!(shipments.send(&rest).await.unwrap(), ShipmentSent::Written);
    assert_eq!(world.order(order.id).await, rest.change.after);
    assert_eq!(shipments.of_order(order.id).await.unwrap(), [first.shipment, rest.shipment]);
    assert_eq!(Order::replay(&world.timeline(order.id).await), Ok(rest.change.after));
    let mails = |topic: &str| world.count(&format!("SELECT count(*) FROM outbox WHERE topic = '{topic}'"));
    assert_eq!((mails("order.part_shipped"), mails("order.shipped")), (1, 1));
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_left_is_a_shipment_of_its_own_if_an_order_is_shipped_at_once() {
    let world = World::fresh().await;
    let shipments: &dyn ShipmentRepository = &world.database;
    let order = fifty(&world).await;
    shipments.send(&of(&order, 20, 30, None)).await.unwrap();
    let part = world.order(order.id).await;
    let shipped = world.write(&part.ship(meta(40, Actor::Shop)).unwrap()).await;
    assert_eq!(world.order(order.id).await, shipped);
    let listed = shipments.of_order(order.id).await.unwrap();
    assert_eq!((units(&listed), &listed[1].tracking, listed[1].sent_at), (vec![20, 30], &Tracking::default(), at(40)));
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn of_parts_that_leave_at_once_only_one_is_written_for_what_was_seen() {
    let world = World::fresh().await;
    let order = fifty(&world).await;
    let sent = concurrently(8, |_| {
        let (database, order) = (world.database.clone(), order.clone());
        async move { ShipmentRepository::send(&database, &of(&order, 30, 30, None)).await.unwrap() }
    })
    .await;
    assert_eq!(sent.iter().filter(|sent| **sent == ShipmentSent::Written).count(), 1, "{sent:?}");
    assert_eq!(world.order(order.id).await.shipped_units, 30);
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_is_not_cancelled_after_units_of_it_have_left() {
    let world = World::fresh().await;
    let shipments: &dyn ShipmentRepository = &world.database;
    let order = fifty(&world).await;
    let decided = order.clone().cancel(meta(29, Actor::Shop)).unwrap();
    shipments.send(&of(&order, 20, 30, None)).await.unwrap();
    assert_eq!(world.orders().apply(&decided).await.unwrap(), Applied::Conflict);
    assert!(!world.order(order.id).await.is_cancelled());

    let other = world.fifty(&world.customer("other@example.com").await, &world.product(500).await).await;
    let late = of(&other, 50, 40, None);
    world.write(&other.clone().cancel(meta(39, Actor::Shop)).unwrap()).await;
    assert_eq!(shipments.send(&late).await.unwrap(), ShipmentSent::Conflict);
    assert_eq!(shipments.of_order(other.id).await.unwrap(), []);
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_database_refuses_shipments_that_cannot_be() {
    let world = World::fresh().await;
    let order = fifty(&world).await;
    let insert = |units: i64, url: &str| {
        format!(
            "INSERT INTO shipments (id, order_id, units, tracking_url, sent_at) VALUES (gen_random_uuid(), '{}', {units}, {url}, now())",
            order.id
        )
    };
    world.refuses(&insert(0, "NULL"), "shipments_have_units");
    world.refuses(&insert(51, "NULL"), "orders_shipped_units_fit");
    world.refuses(&insert(1, "'javascript:alert(1)'"), "shipments_tracking_url_is_a_link");
    world.sql(&insert(1, "NULL"));
    world.refuses("UPDATE orders SET cancelled_at = now()", "orders_shipped_in_part_stand");
}
