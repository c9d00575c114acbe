//! Delivering what waits in the outbox.

use std::sync::Arc;
use std::time::Duration;

use domain::Email;
use domain::delivery::{Channel, MAX_ATTEMPTS, Topic, wait};
use ports::{AccountToken, Backlog, Delivery, Letter, MailError, Mailer, StoreError, Take, TokenPurpose};
use tokio::task::JoinSet;

use crate::Shop;
use crate::account_emails::{about_address, about_change, about_password};
use crate::forget::{Forgotten, forget_in_bites};
use crate::letters::{Content, about_order, one_line};
use crate::shop::{earlier, later};

/// What this program writes letters about.
const MAILED: [Topic; 18] = [
    Topic::OrderOrdered,
    Topic::OrderPaid,
    Topic::OrderShipped,
    Topic::OrderRefunded,
    Topic::OrderReminder,
    Topic::OrderLapsed,
    Topic::OrderReleased,
    Topic::AccountVerify,
    Topic::AccountReset,
    Topic::AccountPasswordSet,
    Topic::AccountPasswordChanged,
    Topic::AccountGoogleLinked,
    Topic::AccountGoogleUnlinked,
    Topic::AccountTakenOver,
    Topic::AccountDeleted,
    Topic::AccountRoleGiven,
    Topic::AccountRoleTaken,
    Topic::AccountAdminAdded,
];
/// How many letters are under way at once.
const AT_ONCE: u32 = 8;
/// How often one run takes as many again before it leaves the rest to the next.
const ROUNDS: usize = 8;
/// How long a copy of the shop may hold what it took: a mailer answers within half a minute.
const LEASE: Duration = Duration::from_mins(1);
/// How long what was sent is remembered.
const KEEP_SENT: Duration = Duration::from_hours(30 * 24);
/// How long what was given up is, so that a person can put it back.
const KEEP_DEAD: Duration = Duration::from_hours(90 * 24);

/// What one run of delivering came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Delivered {
    /// Accepted at the other end.
    pub sent: u32,
    /// To be tried again.
    pub put_off: u32,
    /// Given up.
    pub dead: u32,
}

/// What became of one delivery.
pub(crate) enum Outcome {
    Sent,
    PutOff,
    Dead,
    TakenBack,
}

enum Written {
    /// A letter, and the secret that it carries, if it does.
    Letter(Letter, Option<AccountToken>),
    /// Nobody is to get it.
    ForNobody,
    /// What it was to tell of is not there.
    Nothing,
}

impl Shop {
    /// Sends letters that are due, several at a time, until none is or the run has done its share. Without a mailer nothing
    /// is taken, and they wait. Any number of copies of the shop may do this at once; each sends different letters. Should
    /// this one die after a letter was accepted and before that was noted, the letter is sent again, under the same id.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed; what was under way is due again after a while.
    pub async fn deliver_letters(&self) -> Result<Delivered, StoreError> {
        let Some(mailer) = self.mailer.clone() else { return Ok(Delivered::default()) };
        self.deliver_due(Channel::Mail, &MAILED, move |shop, delivery| {
            let mailer = Arc::clone(&mailer);
            async move { shop.deliver_letter(mailer.as_ref(), &delivery).await }
        })
        .await
    }

