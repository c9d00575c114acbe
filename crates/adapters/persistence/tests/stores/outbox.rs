//! What the shop still has to tell the world.

use std::collections::HashSet;
use std::time::Duration;

use domain::notifications::delivery::{Channel, DeliveryId, DeliveryState, Topic};
use domain::{Actor, Order, Timestamp};
use ports::{Backlog, Delivery, DeliveryFailure, DeliveryPage, DeliveryQuery, LeaseRequest, Queue, Requeued};

use crate::world::{World, at, at_once, meta, new_order, transaction};

fn take(limit: u32) -> LeaseRequest {
    LeaseRequest { queue: Queue::Mail, topics: Topic::ALL.to_vec(), lease: Duration::from_mins(1), limit }
}

async fn take_some(world: &World, take: &LeaseRequest) -> Vec<Delivery> {
    let taken = world.outbox().lease(take).await.unwrap();
    assert_eq!(taken.unreadable, 0);
    taken.deliveries
}

/// Lets time go by for everything that waits.
fn pass(world: &World, seconds: u32) {
    world.sql(&format!("UPDATE outbox SET due_at = due_at - interval '{seconds} s' WHERE state = 'waiting'"));
}

fn because(why: &str) -> DeliveryFailure {
    DeliveryFailure { why: why.to_owned(), status: None }
}

async fn in_state(world: &World, state: DeliveryState) -> DeliveryPage {
    world.outbox().list(&DeliveryQuery { state, limit: None, after: None }).await.unwrap()
}

async fn mail_backlog(world: &World) -> (u64, u64) {
    let backlog = world.outbox().backlog().await.unwrap();
    assert_eq!(backlog[1], Backlog { channel: Channel::Webhook, waiting: 0, dead: 0 });
    (backlog[0].waiting, backlog[0].dead)
}

/// An order that is paid and then refunded, with every entry of its timeline.
async fn through_and_through(world: &World) -> Order {
    let customer = world.person("buyer@example.com").await;
    let order = world.fifty(&customer, &world.product(500).await).await;
    let paid = world.write(&order.settle(transaction(1), meta(20, Actor::Shop)).unwrap()).await;
    let cancelled_paid = world.write(&paid.cancel_paid(meta(30, Actor::Shop)).unwrap()).await;
    world.write(&cancelled_paid.refund(transaction(1), meta(40, Actor::Shop)).unwrap()).await
}

/// One delivery, taken.
async fn taken(world: &World) -> Delivery {
    let customer = world.person("buyer@example.com").await;
    world.fifty(&customer, &world.product(500).await).await;
    take_some(world, &take(1)).await.remove(0)
}

