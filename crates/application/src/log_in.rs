//! Signing in with an e-mail address and a password.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use domain::{Email, Timestamp};
use ports::{Busy, Guesses, StoreError};
use thiserror::Error;
use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};

use crate::shop::{earlier, later};
use crate::{Shop, SignedIn};

/// How long a wrong password counts.
const WINDOW: Duration = Duration::from_mins(15);
/// How many wrong passwords of one account are looked at within [`WINDOW`].
const LOOKED_AT: u32 = 10;

/// What somebody signs in with.
#[derive(Clone)]
pub struct LogIn {
    /// Their address.
    pub email: Email,
    /// The password as typed; any string.
    pub password: String,
    /// The network address that asks.
    pub from: IpAddr,
}

/// Why nobody was signed in.
#[derive(Debug, Error)]
pub enum LogInError {
    /// The password is wrong, or the address has no account, or the account was removed: nobody learns which.
    #[error("the e-mail address or the password is wrong")]
    Wrong,
    /// Too many wrong passwords; this one was not looked at.
    #[error("too many wrong passwords")]
    TooMany {
        /// How long until one is looked at again.
        wait: Duration,
    },
    /// Too many passwords are being checked.
    #[error(transparent)]
    Busy(#[from] Busy),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Shop {
    /// Signs somebody in.
    ///
    /// # Errors
    /// [`LogInError`].
    pub async fn log_in(&self, attempt: LogIn) -> Result<SignedIn, LogInError> {
        // One after the other, so that guesses sent at the same moment cannot all slip in before the first is counted.
        let _turn = self.turns.take(&attempt.email).await;
        let now = self.clock.now();
        let horizon = earlier(now, WINDOW);
        let guesses = self.guesses.since(&attempt.email, attempt.from, horizon).await?;
        if let Some(wait) = must_wait(&guesses, now) {
            return Err(LogInError::TooMany { wait });
        }
        let credentials = self.accounts.by_email(&attempt.email).await?.filter(|found| !found.removed);
        let hash = credentials.as_ref().and_then(|found| found.password.clone());
        let right = self.passwords.verify(&attempt.password, hash).await?;
        if let Some(found) = credentials.filter(|_| right) {
            return self.open_session(found.account, found.password).await?.ok_or(LogInError::Wrong);
        }
        self.guesses.note(&attempt.email, attempt.from, now, horizon).await?;
        Err(LogInError::Wrong)
    }
}

/// How long a network address has to wait. One that has not guessed wrong itself never has to, so that nobody can lock
/// an account's owner out from elsewhere.
fn must_wait(guesses: &Guesses, now: Timestamp) -> Option<Duration> {
    if guesses.wrong < LOOKED_AT || !guesses.from_here {
        return None;
    }
    let over = later(guesses.oldest.unwrap_or(now), WINDOW);
    Some(Duration::try_from(over.duration_since(now)).unwrap_or_default().max(Duration::from_secs(1)))
}

/// Lets the logins of one account go one after the other, and those of different accounts side by side.
#[derive(Debug, Default)]
pub struct Turns(Mutex<HashMap<Email, Weak<AsyncMutex<()>>>>);

impl Turns {
    async fn take(&self, email: &Email) -> OwnedMutexGuard<()> {
        let turn = {
            let mut turns = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            turns.retain(|_, turn| turn.strong_count() > 0);
            turns.get(email).and_then(Weak::upgrade).unwrap_or_else(|| {
                let turn = Arc::new(AsyncMutex::new(()));
                turns.insert(email.clone(), Arc::downgrade(&turn));
                turn
            })
        };
        turn.lock_owned().await
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use ports::{
        Credentials, MockAccountStore, MockGuessStore, MockPasswordKeeper, MockSessionSecrets, MockSessionStore,
        SecretHash, SessionSecret,
    };

    use super::*;
    use crate::testing::{credentials, now, shop};

    fn attempt(password: &str) -> LogIn {
        LogIn {
            email: "nia@example.com".parse().unwrap(),
            password: password.into(),
            from: IpAddr::from([127, 0, 0, 1]),
        }
    }

    fn account(found: Option<Credentials>) -> Arc<MockAccountStore> {
        let mut accounts = MockAccountStore::new();
        accounts.expect_by_email().returning(move |_| Ok(found.clone()));
        Arc::new(accounts)
    }

    fn only_right(password: &'static str) -> Arc<MockPasswordKeeper> {
        let mut passwords = MockPasswordKeeper::new();
        passwords.expect_verify().returning(move |typed, hash| Ok(hash.is_some() && typed == password));
        Arc::new(passwords)
    }

    /// A guess store that counts, and sleeps a little where a real one would wait for its disk.
    fn counting(noted: &Arc<AtomicU32>, from_here: bool) -> Arc<MockGuessStore> {
        let mut guesses = MockGuessStore::new();
        let seen = Arc::clone(noted);
        guesses.expect_since().returning(move |_, _, _| {
            let wrong = seen.load(Ordering::SeqCst);
            Ok(Guesses { wrong, from_here, oldest: Some(now()) })
        });
        let noted = Arc::clone(noted);
        guesses.expect_note().returning(move |_, _, _, _| {
            noted.fetch_add(1, Ordering::SeqCst);
            Ok(())
        });
        Arc::new(guesses)
    }

    fn with_sessions(shop: Shop) -> Shop {
        let mut secrets = MockSessionSecrets::new();
        secrets.expect_fresh().returning(|| SessionSecret::new("secret".into()));
        secrets.expect_hash().returning(|_| SecretHash([7; 32]));
        let mut sessions = MockSessionStore::new();
        sessions.expect_open().returning(|_| Ok(true));
        Shop { session_secrets: Arc::new(secrets), sessions: Arc::new(sessions), ..shop }
    }

    #[tokio::test]
    async fn the_right_password_signs_in_and_counts_no_guess() {
        let noted = Arc::default();
        let shop = with_sessions(Shop {
            accounts: account(Some(credentials("nia@example.com"))),
            passwords: only_right("right"),
            guesses: counting(&noted, false),
            ..shop()
        });
        assert!(shop.log_in(attempt("right")).await.is_ok());
        assert_eq!(noted.load(Ordering::SeqCst), 0);
    }

    #[tokio::test]
    async fn a_wrong_password_an_unknown_address_and_a_removed_account_look_the_same() {
        let removed = Credentials { removed: true, ..credentials("nia@example.com") };
        for (found, typed) in
            [(Some(credentials("nia@example.com")), "wrong"), (None, "right"), (Some(removed), "right")]
        {
            let noted = Arc::default();
            let shop = Shop {
                accounts: account(found),
                passwords: only_right("right"),
                guesses: counting(&noted, false),
                ..shop()
            };
            assert!(matches!(shop.log_in(attempt(typed)).await, Err(LogInError::Wrong)));
            assert_eq!(noted.load(Ordering::SeqCst), 1);
        }
    }

    #[tokio::test]
    async fn of_fifty_guesses_at_the_same_moment_ten_are_looked_at() {
        let noted = Arc::default();
        let shop = Shop {
            accounts: account(Some(credentials("nia@example.com"))),
            passwords: only_right("right"),
            guesses: counting(&noted, true),
            ..shop()
        };
        let guesses = (0..50).map(|_| {
            let shop = shop.clone();
            tokio::spawn(async move { shop.log_in(attempt("wrong")).await })
        });
        let mut refused = 0;
        for guess in guesses.collect::<Vec<_>>() {
            if let Err(LogInError::TooMany { wait }) = guess.await.unwrap() {
                assert_eq!(wait, WINDOW);
                refused += 1;
            }
        }
        assert_eq!((noted.load(Ordering::SeqCst), refused), (10, 40));
    }

    #[tokio::test]
    async fn the_owner_gets_in_from_an_address_that_did_not_guess() {
        let noted = Arc::new(AtomicU32::new(10));
        let shop = with_sessions(Shop {
            accounts: account(Some(credentials("nia@example.com"))),
            passwords: only_right("right"),
            guesses: counting(&noted, false),
            ..shop()
        });
        assert!(shop.log_in(attempt("right")).await.is_ok());
    }
}