    /// How much every channel has before it.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn outbox_backlog(&self) -> Result<Vec<Backlog>, StoreError> {
        self.outbox.backlog().await
    }

    /// Forgets what was sent or given up long ago.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn forget_old_deliveries(&self) -> Result<Forgotten, StoreError> {
        let now = self.clock.now();
        let (sent_before, dead_before) = (earlier(now, KEEP_SENT), earlier(now, KEEP_DEAD));
        forget_in_bites(|bite| self.outbox.forget(sent_before, dead_before, bite)).await
    }

    /// Takes what is due of a channel, several at a time, and has each delivered, until none is due or the run has done its
    /// share.
    pub(crate) async fn deliver_due<Deed>(
        &self,
        channel: Channel,
        topics: &[Topic],
        deliver: impl Fn(Self, Delivery) -> Deed + Send,
    ) -> Result<Delivered, StoreError>
    where
        Deed: Future<Output = Result<Outcome, StoreError>> + Send + 'static,
    {
        let mut delivered = Delivered::default();
        for _ in 0..ROUNDS {
            let now = self.clock.now();
            let take = Take { channel, topics: topics.to_vec(), now, until: later(now, LEASE), limit: AT_ONCE };
            let taken = self.outbox.take(&take).await?;
            let last = taken.len() < AT_ONCE as usize;
            let deeds = taken.into_iter().map(|delivery| {
                let (shop, deed) = (self.clone(), deliver(self.clone(), delivery.clone()));
                async move {
                    // Whoever dies or panics over a delivery notes nothing, and would come back to it for ever.
                    if delivery.attempts > MAX_ATTEMPTS {
                        return shop.give_up(&delivery, "the attempts broke off").await;
                    }
                    deed.await
                }
            });
            all_of(deeds, &mut delivered).await?;
            if last {
                break;
            }
        }
        Ok(delivered)
    }

    async fn deliver_letter(&self, mailer: &dyn Mailer, delivery: &Delivery) -> Result<Outcome, StoreError> {
        let (letter, secret) = match self.write_letter(delivery).await? {
            Written::Letter(letter, secret) => (letter, secret),
            Written::ForNobody => {
                self.outbox.take_back(delivery.id).await?;
                return Ok(Outcome::TakenBack);
            }
            Written::Nothing => return self.give_up(delivery, "there is nothing to say any more").await,
        };
        // A server may repeat what it refuses, and reasons are kept.
        let reason = |error: &MailError| {
            let told = reason(error);
            secret.as_ref().map_or_else(|| told.clone(), |secret| told.replace(secret.expose(), "…"))
        };
        match mailer.send(&letter).await {
            Ok(()) => self.note_sent(delivery).await,
            Err(error @ MailError::Refused(_)) => self.give_up(delivery, &reason(&error)).await,
            Err(error) => self.put_off_or_give_up(delivery, &reason(&error)).await,
        }
    }

    pub(crate) async fn note_sent(&self, delivery: &Delivery) -> Result<Outcome, StoreError> {
        self.outbox.sent(delivery.id, self.clock.now()).await?;
        Ok(Outcome::Sent)
    }

    /// After a failure that may pass: later, unless it has been tried often enough.
    pub(crate) async fn put_off_or_give_up(&self, delivery: &Delivery, why: &str) -> Result<Outcome, StoreError> {
        if delivery.attempts >= MAX_ATTEMPTS {
            return self.give_up(delivery, why).await;
        }
        let due = later(self.clock.now(), wait(delivery.id, delivery.attempts));
        self.outbox.put_off(delivery.id, delivery.attempts, due, why).await?;
        Ok(Outcome::PutOff)
    }

    pub(crate) async fn give_up(&self, delivery: &Delivery, why: &str) -> Result<Outcome, StoreError> {
        self.outbox.bury(delivery.id, delivery.attempts, why).await?;
        // Not why: a server's refusal repeats the reader's address, and an admin finds it beside the delivery.
        tracing::warn!(channel = delivery.channel.as_str(), delivery = %delivery.id, attempts = delivery.attempts, "a delivery was given up");
        Ok(Outcome::Dead)
    }

    async fn write_letter(&self, delivery: &Delivery) -> Result<Written, StoreError> {
        let Some(to) = &delivery.to else { return Ok(Written::Nothing) };
        match (delivery.topic, delivery.order) {
            (Topic::AccountVerify, _) => self.write_with_link(delivery, to, TokenPurpose::Verify).await,
            (Topic::AccountReset, _) => self.write_with_link(delivery, to, TokenPurpose::Reset).await,
            (topic, None) => {
                let content = about_change(topic, None, &self.origin);
                let name = to.as_name().into_string();
                Ok(content
                    .map_or(Written::Nothing, |content| Written::Letter(letter(delivery, to, name, content), None)))
            }
            (topic, Some(order)) => {
                let Some(order) = self.orders.find(order).await? else { return Ok(Written::Nothing) };
                // Paid, shipped or cancelled since: there is nothing to be reminded of.
                if topic == Topic::OrderReminder && order.reserved_until().is_none() {
                    return Ok(Written::ForNobody);
                }
                let Some(content) = about_order(topic, &order, delivery.created_at, &self.origin) else {
                    return Ok(Written::Nothing);
                };
                let name = one_line(order.contact.name.as_str());
                Ok(Written::Letter(letter(delivery, to, name, content), None))
            }
        }
    }

    async fn write_with_link(
        &self,
        delivery: &Delivery,
        to: &Email,
        purpose: TokenPurpose,
    ) -> Result<Written, StoreError> {
        let Some(token) = self.mint_account_token(purpose, to, delivery.id).await? else {
            return Ok(Written::ForNobody);
        };
        let content = match purpose {
            TokenPurpose::Verify => about_address(&token, &self.origin),
            TokenPurpose::Reset => about_password(&token, &self.origin),
        };
        // By their address, as the letter itself: the name is whatever somebody else may have typed.
        let name = to.as_name().into_string();
        Ok(Written::Letter(letter(delivery, to, name, content), Some(token)))
    }
}

