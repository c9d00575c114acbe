//! Webhook subscriptions and their deliveries.

use std::time::Duration;

use domain::notifications::delivery::{DeliveryState, Topic};
use domain::{AccountId, Actor, Email, Role, WebhookSubscription, WebhookSubscriptionId};
use ports::{
    AddedSubscription, Breaker, BreakerState, DeliveryFailure, IdempotencyKey, LeaseRequest, Pagination, Queue,
    SealedSecret, StoreError, StoredSubscription, WebhookDeliveryQuery, WebhookSubscriptions,
};

use crate::world::{World, at, concurrently, id, key, meta, transaction};

fn subscription(topics: &[Topic]) -> StoredSubscription {
    let subscription = WebhookSubscription {
        id: WebhookSubscriptionId::new(id()),
        url: "https://erp.example.com/hooks".parse().unwrap(),
        topics: topics.to_vec(),
        created_at: at(1),
        failing_since: None,
        disabled: None,
    };
    StoredSubscription { subscription, secret: SealedSecret(vec![1, 2, 3]), failures: 0 }
}

fn store(world: &World) -> &dyn WebhookSubscriptions {
    &world.database
}

async fn add(
    world: &World,
    new: &StoredSubscription,
    most: u32,
    key: Option<IdempotencyKey>,
) -> Result<AddedSubscription, StoreError> {
    store(world).add(new, added_by(world).await, most, key).await
}

/// Whoever adds the subscriptions of a test. Not an admin: those are e-mailed.
async fn added_by(world: &World) -> AccountId {
    let email = "adder@example.com";
    match world.accounts().by_email(&email.parse().unwrap()).await.unwrap() {
        Some(found) => found.account.id,
        None => world.customer(email).await.id,
    }
}

fn request(stored: &StoredSubscription, limit: u32) -> LeaseRequest {
    let queue = Queue::Webhook(stored.subscription.id);
    LeaseRequest { queue, topics: Topic::FOR_WEBHOOKS.to_vec(), lease: Duration::from_mins(1), limit }
}

const BREAKER: Breaker =
    Breaker { opens_after: 5, probe_every: Duration::from_mins(1), gives_up_after: Duration::from_hours(72) };

fn of(subscription: WebhookSubscriptionId) -> WebhookDeliveryQuery {
    WebhookDeliveryQuery { subscription, page: Pagination::whole() }
}

