mod contents;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use domain::notifications::delivery::{DeliveryState, MAX_ATTEMPTS};
use ports::{
    AccountToken, AccountTokens, MockAccountTokenRepository, MockAccountTokens, MockEmailSender,
    MockOwnershipRepository, Outbox, Recipient, SecretHash,
};
use tokio::time::Instant;

use super::*;
use crate::Ports;
use crate::accounts::issue_account_token::AccountTokenIssuer;
use crate::notifications::fake_outbox::{FakeOutbox, waiting};
use crate::testing::{customers_order, holding, holding_beside_undecodable, notifications, ports};

fn email(id: i64) -> Delivery {
    waiting(id, Topic::OrderOrdered, None)
}

fn answering(answer: fn() -> Result<(), EmailError>) -> MockEmailSender {
    let mut email_sender = MockEmailSender::new();
    email_sender.expect_send().returning(move |_| answer());
    email_sender
}

fn delivering(outbox: &Arc<FakeOutbox>, email_sender: impl EmailSender + 'static) -> Notifications {
    let orders = Arc::new(holding(&customers_order()));
    let ownership = Arc::new(to_a(Recipient::Confirmed));
    Notifications {
        outbox: Arc::clone(outbox) as Arc<dyn Outbox>,
        email_sender: Some(Arc::new(email_sender)),
        orders,
        ownership,
        ..notifications()
    }
}

fn to_a(recipient: Recipient) -> MockOwnershipRepository {
    let mut ownership = MockOwnershipRepository::new();
    ownership.expect_recipient().returning(move |_, _, _, _| Ok(recipient));
    ownership
}

/// Delivers one e-mail, in what `shop` makes of the usual shop. Returns the counts, the sent e-mails and the outbox.
async fn sending(
    delivery: Delivery,
    shop: impl FnOnce(Notifications) -> Notifications,
) -> (Delivered, Vec<EmailMessage>, Arc<FakeOutbox>) {
    let outbox = Arc::new(FakeOutbox::of([delivery]));
    let emails = Arc::new(Mutex::new(Vec::new()));
    let mut email_sender = MockEmailSender::new();
    let seen = Arc::clone(&emails);
    email_sender.expect_send().returning(move |message| {
        seen.lock().unwrap().push(message.clone());
        Ok(())
    });
    let delivered = deliver(&shop(delivering(&outbox, email_sender))).await;
    let emails = emails.lock().unwrap().clone();
    (delivered, emails, outbox)
}

/// Delivers one e-mail about an order to a recipient of this kind.
async fn about_an_order(topic: Topic, recipient: Recipient) -> (Delivered, Vec<EmailMessage>, Arc<FakeOutbox>) {
    let ownership = Arc::new(to_a(recipient));
    sending(waiting(7, topic, None), |shop| Notifications { ownership, ..shop }).await
}

#[tokio::test(start_paused = true)]
async fn an_unconfirmed_address_is_sent_no_user_input() {
    let (delivered, emails, _) = about_an_order(Topic::OrderOrdered, Recipient::Unconfirmed).await;
    assert_eq!(delivered, Delivered { sent: 1, ..Delivered::default() });
    for typed in ["Nia", "Workshop Lane"] {
        assert!(!format!("{:?}", emails[0]).contains(typed), "{typed}: {:?}", emails[0]);
    }
    let (_, emails, _) = about_an_order(Topic::OrderOrdered, Recipient::Confirmed).await;
    assert_eq!(emails[0].notification.order().unwrap().contact, Some(customers_order().contact));
}

#[tokio::test(start_paused = true)]
async fn beyond_the_limit_dispensable_emails_are_dropped_and_the_others_wait() {
    let full = Recipient::Full(crate::platform::moments::later(crate::testing::now(), Duration::from_mins(20)));
    let (delivered, emails, outbox) = about_an_order(Topic::OrderOrdered, full).await;
    assert_eq!((delivered, emails.len(), outbox.all().len()), (Delivered::default(), 0, 0));
    let (delivered, emails, outbox) = about_an_order(Topic::OrderPaid, full).await;
    assert_eq!((delivered, emails.len()), (Delivered { rescheduled: 1, ..Delivered::default() }, 0));
    assert_eq!(outbox.next_due(), Some(Instant::now() + Duration::from_mins(20)));
}

/// One run, until everything that it started has ended.
async fn deliver(notifications: &Notifications) -> Delivered {
    notifications.deliver_emails().await.unwrap();
    notifications.lanes.idle().await;
    notifications.lanes.counted(Channel::Mail)
}