fn letter(delivery: &Delivery, to: &Email, name: String, Content { subject, text, html }: Content) -> Letter {
    Letter { id: letter_id(delivery), to: to.clone(), name, subject, text, html, written_at: delivery.created_at }
}

/// Does deeds at once, and counts what came of them. A store that fails on one keeps no other from being noted.
async fn all_of<Deed>(deeds: impl Iterator<Item = Deed>, delivered: &mut Delivered) -> Result<(), StoreError>
where
    Deed: Future<Output = Result<Outcome, StoreError>> + Send + 'static,
{
    let mut under_way: JoinSet<_> = deeds.collect();
    let mut failed = None;
    while let Some(ended) = under_way.join_next().await {
        match ended {
            Ok(Ok(Outcome::Sent)) => delivered.sent += 1,
            Ok(Ok(Outcome::PutOff)) => delivered.put_off += 1,
            Ok(Ok(Outcome::Dead)) => delivered.dead += 1,
            // Whoever reads how many were delivered must not learn which addresses have accounts.
            Ok(Ok(Outcome::TakenBack)) => {}
            Ok(Err(error)) => failed = Some(error),
            Err(error) => tracing::error!(%error, "a delivery broke off"),
        }
    }
    failed.map_or(Ok(()), Err)
}

/// The same for every attempt. The moment stands in it because a number alone comes again in a database that was made
/// anew, and readers drop a letter whose id they have seen.
fn letter_id(delivery: &Delivery) -> String {
    format!("{}.{}", delivery.id, delivery.created_at.as_microsecond())
}

