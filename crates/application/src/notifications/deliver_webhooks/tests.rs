use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::Mutex;

use domain::notifications::delivery::{DeliveryState, MAX_ATTEMPTS};
use domain::orders::order::{Change, EventMeta};
use domain::{Actor, Charges, EventId, Money, ShipmentId, Timestamp, WebhookSubscription, WebhookSubscriptionId};
use ports::{
    MockCheckoutRepository, MockOrderRepository, MockWebhookSecrets, MockWebhookSender, MockWebhookSubscriptions,
    OpenedSecret, Outbox, SealedSecret, WebhookSecret, WebhookSender, WebhookUrlRefused,
};
use tokio::time::{Instant, sleep};
use uuid::Uuid;

use super::*;
use crate::checkout::tests::{checkout, holding as holding_checkout, line};
use crate::notifications::fake_outbox::{FakeOutbox, waiting};
use crate::platform::moments::{earlier, later};
use crate::testing::{caller, customers_order, notifications, now, transaction};

const ENDPOINT: WebhookSubscriptionId = WebhookSubscriptionId::new(Uuid::from_u128(7));
const SICK: WebhookSubscriptionId = WebhookSubscriptionId::new(Uuid::from_u128(8));

fn delivery(id: i64) -> Delivery {
    waiting(id, Topic::OrderOrdered, Some(ENDPOINT))
}

fn stored(id: WebhookSubscriptionId, failures: u32) -> StoredSubscription {
    let subscription = WebhookSubscription {
        id,
        url: format!("https://erp.example.com/{id}").parse().unwrap(),
        topics: vec![Topic::OrderOrdered],
        created_at: now(),
        failing_since: None,
        disabled: None,
    };
    StoredSubscription { subscription, secret: SealedSecret(vec![1]), failures }
}

fn secrets(opened: Option<bool>) -> MockWebhookSecrets {
    let mut secrets = MockWebhookSecrets::new();
    secrets.expect_open().returning(move |_, _| {
        opened.map(|under_previous_secret| OpenedSecret {
            secret: WebhookSecret::new("whsec_x".into()),
            under_previous_secret,
        })
    });
    secrets
}

/// An order as it is now, and its timeline.
type History = (Order, Vec<OrderEvent>);

/// An order that was just placed, with the event 6.
fn placed(order: Order) -> History {
    let placed = order.placed(EventId::new(Uuid::from_u128(6)), caller(domain::Role::Customer).actor());
    (order, vec![placed])
}

/// The same order after a change.
fn changed<R: std::fmt::Debug>((order, mut timeline): History, by: impl FnOnce(Order) -> Result<Change, R>) -> History {
    let change = by(order).unwrap();
    timeline.push(change.event);
    (change.after, timeline)
}

fn by_the_shop(event: u128, at: Timestamp) -> EventMeta {
    EventMeta { event: EventId::new(Uuid::from_u128(event)), by: Actor::Shop, at }
}

/// The order is paid; its events are its placing (6) and its payment (9).
fn paid(order: Order, at: Timestamp) -> History {
    changed(placed(order), |order| order.settle(transaction(), by_the_shop(9, at)))
}

fn timelines_of(histories: &[History]) -> MockOrderRepository {
    let timelines: HashMap<_, _> = histories.iter().map(|(order, events)| (order.id, events.clone())).collect();
    let mut orders = MockOrderRepository::new();
    orders.expect_timeline().returning(move |id| Ok(timelines[&id].clone()));
    orders
}

fn holding((order, timeline): History) -> MockOrderRepository {
    let mut orders = timelines_of(&[(order.clone(), timeline)]);
    orders.expect_find().returning(move |_| Ok(Some(order.clone())));
    orders
}

fn calling(
    outbox: &Arc<FakeOutbox>,
    webhook_subscriptions: MockWebhookSubscriptions,
    caller: impl WebhookSender + 'static,
) -> Notifications {
    Notifications {
        outbox: Arc::clone(outbox) as Arc<dyn Outbox>,
        webhook_subscriptions: Arc::new(webhook_subscriptions),
        webhook_secrets: Arc::new(secrets(Some(false))),
        webhook_sender: Arc::new(caller),
        orders: Arc::new(holding(paid(customers_order(), now()))),
        ..notifications()
    }
}

fn due(webhook_subscriptions: Vec<StoredSubscription>) -> MockWebhookSubscriptions {
    let mut store = MockWebhookSubscriptions::new();
    store.expect_due().returning(move |_| Ok(webhook_subscriptions.clone()));
    store
}

