//! An outbox in memory. Leases and delays follow tokio's clock, so that a test can let days pass.

use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use async_trait::async_trait;
use domain::notifications::delivery::{Channel, DeliveryId, DeliveryState, Topic};
use domain::{Email, EventId, Timestamp, WebhookSubscriptionId};
use ports::{
    Backlog, Delivery, DeliveryFailure, DeliveryQuery, LeaseRequest, Leased, Outbox, Page, Queue, Requeued, StoreError,
};
use tokio::time::Instant;
use uuid::Uuid;

use crate::testing::{customers_order, now};

/// A delivery with its test state.
#[derive(Clone)]
pub(crate) struct Row {
    pub(crate) delivery: Delivery,
    due: Instant,
    /// Whether recording a result fails.
    pub(crate) notes_fail: bool,
}

#[derive(Default)]
pub(crate) struct FakeOutbox(Mutex<Vec<Row>>);

/// A waiting delivery.
pub(crate) fn waiting(id: i64, topic: Topic, subscription: Option<WebhookSubscriptionId>) -> Delivery {
    let order = customers_order();
    Delivery {
        id: DeliveryId::new(id),
        channel: if subscription.is_some() { Channel::Webhook } else { Channel::Mail },
        topic,
        to: subscription.is_none().then(|| order.contact.email.clone()),
        order: Some(order.id),
        checkout: None,
        event: Some(EventId::new(Uuid::from_u128(6))),
        subscription,
        status: None,
        attempts: 0,
        state: DeliveryState::Waiting,
        last_error: None,
        created_at: now(),
        due_at: now(),
        sent_at: None,
    }
}

impl FakeOutbox {
    pub(crate) fn of(deliveries: impl IntoIterator<Item = Delivery>) -> Self {
        let row = |delivery| Row { delivery, due: Instant::now(), notes_fail: false };
        Self(Mutex::new(deliveries.into_iter().map(row).collect()))
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Row>> {
        self.0.lock().unwrap()
    }

    pub(crate) fn all(&self) -> Vec<Delivery> {
        self.lock().iter().map(|row| row.delivery.clone()).collect()
    }

    pub(crate) fn one(&self) -> Delivery {
        self.all().remove(0)
    }

    pub(crate) fn in_state(&self, state: DeliveryState) -> usize {
        self.all().iter().filter(|one| one.state == state).count()
    }

    /// When the next delivery is due.
    pub(crate) fn next_due(&self) -> Option<Instant> {
        let rows = self.lock();
        rows.iter().filter(|row| row.delivery.state == DeliveryState::Waiting).map(|row| row.due).min()
    }

    pub(crate) fn change(&self, id: i64, change: impl Fn(&mut Row)) {
        self.lock().iter_mut().filter(|row| row.delivery.id.get() == id).for_each(change);
    }

    fn note(&self, id: DeliveryId, attempt: Option<u32>, note: impl Fn(&mut Row)) -> Result<(), StoreError> {
        let mut rows = self.lock();
        let Some(row) = rows.iter_mut().find(|row| row.delivery.id == id) else { return Ok(()) };
        if row.notes_fail {
            return Err(StoreError::Unavailable("gone".into()));
        }
        if attempt
            .is_none_or(|attempt| row.delivery.attempts == attempt && row.delivery.state == DeliveryState::Waiting)
        {
            note(row);
        }
        Ok(())
    }
}

#[async_trait]
impl Outbox for FakeOutbox {
    async fn request_email(&self, _: Topic, _: &Email, _: Timestamp) -> Result<(), StoreError> {
        unreachable!("request_email is not used in these tests")
    }

    async fn lease(&self, request: &LeaseRequest) -> Result<Leased, StoreError> {
        let mut deliveries = Vec::new();
        for row in self.lock().iter_mut() {
            let wanted = match request.queue {
                Queue::Mail => row.delivery.channel == Channel::Mail,
                Queue::Webhook(subscription) => row.delivery.subscription == Some(subscription),
            };
            let is_due = row.delivery.state == DeliveryState::Waiting && row.due <= Instant::now();
            let has_room = deliveries.len() < request.limit as usize;
            if wanted && is_due && has_room && request.topics.contains(&row.delivery.topic) {
                row.due = Instant::now() + request.lease;
                row.delivery.attempts += 1;
                deliveries.push(row.delivery.clone());
            }
        }
        Ok(Leased { deliveries, unreadable: 0 })
    }

    async fn release(&self, ids: &[DeliveryId]) -> Result<(), StoreError> {
        for id in ids {
            self.note(*id, None, |row| {
                row.due = Instant::now();
                row.delivery.attempts -= 1;
            })?;
        }
        Ok(())
    }

    async fn sent(&self, id: DeliveryId, status: Option<u16>) -> Result<(), StoreError> {
        self.note(id, None, |row| {
            row.delivery.state = DeliveryState::Sent;
            row.delivery.status = status;
        })
    }

    async fn reschedule(
        &self,
        id: DeliveryId,
        attempt: u32,
        wait: Duration,
        why: &DeliveryFailure,
    ) -> Result<(), StoreError> {
        self.note(id, Some(attempt), |row| {
            row.due = Instant::now() + wait;
            row.delivery.last_error = Some(why.why.clone());
            row.delivery.status = why.status;
        })
    }

    async fn dead_letter(&self, id: DeliveryId, attempt: u32, why: &DeliveryFailure) -> Result<(), StoreError> {
        self.note(id, Some(attempt), |row| {
            row.delivery.state = DeliveryState::Dead;
            row.delivery.last_error = Some(why.why.clone());
            row.delivery.status = why.status;
        })
    }

    async fn dead_letter_unwanted(&self, _: u32) -> Result<u32, StoreError> {
        Ok(0)
    }

    async fn discard_for_unknown_addresses(&self, _: u32) -> Result<u32, StoreError> {
        Ok(0)
    }

    async fn discard(&self, id: DeliveryId) -> Result<(), StoreError> {
        self.lock().retain(|row| row.delivery.id != id);
        Ok(())
    }

    async fn requeue(&self, _: DeliveryId) -> Result<Requeued, StoreError> {
        unreachable!("requeue is not used in these tests")
    }

    async fn requeue_all(&self, _: Option<WebhookSubscriptionId>, _: u32) -> Result<u32, StoreError> {
        unreachable!("requeue_all is not used in these tests")
    }

    async fn list(&self, _: &DeliveryQuery) -> Result<Page<Delivery, DeliveryId>, StoreError> {
        unreachable!("list is not used in these tests")
    }

    async fn backlog(&self) -> Result<Vec<Backlog>, StoreError> {
        unreachable!("backlog is not used in these tests")
    }

    async fn forget(&self, _: Timestamp, _: Timestamp, _: u32) -> Result<u32, StoreError> {
        unreachable!("forget is not used in these tests")
    }
}
