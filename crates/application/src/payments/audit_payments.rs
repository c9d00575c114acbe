//! Auditing settled payments: whether the provider still confirms them, has the money, and reports no dispute.

use std::time::Duration;

use ports::{MoneyTally, PaymentRef, ProviderError, StoreError, Waits, error_chain};

use crate::platform::concurrent::for_each_concurrent;
use crate::{Payments, Unavailable};

/// The delay between two audits of a settled payment, by its age: always less than a day.
const WAITS: Waits = Waits { share: 4, least: Duration::from_mins(10), most: Duration::from_hours(22) };
/// How many payments one run audits; the rest wait for the next run.
const AT_ONCE: u32 = 50;

/// The result of one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Audited {
    pub agreed: u32,
    /// Payments on which the provider disagrees with the order; each is logged.
    pub drifted: u32,
    /// Payments that could not be audited now.
    pub unclear: u32,
    /// The total number of payments on which the two disagree.
    pub drift: u64,
}

impl Payments {
    /// Audits the payments of paid orders against the provider, those due longest first. Records refunds and disputes
    /// that the shop did not know; where the two disagree, an admin has to act. Any number of instances may run this
    /// concurrently.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn audit_payments(&self) -> Result<Audited, StoreError> {
        let due = self.lease_within_budget(AT_ONCE, |most| self.payment_attempts.lease_settled(WAITS, most)).await?;
        let mut audited = Audited::default();
        let mut failed = None;
        let run = |payments: Self, settled: PaymentRef| async move { (payments.audit(&settled).await, settled) };
        for (ended, settled) in for_each_concurrent(self, due, run).await {
            match ended {
                Ok(true) => audited.agreed += 1,
                Ok(false) => {
                    tracing::error!(payment = %settled.id, order = %settled.order, "the provider disagrees about a settled payment");
                    audited.drifted += 1;
                }
                Err(Unavailable::Store(error @ StoreError::Internal(_))) => {
                    tracing::error!(payment = %settled.id, order = %settled.order, error = error_chain(&error),
                        "what belongs to a settled payment cannot be decoded; it was not audited");
                    audited.unclear += 1;
                }
                Err(Unavailable::Store(error)) => failed = Some(error),
                Err(error @ Unavailable::Provider(ProviderError::InvalidResponse(_))) => {
                    tracing::warn!(payment = %settled.id, %error, "a payment was not audited");
                    audited.unclear += 1;
                }
                Err(error) => {
                    tracing::debug!(payment = %settled.id, %error, "a payment was not audited");
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

    /// The number of payment matters of each kind.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn money_tally(&self) -> Result<MoneyTally, StoreError> {
        self.refunds.tally().await
    }

    async fn audit(&self, settled: &PaymentRef) -> Result<bool, Unavailable> {
        let reviewed = self.review_payment(settled).await?;
        let mut agree = true;
        for order in reviewed.orders().unwrap_or_else(|| vec![settled.order]) {
            agree &= match self.orders.find(order).await? {
                // The order changed after the payment was leased, or another payment settled it; a later run audits that.
                Some(order) if order.is_cancelled() || order.state.paid_by() != Some(&settled.id) => true,
                Some(order) => reviewed.withheld(&order).is_none(),
                None => false,
            };
        }
        self.payment_attempts.note_agreement(&settled.id, agree).await?;
        Ok(agree)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::{Actor, Money, Order};
    use ports::{MockOrderRepository, MockPaymentProvider, PaymentIntent, PaymentIntentState};

    use super::*;
    use crate::Ports;
    use crate::testing::{
        cancelled_paid, customers_order, holding, intent, meta, no_refunds, opened, paid_order, payments_on, ports,
        transaction,
    };

    type Answer = Result<Option<PaymentIntent>, fn() -> ProviderError>;

    fn auditing(answer: Answer, agree: Option<bool>) -> Payments {
        auditing_of(&paid_order(), answer, agree)
    }

    fn auditing_of(order: &Order, answer: Answer, agree: Option<bool>) -> Payments {
        let mut payment_attempts = opened();
        let settled = PaymentRef { id: transaction(), order: order.id };
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
        payments.expect_find().returning(move |_| answer.clone().map_err(|error| error()));
        payments_on(Ports {
            orders: Arc::new(holding(order)),
            payment_attempts: Arc::new(payment_attempts),
            payment_provider: Arc::new(payments),
            refunds: Arc::new(no_refunds()),
            ..ports()
        })
    }

    #[tokio::test]
    async fn a_payment_on_which_both_agree_is_recorded_as_agreed() {
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
    async fn an_unavailable_provider_what_it_cannot_mean_or_an_unknown_payment_is_no_drift() {
        let away: fn() -> ProviderError = || ProviderError::Unavailable("timeout".into());
        let nonsense: fn() -> ProviderError = || ProviderError::InvalidResponse("no amount".into());
        for answer in [Err(away), Err(nonsense), Ok(None)] {
            let audited = auditing(answer, None).audit_payments().await.unwrap();
            assert_eq!(audited, Audited { unclear: 1, ..Audited::default() });
        }
    }

    #[tokio::test]
    async fn an_order_that_was_cancelled_or_paid_otherwise_meanwhile_is_no_drift() {
        let by_another = customers_order().settle("pi_2".parse().unwrap(), meta(Actor::Shop)).unwrap().after;
        for order in [cancelled_paid(), by_another] {
            let gone = intent(&paid_order(), PaymentIntentState::Cancelled);
            let audited = auditing_of(&order, Ok(Some(gone)), Some(true)).audit_payments().await.unwrap();
            assert_eq!(audited, Audited { agreed: 1, ..Audited::default() });
        }
    }

    #[tokio::test]
    async fn a_payment_whose_order_cannot_be_decoded_is_counted_and_the_drift_is_still_reported() {
        let settled = PaymentRef { id: transaction(), order: paid_order().id };
        let mut payment_attempts = opened();
        payment_attempts.expect_lease_settled().returning(move |_, _| Ok(vec![settled.clone()]));
        payment_attempts.expect_disagreements().returning(|| Ok(3));
        let mut orders = MockOrderRepository::new();
        orders.expect_find().returning(|_| Err(StoreError::Internal("a phone of spaces".into())));
        let mut payments = MockPaymentProvider::new();
        let sound = intent(&paid_order(), PaymentIntentState::Succeeded);
        payments.expect_find().returning(move |_| Ok(Some(sound.clone())));
        let service = payments_on(Ports {
            orders: Arc::new(orders),
            payment_attempts: Arc::new(payment_attempts),
            payment_provider: Arc::new(payments),
            refunds: Arc::new(no_refunds()),
            ..ports()
        });
        let audited = service.audit_payments().await.unwrap();
        assert_eq!(audited, Audited { unclear: 1, drift: 3, ..Audited::default() });
    }

    #[tokio::test]
    async fn the_store_says_how_many_matters_there_are() {
        let tally = MoneyTally { owing: 3, failed: 1, ..MoneyTally::default() };
        let mut refunds = no_refunds();
        refunds.expect_tally().returning(move || Ok(tally));
        let service = payments_on(Ports { refunds: Arc::new(refunds), ..ports() });
        assert_eq!(service.money_tally().await.unwrap(), tally);
    }

    #[test]
    fn every_payment_is_audited_within_a_day() {
        for days in 0..400 {
            assert!(WAITS.at(Duration::from_hours(24 * days)) < Duration::from_hours(24));
        }
    }
}
