//! Passkeys, authenticator apps and recovery codes: what is accepted once, and what goes with what.

use std::time::Duration;

use domain::accounts::second_factor::PASSKEYS_MAX;
use domain::{Account, Email, PasskeyId, Role, SecondFactor, SessionId, Text};
use ports::{
    ChallengePurpose, CodeAttempt, CodeAttemptId, FactorAdded, FactorAddition, FactorName, FactorRemoved, GoogleClaim,
    GoogleClaimed, GoogleSubject, MadePasskey, NewChallenge, NewFactor, NewSession, PasskeyCredential, PasswordHash,
    Proof, RoleChange, RoleGrant, SealedAppSecret, SecondFactors, SecretHash,
};

use crate::world::{World, at, concurrently, id};

const DAY: i64 = 24 * 3_600;

fn factors(world: &World) -> &dyn SecondFactors {
    &world.database
}

/// An account whose address is proved.
async fn proved(world: &World, email: &str, role: Role) -> Account {
    let account = world.account_as(email, role).await;
    world.sql(&format!("UPDATE accounts SET proved_at = now(), email_verified_at = now() WHERE email = '{email}'"));
    account
}

async fn open(world: &World, account: &Account, secret: u8) -> SessionId {
    let session = NewSession {
        id: SessionId::new(id()),
        account: account.id,
        secret: SecretHash([secret; 32]),
        proved_by: None,
        opened_at: at(0),
        expires_at: at(30 * DAY),
    };
    assert!(world.sessions().open(&session).await.unwrap());
    session.id
}

/// Two customers with proved addresses, each with a session.
async fn two_customers(world: &World) -> [(Account, SessionId); 2] {
    let ada = proved(world, "ada@example.com", Role::Customer).await;
    let bob = proved(world, "bob@example.com", Role::Customer).await;
    let sessions = (open(world, &ada, 1).await, open(world, &bob, 2).await);
    [(ada, sessions.0), (bob, sessions.1)]
}

fn app(step: i64) -> NewFactor {
    NewFactor::App { secret: SealedAppSecret(vec![1]), step }
}

fn passkey(number: u8) -> NewFactor {
    let made = MadePasskey { credential_id: vec![number; 16], credential: PasskeyCredential(format!("key {number}")) };
    NewFactor::Passkey { id: PasskeyId::new(id()), made, name: Text::new("Laptop").unwrap() }
}

fn adding(account: &Account, session: SessionId, factor: NewFactor) -> FactorAddition {
    let recovery_codes = (1..=3).map(|code| SecretHash([code; 32])).collect();
    FactorAddition { account: account.id, session, factor, recovery_codes, at: at(10) }
}

async fn state(world: &World, session: SessionId) -> Option<SecondFactor> {
    world.sessions().by_id(session, at(20)).await.unwrap().map(|caller| caller.second_factor)
}

