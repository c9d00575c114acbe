//! Listening to what the payment provider tells of its own accord.

use std::time::Duration;

use ports::{EventRefused, PaymentEvent, PaymentEventKind, ProviderError, ProviderEvents, StoreError};
use thiserror::Error;

use crate::Shop;
use crate::payments::review_payment::LookError;
use crate::payments::settle_payment::SettleError;
use crate::platform::forget::Forgotten;
use crate::shop::earlier;

/// How long a message is remembered: Stripe sends one again for three days, and lets people do so by hand for thirty.
const MEMORY: Duration = Duration::from_hours(40 * 24);

/// Why a message was not listened to.
#[derive(Debug, Error)]
pub enum HandleEventError {
    /// It is not proven to come from the provider.
    #[error(transparent)]
    Refused(#[from] EventRefused),
    /// The order that it is about changed again and again meanwhile: it is worth sending again.
    #[error("the order is changing too fast")]
    TooBusy,
    /// The provider did not say how the payment stands: it is worth sending again.
    #[error(transparent)]
    Provider(#[from] ProviderError),
    /// The store failed: it is worth sending again.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Shop {
    /// Acts on a message of the payment provider: asks the provider how the payment stands, and settles what succeeded.
    /// The message's id is written in the same transaction as what it changed, and the same message again does nothing.
    ///
    /// # Errors
    /// [`HandleEventError`]; [`HandleEventError::Refused`] before anything else is looked at.
    pub async fn handle_payment_event(
        &self,
        webhooks: &dyn ProviderEvents,
        body: &[u8],
        signature: Option<&str>,
    ) -> Result<(), HandleEventError> {
        let event = webhooks.read(body, signature, self.clock.now())?;
        if self.payment_events.is_known(&event.id).await? {
            return Ok(());
        }
        match self.act_on(&event).await {
            Ok(()) => {}
            Err(SettleError::TooBusy) => return Err(HandleEventError::TooBusy),
            Err(SettleError::Provider(error)) => return Err(error.into()),
            Err(SettleError::Store(error)) => return Err(error.into()),
            // Sending it again would not make it add up, so it counts as dealt with; nothing was changed.
            Err(error) => tracing::error!(event = event.id, %error, "a payment event does not add up"),
        }
        Ok(self.payment_events.remember(&event.id, self.clock.now()).await?)
    }

    async fn act_on(&self, event: &PaymentEvent) -> Result<(), SettleError> {
        let (payment, moved) = match &event.news {
            PaymentEventKind::Succeeded(payment) => (payment, false),
            PaymentEventKind::MoneyMoved(payment) => (payment, true),
            // A payment that was cancelled settles nothing, and whoever needs its end finds it at the provider.
            PaymentEventKind::Cancelled(_) | PaymentEventKind::Irrelevant => return Ok(()),
        };
        // Another payment than those of this shop is none of its business: the provider's account may serve others too.
        let Some(opened) = self.payment_attempts.find(payment).await? else { return Ok(()) };
        if !moved {
            return self.settle_what_succeeded(&opened, Some(&event.id)).await.map(|_| ());
        }
        match self.look_after(&opened).await {
            Ok(_) => Ok(()),
            Err(LookError::TooBusy) => Err(SettleError::TooBusy),
            Err(LookError::Provider(error)) => Err(error.into()),
            Err(LookError::Store(error)) => Err(error.into()),
        }
    }

    /// Forgets messages so old that the provider will not send them again.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn forget_old_payment_events(&self) -> Result<Forgotten, StoreError> {
        let before = earlier(self.clock.now(), MEMORY);
        self.forget_what_is_old(|bite| self.payment_events.forget(before, bite)).await
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::Payment;
    use ports::{
        Applied, MockPaymentAttempts, MockPaymentEvents, MockPaymentProvider, MockProviderEvents, PaymentAttempt,
        PaymentIntentState,
    };

    use super::*;
    use crate::testing::{customers_order, holding, intent, shop, transaction};

    fn telling(news: Result<PaymentEventKind, EventRefused>) -> MockProviderEvents {
        let mut webhooks = MockProviderEvents::new();
        webhooks
            .expect_read()
            .returning(move |_, _, _| news.clone().map(|news| PaymentEvent { id: "evt_1".into(), news }));
        webhooks
    }

    fn events(known: bool) -> MockPaymentEvents {
        let mut events = MockPaymentEvents::new();
        events.expect_is_known().returning(move |_| Ok(known));
        events
    }

    fn opened() -> MockPaymentAttempts {
        let order = customers_order();
        let mut payment_attempts = MockPaymentAttempts::new();
        let opened = PaymentAttempt { id: transaction(), order: order.id, amount: order.item.total };
        payment_attempts.expect_find().returning(move |_| Ok(Some(opened.clone())));
        payment_attempts
    }

    #[tokio::test]
    async fn a_message_that_is_not_the_providers_reaches_nothing() {
        for refused in [EventRefused::Unsigned, EventRefused::Forged, EventRefused::Stale] {
            let heard = shop().handle_payment_event(&telling(Err(refused)), b"{}", None).await;
            assert!(matches!(heard, Err(HandleEventError::Refused(told)) if told == refused));
        }
    }

    #[tokio::test]
    async fn news_of_a_success_is_written_together_with_the_messages_id_after_asking_the_provider() {
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
            .withf(|id, change, _| id == "evt_1" && matches!(change.after.progress.payment, Payment::Paid { .. }))
            .returning(|_, _, _| Ok(Applied::Written));
        events.expect_remember().returning(|_, _| Ok(()));
        let shop = Shop {
            // It may be read, but not written without the message's id.
            orders: Arc::new(holding(&order)),
            payment_attempts: Arc::new(payment_attempts),
            payments: Arc::new(payments),
            payment_events: Arc::new(events),
            ..shop()
        };
        shop.handle_payment_event(&telling(Ok(PaymentEventKind::Succeeded(transaction()))), b"{}", Some("sig"))
            .await
            .unwrap();
    }

    #[tokio::test]
    async fn the_same_message_again_does_nothing() {
        let shop = Shop { payment_events: Arc::new(events(true)), ..shop() };
        let webhooks = telling(Ok(PaymentEventKind::Succeeded(transaction())));
        shop.handle_payment_event(&webhooks, b"{}", Some("sig")).await.unwrap();
    }

    #[tokio::test]
    async fn a_message_whose_effect_failed_is_not_remembered_and_asked_for_again() {
        let mut payments = MockPaymentProvider::new();
        payments.expect_find().returning(|_| Err(ProviderError::Unavailable("timeout".into())));
        let shop = Shop {
            payment_attempts: Arc::new(opened()),
            payments: Arc::new(payments),
            payment_events: Arc::new(events(false)),
            ..shop()
        };
        let webhooks = telling(Ok(PaymentEventKind::Succeeded(transaction())));
        let heard = shop.handle_payment_event(&webhooks, b"{}", Some("sig")).await;
        assert!(matches!(heard, Err(HandleEventError::Provider(_))), "{heard:?}");
    }

    #[tokio::test]
    async fn a_message_about_a_payment_that_the_provider_does_not_know_is_asked_for_again() {
        for news in [PaymentEventKind::Succeeded(transaction()), PaymentEventKind::MoneyMoved(transaction())] {
            let mut payments = MockPaymentProvider::new();
            payments.expect_find().times(1).returning(|_| Ok(None));
            let shop = Shop {
                payment_attempts: Arc::new(opened()),
                payments: Arc::new(payments),
                payment_events: Arc::new(events(false)),
                ..shop()
            };
            let heard = shop.handle_payment_event(&telling(Ok(news)), b"{}", Some("sig")).await;
            assert!(matches!(heard, Err(HandleEventError::Provider(_))), "{heard:?}");
        }
    }

    #[tokio::test]
    async fn a_message_that_does_not_add_up_changes_nothing_and_is_not_asked_for_again() {
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
        let shop = Shop {
            orders: Arc::new(holding(&order)),
            payment_attempts: Arc::new(payment_attempts),
            payments: Arc::new(payments),
            payment_events: Arc::new(events),
            ..shop()
        };
        shop.handle_payment_event(&telling(Ok(PaymentEventKind::Succeeded(transaction()))), b"{}", Some("sig"))
            .await
            .unwrap();
    }
}
