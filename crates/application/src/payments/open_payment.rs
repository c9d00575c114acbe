//! Opening a payment for an order or a checkout.

#[cfg(test)]
mod tests;

use std::time::Duration;

use domain::accounts::access::Denied;
use domain::payments::payment::is_chargeable;
use domain::{Caller, CheckoutId, Money, Order, OrderId, Payable, PaymentShare, Permission, TransactionId};
use ports::{Attached, CheckSooner, Ended, PaymentAttempt, PaymentIntent, PaymentIntentState, StoredCheckout};
use thiserror::Error;

use crate::change_order::{Attempt, until_written};
use crate::payments::provider_answers::unknown;
use crate::{Failure, Payments};

/// The command to open a payment.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenPayment {
    /// The order or the checkout; `None` for the caller's only unpaid order with that total.
    pub payable: Option<Payable>,
    /// The total in dollars that the customer was shown: only compared, never used.
    pub shown_total: Option<f64>,
}

/// The secret that the browser needs to pay with a card. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct PaymentSecret(pub String);

impl std::fmt::Debug for PaymentSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("PaymentSecret(…)")
    }
}

/// Why no payment is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum OpenPaymentRefused {
    /// No order, or more than one, is unpaid and has that total.
    #[error("no single unpaid order has that total")]
    NotOneOrder,
    /// The customer was shown another total.
    #[error("the order's total is another")]
    PriceChanged {
        /// The order's total.
        total: Money,
    },
    /// The order is paid or refunded.
    #[error("the order is paid already")]
    Paid,
    #[error("the order is cancelled")]
    Cancelled,
    /// The order is a line of a checkout that has an open payment.
    #[error("the order is paid with its checkout")]
    PaidTogether {
        /// The checkout.
        checkout: CheckoutId,
    },
    /// An admin has yet to say what the freight costs.
    #[error("the freight is not known yet")]
    AwaitsFreight,
    /// The total cannot be charged to a card.
    #[error("a card cannot be charged with this total")]
    NotChargeable,
    /// The caller exceeds the rate limit.
    #[error("the caller asks too often")]
    TooMany {
        /// How long to wait.
        wait: Duration,
    },
}

impl Payments {
    /// Opens a payment of what is due, or returns the one that is open already.
    ///
    /// # Errors
    /// [`OpenPaymentRefused`].
    pub async fn open_payment(
        &self,
        caller: &Caller,
        command: OpenPayment,
    ) -> Result<PaymentSecret, Failure<OpenPaymentRefused>> {
        let chosen = self.chosen_to_pay(caller, &command).await?;
        // Checked before the lock is taken, so that a caller who may not pay does not wait for it.
        self.due(caller, chosen, command.shown_total).await?;
        let opening = self.provider_limiter.opening(chosen);
        let _turn = opening.lock().await;
        until_written(|| async {
            let due = self.due(caller, chosen, command.shown_total).await?;
            let open = self.payment_attempts.open_for(chosen).await?;
            if let Some(open) = &open
                && open.shares == due.shares
                && let Some(secret) = self.provider_limiter.secret(chosen, &open.id, self.clock.now())
            {
                return Ok(Attempt::Done(secret));
            }
            self.provider_limiter
                .admit(caller.account, self.clock.now())
                .map_err(|wait| Failure::Refused(OpenPaymentRefused::TooMany { wait }))?;
            let opened = match open {
                Some(open) if open.shares == due.shares => self.reuse(&open).await?,
                // What is due has changed: a line was cancelled, or its freight was set.
                Some(open) => {
                    self.stop_open(&open).await?;
                    None
                }
                None => self.open_anew(caller, due, command.shown_total).await?,
            };
            let Some((payment, secret)) = opened else { return Ok(Attempt::Conflict) };
            self.provider_limiter.remember(chosen, &payment, &secret, self.clock.now());
            Ok(Attempt::Done(secret))
        })
        .await
    }

