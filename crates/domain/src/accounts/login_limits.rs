//! Limits on failed logins.
//!
//! Failed logins are counted in three buckets. A browser that has signed in to the account before (a *known device*)
//! has a bucket of its own, which no one else can fill. All other devices share the account's bucket, so that guessing
//! from many addresses does not help. Each client network has one bucket over all accounts, so that trying one password
//! on many accounts does not help either. Device cookies are OWASP's ("Slow Down Online Guessing Attacks with Device
//! Cookies").

use std::time::Duration;

use crate::{ClientNetwork, Email, Timestamp};

/// How long a failed login counts.
pub const WINDOW: Duration = Duration::from_mins(15);
/// How long an unknown device's attempt beyond [`OF_ACCOUNT`] counts.
pub const DAY: Duration = Duration::from_hours(24);
/// How many failed logins of a known device are allowed within [`WINDOW`].
pub const OF_DEVICE: u32 = 10;
/// How many failed logins of unknown devices are allowed for one account within [`WINDOW`].
pub const OF_ACCOUNT: u32 = 10;
/// How many failed logins of one client network are allowed within [`WINDOW`], over all accounts.
pub const OF_NETWORK: u32 = 30;
/// How many attempts of unknown devices beyond [`OF_ACCOUNT`] are allowed for one account within [`DAY`], one per
/// network.
pub const BEYOND: u32 = 100;

/// Id of a device that has signed in to an account before. Not a secret: a code in the device's cookie authenticates
/// it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DeviceId(pub [u8; 16]);

/// The source of a login attempt, as far as the limits distinguish it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AttemptSource {
    /// A device that has signed in to the account before.
    Known(DeviceId),
    /// Any other device.
    Stranger,
}

/// A login attempt whose password has not been checked yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoginAttempt {
    /// The e-mail address that was entered; there may be no account with it.
    pub email: Email,
    /// The device that makes the attempt.
    pub by: AttemptSource,
    /// The network that the attempt comes from.
    pub from: ClientNetwork,
    /// When the attempt is made.
    pub at: Timestamp,
}

/// The earlier failed logins that decide about one attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailedLogins {
    /// For a known device.
    OfDevice {
        /// When the [`OF_DEVICE`]th most recent failure within the window was made; `None` if there are fewer.
        last: Option<Timestamp>,
    },
    /// For an unknown device.
    OfUnknownDevices {
        /// When the account's [`OF_ACCOUNT`]th most recent failure within the window was made; `None` if there are
        /// fewer.
        of_account: Option<Timestamp>,
        /// When the network's [`OF_NETWORK`]th most recent failure within the window was made; `None` if there are
        /// fewer.
        of_network: Option<Timestamp>,
        /// Whether the network has made an attempt on this account within a day.
        from_here: bool,
        /// How many attempts beyond the account's limit were allowed within a day.
        beyond: u32,
    },
}

/// Whether the password of an attempt is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It is checked.
    Check {
        /// Whether the attempt is beyond the account's limit of [`OF_ACCOUNT`].
        beyond: bool,
    },
    /// It is not checked, and neither is any such attempt for this long.
    Wait(Duration),
}

impl FailedLogins {
    /// Whether the password of one more attempt is checked.
    #[must_use]
    pub fn verdict(&self, now: Timestamp) -> Verdict {
        let full_since = match *self {
            Self::OfDevice { last } => last,
            Self::OfUnknownDevices { of_network: Some(last), .. } => Some(last),
            // No one can lock the owner out on a network without attempts of its own, until a hundred networks have
            // tried.
            Self::OfUnknownDevices { of_account: Some(_), from_here: false, beyond, .. } if beyond < BEYOND => {
                return Verdict::Check { beyond: true };
            }
            Self::OfUnknownDevices { of_account, .. } => of_account,
        };
        full_since.map_or(Verdict::Check { beyond: false }, |last| Verdict::Wait(until_over(last, now)))
    }
}

/// How long until an attempt no longer counts; at least a second.
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
        FailedLogins::OfUnknownDevices { of_account: None, of_network: None, from_here: false, beyond: 0 }
    }

    fn full(from_here: bool, beyond: u32) -> FailedLogins {
        FailedLogins::OfUnknownDevices { of_account: Some(at(100)), of_network: None, from_here, beyond }
    }

    #[test]
    fn the_first_ten_attempts_on_an_account_are_checked() {
        assert_eq!(strangers().verdict(at(0)), Verdict::Check { beyond: false });
    }

    #[test]
    fn beyond_the_limit_a_network_without_attempts_gets_one() {
        assert_eq!(full(false, 0).verdict(at(200)), Verdict::Check { beyond: true });
        assert_eq!(full(true, 0).verdict(at(200)), Verdict::Wait(Duration::from_secs(800)));
    }

    #[test]
    fn after_a_hundred_such_attempts_in_a_day_no_network_gets_one() {
        assert_eq!(full(false, 99).verdict(at(200)), Verdict::Check { beyond: true });
        assert_eq!(full(false, 100).verdict(at(200)), Verdict::Wait(Duration::from_secs(800)));
    }

    #[test]
    fn thirty_failed_logins_from_a_network_block_it_for_every_account() {
        let login_attempts =
            FailedLogins::OfUnknownDevices { of_account: None, of_network: Some(at(0)), from_here: false, beyond: 0 };
        assert_eq!(login_attempts.verdict(at(899)), Verdict::Wait(Duration::from_secs(1)));
    }

    #[test]
    fn a_known_device_is_limited_only_by_its_own_failed_logins() {
        assert_eq!(FailedLogins::OfDevice { last: None }.verdict(at(0)), Verdict::Check { beyond: false });
        let wait = Verdict::Wait(WINDOW);
        assert_eq!(FailedLogins::OfDevice { last: Some(at(0)) }.verdict(at(0)), wait);
    }
}
