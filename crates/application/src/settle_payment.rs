//! Settling a payment: the one deed that turns money at the provider into a paid order, whoever brought the news.

use domain::access::Denied;
use domain::order::{Change, RefundRefused, SettleRefused};
use domain::{Actor, Caller, Order, OrderId, Permission, TransactionId};
use ports::{Applied, Intent, IntentState, OpenIntent, ProviderError, RefundOutcome, StoreError};
use thiserror::Error;

use crate::Shop;
use crate::shop::ROUNDS;

/// The only currency that the shop takes (ISO 4217, lower case as providers write it).
const CURRENCY: &str = "usd";

/// A browser's word that an order is paid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettlePayment {
    /// Which order.
    pub order: OrderId,
    /// The order as the payment record names it, if it does.
    pub product: Option<String>,
    /// The payment, as the record names it.
    pub transaction: String,
}

/// Why a payment settled nothing. Nothing was changed.
#[derive(Debug, Error)]
pub enum SettleError {
    /// The order is another's, was cancelled, or never was.
    #[error(transparent)]
    Denied(#[from] Denied),
    /// The provider does not say that the money is in.
    #[error("the payment has not succeeded")]
    NotPaid,
    /// The payment is not this order's, or not of its amount and currency.
    #[error("the payment does not belong to this order")]
    Mismatch,
    /// Another payment has settled the order.
    #[error("another payment has settled the order")]
    PaidByAnother,
    /// The order changed again and again meanwhile.
    #[error("the order is changing too fast")]
    TooBusy,
    /// The payment provider failed.
    #[error(transparent)]
    Provider(#[from] ProviderError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What became of money that came in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Settled {
    /// The order is paid, now or since before.
    Paid,
    /// The order could not take it, so it is on its way back.
    SentBack,
}

impl Shop {
    /// Takes a browser's word as a hint: asks the provider, and settles the order if the provider confirms it. The same
    /// payment again is the same success.
    ///
    /// # Errors
    /// [`SettleError`].
    pub async fn settle_payment(&self, caller: &Caller, hint: SettlePayment) -> Result<(), SettleError> {
        let order = self.orders.find(hint.order).await?.ok_or(Denied::Absent)?;
        caller.ask_for(Permission::PayOrder, order.buyer)?;
        if order.is_cancelled() {
            return Err(Denied::Absent.into());
        }
        let names_another = hint.product.is_some_and(|product| product.parse() != Ok(order.id));
        let transaction = hint.transaction.parse::<TransactionId>().map_err(|_| SettleError::Mismatch)?;
        let opened = self.intents.find(&transaction).await?.filter(|opened| opened.order == order.id);
        let (false, Some(opened)) = (names_another, opened) else { return Err(SettleError::Mismatch) };
        if order.progress.payment.transaction() == Some(&transaction) {
            return Ok(());
        }
        let intent = self.payments.find(&transaction).await?.ok_or(SettleError::Mismatch)?;
        match intent.state {
            IntentState::Open => Err(SettleError::NotPaid),
            IntentState::Cancelled => Err(SettleError::Mismatch),
            IntentState::Succeeded => match self.settle(&intent, &opened, caller.actor(), None).await? {
                Settled::Paid => Ok(()),
                // The order was cancelled, or paid by another payment, between the first look and this one.
                Settled::SentBack => Err(SettleError::PaidByAnother),
            },
        }
    }

    /// Settles a payment of which the provider said, in passing or in the message `heard`, that it succeeded.
    pub(crate) async fn settle_what_succeeded(
        &self,
        opened: &OpenIntent,
        heard: Option<&str>,
    ) -> Result<Settled, SettleError> {
        let intent = self.payments.find(&opened.id).await?.ok_or(SettleError::Mismatch)?;
        if intent.state != IntentState::Succeeded {
            return Err(SettleError::NotPaid);
        }
        self.settle(&intent, opened, Actor::Shop, heard).await
    }

    /// Brings a succeeded payment to its end: the order is paid, or the money goes back. Any number of callers at the
    /// same moment, in any order, come to the same end. A message of the provider that brought the news is `heard` in
    /// the same transaction as what it changes.
    pub(crate) async fn settle(
        &self,
        intent: &Intent,
        opened: &OpenIntent,
        by: Actor,
        heard: Option<&str>,
    ) -> Result<Settled, SettleError> {
        for _ in 0..ROUNDS {
            let order = self.orders.find(opened.order).await?.ok_or(SettleError::Mismatch)?;
            if !belongs(intent, &order) {
                tracing::error!(order = %order.id, payment = %intent.id, "a payment does not match its order");
                return Err(SettleError::Mismatch);
            }
            let change = match order.clone().settle(intent.id.clone(), self.stamp(by.clone())) {
                Ok(change) => change,
                Err(SettleRefused::BySame) => return self.ended(intent, settled_by_same(&order)).await,
                Err(SettleRefused::Cancelled) => match self.send_back(intent, order, heard).await? {
                    Applied::Written => return self.ended(intent, Settled::SentBack).await,
                    Applied::Stale => continue,
                },
                Err(SettleRefused::ByAnother) => {
                    tracing::error!(order = %order.id, payment = %intent.id, "an order was paid twice; sending one back");
                    self.payments.refund(&intent.id).await?;
                    return self.ended(intent, Settled::SentBack).await;
                }
            };
            if self.write(&change, heard).await? == Applied::Written {
                return self.ended(intent, Settled::Paid).await;
            }
        }
        Err(SettleError::TooBusy)
    }

    /// Returns money that came in for a cancelled order, and records it. The provider is asked first: a refund that is
    /// recorded but never sent would keep a customer's money.
    async fn send_back(&self, intent: &Intent, order: Order, heard: Option<&str>) -> Result<Applied, SettleError> {
        match self.payments.refund(&intent.id).await? {
            RefundOutcome::Refunded => {}
            RefundOutcome::NothingThere => return Err(SettleError::NotPaid),
        }
        match order.refund(intent.id.clone(), self.stamp(Actor::Shop)) {
            Ok(change) => Ok(self.write(&change, heard).await?),
            Err(RefundRefused::Refunded | RefundRefused::ByAnother) => Ok(Applied::Written),
            Err(RefundRefused::Standing) => Ok(Applied::Stale),
        }
    }

    async fn write(&self, change: &Change, heard: Option<&str>) -> Result<Applied, StoreError> {
        match heard {
            Some(event) => self.payment_events.apply(event, change, self.clock.now()).await,
            None => self.orders.apply(change).await,
        }
    }

    async fn ended(&self, intent: &Intent, settled: Settled) -> Result<Settled, SettleError> {
        self.intents.close(&intent.id, self.clock.now()).await?;
        Ok(settled)
    }
}

/// What the payment that settled an order has come to: its money may have been sent back since.
fn settled_by_same(order: &Order) -> Settled {
    if order.progress.payment.is_paid() { Settled::Paid } else { Settled::SentBack }
}

/// Whether a payment is an order's own, of its total and in the shop's currency.
pub(crate) fn belongs(intent: &Intent, order: &Order) -> bool {
    intent.order == Some(order.id) && intent.amount == order.item.total && intent.currency == CURRENCY
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::{Money, Payment, Role};
    use ports::{MockIntentStore, MockPaymentProvider};

    use super::*;
    use crate::testing::{caller, customers_order, holding, intent, paid_order, shop, transaction};

    fn hint(order: &Order) -> SettlePayment {
        SettlePayment {
            order: order.id,
            product: Some(order.id.to_string()),
            transaction: transaction().as_str().to_owned(),
        }
    }

    fn opened_for(order: &Order) -> MockIntentStore {
        let mut intents = MockIntentStore::new();
        let opened = OpenIntent { id: transaction(), order: order.id, amount: order.item.total };
        intents.expect_find().returning(move |id| Ok((*id == opened.id).then(|| opened.clone())));
        intents
    }

    fn saying(intent: Intent) -> Arc<MockPaymentProvider> {
        let mut payments = MockPaymentProvider::new();
        payments.expect_find().returning(move |_| Ok(Some(intent.clone())));
        Arc::new(payments)
    }

    #[tokio::test]
    async fn a_confirmed_payment_settles_its_order_once_and_closes() {
        let order = customers_order();
        let mut orders = holding(&order);
        orders
            .expect_apply()
            .times(1)
            .withf(|change| matches!(change.after.progress.payment, Payment::Paid { .. }))
            .returning(|_| Ok(Applied::Written));
        let mut intents = opened_for(&order);
        intents.expect_close().times(1).returning(|_, _| Ok(()));
        let shop = Shop {
            orders: Arc::new(orders),
            intents: Arc::new(intents),
            payments: saying(intent(&order, IntentState::Succeeded)),
            ..shop()
        };
        shop.settle_payment(&caller(Role::Customer), hint(&order)).await.unwrap();
    }

    #[tokio::test]
    async fn a_browsers_word_alone_settles_nothing() {
        let order = customers_order();
        for (state, expected) in [(IntentState::Open, true), (IntentState::Cancelled, false)] {
            let shop = Shop {
                orders: Arc::new(holding(&order)),
                intents: Arc::new(opened_for(&order)),
                payments: saying(intent(&order, state)),
                ..shop()
            };
            let refused = shop.settle_payment(&caller(Role::Customer), hint(&order)).await;
            assert_eq!(matches!(refused, Err(SettleError::NotPaid)), expected, "{state:?}: {refused:?}");
            assert!(refused.is_err());
        }
    }

    #[tokio::test]
    async fn a_payment_of_another_order_amount_or_currency_settles_nothing() {
        let order = customers_order();
        let sound = intent(&order, IntentState::Succeeded);
        let other_order = Intent { order: Some(OrderId::new(uuid::Uuid::from_u128(999))), ..sound.clone() };
        let no_order = Intent { order: None, ..sound.clone() };
        let other_amount = Intent { amount: Money::from_cents(1).unwrap(), ..sound.clone() };
        let other_currency = Intent { currency: "eur".into(), ..sound };
        for lie in [other_order, no_order, other_amount, other_currency] {
            let shop = Shop {
                orders: Arc::new(holding(&order)),
                intents: Arc::new(opened_for(&order)),
                payments: saying(lie.clone()),
                ..shop()
            };
            let refused = shop.settle_payment(&caller(Role::Customer), hint(&order)).await;
            assert!(matches!(refused, Err(SettleError::Mismatch)), "{lie:?}: {refused:?}");
        }
    }

    #[tokio::test]
    async fn a_hint_that_names_an_unknown_payment_or_another_order_is_refused_without_asking_the_provider() {
        let order = customers_order();
        for (product, transaction) in
            [(None, "pi_unknown"), (None, "not an id"), (Some("elsewhere"), transaction().as_str())]
        {
            let shop = Shop { orders: Arc::new(holding(&order)), intents: Arc::new(opened_for(&order)), ..shop() };
            let hint = SettlePayment {
                order: order.id,
                product: product.map(str::to_owned),
                transaction: transaction.to_owned(),
            };
            let refused = shop.settle_payment(&caller(Role::Customer), hint).await;
            assert!(matches!(refused, Err(SettleError::Mismatch)), "{refused:?}");
        }
    }

    #[tokio::test]
    async fn the_same_payment_again_is_the_same_success() {
        let order = paid_order();
        let shop = Shop { orders: Arc::new(holding(&order)), intents: Arc::new(opened_for(&order)), ..shop() };
        shop.settle_payment(&caller(Role::Customer), hint(&order)).await.unwrap();
    }

    #[tokio::test]
    async fn money_for_a_cancelled_order_is_sent_back_and_recorded() {
        let order = customers_order().cancel(shop().stamp(Actor::Shop)).unwrap().after;
        let mut orders = holding(&order);
        orders
            .expect_apply()
            .times(1)
            .withf(|change| matches!(change.after.progress.payment, Payment::Refunded { .. }))
            .returning(|_| Ok(Applied::Written));
        let mut payments = MockPaymentProvider::new();
        payments.expect_refund().times(1).returning(|_| Ok(RefundOutcome::Refunded));
        let mut intents = MockIntentStore::new();
        intents.expect_close().times(1).returning(|_, _| Ok(()));
        let shop =
            Shop { orders: Arc::new(orders), payments: Arc::new(payments), intents: Arc::new(intents), ..shop() };
        let opened = OpenIntent { id: transaction(), order: order.id, amount: order.item.total };
        let intent = intent(&order, IntentState::Succeeded);
        assert_eq!(shop.settle(&intent, &opened, Actor::Shop, None).await.unwrap(), Settled::SentBack);
    }

    #[tokio::test]
    async fn a_second_payment_of_a_paid_order_is_sent_back() {
        let order = paid_order();
        let mut payments = MockPaymentProvider::new();
        payments.expect_refund().times(1).returning(|_| Ok(RefundOutcome::Refunded));
        let mut intents = MockIntentStore::new();
        intents.expect_close().times(1).returning(|_, _| Ok(()));
        let shop = Shop {
            orders: Arc::new(holding(&order)),
            payments: Arc::new(payments),
            intents: Arc::new(intents),
            ..shop()
        };
        let second: TransactionId = "pi_second".parse().unwrap();
        let opened = OpenIntent { id: second.clone(), order: order.id, amount: order.item.total };
        let intent = Intent { id: second, ..intent(&order, IntentState::Succeeded) };
        assert_eq!(shop.settle(&intent, &opened, Actor::Shop, None).await.unwrap(), Settled::SentBack);
    }
}
