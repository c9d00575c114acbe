//! Reading deliveries, requeueing dead ones, and deleting old ones.

use std::time::Duration;

use domain::accounts::access::Denied;
use domain::notifications::delivery::DeliveryId;
use domain::{Caller, Permission, WebhookSubscriptionId};
use ports::{Backlog, Delivery, DeliveryQuery, Page, Requeued, StoreError};
use thiserror::Error;

use crate::platform::moments::earlier;
use crate::{Failure, Notifications};

/// How many deliveries one statement requeues.
const BATCH: u32 = 1_000;
/// The maximum number of such statements in one call.
const MAX_BATCHES: u32 = 200;
/// How long sent deliveries are stored.
const SENT_RETENTION: Duration = Duration::from_hours(30 * 24);
/// How long dead deliveries are stored, so that an admin can requeue them.
const DEAD_RETENTION: Duration = Duration::from_hours(90 * 24);

/// The delivery is not dead: it is sent, or waits to be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the delivery was not given up")]
pub struct NotDead;

impl Notifications {
    /// The deliveries that match, latest first.
    ///
    /// # Errors
    /// [`Failure::Denied`] to anyone but an admin.
    pub async fn deliveries(
        &self,
        caller: &Caller,
        query: &DeliveryQuery,
    ) -> Result<Page<Delivery, DeliveryId>, Failure> {
        caller.require(Permission::ManageDeliveries)?;
        Ok(self.outbox.list(query).await?)
    }

    /// Requeues a dead delivery: it is due immediately and has all its attempts again.
    ///
    /// # Errors
    /// [`NotDead`].
    pub async fn retry_delivery(&self, caller: &Caller, id: DeliveryId) -> Result<(), Failure<NotDead>> {
        caller.require(Permission::ManageDeliveries)?;
        match self.outbox.requeue(id).await? {
            Requeued::Waiting => Ok(()),
            Requeued::NotDead => Err(Failure::Refused(NotDead)),
            Requeued::NotFound => Err(Denied::NotFound.into()),
        }
    }

    /// Requeues all dead deliveries, or those of one webhook subscription, which is enabled if it was disabled. Returns
    /// how many.
    ///
    /// # Errors
    /// [`Failure::Denied`] to anyone but an admin, or if there is no such subscription.
    pub async fn retry_deliveries(
        &self,
        caller: &Caller,
        subscription: Option<WebhookSubscriptionId>,
    ) -> Result<u64, Failure> {
        caller.require(Permission::ManageDeliveries)?;
        if let Some(subscription) = subscription
            && !self.webhook_subscriptions.enable(subscription).await?
        {
            return Err(Denied::NotFound.into());
        }
        let mut requeue = 0;
        // A requeued delivery may be dead-lettered again in the meantime, so without a limit this might never end.
        for _ in 0..MAX_BATCHES {
            let requeued_now = self.outbox.requeue_all(subscription, BATCH).await?;
            requeue += u64::from(requeued_now);
            if requeued_now < BATCH {
                break;
            }
        }
        Ok(requeue)
    }

