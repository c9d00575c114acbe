//! Delivering webhooks.

use std::sync::Arc;
use std::time::Duration;

use domain::notifications::delivery::{Channel, Topic, wait};
use domain::{CheckoutId, EventId, Item, Order, OrderEvent, OrderEventKind, OrderId};
use ports::{
    Breaker, BreakerState, Delivery, DeliveryFailure, LeaseRequest, Queue, StoreError, StoredCheckout,
    StoredSubscription, WebhookError, WebhookEvent, WebhookSubject,
};

use crate::Notifications;
use crate::notifications::delivery_lanes::{Lane, LanePolicy};
use crate::notifications::outcome::{Delivered, Outcome, failure, reason};

/// How many calls to one subscription run concurrently.
const AT_ONCE: usize = 2;
/// How many of a subscription's deliveries are leased in one batch.
const BATCH: u32 = 32;
/// How long an instance may hold its leases: a leased call starts within 20 seconds, and takes at most ten.
const LEASE: Duration = Duration::from_mins(1);
/// How many calls to disabled or removed subscriptions one statement dead-letters.
const UNWANTED: u32 = 1_000;
/// The circuit breaker for failing subscriptions.
const BREAKER: Breaker =
    Breaker { opens_after: 5, probe_every: Duration::from_mins(1), gives_up_after: Duration::from_hours(3 * 24) };

impl Notifications {
    /// Starts to call the webhook subscriptions that have deliveries due, each in a lane of its own, and returns the
    /// results since the last run. A subscription that has failed five times in a row is called once a minute until a
    /// call succeeds, and is disabled after three days. Any number of instances may run this concurrently. If this
    /// process dies after a call was accepted and before that was recorded, the same event is sent again.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed; deliveries in progress are due again when their lease expires.
    pub async fn deliver_webhooks(&self) -> Result<Delivered, StoreError> {
        let unwanted = self.outbox.dead_letter_unwanted(UNWANTED).await?;
        self.lanes.note_many(Channel::Webhook, Outcome::DeadLettered, unwanted);
        for stored in self.webhook_subscriptions.due(&Topic::FOR_WEBHOOKS).await? {
            let lane = Lane::Webhook(stored.subscription.id);
            Arc::clone(&self.lanes).start(lane, self.clone().deliver_to_subscription(lane, stored));
        }
        Ok(self.lanes.counted(Channel::Webhook))
    }

    async fn deliver_to_subscription(self, lane: Lane, stored: StoredSubscription) {
        let id = stored.subscription.id;
        let is_failing = stored.failures >= BREAKER.opens_after;
        if is_failing && !matches!(self.webhook_subscriptions.may_probe(id, BREAKER.probe_every).await, Ok(true)) {
            return;
        }
        let limit = if is_failing { 1 } else { BATCH };
        let request =
            LeaseRequest { queue: Queue::Webhook(id), topics: Topic::FOR_WEBHOOKS.to_vec(), lease: LEASE, limit };
        // A successful probe is followed by a lane at full speed.
        let policy = LanePolicy { at_once: AT_ONCE, ends_at_failure: true, one_batch: is_failing };
        let stored = Arc::new(stored);
        let call = move |notifications: Self, delivery: Delivery| {
            let stored = Arc::clone(&stored);
            async move {
                let attempt = notifications.call_subscription(&stored, &delivery);
                notifications.guarded(&delivery, attempt).await
            }
        };
        self.run_lane(lane, request, policy, call).await;
    }

