//! Orders that share a transaction: each is judged and answered as if it were alone.

use std::task::Poll;
use std::time::{Duration, Instant};

use domain::catalog::stock::TakeRefused;
use domain::orders::refusals::PlaceRefused;
use domain::{
    Account, Actor, Condition, ConditionId, EngineNo, EventId, Order, OrderId, OrderedCondition, OrderedVehicle,
    Product, Stock, Text, VehicleNo, Verdict,
};
use persistence::{ConnectionSettings, Database};
use ports::{
    Applied, Claim, Claimed, Fingerprint, IdempotencyKey, NewOrder, OrderRepository, PlaceError, ProductRepository,
    ReservationRules, Restocking, SealedResponse, StoreError,
};
use tokio::task::JoinHandle;

use crate::world::{World, account, actor, at, concurrently, id, key, meta, new_order, price, product, transaction};

type Outcome = Result<OrderId, PlaceError>;

/// A shop in which orders with the telephone number `slow` take a second to be inserted.
async fn slow_shop() -> World {
    let world = World::with_pool(8).await;
    world.sql(
        "CREATE FUNCTION delay_order() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN PERFORM pg_sleep(1); RETURN NEW; END $$;
        CREATE TRIGGER delay_order BEFORE INSERT ON orders
            FOR EACH ROW WHEN (NEW.contact_phone = 'slow') EXECUTE FUNCTION delay_order()",
    );
    world
}

/// An order that others have to wait behind.
async fn begin_slow_order(world: &World) -> JoinHandle<Outcome> {
    let customer = world.customer("slow@example.com").await;
    let product = world.product(500).await;
    let mut new = new_order(&customer, &product, 50, None);
    new.order.contact.phone = Text::new("slow").unwrap();
    let placing = begin(world, new).await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    placing
}

/// Starts to place an order, and returns once it is in the queue: the first poll puts it there.
async fn begin(world: &World, new: NewOrder) -> JoinHandle<Outcome> {
    let database = world.database.clone();
    let mut placing = Box::pin(async move { database.place(&new).await });
    let early = std::future::poll_fn(|context| Poll::Ready(placing.as_mut().poll(context))).await;
    assert!(early.is_pending());
    tokio::spawn(placing)
}

/// Places orders in one batch, in this order, and does something while they wait.
async fn place_together(world: &World, orders: Vec<NewOrder>, meanwhile: impl AsyncFnOnce()) -> Vec<Outcome> {
    let slow = begin_slow_order(world).await;
    let mut placing = Vec::new();
    for new in orders {
        placing.push(begin(world, new).await);
    }
    meanwhile().await;
    assert!(!slow.is_finished(), "the orders did not wait, so they prove nothing");
    slow.await.unwrap().unwrap();
    let mut outcomes = Vec::new();
    for one in placing {
        outcomes.push(one.await.unwrap());
    }
    outcomes
}

fn under(new: NewOrder, idempotency_key: IdempotencyKey) -> NewOrder {
    NewOrder { idempotency_key: Some(idempotency_key), ..new }
}

/// How many transactions placed the orders.
fn commits(world: &World) -> i64 {
    world.count("SELECT count(DISTINCT xmin::text) FROM orders WHERE contact_phone <> 'slow'")
}

