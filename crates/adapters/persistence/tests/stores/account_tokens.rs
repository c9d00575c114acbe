//! The tokens in the links of e-mails.

use std::net::Ipv4Addr;
use std::time::Duration;

use domain::notifications::delivery::{DeliveryId, Topic};
use domain::{Account, AttemptSource, LoginAttempt, Role, SessionId, Timestamp};
use ports::{
    AccountTokenRepository, EmailLimit, LeaseRequest, NewAccountToken, NewSession, PasswordHash, Queue, SecretHash,
    SessionRepository, TokenPurpose,
};

use crate::world::{World, account, at, concurrently, id, new_account};

const HOUR: i64 = 3_600;

fn hash(n: u8) -> SecretHash {
    SecretHash([n; 32])
}

fn password(n: u8) -> PasswordHash {
    PasswordHash::new(format!("$argon2id$hash-{n}"))
}

fn token(purpose: TokenPurpose, message: DeliveryId, n: u8, made: i64) -> NewAccountToken {
    NewAccountToken { hash: hash(n), purpose, message, created_at: at(made), expires_at: at(made + HOUR) }
}

fn within_the_hour(now: i64) -> EmailLimit {
    EmailLimit { most: 3, since: at(now - HOUR) }
}

/// The id of an e-mail that is due.
async fn message(world: &World, topic: Topic, account: &Account) -> DeliveryId {
    // Only one e-mail of each topic may wait at a time.
    world.sql("UPDATE outbox SET state = 'sent', sent_at = now() WHERE state = 'waiting'");
    world.outbox().request_email(topic, &account.email, at(0)).await.unwrap();
    let request = LeaseRequest { queue: Queue::Mail, topics: vec![topic], lease: Duration::from_hours(1), limit: 1 };
    world.outbox().lease(&request).await.unwrap().deliveries[0].id
}

/// Stores a token for an e-mail of its own, issued at second 0.
async fn stored(world: &World, purpose: TokenPurpose, account: &Account, n: u8) {
    let topic = match purpose {
        TokenPurpose::Verify => Topic::AccountVerify,
        TokenPurpose::Reset => Topic::AccountReset,
    };
    let message = message(world, topic, account).await;
    let new = token(purpose, message, n, 0);
    assert!(world.account_tokens().store(&new, &account.email, within_the_hour(0)).await.unwrap());
}

/// An account whose address is not verified.
async fn unverified(world: &World, email: &str) -> Account {
    let account = Account { email_verified_at: None, proved_at: None, ..account(email, Role::Customer) };
    world.accounts().add(&new_account(&account)).await.unwrap();
    account
}

async fn verified_at(world: &World, account: &Account) -> Option<Timestamp> {
    world.accounts().find(account.id).await.unwrap().unwrap().email_verified_at
}

