//! Looking at what the shop tells the world, and putting back what was given up.

use domain::access::Denied;
use domain::delivery::DeliveryId;
use domain::{Caller, Permission};
use ports::{DeliveryPage, DeliveryQuery, PutBack, StoreError};
use thiserror::Error;

use crate::Shop;

/// Why deliveries were not shown, or one was not put back.
#[derive(Debug, Error)]
pub enum DeliveryError {
    /// The caller is no admin, or there is none.
    #[error(transparent)]
    Denied(#[from] Denied),
    /// It was not given up: it is sent, or will be.
    #[error("the delivery was not given up")]
    NotDead,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Shop {
    /// The deliveries that match, latest first.
    ///
    /// # Errors
    /// [`DeliveryError`].
    pub async fn deliveries(&self, caller: &Caller, query: &DeliveryQuery) -> Result<DeliveryPage, DeliveryError> {
        caller.ask(Permission::ManageDeliveries)?;
        Ok(self.outbox.list(query).await?)
    }

    /// Lets a delivery that was given up be tried again, at once and as often as a new one.
    ///
    /// # Errors
    /// [`DeliveryError`].
    pub async fn retry_delivery(&self, caller: &Caller, id: DeliveryId) -> Result<(), DeliveryError> {
        caller.ask(Permission::ManageDeliveries)?;
        match self.outbox.put_back(id, self.clock.now()).await? {
            PutBack::Waiting => Ok(()),
            PutBack::NotDead => Err(DeliveryError::NotDead),
            PutBack::Absent => Err(Denied::Absent.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::Role;
    use domain::delivery::DeliveryState;
    use ports::MockOutbox;

    use super::*;
    use crate::testing::{caller, now, shop};

    const QUERY: DeliveryQuery = DeliveryQuery { state: DeliveryState::Dead, limit: None, after: None };

    #[tokio::test]
    async fn only_an_admin_looks_at_deliveries_and_puts_them_back() {
        let customer = caller(Role::Customer);
        let refused = shop().deliveries(&customer, &QUERY).await;
        assert!(matches!(refused, Err(DeliveryError::Denied(Denied::Forbidden))));
        let refused = shop().retry_delivery(&customer, DeliveryId::new(1)).await;
        assert!(matches!(refused, Err(DeliveryError::Denied(Denied::Forbidden))));
    }

    #[tokio::test]
    async fn an_admin_sees_the_deliveries_of_a_state() {
        let mut outbox = MockOutbox::new();
        outbox
            .expect_list()
            .withf(|query| *query == QUERY)
            .returning(|_| Ok(DeliveryPage { deliveries: vec![], total: 4, next: None }));
        let shop = Shop { outbox: Arc::new(outbox), ..shop() };
        assert_eq!(shop.deliveries(&caller(Role::Admin), &QUERY).await.unwrap().total, 4);
    }

    #[tokio::test]
    async fn only_what_was_given_up_is_put_back() {
        for put_back in [PutBack::Waiting, PutBack::NotDead, PutBack::Absent] {
            let mut outbox = MockOutbox::new();
            outbox.expect_put_back().withf(|_, at| *at == now()).returning(move |_, _| Ok(put_back));
            let shop = Shop { outbox: Arc::new(outbox), ..shop() };
            let done = shop.retry_delivery(&caller(Role::Admin), DeliveryId::new(1)).await;
            match put_back {
                PutBack::Waiting => assert!(done.is_ok()),
                PutBack::NotDead => assert!(matches!(done, Err(DeliveryError::NotDead))),
                PutBack::Absent => assert!(matches!(done, Err(DeliveryError::Denied(Denied::Absent)))),
            }
        }
    }
}
