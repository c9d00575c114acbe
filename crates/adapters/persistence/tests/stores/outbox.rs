//! The outbox: e-mails and webhook deliveries that are to be sent.

use std::collections::HashSet;
use std::time::Duration;

use domain::notifications::delivery::{Channel, DeliveryId, DeliveryState, Topic};
use domain::{Actor, Order, Timestamp};
use ports::{Backlog, Delivery, DeliveryFailure, DeliveryQuery, LeaseRequest, Page, Pagination, Queue, Requeued};

use crate::world::{World, at, concurrently, meta, new_order, transaction};

fn request(limit: u32) -> LeaseRequest {
    LeaseRequest { queue: Queue::Mail, topics: Topic::ALL.to_vec(), lease: Duration::from_mins(1), limit }
}

async fn lease_some(world: &World, request: &LeaseRequest) -> Vec<Delivery> {
    let leased = world.outbox().lease(request).await.unwrap();
    assert_eq!(leased.unreadable, 0);
    leased.deliveries
}

/// Moves everything that waits into the past by this many seconds.
fn pass(world: &World, seconds: u32) {
    world.sql(&format!("UPDATE outbox SET due_at = due_at - interval '{seconds} s' WHERE state = 'waiting'"));
}

fn because(why: &str) -> DeliveryFailure {
    DeliveryFailure { why: why.to_owned(), status: None }
}

async fn in_state(world: &World, state: DeliveryState) -> Page<Delivery, DeliveryId> {
    world.outbox().list(&DeliveryQuery { state, page: Pagination::whole() }).await.unwrap()
}

async fn mail_backlog(world: &World) -> (u64, u64) {
    let backlog = world.outbox().backlog().await.unwrap();
    assert_eq!(backlog[1], Backlog { channel: Channel::Webhook, waiting: 0, oldest_seconds: 0, dead: 0 });
    (backlog[0].waiting, backlog[0].dead)
}

/// An order that was paid and then refunded, with its whole timeline.
async fn refunded_order(world: &World) -> Order {
    let customer = world.customer("customer@example.com").await;
    let order = world.fifty(&customer, &world.product(500).await).await;
    let paid = world.write(&order.settle(transaction(1), meta(20, Actor::Shop)).unwrap()).await;
    let cancelled_paid = world.write(&paid.cancel_with_refund(meta(30, Actor::Shop)).unwrap()).await;
    world.write(&cancelled_paid.refund(transaction(1), meta(40, Actor::Shop)).unwrap()).await
}

/// One leased delivery.
async fn leased(world: &World) -> Delivery {
    let customer = world.customer("customer@example.com").await;
    world.fifty(&customer, &world.product(500).await).await;
    lease_some(world, &request(1)).await.remove(0)
}

