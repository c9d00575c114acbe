//! Who owns an account: linking, taking over, and what is left for an attacker who signed up first with another's
//! address.

use std::time::Duration;

use domain::notifications::delivery::{DeliveryId, DeliveryState, Topic};
use domain::{Account, Role, SessionId, Text};
use ports::{
    Deletion, DeliveryQuery, EmailLimit, GoogleClaim, GoogleClaimed, GoogleIdentity, GoogleLink, GoogleSubject,
    LeaseRequest, Linking, NewAccountToken, NewSession, OwnerProof, Pagination, PasswordHash, PendingSignIn,
    PendingSignInLimit, Queue, Recipient, RoleChange, RoleGrant, SecretHash, TakeOver, TokenPurpose, Unlinking,
};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, TestRunner};

use crate::world::{World, account, at, concurrently, id, new_account};

const HOUR: i64 = 3_600;

fn unproved(email: &str) -> Account {
    Account { email_verified_at: None, proved_at: None, ..account(email, Role::Customer) }
}

fn google(subject: &str) -> GoogleSubject {
    GoogleSubject { issuer: "https://accounts.google.com".to_owned(), subject: subject.to_owned() }
}

fn claim(email: &str, subject: &str, second: i64) -> GoogleClaim {
    let account = Account { display_name: Text::new("By Google").unwrap(), ..account(email, Role::Customer) };
    GoogleClaim { account, google: google(subject), at: at(second) }
}

fn password(n: u8) -> PasswordHash {
    PasswordHash::new(format!("$argon2id$hash-{n}"))
}

fn session(account: &Account, secret: u8, proved_by: Option<PasswordHash>) -> NewSession {
    NewSession {
        id: SessionId::new(id()),
        account: account.id,
        secret: SecretHash([secret; 32]),
        proved_by,
        opened_at: at(0),
        expires_at: at(HOUR),
    }
}

/// The id of an e-mail that is due.
async fn due(world: &World, topic: Topic) -> DeliveryId {
    let request = LeaseRequest { queue: Queue::Mail, topics: vec![topic], lease: Duration::from_hours(1), limit: 1 };
    world.outbox().lease(&request).await.unwrap().deliveries[0].id
}

/// A token as an e-mail to this address would contain it.
async fn token(world: &World, purpose: TokenPurpose, account: &Account, n: u64) -> SecretHash {
    let topic = match purpose {
        TokenPurpose::Verify => Topic::AccountVerify,
        TokenPurpose::Reset => Topic::AccountReset,
    };
    // Only one e-mail of each topic may wait at a time.
    world.sql(&format!(
        "UPDATE outbox SET state = 'sent', sent_at = now() WHERE state = 'waiting' AND topic = '{}'",
        topic.as_str()
    ));
    world.outbox().request_email(topic, &account.email, at(1)).await.unwrap();
    let message = due(world, topic).await;
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&n.to_be_bytes());
    let hash = SecretHash(bytes);
    let new = NewAccountToken { hash, purpose, message, created_at: at(1), expires_at: at(HOUR) };
    world.account_tokens().store(&new, &account.email, EmailLimit { most: 100, since: at(-HOUR) }).await.unwrap();
    hash
}

