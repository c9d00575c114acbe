//! Returns of shipped orders.

use std::num::NonZeroU32;

use domain::orders::returns::{AcceptedReturn, ReturnState};
use domain::payments::refund::left_of;
use domain::{
    Account, Actor, Money, Order, OrderReturn, Refund, RefundCause, RefundId, RefundState, ReturnId, ReturnReason,
    Role, Text,
};
use ports::{
    AttentionItem, NewRefund, NewReturn, PaymentAttempt, ReturnDecided, ReturnDecision, ReturnRepository,
    ReturnRequested,
};

use crate::world::{World, actor, at, concurrently, id, key, meta, transaction};

/// An order of fifty units at $129.99 that is paid and shipped.
async fn shipped(world: &World, n: u128) -> (Account, Order) {
    let customer = world.customer(&format!("customer{n}@example.com")).await;
    let order = world.fifty(&customer, &world.product(500).await).await;
    let intent = PaymentAttempt::of_order(transaction(n), order.id, order.item.total);
    world.payment_attempts().attach(&intent, at(20)).await.unwrap();
    let order = world.write(&order.settle(transaction(n), meta(21, Actor::Shop)).unwrap()).await;
    (customer, world.write(&order.ship(meta(22, Actor::Shop)).unwrap()).await)
}

/// A return that the rules allow, of an order that had these before.
fn asked(customer: &Account, order: &Order, units: u32, earlier: &[OrderReturn], second: i64) -> NewReturn {
    let asked = OrderReturn {
        id: ReturnId::new(id()),
        order: order.id,
        reason: ReturnReason::NotAsDescribed,
        details: Text::optional(Some("Two are \"oval\".\n100% _sure_ \\o/")).unwrap(),
        units: NonZeroU32::new(units).unwrap(),
        requested_at: at(second),
        state: ReturnState::Requested,
    };
    let left = order.item.total;
    let change = order.clone().request_return(&asked, earlier, left, meta(second, actor(customer))).unwrap();
    NewReturn { asked, earlier: earlier.len(), change, idempotency_key: None }
}

fn accepted(order: &Order, asked: &OrderReturn, amount: Money, restocked: bool, second: i64) -> ReturnDecision {
    let refund = Refund {
        id: RefundId::new(id()),
        order: order.id,
        payment: order.state.transaction().unwrap().clone(),
        amount,
        cause: RefundCause::Admin,
        state: RefundState::Due,
        provider_id: None,
        attempt: 1,
        tries: 0,
        failure: None,
        note: None,
        by: Actor::Shop,
        created_at: at(second),
        changed_at: at(second),
    };
    let outcome = AcceptedReturn { refund: Some((refund.id, amount)), restocked };
    let (after, kind) = asked.clone().accept(outcome, at(second)).unwrap();
    let change = order.clone().note(kind, meta(second, Actor::Shop)).unwrap();
    let refund = NewRefund { refund, brought: order.item.total, idempotency_key: None, change: None };
    ReturnDecision { after, change, refund: Some(refund) }
}

fn declined(order: &Order, asked: &OrderReturn, second: i64) -> ReturnDecision {
    let (after, kind) = asked.clone().decline(Text::new("They were used.").unwrap(), at(second)).unwrap();
    let change = order.clone().note(kind, meta(second, Actor::Shop)).unwrap();
    ReturnDecision { after, change, refund: None }
}

