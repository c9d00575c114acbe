//! Managing webhook subscriptions.

use domain::accounts::access::Denied;
use domain::notifications::delivery::{DeliveryId, Topic};
use domain::notifications::webhook_subscription::MAX_SUBSCRIPTIONS;
use domain::{Caller, Permission, WebhookSubscription, WebhookSubscriptionId, WebhookUrl};
use ports::{
    AddedSubscription, Delivery, IdempotencyKey, Page, StoredSubscription, WebhookDeliveryQuery, WebhookSecret,
    WebhookUrlRefused,
};
use thiserror::Error;

use crate::{Failure, Notifications};

/// Why a subscription was not added.
#[derive(Debug, Error)]
pub enum AddSubscriptionRefused {
    /// The shop does not call this URL.
    #[error(transparent)]
    Url(#[from] WebhookUrlRefused),
    /// The maximum number of subscriptions is reached.
    #[error("at most {MAX_SUBSCRIPTIONS} webhook subscriptions are kept")]
    Full,
    #[error("the secret could not be sealed")]
    Unsealed,
}

impl Notifications {
    /// Adds a webhook subscription and returns it with its secret. The secret is returned again only to a repeat of the
    /// same request under its idempotency key.
    ///
    /// # Errors
    /// [`AddSubscriptionRefused`].
    pub async fn add_subscription(
        &self,
        caller: &Caller,
        url: WebhookUrl,
        topics: Vec<Topic>,
        idempotency_key: Option<IdempotencyKey>,
    ) -> Result<(WebhookSubscription, WebhookSecret), Failure<AddSubscriptionRefused>> {
        caller.require(Permission::ManageDeliveries)?;
        self.webhook_sender.judge(&url).map_err(|refused| Failure::Refused(refused.into()))?;
        let id = WebhookSubscriptionId::new(self.ids.fresh());
        let subscription =
            WebhookSubscription { id, url, topics, created_at: self.clock.now(), failing_since: None, disabled: None };
        let secret = self.webhook_secrets.fresh();
        let sealed =
            self.webhook_secrets.seal(id, &secret).ok_or(Failure::Refused(AddSubscriptionRefused::Unsealed))?;
        let new = StoredSubscription { subscription: subscription.clone(), secret: sealed, failures: 0 };
        match self.webhook_subscriptions.add(&new, caller.account, MAX_SUBSCRIPTIONS, idempotency_key).await? {
            AddedSubscription::New => Ok((subscription, secret)),
            AddedSubscription::Before(first) => {
                let opened = self.webhook_secrets.open(first.subscription.id, &first.secret);
                Ok((first.subscription, opened.ok_or(Failure::Refused(AddSubscriptionRefused::Unsealed))?.secret))
            }
            AddedSubscription::Full => Err(Failure::Refused(AddSubscriptionRefused::Full)),
        }
    }

    /// The webhook subscriptions, oldest first.
    ///
    /// # Errors
    /// [`Failure::Denied`] to anyone but an admin.
    pub async fn list_subscriptions(&self, caller: &Caller) -> Result<Vec<WebhookSubscription>, Failure> {
        caller.require(Permission::ManageDeliveries)?;
        Ok(self.webhook_subscriptions.list().await?.into_iter().map(|kept| kept.subscription).collect())
    }

    /// Removes a webhook subscription; `false` if it was not there.
    ///
    /// # Errors
    /// [`Failure::Denied`] to anyone but an admin.
    pub async fn remove_subscription(&self, caller: &Caller, id: WebhookSubscriptionId) -> Result<bool, Failure> {
        caller.require(Permission::ManageDeliveries)?;
        Ok(self.webhook_subscriptions.remove(id, self.clock.now()).await?)
    }

