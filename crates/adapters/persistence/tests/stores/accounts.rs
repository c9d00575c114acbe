//! Accounts and sessions.

use std::time::Duration;

use diesel::connection::SimpleConnection;
use domain::{Account, Edit, EmailTaken, Role, SessionId, Text};
use ports::{
    AccountQuery, AccountRepository, NewSession, Removal, RoleChange, RoleGrant, SecretHash, SessionRepository,
    WriteError,
};

use crate::world::{World, account, at, concurrently, id, new_account};

fn role(role: Role) -> RoleGrant {
    RoleGrant { role, needs_proof: false, at: at(1) }
}

fn session(account: &Account, secret: u8) -> NewSession {
    NewSession {
        id: SessionId::new(id()),
        account: account.id,
        secret: SecretHash([secret; 32]),
        proved_by: None,
        opened_at: at(0),
        expires_at: at(100),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_reads_back_by_email_and_by_id() {
    let world = World::fresh().await;
    let mut ada = account("ada@example.com", Role::Customer);
    ada.photo_url = Some("https://pictures.example/ada.png".parse().unwrap());
    let new = new_account(&ada);
    world.accounts().add(&new).await.unwrap();

    let credentials = world.accounts().by_email(&ada.email).await.unwrap().unwrap();
    assert_eq!(credentials.account, ada);
    assert_eq!(credentials.password, new.password);
    assert!(!credentials.removed && !credentials.google_linked);
    assert_eq!(world.accounts().find(ada.id).await.unwrap(), Some(ada));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_email_address_has_one_account_even_under_concurrency_or_after_removal() {
    let world = World::with_pool(8).await;
    let outcomes = concurrently(8, |_| {
        let (database, new) = (world.database.clone(), new_account(&account("ada@example.com", Role::Customer)));
        async move { AccountRepository::add(&database, &new).await }
    })
    .await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1, "{outcomes:?}");
    let taken = outcomes.iter().filter(|outcome| matches!(outcome, Err(WriteError::Refused(EmailTaken)))).count();
    assert_eq!(taken, 7, "{outcomes:?}");

    let email = "ada@example.com".parse().unwrap();
    assert_eq!(world.accounts().remove(&email, at(5)).await.unwrap(), Removal::Removed);
    let again = world.accounts().add(&new_account(&account("ada@example.com", Role::Customer))).await;
    assert!(matches!(again, Err(WriteError::Refused(EmailTaken))), "{again:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn renaming_changes_what_is_given_and_keeps_the_rest() {
    let world = World::fresh().await;
    let ada = world.customer("ada@example.com").await;
    let name: Text<120> = Text::new("Ada").unwrap();
    let named = world.accounts().update(ada.id, Some(name.clone()), Edit::Keep).await.unwrap().unwrap();
    assert_eq!((named.display_name.clone(), named.photo_url.clone()), (name.clone(), None));
    let photo = "/pictures/ada.webp".parse().unwrap();
    let shown = world.accounts().update(ada.id, None, Edit::Set(Some(photo))).await.unwrap().unwrap();
    assert_eq!(shown.display_name, name);
    assert_eq!(world.accounts().update(ada.id, None, Edit::Keep).await.unwrap(), Some(shown));
    let bare = world.accounts().update(ada.id, None, Edit::Set(None)).await.unwrap().unwrap();
    assert_eq!((bare.display_name, bare.photo_url), (name.clone(), None));
    world.accounts().remove(&ada.email, at(5)).await.unwrap();
    assert_eq!(world.accounts().update(ada.id, Some(name), Edit::Keep).await.unwrap(), None);
    assert_eq!(world.accounts().update(ada.id, None, Edit::Keep).await.unwrap(), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn roles_can_be_granted_and_revoked_except_the_last_admins() {
    let world = World::fresh().await;
    let ada = world.account_as("ada@example.com", Role::Admin).await;
    let bob = world.customer("bob@example.com").await;
    let unknown = "unknown@example.com".parse().unwrap();
    let roles = world.accounts();
    assert_eq!(roles.set_role(&ada.email, role(Role::Customer)).await.unwrap(), RoleChange::LastAdmin);
    assert_eq!(roles.remove(&ada.email, at(5)).await.unwrap(), Removal::LastAdmin);
    assert_eq!(roles.set_role(&bob.email, role(Role::Customer)).await.unwrap(), RoleChange::Same);
    assert_eq!(roles.set_role(&bob.email, role(Role::Admin)).await.unwrap(), RoleChange::Changed);
    assert_eq!(roles.set_role(&bob.email, role(Role::Admin)).await.unwrap(), RoleChange::Same);
    assert_eq!(roles.set_role(&unknown, role(Role::Admin)).await.unwrap(), RoleChange::Unknown);
    assert_eq!(roles.remove(&unknown, at(5)).await.unwrap(), Removal::Unknown);
    assert_eq!(roles.set_role(&ada.email, role(Role::Customer)).await.unwrap(), RoleChange::Changed);
    assert_eq!(roles.remove(&ada.email, at(5)).await.unwrap(), Removal::Removed);
    assert_eq!(roles.remove(&ada.email, at(6)).await.unwrap(), Removal::Unknown);
    assert_eq!(roles.set_role(&ada.email, role(Role::Admin)).await.unwrap(), RoleChange::Unknown);
    let remaining: Vec<_> = roles
        .list(&AccountQuery::default())
        .await
        .unwrap()
        .items
        .into_iter()
        .map(|one| (one.account.id, one.account.role))
        .collect();
    assert_eq!(remaining, [(bob.id, Role::Admin)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_admins_removed_concurrently_one_stays() {
    let world = World::with_pool(4).await;
    for round in 0..30 {
        let one = world.account_as(&format!("one{round}@example.com"), Role::Admin).await;
        let other = world.account_as(&format!("other{round}@example.com"), Role::Admin).await;
        let emails = [one.email, other.email];
        let gone = concurrently(2, |n| {
            let (database, email) = (world.database.clone(), emails[usize::try_from(n).unwrap()].clone());
            async move {
                // In a third of the rounds both are demoted, in a third both are removed, and in a third one of each.
                if (round + n * (round / 10)) % 3 == 0 {
                    database.set_role(&email, role(Role::Customer)).await.unwrap() == RoleChange::Changed
                } else {
                    database.remove(&email, at(5)).await.unwrap() == Removal::Removed
                }
            }
        })
        .await;
        assert_eq!(gone.iter().filter(|gone| **gone).count(), 1, "round {round}");
        assert_eq!(
            world.count("SELECT count(*) FROM accounts WHERE role = 'admin' AND removed_at IS NULL"),
            1,
            "round {round}"
        );
        world.sql("UPDATE accounts SET removed_at = now() WHERE removed_at IS NULL");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_has_its_accounts_current_role_until_it_is_closed_or_expires() {
    let world = World::fresh().await;
    let ada = world.customer("ada@example.com").await;
    let session = session(&ada, 1);
    assert!(world.sessions().open(&session).await.unwrap());

    let caller = world.sessions().by_secret(&session.secret, at(50)).await.unwrap().unwrap();
    assert_eq!((caller.session, caller.account, caller.role), (session.id, ada.id, Role::Customer));
    world.accounts().set_role(&ada.email, role(Role::Admin)).await.unwrap();
    let caller = world.sessions().by_id(session.id, at(50)).await.unwrap().unwrap();
    assert_eq!(caller.role, Role::Admin);

    assert_eq!(world.sessions().by_id(session.id, at(100)).await.unwrap(), None);
    assert_eq!(world.sessions().by_secret(&SecretHash([2; 32]), at(50)).await.unwrap(), None);
    world.sessions().close(session.id, at(60)).await.unwrap();
    world.sessions().close(session.id, at(61)).await.unwrap();
    assert_eq!(world.sessions().by_secret(&session.secret, at(50)).await.unwrap(), None);
    assert_eq!(world.sessions().by_id(session.id, at(50)).await.unwrap(), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn removing_an_account_ends_its_sessions_and_no_new_one_can_be_opened() {
    let world = World::fresh().await;
    let ada = world.customer("ada@example.com").await;
    let before = session(&ada, 1);
    assert!(world.sessions().open(&before).await.unwrap());
    world.accounts().remove(&ada.email, at(5)).await.unwrap();
    assert_eq!(world.sessions().by_secret(&before.secret, at(6)).await.unwrap(), None);
    assert_eq!(world.count("SELECT count(*) FROM sessions WHERE closed_at IS NULL"), 0);
    assert!(!world.sessions().open(&session(&ada, 2)).await.unwrap());
    assert_eq!(world.count("SELECT count(*) FROM sessions"), 1);
    assert_eq!(world.accounts().find(ada.id).await.unwrap(), None);
    assert!(world.accounts().by_email(&ada.email).await.unwrap().unwrap().removed);
}

#[tokio::test(flavor = "multi_thread")]
async fn opening_a_session_waits_for_a_removal_in_progress() {
    let world = World::fresh().await;
    let ada = world.customer("ada@example.com").await;
    let mut removal = world.raw();
    removal.batch_execute("BEGIN; UPDATE accounts SET removed_at = now()").unwrap();
    let (database, session) = (world.database.clone(), session(&ada, 1));
    let opening = tokio::spawn(async move { database.open(&session).await.unwrap() });
    // Long enough to finish if it did not wait.
    tokio::time::sleep(Duration::from_millis(300)).await;
    removal.batch_execute("COMMIT").unwrap();
    assert!(!opening.await.unwrap());
    assert_eq!(world.count("SELECT count(*) FROM sessions"), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_opened_while_its_account_is_removed_does_not_stay_open() {
    let world = World::with_pool(4).await;
    for round in 0..30_u8 {
        let ada = world.customer(&format!("ada{round}@example.com")).await;
        let (session, email) = (session(&ada, round), ada.email.clone());
        concurrently(2, |n| {
            let (database, session, email) = (world.database.clone(), session.clone(), email.clone());
            async move {
                if n == 0 {
                    database.open(&session).await.map(drop).unwrap();
                } else {
                    database.remove(&email, at(5)).await.map(drop).unwrap();
                }
            }
        })
        .await;
        assert_eq!(world.count("SELECT count(*) FROM sessions WHERE closed_at IS NULL"), 0, "round {round}");
    }
}
