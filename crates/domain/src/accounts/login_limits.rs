//! How many wrong passwords are looked at.
//!
//! They are counted in three buckets. A browser that has signed in to the account before (a *known device*) has one of its
//! own, which nobody else can fill. All others share the account's, so that guessing from many addresses does not help; and
//! each client network has one over all accounts, so that trying one password at many accounts does not help either. Device
//! cookies are OWASP's ("Slow Down Online Guessing Attacks with Device Cookies").

use std::time::Duration;

use crate::{ClientNetwork, Email, Timestamp};

/// How long a wrong password counts.
pub const WINDOW: Duration = Duration::from_mins(15);
/// How long a stranger's guess beyond [`OF_ACCOUNT`] counts.
pub const DAY: Duration = Duration::from_hours(24);
/// How many wrong passwords of a known device are looked at within [`WINDOW`].
pub const OF_DEVICE: u32 = 10;
/// How many wrong passwords of strangers are looked at for one account within [`WINDOW`].
pub const OF_ACCOUNT: u32 = 10;
/// How many wrong passwords of one client network are looked at within [`WINDOW`], over all accounts.
pub const OF_NETWORK: u32 = 30;
/// How many strangers' guesses beyond [`OF_ACCOUNT`] are looked at for one account within [`DAY`], one for each network.
pub const BEYOND: u32 = 100;

/// A device that has signed in to an account before. Not a secret: its cookie holds a code that vouches for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DeviceId(pub [u8; 16]);

/// Who guesses, as far as counting goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AttemptSource {
    /// A device that has signed in to the account before.
    Known(DeviceId),
    /// Anybody else.
    Stranger,
}

/// A password that somebody typed, before anybody has looked at it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoginAttempt {
    /// The account's address; it need not have an account.
    pub email: Email,
    /// Who guesses.
    pub by: AttemptSource,
    /// From where.
    pub from: ClientNetwork,
    /// When.
    pub at: Timestamp,
}

/// What has been guessed before, as far as it matters for one guess.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailedLogins {
    /// By the same device.
    OfDevice {
        /// When the [`OF_DEVICE`]th last of the window was made, if there were so many.
        last: Option<Timestamp>,
    },
    /// By strangers.
    OfStrangers {
        /// When the [`OF_ACCOUNT`]th last of the window was made at the account, if there were so many.
        of_account: Option<Timestamp>,
        /// When the [`OF_NETWORK`]th last of the window was made from the network, if there were so many.
        of_network: Option<Timestamp>,
        /// Whether the network has guessed at the account within a day.
        from_here: bool,
        /// How many guesses beyond the account's ten were looked at within a day.
        beyond: u32,
    },
}

/// What becomes of a guess.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It is looked at.
    LookAt {
        /// Whether it is one of those beyond the account's ten.
        beyond: bool,
    },
    /// It is not, and none like it for so long.
    Wait(Duration),
}

impl FailedLogins {
    /// Whether one more is looked at.
    #[must_use]
    pub fn verdict(&self, now: Timestamp) -> Verdict {
        let full_since = match *self {
            Self::OfDevice { last } => last,
            Self::OfStrangers { of_network: Some(last), .. } => Some(last),
            // Nobody can lock an owner out from a network that has not guessed itself, until very many networks have.
            Self::OfStrangers { of_account: Some(_), from_here: false, beyond, .. } if beyond < BEYOND => {
                return Verdict::LookAt { beyond: true };
            }
            Self::OfStrangers { of_account, .. } => of_account,
        };
        full_since.map_or(Verdict::LookAt { beyond: false }, |last| Verdict::Wait(until_over(last, now)))
    }
}

/// How long until a guess no longer counts; at least a second.
fn until_over(login_attempt: Timestamp, now: Timestamp) -> Duration {
    let over = login_attempt.checked_add(WINDOW).unwrap_or(Timestamp::MAX);
    Duration::try_from(over.duration_since(now)).unwrap_or_default().max(Duration::from_secs(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    fn strangers() -> FailedLogins {
        FailedLogins::OfStrangers { of_account: None, of_network: None, from_here: false, beyond: 0 }
    }

    fn full(from_here: bool, beyond: u32) -> FailedLogins {
        FailedLogins::OfStrangers { of_account: Some(at(100)), of_network: None, from_here, beyond }
    }

    #[test]
    fn the_first_ten_of_an_account_are_looked_at() {
        assert_eq!(strangers().verdict(at(0)), Verdict::LookAt { beyond: false });
    }

    #[test]
    fn beyond_ten_a_network_that_has_not_guessed_gets_one_look() {
        assert_eq!(full(false, 0).verdict(at(200)), Verdict::LookAt { beyond: true });
        assert_eq!(full(true, 0).verdict(at(200)), Verdict::Wait(Duration::from_secs(800)));
    }

    #[test]
    fn after_a_hundred_looks_in_a_day_no_network_gets_one() {
        assert_eq!(full(false, 99).verdict(at(200)), Verdict::LookAt { beyond: true });
        assert_eq!(full(false, 100).verdict(at(200)), Verdict::Wait(Duration::from_secs(800)));
    }

    #[test]
    fn thirty_wrong_passwords_of_a_network_close_every_account_to_it() {
        let login_attempts =
            FailedLogins::OfStrangers { of_account: None, of_network: Some(at(0)), from_here: false, beyond: 0 };
        assert_eq!(login_attempts.verdict(at(899)), Verdict::Wait(Duration::from_secs(1)));
    }

    #[test]
    fn a_known_device_minds_only_its_own_guesses() {
        assert_eq!(FailedLogins::OfDevice { last: None }.verdict(at(0)), Verdict::LookAt { beyond: false });
        let wait = Verdict::Wait(WINDOW);
        assert_eq!(FailedLogins::OfDevice { last: Some(at(0)) }.verdict(at(0)), wait);
    }
}
