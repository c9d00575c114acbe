//! What the shop tells the world of its own accord, and how stubbornly.

use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;
use std::time::Duration;

use thiserror::Error;

/// A word that names no channel, no topic or no state of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("names nothing that there is")]
pub struct UnknownName;

/// By which way something is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Channel {
    /// A letter to a person.
    Mail,
    /// A call to somebody else's program.
    Webhook,
}

impl Channel {
    /// Every channel there is.
    pub const ALL: [Self; 2] = [Self::Mail, Self::Webhook];

    /// Its name, in the database and on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Mail => "mail",
            Self::Webhook => "webhook",
        }
    }
}

/// What is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Topic {
    /// An order was placed.
    OrderOrdered,
    /// Its money arrived.
    OrderPaid,
    /// Its goods left.
    OrderShipped,
    /// It was called off.
    OrderCancelled,
    /// Its money went back.
    OrderRefunded,
    /// It is unpaid, and its time is nearly up.
    OrderReminder,
    /// It was not paid in time, and its units are for sale again.
    OrderLapsed,
    /// Somebody else than its buyer cancelled it unpaid.
    OrderReleased,
    /// Somebody signed up: whether the address is theirs.
    AccountVerify,
    /// Somebody forgot their password.
    AccountReset,
    /// Google does not speak for an address: a link finishes the sign-in.
    AccountGoogleConfirm,
    /// A password was chosen by an e-mailed link.
    AccountPasswordSet,
    /// The password was changed by somebody who was signed in.
    AccountPasswordChanged,
    /// A Google account was linked.
    AccountGoogleLinked,
    /// The link to a Google account was taken away.
    AccountGoogleUnlinked,
    /// The address's owner came by Google and took an unconfirmed account over.
    AccountTakenOver,
    /// The address's owner deleted an account that somebody else had made for it.
    AccountDeleted,
    /// The account became an admin's.
    AccountRoleGiven,
    /// The admin role was taken back.
    AccountRoleTaken,
    /// Another account became an admin's; admins are notified.
    AccountAdminAdded,
    /// A webhook subscription gets nothing any more.
    WebhookDisabled,
}

impl Topic {
    /// Every topic there is.
    pub const ALL: [Self; 21] = [
        Self::OrderOrdered,
        Self::OrderPaid,
        Self::OrderShipped,
        Self::OrderCancelled,
        Self::OrderRefunded,
        Self::OrderReminder,
        Self::OrderLapsed,
        Self::OrderReleased,
        Self::AccountVerify,
        Self::AccountReset,
        Self::AccountGoogleConfirm,
        Self::AccountPasswordSet,
        Self::AccountPasswordChanged,
        Self::AccountGoogleLinked,
        Self::AccountGoogleUnlinked,
        Self::AccountTakenOver,
        Self::AccountDeleted,
        Self::AccountRoleGiven,
        Self::AccountRoleTaken,
        Self::AccountAdminAdded,
        Self::WebhookDisabled,
    ];

    /// Those that are about an order, which other programs may want to know.
    pub const OF_ORDERS: [Self; 5] =
        [Self::OrderOrdered, Self::OrderPaid, Self::OrderShipped, Self::OrderCancelled, Self::OrderRefunded];

    /// Its name, in the database and on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::OrderOrdered => "order.ordered",
            Self::OrderPaid => "order.paid",
            Self::OrderShipped => "order.shipped",
            Self::OrderCancelled => "order.cancelled",
            Self::OrderRefunded => "order.refunded",
            Self::OrderReminder => "order.reminder",
            Self::OrderLapsed => "order.lapsed",
            Self::OrderReleased => "order.released",
            Self::AccountVerify => "account.verify",
            Self::AccountReset => "account.reset",
            Self::AccountGoogleConfirm => "account.google_confirm",
            Self::AccountPasswordSet => "account.password_set",
            Self::AccountPasswordChanged => "account.password_changed",
            Self::AccountGoogleLinked => "account.google_linked",
            Self::AccountGoogleUnlinked => "account.google_unlinked",
            Self::AccountTakenOver => "account.taken_over",
            Self::AccountDeleted => "account.deleted",
            Self::AccountRoleGiven => "account.role_given",
            Self::AccountRoleTaken => "account.role_taken",
            Self::AccountAdminAdded => "account.admin_added",
            Self::WebhookDisabled => "webhook.disabled",
        }
    }
}

/// Which e-mails wait for one another. Each lane goes on whatever becomes of the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EmailLane {
    /// Somebody waits for it, or has to know: what is about an account.
    Account,
    /// What somebody keeps: a receipt, a refund.
    Receipt,
    /// Everything else.
    Rest,
}

impl EmailLane {
    /// Every lane there is.
    pub const ALL: [Self; 3] = [Self::Account, Self::Receipt, Self::Rest];