fn mails(world: &World, topic: &str, to: &Email) -> i64 {
    world.count(&format!("SELECT count(*) FROM outbox WHERE topic = '{topic}' AND email = '{to}'"))
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_factor_ends_the_other_sessions_and_brings_recovery_codes() {
    let world = World::fresh().await;
    let ada = proved(&world, "ada@example.com", Role::Customer).await;
    let (here, elsewhere) = (open(&world, &ada, 1).await, open(&world, &ada, 2).await);
    assert_eq!(state(&world, here).await, Some(SecondFactor::None));
    assert_eq!(factors(&world).add(&adding(&ada, here, app(7))).await.unwrap(), FactorAdded::First);
    assert_eq!(state(&world, here).await, Some(SecondFactor::Proved(at(10))));
    assert_eq!(state(&world, elsewhere).await, None, "it was opened without the factor");
    let later = open(&world, &ada, 3).await;
    assert_eq!(state(&world, later).await, Some(SecondFactor::Unproved));
    let mut second = adding(&ada, later, passkey(4));
    second.recovery_codes = vec![SecretHash([9; 32])];
    assert_eq!(factors(&world).add(&second).await.unwrap(), FactorAdded::Another);
    assert_eq!(state(&world, here).await, Some(SecondFactor::Proved(at(10))), "a further factor ends no session");
    let stored = factors(&world).of(ada.id).await.unwrap();
    assert_eq!((stored.count(), stored.recovery_codes), (2, 3), "the codes of the first stay");
    assert_eq!(mails(&world, "account.second_factor_added", &ada.email), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_that_nobody_has_proved_gets_no_factor_unless_it_is_an_admins() {
    let world = World::fresh().await;
    let (ada, boss) =
        (world.customer("ada@example.com").await, world.account_as("boss@example.com", Role::Admin).await);
    world.sql("UPDATE accounts SET proved_at = NULL");
    let session = open(&world, &ada, 1).await;
    assert!(!factors(&world).of(ada.id).await.unwrap().may_add);
    assert_eq!(factors(&world).add(&adding(&ada, session, app(7))).await.unwrap(), FactorAdded::Unproved);
    assert_eq!(state(&world, session).await, Some(SecondFactor::None));
    let session = open(&world, &boss, 2).await;
    assert!(factors(&world).of(boss.id).await.unwrap().may_add);
    assert_eq!(factors(&world).add(&adding(&boss, session, app(7))).await.unwrap(), FactorAdded::First);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_passkey_has_one_owner_and_an_account_so_many_passkeys() {
    let world = World::fresh().await;
    let [(ada, adas), (bob, bobs)] = two_customers(&world).await;
    for number in 0..u8::try_from(PASSKEYS_MAX).unwrap() {
        let added = factors(&world).add(&adding(&ada, adas, passkey(number))).await.unwrap();
        assert_ne!(added, FactorAdded::Refused, "{number}");
    }
    assert_eq!(factors(&world).add(&adding(&ada, adas, passkey(200))).await.unwrap(), FactorAdded::Refused);
    assert_eq!(factors(&world).add(&adding(&bob, bobs, passkey(3))).await.unwrap(), FactorAdded::Refused);
    assert_eq!(state(&world, bobs).await, Some(SecondFactor::None), "what was refused changed nothing");
}

/// A code of the app whose secret was read, which is sealed anew as 2.
fn code(step: i64, read: &SealedAppSecret) -> Proof {
    Proof::Code { step, read: read.clone(), secret: SealedAppSecret(vec![2]), attempt: CodeAttemptId(0) }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_code_of_an_app_that_was_replaced_meanwhile_does_not_bring_it_back() {
    let world = World::fresh().await;
    let ada = proved(&world, "ada@example.com", Role::Customer).await;
    let session = open(&world, &ada, 1).await;
    factors(&world).add(&adding(&ada, session, app(7))).await.unwrap();
    let read = factors(&world).of(ada.id).await.unwrap().app.unwrap().secret;
    let other = NewFactor::App { secret: SealedAppSecret(vec![9]), step: 7 };
    factors(&world).add(&adding(&ada, session, other)).await.unwrap();
    assert!(!factors(&world).accept(ada.id, session, &code(8, &read), at(30)).await.unwrap());
    assert_eq!(factors(&world).of(ada.id).await.unwrap().app.unwrap().secret, SealedAppSecret(vec![9]));
}

#[tokio::test(flavor = "multi_thread")]
async fn every_proof_is_accepted_once_however_many_arrive_together() {
    let world = World::fresh().await;
    let ada = proved(&world, "ada@example.com", Role::Customer).await;
    let first = open(&world, &ada, 1).await;
    factors(&world).add(&adding(&ada, first, app(7))).await.unwrap();
    let session = open(&world, &ada, 2).await;
    let secret = factors(&world).of(ada.id).await.unwrap().app.unwrap().secret;
    let code = |step| code(step, &secret);
    for (proof, accepted) in [(code(7), 0), (code(8), 1), (code(8), 0), (Proof::Recovery(SecretHash([2; 32])), 1)] {
        let accepts = concurrently(8, |_| {
            let (database, account, proof) = (world.database.clone(), ada.id, proof.clone());
            async move { database.accept(account, session, &proof, at(30)).await.unwrap() }
        });
        assert_eq!(accepts.await.into_iter().filter(|ok| *ok).count(), accepted, "{proof:?}");
    }
    assert_eq!(state(&world, session).await, Some(SecondFactor::Proved(at(30))));
    let stored = factors(&world).of(ada.id).await.unwrap();
    assert_eq!(stored.app.unwrap().secret, SealedAppSecret(vec![2]), "sealed anew");
    assert_eq!(stored.recovery_codes, 2);
    assert_eq!(mails(&world, "account.recovery_code_used", &ada.email), 1);
    // The last of them is a code of the app that there was before it was sealed anew.
    for nobodys in [Proof::Recovery(SecretHash([77; 32])), code(7), code(9)] {
        assert!(!factors(&world).accept(ada.id, session, &nobodys, at(31)).await.unwrap(), "{nobodys:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_passkey_proves_its_owner_and_nobody_else() {
    let world = World::fresh().await;
    let [(ada, adas), (bob, bobs)] = two_customers(&world).await;
    factors(&world).add(&adding(&ada, adas, passkey(1))).await.unwrap();
    factors(&world).add(&adding(&bob, bobs, app(7))).await.unwrap();
    let passkey = factors(&world).of(ada.id).await.unwrap().passkeys[0].id;
    let credential = PasskeyCredential("key 1, counted".into());
    let proof = Proof::Signature { passkey, credential: credential.clone() };
    assert!(!factors(&world).accept(bob.id, bobs, &proof, at(30)).await.unwrap());
    assert!(factors(&world).accept(ada.id, adas, &proof, at(30)).await.unwrap());
    let stored = factors(&world).of(ada.id).await.unwrap().passkeys;
    assert_eq!((&stored[0].credential, stored[0].last_used_at), (&credential, Some(at(30))));
}

#[tokio::test(flavor = "multi_thread")]
async fn codes_are_looked_at_ten_times_in_a_quarter_of_an_hour_and_fifty_times_a_day() {
    let world = World::fresh().await;
    let ada = proved(&world, "ada@example.com", Role::Customer).await;
    let session = open(&world, &ada, 1).await;
    factors(&world).add(&adding(&ada, session, app(7))).await.unwrap();
    let attempt = async |second| factors(&world).count_attempt(ada.id, at(second)).await.unwrap();
    let together = concurrently(30, |_| {
        let (database, account) = (world.database.clone(), ada.id);
        async move { database.count_attempt(account, at(0)).await.unwrap() }
    })
    .await;
    assert_eq!(together.iter().filter(|one| matches!(one, CodeAttempt::Check(_))).count(), 10);
    assert_eq!(attempt(600).await, CodeAttempt::Wait(Duration::from_mins(5)));
    for round in 1..5 {
        for _ in 0..10 {
            assert!(matches!(attempt(round * 900).await, CodeAttempt::Check(_)), "{round}");
        }
    }
    assert_eq!(attempt(5 * 900).await, CodeAttempt::Wait(Duration::from_secs(u64::try_from(DAY - 5 * 900).unwrap())));
    let CodeAttempt::Check(attempt) = attempt(DAY).await else { panic!("a day is over") };
    let before = world.count("SELECT count(*) FROM code_attempts");
    let secret = factors(&world).of(ada.id).await.unwrap().app.unwrap().secret;
    let proof = Proof::Code { step: 8, read: secret.clone(), secret, attempt };
    assert!(factors(&world).accept(ada.id, session, &proof, at(DAY)).await.unwrap());
    assert_eq!(world.count("SELECT count(*) FROM code_attempts"), before - 1, "those before it may be a guesser's");
    assert!(factors(&world).accept(ada.id, session, &Proof::Recovery(SecretHash([2; 32])), at(DAY)).await.unwrap());
    assert_eq!(world.count("SELECT count(*) FROM code_attempts"), before - 1, "a recovery code forgives none");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_challenge_is_taken_once_by_its_session_and_in_time() {
    let world = World::fresh().await;
    let ada = world.customer("ada@example.com").await;
    let (here, elsewhere) = (open(&world, &ada, 1).await, open(&world, &ada, 2).await);
    let purpose = ChallengePurpose::AddPasskey;
    let challenge = |state| NewChallenge { session: here, purpose, state: vec![state], expires_at: at(600) };
    for state in [1, 2] {
        factors(&world).keep_challenge(&challenge(state)).await.unwrap();
    }
    assert_eq!(factors(&world).challenge(here, purpose, at(599)).await.unwrap(), Some(vec![2]), "the later one");
    assert_eq!(factors(&world).challenge(here, purpose, at(600)).await.unwrap(), None);
    for (session, purpose) in [(elsewhere, purpose), (here, ChallengePurpose::ProvePasskey)] {
        assert_eq!(factors(&world).take_challenge(session, purpose, at(1)).await.unwrap(), None);
    }
    let taken = concurrently(8, |_| {
        let database = world.database.clone();
        async move { database.take_challenge(here, purpose, at(599)).await.unwrap() }
    })
    .await;
    assert_eq!(taken.into_iter().flatten().count(), 1);
    factors(&world).keep_challenge(&challenge(3)).await.unwrap();
    assert_eq!(factors(&world).take_challenge(here, purpose, at(600)).await.unwrap(), None, "too late");
}

#[tokio::test(flavor = "multi_thread")]
async fn with_the_last_factor_go_the_recovery_codes_and_an_admin_keeps_it() {
    let world = World::fresh().await;
    let boss = proved(&world, "boss@example.com", Role::Admin).await;
    let session = open(&world, &boss, 1).await;
    factors(&world).add(&adding(&boss, session, app(7))).await.unwrap();
    factors(&world).add(&adding(&boss, session, passkey(1))).await.unwrap();
    let passkey = FactorName::Passkey(factors(&world).of(boss.id).await.unwrap().passkeys[0].id);
    let remove = async |factor, required| factors(&world).remove(boss.id, factor, required, at(30)).await.unwrap();
    assert_eq!(remove(FactorName::Passkey(PasskeyId::new(id())), true).await, FactorRemoved::Unknown);
    assert_eq!(remove(FactorName::App, true).await, FactorRemoved::Removed);
    assert_eq!(remove(FactorName::App, true).await, FactorRemoved::Unknown);
    assert_eq!(remove(passkey, true).await, FactorRemoved::LastOne);
    assert_eq!(state(&world, session).await, Some(SecondFactor::Proved(at(10))));
    assert_eq!(remove(passkey, false).await, FactorRemoved::Removed);
    assert_eq!(state(&world, session).await, Some(SecondFactor::None));
    assert_eq!(factors(&world).of(boss.id).await.unwrap().recovery_codes, 0);
    assert!(!factors(&world).replace_recovery_codes(boss.id, &[SecretHash([5; 32])]).await.unwrap());
    assert_eq!(mails(&world, "account.second_factor_removed", &boss.email), 2);
    // Whoever adds one again has not proved it in the sessions of before.
    factors(&world).add(&adding(&boss, open(&world, &boss, 2).await, app(7))).await.unwrap();
    assert_eq!(state(&world, session).await, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_factors_that_are_removed_together_leave_an_admin_one() {
    let world = World::fresh().await;
    let boss = proved(&world, "boss@example.com", Role::Admin).await;
    let session = open(&world, &boss, 1).await;
    factors(&world).add(&adding(&boss, session, app(7))).await.unwrap();
    factors(&world).add(&adding(&boss, session, passkey(1))).await.unwrap();
    let passkey = FactorName::Passkey(factors(&world).of(boss.id).await.unwrap().passkeys[0].id);
    let removed = concurrently(8, |number| {
        let (database, account) = (world.database.clone(), boss.id);
        let factor = if number % 2 == 0 { FactorName::App } else { passkey };
        async move { database.remove(account, factor, true, at(30)).await.unwrap() }
    })
    .await;
    assert_eq!(removed.iter().filter(|one| **one == FactorRemoved::Removed).count(), 1, "{removed:?}");
    assert_eq!(factors(&world).of(boss.id).await.unwrap().count(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_or_the_removal_of_the_account_forgets_everything() {
    let world = World::fresh().await;
    let ada = proved(&world, "ada@example.com", Role::Customer).await;
    proved(&world, "boss@example.com", Role::Admin).await;
    let nobody: Email = "nobody@example.com".parse().unwrap();
    assert_eq!(factors(&world).forget_all(&nobody, at(30)).await.unwrap(), None);
    assert_eq!(factors(&world).forget_all(&ada.email, at(30)).await.unwrap(), Some(false));
    let session = open(&world, &ada, 1).await;
    factors(&world).add(&adding(&ada, session, app(7))).await.unwrap();
    assert_eq!(factors(&world).forget_all(&ada.email, at(30)).await.unwrap(), Some(true));
    assert_eq!(state(&world, session).await, None, "its sessions end");
    let again = open(&world, &ada, 2).await;
    assert_eq!(state(&world, again).await, Some(SecondFactor::None));
    factors(&world).add(&adding(&ada, again, app(7))).await.unwrap();
    factors(&world).add(&adding(&ada, again, passkey(1))).await.unwrap();
    factors(&world).count_attempt(ada.id, at(40)).await.unwrap();
    world.accounts().remove(&ada.email, at(50)).await.unwrap();
    for table in ["authenticator_apps", "passkeys", "recovery_codes", "code_attempts"] {
        assert_eq!(world.count(&format!("SELECT count(*) FROM {table}")), 0, "{table}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_owner_of_an_address_is_not_locked_out_by_the_factor_of_whoever_was_made_an_admin_before() {
    for way in ["google", "reset", "reset of an admin"] {
        let world = World::fresh().await;
        proved(&world, "boss@example.com", Role::Admin).await;
        let ada = world.account_as("ada@example.com", Role::Admin).await;
        world.sql("UPDATE accounts SET proved_at = NULL, email_verified_at = NULL WHERE email = 'ada@example.com'");
        let session = open(&world, &ada, 1).await;
        assert_eq!(factors(&world).add(&adding(&ada, session, app(7))).await.unwrap(), FactorAdded::First);
        if way != "reset of an admin" {
            let demoted = RoleGrant { role: Role::Customer, needs_proof: true, at: at(20) };
            assert_eq!(world.accounts().set_role(&ada.email, demoted).await.unwrap(), RoleChange::Changed);
        }
        if way == "google" {
            let google = GoogleSubject { issuer: "https://google.example".into(), subject: "owner".into() };
            let claim = GoogleClaim { account: ada.clone(), google, at: at(30) };
            let claimed = world.ownership().claim(&claim).await.unwrap();
            assert!(matches!(claimed, GoogleClaimed::TakenOver(_)), "{claimed:?}");
        } else {
            world.sql(&format!(
                "INSERT INTO account_tokens (hash, account_id, purpose, letter_id, made_at, expires_at)
                 SELECT decode(repeat('07', 32), 'hex'), '{}', 'reset', (SELECT min(id) FROM outbox), '{}', '{}'",
                ada.id,
                at(20),
                at(3_000)
            ));
            let password = PasswordHash::new("another".into());
            let reset = world.account_tokens().reset_password(&SecretHash([7; 32]), &password, at(30)).await.unwrap();
            assert_eq!(reset, Some(ada.email.clone()));
        }
        let kept = factors(&world).of(ada.id).await.unwrap().count();
        assert_eq!(kept, usize::from(way == "reset of an admin"), "{way}");
    }
}