fn answering(answer: fn() -> Result<u16, WebhookError>) -> MockWebhookSender {
    let mut caller = MockWebhookSender::new();
    caller.expect_call().times(1).returning(move |_, _, _, _| answer());
    caller
}

async fn call(notifications: &Notifications) -> Delivered {
    notifications.deliver_webhooks().await.unwrap();
    notifications.lanes.idle().await;
    notifications.lanes.counted(Channel::Webhook)
}

#[tokio::test(start_paused = true)]
async fn each_event_is_sent_with_its_position_and_the_order_as_it_was_then() {
    let paid = Delivery { event: Some(EventId::new(Uuid::from_u128(9))), topic: Topic::OrderPaid, ..delivery(2) };
    let outbox = Arc::new(FakeOutbox::of([delivery(1), paid]));
    let mut caller = MockWebhookSender::new();
    let sent = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&sent);
    caller
        .expect_call()
        .withf(|url, secret, _, at| {
            url.as_str().starts_with("https://erp") && secret.expose() == "whsec_x" && *at == now()
        })
        .returning(move |_, _, announcement, _| {
            let WebhookSubject::Order(order) = &announcement.subject else { panic!("about an order") };
            let is_paid = order.is_paid();
            noted.lock().unwrap().push((announcement.seq, announcement.topic, is_paid));
            Ok(204)
        });
    let notifications = calling(&outbox, due(vec![stored(ENDPOINT, 0)]), caller);
    assert_eq!(call(&notifications).await, Delivered { sent: 2, ..Delivered::default() });
    let mut sent = sent.lock().unwrap().clone();
    sent.sort_by_key(|(seq, ..)| *seq);
    assert_eq!(sent, [(1, Topic::OrderOrdered, false), (2, Topic::OrderPaid, true)]);
    assert!(outbox.all().iter().all(|one| one.status == Some(204)));
}

/// The event that the shop sends for a delivery.
async fn sent_for(delivery: Delivery, orders: MockOrderRepository, checkouts: MockCheckoutRepository) -> WebhookEvent {
    let outbox = Arc::new(FakeOutbox::of([delivery]));
    let sent = Arc::new(Mutex::new(None));
    let noted = Arc::clone(&sent);
    let mut sender = MockWebhookSender::new();
    sender.expect_call().times(1).returning(move |_, _, event, _| {
        *noted.lock().unwrap() = Some(event.clone());
        Ok(204)
    });
    let notifications = Notifications {
        orders: Arc::new(orders),
        checkouts: Arc::new(checkouts),
        ..calling(&outbox, due(vec![stored(ENDPOINT, 0)]), sender)
    };
    assert_eq!(call(&notifications).await.sent, 1);
    let event = sent.lock().unwrap().take();
    event.unwrap()
}

#[tokio::test(start_paused = true)]
async fn an_order_is_sent_as_it_was_before_its_freight_was_set_and_a_part_of_it_left() {
    let (shipment, units) = (ShipmentId::new(Uuid::from_u128(31)), NonZeroU32::new(20).unwrap());
    let freight = changed(placed(line(1, None)), |order| order.set_freight(Charges::NONE, by_the_shop(10, now())));
    let left = changed(freight, |order| order.ship_units(shipment, units, by_the_shop(11, now())));
    for (event, seq, charges, shipped_units) in
        [(6, 1, None, 0), (10, 2, Some(Charges::NONE), 0), (11, 3, Some(Charges::NONE), 20)]
    {
        let event = Some(EventId::new(Uuid::from_u128(event)));
        let delivery = Delivery { order: Some(left.0.id), event, ..delivery(1) };
        let sent = sent_for(delivery, holding(left.clone()), MockCheckoutRepository::new()).await;
        let WebhookSubject::Order(order) = sent.subject else { panic!("about an order") };
        assert_eq!((sent.seq, order.item.charges(), order.shipped_units), (seq, charges, shipped_units));
    }
}

/// The orders of a checkout. The first was paid a minute before [`now`], and shipped at that moment; the second was
/// paid and shipped by an instance whose clock is a second ahead.
fn paid_checkout() -> [History; 2] {
    let (before, after) = (earlier(now(), Duration::from_mins(1)), later(now(), Duration::from_secs(1)));
    let placed_before = |number| Order { placed_at: before, ..line(number, Some(Charges::NONE)) };
    let shipped = |history, at| changed(history, |order| order.ship(by_the_shop(12, at)));
    [shipped(paid(placed_before(1), before), now()), shipped(paid(placed_before(2), after), after)]
}