#[tokio::test(flavor = "multi_thread")]
async fn every_change_of_an_order_queues_an_email_to_its_customer() {
    let world = World::fresh().await;
    let order = refunded_order(&world).await;
    let timeline = world.timeline(order.id).await;
    let deliveries = lease_some(&world, &request(10)).await;
    let mut notified: Vec<_> = deliveries.iter().map(|one| (one.created_at, one.topic, one.event)).collect();
    notified.sort_by_key(|(at, ..)| *at);
    // The cancellation is covered by the e-mail about the refund.
    let expected = [
        (timeline[0].at, Topic::OrderOrdered, Some(timeline[0].id)),
        (timeline[1].at, Topic::OrderPaid, Some(timeline[1].id)),
        (timeline[3].at, Topic::OrderRefunded, Some(timeline[3].id)),
    ];
    assert_eq!(notified, expected);
    for one in deliveries {
        assert_eq!((one.channel, one.order, one.attempts), (Channel::Mail, Some(order.id), 1));
        assert_eq!(one.to.as_ref(), Some(&order.contact.email));
    }
    let other = world.fifty(&world.customer("other@example.com").await, &world.product(500).await).await;
    world.write(&other.ship(meta(50, Actor::Shop)).unwrap()).await;
    let rest = lease_some(&world, &request(10)).await;
    assert_eq!(rest.iter().map(|one| one.topic).collect::<Vec<_>>(), [Topic::OrderOrdered, Topic::OrderShipped]);
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_written_by_another_release_queues_an_email_too() {
    let world = World::fresh().await;
    let customer = world.customer("customer@example.com").await;
    let order = world.fifty(&customer, &world.product(500).await).await;
    world.sql(&format!(
        "BEGIN;
        UPDATE orders SET fulfilment = 'shipped', shipped_at = now() WHERE id = '{0}';
        INSERT INTO order_events (id, order_id, seq, kind, data, at)
        VALUES (gen_random_uuid(), '{0}', 2, 'shipped', '{{\"onAccount\": true}}', now());
        COMMIT",
        order.id
    ));
    assert_eq!(mail_backlog(&world).await, (2, 0));
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rolled_back_change_queues_no_email() {
    let world = World::fresh().await;
    let customer = world.customer("customer@example.com").await;
    let order = world.fifty(&customer, &world.product(500).await).await;
    let entry = |id: &str| {
        format!(
            "INSERT INTO order_events (id, order_id, seq, kind, data, at)
            VALUES ({id}, '{}', 2, 'shipped', '{{\"onAccount\": true}}', now())",
            order.id
        )
    };
    world.sql(&format!("BEGIN; {}; ROLLBACK", entry("gen_random_uuid()")));
    world.refuses(&entry("NULL"), "null value");
    assert_eq!(mail_backlog(&world).await, (1, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn one_event_queues_one_email() {
    let world = World::fresh().await;
    let order = refunded_order(&world).await;
    world.refuses(
        "INSERT INTO outbox (channel, topic, order_id, event_id, email, created_at, due_at)
        SELECT channel, topic, order_id, event_id, email, created_at, due_at FROM outbox LIMIT 1",
        "outbox_one_letter_per_event",
    );
    // A repeated request with the same key places no order and queues no e-mail.
    let customer = world.accounts().find(order.customer).await.unwrap().unwrap();
    let product = world.product(500).await;
    let new = new_order(&customer, &product, 50, Some(crate::world::key(7)));
    for _ in 0..3 {
        world.orders().place(&new).await.unwrap();
    }
    assert_eq!(mail_backlog(&world).await, (4, 0));
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_database_refuses_inconsistent_deliveries() {
    let world = World::fresh().await;
    refunded_order(&world).await;
    for (set, by) in [
        ("channel = 'fax'", "outbox_channel_check"),
        ("topic = 'shop.lost'", "outbox_subject_fits_topic"),
        ("order_id = NULL", "outbox_subject_fits_topic"),
        ("event_id = NULL", "outbox_subject_fits_topic"),
        ("topic = 'account.reset'", "outbox_subject_fits_topic"),
        ("email = NULL", "outbox_letters_have_a_reader"),
        ("channel = 'webhook'", "outbox_letters_have_a_reader"),
        ("email = 'Customer@example.com'", "outbox_email_check"),
        ("state = 'lost'", "outbox_state_is_one_of_three"),
        ("state = 'sent'", "outbox_state_is_one_of_three"),
        ("sent_at = now()", "outbox_state_is_one_of_three"),
        ("state = 'dead'", "outbox_state_is_one_of_three"),
        ("attempts = -1", "outbox_attempts_check"),
        ("last_error = ''", "outbox_last_error_check"),
        ("last_error = repeat('x', 501)", "outbox_last_error_check"),
    ] {
        world.refuses(&format!("UPDATE outbox SET {set}"), by);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_workers_lease_different_deliveries() {
    let world = World::with_pool(8).await;
    let customer = world.customer("customer@example.com").await;
    let product = world.product(50_000).await;
    for _ in 0..60 {
        world.fifty(&customer, &product).await;
    }
    let leased = concurrently(8, |_| {
        let database = world.database.clone();
        async move { ports::Outbox::lease(&database, &request(5)).await.unwrap().deliveries }
    })
    .await;
    let leased: Vec<_> = leased.into_iter().flatten().map(|one| one.id).collect();
    assert_eq!(leased.iter().collect::<HashSet<_>>().len(), leased.len(), "a delivery was leased twice");
    let mut all: HashSet<_> = leased.into_iter().collect();
    loop {
        let more = lease_some(&world, &request(7)).await;
        if more.is_empty() {
            break;
        }
        for one in more {
            assert!(all.insert(one.id), "{:?} was leased twice", one.id);
        }
    }
    assert_eq!(all.len(), 60);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_leased_delivery_is_due_again_when_its_lease_expires() {
    let world = World::fresh().await;
    let first = leased(&world).await;
    pass(&world, 50);
    assert_eq!(lease_some(&world, &request(10)).await, []);
    pass(&world, 11);
    let again = lease_some(&world, &request(10)).await;
    assert_eq!(again.iter().map(|one| (one.id, one.attempts)).collect::<Vec<_>>(), [(first.id, 2)]);

    // The worker whose lease expired changes nothing any more, unless it reports that the e-mail was sent.
    world.outbox().reschedule(first.id, 1, Duration::ZERO, &because("too slow")).await.unwrap();
    world.outbox().dead_letter(first.id, 1, &because("too slow")).await.unwrap();
    let waiting = in_state(&world, DeliveryState::Waiting).await.items;
    assert_eq!((waiting[0].due_at, waiting[0].last_error.as_deref()), (again[0].due_at, None));
    world.outbox().sent(first.id, None).await.unwrap();
    world.outbox().reschedule(first.id, 2, Duration::ZERO, &because("too slow")).await.unwrap();
    world.outbox().dead_letter(first.id, 2, &because("too slow")).await.unwrap();
    let sent = in_state(&world, DeliveryState::Sent).await.items;
    assert_eq!((sent[0].id, sent[0].sent_at.is_some(), sent[0].last_error.as_deref()), (first.id, true, None));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_released_delivery_is_due_immediately_and_its_attempt_does_not_count() {
    let world = World::fresh().await;
    let one = leased(&world).await;
    world.outbox().release(&[one.id]).await.unwrap();
    let again = lease_some(&world, &request(10)).await;
    assert_eq!(again.iter().map(|one| (one.id, one.attempts)).collect::<Vec<_>>(), [(one.id, 1)]);
    world.outbox().sent(one.id, None).await.unwrap();
    world.outbox().release(&[one.id]).await.unwrap();
    assert_eq!(lease_some(&world, &request(10)).await, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_row_that_cannot_be_decoded_does_not_affect_the_others() {
    let world = World::fresh().await;
    let customer = world.customer("customer@example.com").await;
    let product = world.product(500).await;
    for _ in 0..8 {
        world.fifty(&customer, &product).await;
    }
    // The table accepts it, the domain does not.
    world.sql("UPDATE outbox SET email = 'a b@x.y' WHERE id = (SELECT min(id) + 3 FROM outbox)");
    let leased = world.outbox().lease(&request(8)).await.unwrap();
    assert_eq!((leased.deliveries.len(), leased.unreadable), (7, 1));
    let dead = in_state(&world, DeliveryState::Dead).await.items;
    assert!(dead.len() == 1 && dead[0].to.is_none(), "{dead:?}");
    assert!(dead[0].last_error.as_ref().unwrap().contains("that the rules refuse"), "{dead:?}");
    assert_eq!(mail_backlog(&world).await, (7, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backlog_is_counted_to_ten_thousand_and_its_oldest_is_found() {
    let world = World::fresh().await;
    // One waits for each address at most.
    let fill = |state: &str, many: u32, more: &str| {
        world.sql(&format!(
            "INSERT INTO outbox (channel, topic, email, created_at, due_at, state, last_error)
            SELECT 'mail', 'account.reset', '{state}.{many}.' || n || '@example.com', now() - interval '1 hour' - {more}, now(), '{state}',
                CASE WHEN '{state}' = 'dead' THEN 'refused' END
            FROM generate_series(1, {many}) AS n"
        ));
    };
    fill("waiting", 1, "interval '1 hour'");
    fill("waiting", 10_100, "interval '0'");
    fill("dead", 10_100, "interval '0'");
    assert_eq!(mail_backlog(&world).await, (10_000, 10_000));
    let oldest = world.outbox().backlog().await.unwrap()[0].oldest_seconds;
    assert!((7_200..7_300).contains(&oldest), "{oldest}");
}

#[tokio::test(flavor = "multi_thread")]
async fn many_dead_webhooks_hide_no_dead_email() {
    let world = World::fresh().await;
    world.sql(
        "SET session_replication_role = replica;
        INSERT INTO outbox (channel, topic, email, created_at, due_at, state, last_error)
        VALUES ('mail', 'account.reset', 'a@example.com', now(), now(), 'dead', 'refused');
        INSERT INTO outbox (channel, topic, order_id, event_id, endpoint_id, created_at, due_at, state, last_error)
        SELECT 'webhook', 'order.paid', gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), now(), now(), 'dead', 'refused'
        FROM generate_series(1, 10100)",
    );
    let backlog = world.outbox().backlog().await.unwrap();
    assert_eq!(backlog.iter().map(|one| one.dead).collect::<Vec<_>>(), [1, 10_000]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sent_delivery_is_not_sent_again_and_is_deleted_in_time() {
    let world = World::fresh().await;
    let one = leased(&world).await;
    world.outbox().sent(one.id, Some(204)).await.unwrap();
    let sent = in_state(&world, DeliveryState::Sent).await.items.remove(0);
    assert_eq!(sent.status, Some(204));
    world.outbox().sent(one.id, None).await.unwrap();
    assert_eq!(in_state(&world, DeliveryState::Sent).await.items[0], sent, "the first status stays");
    pass(&world, 10_000);
    assert_eq!(lease_some(&world, &request(10)).await, []);
    let at_that = sent.sent_at.unwrap();
    assert_eq!(world.outbox().forget(at_that, at(0), 9).await.unwrap(), 0);
    assert_eq!(world.outbox().forget(one_second_later(at_that), at(0), 9).await.unwrap(), 1);
    assert_eq!(in_state(&world, DeliveryState::Sent).await, Page::empty(0));
    world.assert_sound();
}

fn one_second_later(moment: Timestamp) -> Timestamp {
    moment.checked_add(Duration::from_secs(1)).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn dead_deliveries_are_deleted_much_later_and_in_batches() {
    let world = World::fresh().await;
    let customer = world.customer("customer@example.com").await;
    let product = world.product(500).await;
    for _ in 0..5 {
        world.fifty(&customer, &product).await;
    }
    world.sql("UPDATE outbox SET state = 'dead', last_error = 'x' WHERE id > (SELECT min(id) FROM outbox)");
    assert_eq!(world.outbox().forget(at(0), at(10), 9).await.unwrap(), 0);
    assert_eq!(world.outbox().forget(at(0), at(11), 3).await.unwrap(), 3);
    assert_eq!(world.outbox().forget(at(0), at(11), 3).await.unwrap(), 1);
    assert_eq!(mail_backlog(&world).await, (1, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_delivery_waits_and_records_the_reason() {
    let world = World::fresh().await;
    let one = leased(&world).await;
    let long = format!("4{}\0", "é".repeat(600));
    world.outbox().reschedule(one.id, one.attempts, Duration::from_secs(500), &because(&long)).await.unwrap();
    pass(&world, 490);
    assert_eq!(lease_some(&world, &request(10)).await, []);
    pass(&world, 11);
    let again = lease_some(&world, &request(10)).await;
    assert_eq!(again[0].attempts, 2);
    assert_eq!(again[0].last_error.as_ref().map(|why| why.chars().count()), Some(500));
    world.outbox().reschedule(one.id, 2, Duration::ZERO, &because("")).await.unwrap();
    let waiting = in_state(&world, DeliveryState::Waiting).await.items;
    assert_eq!(waiting[0].last_error.as_deref(), Some("no reason was given"));
}

#[tokio::test(flavor = "multi_thread")]
async fn dead_deliveries_are_counted_and_can_be_requeued() {
    let world = World::fresh().await;
    let one = leased(&world).await;
    assert_eq!(world.outbox().requeue(one.id).await.unwrap(), Requeued::NotDead);
    world.outbox().dead_letter(one.id, one.attempts, &because("550 no such mailbox")).await.unwrap();
    assert_eq!(mail_backlog(&world).await, (0, 1));
    pass(&world, 10_000);
    assert_eq!(lease_some(&world, &request(10)).await, []);
    let dead = in_state(&world, DeliveryState::Dead).await.items;
    assert_eq!(dead[0].last_error.as_deref(), Some("550 no such mailbox"));

    assert_eq!(world.outbox().requeue(one.id).await.unwrap(), Requeued::Waiting);
    assert_eq!(world.outbox().requeue(one.id).await.unwrap(), Requeued::NotDead);
    assert_eq!(world.outbox().requeue(DeliveryId::new(-1)).await.unwrap(), Requeued::NotFound);
    assert_eq!(mail_backlog(&world).await, (1, 0));
    assert_eq!(lease_some(&world, &request(10)).await[0].attempts, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn all_dead_deliveries_are_requeued_in_batches() {
    let world = World::fresh().await;
    refunded_order(&world).await;
    world.sql("UPDATE outbox SET state = 'dead', last_error = 'x', attempts = 46");
    assert_eq!(
        world.outbox().requeue_all(Some(domain::WebhookSubscriptionId::new(uuid::Uuid::nil())), 2).await.unwrap(),
        0
    );
    assert_eq!(world.outbox().requeue_all(None, 2).await.unwrap(), 2);
    assert_eq!(world.outbox().requeue_all(None, 2).await.unwrap(), 1);
    assert_eq!(lease_some(&world, &request(10)).await.len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_email_of_each_topic_waits_for_an_address() {
    let world = World::with_pool(8).await;
    let asking = concurrently(8, |_| {
        let database = world.database.clone();
        async move {
            ports::Outbox::request_email(&database, Topic::AccountReset, &email("a@example.com"), at(1)).await.unwrap();
        }
    });
    asking.await;
    assert_eq!(mail_backlog(&world).await, (1, 0));
    world.outbox().request_email(Topic::AccountVerify, &email("a@example.com"), at(1)).await.unwrap();
    world.outbox().request_email(Topic::AccountReset, &email("b@example.com"), at(1)).await.unwrap();
    assert_eq!(mail_backlog(&world).await, (3, 0));
    // Once it was sent, another can be requested.
    let out = lease_some(&world, &request(10)).await;
    for one in &out {
        world.outbox().sent(one.id, None).await.unwrap();
    }
    world.outbox().request_email(Topic::AccountReset, &email("a@example.com"), at(1)).await.unwrap();
    assert_eq!(mail_backlog(&world).await, (1, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn password_resets_for_unknown_addresses_are_discarded_in_batches() {
    let world = World::fresh().await;
    let ada = world.customer("ada@example.com").await;
    world.outbox().request_email(Topic::AccountReset, &ada.email, at(1)).await.unwrap();
    for n in 0..5 {
        world
            .outbox()
            .request_email(Topic::AccountReset, &email(&format!("unknown{n}@example.com")), at(1))
            .await
            .unwrap();
    }
    assert_eq!(world.outbox().discard_for_unknown_addresses(3).await.unwrap(), 3);
    assert_eq!(world.outbox().discard_for_unknown_addresses(3).await.unwrap(), 2);
    assert_eq!(lease_some(&world, &request(10)).await[0].to, Some(ada.email));
}

fn email(address: &str) -> domain::Email {
    address.parse().unwrap()
}

/// However many deliveries of one topic wait, one of another is found without reading them.
#[tokio::test(flavor = "multi_thread")]
async fn many_deliveries_of_one_topic_do_not_slow_down_another() {
    let world = World::fresh().await;
    world.sql(
        "INSERT INTO outbox (channel, topic, email, created_at, due_at)
        SELECT 'mail', 'account.role_given', 'a' || n || '@example.com', now() - interval '1 day', now() - interval '1 day'
        FROM generate_series(1, 50000) n; ANALYZE outbox",
    );
    let ada = world.customer("ada@example.com").await;
    world.outbox().request_email(Topic::AccountReset, &ada.email, at(1_000_000)).await.unwrap();
    let began = std::time::Instant::now();
    let resets = LeaseRequest { topics: vec![Topic::AccountReset, Topic::AccountVerify], ..request(10) };
    assert_eq!(lease_some(&world, &resets).await.len(), 1);
    assert!(began.elapsed() < Duration::from_millis(500), "{:?}", began.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_leases_only_its_topics_and_its_queue() {
    let world = World::fresh().await;
    refunded_order(&world).await;
    let mine = |queue, topics: &[Topic]| LeaseRequest { queue, topics: topics.to_vec(), ..request(10) };
    let unknown = Queue::Webhook(domain::WebhookSubscriptionId::new(uuid::Uuid::nil()));
    assert_eq!(lease_some(&world, &mine(unknown, &Topic::ALL)).await, []);
    assert_eq!(lease_some(&world, &mine(Queue::Mail, &[])).await, []);
    let paid = lease_some(&world, &mine(Queue::Mail, &[Topic::OrderPaid, Topic::OrderShipped])).await;
    assert_eq!(paid.iter().map(|one| one.topic).collect::<Vec<_>>(), [Topic::OrderPaid]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_of_deliveries_is_paged_latest_first() {
    let world = World::fresh().await;
    let customer = world.customer("customer@example.com").await;
    let product = world.product(5_000).await;
    for _ in 0..5 {
        world.fifty(&customer, &product).await;
    }
    let state = DeliveryState::Waiting;
    let whole = in_state(&world, state).await;
    assert_eq!((whole.items.len(), whole.total, whole.next), (5, 5, None));
    assert!(whole.items.is_sorted_by(|one, next| one.id > next.id));
    let (mut pages, mut after) = (Vec::new(), None);
    loop {
        let page = world
            .outbox()
            .list(&DeliveryQuery { state, page: Pagination { after, ..Pagination::first(2) } })
            .await
            .unwrap();
        assert_eq!(page.total, 5);
        pages.extend(page.items);
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    assert_eq!(pages, whole.items);
    let nowhere = Pagination { after: Some(DeliveryId::new(i64::MIN)), ..Pagination::whole() };
    let nowhere = DeliveryQuery { state, page: nowhere };
    assert_eq!(world.outbox().list(&nowhere).await.unwrap().items, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_delivery_that_is_due_the_longest_is_leased_first() {
    let world = World::fresh().await;
    refunded_order(&world).await;
    let first = lease_some(&world, &request(1)).await;
    assert_eq!(first[0].topic, Topic::OrderOrdered);
    world.sql("UPDATE outbox SET due_at = now() + interval '1 minute'");
    assert_eq!(lease_some(&world, &request(10)).await, []);
}
