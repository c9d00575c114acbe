//! Signing in with an e-mail address and a password.

use std::time::Duration;

use domain::{AttemptSource, ClientNetwork, DeviceId, Email, LoginAttempt};
use ports::{Busy, Counted, Credentials, HashingLane, HashingQueue};
use thiserror::Error;

use crate::accounts::login_lanes::{Full, Lanes, Turn};
use crate::{Failure, SignedIn, SigningIn};

/// How many logins from one client network run concurrently, and how many more may wait.
const OF_NETWORK: (usize, usize) = (8, 128);
/// How many logins to one account run concurrently, and how many more may wait; separately for all unknown devices and
/// for each known device. One runs at a time, because a login counts as failed until it succeeds, and concurrent
/// correct logins must not use up each other's limit.
const OF_ACCOUNT: (usize, usize) = (1, 10);

/// The credentials of a login.
#[derive(Clone)]
pub struct LogIn {
    /// The e-mail address.
    pub email: Email,
    /// The password as entered; any string.
    pub password: String,
    /// The client's network.
    pub from: ClientNetwork,
    /// The device cookie, if the browser sent one.
    pub device_cookie: Option<String>,
}

/// Why the login failed.
#[derive(Debug, Error)]
pub enum LogInRefused {
    /// The password is wrong, the address has no account, or the account is removed; which of these is not revealed.
    #[error("the e-mail address or the password is wrong")]
    Wrong,
    /// Too many failed logins; this password was not checked.
    #[error("too many wrong passwords")]
    TooMany {
        /// How long until a password is checked again.
        wait: Duration,
    },
}

impl SigningIn {
    /// Signs a user in.
    ///
    /// # Errors
    /// [`LogInRefused`].
    pub async fn log_in(&self, attempt: LogIn) -> Result<SignedIn, Failure<LogInRefused>> {
        let proved = self.check_password(&attempt).await?;
        self.open_session(proved.account, proved.password).await?.ok_or(Failure::Refused(LogInRefused::Wrong))
    }

    /// Checks a password, within the limits on login attempts.
    pub(crate) async fn check_password(&self, attempt: &LogIn) -> Result<Credentials, Failure<LogInRefused>> {
        let now = self.clock.now();
        let device = match &attempt.device_cookie {
            Some(cookie) => self.device_cookies.recognise(cookie, &self.device_account(&attempt.email).await?, now),
            None => None,
        };
        let mut login_attempt = LoginAttempt {
            email: attempt.email.clone(),
            by: device.map_or(AttemptSource::Stranger, AttemptSource::Known),
            from: attempt.from,
            at: now,
        };
        // Checked before waiting for a permit, so that an attempt that is refused anyway costs one query and delays no
        // other.
        if let Some(wait) = self.login_attempts.retry_after(&login_attempt).await? {
            return Err(Failure::Refused(LogInRefused::TooMany { wait }));
        }
        let _turns = self.login_lanes.enter(&login_attempt, device).await.map_err(|Full| Busy::OwnQueue)?;
        login_attempt.at = self.clock.now();
        let counted = match self.login_attempts.count(&login_attempt).await? {
            Counted::Wait(wait) => return Err(Failure::Refused(LogInRefused::TooMany { wait })),
            Counted::Check(counted) => counted,
        };
        match self.verify_password(attempt, device).await {
            Err(Failure::Refused(LogInRefused::Wrong)) => Err(Failure::Refused(LogInRefused::Wrong)),
            verified => {
                // The password was right, or was not checked after all.
                self.login_attempts.forgive(counted).await?;
                verified
            }
        }
    }

    async fn verify_password(
        &self,
        attempt: &LogIn,
        device: Option<DeviceId>,
    ) -> Result<Credentials, Failure<LogInRefused>> {
        let lane = if device.is_some() { HashingLane::KnownDevice } else { HashingLane::Stranger };
        let queue = HashingQueue { lane, from: attempt.from };
        let credentials = self.accounts.by_email(&attempt.email).await?.filter(|found| !found.removed);
        let hash = credentials.as_ref().and_then(|found| found.password.clone());
        let right = self.passwords.verify(&attempt.password, hash, queue).await?;
        credentials.filter(|_| right).ok_or(Failure::Refused(LogInRefused::Wrong))
    }
}

/// Serializes concurrent logins. Those from one network share a few permits, so that others get the database and the
/// hashing. Those to one account run one at a time, so that simultaneous attempts are counted one after the other.
#[derive(Debug)]
pub(crate) struct LoginLanes {
    networks: Lanes<ClientNetwork>,
    accounts: Lanes<(Email, Option<DeviceId>)>,
}

impl Default for LoginLanes {
    fn default() -> Self {
        Self { networks: Lanes::new(OF_NETWORK.0, OF_NETWORK.1), accounts: Lanes::new(OF_ACCOUNT.0, OF_ACCOUNT.1) }
    }
}