#[tokio::test(start_paused = true)]
async fn a_checkout_is_sent_as_it_was_when_it_was_placed_and_when_the_last_of_it_was_paid() {
    let histories = paid_checkout();
    let whole = checkout(Some(Money::ZERO), Vec::new());
    let orders = histories.clone().map(|(order, _)| order);
    // Whether each order was paid by then, and shipped.
    for (topic, seq, states) in [
        (Topic::CheckoutPlaced, 1, [(false, false), (false, false)]),
        (Topic::CheckoutPaid, 2, [(true, true), (true, false)]),
    ] {
        let delivery = Delivery { topic, order: None, checkout: Some(whole.id), ..delivery(1) };
        let sent = sent_for(delivery, timelines_of(&histories), holding_checkout(&whole, &orders)).await;
        let WebhookSubject::Checkout(then) = sent.subject else { panic!("about a checkout") };
        assert_eq!((sent.topic, sent.seq, sent.happened_at, &then.checkout), (topic, seq, now(), &whole));
        let then: Vec<_> = then.orders.iter().map(|order| (order.is_paid(), order.is_shipped())).collect();
        assert_eq!(then, states, "{topic:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_failed_call_is_rescheduled_and_dead_lettered_after_the_last_attempt() {
    let away = || Err(WebhookError::Unavailable("connection refused".into()));
    let answered = || Err(WebhookError::Answered(404));
    let refused = || Err(WebhookError::Refused(WebhookUrlRefused::NotPublic));
    for (answer, words, status) in [
        (away as fn() -> _, "it did not answer: connection refused", None),
        (answered, "it answered with status 404", Some(404)),
        (refused, "the address must lead to the public internet", None),
    ] {
        for (attempts, state) in [(2, DeliveryState::Waiting), (MAX_ATTEMPTS - 1, DeliveryState::Dead)] {
            let outbox = Arc::new(FakeOutbox::of([Delivery { attempts, ..delivery(1) }]));
            let mut webhook_subscriptions = due(vec![stored(ENDPOINT, 0)]);
            webhook_subscriptions.expect_failed().times(1).returning(|_, _| Ok(BreakerState::Closed));
            call(&calling(&outbox, webhook_subscriptions, answering(answer))).await;
            let one = outbox.one();
            assert_eq!((one.state, one.last_error.as_deref(), one.status), (state, Some(words), status));
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_subscription_that_is_gone_or_fails_for_too_long_is_disabled() {
    for (answer, trouble, words) in [
        ((|| Err(WebhookError::Gone(410))) as fn() -> _, None, "410"),
        (|| Err(WebhookError::Answered(500)), Some(BreakerState::Expired), "three days"),
    ] {
        let outbox = Arc::new(FakeOutbox::of([delivery(1)]));
        let mut webhook_subscriptions = due(vec![stored(ENDPOINT, 0)]);
        if let Some(trouble) = trouble {
            webhook_subscriptions
                .expect_failed()
                .times(1)
                .withf(|_, breaker| breaker.gives_up_after == Duration::from_hours(72) && breaker.opens_after == 5)
                .returning(move |_, _| Ok(trouble));
        }
        webhook_subscriptions
            .expect_disable()
            .times(1)
            .withf(move |id, why| *id == ENDPOINT && why.contains(words))
            .returning(|_, _| Ok(()));
        call(&calling(&outbox, webhook_subscriptions, answering(answer))).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_failing_subscription_is_probed_once_and_recovers_when_the_probe_succeeds() {
    for may in [false, true] {
        let outbox = Arc::new(FakeOutbox::of((1..=50).map(delivery)));
        let mut webhook_subscriptions = due(vec![stored(ENDPOINT, 5)]);
        webhook_subscriptions
            .expect_may_probe()
            .times(1)
            .withf(|_, every| *every == Duration::from_mins(1))
            .returning(move |_, _| Ok(may));
        webhook_subscriptions.expect_failed().times(usize::from(may)).returning(|_, _| Ok(BreakerState::Open));
        let mut caller = MockWebhookSender::new();
        caller.expect_call().times(usize::from(may)).returning(|_, _, _, _| Err(WebhookError::Answered(500)));
        let done = call(&calling(&outbox, webhook_subscriptions, caller)).await;
        assert_eq!(done.rescheduled, u32::from(may), "one probe at most");
    }
    let outbox = Arc::new(FakeOutbox::of([delivery(1)]));
    let mut webhook_subscriptions = due(vec![stored(ENDPOINT, 9)]);
    webhook_subscriptions.expect_may_probe().returning(|_, _| Ok(true));
    webhook_subscriptions.expect_recovered().times(1).returning(|_| Ok(()));
    assert_eq!(call(&calling(&outbox, webhook_subscriptions, answering(|| Ok(200)))).await.sent, 1);
}

#[tokio::test(start_paused = true)]
async fn nothing_is_sent_that_cannot_be_signed() {
    let outbox = Arc::new(FakeOutbox::of([delivery(1)]));
    let notifications = calling(&outbox, due(vec![stored(ENDPOINT, 0)]), MockWebhookSender::new());
    let notifications = Notifications { webhook_secrets: Arc::new(secrets(None)), ..notifications };
    assert_eq!(call(&notifications).await, Delivered { dead: 1, ..Delivered::default() });
    assert!(outbox.one().last_error.unwrap().contains("TOKEN_SECRET"));
}

#[tokio::test]
async fn only_secrets_sealed_under_the_previous_key_are_resealed() {
    for (opened, expected) in [(Some(true), 1), (Some(false), 0), (None, 0)] {
        let mut webhook_subscriptions = MockWebhookSubscriptions::new();
        webhook_subscriptions.expect_sealed().returning(|| Ok(vec![(ENDPOINT, SealedSecret(vec![1]))]));
        webhook_subscriptions
            .expect_reseal()
            .times(expected as usize)
            .withf(|id, before, after| {
                *id == ENDPOINT && *before == SealedSecret(vec![1]) && *after == SealedSecret(vec![2])
            })
            .returning(|_, _, _| Ok(()));
        let mut secrets = secrets(opened);
        secrets.expect_seal().times(expected as usize).returning(|_, _| Some(SealedSecret(vec![2])));
        let notifications = Notifications {
            webhook_subscriptions: Arc::new(webhook_subscriptions),
            webhook_secrets: Arc::new(secrets),
            ..notifications()
        };
        assert_eq!(notifications.reseal_webhook_secrets().await.unwrap(), expected);
    }
}

/// One webhook URL times out, the other answers immediately. Counts the calls per URL.
#[derive(Clone, Default)]
struct OneHangs(Arc<Mutex<HashMap<String, usize>>>);

#[async_trait::async_trait]
impl WebhookSender for OneHangs {
    fn judge(&self, _: &domain::WebhookUrl) -> Result<(), WebhookUrlRefused> {
        Ok(())
    }

    async fn call(
        &self,
        url: &domain::WebhookUrl,
        _: &WebhookSecret,
        _: &WebhookEvent,
        _: Timestamp,
    ) -> Result<u16, WebhookError> {
        *self.0.lock().unwrap().entry(url.as_str().to_owned()).or_default() += 1;
        if url.as_str().ends_with(&SICK.to_string()) {
            sleep(Duration::from_secs(10)).await;
            return Err(WebhookError::Unavailable("it timed out".into()));
        }
        sleep(Duration::from_millis(5)).await;
        Ok(200)
    }
}

#[tokio::test(start_paused = true)]
async fn a_webhook_url_that_hangs_delays_no_other() {
    let sick = (1..=100).map(|id| waiting(id, Topic::OrderOrdered, Some(SICK)));
    let outbox = Arc::new(FakeOutbox::of(sick.chain((101..=400).map(delivery))));
    let mut webhook_subscriptions = due(vec![stored(SICK, 0), stored(ENDPOINT, 0)]);
    webhook_subscriptions.expect_failed().returning(|_, _| Ok(BreakerState::Closed));
    let caller = OneHangs::default();
    let notifications = calling(&outbox, webhook_subscriptions, caller.clone());
    let began = Instant::now();
    notifications.deliver_webhooks().await.unwrap();
    while outbox.in_state(DeliveryState::Sent) < 300 {
        sleep(Duration::from_millis(10)).await;
        assert!(began.elapsed() < Duration::from_secs(2), "{} of 300", outbox.in_state(DeliveryState::Sent));
    }
    // Further runs start no second lane for the URL that hangs.
    for _ in 0..5 {
        notifications.deliver_webhooks().await.unwrap();
        sleep(Duration::from_secs(1)).await;
    }
    let sick =
        caller.0.lock().unwrap().iter().find(|(url, _)| url.ends_with(&SICK.to_string())).map(|(_, calls)| *calls);
    assert_eq!(sick, Some(2), "two at a time");
}
