//! Listening to what the payment provider tells of its own accord.

use ports::{Answer, PaymentEvent, PaymentNews, PaymentWebhooks, StoreError, WebhookRefused};
use thiserror::Error;

use crate::Shop;
use crate::answer_once::{Once, OnceError};
use crate::settle_payment::SettleError;

/// Why a message was not listened to.
#[derive(Debug, Error)]
pub enum HearError {
    /// It is not proven to come from the provider.
    #[error(transparent)]
    Refused(#[from] WebhookRefused),
    /// It was understood but could not be acted on now: it is worth sending again.
    #[error(transparent)]
    Once(#[from] OnceError),
}

impl Shop {
    /// Acts on a message of the payment provider: asks the provider how the payment stands, and settles what succeeded.
    /// Its event id is remembered, so the same message again does nothing.
    ///
    /// # Errors
    /// [`HearError`]; [`HearError::Refused`] before anything else is looked at.
    pub async fn hear_of_payment(
        &self,
        webhooks: &dyn PaymentWebhooks,
        body: &[u8],
        signature: Option<&str>,
    ) -> Result<Answer, HearError> {
        let event = webhooks.read(body, signature, self.clock.now())?;
        let sent = format!("payment-event:{}", event.id);
        let once = Once { caller: None, sent: &sent, request: sent.as_bytes() };
        Ok(self.answer_once(once, self.act_on(&event)).await?)
    }

    /// The answer, and whether the event is dealt with for good.
    async fn act_on(&self, event: &PaymentEvent) -> (Answer, bool) {
        let (PaymentNews::Succeeded(payment) | PaymentNews::Cancelled(payment)) = &event.news else {
            return (heard(), true);
        };
        let dealt_with = match self.intents.find(payment).await {
            Ok(Some(opened)) => match event.news {
                PaymentNews::Succeeded(_) => self.settle_what_succeeded(&opened).await.map(|_| ()),
                PaymentNews::Cancelled(_) | PaymentNews::Irrelevant => Ok(()),
            },
            // Not a payment of this shop: the provider's account may serve others too.
            Ok(None) => Ok(()),
            Err(error) => Err(error.into()),
        };
        match dealt_with {
            Ok(()) => (heard(), true),
            Err(SettleError::Store(StoreError::Away(_)) | SettleError::Provider(_) | SettleError::TooBusy) => {
                (Answer { status: 503, ..heard() }, false)
            }
            Err(error) => {
                tracing::error!(event = event.id, %payment, %error, "a payment event does not add up");
                (heard(), true)
            }
        }
    }
}

fn heard() -> Answer {
    Answer { status: 200, headers: Vec::new(), body: Vec::new() }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::Payment;
    use ports::{
        Applied, Claimed, Fingerprint, IntentState, MockAnswerSeal, MockAnswerStore, MockIntentStore, MockOrderStore,
        MockPaymentProvider, MockPaymentWebhooks, OnceKey, OpenIntent, SealedAnswer,
    };

    use super::*;
    use crate::testing::{customers_order, intent, shop, transaction};

    fn telling(news: Result<PaymentNews, WebhookRefused>) -> MockPaymentWebhooks {
        let mut webhooks = MockPaymentWebhooks::new();
        webhooks
            .expect_read()
            .returning(move |_, _, _| news.clone().map(|news| PaymentEvent { id: "evt_1".into(), news }));
        webhooks
    }

    fn remembering(claimed: Claimed) -> Shop {
        let mut answers = MockAnswerStore::new();
        answers.expect_claim().returning(move |_| Ok(claimed.clone()));
        answers.expect_answered().returning(|_, _, _| Ok(()));
        let mut seal = MockAnswerSeal::new();
        seal.expect_key().returning(|_, _| OnceKey([1; 32]));
        seal.expect_fingerprint().returning(|_, _| Fingerprint([1; 32]));
        seal.expect_seal().returning(|_, _, _| Some(SealedAnswer(Vec::new())));
        seal.expect_open().returning(|_, _, _| Some(heard()));
        Shop { answers: Arc::new(answers), answer_seal: Arc::new(seal), ..shop() }
    }

    #[tokio::test]
    async fn a_message_that_is_not_the_providers_reaches_nothing() {
        for refused in [WebhookRefused::Unsigned, WebhookRefused::Forged, WebhookRefused::Stale] {
            let heard = shop().hear_of_payment(&telling(Err(refused)), b"{}", None).await;
            assert!(matches!(heard, Err(HearError::Refused(told)) if told == refused));
        }
    }

    #[tokio::test]
    async fn news_of_a_success_settles_the_order_after_asking_the_provider() {
        let order = customers_order();
        let mut orders = MockOrderStore::new();
        let held = order.clone();
        orders.expect_find().returning(move |_| Ok(Some(held.clone())));
        orders
            .expect_apply()
            .times(1)
            .withf(|change| matches!(change.after.progress.payment, Payment::Paid { .. }))
            .returning(|_| Ok(Applied::Written));
        let mut intents = MockIntentStore::new();
        let opened = OpenIntent { id: transaction(), order: order.id, amount: order.item.total };
        intents.expect_find().returning(move |_| Ok(Some(opened.clone())));
        intents.expect_close().returning(|_, _| Ok(()));
        let mut payments = MockPaymentProvider::new();
        let succeeded = intent(&order, IntentState::Succeeded);
        payments.expect_find().times(1).returning(move |_| Ok(Some(succeeded.clone())));
        let shop = Shop {
            orders: Arc::new(orders),
            intents: Arc::new(intents),
            payments: Arc::new(payments),
            ..remembering(Claimed::Ours)
        };
        let webhooks = telling(Ok(PaymentNews::Succeeded(transaction())));
        assert_eq!(shop.hear_of_payment(&webhooks, b"{}", Some("sig")).await.unwrap().status, 200);
    }

    #[tokio::test]
    async fn the_same_message_again_does_nothing() {
        let shop = remembering(Claimed::Answered(SealedAnswer(Vec::new())));
        let webhooks = telling(Ok(PaymentNews::Succeeded(transaction())));
        assert_eq!(shop.hear_of_payment(&webhooks, b"{}", Some("sig")).await.unwrap().status, 200);
    }
}