fn session(account: &Account, n: u8, proved_by: Option<PasswordHash>) -> NewSession {
    NewSession {
        id: SessionId::new(id()),
        account: account.id,
        secret: hash(n),
        proved_by,
        opened_at: at(0),
        expires_at: at(100),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn signing_up_queues_one_email_to_confirm_the_address() {
    let world = World::fresh().await;
    world.customer("proved@example.com").await;
    assert_eq!(world.count("SELECT count(*) FROM outbox"), 0);
    unverified(&world, "ada@example.com").await;
    let again = Account { email_verified_at: None, proved_at: None, ..account("ada@example.com", Role::Customer) };
    world.accounts().add(&new_account(&again)).await.unwrap_err();
    let asked = "SELECT count(*) FROM outbox WHERE topic = 'account.verify' AND email = 'ada@example.com'";
    assert_eq!(world.count(asked), 1);
    assert_eq!(world.count("SELECT count(*) FROM outbox"), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reset_request_does_the_same_with_and_without_an_account() {
    let world = World::fresh().await;
    let ada = world.customer("ada@example.com").await;
    world.outbox().request_email(Topic::AccountReset, &ada.email, at(10)).await.unwrap();
    world.outbox().request_email(Topic::AccountReset, &"unknown@example.com".parse().unwrap(), at(10)).await.unwrap();
    let rows = "SELECT count(DISTINCT (channel, topic, created_at, due_at, attempts, state)) FROM outbox";
    assert_eq!(world.count(rows), 1);
    assert_eq!(world.count("SELECT count(*) FROM outbox"), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_email_to_an_unknown_address_gets_no_token_and_is_discarded() {
    let world = World::fresh().await;
    let ada = world.customer("ada@example.com").await;
    let message = message(&world, Topic::AccountReset, &ada).await;
    let new = token(TokenPurpose::Reset, message, 1, 0);
    let unknown = "unknown@example.com".parse().unwrap();
    assert!(!world.account_tokens().store(&new, &unknown, within_the_hour(0)).await.unwrap());
    world.accounts().remove(&ada.email, at(1)).await.unwrap();
    assert!(!world.account_tokens().store(&new, &ada.email, within_the_hour(0)).await.unwrap());
    // Nothing is left to verify.
    let eve = world.customer("eve@example.com").await;
    let verify = NewAccountToken { purpose: TokenPurpose::Verify, ..new };
    assert!(!world.account_tokens().store(&verify, &eve.email, within_the_hour(0)).await.unwrap());
    assert_eq!(world.count("SELECT count(*) FROM account_tokens"), 0);

    world.outbox().discard(message).await.unwrap();
    world.outbox().discard(message).await.unwrap();
    assert_eq!(world.count("SELECT count(*) FROM outbox"), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_gets_three_emails_per_topic_an_hour_and_retries_of_one_count_once() {
    let world = World::fresh().await;
    let ada = unverified(&world, "ada@example.com").await;
    let keep = async |purpose, message, n, made| {
        let new = token(purpose, message, n, made);
        world.account_tokens().store(&new, &ada.email, within_the_hour(made)).await.unwrap()
    };
    let mut emails = Vec::new();
    for _ in 0..5 {
        emails.push(message(&world, Topic::AccountReset, &ada).await);
    }
    assert!(keep(TokenPurpose::Reset, emails[0], 1, 0).await);
    assert!(keep(TokenPurpose::Reset, emails[1], 2, 10).await);
    assert!(keep(TokenPurpose::Reset, emails[2], 3, 20).await);
    assert!(!keep(TokenPurpose::Reset, emails[3], 4, 30).await);
    // The mail server was unavailable for the third: the retry is the same e-mail, and its first token stays valid.
    assert!(keep(TokenPurpose::Reset, emails[2], 5, 40).await);
    for n in [3, 5] {
        assert!(world.account_tokens().account_of(&hash(n), TokenPurpose::Reset, at(50)).await.unwrap().is_some());
    }
    // E-mails of another topic, and those an hour later.
    let other = message(&world, Topic::AccountVerify, &ada).await;
    assert!(keep(TokenPurpose::Verify, other, 6, 50).await);
    assert!(!keep(TokenPurpose::Reset, emails[4], 7, HOUR - 1).await);
    assert!(keep(TokenPurpose::Reset, emails[4], 7, HOUR).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrently_written_emails_are_counted_one_after_the_other() {
    let world = World::with_pool(8).await;
    let ada = world.customer("ada@example.com").await;
    let mut emails = Vec::new();
    for _ in 0..8 {
        emails.push(message(&world, Topic::AccountReset, &ada).await);
    }
    let stored = concurrently(8, |n| {
        let (database, email) = (world.database.clone(), ada.email.clone());
        let new = token(TokenPurpose::Reset, emails[usize::try_from(n).unwrap()], u8::try_from(n).unwrap(), 0);
        async move { AccountTokenRepository::store(&database, &new, &email, within_the_hour(0)).await.unwrap() }
    })
    .await;
    assert_eq!(stored.iter().filter(|stored| **stored).count(), 3, "{stored:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_twenty_concurrent_uses_of_a_token_one_sets_the_password() {
    let world = World::with_pool(8).await;
    let ada = world.customer("ada@example.com").await;
    for round in 0..10 {
        stored(&world, TokenPurpose::Reset, &ada, round).await;
        let done = concurrently(20, |n| {
            let database = world.database.clone();
            let chosen = password(u8::try_from(n).unwrap());
            async move {
                let reset = database.reset_password(&hash(round), &chosen, at(5)).await.unwrap();
                reset.map(|email| (email, chosen))
            }
        })
        .await;
        let done: Vec<_> = done.into_iter().flatten().collect();
        assert_eq!(done.len(), 1, "round {round}: {done:?}");
        assert_eq!(done[0].0, ada.email);
        let now = world.accounts().by_email(&ada.email).await.unwrap().unwrap();
        assert_eq!(now.password.as_ref(), Some(&done[0].1));
        world.sql("DELETE FROM account_tokens");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_uses_of_two_tokens_of_one_account_do_not_deadlock() {
    let world = World::with_pool(4).await;
    let ada = world.customer("ada@example.com").await;
    for round in 0..30 {
        stored(&world, TokenPurpose::Reset, &ada, 1).await;
        stored(&world, TokenPurpose::Reset, &ada, 2).await;
        let done = concurrently(2, |n| {
            let database = world.database.clone();
            let n = u8::try_from(n).unwrap();
            async move { database.reset_password(&hash(n + 1), &password(n), at(5)).await.unwrap().is_some() }
        })
        .await;
        assert_eq!(done.iter().filter(|done| **done).count(), 1, "round {round}: {done:?}");
        world.sql("DELETE FROM account_tokens");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_is_valid_for_its_purpose_until_it_expires() {
    let world = World::fresh().await;
    let ada = world.customer("ada@example.com").await;
    stored(&world, TokenPurpose::Reset, &ada, 1).await;
    let is_valid = async |n, purpose, second| {
        let holder = world.account_tokens().account_of(&hash(n), purpose, at(second)).await.unwrap();
        assert!(holder.as_ref().is_none_or(|holder| holder.email == ada.email));
        holder.is_some()
    };
    assert!(is_valid(1, TokenPurpose::Reset, HOUR - 1).await);
    assert!(!is_valid(1, TokenPurpose::Reset, HOUR).await);
    assert!(!is_valid(1, TokenPurpose::Verify, 1).await);
    assert!(!is_valid(2, TokenPurpose::Reset, 1).await);

    let tokens = world.account_tokens();
    assert_eq!(tokens.reset_password(&hash(1), &password(1), at(HOUR)).await.unwrap(), None);
    assert_eq!(tokens.reset_password(&hash(2), &password(1), at(1)).await.unwrap(), None);
    assert_eq!(world.ownership().owner_of(&hash(1), at(1)).await.unwrap(), None);
    let unchanged = world.accounts().by_email(&ada.email).await.unwrap().unwrap();
    assert_eq!(unchanged.password, new_account(&ada).password);

    world.accounts().remove(&ada.email, at(2)).await.unwrap();
    assert!(!is_valid(1, TokenPurpose::Reset, 3).await);
    assert_eq!(tokens.reset_password(&hash(1), &password(1), at(3)).await.unwrap(), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_password_reset_ends_everything_the_old_password_opened() {
    let world = World::fresh().await;
    let ada = unverified(&world, "ada@example.com").await;
    let bob = world.customer("bob@example.com").await;
    for owner in [&ada, &bob] {
        let from = Ipv4Addr::LOCALHOST.into();
        let login_attempt = LoginAttempt { email: owner.email.clone(), by: AttemptSource::Stranger, from, at: at(1) };
        world.login_attempts().count(&login_attempt).await.unwrap();
    }
    assert!(world.sessions().open(&session(&ada, 1, None)).await.unwrap());
    assert!(world.sessions().open(&session(&bob, 2, None)).await.unwrap());
    stored(&world, TokenPurpose::Reset, &ada, 1).await;
    stored(&world, TokenPurpose::Reset, &ada, 2).await;
    stored(&world, TokenPurpose::Verify, &ada, 3).await;
    stored(&world, TokenPurpose::Reset, &bob, 4).await;

    let tokens = world.account_tokens();
    assert_eq!(tokens.reset_password(&hash(1), &password(9), at(5)).await.unwrap(), Some(ada.email.clone()));
    assert_eq!(world.sessions().by_secret(&hash(1), at(6)).await.unwrap(), None);
    assert!(world.sessions().by_secret(&hash(2), at(6)).await.unwrap().is_some());
    assert_eq!(verified_at(&world, &ada).await, Some(at(5)));
    assert_eq!(world.count("SELECT count(*) FROM login_guesses WHERE email = 'ada@example.com'"), 0);
    assert_eq!(world.count("SELECT count(*) FROM login_guesses WHERE email = 'bob@example.com'"), 1);
    for n in [1, 2] {
        assert_eq!(tokens.account_of(&hash(n), TokenPurpose::Reset, at(6)).await.unwrap(), None);
    }
    assert_eq!(tokens.account_of(&hash(3), TokenPurpose::Verify, at(6)).await.unwrap().unwrap().id, ada.id);
    assert_eq!(tokens.account_of(&hash(4), TokenPurpose::Reset, at(6)).await.unwrap().unwrap().id, bob.id);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_login_that_started_with_the_old_password_opens_no_session_after_the_reset() {
    let world = World::with_pool(4).await;
    let ada = world.customer("ada@example.com").await;
    let old = new_account(&ada).password;
    for round in 0..20 {
        stored(&world, TokenPurpose::Reset, &ada, round).await;
        let login = session(&ada, round, if round == 0 { old.clone() } else { Some(password(round - 1)) });
        concurrently(2, |n| {
            let (database, login) = (world.database.clone(), login.clone());
            async move {
                if n == 0 {
                    database.open(&login).await.map(drop).unwrap();
                } else {
                    assert!(database.reset_password(&hash(round), &password(round), at(5)).await.unwrap().is_some());
                }
            }
        })
        .await;
        assert_eq!(world.count("SELECT count(*) FROM sessions WHERE closed_at IS NULL"), 0, "round {round}");
        world.sql("DELETE FROM account_tokens");
    }
    assert!(!world.sessions().open(&session(&ada, 100, old)).await.unwrap());
    assert!(world.sessions().open(&session(&ada, 101, Some(password(19)))).await.unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn tokens_are_deleted_when_they_expire_or_with_their_email() {
    let world = World::fresh().await;
    let ada = world.customer("ada@example.com").await;
    stored(&world, TokenPurpose::Reset, &ada, 1).await;
    stored(&world, TokenPurpose::Reset, &ada, 2).await;
    assert_eq!(world.account_tokens().forget(at(HOUR), 9).await.unwrap(), 0);
    world.sql("DELETE FROM outbox WHERE id = (SELECT min(id) FROM outbox)");
    assert_eq!(world.count("SELECT count(*) FROM account_tokens"), 1);
    assert_eq!(world.account_tokens().forget(at(HOUR + 1), 9).await.unwrap(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_database_refuses_inconsistent_tokens() {
    let world = World::fresh().await;
    let ada = world.customer("ada@example.com").await;
    let message = message(&world, Topic::AccountReset, &ada).await.get();
    let row = |hash: &str, purpose: &str, expires: &str, used: &str| {
        format!(
            "INSERT INTO account_tokens (hash, account_id, purpose, letter_id, made_at, expires_at, used_at)
            VALUES ({hash}, '{}', '{purpose}', {message}, '2026-01-01Z', '{expires}', {used})",
            ada.id
        )
    };
    let later = "2026-01-02Z";
    world.refuses(&row("'short'", "reset", later, "NULL"), "account_tokens_hash_check");
    world.refuses(&row("sha256('a')", "enter", later, "NULL"), "account_tokens_purpose_check");
    world.refuses(&row("sha256('a')", "reset", "2026-01-01Z", "NULL"), "account_tokens_check");
    world.refuses(&row("sha256('a')", "reset", later, "'2026-01-02Z'"), "account_tokens_check");
    world.sql(&row("sha256('a')", "reset", later, "'2026-01-01Z'"));
    world.refuses(&row("sha256('a')", "verify", later, "NULL"), "account_tokens_pkey");
}