    /// What has to be paid, if the caller may pay it now.
    async fn due(
        &self,
        caller: &Caller,
        payable: Payable,
        shown_total: Option<f64>,
    ) -> Result<Due, Failure<OpenPaymentRefused>> {
        let due = match payable {
            Payable::Order(id) => self.due_for_order(caller, id).await?,
            Payable::Checkout(id) => self.due_for_checkout(caller, id).await?,
        };
        if due.amount.differs_from(shown_total) {
            return Err(Failure::Refused(OpenPaymentRefused::PriceChanged { total: due.amount }));
        }
        if !is_chargeable(due.amount) {
            return Err(Failure::Refused(OpenPaymentRefused::NotChargeable));
        }
        Ok(due)
    }

    async fn due_for_order(&self, caller: &Caller, id: OrderId) -> Result<Due, Failure<OpenPaymentRefused>> {
        let order = self.orders.find(id).await?.ok_or(Denied::NotFound)?;
        caller.require_owner(Permission::PayOrder, order.customer)?;
        may_be_paid(&order).map_err(Failure::Refused)?;
        if let Some(checkout) = order.checkout()
            && self.payment_attempts.open_for(Payable::Checkout(checkout)).await?.is_some()
        {
            return Err(Failure::Refused(OpenPaymentRefused::PaidTogether { checkout }));
        }
        Ok(Due::of(Payable::Order(id), &[order]))
    }

    /// What is due for the orders of a checkout that are neither paid nor cancelled.
    async fn due_for_checkout(&self, caller: &Caller, id: CheckoutId) -> Result<Due, Failure<OpenPaymentRefused>> {
        let StoredCheckout { checkout, orders } = self.checkouts.find(id).await?.ok_or(Denied::NotFound)?;
        caller.require_owner(Permission::PayOrder, checkout.customer)?;
        let is_cancelled = orders.iter().all(Order::is_cancelled);
        let unpaid: Vec<Order> = orders
            .into_iter()
            .filter(|order| may_be_paid(order) != Err(OpenPaymentRefused::Paid) && !order.is_cancelled())
            .collect();
        if unpaid.is_empty() {
            let refused = if is_cancelled { OpenPaymentRefused::Cancelled } else { OpenPaymentRefused::Paid };
            return Err(Failure::Refused(refused));
        }
        unpaid.iter().try_for_each(may_be_paid).map_err(Failure::Refused)?;
        Ok(Due::of(Payable::Checkout(id), &unpaid))
    }

    async fn chosen_to_pay(
        &self,
        caller: &Caller,
        command: &OpenPayment,
    ) -> Result<Payable, Failure<OpenPaymentRefused>> {
        if let Some(payable) = command.payable {
            return Ok(payable);
        }
        let total = command.shown_total.and_then(|shown| Money::nearest_cent(shown).ok());
        let total = total.ok_or(Failure::Refused(OpenPaymentRefused::NotOneOrder))?;
        match self.orders.unpaid_with_total(caller.account, total, 2).await?.as_slice() {
            [order] => Ok(Payable::Order(*order)),
            _ => Err(Failure::Refused(OpenPaymentRefused::NotOneOrder)),
        }
    }

