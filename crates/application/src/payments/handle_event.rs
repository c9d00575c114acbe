//! Handling the payment provider's events.

use std::time::Duration;

use ports::{EventMessage, EventRefused, PaymentEvent, PaymentEventKind, ProviderEvents, StoreError};

use crate::payments::settle_payment::SettlePaymentRefused;
use crate::platform::moments::earlier;
use crate::{Failure, Payments};

/// How long an event's id is stored: Stripe retries an event for three days, and lets users resend it for thirty.
const RETENTION: Duration = Duration::from_hours(40 * 24);

impl Payments {
    /// Handles an event of the payment provider: queries the payment's current state, and settles it if it succeeded.
    /// The event's id is stored in the same transaction as the change, and a repeated event changes nothing.
    ///
    /// # Errors
    /// [`EventRefused`] before anything else is done; [`Failure::Unavailable`] if the provider should send it again.
    pub async fn handle_payment_event(
        &self,
        events: &dyn ProviderEvents,
        message: &EventMessage<'_>,
    ) -> Result<(), Failure<EventRefused>> {
        let event = events.verify(message, self.clock.now()).map_err(Failure::Refused)?;
        if self.payment_events.is_known(&event.id).await? {
            return Ok(());
        }
        match self.act_on(&event).await {
            Ok(()) => {}
            Err(Failure::Unavailable(cause)) => return Err(cause.into()),
            // The provider's own data may lag behind its event: reconciling the open payments settles it.
            Err(Failure::Refused(SettlePaymentRefused::NotPaid)) => {
                tracing::info!(
                    event = event.id,
                    "a payment that an event reports as succeeded is not; it is checked again later"
                );
            }
            // A retry could not succeed either, so the event counts as processed; nothing was changed.
            Err(error) => tracing::error!(event = event.id, %error, "a payment event contradicts the shop's data"),
        }
        Ok(self.payment_events.remember(&event.id, self.clock.now()).await?)
    }

    async fn act_on(&self, event: &PaymentEvent) -> Result<(), Failure<SettlePaymentRefused>> {
        let (payment, moved) = match &event.kind {
            PaymentEventKind::Succeeded(payment) => (payment, false),
            PaymentEventKind::MoneyMoved(payment) => (payment, true),
            PaymentEventKind::Irrelevant => return Ok(()),
        };
        // A payment that this shop did not open is ignored: other shops may use the same provider account.
        let Some(opened) = self.payment_attempts.find(payment).await? else { return Ok(()) };
        if !moved {
            return self.settle_what_succeeded(&opened, Some(&event.id)).await.map(|_| ());
        }
        if let Some(first) = opened.shares.first() {
            self.review_payment(&opened.reference(first.order)).await?;
        }
        Ok(())
    }

    /// Deletes the ids of events so old that the provider does not send them again.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn forget_old_payment_events(&self) -> Result<u64, StoreError> {
        let before = earlier(self.clock.now(), RETENTION);
        self.clocks.forget_what_is_old(|limit| self.payment_events.forget(before, limit)).await
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ports::{
        Applied, MockPaymentAttempts, MockPaymentEvents, MockPaymentProvider, MockProviderEvents, PaymentAttempt,
        PaymentIntentState, ProviderError,
    };

    use super::*;
    use crate::Ports;
    use crate::Unavailable;
    use crate::testing::{customers_order, holding, intent, now, payments_on, ports, transaction};

    fn telling(kind: Result<PaymentEventKind, EventRefused>) -> MockProviderEvents {
        let mut webhooks = MockProviderEvents::new();
        webhooks
            .expect_verify()
            .returning(move |_, _| kind.clone().map(|kind| PaymentEvent { id: "evt_1".into(), kind }));
        webhooks
    }