fn dollars(dollars: f64) -> Money {
    Money::from_dollars(dollars).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_accepted_return_is_recorded_with_its_event_its_refund_and_its_units() {
    let world = World::fresh().await;
    let (customer, order) = shipped(&world, 1).await;
    let new = asked(&customer, &order, 10, &[], 30);
    assert_eq!(world.returns().request(&new).await.unwrap(), ReturnRequested::Written);
    assert_eq!(world.returns().find(new.asked.id).await.unwrap().as_ref(), Some(&new.asked));
    assert_eq!(world.order(order.id).await, order, "a return changes nothing about the order");
    let attention = world.refunds().attention(9).await.unwrap();
    assert_eq!(attention, [(AttentionItem::Return(new.asked.clone()), at(30))]);
    assert_eq!(world.refunds().tally().await.unwrap().listed(), 1);

    let decision = accepted(&order, &new.asked, dollars(1_299.90), true, 31);
    assert_eq!(world.returns().decide(&decision).await.unwrap(), ReturnDecided::Written);
    assert_eq!(world.returns().of_order(order.id).await.unwrap(), [decision.after]);
    assert_eq!(world.stock_of(order.item.product).await, 460);
    let refunds = world.refunds().of_order(order.id).await.unwrap();
    assert_eq!(left_of(order.item.total, &refunds), dollars(5_199.60));
    assert_eq!(Order::replay(&world.timeline(order.id).await).unwrap(), world.order(order.id).await);
    let attention = world.refunds().attention(9).await.unwrap();
    assert!(!attention.iter().any(|(item, _)| matches!(item, AttentionItem::Return(_))), "{attention:?}");
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_return_without_restocking_and_a_declined_one_leave_the_stock_alone() {
    let world = World::fresh().await;
    let (customer, order) = shipped(&world, 1).await;
    let first = asked(&customer, &order, 10, &[], 30);
    world.returns().request(&first).await.unwrap();
    world.returns().decide(&declined(&order, &first.asked, 31)).await.unwrap();
    let earlier = world.returns().of_order(order.id).await.unwrap();
    let second = asked(&customer, &order, 50, &earlier, 32);
    assert_eq!(world.returns().request(&second).await.unwrap(), ReturnRequested::Written);
    let decision = accepted(&order, &second.asked, order.item.total, false, 33);
    assert_eq!(world.returns().decide(&decision).await.unwrap(), ReturnDecided::Written);
    assert_eq!(world.stock_of(order.item.product).await, 450);
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn both_outcomes_are_reported_to_the_customer() {
    let world = World::fresh().await;
    let (customer, order) = shipped(&world, 1).await;
    let mails = |topic: &str| {
        world.count(&format!(
            "SELECT count(*) FROM outbox WHERE channel = 'mail' AND topic = '{topic}' AND email = '{}'",
            customer.email
        ))
    };
    let first = asked(&customer, &order, 10, &[], 30);
    world.returns().request(&first).await.unwrap();
    world.returns().decide(&declined(&order, &first.asked, 31)).await.unwrap();
    let earlier = world.returns().of_order(order.id).await.unwrap();
    let second = asked(&customer, &order, 10, &earlier, 32);
    world.returns().request(&second).await.unwrap();
    assert_eq!((mails("order.return_declined"), mails("order.return_accepted")), (1, 0));
    world.returns().decide(&accepted(&order, &second.asked, dollars(1.0), true, 33)).await.unwrap();
    assert_eq!((mails("order.return_declined"), mails("order.return_accepted")), (1, 1));
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn of_concurrent_requests_one_is_written_and_one_key_is_one_return() {
    let world = World::with_pool(8).await;
    for round in 1..=10 {
        let (customer, order) = shipped(&world, round).await;
        let outcomes = concurrently(8, |_| {
            let (database, new) = (world.database.clone(), asked(&customer, &order, 1, &[], 30));
            async move { ReturnRepository::request(&database, &new).await.unwrap() }
        })
        .await;
        let written = |outcome: &&ReturnRequested| **outcome == ReturnRequested::Written;
        assert_eq!(outcomes.iter().filter(written).count(), 1, "{outcomes:?}");
    }
    let (customer, order) = shipped(&world, 99).await;
    let outcomes = concurrently(8, |_| {
        let new = NewReturn { idempotency_key: Some(key(1)), ..asked(&customer, &order, 1, &[], 30) };
        let database = world.database.clone();
        async move { (new.asked.id, ReturnRepository::request(&database, &new).await.unwrap()) }
    })
    .await;
    let [only] = &world.returns().of_order(order.id).await.unwrap()[..] else { panic!("not one return") };
    for (id, outcome) in outcomes {
        let known = if id == only.id { ReturnRequested::Written } else { ReturnRequested::Known(only.id) };
        assert_eq!(outcome, known);
    }
    assert_eq!(world.returns().requested_under(order.id, key(1)).await.unwrap(), Some(only.id));
    assert_eq!(world.returns().requested_under(order.id, key(2)).await.unwrap(), None);
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn of_concurrent_decisions_one_is_written_and_the_others_leave_no_trace() {
    let world = World::with_pool(8).await;
    for round in 1..=10 {
        let (customer, order) = shipped(&world, round).await;
        let new = asked(&customer, &order, 10, &[], 30);
        world.returns().request(&new).await.unwrap();
        let outcomes = concurrently(8, |n| {
            let decision = if n % 2 == 0 {
                accepted(&order, &new.asked, dollars(5.0), true, 31)
            } else {
                declined(&order, &new.asked, 31)
            };
            let database = world.database.clone();
            async move { ReturnRepository::decide(&database, &decision).await.unwrap() }
        })
        .await;
        let written = |outcome: &&ReturnDecided| **outcome == ReturnDecided::Written;
        assert_eq!(outcomes.iter().filter(written).count(), 1, "{outcomes:?}");
    }
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_decision_on_an_order_that_changed_meanwhile_or_a_full_stock_changes_nothing() {
    let world = World::fresh().await;
    let (customer, order) = shipped(&world, 1).await;
    let new = asked(&customer, &order, 10, &[], 30);
    world.returns().request(&new).await.unwrap();
    let too_much = accepted(&order, &new.asked, dollars(1_000_000.0), true, 31);
    assert_eq!(world.returns().decide(&too_much).await.unwrap(), ReturnDecided::Conflict);
    let now = format!("SELECT available FROM products WHERE id = '{}'", order.item.product);
    let fill = 999_999_995 - world.count(&now);
    world.sql(&format!(
        "INSERT INTO stock_ledger (product_id, delta, kind, at) VALUES ('{0}', {fill}, 'received', now());
        UPDATE products SET available = available + {fill} WHERE id = '{0}'",
        order.item.product
    ));
    let decision = accepted(&order, &new.asked, dollars(5.0), true, 31);
    assert_eq!(world.returns().decide(&decision).await.unwrap(), ReturnDecided::NoRoom);
    assert_eq!(world.refunds().of_order(order.id).await.unwrap(), []);
    assert!(world.returns().find(new.asked.id).await.unwrap().unwrap().is_open());
    let without = accepted(&order, &new.asked, dollars(5.0), false, 32);
    assert_eq!(world.returns().decide(&without).await.unwrap(), ReturnDecided::Written);
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_database_keeps_a_returns_state_whole_and_its_ledger_entry_apart() {
    let world = World::fresh().await;
    world.account_as("boss@example.com", Role::Admin).await;
    let (customer, order) = shipped(&world, 1).await;
    let new = asked(&customer, &order, 10, &[], 30);
    world.returns().request(&new).await.unwrap();
    for (set, by) in [
        ("state = 'lost'", "returns_state_is_one_of_three"),
        ("answer = 'No.'", "returns_state_is_one_of_three"),
        ("state = 'accepted', decided_at = now()", "returns_state_is_one_of_three"),
        ("state = 'declined', decided_at = now()", "returns_state_is_one_of_three"),
        ("refunded_cents = 5", "returns_refund_is_whole"),
        ("units = 0", "returns_units_check"),
        ("reason = 'So what?'", "returns_reason_check"),
        ("details = ''", "returns_details_check"),
        ("once_key = sha256('a')", "returns_once_is_whole"),
    ] {
        world.refuses(&format!("UPDATE returns SET {set}"), by);
    }
    let again = "INSERT INTO returns (id, order_id, reason, units, requested_at)
        SELECT gen_random_uuid(), order_id, reason, units, now() FROM returns";
    world.refuses(again, "returns_one_open");
    let entry = |delta: i32, of_order: &str, of_return: &str| {
        format!(
            "INSERT INTO stock_ledger (product_id, delta, kind, order_id, return_id, at)
            VALUES ('{}', {delta}, 'returned', {of_order}, {of_return}, now())",
            order.item.product
        )
    };
    let (of_order, of_return) = (format!("'{}'", order.id), format!("'{}'", new.asked.id));
    for wrong in [entry(-1, "NULL", &of_return), entry(1, &of_order, &of_return), entry(1, "NULL", "NULL")] {
        world.refuses(&wrong, "stock_ledger_entry_makes_sense");
    }
}
