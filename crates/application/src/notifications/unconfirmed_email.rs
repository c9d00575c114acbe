//! Limits on e-mail to unconfirmed addresses: few e-mails, and no user input in them. Otherwise anyone who signs up
//! with a foreign address could have the shop send arbitrary text to it, any number of times.

use domain::notifications::delivery::Topic;
use domain::{Email, Timestamp};
use ports::{Delivery, EmailLimit, Recipient, StoreError};

use crate::Notifications;
use crate::accounts::issue_account_token::{MOST, WINDOW};
use crate::platform::moments::earlier;

/// What an e-mail may contain now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Allowance {
    /// Everything, including user input.
    Full,
    /// Only the shop's own text.
    WithoutUserInput,
    /// Nothing before this moment: the limit is reached.
    Later(Timestamp),
    /// Nothing; the e-mail is dropped, because the shop's screens show the same.
    Drop,
}

/// Whether an e-mail waits when the limit is reached: it is about money, goods or a sign-in. Placing orders without
/// paying cannot cause any of these.
const fn waits(topic: Topic) -> bool {
    !matches!(
        topic,
        Topic::OrderOrdered
            | Topic::OrderCancelled
            | Topic::OrderReminder
            | Topic::OrderLapsed
            | Topic::OrderReleased
            | Topic::AccountVerify
    )
}

/// Whether a topic has a limit of its own, which no signed-in user can use up: these e-mails let the owner sign in.
const fn is_apart(topic: Topic) -> bool {
    matches!(topic, Topic::AccountReset | Topic::AccountGoogleConfirm)
}

impl Notifications {
    /// What an e-mail to an address may contain now.
    pub(crate) async fn allowance_for(&self, delivery: &Delivery, to: &Email) -> Result<Allowance, StoreError> {
        if is_apart(delivery.topic) {
            return Ok(Allowance::WithoutUserInput);
        }
        let now = self.clock.now();
        let bound = EmailLimit { most: MOST, since: earlier(now, WINDOW) };
        Ok(match self.ownership.recipient(delivery.id, to, bound, now).await? {
            Recipient::Confirmed => Allowance::Full,
            Recipient::Unconfirmed => Allowance::WithoutUserInput,
            Recipient::Full(until) if waits(delivery.topic) => Allowance::Later(until),
            Recipient::Full(_) => {
                tracing::info!(topic = delivery.topic.as_str(), delivery = %delivery.id, "an e-mail to an unconfirmed address was dropped");
                Allowance::Drop
            }
        })
    }
}