#[tokio::test(flavor = "multi_thread")]
async fn orders_that_arrive_during_a_commit_share_the_next_one() {
    let world = slow_shop().await;
    let (one, other) = (world.customer("one@example.com").await, world.customer("other@example.com").await);
    let (disc, filter) = (world.product(5_000).await, world.product(5_000).await);
    let orders: Vec<NewOrder> = (0_u8..24)
        .map(|n| {
            let customer = if n % 2 == 0 { &one } else { &other };
            let product = if n % 3 == 0 { &disc } else { &filter };
            under(new_order(customer, product, 50 + i64::from(n), None), key(n + 1))
        })
        .collect();
    let outcomes = place_together(&world, orders.clone(), async || ()).await;
    assert_eq!(commits(&world), 1);
    let mut numbers = Vec::new();
    for (new, outcome) in orders.iter().zip(outcomes) {
        let placed = world.order(outcome.unwrap()).await;
        numbers.push(placed.assigned.number);
        assert_eq!(Order { assigned: domain::StoreAssigned::default(), ..placed.clone() }, new.order);
        assert_eq!(world.timeline(new.order.id).await, [placed.placed(new.event.id, new.event.by.clone())]);
    }
    assert!(numbers.is_sorted(), "the numbers follow the order of arrival: {numbers:?}");
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_that_the_database_refuses_fails_alone() {
    let world = slow_shop().await;
    let customer = world.customer("customer@example.com").await;
    let product = world.product(5_000).await;
    let unknown = account("unknown@example.com", domain::Role::Customer);
    let mut orders: Vec<NewOrder> = (0..12).map(|_| new_order(&customer, &product, 50, None)).collect();
    orders[3] = new_order(&unknown, &product, 50, None);
    orders[7].event.id = orders[6].event.id;
    let outcomes = place_together(&world, orders, async || ()).await;
    for (n, outcome) in outcomes.iter().enumerate() {
        if n == 3 || n == 7 {
            assert!(matches!(outcome, Err(PlaceError::Store(StoreError::Internal(_)))), "{n}: {outcome:?}");
        } else {
            assert!(outcome.is_ok(), "{n}: {outcome:?}");
        }
    }
    assert_eq!(world.stock_of(product.id).await, 5_000 - 10 * 50);
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn each_order_of_a_batch_is_refused_for_its_own_reason() {
    let world = slow_shop().await;
    let customer = world.customer("customer@example.com").await;
    let (few, repriced, archived) = (world.product(170).await, world.product(500).await, world.product(500).await);
    let of = |product: &Product, units| new_order(&customer, product, units, None);
    let reused = IdempotencyKey { fingerprint: Fingerprint([9; 32]), ..key(1) };
    let orders = vec![
        under(of(&few, 60), key(1)),
        of(&few, 120),
        under(of(&few, 60), key(1)),
        under(of(&few, 60), reused),
        of(&repriced, 60),
        of(&archived, 60),
        of(&few, 110),
        of(&few, 50),
    ];
    let ids: Vec<OrderId> = orders.iter().map(|new| new.order.id).collect();
    let outcomes = place_together(&world, orders, async || {
        world.sql(&format!("UPDATE products SET price_cents = 13000 WHERE id = '{}'", repriced.id));
        assert!(world.products().archive(archived.id, &Actor::Shop, at(20)).await.unwrap());
    })
    .await;
    let left = |units| Stock::new(units).unwrap();
    assert_eq!(*outcomes[0].as_ref().unwrap(), ids[0]);
    assert!(
        matches!(&outcomes[1], Err(PlaceError::Refused(PlaceRefused::Stock(TakeRefused::NotEnough { left: units }))) if *units == left(110)),
        "{outcomes:?}"
    );
    assert_eq!(*outcomes[2].as_ref().unwrap(), ids[0], "the same request again");
    assert!(matches!(&outcomes[3], Err(PlaceError::Store(StoreError::KeyReused))), "{outcomes:?}");
    assert!(
        matches!(&outcomes[4], Err(PlaceError::Refused(PlaceRefused::PriceChanged { unit, total }))
            if *unit == price(13_000) && total.cents() == 780_000),
        "{outcomes:?}"
    );
    assert!(matches!(&outcomes[5], Err(PlaceError::Refused(PlaceRefused::Gone))), "{outcomes:?}");
    assert_eq!(*outcomes[6].as_ref().unwrap(), ids[6], "a refused order takes nothing from those after it");
    assert!(
        matches!(&outcomes[7], Err(PlaceError::Refused(PlaceRefused::Stock(TakeRefused::NotEnough { left: units }))) if *units == left(0)),
        "{outcomes:?}"
    );
    assert_eq!(commits(&world), 1);
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_limit_of_unpaid_orders_counts_the_earlier_orders_of_the_batch() {
    let world = slow_shop().await;
    let (fresh, other) = (world.customer("fresh@example.com").await, world.customer("other@example.com").await);
    let paying = world.customer("paying@example.com").await;
    let cheap = world.product(50_000).await;
    let mut dear = product("Engine", 50_000);
    dear.details.price = price(2_000_000);
    let dear = world.add(dear).await;
    let paid = world.fifty(&paying, &cheap).await;
    world.write(&paid.settle(transaction(1), meta(20, Actor::Shop)).unwrap()).await;
    world.fifty(&fresh, &cheap).await;
    let rules = ReservationRules { most_new: Some(4), ..ReservationRules::UNLIMITED };
    let of = |customer: &Account, product: &Product| NewOrder {
        reservations: rules,
        ..new_order(customer, product, 50, None)
    };
    let mut orders = vec![of(&fresh, &dear), of(&fresh, &dear)];
    orders.extend((0..4).map(|_| of(&fresh, &cheap)));
    orders.extend((0..6).map(|_| of(&paying, &cheap)));
    orders.push(of(&other, &cheap));
    let outcomes = place_together(&world, orders, async || ()).await;
    let placed: Vec<bool> = outcomes.iter().map(Result::is_ok).collect();
    // One large order, and four in all with the one from before.
    let expected = [true, false, true, true, false, false, true, true, true, true, true, true, true];
    assert_eq!(placed, expected, "{outcomes:?}");
    for refused in outcomes.iter().filter_map(|outcome| outcome.as_ref().err()) {
        assert!(matches!(refused, PlaceError::Refused(PlaceRefused::TooManyUnpaid { most: 4 })), "{refused:?}");
    }
    assert_eq!(commits(&world), 4, "two from before, those of who has paid, and those who are held to a limit");
    let shorter = "SELECT count(*) FROM orders WHERE reserved_until < now() + interval '2 hours' AND phone_is_not_slow";
    let shorter = shorter.replace("phone_is_not_slow", "contact_phone <> 'slow'");
    assert_eq!(world.count(&shorter), 5, "new accounts' orders, but the large one");
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_caller_who_stops_waiting_takes_nobody_along() {
    let world = slow_shop().await;
    let customer = world.customer("customer@example.com").await;
    let product = world.product(5_000).await;
    let slow = begin_slow_order(&world).await;
    let gone = begin(&world, new_order(&customer, &product, 60, None)).await;
    let stays = begin(&world, new_order(&customer, &product, 50, None)).await;
    gone.abort();
    stays.await.unwrap().unwrap();
    slow.await.unwrap().unwrap();
    assert_eq!(world.stock_of(product.id).await, 4_950, "nobody waits for the other one");
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_queue_refuses_at_once_and_one_account_does_not_fill_it() {
    let world = slow_shop().await;
    let (flood, bystander) = (world.customer("flood@example.com").await, world.customer("by@example.com").await);
    let product = world.product(500_000).await;
    let slow = begin_slow_order(&world).await;
    let started = Instant::now();
    let flooding: Vec<JoinHandle<(Duration, Outcome)>> = (0..600)
        .map(|_| {
            let (database, new) = (world.database.clone(), new_order(&flood, &product, 50, None));
            tokio::spawn(async move {
                let outcome = database.place(&new).await;
                (started.elapsed(), outcome)
            })
        })
        .collect();
    tokio::time::sleep(Duration::from_millis(100)).await;
    world.place(&bystander, &product, 50).await.unwrap();
    let waiting = flooding.iter().filter(|one| !one.is_finished()).count();
    assert!(waiting > 300, "the bystander waited for all but {waiting}");
    slow.await.unwrap().unwrap();
    let mut refused = 0;
    for one in flooding {
        let (took, outcome) = one.await.unwrap();
        if let Err(error) = outcome {
            assert!(matches!(error, PlaceError::Store(StoreError::Unavailable(_))), "{error:?}");
            assert!(took < Duration::from_millis(700), "{took:?}");
            refused += 1;
        }
    }
    assert_eq!(refused, 600 - 512);
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_connection_is_no_success_and_a_retry_places_the_orders_once() {
    let world = slow_shop().await;
    let customer = world.customer("customer@example.com").await;
    let product = world.product(5_000).await;
    let mut orders: Vec<NewOrder> = (1..=10).map(|n| under(new_order(&customer, &product, 50, None), key(n))).collect();
    orders[9].order.contact.phone = Text::new("slow").unwrap();
    let first = begin_slow_order(&world).await;
    let mut placing = Vec::new();
    for new in orders.clone() {
        placing.push(begin(&world, new).await);
    }
    first.await.unwrap().unwrap();
    tokio::time::sleep(Duration::from_millis(400)).await;
    world.sql(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND query LIKE '/* place_orders.sql%' AND state = 'active'",
    );
    for one in placing {
        let outcome = one.await.unwrap();
        assert!(matches!(outcome, Err(PlaceError::Store(StoreError::Unavailable(_)))), "{outcome:?}");
    }
    assert_eq!(world.stock_of(product.id).await, 5_000);
    for _ in 0..2 {
        for new in &orders {
            // The first call may find the connection that was cut.
            let placed = match world.orders().place(new).await {
                Err(_) => world.orders().place(new).await,
                placed => placed,
            };
            assert_eq!(placed.unwrap(), new.order.id);
        }
    }
    assert_eq!(world.stock_of(product.id).await, 4_500);
    world.assert_sound();
}

/// A second copy of the shop on the same database, with as many queues of orders as in production.
async fn copy(world: &World) -> Database {
    let settings = ConnectionSettings { order_queues: 2, ..ConnectionSettings::directly(world.url(), 8) };
    let database = Database::open(settings).unwrap();
    database.wait(Duration::from_secs(10)).await.unwrap();
    database
}

#[tokio::test(flavor = "multi_thread")]
async fn what_nothing_stands_in_the_way_of_is_placed_with_what_has_to_be_judged() {
    let world = slow_shop().await;
    let (known, fresh) = (world.customer("known@example.com").await, world.customer("fresh@example.com").await);
    let (plenty, few) = (world.product(5_000).await, world.product(100).await);
    let limited = ReservationRules { most_new: Some(1), ..ReservationRules::UNLIMITED };
    let orders = vec![
        new_order(&known, &plenty, 50, None),
        new_order(&known, &few, 60, None),
        NewOrder { reservations: limited, ..new_order(&fresh, &plenty, 70, None) },
        NewOrder { reservations: limited, ..new_order(&fresh, &plenty, 80, None) },
        new_order(&known, &few, 50, None),
        new_order(&known, &plenty, 90, None),
    ];
    let outcomes = place_together(&world, orders, async || ()).await;
    let placed: Vec<bool> = outcomes.iter().map(Result::is_ok).collect();
    assert_eq!(placed, [true, true, true, false, false, true], "{outcomes:?}");
    assert_eq!(commits(&world), 2, "what nothing stands in the way of, and the others");
    assert_eq!((world.stock_of(plenty.id).await, world.stock_of(few.id).await), (5_000 - 50 - 70 - 90, 40));
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_placed_without_a_claim_under_a_key_that_is_claimed_or_answered() {
    let world = World::with_pool(8).await;
    let customer = world.customer("customer@example.com").await;
    let product = world.product(5_000).await;
    let unclaimed = |n| NewOrder { holds_claim: false, ..under(new_order(&customer, &product, 50, None), key(n)) };
    let claim = |n| {
        let IdempotencyKey { key, fingerprint } = key(n);
        let lease = Duration::from_secs(10);
        Claim { key, fingerprint, caller: Some(customer.id), holder: uuid::Uuid::from_u128(u128::from(n)), lease }
    };
    for n in [1, 2] {
        assert_eq!(world.idempotency().claim(&claim(n)).await.unwrap(), Claimed::Ours);
    }
    let holder = claim(2).holder;
    world.idempotency().answered(key(2).key, holder, &SealedResponse(b"refused".to_vec())).await.unwrap();
    for n in [1, 2] {
        let refused = world.orders().place(&unclaimed(n)).await;
        assert!(matches!(refused, Err(PlaceError::Store(StoreError::KeyClaimed))), "{n}: {refused:?}");
        let mut other = unclaimed(n);
        other.idempotency_key = Some(IdempotencyKey { fingerprint: Fingerprint([9; 32]), ..key(n) });
        let refused = world.orders().place(&other).await;
        assert!(matches!(refused, Err(PlaceError::Store(StoreError::KeyReused))), "{n}: {refused:?}");
    }
    // With the claim it is placed; and without one, once nothing stands in the way.
    let placed = world.orders().place(&under(new_order(&customer, &product, 50, None), key(1))).await.unwrap();
    assert_eq!(world.orders().place(&unclaimed(1)).await.unwrap(), placed, "the order is known before its claim");
    world.orders().place(&unclaimed(3)).await.unwrap();
    assert_eq!(world.stock_of(product.id).await, 5_000 - 100);
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_that_is_tried_alone_still_needs_its_claim() {
    let world = slow_shop().await;
    let customer = world.customer("customer@example.com").await;
    let product = world.product(5_000).await;
    let IdempotencyKey { key: claimed, fingerprint } = key(1);
    let (holder, lease) = (uuid::Uuid::from_u128(1), Duration::from_secs(10));
    let claim = Claim { key: claimed, fingerprint, caller: Some(customer.id), holder, lease };
    assert_eq!(world.idempotency().claim(&claim).await.unwrap(), Claimed::Ours);
    let unknown = account("unknown@example.com", domain::Role::Customer);
    let orders = vec![
        NewOrder { holds_claim: false, ..under(new_order(&customer, &product, 50, None), key(1)) },
        new_order(&unknown, &product, 50, None),
    ];
    let outcomes = place_together(&world, orders, async || ()).await;
    assert!(matches!(outcomes[0], Err(PlaceError::Store(StoreError::KeyClaimed))), "{outcomes:?}");
    assert!(matches!(outcomes[1], Err(PlaceError::Store(StoreError::Internal(_)))), "{outcomes:?}");
    assert_eq!(world.stock_of(product.id).await, 5_000);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_copies_place_one_order_per_key() {
    let world = World::with_pool(8).await;
    let databases = [world.database.clone(), copy(&world).await];
    let customer = world.customer("customer@example.com").await;
    for round in 0..20_u8 {
        let (product, other) = (world.product(60).await, world.product(60).await);
        let outcomes = concurrently(12, |n| {
            // Also with another body: it is refused, or it is the first and all others are.
            let new = new_order(&customer, if n % 4 == 3 { &other } else { &product }, 50, None);
            let fingerprint = Fingerprint([if n % 4 == 3 { 2 } else { 1 }; 32]);
            let new = under(new, IdempotencyKey { fingerprint, ..key(round) });
            let database = databases[n as usize % 2].clone();
            async move { database.place(&new).await }
        })
        .await;
        let placed: Vec<&OrderId> = outcomes.iter().filter_map(|outcome| outcome.as_ref().ok()).collect();
        assert!(!placed.is_empty() && placed.windows(2).all(|two| two[0] == two[1]), "round {round}: {outcomes:?}");
        assert!(
            outcomes.iter().all(|one| matches!(one, Ok(_) | Err(PlaceError::Store(StoreError::KeyReused)))),
            "round {round}: {outcomes:?}"
        );
    }
    assert_eq!(world.count("SELECT count(*) FROM orders"), 20);
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn five_hundred_buyers_at_two_copies_never_oversell() {
    let world = World::with_pool(8).await;
    let databases = [world.database.clone(), copy(&world).await];
    let mut buyers = Vec::new();
    for n in 0..20 {
        buyers.push(world.customer(&format!("buyer.{n}@example.com")).await);
    }
    let (hot, other) = (world.product(10_000).await, world.product(3_000).await);
    let outcomes = concurrently(500, |n| {
        let product = if n % 5 == 0 { &other } else { &hot };
        let new = new_order(&buyers[n as usize % 20], product, 50 * i64::from(1 + n % 3), None);
        let database = databases[n as usize % 2].clone();
        async move { database.place(&new).await.map(|_| new.order.item) }
    })
    .await;
    for product in [&hot, &other] {
        let sold = outcomes.iter().filter_map(|outcome| outcome.as_ref().ok());
        let sold: u32 = sold.filter(|item| item.product == product.id).map(|item| item.quantity.get()).sum();
        assert_eq!(sold, product.details.available.get(), "all of it is sold, and no more");
        assert_eq!(world.stock_of(product.id).await, 0);
    }
    for outcome in outcomes {
        assert!(
            matches!(outcome, Ok(_) | Err(PlaceError::Refused(PlaceRefused::Stock(TakeRefused::NotEnough { .. })))),
            "{outcome:?}"
        );
    }
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn batches_cancellations_and_deliveries_of_two_copies_do_not_block_each_other() {
    let world = World::with_pool(8).await;
    let databases = [world.database.clone(), copy(&world).await];
    let (fresh, other) = (world.customer("fresh@example.com").await, world.customer("other@example.com").await);
    let mut products = Vec::new();
    for _ in 0..5 {
        products.push(world.product(100_000).await);
    }
    let rules = ReservationRules { most_new: Some(1_000), ..ReservationRules::UNLIMITED };
    let failed = concurrently(40, |n| {
        let database = databases[n as usize % 2].clone();
        let customer = if n % 3 == 0 { fresh.clone() } else { other.clone() };
        let products = products.clone();
        async move {
            for round in 0..6 {
                let product = &products[(n as usize * 3 + round) % 5];
                let new = NewOrder { reservations: rules, ..new_order(&customer, product, 50, None) };
                database.place(&new).await.map_err(|error| format!("place: {error:?}"))?;
                if n % 2 == 0 {
                    let cancel = new.order.cancel(meta(20, actor(&customer))).unwrap();
                    let applied = database.apply(&cancel).await.map_err(|error| format!("cancel: {error:?}"))?;
                    assert_eq!(applied, Applied::Written);
                } else if n % 5 == 1 {
                    let arriving = Restocking {
                        product: product.id,
                        arriving: Stock::new(50).unwrap(),
                        price: product.details.price,
                        seen_price: None,
                        by: Actor::Shop,
                        at: at(30),
                        idempotency_key: None,
                    };
                    database.restock(&arriving).await.map_err(|error| format!("restock: {error:?}"))?;
                }
            }
            Ok::<(), String>(())
        }
    })
    .await;
    assert!(failed.iter().all(Result::is_ok), "{failed:?}");
    world.assert_sound();
}

/// Everything that is to be sent about an order, without ids.
fn outbox_of(world: &World, order: &str) -> i64 {
    world.count(&format!(
        "SELECT hashtextextended(string_agg(concat_ws('|', channel, topic, endpoint_id, email, due_at = created_at,
            created_at = (SELECT at FROM order_events WHERE id = event_id), attempts, state), E'\\n'
            ORDER BY channel, endpoint_id), 0)
        FROM outbox WHERE order_id = {order}"
    ))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_sends_what_the_triggers_would_have_sent() {
    let world = World::fresh().await;
    world.sql(
        "INSERT INTO webhook_endpoints (id, url, topics, secret, created_at, disabled_at, removed_at) VALUES
            (gen_random_uuid(), 'https://one.example.com', '{order.ordered,order.paid}', 'sealed', now(), NULL, NULL),
            (gen_random_uuid(), 'https://two.example.com', '{order.ordered}', 'sealed', now(), NULL, NULL),
            (gen_random_uuid(), 'https://paid.example.com', '{order.paid}', 'sealed', now(), NULL, NULL),
            (gen_random_uuid(), 'https://off.example.com', '{order.ordered}', 'sealed', now(), now(), NULL),
            (gen_random_uuid(), 'https://gone.example.com', '{order.ordered}', NULL, now(), NULL, now())",
    );
    let customer = world.customer("customer@example.com").await;
    let placed = world.fifty(&customer, &world.product(500).await).await;
    // As the previous program writes it: the event does not say that the outbox is filled.
    let copied = id();
    world.sql(&format!(
        "INSERT INTO orders SELECT (jsonb_populate_record(orders, jsonb_build_object('id', '{copied}', 'number', 77))).*
            FROM orders;
        INSERT INTO order_events (id, order_id, seq, kind, data, actor_id, actor_email, at)
            SELECT '{}', '{copied}', seq, kind, data, actor_id, actor_email, at FROM order_events",
        EventId::new(id())
    ));
    let rows = |order: &str| world.count(&format!("SELECT count(*) FROM outbox WHERE order_id = {order}"));
    let (by_batch, by_trigger) = (format!("'{}'", placed.id), format!("'{copied}'"));
    assert_eq!((rows(&by_batch), rows(&by_trigger)), (3, 3));
    assert_eq!(outbox_of(&world, &by_batch), outbox_of(&world, &by_trigger));
}

#[tokio::test(flavor = "multi_thread")]
async fn orders_keep_their_vehicles_whether_they_are_placed_in_a_batch_or_alone() {
    let world = World::with_pool(8).await;
    let customer = world.customer("ada@example.com").await;
    let product = world.product(1_000).await;
    let condition = Condition { id: ConditionId::new(4), text: Text::new("carbon; 'version'").unwrap() };
    let vehicle = OrderedVehicle {
        vehicle: VehicleNo::new(390_258),
        engine: Some(EngineNo::new(49_953_025)),
        label: Text::new("2014 Toyota Camry, 2.5 L 4 cyl").unwrap(),
        verdict: Verdict::If,
        conditions: vec![OrderedCondition { condition, confirmed: true }],
    };
    let for_vehicle = |limit: Option<u32>| {
        let mut new = new_order(&customer, &product, 50, None);
        new.order = new.order.for_vehicle(vehicle.clone());
        new.event = new.order.placed(EventId::new(id()), actor(&customer));
        new.reservations.most_new = limit;
        new
    };
    let plain = new_order(&customer, &product, 50, None);
    // The second one is held to a limit, so it is judged by itself.
    for (new, kept) in [(for_vehicle(None), true), (for_vehicle(Some(9)), true), (plain, false)] {
        let id = world.orders().place(&new).await.unwrap();
        let order = world.order(id).await;
        assert_eq!(order.item.vehicle.as_deref(), kept.then_some(&vehicle));
        assert_eq!(Order::replay(&world.timeline(id).await), Ok(order));
    }
    world.assert_sound();
}