fn away() -> Result<(), EmailError> {
    Err(EmailError::Unavailable("connection refused".into()))
}

#[tokio::test(start_paused = true)]
async fn due_emails_are_sent_and_recorded() {
    let outbox = Arc::new(FakeOutbox::of((1..=200).map(email)));
    let mut email_sender = MockEmailSender::new();
    email_sender
        .expect_send()
        .times(200)
        .withf(|message| {
            let order = customers_order();
            let about = message.notification.order().unwrap();
            message.to == order.contact.email && about.id == order.id && about.item == order.item
        })
        .returning(|_| Ok(()));
    let notifications = delivering(&outbox, email_sender);
    assert_eq!(deliver(&notifications).await, Delivered { sent: 200, ..Delivered::default() });
    assert_eq!(outbox.in_state(DeliveryState::Sent), 200);
    assert_eq!(deliver(&notifications).await, Delivered::default());
}

#[tokio::test(start_paused = true)]
async fn every_attempt_is_sent_under_the_same_id() {
    let outbox = Arc::new(FakeOutbox::of([email(7)]));
    let ids = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&ids);
    let mut email_sender = MockEmailSender::new();
    email_sender.expect_send().times(2).returning(move |message| {
        let mut seen = seen.lock().unwrap();
        seen.push(message.id.clone());
        if seen.len() == 1 { away() } else { Ok(()) }
    });
    let notifications = delivering(&outbox, email_sender);
    assert_eq!(deliver(&notifications).await, Delivered { rescheduled: 1, ..Delivered::default() });
    tokio::time::sleep_until(outbox.next_due().unwrap()).await;
    assert_eq!(deliver(&notifications).await, Delivered { sent: 1, ..Delivered::default() });
    assert_eq!(*ids.lock().unwrap(), ["7.1800000000000000", "7.1800000000000000"]);
}

/// A server that is unavailable until this moment.
struct AwayUntil(Instant);

