//! Reading orders.

use domain::accounts::access::Denied;
use domain::{AccountId, Caller, Email, Order, OrderEvent, OrderId, Permission};
use ports::{OrderQuery, Page, StoreError};

use crate::{Failure, Orders};

impl Orders {
    /// An account's orders that match; without `address` the caller's own. An address without an account has none.
    ///
    /// # Errors
    /// [`Failure::Denied`] for the orders of another account, except to an admin.
    pub async fn orders_of(
        &self,
        caller: &Caller,
        address: Option<&str>,
        query: &OrderQuery,
    ) -> Result<Page<Order, OrderId>, Failure> {
        let address = address.unwrap_or(caller.email.as_str());
        caller.require_self(Permission::ListOrdersOf, address)?;
        let customer = if address.parse::<Email>().is_ok_and(|email| email == caller.email) {
            Some(caller.account)
        } else {
            self.account_of(address).await?
        };
        let Some(customer) = customer else { return Ok(Page::empty(0)) };
        Ok(self.orders.list(&OrderQuery { customer: Some(customer), ..query.clone() }).await?)
    }

    /// The account with this address; `None` if there is none, also for what is no address.
    pub(crate) async fn account_of(&self, address: &str) -> Result<Option<AccountId>, StoreError> {
        let Ok(email) = address.parse::<Email>() else { return Ok(None) };
        Ok(self.accounts.by_email(&email).await?.map(|found| found.account.id))
    }

    /// The orders that match, of all customers.
    ///
    /// # Errors
    /// [`Failure::Denied`] to anyone but an admin.
    pub async fn list_orders(&self, caller: &Caller, query: &OrderQuery) -> Result<Page<Order, OrderId>, Failure> {
        caller.require(Permission::ListAllOrders)?;
        Ok(self.orders.list(query).await?)
    }

    /// One order that is not cancelled.
    ///
    /// # Errors
    /// [`Failure::Denied`] if it belongs to another account, is cancelled or does not exist.
    pub async fn order(&self, caller: &Caller, id: OrderId) -> Result<Order, Failure> {
        let order = self.orders.find(id).await?.ok_or(Denied::NotFound)?;
        caller.require_owner(Permission::ReadOrder, order.customer)?;
        if order.is_cancelled() { Err(Denied::NotFound.into()) } else { Ok(order) }
    }

    /// An order's timeline, oldest event first; also of a cancelled order.
    ///
    /// # Errors
    /// [`Failure::Denied`] if the order belongs to another account or does not exist.
    pub async fn timeline(&self, caller: &Caller, id: OrderId) -> Result<Vec<OrderEvent>, Failure> {
        let order = self.orders.find(id).await?.ok_or(Denied::NotFound)?;
        caller.require_owner(Permission::ReadOrder, order.customer)?;
        Ok(self.orders.timeline(id).await?)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::{Actor, Role};
    use ports::{MockAccountRepository, MockOrderRepository};

    use super::*;
    use crate::Ports;
    use crate::testing::{caller, credentials, customers_order, meta, orders_on, ports};

    fn page() -> Page<Order, OrderId> {
        Page { items: vec![customers_order()], total: 1, next: None }
    }

    #[tokio::test]
    async fn a_customer_lists_only_their_own_orders() {
        let customer = caller(Role::Customer);
        let mut orders = MockOrderRepository::new();
        let own = customer.account;
        orders.expect_list().withf(move |query| query.customer == Some(own)).returning(|_| Ok(page()));
        let service = orders_on(Ports { orders: Arc::new(orders), ..ports() });
        let query = OrderQuery::default();
        for address in [None, Some("customer@example.com"), Some("CUSTOMER@example.com")] {
            assert_eq!(service.orders_of(&customer, address, &query).await.unwrap().items.len(), 1, "{address:?}");
        }
        for address in ["other@example.com", "no address"] {
            let refused = service.orders_of(&customer, Some(address), &query).await;
            assert!(matches!(refused, Err(Failure::Denied(Denied::Forbidden))), "{address}");
        }
    }

    #[tokio::test]
    async fn an_admin_lists_any_accounts_orders_and_an_unknown_address_has_none() {
        let mut accounts = MockAccountRepository::new();
        accounts
            .expect_by_email()
            .returning(|email| Ok((email.as_str() == "nia@example.com").then(|| credentials("nia@example.com"))));
        let mut orders = MockOrderRepository::new();
        orders.expect_list().withf(|query| query.customer.is_some()).returning(|_| Ok(page()));
        let service = orders_on(Ports { orders: Arc::new(orders), accounts: Arc::new(accounts), ..ports() });
        let admin = caller(Role::Admin);
        let query = OrderQuery::default();
        assert_eq!(service.orders_of(&admin, Some("nia@example.com"), &query).await.unwrap().items.len(), 1);
        assert_eq!(service.orders_of(&admin, Some("nobody@example.com"), &query).await.unwrap().items.len(), 0);
    }

    #[tokio::test]
    async fn only_an_admin_lists_all_orders() {
        let mut orders = MockOrderRepository::new();
        orders.expect_list().returning(|_| Ok(page()));
        let service = orders_on(Ports { orders: Arc::new(orders), ..ports() });
        let query = OrderQuery::default();
        assert_eq!(service.list_orders(&caller(Role::Admin), &query).await.unwrap().total, 1);
        let refused = service.list_orders(&caller(Role::Customer), &query).await;
        assert!(matches!(refused, Err(Failure::Denied(Denied::Forbidden))));
    }

    #[tokio::test]
    async fn a_cancelled_order_is_not_found_but_its_timeline_is_readable() {
        let cancelled = customers_order().cancel(meta(Actor::Shop)).unwrap();
        let id = cancelled.after.id;
        let mut orders = MockOrderRepository::new();
        orders.expect_find().returning(move |_| Ok(Some(cancelled.after.clone())));
        orders.expect_timeline().returning(move |_| Ok(vec![cancelled.event.clone()]));
        let service = orders_on(Ports { orders: Arc::new(orders), ..ports() });
        let customer = caller(Role::Customer);
        let gone = service.order(&customer, id).await;
        assert!(matches!(gone, Err(Failure::Denied(Denied::NotFound))));
        assert_eq!(service.timeline(&customer, id).await.unwrap().len(), 1);
    }
}
