//! What a customer has ordered and paid.

use domain::{Account, Actor, Order, Product};
use ports::{CustomerTotals, OrderStates};

use crate::world::{World, at, meta, new_order, transaction};

async fn placed(world: &World, customer: &Account, product: &Product, second: i64) -> Order {
    let mut new = new_order(customer, product, 50, None);
    new.order.placed_at = at(second);
    let id = world.orders().place(&new).await.unwrap();
    world.order(id).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_customers_orders_are_counted_by_state_and_their_money_less_what_went_back() {
    let world = World::fresh().await;
    let (ada, bob) = (world.customer("ada@example.com").await, world.customer("bob@example.com").await);
    let product = world.product(50_000).await;
    assert_eq!(world.orders().totals_of(ada.id).await.unwrap(), CustomerTotals::default());
    placed(&world, &bob, &product, 1).await;

    placed(&world, &ada, &product, 5).await;
    let paid = placed(&world, &ada, &product, 2).await;
    let paid = world.write(&paid.settle(transaction(1), meta(20, Actor::Shop)).unwrap()).await;
    let done = placed(&world, &ada, &product, 3).await;
    let done = world.write(&done.settle(transaction(2), meta(20, Actor::Shop)).unwrap()).await;
    let done = world.write(&done.ship(meta(21, Actor::Shop)).unwrap()).await;
    let cancelled = placed(&world, &ada, &product, 9).await;
    world.write(&cancelled.cancel(meta(20, Actor::Shop)).unwrap()).await;
    let refunded = placed(&world, &ada, &product, 4).await;
    let refunded = world.write(&refunded.cancel(meta(20, Actor::Shop)).unwrap()).await;
    world.write(&refunded.refund(transaction(3), meta(21, Actor::Shop)).unwrap()).await;

    // Of what was paid for the shipped one, 300 cents went back and 200 were lost; 50 never left, and 60 were not its own.
    for (nth, state, payment, cents) in
        [(1, "succeeded", &transaction(2), 300), (2, "due", &transaction(2), 50), (3, "succeeded", &transaction(7), 60)]
    {
        world.sql(&format!(
            "INSERT INTO refunds (id, order_id, payment_id, provider_refund_id, amount_cents, cause, state, attempt,
                created_at, changed_at, next_try_at)
            VALUES (gen_random_uuid(), '{}', '{payment}', CASE '{state}' WHEN 'due' THEN NULL ELSE 're_{nth}' END, {cents},
                'admin', '{state}', 1, now(), now(), CASE '{state}' WHEN 'due' THEN now() END)",
            done.id
        ));
    }
    world.sql(&format!(
        "INSERT INTO disputes (id, order_id, payment_id, amount_cents, state, opened_at, changed_at)
        VALUES ('dp_1', '{0}', '{1}', 200, 'lost', now(), now()), ('dp_2', '{0}', '{1}', 70, 'open', now(), now())",
        done.id,
        transaction(2)
    ));

    let states = OrderStates {
        waiting: 2,
        ready: 1,
        unpaid: 1,
        reserved: 1,
        paid: 2,
        shipped: 1,
        refunded: 1,
        cancelled: 2,
        all: 5,
    };
    let totals = world.orders().totals_of(ada.id).await.unwrap();
    assert_eq!(totals.states, states);
    assert_eq!(totals.spent_cents, paid.item.total.cents() + done.item.total.cents() - 300 - 200);
    assert_eq!((totals.first_order_at, totals.last_order_at), (Some(at(2)), Some(at(9))));
}
