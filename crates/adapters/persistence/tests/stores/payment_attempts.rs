//! Payment attempts: which payment was opened for which order.

use std::collections::HashSet;
use std::time::Duration;

use domain::{Actor, Money, Order, OrderId};
use ports::{Attached, CheckSooner, Ended, PaymentAttempt, PaymentAttempts, Waits};

use crate::world::{World, at, concurrently, id, meta, transaction};

fn intent(order: &Order, n: u128) -> PaymentAttempt {
    PaymentAttempt::of_order(transaction(n), order.id, order.item.total)
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_has_at_most_one_open_payment() {
    let world = World::fresh().await;
    let customer = world.customer("customer@example.com").await;
    let order = world.fifty(&customer, &world.product(500).await).await;
    let (first, second) = (intent(&order, 1), intent(&order, 2));
    let payment_attempts = world.payment_attempts();
    assert_eq!(payment_attempts.open_for(domain::Payable::Order(order.id)).await.unwrap(), None);

    assert_eq!(payment_attempts.attach(&first, at(20)).await.unwrap(), Attached::Open);
    assert_eq!(payment_attempts.attach(&first, at(21)).await.unwrap(), Attached::Open);
    assert_eq!(payment_attempts.attach(&second, at(22)).await.unwrap(), Attached::Another(first.id.clone()));
    assert_eq!(payment_attempts.open_for(domain::Payable::Order(order.id)).await.unwrap(), Some(first.clone()));
    assert_eq!(payment_attempts.find(&first.id).await.unwrap(), Some(first.clone()));
    assert_eq!(payment_attempts.find(&second.id).await.unwrap(), None);
    assert_eq!(payment_attempts.attempts(domain::Payable::Order(order.id)).await.unwrap(), 0);

    payment_attempts.close(&first.id, Ended::Cancelled, at(30)).await.unwrap();
    payment_attempts.close(&first.id, Ended::Cancelled, at(31)).await.unwrap();
    assert_eq!(payment_attempts.attempts(domain::Payable::Order(order.id)).await.unwrap(), 1);
    assert_eq!(payment_attempts.open_for(domain::Payable::Order(order.id)).await.unwrap(), None);
    assert_eq!(payment_attempts.find(&first.id).await.unwrap(), Some(first.clone()));
    assert_eq!(payment_attempts.attach(&second, at(32)).await.unwrap(), Attached::Open);
    assert_eq!(payment_attempts.attach(&first, at(33)).await.unwrap(), Attached::Another(second.id));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_ended_payment_or_one_of_another_order_never_opens_again() {
    let world = World::fresh().await;
    let customer = world.customer("customer@example.com").await;
    let product = world.product(500).await;
    let (order, other) = (world.fifty(&customer, &product).await, world.fifty(&customer, &product).await);
    let first = intent(&order, 1);
    world.payment_attempts().attach(&first, at(20)).await.unwrap();
    let stolen = PaymentAttempt::of_order(first.id.clone(), other.id, first.amount);
    assert_eq!(world.payment_attempts().attach(&stolen, at(21)).await.unwrap(), Attached::Refused);
    world.payment_attempts().close(&first.id, Ended::Cancelled, at(30)).await.unwrap();
    assert_eq!(world.payment_attempts().attach(&first, at(31)).await.unwrap(), Attached::Refused);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_payment_is_opened_for_a_paid_cancelled_or_missing_order() {
    let world = World::fresh().await;
    let customer = world.customer("customer@example.com").await;
    let product = world.product(500).await;
    let paid = world.fifty(&customer, &product).await;
    let paid = world.write(&paid.settle(transaction(90), meta(20, Actor::Shop)).unwrap()).await;
    let cancelled = world.fifty(&customer, &product).await;
    let cancelled = world.write(&cancelled.cancel(meta(20, Actor::Shop)).unwrap()).await;
    let refunded = world.fifty(&customer, &product).await;
    let refunded = world.write(&refunded.cancel(meta(20, Actor::Shop)).unwrap()).await;
    let refunded = world.write(&refunded.refund(transaction(91), meta(21, Actor::Shop)).unwrap()).await;
    let mut absent = paid.clone();
    absent.id = OrderId::new(id());
    for (n, order) in (1..).zip([paid, cancelled, refunded, absent]) {
        assert_eq!(
            world.payment_attempts().attach(&intent(&order, n), at(30)).await.unwrap(),
            Attached::Refused,
            "{n}"
        );
    }
    assert_eq!(world.count("SELECT count(*) FROM payment_intents"), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_concurrently_opened_payments_only_one_belongs_to_the_order() {
    let world = World::with_pool(8).await;
    let customer = world.customer("customer@example.com").await;
    let product = world.product(5_000).await;
    for round in 0..20_u32 {
        let order = world.fifty(&customer, &product).await;
        let outcomes = concurrently(8, |n| {
            let (database, intent) = (world.database.clone(), intent(&order, u128::from(round * 100 + n)));
            async move { (intent.id.clone(), database.attach(&intent, at(20)).await.unwrap()) }
        })
        .await;
        let open: Vec<_> = outcomes.iter().filter(|(_, one)| *one == Attached::Open).map(|(id, _)| id).collect();
        assert_eq!(open.len(), 1, "round {round}: {outcomes:?}");
        let others = outcomes.iter().filter(|(_, one)| *one == Attached::Another(open[0].clone())).count();
        assert_eq!(others, 7, "round {round}: {outcomes:?}");
    }
    world.assert_sound();
}

/// The application's own setting.
const WAITS: Waits = Waits { share: 36, least: Duration::from_secs(5), most: Duration::from_hours(1) };

#[tokio::test(flavor = "multi_thread")]
async fn each_due_payment_is_leased_once_and_then_waits_for_its_next_poll() {
    let world = World::with_pool(8).await;
    let customer = world.customer("customer@example.com").await;
    let product = world.product(50_000).await;
    for n in 0..40 {
        let order = world.fifty(&customer, &product).await;
        world.payment_attempts().attach(&intent(&order, n), at(20)).await.unwrap();
    }
    let closed = transaction(0);
    world.payment_attempts().close(&closed, Ended::Cancelled, at(21)).await.unwrap();

    let leased = concurrently(8, |_| {
        let database = world.database.clone();
        async move { database.lease_due(WAITS, 5).await.unwrap() }
    })
    .await;
    let leased: Vec<_> = leased.into_iter().flatten().map(|intent| intent.id).collect();
    let different: HashSet<_> = leased.iter().collect();
    assert_eq!(different.len(), leased.len(), "a payment was leased twice");
    assert!(!different.contains(&closed));

    let mut rest = Vec::new();
    loop {
        let more = world.payment_attempts().lease_due(WAITS, 5).await.unwrap();
        if more.is_empty() {
            break;
        }
        rest.extend(more);
    }
    assert_eq!(leased.len() + rest.len(), 39);
    assert!(rest.iter().all(|intent| intent.amount == Money::from_cents(649_950).unwrap()));
    // The wait grows with the age: five seconds for a new payment, forty minutes for one that is a day old.
    let waits = "extract(epoch FROM next_look_at - looked_at)::bigint FROM payment_intents WHERE id = ";
    assert_eq!(world.count(&format!("SELECT {waits} 'pi_1'")), 5);
    world.sql(
        "UPDATE payment_intents SET asked_at = now() - interval '1 day', next_look_at = '-infinity' WHERE id = 'pi_1'",
    );
    world.payment_attempts().lease_due(WAITS, 5).await.unwrap();
    assert_eq!(world.count(&format!("SELECT {waits} 'pi_1'")), 2_400);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_that_was_just_confirmed_comes_before_five_thousand_due_ones() {
    let world = World::fresh().await;
    let customer = world.customer("customer@example.com").await;
    let order = world.fifty(&customer, &world.product(500).await).await;
    world.payment_attempts().attach(&intent(&order, 1), at(20)).await.unwrap();
    world.sql(
        "SET session_replication_role = replica;
        INSERT INTO payment_intents (id, order_id, amount_cents, opened_at, next_look_at)
            SELECT 'pi-' || n, gen_random_uuid(), 1, now(), now() - interval '1 day' FROM generate_series(1, 5000) n",
    );
    let first = world.payment_attempts().lease_due(WAITS, 100).await.unwrap();
    assert!(first.iter().all(|intent| intent.id != transaction(1)), "it is the youngest, so it comes last");
    world.payment_attempts().check_sooner(&transaction(1), CheckSooner::Confirmed).await.unwrap();
    let next = world.payment_attempts().lease_due(WAITS, 100).await.unwrap();
    assert!(next.iter().any(|intent| intent.id == transaction(1)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_that_cannot_be_decoded_is_skipped_and_blocks_no_other() {
    let world = World::fresh().await;
    let customer = world.customer("customer@example.com").await;
    let product = world.product(5_000).await;
    for n in 1..=8 {
        let order = world.fifty(&customer, &product).await;
        world.payment_attempts().attach(&intent(&order, n), at(20)).await.unwrap();
    }
    world.sql("UPDATE payment_intents SET id = 'no id at all!' WHERE id = 'pi_3'");
    assert_eq!(world.payment_attempts().lease_due(WAITS, 100).await.unwrap().len(), 7);
    assert_eq!(world.payment_attempts().lease_due(WAITS, 100).await.unwrap(), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_closed_without_the_providers_confirmation_stays_undecided() {
    let world = World::fresh().await;
    let customer = world.customer("customer@example.com").await;
    let order = world.fifty(&customer, &world.product(500).await).await;
    let (first, second) = (intent(&order, 1), intent(&order, 2));
    let payment_attempts = world.payment_attempts();
    payment_attempts.attach(&first, at(20)).await.unwrap();
    assert_eq!(payment_attempts.undecided(order.id).await.unwrap(), std::slice::from_ref(&first));
    // Closed by an older release, which does not record how payments end.
    world.sql("UPDATE payment_intents SET closed_at = now()");
    payment_attempts.attach(&second, at(21)).await.unwrap();
    assert_eq!(payment_attempts.undecided(order.id).await.unwrap().len(), 2);
    payment_attempts.close(&first.id, Ended::Cancelled, at(30)).await.unwrap();
    assert_eq!(payment_attempts.undecided(order.id).await.unwrap(), std::slice::from_ref(&second));
    payment_attempts.close(&second.id, Ended::Cancelled, at(30)).await.unwrap();
    assert_eq!(payment_attempts.undecided(order.id).await.unwrap(), []);
}