    /// A new payment of something without an open one; `None` if it has to be read again.
    async fn open_anew(
        &self,
        caller: &Caller,
        due: Due,
        shown_total: Option<f64>,
    ) -> Result<Option<(TransactionId, PaymentSecret)>, Failure<OpenPaymentRefused>> {
        let payable = due.payable;
        if let Payable::Checkout(_) = payable {
            self.stop_those_of_lines(&due).await?;
        }
        let attempt = self.payment_attempts.attempts(payable).await?;
        // Read again, because a payment that succeeded is closed only after its order is marked as paid: if `attempts`
        // has just counted it as closed, the order is paid here, and no second payment is opened at the provider. The
        // same goes for a line whose payment had been paid when it was to be stopped.
        let due = self.due(caller, payable, shown_total).await?;
        let intent = self.provider.open(payable, attempt, due.amount).await?;
        let opened = PaymentAttempt { id: intent.id.clone(), payable, amount: due.amount, shares: due.shares };
        match self.payment_attempts.attach(&opened, self.clock.now()).await? {
            Attached::Open => Ok(secret_of(intent)),
            Attached::Another(_) => Ok(None),
            Attached::Refused => {
                // Something was paid or cancelled during the provider's call: this payment must not be paid any more.
                self.provider.cancel(&intent.id).await?;
                if let Payable::Checkout(_) = payable {
                    self.payment_attempts.close(&intent.id, Ended::Cancelled, self.clock.now()).await?;
                }
                Ok(None)
            }
        }
    }

    /// Stops the payments that may still succeed for single lines of a checkout. One of them may turn out to have been paid.
    async fn stop_those_of_lines(&self, due: &Due) -> Result<(), Failure<OpenPaymentRefused>> {
        for share in &due.shares {
            for open in self.payment_attempts.undecided(share.order).await? {
                if open.payable != due.payable {
                    self.stop_open(&open).await?;
                }
            }
        }
        Ok(())
    }

    async fn stop_open(&self, open: &PaymentAttempt) -> Result<(), Failure<OpenPaymentRefused>> {
        self.provider_limiter.forget(open.payable);
        match self.stop_payment(open).await {
            Ok(_) => Ok(()),
            Err(Failure::Unavailable(cause)) => Err(cause.into()),
            Err(_) => Err(Failure::Refused(OpenPaymentRefused::Paid)),
        }
    }

    async fn reuse(
        &self,
        open: &PaymentAttempt,
    ) -> Result<Option<(TransactionId, PaymentSecret)>, Failure<OpenPaymentRefused>> {
        // A payment unknown to the provider may still be paid, so no second one is opened beside it.
        let intent = self.provider.find(&open.id).await?.ok_or_else(unknown)?;
        match intent.state {
            PaymentIntentState::Open => {
                self.payment_attempts.check_sooner(&open.id, CheckSooner::Asked).await?;
                Ok(secret_of(intent))
            }
            PaymentIntentState::Succeeded => match self.settle_what_succeeded(open, None).await {
                Ok(_) => Ok(None),
                Err(Failure::Unavailable(cause)) => Err(cause.into()),
                Err(_) => Err(Failure::Refused(OpenPaymentRefused::Paid)),
            },
            PaymentIntentState::Cancelled => {
                self.payment_attempts.close(&open.id, Ended::Cancelled, self.clock.now()).await?;
                Ok(None)
            }
        }
    }
}

fn secret_of(intent: PaymentIntent) -> Option<(TransactionId, PaymentSecret)> {
    (intent.state == PaymentIntentState::Open).then_some((intent.id, PaymentSecret(intent.client_secret)))
}

/// What has to be paid.
struct Due {
    payable: Payable,
    amount: Money,
    shares: Vec<PaymentShare>,
}

impl Due {
    fn of(payable: Payable, orders: &[Order]) -> Self {
        let mut shares: Vec<PaymentShare> =
            orders.iter().map(|order| PaymentShare { order: order.id, amount: order.due() }).collect();
        shares.sort_unstable_by_key(|share| share.order);
        let sum = shares.iter().try_fold(Money::ZERO, |sum, share| sum.plus(share.amount));
        Self { payable, amount: sum.unwrap_or(Money::MAX), shares }
    }
}

fn may_be_paid(order: &Order) -> Result<(), OpenPaymentRefused> {
    if order.is_cancelled() {
        Err(OpenPaymentRefused::Cancelled)
    } else if order.state.transaction().is_some() {
        Err(OpenPaymentRefused::Paid)
    } else if order.item.charges().is_none() {
        Err(OpenPaymentRefused::AwaitsFreight)
    } else {
        Ok(())
    }
}
