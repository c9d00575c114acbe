//! Asking the provider whether it still tells the same story about payments that settled an order: whether the money is
//! still here, and whether a bank wants it back.

use std::time::Duration;

use ports::{MoneyTally, PaymentAttempt, ProviderError, StoreError, Waits};

use crate::Shop;
use crate::payments::review_payment::LookError;
use crate::shop::abreast;

/// How long a payment that settled an order is left alone, by its age: never for a whole day.
const WAITS: Waits = Waits { share: 4, least: Duration::from_mins(10), most: Duration::from_hours(22) };
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
    /// Compares paid orders with the provider's books, those first whose turn it is longest. It puts refunds and disputes
    /// on record that the shop did not know; where the two disagree, a person has to look. Any number of copies of the
    /// shop may do this at once.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn audit_payments(&self) -> Result<Audited, StoreError> {
        let granted = self.gate.grant(AT_ONCE, self.clock.now());
        let due = if granted == 0 { Vec::new() } else { self.payment_attempts.lease_settled(WAITS, granted).await? };
        self.gate.give_back(granted.saturating_sub(u32::try_from(due.len()).unwrap_or(granted)));
        let mut audited = Audited::default();
        let mut failed = None;
        let run = |shop: Self, settled: PaymentAttempt| async move { (shop.audit(&settled).await, settled) };
        for (ended, settled) in abreast(self, due, run).await {
            match ended {
                Ok(true) => audited.agreed += 1,
                Ok(false) => {
                    tracing::error!(payment = %settled.id, order = %settled.order, "the provider's books disagree");
                    audited.drifted += 1;
                }
                Err(LookError::Store(error)) => failed = Some(error),
                Err(error @ (LookError::Provider(ProviderError::Unavailable(_)) | LookError::TooBusy)) => {
                    tracing::debug!(payment = %settled.id, %error, "a payment was not audited");
                    audited.unclear += 1;
                }
                Err(LookError::Provider(error)) => {
                    tracing::warn!(payment = %settled.id, %error, "a payment was not audited");
                    audited.unclear += 1;
                }
            }
        }
        if let Some(error) = failed {
            return Err(error);
        }
        audited.drift = self.payment_attempts.disagreements().await?;
        Ok(audited)
    }

    /// How many things about money are not as they should be.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn money_tally(&self) -> Result<MoneyTally, StoreError> {
        self.refunds.tally().await
    }

    async fn audit(&self, settled: &PaymentAttempt) -> Result<bool, LookError> {
        let looked = self.look_after(settled).await?;
        let agree = match self.orders.find(settled.order).await? {
            // It moved on since the payment was taken; its new state is another round's business.
            Some(order) if !order.progress.payment.is_paid() || order.is_cancelled() => true,
            Some(order) => looked.withheld(&order).is_none(),
            None => false,
        };
        self.payment_attempts.note_agreement(&settled.id, agree).await?;
        Ok(agree)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::Money;
    use ports::{MockPaymentAttempts, MockPaymentProvider, PaymentIntent, PaymentIntentState};

    use super::*;
    use crate::testing::{holding, intent, no_refunds, paid_order, shop, transaction};

    fn auditing(answer: Result<Option<PaymentIntent>, ()>, agree: Option<bool>) -> Shop {
        let order = paid_order();
        let mut payment_attempts = MockPaymentAttempts::new();
        let settled = PaymentAttempt { id: transaction(), order: order.id, amount: order.item.total };
        payment_attempts.expect_lease_settled().returning(move |_, _| Ok(vec![settled.clone()]));
        payment_attempts.expect_disagreements().returning(move || Ok(u64::from(agree == Some(false))));
        if let Some(agree) = agree {
            payment_attempts
                .expect_note_agreement()
                .times(1)
                .withf(move |_, noted| *noted == agree)
                .returning(|_, _| Ok(()));
        }
        let mut payments = MockPaymentProvider::new();
        payments
            .expect_find()
            .returning(move |_| answer.clone().map_err(|()| ProviderError::Unavailable("timeout".into())));
        Shop {
            orders: Arc::new(holding(&order)),
            payment_attempts: Arc::new(payment_attempts),
            payments: Arc::new(payments),
            refunds: Arc::new(no_refunds()),
            ..shop()
        }
    }

    #[tokio::test]
    async fn a_payment_on_which_both_agree_is_noted_so() {
        let sound = intent(&paid_order(), PaymentIntentState::Succeeded);
        let audited = auditing(Ok(Some(sound)), Some(true)).audit_payments().await.unwrap();
        assert_eq!(audited, Audited { agreed: 1, ..Audited::default() });
    }

    #[tokio::test]
    async fn a_payment_that_is_cancelled_or_of_another_amount_is_drift() {
        let sound = intent(&paid_order(), PaymentIntentState::Succeeded);
        let cancelled = PaymentIntent { state: PaymentIntentState::Cancelled, ..sound.clone() };
        let other_amount = PaymentIntent { amount: Money::from_cents(1).unwrap(), ..sound.clone() };
        let less_received = PaymentIntent { received: Money::from_cents(1).unwrap(), ..sound };
        for answer in [cancelled, other_amount, less_received] {
            let audited = auditing(Ok(Some(answer)), Some(false)).audit_payments().await.unwrap();
            assert_eq!(audited, Audited { drifted: 1, drift: 1, ..Audited::default() });
        }
    }

    #[tokio::test]
    async fn a_provider_that_is_away_or_does_not_know_the_payment_is_no_drift() {
        for answer in [Err(()), Ok(None)] {
            let audited = auditing(answer, None).audit_payments().await.unwrap();
            assert_eq!(audited, Audited { unclear: 1, ..Audited::default() });
        }
    }

    #[test]
    fn every_payment_is_looked_at_within_a_day() {
        for days in 0..400 {
            assert!(WAITS.at(Duration::from_hours(24 * days)) < Duration::from_hours(24));
        }
    }
}
