//! Asking the provider whether it still tells the same story about payments that settled an order.

use std::time::Duration;

use ports::{IntentState, OpenIntent, StoreError};

use crate::Shop;
use crate::settle_payment::{SettleError, belongs};
use crate::shop::earlier;

/// How long a payment that was looked at is left alone.
const PATIENCE: Duration = Duration::from_hours(6);
/// How many payments one round looks at; more wait for the next.
const AT_ONCE: u32 = 50;

/// What one round came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Audited {
    /// Payments on which the provider and the shop agree.
    pub agreed: u32,
    /// Payments about which the provider said something else than the order does; each is logged.
    pub drifted: u32,
    /// Payments that the provider could not tell about.
    pub unclear: u32,
    /// On how many payments the two disagree by now, over all rounds.
    pub drift: u64,
}

impl Shop {
    /// Compares paid orders with the provider's books, those first that were not looked at for longest. It changes no
    /// order: where the two disagree, a person has to look. Any number of copies of the shop may do this at once.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn audit_payments(&self) -> Result<Audited, StoreError> {
        let now = self.clock.now();
        let mut audited = Audited::default();
        for settled in self.intents.take_settled(earlier(now, PATIENCE), now, AT_ONCE).await? {
            match self.agrees(&settled).await {
                Ok(agree) => {
                    if agree {
                        audited.agreed += 1;
                    } else {
                        tracing::error!(payment = %settled.id, order = %settled.order, "the provider's books disagree");
                        audited.drifted += 1;
                    }
                    self.intents.note_agreement(&settled.id, agree).await?;
                }
                Err(SettleError::Store(error)) => return Err(error),
                Err(error) => {
                    tracing::debug!(payment = %settled.id, %error, "a payment was not audited");
                    audited.unclear += 1;
                }
            }
        }
        audited.drift = self.intents.disagreements().await?;
        Ok(audited)
    }

    async fn agrees(&self, settled: &OpenIntent) -> Result<bool, SettleError> {
        let intent = self.payments.find(&settled.id).await?;
        let Some(order) = self.orders.find(settled.order).await? else { return Ok(false) };
        if !order.progress.payment.is_paid() || order.is_cancelled() {
            // It moved on since the payment was taken; its new state is another round's business.
            return Ok(true);
        }
        Ok(intent.is_some_and(|intent| intent.state == IntentState::Succeeded && belongs(&intent, &order)))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::Money;
    use ports::{Intent, MockIntentStore, MockPaymentProvider, ProviderError};

    use super::*;
    use crate::testing::{holding, intent, paid_order, shop, transaction};

    fn auditing(answer: Result<Option<Intent>, ()>, agree: Option<bool>) -> Shop {
        let order = paid_order();
        let mut intents = MockIntentStore::new();
        let settled = OpenIntent { id: transaction(), order: order.id, amount: order.item.total };
        intents.expect_take_settled().returning(move |_, _, _| Ok(vec![settled.clone()]));
        intents.expect_disagreements().returning(move || Ok(u64::from(agree == Some(false))));
        if let Some(agree) = agree {
            intents.expect_note_agreement().times(1).withf(move |_, noted| *noted == agree).returning(|_, _| Ok(()));
        }
        let mut payments = MockPaymentProvider::new();
        payments.expect_find().returning(move |_| answer.clone().map_err(|()| ProviderError::Away("timeout".into())));
        Shop { orders: Arc::new(holding(&order)), intents: Arc::new(intents), payments: Arc::new(payments), ..shop() }
    }

    #[tokio::test]
    async fn a_payment_on_which_both_agree_is_noted_so() {
        let sound = intent(&paid_order(), IntentState::Succeeded);
        let audited = auditing(Ok(Some(sound)), Some(true)).audit_payments().await.unwrap();
        assert_eq!(audited, Audited { agreed: 1, ..Audited::default() });
    }

    #[tokio::test]
    async fn a_payment_that_is_gone_cancelled_or_of_another_amount_is_drift() {
        let sound = intent(&paid_order(), IntentState::Succeeded);
        let cancelled = Intent { state: IntentState::Cancelled, ..sound.clone() };
        let other_amount = Intent { amount: Money::from_cents(1).unwrap(), ..sound };
        for answer in [None, Some(cancelled), Some(other_amount)] {
            let audited = auditing(Ok(answer), Some(false)).audit_payments().await.unwrap();
            assert_eq!(audited, Audited { drifted: 1, drift: 1, ..Audited::default() });
        }
    }

    #[tokio::test]
    async fn a_provider_that_is_away_is_no_drift() {
        let audited = auditing(Err(()), None).audit_payments().await.unwrap();
        assert_eq!(audited, Audited { unclear: 1, ..Audited::default() });
    }
}