#[tokio::test(flavor = "multi_thread")]
async fn what_happens_to_an_order_is_put_down_to_be_told_to_its_customer() {
    let world = World::fresh().await;
    let order = through_and_through(&world).await;
    let timeline = world.timeline(order.id).await;
    let deliveries = take_some(&world, &take(10)).await;
    let mut told: Vec<_> = deliveries.iter().map(|one| (one.created_at, one.topic, one.event)).collect();
    told.sort_by_key(|(at, ..)| *at);
    // Being called off is told by the letter about the money.
    let expected = [
        (timeline[0].at, Topic::OrderOrdered, Some(timeline[0].id)),
        (timeline[1].at, Topic::OrderPaid, Some(timeline[1].id)),
        (timeline[3].at, Topic::OrderRefunded, Some(timeline[3].id)),
    ];
    assert_eq!(told, expected);
    for one in deliveries {
        assert_eq!((one.channel, one.order, one.attempts), (Channel::Mail, Some(order.id), 1));
        assert_eq!(one.to.as_ref(), Some(&order.contact.email));
    }
    let other = world.fifty(&world.person("other@example.com").await, &world.product(500).await).await;
    world.write(&other.ship(meta(50, Actor::Shop)).unwrap()).await;
    let rest = take_some(&world, &take(10)).await;
    assert_eq!(rest.iter().map(|one| one.topic).collect::<Vec<_>>(), [Topic::OrderOrdered, Topic::OrderShipped]);
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_entry_that_another_program_writes_is_told_of_too() {
    let world = World::fresh().await;
    let customer = world.person("buyer@example.com").await;
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
async fn nothing_is_told_of_what_was_taken_back() {
    let world = World::fresh().await;
    let customer = world.person("buyer@example.com").await;
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
async fn one_entry_makes_one_email() {
    let world = World::fresh().await;
    let order = through_and_through(&world).await;
    world.refuses(
        "INSERT INTO outbox (channel, topic, order_id, event_id, email, created_at, due_at)
        SELECT channel, topic, order_id, event_id, email, created_at, due_at FROM outbox LIMIT 1",
        "outbox_one_letter_per_event",
    );
    // The same request again under its key places nothing, and tells nothing.
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
async fn the_database_keeps_no_delivery_that_makes_no_sense() {
    let world = World::fresh().await;
    through_and_through(&world).await;
    for (set, by) in [
        ("channel = 'fax'", "outbox_channel_check"),
        ("topic = 'shop.lost'", "outbox_subject_fits_topic"),
        ("order_id = NULL", "outbox_subject_fits_topic"),
        ("event_id = NULL", "outbox_subject_fits_topic"),
        ("topic = 'account.reset'", "outbox_subject_fits_topic"),
        ("email = NULL", "outbox_letters_have_a_reader"),
        ("channel = 'webhook'", "outbox_letters_have_a_reader"),
        ("email = 'Buyer@example.com'", "outbox_email_check"),
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
async fn of_many_workers_each_takes_different_ones() {
    let world = World::with_pool(8).await;
    let customer = world.person("buyer@example.com").await;
    let product = world.product(50_000).await;
    for _ in 0..60 {
        world.fifty(&customer, &product).await;
    }
    let taken = at_once(8, |_| {
        let database = world.database.clone();
        async move { ports::Outbox::lease(&database, &take(5)).await.unwrap().deliveries }
    })
    .await;
    let taken: Vec<_> = taken.into_iter().flatten().map(|one| one.id).collect();
    assert_eq!(taken.iter().collect::<HashSet<_>>().len(), taken.len(), "somebody got what another had");
    let mut all: HashSet<_> = taken.into_iter().collect();
    loop {
        let more = take_some(&world, &take(7)).await;
        if more.is_empty() {
            break;
        }
        for one in more {
            assert!(all.insert(one.id), "{:?} was handed out twice", one.id);
        }
    }
    assert_eq!(all.len(), 60);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_worker_took_comes_back_when_its_time_is_over() {
    let world = World::fresh().await;
    let first = taken(&world).await;
    pass(&world, 50);
    assert_eq!(take_some(&world, &take(10)).await, []);
    pass(&world, 11);
    let again = take_some(&world, &take(10)).await;
    assert_eq!(again.iter().map(|one| (one.id, one.attempts)).collect::<Vec<_>>(), [(first.id, 2)]);

    // The one that was thought dead has no say any more, unless it says that the e-mail is out.
    world.outbox().reschedule(first.id, 1, Duration::ZERO, &because("too slow")).await.unwrap();
    world.outbox().dead_letter(first.id, 1, &because("too slow")).await.unwrap();
    let waiting = in_state(&world, DeliveryState::Waiting).await.deliveries;
    assert_eq!((waiting[0].due_at, waiting[0].last_error.as_deref()), (again[0].due_at, None));
    world.outbox().sent(first.id, None).await.unwrap();
    world.outbox().reschedule(first.id, 2, Duration::ZERO, &because("too slow")).await.unwrap();
    world.outbox().dead_letter(first.id, 2, &because("too slow")).await.unwrap();
    let sent = in_state(&world, DeliveryState::Sent).await.deliveries;
    assert_eq!((sent[0].id, sent[0].sent_at.is_some(), sent[0].last_error.as_deref()), (first.id, true, None));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_taken_and_not_tried_is_due_at_once_and_has_its_attempt_again() {
    let world = World::fresh().await;
    let one = taken(&world).await;
    world.outbox().release(&[one.id]).await.unwrap();
    let again = take_some(&world, &take(10)).await;
    assert_eq!(again.iter().map(|one| (one.id, one.attempts)).collect::<Vec<_>>(), [(one.id, 1)]);
    world.outbox().sent(one.id, None).await.unwrap();
    world.outbox().release(&[one.id]).await.unwrap();
    assert_eq!(take_some(&world, &take(10)).await, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_row_that_nobody_can_read_costs_its_neighbours_nothing() {
    let world = World::fresh().await;
    let customer = world.person("buyer@example.com").await;
    let product = world.product(500).await;
    for _ in 0..8 {
        world.fifty(&customer, &product).await;
    }
    // The table takes it, the rules do not.
    world.sql("UPDATE outbox SET email = 'a b@x.y' WHERE id = (SELECT min(id) + 3 FROM outbox)");
    let taken = world.outbox().lease(&take(8)).await.unwrap();
    assert_eq!((taken.deliveries.len(), taken.unreadable), (7, 1));
    let dead = in_state(&world, DeliveryState::Dead).await.deliveries;
    assert!(dead.len() == 1 && dead[0].to.is_none(), "{dead:?}");
    assert!(dead[0].last_error.as_ref().unwrap().contains("that the rules refuse"), "{dead:?}");
    assert_eq!(mail_backlog(&world).await, (7, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_sent_is_not_sent_again_and_forgotten_in_time() {
    let world = World::fresh().await;
    let one = taken(&world).await;
    world.outbox().sent(one.id, Some(204)).await.unwrap();
    let sent = in_state(&world, DeliveryState::Sent).await.deliveries.remove(0);
    assert_eq!(sent.status, Some(204));
    world.outbox().sent(one.id, None).await.unwrap();
    assert_eq!(in_state(&world, DeliveryState::Sent).await.deliveries[0], sent, "the first note stands");
    pass(&world, 10_000);
    assert_eq!(take_some(&world, &take(10)).await, []);
    let at_that = sent.sent_at.unwrap();
    assert_eq!(world.outbox().forget(at_that, at(0), 9).await.unwrap(), 0);
    assert_eq!(world.outbox().forget(shop_later(at_that), at(0), 9).await.unwrap(), 1);
    assert_eq!(in_state(&world, DeliveryState::Sent).await, DeliveryPage { deliveries: vec![], total: 0, next: None });
    world.assert_sound();
}

fn shop_later(moment: Timestamp) -> Timestamp {
    moment.checked_add(Duration::from_secs(1)).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_given_up_is_forgotten_long_after_and_in_bites() {
    let world = World::fresh().await;
    let customer = world.person("buyer@example.com").await;
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
async fn what_failed_waits_and_says_why() {
    let world = World::fresh().await;
    let one = taken(&world).await;
    let long = format!("4{}\0", "é".repeat(600));
    world.outbox().reschedule(one.id, one.attempts, Duration::from_secs(500), &because(&long)).await.unwrap();
    pass(&world, 490);
    assert_eq!(take_some(&world, &take(10)).await, []);
    pass(&world, 11);
    let again = take_some(&world, &take(10)).await;
    assert_eq!(again[0].attempts, 2);
    assert_eq!(again[0].last_error.as_ref().map(|why| why.chars().count()), Some(500));
    world.outbox().reschedule(one.id, 2, Duration::ZERO, &because("")).await.unwrap();
    let waiting = in_state(&world, DeliveryState::Waiting).await.deliveries;
    assert_eq!(waiting[0].last_error.as_deref(), Some("no reason was given"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_given_up_is_counted_and_a_person_puts_it_back() {
    let world = World::fresh().await;
    let one = taken(&world).await;
    assert_eq!(world.outbox().requeue(one.id).await.unwrap(), Requeued::NotDead);
    world.outbox().dead_letter(one.id, one.attempts, &because("550 no such mailbox")).await.unwrap();
    assert_eq!(mail_backlog(&world).await, (0, 1));
    pass(&world, 10_000);
    assert_eq!(take_some(&world, &take(10)).await, []);
    let dead = in_state(&world, DeliveryState::Dead).await.deliveries;
    assert_eq!(dead[0].last_error.as_deref(), Some("550 no such mailbox"));

    assert_eq!(world.outbox().requeue(one.id).await.unwrap(), Requeued::Waiting);
    assert_eq!(world.outbox().requeue(one.id).await.unwrap(), Requeued::NotDead);
    assert_eq!(world.outbox().requeue(DeliveryId::new(-1)).await.unwrap(), Requeued::NotFound);
    assert_eq!(mail_backlog(&world).await, (1, 0));
    assert_eq!(take_some(&world, &take(10)).await[0].attempts, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_that_was_given_up_is_put_back_together_in_bites() {
    let world = World::fresh().await;
    through_and_through(&world).await;
    world.sql("UPDATE outbox SET state = 'dead', last_error = 'x', attempts = 46");
    assert_eq!(
        world.outbox().requeue_all(Some(domain::WebhookSubscriptionId::new(uuid::Uuid::nil())), 2).await.unwrap(),
        0
    );
    assert_eq!(world.outbox().requeue_all(None, 2).await.unwrap(), 2);
    assert_eq!(world.outbox().requeue_all(None, 2).await.unwrap(), 1);
    assert_eq!(take_some(&world, &take(10)).await.len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_each_kind_one_email_waits_for_an_address() {
    let world = World::with_pool(8).await;
    let asking = at_once(8, |_| {
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
    // Once it is out, another may be asked for.
    let out = take_some(&world, &take(10)).await;
    for one in &out {
        world.outbox().sent(one.id, None).await.unwrap();
    }
    world.outbox().request_email(Topic::AccountReset, &email("a@example.com"), at(1)).await.unwrap();
    assert_eq!(mail_backlog(&world).await, (1, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn resets_for_nobody_are_taken_back_together() {
    let world = World::fresh().await;
    let ada = world.person("ada@example.com").await;
    world.outbox().request_email(Topic::AccountReset, &ada.email, at(1)).await.unwrap();
    for n in 0..5 {
        world
            .outbox()
            .request_email(Topic::AccountReset, &email(&format!("nobody{n}@example.com")), at(1))
            .await
            .unwrap();
    }
    assert_eq!(world.outbox().discard_for_unknown_addresses(3).await.unwrap(), 3);
    assert_eq!(world.outbox().discard_for_unknown_addresses(3).await.unwrap(), 2);
    assert_eq!(take_some(&world, &take(10)).await[0].to, Some(ada.email));
}

fn email(address: &str) -> domain::Email {
    address.parse().unwrap()
}

/// However many of one kind wait, one of another is found without reading them.
#[tokio::test(flavor = "multi_thread")]
async fn many_of_one_kind_hide_none_of_another() {
    let world = World::fresh().await;
    world.sql(
        "INSERT INTO outbox (channel, topic, email, created_at, due_at)
        SELECT 'mail', 'account.role_given', 'a' || n || '@example.com', now() - interval '1 day', now() - interval '1 day'
        FROM generate_series(1, 50000) n; ANALYZE outbox",
    );
    let ada = world.person("ada@example.com").await;
    world.outbox().request_email(Topic::AccountReset, &ada.email, at(1_000_000)).await.unwrap();
    let began = std::time::Instant::now();
    let resets = LeaseRequest { topics: vec![Topic::AccountReset, Topic::AccountVerify], ..take(10) };
    assert_eq!(take_some(&world, &resets).await.len(), 1);
    assert!(began.elapsed() < Duration::from_millis(500), "{:?}", began.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_gets_only_what_it_can_tell_and_only_its_queues() {
    let world = World::fresh().await;
    through_and_through(&world).await;
    let mine = |queue, topics: &[Topic]| LeaseRequest { queue, topics: topics.to_vec(), ..take(10) };
    let nobody = Queue::Webhook(domain::WebhookSubscriptionId::new(uuid::Uuid::nil()));
    assert_eq!(take_some(&world, &mine(nobody, &Topic::ALL)).await, []);
    assert_eq!(take_some(&world, &mine(Queue::Mail, &[])).await, []);
    let paid = take_some(&world, &mine(Queue::Mail, &[Topic::OrderPaid, Topic::OrderShipped])).await;
    assert_eq!(paid.iter().map(|one| one.topic).collect::<Vec<_>>(), [Topic::OrderPaid]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_comes_in_parts_latest_first() {
    let world = World::fresh().await;
    let customer = world.person("buyer@example.com").await;
    let product = world.product(5_000).await;
    for _ in 0..5 {
        world.fifty(&customer, &product).await;
    }
    let state = DeliveryState::Waiting;
    let whole = in_state(&world, state).await;
    assert_eq!((whole.deliveries.len(), whole.total, whole.next), (5, 5, None));
    assert!(whole.deliveries.is_sorted_by(|one, next| one.id > next.id));
    let (mut parts, mut after) = (Vec::new(), None);
    loop {
        let part = world.outbox().list(&DeliveryQuery { state, limit: Some(2), after }).await.unwrap();
        assert_eq!(part.total, 5);
        parts.extend(part.deliveries);
        after = part.next;
        if after.is_none() {
            break;
        }
    }
    assert_eq!(parts, whole.deliveries);
    let nowhere = DeliveryQuery { state, limit: None, after: Some(DeliveryId::new(i64::MIN)) };
    assert_eq!(world.outbox().list(&nowhere).await.unwrap().deliveries, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_longest_due_goes_first() {
    let world = World::fresh().await;
    through_and_through(&world).await;
    let first = take_some(&world, &take(1)).await;
    assert_eq!(first[0].topic, Topic::OrderOrdered);
    world.sql("UPDATE outbox SET due_at = now() + interval '1 minute'");
    assert_eq!(take_some(&world, &take(10)).await, []);
}