    /// The backlog of every channel.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn outbox_backlog(&self) -> Result<Vec<Backlog>, StoreError> {
        self.outbox.backlog().await
    }

    /// Deletes deliveries that were sent, or are dead, since a long time.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn forget_old_deliveries(&self) -> Result<u64, StoreError> {
        let now = self.clock.now();
        let (sent_before, dead_before) = (earlier(now, SENT_RETENTION), earlier(now, DEAD_RETENTION));
        self.clocks.forget_what_is_old(|limit| self.outbox.forget(sent_before, dead_before, limit)).await
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::Role;
    use domain::WebhookSubscriptionId;
    use domain::notifications::delivery::{Channel, DeliveryState};
    use ports::{MockOutbox, MockWebhookSubscriptions, Pagination};
    use uuid::Uuid;

    use super::*;
    use crate::testing::{caller, notifications, now};

    const QUERY: DeliveryQuery = DeliveryQuery { state: DeliveryState::Dead, page: Pagination::whole() };

    #[tokio::test]
    async fn only_an_admin_reads_and_requeues_deliveries() {
        let customer = caller(Role::Customer);
        let refused = notifications().deliveries(&customer, &QUERY).await;
        assert!(matches!(refused, Err(Failure::Denied(Denied::Forbidden))));
        let refused = notifications().retry_delivery(&customer, DeliveryId::new(1)).await;
        assert!(matches!(refused, Err(Failure::Denied(Denied::Forbidden))));
    }

    #[tokio::test]
    async fn an_admin_lists_deliveries_by_state() {
        let mut outbox = MockOutbox::new();
        outbox.expect_list().withf(|query| *query == QUERY).returning(|_| Ok(Page::empty(4)));
        let notifications = Notifications { outbox: Arc::new(outbox), ..notifications() };
        assert_eq!(notifications.deliveries(&caller(Role::Admin), &QUERY).await.unwrap().total, 4);
    }

    #[tokio::test]
    async fn only_a_dead_delivery_is_requeued() {
        for requeue in [Requeued::Waiting, Requeued::NotDead, Requeued::NotFound] {
            let mut outbox = MockOutbox::new();
            outbox.expect_requeue().returning(move |_| Ok(requeue));
            let notifications = Notifications { outbox: Arc::new(outbox), ..notifications() };
            let done = notifications.retry_delivery(&caller(Role::Admin), DeliveryId::new(1)).await;
            match requeue {
                Requeued::Waiting => assert!(done.is_ok()),
                Requeued::NotDead => assert!(matches!(done, Err(Failure::Refused(NotDead)))),
                Requeued::NotFound => assert!(matches!(done, Err(Failure::Denied(Denied::NotFound)))),
            }
        }
    }

    #[tokio::test]
    async fn all_dead_deliveries_are_requeued_in_batches() {
        let mut outbox = MockOutbox::new();
        let mut left = 2_500;
        outbox.expect_requeue_all().withf(|subscription, _| subscription.is_none()).returning(move |_, limit| {
            let requeued_now = limit.min(left);
            left -= requeued_now;
            Ok(requeued_now)
        });
        let notifications = Notifications { outbox: Arc::new(outbox), ..notifications() };
        assert_eq!(notifications.retry_deliveries(&caller(Role::Admin), None).await.unwrap(), 2_500);
        let refused = notifications.retry_deliveries(&caller(Role::Customer), None).await;
        assert!(matches!(refused, Err(Failure::Denied(Denied::Forbidden))));
    }

    #[tokio::test]
    async fn a_subscription_is_enabled_before_its_deliveries_are_requeued() {
        for there in [true, false] {
            let mut webhook_subscriptions = MockWebhookSubscriptions::new();
            webhook_subscriptions.expect_enable().times(1).returning(move |_| Ok(there));
            let mut outbox = MockOutbox::new();
            outbox.expect_requeue_all().times(usize::from(there)).returning(|_, _| Ok(3));
            let notifications = Notifications {
                webhook_subscriptions: Arc::new(webhook_subscriptions),
                outbox: Arc::new(outbox),
                ..notifications()
            };
            let id = WebhookSubscriptionId::new(Uuid::from_u128(1));
            let done = notifications.retry_deliveries(&caller(Role::Admin), Some(id)).await;
            if there {
                assert_eq!(done.unwrap(), 3);
            } else {
                assert!(matches!(done, Err(Failure::Denied(Denied::NotFound))));
            }
        }
    }

    #[tokio::test]
    async fn sent_deliveries_are_deleted_after_a_month_and_dead_ones_after_three() {
        let mut outbox = MockOutbox::new();
        outbox
            .expect_forget()
            .times(1)
            .withf(|sent_before, dead_before, _| {
                let before = |days: u64| earlier(now(), Duration::from_hours(24 * days));
                (*sent_before, *dead_before) == (before(30), before(90))
            })
            .returning(|_, _, _| Ok(7));
        let notifications = Notifications { outbox: Arc::new(outbox), ..notifications() };
        assert_eq!(notifications.forget_old_deliveries().await.unwrap(), 7);
    }

    #[tokio::test]
    async fn the_backlog_is_reported_for_every_channel() {
        let backlog = Channel::ALL.map(|channel| Backlog { channel, waiting: 3, oldest_seconds: 60, dead: 1 });
        let mut outbox = MockOutbox::new();
        outbox.expect_backlog().times(1).returning(move || Ok(backlog.to_vec()));
        let notifications = Notifications { outbox: Arc::new(outbox), ..notifications() };
        assert_eq!(notifications.outbox_backlog().await.unwrap(), backlog);
    }
}
