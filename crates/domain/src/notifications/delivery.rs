//! E-mail and webhook deliveries: channels, topics, states and the retry policy.

use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;
use std::time::Duration;

use crate::platform::name::read_by_name;

/// How a notification is delivered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Channel {
    /// By e-mail.
    Mail,
    /// By a call to a webhook subscription.
    Webhook,
}

impl Channel {
    /// Every channel.
    pub const ALL: [Self; 2] = [Self::Mail, Self::Webhook];

    /// The name, in the database and on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Mail => "mail",
            Self::Webhook => "webhook",
        }
    }
}

/// What a notification is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Topic {
    /// An order was placed.
    OrderOrdered,
    /// An order's payment arrived.
    OrderPaid,
    /// An order was shipped.
    OrderShipped,
    /// A part of an order was shipped.
    OrderPartShipped,
    /// An order was cancelled.
    OrderCancelled,
    /// An order's payment was refunded.
    OrderRefunded,
    /// A return was accepted.
    OrderReturnAccepted,
    /// A return was declined.
    OrderReturnDeclined,
    /// An order is unpaid and its reservation is about to expire.
    OrderReminder,
    /// An order was not paid in time, and its units are for sale again.
    OrderLapsed,
    /// An unpaid order was cancelled by someone other than its customer.
    OrderReleased,
    /// A checkout was placed.
    CheckoutPlaced,
    /// The last of a checkout's orders that stand was paid.
    CheckoutPaid,
    /// Someone signed up and has to confirm the e-mail address.
    AccountVerify,
    /// A password reset was requested.
    AccountReset,
    /// Google does not vouch for an e-mail address: an e-mailed link finishes the sign-in.
    AccountGoogleConfirm,
    /// A password was set through an e-mailed link.
    AccountPasswordSet,
    /// The password was changed in a signed-in session.
    AccountPasswordChanged,
    /// A passkey or an authenticator app was added to an account.
    AccountSecondFactorAdded,
    /// A passkey or an authenticator app was removed from an account.
    AccountSecondFactorRemoved,
    /// A recovery code was used to sign in.
    AccountRecoveryCodeUsed,
    /// A Google account was linked.
    AccountGoogleLinked,
    /// A Google account was unlinked.
    AccountGoogleUnlinked,
    /// The owner of an e-mail address signed in with Google and took over an unconfirmed account with that address.
    AccountTakenOver,
    /// The owner of an e-mail address deleted an account that someone else had created with it.
    AccountDeleted,
    /// The account was given the admin role.
    AccountRoleGiven,
    /// The account lost the admin role.
    AccountRoleTaken,
    /// Another account was given the admin role; all admins are notified.
    AccountAdminAdded,
    /// A webhook subscription was disabled.
    WebhookDisabled,
}

impl Topic {
    /// Every topic.
    pub const ALL: [Self; 29] = [
        Self::OrderOrdered,
        Self::OrderPaid,
        Self::OrderShipped,
        Self::OrderPartShipped,
        Self::OrderCancelled,
        Self::OrderRefunded,
        Self::OrderReturnAccepted,
        Self::OrderReturnDeclined,
        Self::OrderReminder,
        Self::OrderLapsed,
        Self::OrderReleased,
        Self::CheckoutPlaced,
        Self::CheckoutPaid,
        Self::AccountVerify,
        Self::AccountReset,
        Self::AccountGoogleConfirm,
        Self::AccountPasswordSet,
        Self::AccountPasswordChanged,
        Self::AccountSecondFactorAdded,
        Self::AccountSecondFactorRemoved,
        Self::AccountRecoveryCodeUsed,
        Self::AccountGoogleLinked,
        Self::AccountGoogleUnlinked,
        Self::AccountTakenOver,
        Self::AccountDeleted,
        Self::AccountRoleGiven,
        Self::AccountRoleTaken,
        Self::AccountAdminAdded,
        Self::WebhookDisabled,
    ];

    /// Those that a webhook subscription may choose.
    pub const FOR_WEBHOOKS: [Self; 7] = [
        Self::OrderOrdered,
        Self::OrderPaid,
        Self::OrderShipped,
        Self::OrderCancelled,
        Self::OrderRefunded,
        Self::CheckoutPlaced,
        Self::CheckoutPaid,
    ];

