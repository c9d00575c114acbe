//! Calling the programs that want to know.

use std::sync::Arc;

use domain::delivery::{Channel, Topic};
use ports::{Announcement, CallError, Delivery, EndpointCaller, StoreError};

use crate::Shop;
use crate::deliver_outbox::{Delivered, Outcome, reason};

impl Shop {
    /// Calls endpoints that are due to be told something, several at a time, until none is or the run has done its share. Any
    /// number of copies of the shop may do this at once. Should this one die after an endpoint took it and before that was
    /// noted, it is told again, of the same event.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed; what was under way is due again after a while.
    pub async fn call_endpoints(&self) -> Result<Delivered, StoreError> {
        let caller = Arc::clone(&self.endpoint_caller);
        self.deliver_due(Channel::Webhook, &Topic::OF_ORDERS, move |shop, delivery| {
            let caller = Arc::clone(&caller);
            async move { shop.call_endpoint(caller.as_ref(), &delivery).await }
        })
        .await
    }

    /// Seals secrets anew that were sealed under the shop's previous secret, so that it can be forgotten. Answers how many.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn reseal_endpoint_secrets(&self) -> Result<u32, StoreError> {
        let mut resealed = 0;
        for kept in self.endpoints.list().await? {
            let id = kept.endpoint.id;
            let Some(opened) = self.endpoint_secrets.open(id, &kept.secret) else {
                tracing::error!(endpoint = %id, "an endpoint's secret was sealed under a TOKEN_SECRET that is gone");
                continue;
            };
            if !opened.stale {
                continue;
            }
            if let Some(sealed) = self.endpoint_secrets.seal(id, &opened.secret) {
                self.endpoints.reseal(id, &kept.secret, &sealed).await?;
                resealed += 1;
            }
        }
        Ok(resealed)
    }

    async fn call_endpoint(&self, caller: &dyn EndpointCaller, delivery: &Delivery) -> Result<Outcome, StoreError> {
        let (Some(endpoint), Some(event), Some(order)) = (delivery.endpoint, delivery.event, delivery.order) else {
            return self.give_up(delivery, "there is nothing to say any more").await;
        };
        let Some(kept) = self.endpoints.find(endpoint).await? else {
            return self.give_up(delivery, "the endpoint was removed").await;
        };
        if kept.endpoint.disabled_at.is_some() {
            return self.give_up(delivery, "the endpoint is disabled").await;
        }
        let Some(opened) = self.endpoint_secrets.open(endpoint, &kept.secret) else {
            return self.give_up(delivery, "its secret was sealed under a TOKEN_SECRET that is gone").await;
        };
        let Some(order) = self.orders.find(order).await? else {
            return self.give_up(delivery, "the order is gone").await;
        };
        let announcement = Announcement { event, topic: delivery.topic, happened_at: delivery.created_at, order };
        let answer = caller.call(&kept.endpoint.url, &opened.secret, &announcement, self.clock.now()).await;
        if let Ok(status) | Err(CallError::Answered(status) | CallError::Gone(status)) = &answer {
            self.endpoints.answered(delivery.id, *status).await?;
        }
        match answer {
            Ok(_) => self.note_sent(delivery).await,
            Err(error @ CallError::Gone(_)) => {
                self.endpoints.disable(endpoint, self.clock.now()).await?;
                tracing::warn!(%endpoint, "an endpoint says that it is gone, and is disabled");
                self.give_up(delivery, &reason(&error)).await
            }
            Err(error) => self.put_off_or_give_up(delivery, &reason(&error)).await,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::time::Duration;

    use domain::delivery::{DeliveryId, DeliveryState, MAX_ATTEMPTS, wait};
    use domain::{Endpoint, EndpointId, EventId};
    use ports::{
        AddressRefused, EndpointSecret, KeptEndpoint, MockEndpointCaller, MockEndpointSecrets, MockEndpointStore,
        MockOutbox, OpenedSecret, SealedSecret,
    };
    use uuid::Uuid;

    use super::*;
    use crate::shop::later;
    use crate::testing::{customers_order, holding, now, shop};

    const ENDPOINT: EndpointId = EndpointId::new(Uuid::from_u128(7));
    const EVENT: EventId = EventId::new(Uuid::from_u128(6));

    fn delivery(attempts: u32) -> Delivery {
        Delivery {
            id: DeliveryId::new(1),
            channel: Channel::Webhook,
            topic: Topic::OrderCancelled,
            to: None,
            order: Some(customers_order().id),
            event: Some(EVENT),
            endpoint: Some(ENDPOINT),
            status: None,
            attempts,
            state: DeliveryState::Waiting,
            last_error: None,
            created_at: now(),
            due_at: now(),
            sent_at: None,
        }
    }

    fn with(delivery: Delivery) -> MockOutbox {
        let left = Mutex::new(vec![delivery]);
        let mut outbox = MockOutbox::new();
        outbox
            .expect_take()
            .withf(|take| take.channel == Channel::Webhook && take.topics == Topic::OF_ORDERS)
            .returning(move |_| Ok(left.lock().unwrap().drain(..).collect()));
        outbox
    }

    fn kept(disabled: bool) -> KeptEndpoint {
        let endpoint = Endpoint {
            id: ENDPOINT,
            url: "https://erp.example.com/hooks".parse().unwrap(),
            topics: vec![Topic::OrderCancelled],
            created_at: now(),
            disabled_at: disabled.then(now),
        };
        KeptEndpoint { endpoint, secret: SealedSecret(vec![1]) }
    }

    fn endpoints(found: Option<KeptEndpoint>) -> MockEndpointStore {
        let mut endpoints = MockEndpointStore::new();
        endpoints.expect_find().returning(move |_| Ok(found.clone()));
        endpoints
    }

    fn secrets(opened: Option<bool>) -> MockEndpointSecrets {
        let mut secrets = MockEndpointSecrets::new();
        secrets.expect_open().withf(|id, _| *id == ENDPOINT).returning(move |_, _| {
            opened.map(|stale| OpenedSecret { secret: EndpointSecret::new("whsec_x".into()), stale })
        });
        secrets
    }

    fn answering(answer: fn() -> Result<u16, CallError>) -> MockEndpointCaller {
        let mut caller = MockEndpointCaller::new();
        caller
            .expect_call()
            .times(1)
            .withf(|url, secret, announcement, at| {
                url.as_str() == "https://erp.example.com/hooks"
                    && secret.expose() == "whsec_x"
                    && announcement.event == EVENT
                    && announcement.topic == Topic::OrderCancelled
                    && announcement.order == customers_order()
                    && *at == now()
            })
            .returning(move |_, _, _, _| answer());
        caller
    }

    fn calling(outbox: MockOutbox, endpoints: MockEndpointStore, caller: MockEndpointCaller) -> Shop {
        Shop {
            outbox: Arc::new(outbox),
            endpoints: Arc::new(endpoints),
            endpoint_secrets: Arc::new(secrets(Some(false))),
            endpoint_caller: Arc::new(caller),
            orders: Arc::new(holding(&customers_order())),
            ..shop()
        }
    }

    #[tokio::test]
    async fn what_is_due_is_told_and_its_answer_noted() {
        let mut outbox = with(delivery(1));
        outbox.expect_sent().times(1).withf(|_, at| *at == now()).returning(|_, _| Ok(()));
        let mut endpoints = endpoints(Some(kept(false)));
        endpoints.expect_answered().times(1).withf(|_, status| *status == 204).returning(|_, _| Ok(()));
        let told = calling(outbox, endpoints, answering(|| Ok(204))).call_endpoints().await.unwrap();
        assert_eq!(told, Delivered { sent: 1, ..Delivered::default() });
    }

    #[tokio::test]
    async fn whatever_fails_is_tried_again_later_and_given_up_after_the_last_attempt() {
        let away = || Err(CallError::Away("connection refused".into()));
        let answered = || Err(CallError::Answered(404));
        let refused = || Err(CallError::Refused(AddressRefused::NotPublic));
        for (answer, words) in [
            (away as fn() -> _, "it did not answer: connection refused"),
            (answered, "it answered with status 404"),
            (refused, "the address must lead to the public internet"),
        ] {
            for attempts in [3, MAX_ATTEMPTS] {
                let mut outbox = with(delivery(attempts));
                outbox
                    .expect_put_off()
                    .times(usize::from(attempts == 3))
                    .withf(move |id, attempt, due, why| {
                        *due == later(now(), wait(*id, *attempt)) && *attempt == 3 && why == words
                    })
                    .returning(|_, _, _, _| Ok(()));
                outbox
                    .expect_bury()
                    .times(usize::from(attempts == MAX_ATTEMPTS))
                    .withf(move |_, _, why| why == words)
                    .returning(|_, _, _| Ok(()));
                let mut endpoints = endpoints(Some(kept(false)));
                endpoints
                    .expect_answered()
                    .times(usize::from(words.ends_with("404")))
                    .withf(|_, status| *status == 404)
                    .returning(|_, _| Ok(()));
                calling(outbox, endpoints, answering(answer)).call_endpoints().await.unwrap();
            }
        }
    }

    #[tokio::test]
    async fn an_endpoint_that_says_it_is_gone_is_disabled_and_not_told_again() {
        let mut outbox = with(delivery(1));
        outbox.expect_bury().times(1).returning(|_, _, _| Ok(()));
        let mut endpoints = endpoints(Some(kept(false)));
        endpoints.expect_answered().times(1).withf(|_, status| *status == 410).returning(|_, _| Ok(()));
        endpoints.expect_disable().times(1).withf(|id, at| *id == ENDPOINT && *at == now()).returning(|_, _| Ok(()));
        let told = calling(outbox, endpoints, answering(|| Err(CallError::Gone(410)))).call_endpoints().await.unwrap();
        assert_eq!(told, Delivered { dead: 1, ..Delivered::default() });
    }

    #[tokio::test]
    async fn who_is_removed_or_disabled_is_not_called() {
        for found in [None, Some(kept(true))] {
            let mut outbox = with(delivery(1));
            outbox.expect_bury().times(1).returning(|_, _, _| Ok(()));
            calling(outbox, endpoints(found), MockEndpointCaller::new()).call_endpoints().await.unwrap();
        }
        // Nor is anything sent that could not be signed.
        let mut outbox = with(delivery(1));
        outbox.expect_bury().times(1).withf(|_, _, why| why.contains("TOKEN_SECRET")).returning(|_, _, _| Ok(()));
        let shop = calling(outbox, endpoints(Some(kept(false))), MockEndpointCaller::new());
        let shop = Shop { endpoint_secrets: Arc::new(secrets(None)), ..shop };
        shop.call_endpoints().await.unwrap();
    }

    #[tokio::test]
    async fn only_secrets_of_the_previous_key_are_sealed_anew() {
        for (opened, expected) in [(Some(true), 1), (Some(false), 0), (None, 0)] {
            let mut endpoints = MockEndpointStore::new();
            endpoints.expect_list().returning(|| Ok(vec![kept(false)]));
            endpoints
                .expect_reseal()
                .times(expected as usize)
                .withf(|id, before, after| {
                    *id == ENDPOINT && *before == SealedSecret(vec![1]) && *after == SealedSecret(vec![2])
                })
                .returning(|_, _, _| Ok(()));
            let mut secrets = secrets(opened);
            secrets.expect_seal().times(expected as usize).returning(|_, _| Some(SealedSecret(vec![2])));
            let shop = Shop { endpoints: Arc::new(endpoints), endpoint_secrets: Arc::new(secrets), ..shop() };
            assert_eq!(shop.reseal_endpoint_secrets().await.unwrap(), expected);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn an_endpoint_that_hangs_holds_up_no_other_of_its_round() {
        let left = Mutex::new((1..=4).map(|n| Delivery { id: DeliveryId::new(n), ..delivery(1) }).collect::<Vec<_>>());
        let mut outbox = MockOutbox::new();
        outbox.expect_take().returning(move |_| Ok(left.lock().unwrap().drain(..).collect()));
        outbox.expect_sent().times(4).returning(|_, _| Ok(()));
        let mut endpoints = endpoints(Some(kept(false)));
        endpoints.expect_answered().returning(|_, _| Ok(()));
        let shop = Shop { endpoint_caller: Arc::new(Slow), ..calling(outbox, endpoints, MockEndpointCaller::new()) };
        let began = tokio::time::Instant::now();
        assert_eq!(shop.call_endpoints().await.unwrap().sent, 4);
        assert_eq!(began.elapsed(), Duration::from_secs(10));
    }

    /// An endpoint that takes its time.
    struct Slow;

    #[async_trait::async_trait]
    impl EndpointCaller for Slow {
        fn judge(&self, _: &domain::EndpointUrl) -> Result<(), AddressRefused> {
            Ok(())
        }

        async fn call(
            &self,
            _: &domain::EndpointUrl,
            _: &EndpointSecret,
            _: &Announcement,
            _: domain::Timestamp,
        ) -> Result<u16, CallError> {
            tokio::time::sleep(Duration::from_secs(10)).await;
            Ok(200)
        }
    }
}