    /// A topic's lane.
    #[must_use]
    pub fn of(topic: Topic) -> Self {
        match topic {
            Topic::OrderPaid | Topic::OrderRefunded => Self::Receipt,
            topic if topic.as_str().starts_with("account.") => Self::Account,
            _ => Self::Rest,
        }
    }
}

/// Whether something has been told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DeliveryState {
    /// Not yet; it will be tried, perhaps again.
    Waiting,
    /// It was accepted at the other end.
    Sent,
    /// It was given up; only a person puts it back.
    Dead,
}

impl DeliveryState {
    /// Every state there is.
    pub const ALL: [Self; 3] = [Self::Waiting, Self::Sent, Self::Dead];

    /// Its name, in the database and on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Sent => "sent",
            Self::Dead => "dead",
        }
    }
}

macro_rules! read_by_name {
    ($name:ident) => {
        impl FromStr for $name {
            type Err = UnknownName;

            fn from_str(name: &str) -> Result<Self, UnknownName> {
                Self::ALL.into_iter().find(|one| one.as_str() == name).ok_or(UnknownName)
            }
        }
    };
}

read_by_name!(Channel);
read_by_name!(Topic);
read_by_name!(DeliveryState);

/// Which thing to tell. Later ones are larger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeliveryId(i64);

impl DeliveryId {
    /// Wraps a number that is known to be a delivery's.
    #[must_use]
    pub const fn new(id: i64) -> Self {
        Self(id)
    }

    /// The bare number.
    #[must_use]
    pub const fn get(self) -> i64 {
        self.0
    }
}

impl fmt::Display for DeliveryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for DeliveryId {
    type Err = ParseIntError;

    fn from_str(text: &str) -> Result<Self, ParseIntError> {
        text.parse().map(Self)
    }
}

/// How often something is tried before it is given up: over more than three days, by [`wait`]. A weekend is shorter, and mail
/// servers and other shops keep on for as long.
pub const MAX_ATTEMPTS: u32 = 46;

const FIRST_WAIT: Duration = Duration::from_secs(10);
const LONGEST_WAIT: Duration = Duration::from_hours(2);

/// How long to wait after an attempt (1 for the first) that failed: ten seconds, twice as long each time, two hours at most,
/// and up to a quarter more. The quarter is told by the delivery's own number, so that those that failed together, because
/// the other end was away, do not all come back at the same moment.
#[must_use]
pub fn wait(id: DeliveryId, attempt: u32) -> Duration {
    let doubled = FIRST_WAIT.saturating_mul(2_u32.saturating_pow(attempt.saturating_sub(1)));
    let wait = doubled.min(LONGEST_WAIT);
    // Fibonacci hashing: neighbouring numbers end up far apart.
    let spread = (id.0.unsigned_abs() ^ u64::from(attempt)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 54;
    wait + wait / 4 * u32::try_from(spread).unwrap_or(0) / 1024
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn names_are_read_back_as_written() {
        for topic in Topic::ALL {
            assert_eq!(topic.as_str().parse(), Ok(topic));
        }
        for channel in Channel::ALL {
            assert_eq!(channel.as_str().parse(), Ok(channel));
        }
        for state in DeliveryState::ALL {
            assert_eq!(state.as_str().parse(), Ok(state));
        }
        assert_eq!("order.lost".parse::<Topic>(), Err(UnknownName));
    }

    #[test]
    fn a_server_that_is_away_for_three_days_loses_nothing() {
        for id in 1..100 {
            let waits = (1..MAX_ATTEMPTS).map(|attempt| wait(DeliveryId::new(id), attempt)).sum::<Duration>();
            assert!(waits > Duration::from_hours(72) && waits < Duration::from_hours(96), "{waits:?}");
        }
    }

    #[test]
    fn those_that_failed_together_come_back_one_by_one() {
        let mut waits: Vec<_> = (1..=100).map(|id| wait(DeliveryId::new(id), 5)).collect();
        waits.sort_unstable();
        waits.dedup();
        assert!(waits.len() > 80, "{} different moments", waits.len());
    }

    proptest! {
        #[test]
        fn waits_are_bounded_and_grow(id in any::<i64>(), attempt in 1_u32..100) {
            let bare = FIRST_WAIT.as_secs() << (attempt - 1).min(20);
            let bare = Duration::from_secs(bare).min(LONGEST_WAIT);
            let wait = wait(DeliveryId::new(id), attempt);
            prop_assert!(wait >= bare && wait <= bare + bare / 4, "{wait:?} for {bare:?}");
        }

        #[test]
        fn a_number_survives_being_written_down(id in any::<i64>()) {
            let id = DeliveryId::new(id);
            prop_assert_eq!(id.to_string().parse(), Ok(id));
        }
    }
}