    /// A subscription's deliveries, latest first.
    ///
    /// # Errors
    /// [`Failure::Denied`] to anyone but an admin.
    pub async fn subscription_deliveries(
        &self,
        caller: &Caller,
        query: &WebhookDeliveryQuery,
    ) -> Result<Page<Delivery, DeliveryId>, Failure> {
        caller.require(Permission::ManageDeliveries)?;
        self.webhook_subscriptions.deliveries(query).await?.ok_or_else(|| Denied::NotFound.into())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::Role;
    use ports::{MockWebhookSecrets, MockWebhookSender, MockWebhookSubscriptions, Pagination, SealedSecret};
    use uuid::Uuid;

    use super::*;
    use crate::testing::{caller, notifications, now};

    const QUERY: WebhookDeliveryQuery = WebhookDeliveryQuery {
        subscription: WebhookSubscriptionId::new(Uuid::from_u128(1)),
        page: Pagination::whole(),
    };

    fn url() -> WebhookUrl {
        "https://erp.example.com/hooks".parse().unwrap()
    }

    fn is_denied<R>(failure: &Failure<R>) -> bool {
        matches!(failure, Failure::Denied(Denied::Forbidden))
    }

    #[tokio::test]
    async fn only_an_admin_manages_webhook_subscriptions() {
        let customer = caller(Role::Customer);
        assert!(is_denied(
            &notifications().add_subscription(&customer, url(), vec![Topic::OrderPaid], None).await.unwrap_err()
        ));
        assert!(is_denied(&notifications().list_subscriptions(&customer).await.unwrap_err()));
        assert!(is_denied(&notifications().remove_subscription(&customer, QUERY.subscription).await.unwrap_err()));
        assert!(is_denied(&notifications().subscription_deliveries(&customer, &QUERY).await.unwrap_err()));
    }

    fn adding(added: AddedSubscription) -> Notifications {
        let mut webhook_sender = MockWebhookSender::new();
        webhook_sender.expect_judge().returning(|_| Ok(()));
        let mut secrets = MockWebhookSecrets::new();
        secrets.expect_fresh().returning(|| WebhookSecret::new("whsec_x".into()));
        secrets.expect_seal().returning(|_, secret| (secret.expose() == "whsec_x").then(|| SealedSecret(vec![1])));
        let mut webhook_subscriptions = MockWebhookSubscriptions::new();
        webhook_subscriptions
            .expect_add()
            .withf(|new, added_by, most, _| {
                new.secret == SealedSecret(vec![1])
                    && new.subscription.created_at == now()
                    && new.subscription.topics == [Topic::OrderPaid]
                    && *added_by == caller(Role::Admin).account
                    && *most == MAX_SUBSCRIPTIONS
            })
            .returning(move |_, _, _, _| Ok(added.clone()));
        Notifications {
            webhook_sender: Arc::new(webhook_sender),
            webhook_secrets: Arc::new(secrets),
            webhook_subscriptions: Arc::new(webhook_subscriptions),
            ..notifications()
        }
    }

    #[tokio::test]
    async fn a_subscription_is_stored_with_a_sealed_secret_and_returned_with_the_plain_one() {
        let admin = caller(Role::Admin);
        let (subscription, secret) =
            adding(AddedSubscription::New).add_subscription(&admin, url(), vec![Topic::OrderPaid], None).await.unwrap();
        assert_eq!((subscription.url, secret.expose()), (url(), "whsec_x"));
        let full = adding(AddedSubscription::Full).add_subscription(&admin, url(), vec![Topic::OrderPaid], None).await;
        assert!(matches!(full, Err(Failure::Refused(AddSubscriptionRefused::Full))));
    }

    #[tokio::test]
    async fn a_url_that_the_shop_does_not_call_is_not_stored() {
        let mut webhook_sender = MockWebhookSender::new();
        webhook_sender.expect_judge().returning(|_| Err(WebhookUrlRefused::NotPublic));
        let notifications = Notifications { webhook_sender: Arc::new(webhook_sender), ..notifications() };
        let refused = notifications.add_subscription(&caller(Role::Admin), url(), vec![Topic::OrderPaid], None).await;
        assert!(matches!(refused, Err(Failure::Refused(AddSubscriptionRefused::Url(WebhookUrlRefused::NotPublic)))));
    }

    /// A shop whose webhook subscriptions are stored here.
    fn having(webhook_subscriptions: MockWebhookSubscriptions) -> Notifications {
        Notifications { webhook_subscriptions: Arc::new(webhook_subscriptions), ..notifications() }
    }

    #[tokio::test]
    async fn an_admin_lists_the_subscriptions_in_the_order_of_the_store_and_without_their_secrets() {
        let subscriptions = [2, 1].map(|id| WebhookSubscription {
            id: WebhookSubscriptionId::new(Uuid::from_u128(id)),
            url: url(),
            topics: vec![Topic::OrderPaid],
            created_at: now(),
            failing_since: None,
            disabled: None,
        });
        let kept = subscriptions.clone().map(|subscription| StoredSubscription {
            subscription,
            secret: SealedSecret(vec![1]),
            failures: 0,
        });
        let mut webhook_subscriptions = MockWebhookSubscriptions::new();
        webhook_subscriptions.expect_list().times(1).returning(move || Ok(kept.to_vec()));
        let listed = having(webhook_subscriptions).list_subscriptions(&caller(Role::Admin)).await.unwrap();
        assert_eq!(listed, subscriptions);
    }

    #[tokio::test]
    async fn an_admin_removes_a_subscription_and_learns_whether_it_was_there() {
        for was_there in [true, false] {
            let mut webhook_subscriptions = MockWebhookSubscriptions::new();
            webhook_subscriptions
                .expect_remove()
                .times(1)
                .withf(|id, at| (*id, *at) == (QUERY.subscription, now()))
                .returning(move |_, _| Ok(was_there));
            let removed =
                having(webhook_subscriptions).remove_subscription(&caller(Role::Admin), QUERY.subscription).await;
            assert_eq!(removed.unwrap(), was_there);
        }
    }

    #[tokio::test]
    async fn the_deliveries_of_an_unknown_subscription_are_not_found() {
        let mut webhook_subscriptions = MockWebhookSubscriptions::new();
        webhook_subscriptions.expect_deliveries().returning(|_| Ok(None));
        let absent = having(webhook_subscriptions).subscription_deliveries(&caller(Role::Admin), &QUERY).await;
        assert!(matches!(absent, Err(Failure::Denied(Denied::NotFound))));
    }
}