impl LoginLanes {
    /// Waits for the permits that a login needs. A known device waits only for its own logins.
    async fn enter(
        &self,
        login_attempt: &LoginAttempt,
        device: Option<DeviceId>,
    ) -> Result<(Option<Turn>, Turn), Full> {
        // The network's permit first: a client that floods must not hold permits of accounts while it waits for its
        // network's.
        let network = match login_attempt.by {
            AttemptSource::Known(_) => None,
            AttemptSource::Stranger => Some(self.networks.enter(login_attempt.from).await?),
        };
        Ok((network, self.accounts.enter((login_attempt.email.clone(), device)).await?))
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    use domain::accounts::login_limits::WINDOW;
    use ports::{
        Credentials, LoginAttemptId, MockAccountRepository, MockDeviceCookies, MockLoginAttempts, MockPasswordHasher,
        MockSessionRepository, MockSessionSecrets, SecretHash, SessionSecret,
    };

    use super::*;
    use crate::Unavailable;
    use crate::testing::{credentials, signing_in};

    fn attempt(password: &str) -> LogIn {
        LogIn {
            email: "nia@example.com".parse().unwrap(),
            password: password.into(),
            from: Ipv4Addr::LOCALHOST.into(),
            device_cookie: None,
        }
    }

    fn account(found: Option<Credentials>) -> Arc<MockAccountRepository> {
        let mut accounts = MockAccountRepository::new();
        accounts.expect_by_email().returning(move |_| Ok(found.clone()));
        Arc::new(accounts)
    }

    fn only_right(password: &'static str) -> Arc<MockPasswordHasher> {
        let mut passwords = MockPasswordHasher::new();
        passwords.expect_verify().returning(move |typed, hash, _| Ok(hash.is_some() && typed == password));
        Arc::new(passwords)
    }

    /// A store of login attempts that allows ten.
    fn counting(noted: &Arc<AtomicU32>) -> Arc<MockLoginAttempts> {
        let mut login_attempts = MockLoginAttempts::new();
        login_attempts.expect_retry_after().returning(|_| Ok(None));
        let counted = Arc::clone(noted);
        login_attempts.expect_count().returning(move |_| {
            if counted.load(Ordering::SeqCst) >= 10 {
                return Ok(Counted::Wait(WINDOW));
            }
            Ok(Counted::Check(LoginAttemptId::new(counted.fetch_add(1, Ordering::SeqCst).into())))
        });
        let noted = Arc::clone(noted);
        login_attempts.expect_forgive().returning(move |_| {
            noted.fetch_sub(1, Ordering::SeqCst);
            Ok(())
        });
        Arc::new(login_attempts)
    }

    fn with_sessions(signing_in: SigningIn) -> SigningIn {
        let mut secrets = MockSessionSecrets::new();
        secrets.expect_fresh().returning(|| SessionSecret::new("secret".into()));
        secrets.expect_hash().returning(|_| SecretHash([7; 32]));
        let mut sessions = MockSessionRepository::new();
        sessions.expect_open().returning(|_| Ok(true));
        SigningIn { session_secrets: Arc::new(secrets), sessions: Arc::new(sessions), ..signing_in }
    }

    #[tokio::test]
    async fn the_right_password_signs_in_and_counts_no_failed_login() {
        let noted = Arc::default();
        let signing_in = with_sessions(SigningIn {
            accounts: account(Some(credentials("nia@example.com"))),
            passwords: only_right("right"),
            login_attempts: counting(&noted),
            ..signing_in()
        });
        assert!(signing_in.log_in(attempt("right")).await.is_ok());
        assert_eq!(noted.load(Ordering::SeqCst), 0);
    }

    #[tokio::test]
    async fn a_wrong_password_an_unknown_address_and_a_removed_account_fail_alike() {
        let removed = Credentials { removed: true, ..credentials("nia@example.com") };
        for (found, typed) in
            [(Some(credentials("nia@example.com")), "wrong"), (None, "right"), (Some(removed), "right")]
        {
            let noted = Arc::default();
            let signing_in = SigningIn {
                accounts: account(found),
                passwords: only_right("right"),
                login_attempts: counting(&noted),
                ..signing_in()
            };
            assert!(matches!(signing_in.log_in(attempt(typed)).await, Err(Failure::Refused(LogInRefused::Wrong))));
            assert_eq!(noted.load(Ordering::SeqCst), 1);
        }
    }

    #[tokio::test]
    async fn a_password_is_checked_once_whether_or_not_the_address_has_an_account() {
        let removed = Credentials { removed: true, ..credentials("nia@example.com") };
        for found in [Some(credentials("nia@example.com")), None, Some(removed)] {
            let is_known = found.as_ref().is_some_and(|found| !found.removed);
            let mut passwords = MockPasswordHasher::new();
            // Without a hash the check takes as long, so that the response time does not reveal who has an account.
            passwords
                .expect_verify()
                .withf(move |_, hash, _| hash.is_some() == is_known)
                .times(1)
                .returning(|_, _, _| Ok(false));
            let noted = Arc::default();
            let signing_in = SigningIn {
                accounts: account(found),
                passwords: Arc::new(passwords),
                login_attempts: counting(&noted),
                ..signing_in()
            };
            assert!(matches!(signing_in.log_in(attempt("wrong")).await, Err(Failure::Refused(LogInRefused::Wrong))));
        }
    }

    #[tokio::test]
    async fn of_fifty_concurrent_attempts_ten_are_checked_and_the_rest_are_refused() {
        let noted = Arc::default();
        let signing_in = SigningIn {
            accounts: account(Some(credentials("nia@example.com"))),
            passwords: only_right("right"),
            login_attempts: counting(&noted),
            ..signing_in()
        };
        let login_attempts = (0..50).map(|_| {
            let signing_in = signing_in.clone();
            tokio::spawn(async move { signing_in.log_in(attempt("wrong")).await })
        });
        let (mut wrong, mut refused, mut busy) = (0, 0, 0);
        for login_attempt in login_attempts.collect::<Vec<_>>() {
            match login_attempt.await.unwrap() {
                Err(Failure::Refused(LogInRefused::Wrong)) => wrong += 1,
                Err(Failure::Refused(LogInRefused::TooMany { wait })) => {
                    assert_eq!(wait, WINDOW);
                    refused += 1;
                }
                Err(Failure::Unavailable(Unavailable::Busy(Busy::OwnQueue))) => busy += 1,
                other => panic!("{other:?}"),
            }
        }
        assert_eq!((wrong, noted.load(Ordering::SeqCst)), (10, 10));
        assert_eq!(wrong + refused + busy, 50);
    }

    #[tokio::test]
    async fn concurrent_correct_logins_do_not_refuse_each_other() {
        let noted = Arc::new(AtomicU32::new(9));
        let signing_in = with_sessions(SigningIn {
            accounts: account(Some(credentials("nia@example.com"))),
            passwords: only_right("right"),
            login_attempts: counting(&noted),
            ..signing_in()
        });
        let logins = (0..10).map(|_| {
            let signing_in = signing_in.clone();
            tokio::spawn(async move { signing_in.log_in(attempt("right")).await })
        });
        for login in logins.collect::<Vec<_>>() {
            assert!(login.await.unwrap().is_ok());
        }
        assert_eq!(noted.load(Ordering::SeqCst), 9);
    }

    #[tokio::test]
    async fn a_limited_attempt_is_refused_before_it_waits_for_a_permit() {
        let mut login_attempts = MockLoginAttempts::new();
        login_attempts.expect_retry_after().returning(|_| Ok(Some(WINDOW)));
        let signing_in = SigningIn { login_attempts: Arc::new(login_attempts), ..signing_in() };
        let _held = signing_in.login_lanes.accounts.enter((attempt("").email, None)).await.unwrap();
        assert!(
            matches!(signing_in.log_in(attempt("right")).await, Err(Failure::Refused(LogInRefused::TooMany { wait })) if wait == WINDOW)
        );
    }

    #[tokio::test]
    async fn a_known_device_does_not_wait_for_unknown_ones_and_is_counted_separately() {
        let mut cookies = MockDeviceCookies::new();
        let device = DeviceId([3; 16]);
        cookies.expect_recognise().withf(|cookie, _, _| cookie == "cookie").returning(move |_, _, _| Some(device));
        let mut login_attempts = MockLoginAttempts::new();
        login_attempts
            .expect_retry_after()
            .withf(move |login_attempt| login_attempt.by == AttemptSource::Known(device))
            .returning(|_| Ok(None));
        login_attempts
            .expect_count()
            .withf(move |login_attempt| login_attempt.by == AttemptSource::Known(device))
            .returning(|_| Ok(Counted::Check(LoginAttemptId::new(1))));
        login_attempts.expect_forgive().times(1).returning(|_| Ok(()));
        let mut passwords = MockPasswordHasher::new();
        passwords
            .expect_verify()
            .withf(|_, _, queue| queue.lane == HashingLane::KnownDevice)
            .returning(|_, _, _| Ok(true));
        let signing_in = with_sessions(SigningIn {
            accounts: account(Some(credentials("nia@example.com"))),
            passwords: Arc::new(passwords),
            device_cookies: Arc::new(cookies),
            login_attempts: Arc::new(login_attempts),
            ..signing_in()
        });
        let known = LogIn { device_cookie: Some("cookie".into()), ..attempt("right") };
        let lanes = Arc::clone(&signing_in.login_lanes);
        let mut held = Vec::new();
        for _ in 0..OF_NETWORK.0 {
            held.push(lanes.networks.enter(known.from).await.unwrap());
        }
        let _account = lanes.accounts.enter((known.email.clone(), None)).await.unwrap();
        assert!(signing_in.log_in(known).await.is_ok());
    }

    #[tokio::test]
    async fn a_password_that_was_not_checked_does_not_count() {
        let noted = Arc::default();
        let mut passwords = MockPasswordHasher::new();
        passwords.expect_verify().returning(|_, _, _| Err(Busy::Machine));
        let signing_in = SigningIn {
            accounts: account(Some(credentials("nia@example.com"))),
            passwords: Arc::new(passwords),
            login_attempts: counting(&noted),
            ..signing_in()
        };
        assert!(matches!(
            signing_in.log_in(attempt("right")).await,
            Err(Failure::Unavailable(Unavailable::Busy(Busy::Machine)))
        ));
        assert_eq!(noted.load(Ordering::SeqCst), 0);
    }
}