#[async_trait]
impl EmailSender for AwayUntil {
    async fn send(&self, _: &EmailMessage) -> Result<(), EmailError> {
        if Instant::now() < self.0 { away() } else { Ok(()) }
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_is_down_for_three_days_loses_no_email() {
    let outbox = Arc::new(FakeOutbox::of((1..=3).map(email)));
    let back = Instant::now() + Duration::from_hours(72);
    let notifications = delivering(&outbox, AwayUntil(back));
    let mut tries = 0;
    while let Some(due) = outbox.next_due() {
        tokio::time::sleep_until(due).await;
        deliver(&notifications).await;
        tries += 1;
        assert!(tries < 200, "{:?}", outbox.all());
    }
    assert_eq!(outbox.in_state(DeliveryState::Sent), 3);
    assert!(Instant::now() < back + Duration::from_hours(3), "it took {:?} more", Instant::now() - back);
}

#[tokio::test(start_paused = true)]
async fn an_email_that_is_refused_or_fails_too_often_is_dead_lettered() {
    let refused = || Err(EmailError::Refused("550 no such mailbox".into()));
    for (answer, attempts, words) in [(refused as fn() -> _, 0, "no such mailbox"), (away, MAX_ATTEMPTS - 1, "refused")]
    {
        let outbox = Arc::new(FakeOutbox::of([Delivery { attempts, ..email(7) }]));
        let notifications = delivering(&outbox, answering(answer));
        assert_eq!(deliver(&notifications).await, Delivered { dead: 1, ..Delivered::default() });
        assert!(outbox.one().last_error.unwrap().contains(words));
    }
}

/// An e-mail sender that panics.
struct Deadly;

#[async_trait]
impl EmailSender for Deadly {
    async fn send(&self, _: &EmailMessage) -> Result<(), EmailError> {
        panic!("sending panics")
    }
}

#[tokio::test(start_paused = true)]
async fn an_email_on_which_every_attempt_panics_is_dead_lettered() {
    let outbox = Arc::new(FakeOutbox::of([Delivery { attempts: MAX_ATTEMPTS - 1, ..email(7) }]));
    let notifications = delivering(&outbox, Deadly);
    assert_eq!(deliver(&notifications).await, Delivered::default());
    tokio::time::sleep(LEASE).await;
    assert_eq!(deliver(&notifications).await, Delivered { dead: 1, ..Delivered::default() });
    assert_eq!(outbox.one().last_error.as_deref(), Some("the attempts broke off"));
}

#[tokio::test]
async fn without_a_mail_server_emails_wait_and_are_not_leased() {
    assert_eq!(notifications().deliver_emails().await.unwrap(), Delivered::default());
}

/// A server that takes this long for every e-mail.
#[derive(Default)]
struct Slow {
    takes: Duration,
    under_way: AtomicUsize,
    most: AtomicUsize,
    sent: AtomicUsize,
}

struct SlowSender(Arc<Slow>);

#[async_trait]
impl EmailSender for SlowSender {
    async fn send(&self, _: &EmailMessage) -> Result<(), EmailError> {
        let now = self.0.under_way.fetch_add(1, Ordering::SeqCst) + 1;
        self.0.most.fetch_max(now, Ordering::SeqCst);
        tokio::time::sleep(self.0.takes).await;
        self.0.under_way.fetch_sub(1, Ordering::SeqCst);
        self.0.sent.fetch_add(1, Ordering::SeqCst);
        Ok(())
    }
}

/// Sending may take 25 seconds, and runs start every second: an e-mail must not be due again while it is being sent.
#[tokio::test(start_paused = true)]
async fn an_email_is_sent_once_even_by_a_slow_server_with_a_long_queue() {
    let outbox = Arc::new(FakeOutbox::of((1..=100).map(email)));
    let email_sender = Arc::new(Slow { takes: Duration::from_secs(25), ..Slow::default() });
    // Two instances of the notifications.
    let copies = [
        delivering(&outbox, SlowSender(Arc::clone(&email_sender))),
        delivering(&outbox, SlowSender(Arc::clone(&email_sender))),
    ];
    while outbox.in_state(DeliveryState::Sent) < 100 {
        for notifications in &copies {
            notifications.deliver_emails().await.unwrap();
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    assert_eq!(email_sender.sent.load(Ordering::SeqCst), 100, "some were sent twice");
    assert_eq!(email_sender.most.load(Ordering::SeqCst), 2 * AT_ONCE);
    // An e-mail that was leased and released without an attempt keeps all its attempts.
    assert!(outbox.all().iter().all(|one| one.attempts == 1), "{:?}", outbox.all());
}

#[tokio::test(start_paused = true)]
async fn a_password_reset_does_not_wait_behind_order_emails() {
    let sale = (1..=500).map(email);
    let reset = Delivery { order: None, event: None, ..waiting(501, Topic::AccountReset, None) };
    let outbox = Arc::new(FakeOutbox::of(sale.chain([reset])));
    let email_sender = Arc::new(Slow { takes: Duration::from_secs(10), ..Slow::default() });
    let notifications = carrying(delivering(&outbox, SlowSender(email_sender)), true);
    notifications.deliver_emails().await.unwrap();
    tokio::time::sleep(Duration::from_secs(11)).await;
    let reset = outbox.all().pop().unwrap();
    assert_eq!((reset.id.get(), reset.state), (501, DeliveryState::Sent));
    assert!(outbox.in_state(DeliveryState::Sent) < 50);
}

#[tokio::test(start_paused = true)]
async fn on_shutdown_no_delivery_starts_and_running_ones_finish() {
    let outbox = Arc::new(FakeOutbox::of((1..=100).map(email)));
    let email_sender = Arc::new(Slow { takes: Duration::from_secs(2), ..Slow::default() });
    let notifications = delivering(&outbox, SlowSender(Arc::clone(&email_sender)));
    notifications.deliver_emails().await.unwrap();
    tokio::time::sleep(Duration::from_secs(1)).await;
    let began = Instant::now();
    notifications.finish_deliveries().await;
    assert_eq!(began.elapsed(), Duration::from_secs(1));
    assert_eq!((email_sender.sent.load(Ordering::SeqCst), outbox.in_state(DeliveryState::Sent)), (AT_ONCE, AT_ONCE));
    // Another instance can send the rest immediately.
    let other = delivering(&outbox, SlowSender(Arc::clone(&email_sender)));
    deliver(&other).await;
    assert_eq!(outbox.in_state(DeliveryState::Sent), 100);
}

fn about_account_email(topic: Topic) -> Delivery {
    Delivery { order: None, event: None, ..waiting(7, topic, None) }
}

/// A shop whose account e-mails contain `the-token`; `stored` says whether the token may be stored.
fn carrying(notifications: Notifications, stored: bool) -> Notifications {
    let mut tokens = MockAccountTokens::new();
    tokens.expect_fresh().returning(|| AccountToken::new("the-token".into()));
    tokens.expect_hash().returning(|_| SecretHash([7; 32]));
    let mut store = MockAccountTokenRepository::new();
    store
        .expect_store()
        .withf(|token, email, _| token.hash.0 == [7; 32] && *email == customers_order().contact.email)
        .returning(move |_, _, _| Ok(stored));
    let account_tokens: Arc<dyn AccountTokens> = Arc::new(tokens);
    let account_token_store = Arc::new(store);
    let ports = Ports { account_tokens: Arc::clone(&account_tokens), account_token_store, ..ports() };
    Notifications { account_token_issuer: AccountTokenIssuer::new(&ports), account_tokens, ..notifications }
}

#[tokio::test(start_paused = true)]
async fn an_account_email_carries_its_token_and_the_store_has_only_the_hash() {
    let token = || AccountToken::new("the-token".into());
    for (topic, notification) in [
        (Topic::AccountVerify, Notification::VerifyAddress { token: token() }),
        (Topic::AccountReset, Notification::ResetPassword { token: token() }),
    ] {
        let outbox = Arc::new(FakeOutbox::of([about_account_email(topic)]));
        let mut email_sender = MockEmailSender::new();
        email_sender
            .expect_send()
            .times(1)
            .withf(move |message| message.notification == notification && !format!("{message:?}").contains("the-token"))
            .returning(|_| Ok(()));
        let notifications = carrying(delivering(&outbox, email_sender), true);
        assert_eq!(deliver(&notifications).await, Delivered { sent: 1, ..Delivered::default() });
    }
}

#[tokio::test(start_paused = true)]
async fn an_email_without_an_account_is_discarded_and_not_counted() {
    let outbox = Arc::new(FakeOutbox::of([about_account_email(Topic::AccountReset)]));
    let notifications = carrying(delivering(&outbox, MockEmailSender::new()), false);
    assert_eq!(deliver(&notifications).await, Delivered::default());
    assert!(outbox.all().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_refusal_that_quotes_the_link_is_stored_without_the_token() {
    let outbox = Arc::new(FakeOutbox::of([about_account_email(Topic::AccountReset)]));
    let email_sender = answering(|| Err(EmailError::Refused("554 spam: /reset-password#token=the-token".into())));
    let notifications = carrying(delivering(&outbox, email_sender), true);
    assert_eq!(deliver(&notifications).await, Delivered { dead: 1, ..Delivered::default() });
    let why = outbox.one().last_error.unwrap();
    assert!(why.contains("/reset-password#token=…") && !why.contains("the-token"), "{why}");
}

#[tokio::test(start_paused = true)]
async fn a_result_that_cannot_be_recorded_does_not_affect_the_others() {
    let outbox = Arc::new(FakeOutbox::of((1..=3).map(email)));
    outbox.change(1, |row| row.notes_fail = true);
    let notifications = delivering(&outbox, answering(|| Ok(())));
    assert_eq!(deliver(&notifications).await.sent, 2);
    assert_eq!(outbox.in_state(DeliveryState::Sent), 2);
}

#[tokio::test(start_paused = true)]
async fn an_order_that_cannot_be_decoded_affects_only_its_own_email() {
    let outbox = Arc::new(FakeOutbox::of((1..=8).map(email)));
    let bad = domain::OrderId::new(uuid::Uuid::from_u128(99));
    outbox.change(3, |row| row.delivery.order = Some(bad));
    let orders = holding_beside_undecodable(bad, &customers_order());
    let notifications = Notifications { orders: Arc::new(orders), ..delivering(&outbox, answering(|| Ok(()))) };
    assert_eq!(deliver(&notifications).await, Delivered { sent: 7, dead: 1, ..Delivered::default() });
    let dead = outbox.all().into_iter().find(|one| one.state == DeliveryState::Dead).unwrap();
    assert!(dead.last_error.unwrap().contains("a phone of spaces"));
}

#[test]
fn every_topic_but_a_cancellation_is_sent_by_one_lane() {
    let mut sent: Vec<Topic> = EmailLane::ALL.into_iter().flat_map(topics).collect();
    for topic in Topic::ALL {
        let lanes = sent.iter().filter(|sent| **sent == topic).count();
        assert_eq!(lanes, usize::from(topic != Topic::OrderCancelled), "{topic:?}");
    }
    sent.retain(|topic| !Topic::ALL.contains(topic));
    assert_eq!(sent, []);
}
