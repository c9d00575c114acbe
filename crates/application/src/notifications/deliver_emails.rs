//! Sending the e-mails in the outbox.

use std::sync::Arc;
use std::time::Duration;

use domain::notifications::delivery::{Channel, EmailLane, Topic, wait};
use domain::{Email, Order, OrderEventKind, OrderId, Shipment, Timestamp};
use ports::{
    Delivery, EmailError, EmailMessage, EmailSender, LeaseRequest, Notification, PurchaseSummary, Queue, StoreError,
    TokenPurpose,
};

use crate::Notifications;
use crate::notifications::delivery_lanes::{Lane, LanePolicy};
use crate::notifications::notification::{about_account, about_order, about_return, about_shipment, purchase_of};
use crate::notifications::outcome::{Delivered, Outcome, failure, reason};
use crate::notifications::unconfirmed_email::Allowance;

/// How many e-mails of a lane are sent concurrently. A mail server accepts some fifty connections from one client.
const AT_ONCE: usize = 8;
/// How many e-mails a lane leases in one batch.
const BATCH: u32 = 64;
/// How long an instance may hold its leases: a leased e-mail is started within 20 seconds, and sending takes at most
/// half a minute.
const LEASE: Duration = Duration::from_mins(1);
/// How many e-mails to addresses without an account one statement discards.
const DISCARD_BATCH: u32 = 5_000;
enum Written {
    /// An e-mail.
    EmailMessage(Box<EmailMessage>),
    /// The e-mail is not needed any more: it is discarded.
    ForNobody,
    /// The address has reached its limit until this moment.
    Later(Timestamp),
    /// The data that it should report does not exist.
    Nothing,
}

impl Notifications {
    /// Starts to send the e-mails that are due, in lanes that do not wait for each other, and returns the results since
    /// the last run. Without a mail server nothing is leased, and e-mails wait. Any number of instances may run this
    /// concurrently; each sends different e-mails. If this process dies after an e-mail was accepted and before that
    /// was recorded, the e-mail is sent again under the same id.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed; deliveries in progress are due again when their lease expires.
    pub async fn deliver_emails(&self) -> Result<Delivered, StoreError> {
        let Some(email_sender) = self.email_sender.clone() else { return Ok(Delivered::default()) };
        self.outbox.discard_for_unknown_addresses(DISCARD_BATCH).await?;
        for email_lane in EmailLane::ALL {
            let email_sender = Arc::clone(&email_sender);
            let request = LeaseRequest { queue: Queue::Mail, topics: topics(email_lane), lease: LEASE, limit: BATCH };
            let lane = Lane::Mail(email_lane);
            let policy = LanePolicy { at_once: AT_ONCE, ends_at_failure: false, one_batch: false };
            let work = self.clone().run_lane(lane, request, policy, move |notifications, delivery| {
                let email_sender = Arc::clone(&email_sender);
                async move {
                    let attempt = notifications.deliver_email(email_sender.as_ref(), &delivery);
                    notifications.guarded(&delivery, attempt).await
                }
            });
            Arc::clone(&self.lanes).start(lane, work);
        }
        Ok(self.lanes.counted(Channel::Mail))
    }

    async fn deliver_email(&self, email_sender: &dyn EmailSender, delivery: &Delivery) -> Result<Outcome, StoreError> {
        let message = match self.write_email(delivery).await? {
            Written::EmailMessage(mut message) => {
                message.attachments = self.attachments(&message.notification).await?;
                message
            }
            Written::ForNobody => {
                self.outbox.discard(delivery.id).await?;
                return Ok(Outcome::Discarded);
            }
            Written::Later(until) => {
                let wait = Duration::try_from(until.duration_since(self.clock.now())).unwrap_or_default();
                let why = failure("the address is not confirmed and has had its e-mails of this hour");
                return self.reschedule_or_dead_letter(delivery, wait, why).await;
            }
            Written::Nothing => return self.dead_letter(delivery, failure("there is nothing to say any more")).await,
        };
        // A server may quote the e-mail in its refusal, and the reason is stored: it must not contain the token.
        let reason = |error: &EmailError| {
            let reason = reason(error);
            match message.notification.token() {
                Some(token) => reason.replace(token.expose(), "…"),
                None => reason,
            }
        };
        match email_sender.send(&message).await {
            Ok(()) => {
                self.outbox.sent(delivery.id, None).await?;
                Ok(Outcome::Sent)
            }
            Err(error @ EmailError::Refused(_)) => self.dead_letter(delivery, failure(&reason(&error))).await,
            Err(error) => {
                let wait = wait(delivery.id, delivery.attempts);
                self.reschedule_or_dead_letter(delivery, wait, failure(&reason(&error))).await
            }
        }
    }