    fn message() -> EventMessage<'static> {
        EventMessage { body: b"{}", headers: [("signature", "sig")].into() }
    }

    fn events(known: bool) -> MockPaymentEvents {
        let mut events = MockPaymentEvents::new();
        events.expect_is_known().returning(move |_| Ok(known));
        events
    }

    fn opened() -> MockPaymentAttempts {
        let order = customers_order();
        let mut payment_attempts = MockPaymentAttempts::new();
        let opened = PaymentAttempt::of_order(transaction(), order.id, order.item.total);
        payment_attempts.expect_find().returning(move |_| Ok(Some(opened.clone())));
        payment_attempts
    }

    #[tokio::test]
    async fn an_event_without_the_providers_signature_has_no_effect() {
        for refused in [EventRefused::Unsigned, EventRefused::Forged, EventRefused::Stale] {
            let answer = payments_on(ports()).handle_payment_event(&telling(Err(refused)), &message()).await;
            assert!(matches!(answer, Err(Failure::Refused(reason)) if reason == refused));
        }
    }

    #[tokio::test]
    async fn a_success_event_is_stored_with_its_effect_after_querying_the_provider() {
        let order = customers_order();
        let mut payment_attempts = opened();
        payment_attempts.expect_close().returning(|_, _, _| Ok(()));
        let mut payments = MockPaymentProvider::new();
        let succeeded = intent(&order, PaymentIntentState::Succeeded);
        payments.expect_find().times(1).returning(move |_| Ok(Some(succeeded.clone())));
        let mut events = events(false);
        events
            .expect_apply()
            .times(1)
            .withf(|id, change, _| id == "evt_1" && change.after.is_paid())
            .returning(|_, _, _| Ok(Applied::Written));
        events.expect_remember().returning(|_, _| Ok(()));
        let service = payments_on(Ports {
            // The order may be read, but not written without the event's id.
            orders: Arc::new(holding(&order)),
            payment_attempts: Arc::new(payment_attempts),
            payment_provider: Arc::new(payments),
            payment_events: Arc::new(events),
            ..ports()
        });
        service
            .handle_payment_event(&telling(Ok(PaymentEventKind::Succeeded(transaction()))), &message())
            .await
            .unwrap();
    }

    #[tokio::test]
    async fn a_repeated_event_does_nothing() {
        let service = payments_on(Ports { payment_events: Arc::new(events(true)), ..ports() });
        let webhooks = telling(Ok(PaymentEventKind::Succeeded(transaction())));
        service.handle_payment_event(&webhooks, &message()).await.unwrap();
    }

    #[tokio::test]
    async fn an_event_whose_effect_fails_is_not_stored_and_can_be_retried() {
        let mut payments = MockPaymentProvider::new();
        payments.expect_find().returning(|_| Err(ProviderError::Unavailable("timeout".into())));
        let service = payments_on(Ports {
            payment_attempts: Arc::new(opened()),
            payment_provider: Arc::new(payments),
            payment_events: Arc::new(events(false)),
            ..ports()
        });
        let webhooks = telling(Ok(PaymentEventKind::Succeeded(transaction())));
        let answer = service.handle_payment_event(&webhooks, &message()).await;
        assert!(matches!(answer, Err(Failure::Unavailable(Unavailable::Provider(_)))), "{answer:?}");
    }

    #[tokio::test]
    async fn an_event_about_a_payment_unknown_to_the_provider_can_be_retried() {
        for kind in [PaymentEventKind::Succeeded(transaction()), PaymentEventKind::MoneyMoved(transaction())] {
            let mut payments = MockPaymentProvider::new();
            payments.expect_find().times(1).returning(|_| Ok(None));
            let service = payments_on(Ports {
                payment_attempts: Arc::new(opened()),
                payment_provider: Arc::new(payments),
                payment_events: Arc::new(events(false)),
                ..ports()
            });
            let answer = service.handle_payment_event(&telling(Ok(kind)), &message()).await;
            assert!(matches!(answer, Err(Failure::Unavailable(Unavailable::Provider(_)))), "{answer:?}");
        }
    }

    #[tokio::test]
    async fn a_contradictory_event_changes_nothing_and_is_not_retried() {
        let order = customers_order();
        let mut payments = MockPaymentProvider::new();
        let other = intent(&order, PaymentIntentState::Succeeded);
        payments
            .expect_find()
            .returning(move |_| Ok(Some(ports::PaymentIntent { currency: "eur".into(), ..other.clone() })));
        let mut events = events(false);
        events.expect_remember().times(1).returning(|_, _| Ok(()));
        let mut payment_attempts = opened();
        payment_attempts.expect_note_mismatch().times(1).returning(|_| Ok(()));
        let service = payments_on(Ports {
            orders: Arc::new(holding(&order)),
            payment_attempts: Arc::new(payment_attempts),
            payment_provider: Arc::new(payments),
            payment_events: Arc::new(events),
            ..ports()
        });
        service
            .handle_payment_event(&telling(Ok(PaymentEventKind::Succeeded(transaction()))), &message())
            .await
            .unwrap();
    }

    #[tokio::test]
    async fn the_ids_of_events_are_kept_for_forty_days() {
        let mut events = MockPaymentEvents::new();
        events
            .expect_forget()
            .times(1)
            .withf(|before, _| *before == earlier(now(), Duration::from_hours(960)))
            .returning(|_, _| Ok(3));
        let service = payments_on(Ports { payment_events: Arc::new(events), ..ports() });
        assert_eq!(service.forget_old_payment_events().await.unwrap(), 3);
    }
}
