//! What may be written to an address that nobody has confirmed: little, and nothing that somebody typed. Else whoever signs
//! up with a stranger's address has the shop send them whatever they like, as often as they like.

use domain::notifications::delivery::Topic;
use domain::{Email, Timestamp};
use ports::{Delivery, EmailLimit, Recipient, StoreError};

use crate::Shop;
use crate::accounts::issue_account_token::{MOST, WINDOW};
use crate::shop::earlier;

/// What an e-mail may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Room {
    /// Whatever it has to say.
    Everything,
    /// What the shop itself says, and nothing that was typed.
    OwnWords,
    /// Nothing before this moment.
    Later(Timestamp),
    /// Nothing, and it is no loss: the shop's screens say the same.
    None,
}

/// Whether an e-mail waits for room: it is about money, goods or a way into an account. Whoever places orders without paying
/// cannot make any of these.
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

/// Whether e-mails of a topic have a measure of their own, which nobody who is signed in can use up: they are the owner's way
/// in.
const fn is_apart(topic: Topic) -> bool {
    matches!(topic, Topic::AccountReset | Topic::AccountGoogleConfirm)
}

impl Shop {
    /// How much room there is for an e-mail to an address.
    pub(crate) async fn room_for(&self, delivery: &Delivery, to: &Email) -> Result<Room, StoreError> {
        if is_apart(delivery.topic) {
            return Ok(Room::OwnWords);
        }
        let now = self.clock.now();
        let bound = EmailLimit { most: MOST, since: earlier(now, WINDOW) };
        Ok(match self.ownership.recipient(delivery.id, to, bound, now).await? {
            Recipient::Confirmed => Room::Everything,
            Recipient::Unconfirmed => Room::OwnWords,
            Recipient::Full(until) if waits(delivery.topic) => Room::Later(until),
            Recipient::Full(_) => {
                tracing::info!(topic = delivery.topic.as_str(), delivery = %delivery.id, "an e-mail to an unconfirmed address was dropped");
                Room::None
            }
        })
    }
}