    async fn write_email(&self, delivery: &Delivery) -> Result<Written, StoreError> {
        let Some(to) = &delivery.to else { return Ok(Written::Nothing) };
        let may_repeat_user_input = match self.allowance_for(delivery, to).await? {
            Allowance::Full => true,
            Allowance::WithoutUserInput => false,
            Allowance::Later(until) => return Ok(Written::Later(until)),
            Allowance::Drop => return Ok(Written::ForNobody),
        };
        let notification = match (delivery.topic, delivery.order) {
            (Topic::AccountVerify, _) => return self.write_with_link(delivery, to, TokenPurpose::Verify).await,
            (Topic::AccountReset, _) => return self.write_with_link(delivery, to, TokenPurpose::Reset).await,
            (Topic::AccountGoogleConfirm, _) => return self.write_google_confirmation(delivery, to).await,
            (Topic::WebhookDisabled, _) => return self.write_about_webhook(delivery, to).await,
            (topic, None) => {
                let account = match topic {
                    Topic::AccountAdminAdded => self.ownership.account_of_notice(delivery.id).await?,
                    _ => None,
                };
                about_account(topic, account)
            }
            (topic, Some(order)) => {
                let Some(order) = self.orders.find(order).await? else { return Ok(Written::Nothing) };
                // Paid, shipped or cancelled since: there is nothing to remind of.
                if topic == Topic::OrderReminder && order.reserved_until().is_none() {
                    return Ok(Written::ForNobody);
                }
                match topic {
                    Topic::OrderReturnAccepted | Topic::OrderReturnDeclined => {
                        let decision = self.event_of(delivery, order.id).await?;
                        decision.and_then(|decision| about_return(decision, order, may_repeat_user_input))
                    }
                    Topic::OrderShipped | Topic::OrderPartShipped => {
                        let shipment = self.shipment_of(delivery, order.id).await?;
                        about_shipment(topic, shipment, order, may_repeat_user_input)
                    }
                    topic => {
                        let purchase = self.purchase(topic, &order).await?;
                        about_order(topic, order, purchase, may_repeat_user_input)
                    }
                }
            }
        };
        Ok(notification.map_or(Written::Nothing, |notification| written(delivery, to, notification)))
    }

    /// What is said of the checkout that an order is a line of.
    async fn purchase(&self, topic: Topic, order: &Order) -> Result<Option<PurchaseSummary>, StoreError> {
        let Some(checkout) = order.checkout() else { return Ok(None) };
        let stored = self.checkouts.find(checkout).await?;
        Ok(stored.and_then(|stored| purchase_of(topic, order, stored)))
    }

    /// The shipment that a delivery reports: the part, or the last one of the whole order.
    async fn shipment_of(&self, delivery: &Delivery, order: OrderId) -> Result<Option<Shipment>, StoreError> {
        let mut shipments = self.shipments.of_order(order).await?;
        if delivery.topic == Topic::OrderShipped {
            return Ok(shipments.pop());
        }
        let Some(OrderEventKind::PartShipped { shipment, .. }) = self.event_of(delivery, order).await? else {
            return Ok(None);
        };
        Ok(shipments.into_iter().find(|one| one.id == shipment))
    }

    /// The event of the order's timeline that a delivery reports.
    async fn event_of(&self, delivery: &Delivery, order: OrderId) -> Result<Option<OrderEventKind>, StoreError> {
        let mut timeline = self.orders.timeline(order).await?.into_iter();
        Ok(timeline.find(|event| Some(event.id) == delivery.event).map(|event| event.kind))
    }

    async fn write_google_confirmation(&self, delivery: &Delivery, to: &Email) -> Result<Written, StoreError> {
        let token = self.account_tokens.fresh();
        let hash = self.account_tokens.hash(&token);
        if !self.ownership.add_pending_token(delivery.id, &hash, self.clock.now()).await? {
            return Ok(Written::ForNobody);
        }
        Ok(written(delivery, to, Notification::ConfirmGoogle { token }))
    }

    async fn write_about_webhook(&self, delivery: &Delivery, to: &Email) -> Result<Written, StoreError> {
        let Some(subscription) = delivery.subscription else { return Ok(Written::Nothing) };
        let Some(stored) = self.webhook_subscriptions.find(subscription).await? else { return Ok(Written::ForNobody) };
        // An admin has enabled it again already.
        let Some(disabled) = stored.subscription.disabled else { return Ok(Written::ForNobody) };
        let notification =
            Notification::WebhookDisabled { url: stored.subscription.url.as_str().to_owned(), reason: disabled.why };
        Ok(written(delivery, to, notification))
    }

    async fn write_with_link(
        &self,
        delivery: &Delivery,
        to: &Email,
        purpose: TokenPurpose,
    ) -> Result<Written, StoreError> {
        let Some(token) = self.account_token_issuer.issue(purpose, to, delivery.id).await? else {
            return Ok(Written::ForNobody);
        };
        Ok(written(
            delivery,
            to,
            match purpose {
                TokenPurpose::Verify => Notification::VerifyAddress { token },
                TokenPurpose::Reset => Notification::ResetPassword { token },
            },
        ))
    }
}

/// The topics that a lane sends e-mails about. A cancellation has none of its own: the e-mail about the refund reports it,
/// or there is nothing to report.
fn topics(lane: EmailLane) -> Vec<Topic> {
    let is_mailed = |topic: &Topic| *topic != Topic::OrderCancelled && EmailLane::of(*topic) == lane;
    Topic::ALL.into_iter().filter(is_mailed).collect()
}

fn written(delivery: &Delivery, to: &Email, notification: Notification) -> Written {
    let (id, to) = (email_id(delivery), to.clone());
    Written::EmailMessage(Box::new(EmailMessage {
        id,
        to,
        notification,
        attachments: Vec::new(),
        happened_at: delivery.created_at,
    }))
}

/// The `Message-ID`, the same for every attempt. It includes the time, because ids repeat in a database that was
/// created anew, and mail readers drop an e-mail whose id they have seen.
fn email_id(delivery: &Delivery) -> String {
    format!("{}.{}", delivery.id, delivery.created_at.as_microsecond())
}

#[cfg(test)]
mod tests;