/// An error and everything behind it, on one line.
pub(crate) fn reason(error: &dyn std::error::Error) -> String {
    let mut told = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        told.push_str(": ");
        told.push_str(&error.to_string());
        cause = error.source();
    }
    one_line(&told)
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use async_trait::async_trait;
    use domain::EventId;
    use domain::delivery::{DeliveryId, DeliveryState};
    use ports::{MockAccountTokenStore, MockAccountTokens, MockMailer, MockOutbox, SecretHash};
    use uuid::Uuid;

    use super::*;
    use crate::testing::{customers_order, holding, now, shop};

    fn delivery(n: i64, attempts: u32) -> Delivery {
        let order = customers_order();
        Delivery {
            id: DeliveryId::new(n),
            channel: Channel::Mail,
            topic: Topic::OrderOrdered,
            to: Some(order.contact.email),
            order: Some(order.id),
            event: Some(EventId::new(Uuid::from_u128(6))),
            endpoint: None,
            status: None,
            attempts,
            state: DeliveryState::Waiting,
            last_error: None,
            created_at: now(),
            due_at: now(),
            sent_at: None,
        }
    }

    /// An outbox that hands these out, in portions as large as are asked for.
    fn with(deliveries: Vec<Delivery>) -> MockOutbox {
        let left = Mutex::new(deliveries);
        let mut outbox = MockOutbox::new();
        outbox.expect_take().withf(|take| take.topics == MAILED && take.until == later(now(), LEASE)).returning(
            move |take| {
                let mut left = left.lock().unwrap();
                let many = left.len().min(take.limit as usize);
                Ok(left.drain(..many).collect())
            },
        );
        outbox
    }

    fn answering(answer: fn() -> Result<(), MailError>) -> MockMailer {
        let mut mailer = MockMailer::new();
        mailer.expect_send().returning(move |_| answer());
        mailer
    }

    fn delivering(outbox: MockOutbox, mailer: impl Mailer + 'static) -> Shop {
        let orders = Arc::new(holding(&customers_order()));
        Shop { outbox: Arc::new(outbox), mailer: Some(Arc::new(mailer)), orders, ..shop() }
    }

    fn away() -> Result<(), MailError> {
        Err(MailError::Away("connection refused".into()))
    }

    #[tokio::test]
    async fn what_is_due_is_sent_and_noted() {
        let mut outbox = with((1..=20).map(|n| delivery(n, 1)).collect());
        outbox.expect_sent().times(20).withf(|_, at| *at == now()).returning(|_, _| Ok(()));
        let mut mailer = MockMailer::new();
        mailer
            .expect_send()
            .times(20)
            .withf(|letter| {
                letter.to == customers_order().contact.email
                    && letter.name == "Nia"
                    && letter.subject.contains("Ventilated brake disc")
                    && letter.text.contains("https://shop.example.com/dashboard/order/")
            })
            .returning(|_| Ok(()));
        let delivered = delivering(outbox, mailer).deliver_letters().await.unwrap();
        assert_eq!(delivered, Delivered { sent: 20, ..Delivered::default() });
    }

    #[tokio::test]
    async fn every_attempt_goes_out_under_the_same_id() {
        let ids = Arc::new(Mutex::new(Vec::new()));
        for attempts in [1, 2] {
            let mut outbox = with(vec![delivery(7, attempts)]);
            outbox.expect_sent().returning(|_, _| Ok(()));
            let mut mailer = MockMailer::new();
            let seen = Arc::clone(&ids);
            mailer.expect_send().returning(move |letter| {
                seen.lock().unwrap().push(letter.id.clone());
                Ok(())
            });
            delivering(outbox, mailer).deliver_letters().await.unwrap();
        }
        assert_eq!(*ids.lock().unwrap(), ["7.1800000000000000", "7.1800000000000000"]);
    }

    #[tokio::test]
    async fn a_server_that_is_away_is_tried_again_later() {
        let mut outbox = with(vec![delivery(7, 3)]);
        outbox
            .expect_put_off()
            .times(1)
            .withf(|id, attempt, due, why| {
                *due == later(now(), wait(*id, *attempt)) && *attempt == 3 && why.contains("connection refused")
            })
            .returning(|_, _, _, _| Ok(()));
        let delivered = delivering(outbox, answering(away)).deliver_letters().await.unwrap();
        assert_eq!(delivered, Delivered { put_off: 1, ..Delivered::default() });
    }

    #[tokio::test]
    async fn a_letter_that_is_refused_or_has_failed_too_often_is_given_up() {
        let refused = || Err(MailError::Refused("550 no such mailbox".into()));
        for (answer, attempts) in [(refused as fn() -> _, 1), (away, MAX_ATTEMPTS)] {
            let mut outbox = with(vec![delivery(7, attempts)]);
            outbox.expect_bury().times(1).withf(move |_, told, _| *told == attempts).returning(|_, _, _| Ok(()));
            let delivered = delivering(outbox, answering(answer)).deliver_letters().await.unwrap();
            assert_eq!(delivered, Delivered { dead: 1, ..Delivered::default() });
        }
    }

    /// A mailer over which whoever uses it dies.
    struct Deadly;

    #[async_trait]
    impl Mailer for Deadly {
        async fn send(&self, _: &Letter) -> Result<(), MailError> {
            panic!("a letter that nobody survives")
        }
    }

    #[tokio::test]
    async fn a_letter_over_which_every_attempt_breaks_off_is_given_up_at_last() {
        let broke_off = delivering(with(vec![delivery(7, MAX_ATTEMPTS)]), Deadly).deliver_letters().await.unwrap();
        assert_eq!(broke_off, Delivered::default());
        let mut outbox = with(vec![delivery(7, MAX_ATTEMPTS + 1)]);
        outbox.expect_bury().times(1).withf(|_, told, _| *told == MAX_ATTEMPTS + 1).returning(|_, _, _| Ok(()));
        let delivered = delivering(outbox, Deadly).deliver_letters().await.unwrap();
        assert_eq!(delivered, Delivered { dead: 1, ..Delivered::default() });
    }

    #[tokio::test]
    async fn without_a_mail_server_letters_wait_and_are_not_even_taken() {
        assert_eq!(shop().deliver_letters().await.unwrap(), Delivered::default());
    }

    #[tokio::test]
    async fn one_run_does_its_share_and_leaves_the_rest() {
        let many = AT_ONCE as usize * (ROUNDS + 3);
        let mut outbox = with((1..).take(many).map(|n| delivery(n, 1)).collect());
        outbox.expect_sent().returning(|_, _| Ok(()));
        let delivered = delivering(outbox, answering(|| Ok(()))).deliver_letters().await.unwrap();
        assert_eq!(delivered.sent as usize, AT_ONCE as usize * ROUNDS);
    }

    /// A server that takes its time over every letter.
    struct Slow {
        under_way: AtomicUsize,
        most: Arc<AtomicUsize>,
    }

    #[async_trait]
    impl Mailer for Slow {
        async fn send(&self, _: &Letter) -> Result<(), MailError> {
            let now = self.under_way.fetch_add(1, Ordering::SeqCst) + 1;
            self.most.fetch_max(now, Ordering::SeqCst);
            tokio::time::sleep(Duration::from_secs(20)).await;
            self.under_way.fetch_sub(1, Ordering::SeqCst);
            Ok(())
        }
    }

    #[tokio::test(start_paused = true)]
    async fn several_letters_are_under_way_at_once_and_never_more_than_agreed() {
        let mut outbox = with((1..=16).map(|n| delivery(n, 1)).collect());
        outbox.expect_sent().returning(|_, _| Ok(()));
        let most = Arc::new(AtomicUsize::new(0));
        let mailer = Slow { under_way: AtomicUsize::new(0), most: Arc::clone(&most) };
        let began = tokio::time::Instant::now();
        assert_eq!(delivering(outbox, mailer).deliver_letters().await.unwrap().sent, 16);
        assert_eq!(most.load(Ordering::SeqCst), AT_ONCE as usize);
        assert_eq!(began.elapsed(), Duration::from_secs(40));
    }

    fn about_account(topic: Topic) -> Delivery {
        Delivery { topic, order: None, event: None, ..delivery(7, 1) }
    }

    /// A shop whose letters carry `the-token`, if they are for anybody.
    fn carrying(outbox: MockOutbox, mailer: MockMailer, kept: bool) -> Shop {
        let mut tokens = MockAccountTokens::new();
        tokens.expect_fresh().returning(|| AccountToken::new("the-token".into()));
        tokens.expect_hash().returning(|_| SecretHash([7; 32]));
        let mut store = MockAccountTokenStore::new();
        store
            .expect_keep()
            .withf(|token, email, _| {
                (token.hash.0, token.letter.get(), email) == ([7; 32], 7, &customers_order().contact.email)
            })
            .returning(move |_, _, _| Ok(kept));
        let (tokens, store) = (Arc::new(tokens), Arc::new(store));
        Shop { account_tokens: tokens, account_token_store: store, ..delivering(outbox, mailer) }
    }

    #[tokio::test]
    async fn a_letter_about_an_account_carries_a_token_that_is_kept_as_a_hash_and_is_nowhere_but_in_its_text() {
        for (topic, page) in [(Topic::AccountVerify, "verify-email"), (Topic::AccountReset, "reset-password")] {
            let mut outbox = with(vec![about_account(topic)]);
            outbox.expect_sent().times(1).returning(|_, _| Ok(()));
            let mut mailer = MockMailer::new();
            mailer
                .expect_send()
                .times(1)
                .withf(move |letter| {
                    let link = format!("https://shop.example.com/{page}?token=the-token");
                    let elsewhere = format!("{}{}{}{}", letter.id, letter.to, letter.name, letter.subject);
                    letter.text.contains(&link) && letter.html.contains(&link) && !elsewhere.contains("the-token")
                })
                .returning(|_| Ok(()));
            let delivered = carrying(outbox, mailer, true).deliver_letters().await.unwrap();
            assert_eq!(delivered, Delivered { sent: 1, ..Delivered::default() });
        }
    }

    #[tokio::test]
    async fn a_letter_for_nobody_is_taken_back_and_counted_nowhere() {
        let mut outbox = with(vec![about_account(Topic::AccountReset)]);
        outbox.expect_take_back().times(1).withf(|id| id.get() == 7).returning(|_| Ok(()));
        let delivered = carrying(outbox, MockMailer::new(), false).deliver_letters().await.unwrap();
        assert_eq!(delivered, Delivered::default());
    }

    #[tokio::test]
    async fn a_refusal_that_repeats_the_link_is_kept_without_the_token() {
        let mut outbox = with(vec![about_account(Topic::AccountReset)]);
        outbox
            .expect_bury()
            .times(1)
            .withf(|_, _, why| why.contains("/reset-password?token=…") && !why.contains("the-token"))
            .returning(|_, _, _| Ok(()));
        let mailer = answering(|| Err(MailError::Refused("554 spam: /reset-password?token=the-token".into())));
        let delivered = carrying(outbox, mailer, true).deliver_letters().await.unwrap();
        assert_eq!(delivered, Delivered { dead: 1, ..Delivered::default() });
    }

    #[tokio::test]
    async fn a_store_that_fails_on_one_letter_does_not_keep_the_others_from_being_noted() {
        let mut outbox = with(vec![delivery(1, 1), delivery(2, 1), delivery(3, 1)]);
        outbox
            .expect_sent()
            .times(3)
            .returning(|id, _| if id.get() == 1 { Err(StoreError::Away("gone".into())) } else { Ok(()) });
        let failed = delivering(outbox, answering(|| Ok(()))).deliver_letters().await;
        assert!(matches!(failed, Err(StoreError::Away(_))));
    }
}