    /// Seals again the secrets that were sealed under the shop's previous secret, so that it can be dropped. Returns
    /// how many.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn reseal_webhook_secrets(&self) -> Result<u32, StoreError> {
        let mut resealed = 0;
        for (id, before) in self.webhook_subscriptions.sealed().await? {
            let Some(opened) = self.webhook_secrets.open(id, &before) else {
                tracing::error!(subscription = %id, "a webhook subscription's secret was sealed under a TOKEN_SECRET that is gone");
                continue;
            };
            if !opened.under_previous_secret {
                continue;
            }
            if let Some(sealed) = self.webhook_secrets.seal(id, &opened.secret) {
                self.webhook_subscriptions.reseal(id, &before, &sealed).await?;
                resealed += 1;
            }
        }
        Ok(resealed)
    }

    async fn call_subscription(&self, stored: &StoredSubscription, delivery: &Delivery) -> Result<Outcome, StoreError> {
        let subscription = stored.subscription.id;
        let Some(opened) = self.webhook_secrets.open(subscription, &stored.secret) else {
            return self
                .dead_letter(delivery, failure("its secret was sealed under a TOKEN_SECRET that is gone"))
                .await;
        };
        let Some(event) = self.event(delivery).await? else {
            return self.dead_letter(delivery, failure("there is nothing to say any more")).await;
        };
        let url = &stored.subscription.url;
        let answer = self.webhook_sender.call(url, &opened.secret, &event, self.clock.now()).await;
        let error = match answer {
            Ok(status) => {
                self.outbox.sent(delivery.id, Some(status)).await?;
                if stored.failures > 0 {
                    self.webhook_subscriptions.recovered(subscription).await?;
                }
                return Ok(Outcome::Sent);
            }
            Err(error) => error,
        };
        let status = match &error {
            WebhookError::Answered(status) | WebhookError::Gone(status) => Some(*status),
            _ => None,
        };
        let why = DeliveryFailure { why: reason(&error), status };
        if matches!(error, WebhookError::Gone(_)) {
            self.disable_subscription(stored, "it answered with status 410: it wants no more calls").await?;
            return self.dead_letter(delivery, why).await;
        }
        if self.webhook_subscriptions.failed(subscription, BREAKER).await? == BreakerState::Expired {
            self.disable_subscription(stored, &format!("every call failed for three days; the last: {}", why.why))
                .await?;
        }
        self.reschedule_or_dead_letter(delivery, wait(delivery.id, delivery.attempts), why).await
    }

    async fn disable_subscription(&self, stored: &StoredSubscription, why: &str) -> Result<(), StoreError> {
        tracing::warn!(subscription = %stored.subscription.id, why, "a webhook subscription is disabled");
        self.webhook_subscriptions.disable(stored.subscription.id, why).await
    }

    /// The payload for a delivery's event: the order or the checkout as it was after that event, whatever has happened
    /// since.
    async fn event(&self, delivery: &Delivery) -> Result<Option<WebhookEvent>, StoreError> {
        let Some(event) = delivery.event else { return Ok(None) };
        let told = match (delivery.order, delivery.checkout) {
            (Some(order), _) => self.order_at(order, event).await?,
            (None, Some(checkout)) => self.checkout_at(checkout, delivery).await?,
            (None, None) => None,
        };
        Ok(told.map(|(seq, subject)| WebhookEvent {
            event,
            seq,
            topic: delivery.topic,
            happened_at: delivery.created_at,
            subject,
        }))
    }

    async fn order_at(&self, id: OrderId, event: EventId) -> Result<Option<(u32, WebhookSubject)>, StoreError> {
        let Some(order) = self.orders.find(id).await? else { return Ok(None) };
        let timeline = self.orders.timeline(id).await?;
        let Some(place) = timeline.iter().position(|entry| entry.id == event) else { return Ok(None) };
        let seq = u32::try_from(place + 1).unwrap_or(u32::MAX);
        let order = as_it_was(order, timeline.iter().take(place + 1));
        Ok(Some((seq, WebhookSubject::Order(Box::new(order)))))
    }

    /// A checkout right after it was placed, or after its last order was paid.
    async fn checkout_at(
        &self,
        id: CheckoutId,
        delivery: &Delivery,
    ) -> Result<Option<(u32, WebhookSubject)>, StoreError> {
        let Some(stored) = self.checkouts.find(id).await? else { return Ok(None) };
        let is_placed = delivery.topic == Topic::CheckoutPlaced;
        let mut orders = Vec::with_capacity(stored.orders.len());
        for order in stored.orders {
            let timeline = self.orders.timeline(order.id).await?;
            // By the time, and at least until it was paid: the clock of the instance that wrote that may be ahead.
            let paid = timeline.iter().position(|entry| matches!(entry.kind, OrderEventKind::Paid { .. }));
            let by_now = timeline.iter().take_while(|entry| entry.at <= delivery.created_at).count();
            let then = if is_placed { 1 } else { by_now.max(paid.map_or(1, |place| place + 1)) };
            orders.push(as_it_was(order, timeline.iter().take(then)));
        }
        let seq = if is_placed { 1 } else { 2 };
        let checkout = StoredCheckout { checkout: stored.checkout, orders };
        Ok(Some((seq, WebhookSubject::Checkout(Box::new(checkout)))))
    }
}

/// An order as it was after these events of its timeline.
fn as_it_was<'a>(order: Order, timeline: impl Iterator<Item = &'a OrderEvent>) -> Order {
    match Order::replay(timeline) {
        Ok(then) => Order {
            state: then.state,
            shipped_units: then.shipped_units,
            item: Item { purchase: then.item.purchase, ..order.item },
            ..order
        },
        // The timeline contains an event that this version cannot replay; the current order is the best available.
        Err(_) => order,
    }
}

#[cfg(test)]
mod tests;