async fn topics_to(world: &World, email: &str) -> Vec<Topic> {
    let query = DeliveryQuery { state: DeliveryState::Waiting, page: Pagination::whole() };
    let listed = world.outbox().list(&query).await.unwrap().items;
    listed
        .iter()
        .rev()
        .filter(|one| one.to.as_ref().is_some_and(|to| to.as_str() == email))
        .map(|one| one.topic)
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_verified_google_address_gets_a_new_account_or_is_linked_to_a_proved_one() {
    let world = World::fresh().await;
    let made = claim("new@example.com", "new", 5);
    assert_eq!(world.ownership().claim(&made).await.unwrap(), GoogleClaimed::Made(made.account.clone()));
    let known = world.ownership().by_google(&google("new")).await.unwrap().unwrap();
    assert!(known.google_linked && known.password.is_none() && known.account.proved_at.is_some());
    let elsewhere = GoogleSubject { issuer: "https://other.example".to_owned(), ..google("new") };
    assert_eq!(world.ownership().by_google(&elsewhere).await.unwrap(), None);

    let ada = world.customer("ada@example.com").await;
    let kept = session(&ada, 1, None);
    assert!(world.sessions().open(&kept).await.unwrap());
    let linked = world.ownership().claim(&claim("ada@example.com", "ada", 6)).await.unwrap();
    assert_eq!(linked, GoogleClaimed::Linked(ada.clone()));
    let found = world.accounts().by_email(&ada.email).await.unwrap().unwrap();
    assert_eq!(found.password, new_account(&ada).password);
    assert!(world.sessions().by_id(kept.id, at(10)).await.unwrap().is_some());
    assert_eq!(topics_to(&world, "ada@example.com").await, [Topic::AccountGoogleLinked]);
    // Another Google account with the same address is another person.
    assert_eq!(world.ownership().claim(&claim("ada@example.com", "eve", 7)).await.unwrap(), GoogleClaimed::SignInFirst);
}

#[tokio::test(flavor = "multi_thread")]
async fn taking_over_an_unproved_account_leaves_nothing_to_the_attacker() {
    let world = World::fresh().await;
    let eve = unproved("ada@example.com");
    world.accounts().add(&new_account(&eve)).await.unwrap();
    let open = session(&eve, 1, None);
    assert!(world.sessions().open(&open).await.unwrap());
    let (verify, reset) =
        (token(&world, TokenPurpose::Verify, &eve, 1).await, token(&world, TokenPurpose::Reset, &eve, 2).await);
    let product = world.product(500).await;
    let unpaid = world.fifty(&eve, &product).await;
    world.sql(&format!(
        "INSERT INTO profiles (account_id, lives_in, saved_at) VALUES ('{}', 'Elsewhere', now())",
        eve.id
    ));

    let GoogleClaimed::TakenOver(taken) =
        world.ownership().claim(&claim("ada@example.com", "ada", 1_000)).await.unwrap()
    else {
        panic!("not taken over")
    };
    assert_eq!((taken.id, taken.display_name.as_str()), (eve.id, "By Google"));
    assert!(taken.proved_at.is_some());
    let found = world.accounts().by_email(&eve.email).await.unwrap().unwrap();
    assert!(found.password.is_none() && found.google_linked);
    assert_eq!(world.sessions().by_id(open.id, at(1_001)).await.unwrap(), None);
    assert!(!world.sessions().open(&session(&eve, 2, new_account(&eve).password)).await.unwrap());
    assert_eq!(world.ownership().owner_of(&verify, at(1_001)).await.unwrap(), None);
    assert_eq!(world.account_tokens().reset_password(&reset, &password(9), at(1_001)).await.unwrap(), None);
    assert_eq!(world.count("SELECT count(*) FROM profiles"), 0);
    assert_eq!(world.ownership().abandoned_orders(None, 10).await.unwrap(), [unpaid.id]);
    assert_eq!(world.ownership().abandoned_orders(Some(unpaid.id), 10).await.unwrap(), []);
    assert!(topics_to(&world, "ada@example.com").await.contains(&Topic::AccountTakenOver));

    // Once they are cancelled, nothing is left to do; what the owner orders later stays.
    world.write(&unpaid.clone().cancel(crate::world::meta(1_002, domain::Actor::Shop)).unwrap()).await;
    assert_eq!(world.ownership().abandoned_orders(None, 10).await.unwrap(), []);
    assert_eq!(world.count("SELECT count(*) FROM accounts WHERE cancel_orders_before IS NOT NULL"), 0);
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_claims_of_an_address_all_get_one_account() {
    let world = World::with_pool(8).await;
    let outcomes = concurrently(8, |_| {
        let (database, claim) = (world.database.clone(), claim("ada@example.com", "ada", 5));
        async move { ports::OwnershipRepository::claim(&database, &claim).await.unwrap() }
    })
    .await;
    assert_eq!(outcomes.iter().filter(|outcome| matches!(outcome, GoogleClaimed::Made(_))).count(), 1, "{outcomes:?}");
    assert!(outcomes.iter().all(|outcome| matches!(outcome, GoogleClaimed::Made(_) | GoogleClaimed::Linked(_))));
    assert_eq!(world.count("SELECT count(*) FROM accounts"), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_admin_account_is_linked_by_its_signed_in_owner_and_never_by_address() {
    let world = World::fresh().await;
    let boss = world.account_as("boss@example.com", Role::Admin).await;
    assert_eq!(
        world.ownership().claim(&claim("boss@example.com", "boss", 5)).await.unwrap(),
        GoogleClaimed::SignInFirst
    );
    let link = GoogleLink { account: boss.id, google: google("boss"), proves: false, at: at(6) };
    assert_eq!(world.ownership().link_google(&link).await.unwrap(), Linking::Linked);
    assert_eq!(world.ownership().link_google(&link).await.unwrap(), Linking::Same);
    let other = GoogleLink { google: google("other"), ..link.clone() };
    assert_eq!(world.ownership().link_google(&other).await.unwrap(), Linking::Taken);
    let bob = world.customer("bob@example.com").await;
    let anothers = GoogleLink { account: bob.id, ..link };
    assert_eq!(world.ownership().link_google(&anothers).await.unwrap(), Linking::Taken);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unproved_account_loses_a_linked_google_account_on_password_reset() {
    let world = World::fresh().await;
    let eve = unproved("ada@example.com");
    world.accounts().add(&new_account(&eve)).await.unwrap();
    let link = GoogleLink { account: eve.id, google: google("eve"), proves: false, at: at(6) };
    assert_eq!(world.ownership().link_google(&link).await.unwrap(), Linking::Unproved);
    // As an earlier release allowed.
    world.sql("UPDATE accounts SET google_subject = 'eve'");
    let reset = token(&world, TokenPurpose::Reset, &eve, 1).await;
    world.account_tokens().reset_password(&reset, &password(1), at(7)).await.unwrap().unwrap();
    assert_eq!(world.ownership().by_google(&google("eve")).await.unwrap(), None);
    let methods = world.ownership().sign_in_methods(eve.id).await.unwrap().unwrap();
    assert!(methods.password && !methods.google && methods.proved);
    assert!(topics_to(&world, "ada@example.com").await.contains(&Topic::AccountPasswordSet));
}

#[tokio::test(flavor = "multi_thread")]
async fn unlinking_google_ends_all_other_sessions_and_is_refused_for_the_last_sign_in_method() {
    let world = World::fresh().await;
    let ada = world.customer("ada@example.com").await;
    let (here, elsewhere) = (session(&ada, 1, None), session(&ada, 2, None));
    assert!(world.sessions().open(&here).await.unwrap() && world.sessions().open(&elsewhere).await.unwrap());
    let unlink =
        async |account: &Account, asking| world.ownership().unlink_google(account.id, asking, at(9)).await.unwrap();
    assert_eq!(unlink(&ada, here.id).await, Unlinking::NotLinked);
    world.ownership().claim(&claim("ada@example.com", "ada", 5)).await.unwrap();
    assert_eq!(unlink(&ada, here.id).await, Unlinking::Unlinked);
    assert!(world.sessions().by_id(here.id, at(10)).await.unwrap().is_some());
    assert!(world.sessions().by_id(elsewhere.id, at(10)).await.unwrap().is_none());
    let GoogleClaimed::Made(bare) = world.ownership().claim(&claim("bare@example.com", "bare", 5)).await.unwrap()
    else {
        panic!("not made")
    };
    assert_eq!(unlink(&bare, here.id).await, Unlinking::LastWay);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_confirmation_link_proves_only_with_a_live_session_or_the_current_password() {
    let world = World::fresh().await;
    let ada = unproved("ada@example.com");
    world.accounts().add(&new_account(&ada)).await.unwrap();
    let link = token(&world, TokenPurpose::Verify, &ada, 1).await;
    let closed = session(&ada, 1, None);
    world.sessions().open(&closed).await.unwrap();
    world.sessions().close(closed.id, at(2)).await.unwrap();
    let bob = world.customer("bob@example.com").await;
    let bobs = session(&bob, 2, None);
    world.sessions().open(&bobs).await.unwrap();
    for none in [OwnerProof::Session(closed.id), OwnerProof::Session(bobs.id), OwnerProof::Password(password(9))] {
        assert_eq!(world.ownership().confirm(&link, &none, at(5)).await.unwrap(), None, "{none:?}");
    }
    let proof = OwnerProof::Password(new_account(&ada).password.unwrap());
    assert_eq!(world.ownership().confirm(&link, &proof, at(6)).await.unwrap(), Some(ada.email.clone()));
    assert_eq!(world.ownership().confirm(&link, &proof, at(7)).await.unwrap(), None);
    assert_eq!(world.accounts().find(ada.id).await.unwrap().unwrap().proved_at, Some(at(6)));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_attackers_account_can_be_deleted_and_its_address_is_free_again() {
    let world = World::fresh().await;
    let eve = unproved("ada@example.com");
    world.accounts().add(&new_account(&eve)).await.unwrap();
    let link = token(&world, TokenPurpose::Verify, &eve, 1).await;
    assert_eq!(world.ownership().delete(&link, at(5)).await.unwrap(), Deletion::Deleted);
    assert_eq!(world.ownership().delete(&link, at(6)).await.unwrap(), Deletion::Gone);
    assert_eq!(world.accounts().by_email(&eve.email).await.unwrap(), None);
    world.accounts().add(&new_account(&unproved("ada@example.com"))).await.unwrap();
    let boss = Account { role: Role::Admin, ..unproved("boss@example.com") };
    world.accounts().add(&new_account(&boss)).await.unwrap();
    let link = token(&world, TokenPurpose::Verify, &boss, 2).await;
    assert_eq!(world.ownership().delete(&link, at(7)).await.unwrap(), Deletion::Admin);
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_admins_account_is_not_taken_over_by_whoever_reads_its_mail() {
    let world = World::fresh().await;
    let boss = Account { role: Role::Admin, ..unproved("boss@example.com") };
    world.accounts().add(&new_account(&boss)).await.unwrap();
    let link = token(&world, TokenPurpose::Verify, &boss, 1).await;
    assert_eq!(world.ownership().take_over(&link, &password(2), at(5)).await.unwrap(), TakeOver::Admin);
    // The link was not used up, and the password is the admin's own.
    let proof = OwnerProof::Password(new_account(&boss).password.unwrap());
    assert_eq!(world.ownership().confirm(&link, &proof, at(6)).await.unwrap(), Some(boss.email.clone()));
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_held_sign_in_is_finished_once_by_its_browser_with_one_of_its_links() {
    let world = World::fresh().await;
    let identity = GoogleIdentity {
        google: google("sam"),
        email: "sam@example.com".parse().unwrap(),
        email_is_authoritative: false,
        name: Some("Sam\0".to_owned()),
        picture: None,
    };
    let sign_in = PendingSignIn { identity, destination: "/shop".to_owned() };
    let window = |now| PendingSignInLimit { now: at(now), until: at(now + HOUR), most: 3, since: at(now - HOUR) };
    let (browser, other) = (SecretHash([1; 32]), SecretHash([2; 32]));
    world.ownership().store_pending_sign_in(&sign_in, &browser, window(0)).await.unwrap();
    let email = due(&world, Topic::AccountGoogleConfirm).await;
    let (first, second) = (SecretHash([3; 32]), SecretHash([4; 32]));
    assert!(world.ownership().add_pending_token(email, &first, at(1)).await.unwrap());
    assert!(world.ownership().add_pending_token(email, &second, at(2)).await.unwrap());
    assert_eq!(world.ownership().finish_pending_sign_in(&other, &first, at(3)).await.unwrap(), None);
    assert_eq!(world.ownership().finish_pending_sign_in(&browser, &other, at(3)).await.unwrap(), None);
    assert_eq!(world.ownership().finish_pending_sign_in(&browser, &first, at(HOUR)).await.unwrap(), None);
    let finished = world.ownership().finish_pending_sign_in(&browser, &first, at(3)).await.unwrap().unwrap();
    assert_eq!((finished.identity.google, finished.destination.as_str()), (google("sam"), "/shop"));
    assert_eq!(world.ownership().finish_pending_sign_in(&browser, &second, at(3)).await.unwrap(), None);
    assert!(!world.ownership().add_pending_token(email, &other, at(4)).await.unwrap());
    // However many are requested, three e-mails are sent per hour.
    for n in 10..20 {
        world.ownership().store_pending_sign_in(&sign_in, &SecretHash([n; 32]), window(5)).await.unwrap();
    }
    assert_eq!(world.count("SELECT count(*) FROM google_sign_ins"), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unconfirmed_address_gets_three_emails_an_hour_and_a_confirmed_one_has_no_limit() {
    let world = World::with_pool(8).await;
    let eve = unproved("eve@example.com");
    world.accounts().add(&new_account(&eve)).await.unwrap();
    let bound = |now| EmailLimit { most: 3, since: at(now - HOUR) };
    let mut emails = Vec::new();
    for _ in 0..8 {
        world.outbox().request_email(Topic::AccountRoleGiven, &eve.email, at(0)).await.unwrap();
        emails.push(due(&world, Topic::AccountRoleGiven).await);
    }
    let outcomes = concurrently(8, |n| {
        let (database, email, to) = (world.database.clone(), emails[n as usize], eve.email.clone());
        async move { ports::OwnershipRepository::recipient(&database, email, &to, bound(10), at(10)).await.unwrap() }
    })
    .await;
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == Recipient::Unconfirmed).count(), 3, "{outcomes:?}");
    let full = Recipient::Full(at(10 + HOUR));
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == full).count(), 5, "{outcomes:?}");
    // A retry of the same e-mail counts once, and an hour later there is room again.
    let sent = (0..8).find(|n| outcomes[*n] == Recipient::Unconfirmed).unwrap();
    let again = world.ownership().recipient(emails[sent], &eve.email, bound(20), at(20)).await.unwrap();
    assert_eq!(again, Recipient::Unconfirmed);
    let later = world.ownership().recipient(emails[7], &eve.email, bound(11 + HOUR), at(11 + HOUR)).await.unwrap();
    assert_eq!(later, Recipient::Unconfirmed);
    let ada = world.customer("ada@example.com").await;
    assert_eq!(
        world.ownership().recipient(emails[0], &ada.email, bound(10), at(10)).await.unwrap(),
        Recipient::Confirmed
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn old_sign_ins_and_counted_emails_are_deleted_in_batches() {
    let world = World::fresh().await;
    world.sql(
        "INSERT INTO outbox (channel, topic, email, created_at, due_at)
        SELECT 'mail', 'account.role_given', n || '@example.com', now(), now() FROM generate_series(1, 9) AS n",
    );
    world.sql(
        "INSERT INTO google_sign_ins
            (outbox_id, email, issuer, subject, destination, browser_hash, made_at, expires_at)
        SELECT id, email, 'google', email, '/', sha256(email::bytea), '2020-01-01Z',
            CASE email WHEN '1@example.com' THEN timestamptz '2020-01-03Z' ELSE '2020-01-02Z' END
        FROM outbox WHERE email < '6'",
    );
    world.sql(
        "INSERT INTO unconfirmed_mail (outbox_id, email, at)
        SELECT id, email, CASE email WHEN '9@example.com' THEN timestamptz '2020-01-03Z' ELSE '2020-01-01Z' END
        FROM outbox WHERE email >= '6'",
    );
    let before = "2020-01-02T12:00:00Z".parse().unwrap();
    // Four sign-ins and three e-mails are old: the second batch takes from both tables.
    for deleted in [3, 3, 1, 0] {
        assert_eq!(world.ownership().forget(before, 3).await.unwrap(), deleted);
    }
    assert_eq!(world.count("SELECT count(*) FROM google_sign_ins WHERE email = '1@example.com'"), 1);
    assert_eq!(world.count("SELECT count(*) FROM unconfirmed_mail WHERE email = '9@example.com'"), 1);
    assert_eq!(
        world.count("SELECT (SELECT count(*) FROM google_sign_ins) + (SELECT count(*) FROM unconfirmed_mail)"),
        2
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn admin_promotion_can_require_a_proved_address_and_notifies_the_admins() {
    let world = World::fresh().await;
    world.account_as("boss@example.com", Role::Admin).await;
    let eve = unproved("eve@example.com");
    world.accounts().add(&new_account(&eve)).await.unwrap();
    let grant = |needs_proof| RoleGrant { role: Role::Admin, needs_proof, at: at(5) };
    assert_eq!(world.accounts().set_role(&eve.email, grant(true)).await.unwrap(), RoleChange::Unproved);
    assert!(!topics_to(&world, "boss@example.com").await.contains(&Topic::AccountAdminAdded));
    assert_eq!(world.accounts().set_role(&eve.email, grant(false)).await.unwrap(), RoleChange::Changed);
    assert!(topics_to(&world, "eve@example.com").await.contains(&Topic::AccountRoleGiven));
    assert_eq!(topics_to(&world, "boss@example.com").await, [Topic::AccountAdminAdded]);
    let notice = due(&world, Topic::AccountAdminAdded).await;
    assert_eq!(world.ownership().account_of_notice(notice).await.unwrap(), Some(eve.email));
}

/// Events at an address that an attacker signed up with before its owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// The attacker logs in with their own password.
    AttackerLogsIn,
    /// The attacker links their own Google account while signed in.
    AttackerLinksGoogle,
    /// The attacker continues with their own Google account.
    AttackerContinuesWithGoogle,
    /// The owner opens the confirmation link without the account's session or password.
    OwnerOpensTheLink,
    /// The owner sets a password by an e-mailed link.
    OwnerResets,
    /// The owner takes the account over by the confirmation link.
    OwnerTakesOver,
    /// The owner continues with Google, which has verified the address.
    OwnerContinuesWithGoogle,
    /// The account is made an admin.
    Promotion,
}

const STEPS: [Step; 8] = [
    Step::AttackerLogsIn,
    Step::AttackerLinksGoogle,
    Step::AttackerContinuesWithGoogle,
    Step::OwnerOpensTheLink,
    Step::OwnerResets,
    Step::OwnerTakesOver,
    Step::OwnerContinuesWithGoogle,
    Step::Promotion,
];

/// Plays a sequence for a new address. Returns what of the attacker's still gives access to the account although its
/// owner has entered. `old` links Google as an earlier release did.
#[expect(clippy::too_many_lines, reason = "one arm per step")]
async fn remaining_access(world: &World, n: u64, steps: &[Step], old: bool) -> Option<&'static str> {
    let email = format!("customer.{n}@example.com");
    let account = unproved(&email);
    let attackers_password = PasswordHash::new(format!("$argon2id$attacker-{n}"));
    world
        .accounts()
        .add(&ports::NewAccount { account: account.clone(), password: Some(attackers_password.clone()) })
        .await
        .unwrap();
    let mut sessions = vec![open(world, &account, n * 100).await];
    let (eve, ada) = (format!("eve-{n}"), format!("ada-{n}"));
    let mut owner_entered = false;
    for (step, count) in steps.iter().zip(n * 100 + 1..) {
        let second = 10 + i64::try_from(count % 100).unwrap();
        match step {
            Step::AttackerLogsIn => {
                let new =
                    NewSession { secret: secret(count), ..session(&account, 0, Some(attackers_password.clone())) };
                if world.sessions().open(&new).await.unwrap() {
                    sessions.push(new);
                }
            }
            Step::AttackerLinksGoogle => {
                let signed_in = is_any_live(world, &sessions, second).await;
                let link = GoogleLink { account: account.id, google: google(&eve), proves: false, at: at(second) };
                if signed_in {
                    world.ownership().link_google(&link).await.unwrap();
                }
            }
            Step::AttackerContinuesWithGoogle => {
                if opens(world, &eve).await {
                    sessions.push(open(world, &account, count).await);
                }
            }
            Step::OwnerOpensTheLink => {
                let link = token(world, TokenPurpose::Verify, &account, count).await;
                let none = OwnerProof::Session(SessionId::new(id()));
                world.ownership().confirm(&link, &none, at(second)).await.unwrap();
            }
            Step::OwnerResets => {
                let link = token(world, TokenPurpose::Reset, &account, count).await;
                owner_entered |=
                    world.account_tokens().reset_password(&link, &password(1), at(second)).await.unwrap().is_some();
            }
            Step::OwnerTakesOver => {
                let link = token(world, TokenPurpose::Verify, &account, count).await;
                owner_entered |= matches!(
                    world.ownership().take_over(&link, &password(2), at(second)).await.unwrap(),
                    TakeOver::Taken(_)
                );
            }
            Step::OwnerContinuesWithGoogle if old => {
                world.sql(&format!(
                    "UPDATE accounts SET google_subject = '{ada}', email_verified_at = now()
                    WHERE email = '{email}' AND google_subject IS NULL"
                ));
                owner_entered = true;
            }
            Step::OwnerContinuesWithGoogle => {
                let claimed = world.ownership().claim(&claim(&email, &ada, second)).await.unwrap();
                owner_entered |= claimed != GoogleClaimed::SignInFirst;
            }
            Step::Promotion => {
                let grant = RoleGrant { role: Role::Admin, needs_proof: true, at: at(second) };
                let promoted = world.accounts().set_role(&account.email, grant).await.unwrap();
                if promoted == RoleChange::Changed && !owner_entered {
                    return Some("the admin role");
                }
            }
        }
    }
    if !owner_entered {
        return None;
    }
    let login = NewSession { secret: secret(n * 100 + 99), ..session(&account, 0, Some(attackers_password)) };
    if world.sessions().open(&login).await.unwrap() {
        return Some("a password");
    }
    if is_any_live(world, &sessions, 200).await {
        return Some("a session");
    }
    opens(world, &eve).await.then_some("a Google account")
}

fn secret(n: u64) -> SecretHash {
    let mut bytes = [1; 32];
    bytes[..8].copy_from_slice(&n.to_be_bytes());
    SecretHash(bytes)
}

async fn open(world: &World, account: &Account, n: u64) -> NewSession {
    let new = NewSession { secret: secret(n), ..session(account, 0, None) };
    assert!(world.sessions().open(&new).await.unwrap());
    new
}

async fn is_any_live(world: &World, sessions: &[NewSession], second: i64) -> bool {
    for session in sessions {
        if world.sessions().by_id(session.id, at(second)).await.unwrap().is_some() {
            return true;
        }
    }
    false
}

async fn opens(world: &World, subject: &str) -> bool {
    world.ownership().by_google(&google(subject)).await.unwrap().is_some_and(|found| found.google_linked)
}

/// Every sequence of two steps, and three hundred of three to six.
fn sequences() -> Vec<Vec<Step>> {
    let mut all: Vec<Vec<Step>> = STEPS.iter().flat_map(|one| STEPS.iter().map(|two| vec![*one, *two])).collect();
    let mut runner = TestRunner::new_with_rng(
        Config::default(),
        proptest::test_runner::TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha),
    );
    let some = proptest::collection::vec(proptest::sample::select(&STEPS[..]), 3..=6);
    all.extend((0..300).map(|_| some.new_tree(&mut runner).unwrap().current()));
    all
}

#[tokio::test(flavor = "multi_thread")]
async fn no_sequence_leaves_an_attacker_access_to_an_account_its_owner_has_entered() {
    let world = World::fresh().await;
    world.account_as("boss@example.com", Role::Admin).await;
    for (n, steps) in (1..).zip(sequences()) {
        assert_eq!(remaining_access(&world, n, &steps, false).await, None, "{steps:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_test_detects_the_flaw_of_the_earlier_rules() {
    let world = World::fresh().await;
    let steps = [Step::OwnerContinuesWithGoogle];
    assert_eq!(remaining_access(&world, 1, &steps, true).await, Some("a password"));
}