    /// The name, in the database and on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::OrderOrdered => "order.ordered",
            Self::OrderPaid => "order.paid",
            Self::OrderShipped => "order.shipped",
            Self::OrderPartShipped => "order.part_shipped",
            Self::OrderCancelled => "order.cancelled",
            Self::OrderRefunded => "order.refunded",
            Self::OrderReturnAccepted => "order.return_accepted",
            Self::OrderReturnDeclined => "order.return_declined",
            Self::OrderReminder => "order.reminder",
            Self::OrderLapsed => "order.lapsed",
            Self::OrderReleased => "order.released",
            Self::CheckoutPlaced => "checkout.placed",
            Self::CheckoutPaid => "checkout.paid",
            Self::AccountVerify => "account.verify",
            Self::AccountReset => "account.reset",
            Self::AccountGoogleConfirm => "account.google_confirm",
            Self::AccountPasswordSet => "account.password_set",
            Self::AccountPasswordChanged => "account.password_changed",
            Self::AccountSecondFactorAdded => "account.second_factor_added",
            Self::AccountSecondFactorRemoved => "account.second_factor_removed",
            Self::AccountRecoveryCodeUsed => "account.recovery_code_used",
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

/// The queues of e-mails. An e-mail waits only for others in its own lane, whatever happens in the other lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EmailLane {
    /// About an account: a user waits for the e-mail, or has to know.
    Account,
    /// Records that a customer keeps: receipts and refunds.
    Receipt,
    /// Everything else.
    Rest,
}

impl EmailLane {
    /// Every lane.
    pub const ALL: [Self; 3] = [Self::Account, Self::Receipt, Self::Rest];

    /// The lane of a topic.
    #[must_use]
    pub fn of(topic: Topic) -> Self {
        match topic {
            Topic::OrderPaid | Topic::OrderRefunded | Topic::OrderReturnAccepted => Self::Receipt,
            topic if topic.as_str().starts_with("account.") => Self::Account,
            _ => Self::Rest,
        }
    }
}

/// How far a delivery has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DeliveryState {
    /// Not delivered yet; it will be tried, or tried again.
    Waiting,
    /// Accepted by the recipient's server.
    Sent,
    /// Dead-lettered after too many failures; only an admin can requeue it.
    Dead,
}

impl DeliveryState {
    /// Every state.
    pub const ALL: [Self; 3] = [Self::Waiting, Self::Sent, Self::Dead];

    /// The name, in the database and on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Sent => "sent",
            Self::Dead => "dead",
        }
    }
}

read_by_name!(Channel);
read_by_name!(Topic);
read_by_name!(DeliveryState);

/// Id of a delivery. Later deliveries have larger ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeliveryId(i64);

impl DeliveryId {
    /// Wraps a number that is known to be a delivery's.
    #[must_use]
    pub const fn new(id: i64) -> Self {
        Self(id)
    }

    /// The underlying number.
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

/// How many attempts a delivery gets before it is dead-lettered. With the delays of [`wait`] that takes more than three
/// days, so a server may be down for a weekend; mail servers and other shops retry for as long.
pub const MAX_ATTEMPTS: u32 = 46;

const FIRST_WAIT: Duration = Duration::from_secs(10);
const LONGEST_WAIT: Duration = Duration::from_hours(2);

/// How long to wait after a failed attempt (`attempt` is 1 for the first): ten seconds, doubled each time, at most two
/// hours, plus up to a quarter of jitter. The jitter derives from the delivery's id, so that deliveries that failed
/// together, because the recipient was unavailable, are not all retried at the same moment.
#[must_use]
pub fn wait(id: DeliveryId, attempt: u32) -> Duration {
    let doubled = FIRST_WAIT.saturating_mul(2_u32.saturating_pow(attempt.saturating_sub(1)));
    let wait = doubled.min(LONGEST_WAIT);
    // Fibonacci hashing: neighbouring ids end up far apart.
    let spread = (id.0.unsigned_abs() ^ u64::from(attempt)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 54;
    wait + wait / 4 * u32::try_from(spread).unwrap_or(0) / 1024
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::platform::name::UnknownName;

    #[test]
    fn names_round_trip() {
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
    fn emails_about_accounts_and_receipts_have_queues_of_their_own() {
        for (topic, lane) in [
            (Topic::AccountVerify, EmailLane::Account),
            (Topic::AccountAdminAdded, EmailLane::Account),
            (Topic::OrderPaid, EmailLane::Receipt),
            (Topic::OrderRefunded, EmailLane::Receipt),
            (Topic::OrderReturnAccepted, EmailLane::Receipt),
            (Topic::OrderReturnDeclined, EmailLane::Rest),
            (Topic::OrderReminder, EmailLane::Rest),
            (Topic::WebhookDisabled, EmailLane::Rest),
        ] {
            assert_eq!(EmailLane::of(topic), lane, "{topic:?}");
        }
    }

    #[test]
    fn a_server_that_is_down_for_three_days_loses_nothing() {
        for id in 1..100 {
            let waits = (1..MAX_ATTEMPTS).map(|attempt| wait(DeliveryId::new(id), attempt)).sum::<Duration>();
            assert!(waits > Duration::from_hours(72) && waits < Duration::from_hours(96), "{waits:?}");
        }
    }

    #[test]
    fn deliveries_that_failed_together_are_retried_at_different_times() {
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
        fn a_delivery_id_round_trips_through_its_number_and_its_text(number in any::<i64>()) {
            let id = DeliveryId::new(number);
            prop_assert_eq!(id.get(), number);
            prop_assert_eq!(id.to_string().parse(), Ok(id));
        }
    }
}
