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

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use ports::MockOwnershipRepository;

    use super::*;
    use crate::notifications::fake_outbox::waiting;
    use crate::platform::moments::later;
    use crate::testing::{customers_order, notifications, now};

    /// What an e-mail about this may contain, in a shop that says this of its recipient.
    async fn allowance(topic: Topic, recipient: Recipient) -> Allowance {
        let mut ownership = MockOwnershipRepository::new();
        ownership
            .expect_recipient()
            .times(1)
            .withf(|email, to, bound, at| {
                let of_an_hour = EmailLimit { most: 3, since: earlier(now(), Duration::from_hours(1)) };
                (email.get(), to, *bound, *at) == (7, &customers_order().contact.email, of_an_hour, now())
            })
            .returning(move |_, _, _, _| Ok(recipient));
        let shop = Notifications { ownership: Arc::new(ownership), ..notifications() };
        shop.allowance_for(&waiting(7, topic, None), &customers_order().contact.email).await.unwrap()
    }

    #[tokio::test]
    async fn an_unconfirmed_address_has_three_emails_an_hour_and_then_only_what_it_cannot_do_without() {
        let until = later(now(), Duration::from_mins(20));
        for (topic, recipient, expected) in [
            (Topic::OrderOrdered, Recipient::Confirmed, Allowance::Full),
            (Topic::OrderOrdered, Recipient::Unconfirmed, Allowance::WithoutUserInput),
            (Topic::OrderOrdered, Recipient::Full(until), Allowance::Drop),
            (Topic::AccountVerify, Recipient::Full(until), Allowance::Drop),
            (Topic::OrderPaid, Recipient::Full(until), Allowance::Later(until)),
            (Topic::AccountPasswordSet, Recipient::Full(until), Allowance::Later(until)),
        ] {
            assert_eq!(allowance(topic, recipient).await, expected, "{topic:?} to a {recipient:?}");
        }
    }

    #[tokio::test]
    async fn an_email_that_lets_the_owner_sign_in_does_not_count_against_that_limit() {
        for topic in [Topic::AccountReset, Topic::AccountGoogleConfirm] {
            // The recipient's limit is not even asked for.
            let email = waiting(7, topic, None);
            let allowed = notifications().allowance_for(&email, &customers_order().contact.email).await.unwrap();
            assert_eq!(allowed, Allowance::WithoutUserInput, "{topic:?}");
        }
    }
}