async fn an_order(world: &World) {
    let customer = world.customer("customer@example.com").await;
    let order = world.fifty(&customer, &world.product(500).await).await;
    let paid = world.write(&order.settle(transaction(1), meta(20, Actor::Shop)).unwrap()).await;
    let cancelled_paid = world.write(&paid.cancel_with_refund(meta(30, Actor::Shop)).unwrap()).await;
    world.write(&cancelled_paid.refund(transaction(1), meta(40, Actor::Shop)).unwrap()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_subscription_is_stored_as_added_and_the_limit_holds() {
    let world = World::fresh().await;
    let stored = subscription(&[Topic::OrderPaid, Topic::OrderCancelled]);
    assert_eq!(add(&world, &stored, 2, None).await.unwrap(), AddedSubscription::New);
    assert_eq!(store(&world).find(stored.subscription.id).await.unwrap(), Some(stored.clone()));
    assert_eq!(add(&world, &subscription(&[Topic::OrderPaid]), 2, None).await.unwrap(), AddedSubscription::New);
    assert_eq!(add(&world, &subscription(&[Topic::OrderPaid]), 2, None).await.unwrap(), AddedSubscription::Full);
    assert_eq!(store(&world).list().await.unwrap().len(), 2);
    assert!(store(&world).remove(stored.subscription.id, at(2)).await.unwrap());
    assert!(!store(&world).remove(stored.subscription.id, at(3)).await.unwrap());
    assert_eq!(store(&world).find(stored.subscription.id).await.unwrap(), None);
    assert_eq!(add(&world, &subscription(&[Topic::OrderPaid]), 2, None).await.unwrap(), AddedSubscription::New);
    assert_eq!(world.count("SELECT count(*) FROM webhook_endpoints WHERE secret IS NOT NULL"), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_subscription_that_cannot_be_decoded_keeps_no_other_from_being_called_or_resealed() {
    let world = World::fresh().await;
    let (bad, good) = (subscription(&[Topic::OrderPaid]), subscription(&[Topic::OrderPaid]));
    for one in [&bad, &good] {
        assert_eq!(add(&world, one, 9, None).await.unwrap(), AddedSubscription::New);
    }
    an_order(&world).await;
    world.sql(&format!("UPDATE webhook_endpoints SET url = 'nowhere' WHERE id = '{}'", bad.subscription.id));
    assert_eq!(store(&world).due(&Topic::FOR_WEBHOOKS).await.unwrap(), std::slice::from_ref(&good));
    // Its secret is sealed again all the same: the address is not needed for that.
    let sealed = [&bad, &good].map(|one| (one.subscription.id, one.secret.clone()));
    assert_eq!(store(&world).sealed().await.unwrap(), sealed);
    // An admin's list is whole or an error.
    assert!(store(&world).list().await.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_adds_do_not_exceed_the_limit() {
    let world = World::fresh().await;
    let by = added_by(&world).await;
    let added = concurrently(12, |_| {
        let database = world.database.clone();
        async move { database.add(&subscription(&[Topic::OrderPaid]), by, 5, None).await.unwrap() }
    })
    .await;
    assert_eq!(added.into_iter().filter(|added| *added == AddedSubscription::New).count(), 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn each_subscription_gets_its_topics_once_in_addition_to_the_emails() {
    let world = World::fresh().await;
    let everything = subscription(&Topic::FOR_WEBHOOKS);
    let money = subscription(&[Topic::OrderPaid, Topic::OrderRefunded]);
    for one in [&everything, &money] {
        assert_eq!(add(&world, one, 9, None).await.unwrap(), AddedSubscription::New);
    }
    an_order(&world).await;
    let topics = async |stored: &StoredSubscription| {
        let page = store(&world).deliveries(&of(stored.subscription.id)).await.unwrap().unwrap();
        let mut topics: Vec<_> = page.items.iter().map(|one| one.topic.as_str()).collect();
        topics.sort_unstable();
        assert_eq!(page.total, topics.len() as u64);
        topics
    };
    assert_eq!(topics(&everything).await, ["order.cancelled", "order.ordered", "order.paid", "order.refunded"]);
    assert_eq!(topics(&money).await, ["order.paid", "order.refunded"]);
    assert_eq!(world.count("SELECT count(*) FROM outbox WHERE channel = 'mail'"), 3);
    world.refuses(
        "INSERT INTO outbox (channel, topic, order_id, event_id, endpoint_id, created_at, due_at)
         SELECT channel, topic, order_id, event_id, endpoint_id, created_at, due_at FROM outbox WHERE channel = 'webhook'",
        "outbox_one_call_per_event",
    );
    world.refuses("UPDATE outbox SET endpoint_id = NULL WHERE channel = 'webhook'", "outbox_webhooks_have_an_endpoint");
    world.refuses("UPDATE webhook_endpoints SET topics = '{account.reset}'", "webhook_endpoints_want_something");
    world.refuses("UPDATE webhook_endpoints SET topics = '{}'", "webhook_endpoints_want_something");
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_leased_delivery_names_its_subscription_and_stores_the_response_status() {
    let world = World::fresh().await;
    let stored = subscription(&[Topic::OrderPaid]);
    add(&world, &stored, 9, None).await.unwrap();
    an_order(&world).await;
    let leased = world.outbox().lease(&request(&stored, 9)).await.unwrap().deliveries;
    let [call] = &leased[..] else { panic!("{leased:?}") };
    assert_eq!((call.subscription, call.status, call.to.as_ref()), (Some(stored.subscription.id), None, None));
    let why = DeliveryFailure { why: "it answered with status 503".into(), status: Some(503) };
    world.outbox().reschedule(call.id, 1, Duration::from_mins(3), &why).await.unwrap();
    let page = store(&world).deliveries(&of(stored.subscription.id)).await.unwrap().unwrap();
    assert_eq!((page.items[0].status, page.items[0].state), (Some(503), DeliveryState::Waiting));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disabled_or_removed_subscription_gets_nothing_new_and_orders_still_succeed() {
    let world = World::fresh().await;
    let (disabled, removed) = (subscription(&Topic::FOR_WEBHOOKS), subscription(&Topic::FOR_WEBHOOKS));
    for one in [&disabled, &removed] {
        add(&world, one, 9, None).await.unwrap();
    }
    an_order(&world).await;
    let admins =
        [world.account_as("ada@example.com", Role::Admin).await, world.account_as("bo@example.com", Role::Admin).await];
    store(&world).disable(disabled.subscription.id, "three days").await.unwrap();
    store(&world).disable(disabled.subscription.id, "again").await.unwrap();
    store(&world).remove(removed.subscription.id, at(50)).await.unwrap();
    let found = store(&world).find(disabled.subscription.id).await.unwrap().unwrap();
    assert_eq!(found.subscription.disabled.map(|disabled| disabled.why).as_deref(), Some("three days"));
    // Every admin is notified once by e-mail; this is not a delivery of the subscription.
    let notified = "SELECT count(DISTINCT email) FROM outbox WHERE topic = 'webhook.disabled' AND channel = 'mail'";
    assert_eq!(world.count(notified), i64::try_from(admins.len()).unwrap());
    assert_eq!(world.count("SELECT count(*) FROM outbox WHERE topic = 'webhook.disabled'"), 2);
    assert_eq!(world.outbox().lease(&request(&disabled, 9)).await.unwrap().deliveries, []);
    assert_eq!(world.outbox().dead_letter_unwanted(3).await.unwrap(), 3);
    assert_eq!(world.outbox().dead_letter_unwanted(3).await.unwrap(), 1);
    assert_eq!(world.count("SELECT count(*) FROM outbox WHERE last_error = 'the endpoint is disabled'"), 4);
    let customer = world.customer("another@example.com").await;
    world.fifty(&customer, &world.product(500).await).await;
    assert_eq!(store(&world).deliveries(&of(disabled.subscription.id)).await.unwrap().unwrap().total, 4);
    assert!(store(&world).deliveries(&of(removed.subscription.id)).await.unwrap().is_none());
    let left = format!("SELECT count(*) FROM outbox WHERE endpoint_id = '{}'", removed.subscription.id);
    assert_eq!(world.count(&left), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_secret_is_resealed_only_if_it_is_unchanged() {
    let world = World::fresh().await;
    let stored = subscription(&[Topic::OrderPaid]);
    add(&world, &stored, 9, None).await.unwrap();
    let (old, new, other) = (SealedSecret(vec![1, 2, 3]), SealedSecret(vec![4]), SealedSecret(vec![5]));
    store(&world).reseal(stored.subscription.id, &old, &new).await.unwrap();
    store(&world).reseal(stored.subscription.id, &old, &other).await.unwrap();
    assert_eq!(store(&world).find(stored.subscription.id).await.unwrap().unwrap().secret, new);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_request_returns_the_subscription_that_it_added() {
    let world = World::fresh().await;
    let (first, again) = (subscription(&[Topic::OrderPaid]), subscription(&[Topic::OrderPaid]));
    assert_eq!(add(&world, &first, 1, Some(key(1))).await.unwrap(), AddedSubscription::New);
    assert_eq!(add(&world, &again, 1, Some(key(1))).await.unwrap(), AddedSubscription::Before(first.clone()));
    let other = ports::IdempotencyKey { fingerprint: key(2).fingerprint, ..key(1) };
    let refused = add(&world, &again, 9, Some(other)).await;
    assert!(matches!(refused, Err(ports::StoreError::KeyReused)), "{refused:?}");
    // The key is freed with the subscription that it created.
    store(&world).remove(first.subscription.id, at(2)).await.unwrap();
    assert_eq!(add(&world, &again, 1, Some(key(1))).await.unwrap(), AddedSubscription::New);
}

#[tokio::test(flavor = "multi_thread")]
async fn only_callable_subscriptions_with_waiting_deliveries_are_due() {
    let world = World::fresh().await;
    let names = ["idle", "due", "failing", "disabled", "unreadable"];
    let all: Vec<StoredSubscription> = names
        .iter()
        .map(
            |name| {
                if *name == "idle" { subscription(&[Topic::OrderShipped]) } else { subscription(&[Topic::OrderPaid]) }
            },
        )
        .collect();
    for one in &all {
        add(&world, one, 9, None).await.unwrap();
    }
    an_order(&world).await;
    for _ in 0..5 {
        store(&world).failed(all[2].subscription.id, BREAKER).await.unwrap();
    }
    store(&world).disable(all[3].subscription.id, "gone").await.unwrap();
    world.sql(&format!("UPDATE webhook_endpoints SET url = 'no address' WHERE id = '{}'", all[4].subscription.id));
    let due = store(&world).due(&Topic::FOR_WEBHOOKS).await.unwrap();
    assert_eq!(due.iter().map(|stored| stored.subscription.id).collect::<Vec<_>>(), [all[1].subscription.id]);
    assert_eq!(store(&world).due(&[Topic::OrderShipped]).await.unwrap(), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn five_failures_in_a_row_open_the_breaker_and_one_success_closes_it() {
    let world = World::fresh().await;
    let stored = subscription(&[Topic::OrderPaid]);
    let id = stored.subscription.id;
    add(&world, &stored, 9, None).await.unwrap();
    for nth in 1..=6 {
        let expected = if nth < 5 { BreakerState::Closed } else { BreakerState::Open };
        assert_eq!(store(&world).failed(id, BREAKER).await.unwrap(), expected, "failure {nth}");
    }
    // Once a minute, for the first instance that asks.
    assert!(!store(&world).may_probe(id, BREAKER.probe_every).await.unwrap());
    world.sql("UPDATE webhook_endpoints SET next_try_at = now()");
    let probing = concurrently(8, |_| {
        let database = world.database.clone();
        async move { database.may_probe(id, BREAKER.probe_every).await.unwrap() }
    });
    assert_eq!(probing.await.into_iter().filter(|may| *may).count(), 1);
    let failing = store(&world).find(id).await.unwrap().unwrap();
    assert!(failing.failures == 6 && failing.subscription.failing_since.is_some());

    world.sql("UPDATE webhook_endpoints SET failing_since = failing_since - interval '73 hours'");
    assert_eq!(store(&world).failed(id, BREAKER).await.unwrap(), BreakerState::Expired);
    store(&world).recovered(id).await.unwrap();
    assert_eq!(store(&world).find(id).await.unwrap(), Some(stored));
    assert_eq!(store(&world).failed(id, BREAKER).await.unwrap(), BreakerState::Closed);
    store(&world).disable(id, "gone").await.unwrap();
    assert!(store(&world).enable(id).await.unwrap());
    assert_eq!(store(&world).find(id).await.unwrap().unwrap().subscription.disabled, None);
    store(&world).remove(id, at(9)).await.unwrap();
    assert!(!store(&world).enable(id).await.unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_subscriptions_of_whoever_is_no_longer_an_admin_stop() {
    for removed in [false, true] {
        let world = World::fresh().await;
        let (leaving, staying) = (
            world.account_as("leaving@example.com", Role::Admin).await,
            world.account_as("staying@example.com", Role::Admin).await,
        );
        let (theirs, others) = (subscription(&[Topic::OrderPaid]), subscription(&[Topic::OrderPaid]));
        store(&world).add(&theirs, leaving.id, 9, None).await.unwrap();
        store(&world).add(&others, staying.id, 9, None).await.unwrap();
        if removed {
            assert_eq!(world.accounts().remove(&leaving.email, at(5)).await.unwrap(), ports::Removal::Removed);
        } else {
            let grant = ports::RoleGrant { role: Role::Customer, needs_proof: true, at: at(5) };
            world.accounts().set_role(&leaving.email, grant).await.unwrap();
        }
        let stopped = store(&world).find(theirs.subscription.id).await.unwrap().unwrap().subscription.disabled;
        assert_eq!(stopped.unwrap().why, "The admin who added it is no longer an admin.");
        assert!(store(&world).find(others.subscription.id).await.unwrap().unwrap().subscription.disabled.is_none());
        an_order(&world).await;
        let called = |id: WebhookSubscriptionId| {
            world.count(&format!("SELECT count(*) FROM outbox WHERE channel = 'webhook' AND endpoint_id = '{id}'"))
        };
        assert_eq!((called(theirs.subscription.id), called(others.subscription.id)), (0, 1));
        let mailed = |to: &Email| {
            world.count(&format!("SELECT count(*) FROM outbox WHERE topic = 'webhook.disabled' AND email = '{to}'"))
        };
        assert_eq!((mailed(&staying.email), mailed(&leaving.email)), (1, 0));
    }
}
