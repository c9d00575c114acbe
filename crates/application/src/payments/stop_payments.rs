//! Stopping the open payments of an order that is to be cancelled.

use domain::orders::refusals::CancelRefused;
use domain::{Order, Payable};
use ports::{CancelOutcome, Ended, PaymentAttempt};

use crate::payments::provider_answers::unknown;
use crate::payments::settle_payment::{SettlePaymentRefused, Settled};
use crate::{Failure, Payments};

impl Payments {
    /// Makes sure that no payment of an order, or of its checkout, can still succeed: cancels every payment whose end the provider has not
    /// confirmed. Money that has already arrived is settled. An order must not be cancelled before this has succeeded.
    pub(crate) async fn stop_payments(&self, order: &Order) -> Result<(), Failure<CancelRefused>> {
        self.provider_limiter.forget(Payable::Order(order.id));
        for payment in self.payment_attempts.undecided(order.id).await? {
            self.provider_limiter.forget(payment.payable);
            match self.stop_payment(&payment).await {
                Ok(_) => {}
                Err(Failure::Unavailable(cause)) => return Err(cause.into()),
                Err(_) => return Err(Failure::Refused(CancelRefused::Paid)),
            }
        }
        Ok(())
    }

    /// Cancels a payment, and closes it; if its money has already arrived, that is settled, and returned.
    pub(crate) async fn stop_payment(
        &self,
        payment: &PaymentAttempt,
    ) -> Result<Option<Settled>, Failure<SettlePaymentRefused>> {
        match self.provider.cancel(&payment.id).await? {
            CancelOutcome::Succeeded => self.settle_what_succeeded(payment, None).await.map(Some),
            CancelOutcome::Unknown => Err(unknown().into()),
            CancelOutcome::Cancelled => {
                self.payment_attempts.close(&payment.id, Ended::Cancelled, self.clock.now()).await?;
                Ok(None)
            }
        }
    }
}
