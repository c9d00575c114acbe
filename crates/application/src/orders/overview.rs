//! How the shop is doing.

use domain::accounts::access::Denied;
use domain::{Caller, Day, Money, Order, Permission, Product};
use ports::{DayOfSales, OrderQuery, OrderStates, StoreError};
use thiserror::Error;

use crate::Shop;

/// How many products that run low are told of.
const LOW_STOCK: u32 = 10;
/// How many of the latest orders are told of.
const LATEST: u32 = 8;

/// How the shop is doing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overview {
    /// Every day of the period, oldest first and today last, those without a sale too.
    pub days: Vec<DayOfSales>,
    /// What was paid in the period.
    pub paid: Money,
    /// What went back in the period, whenever it had been paid, in cents.
    pub returned_cents: i64,
    /// How many orders were placed in the period that still stand.
    pub orders: u64,
    /// How many orders are in which state, of whatever age.
    pub states: OrderStates,
    /// The products that run low, emptiest first.
    pub low_stock: Vec<Product>,
    /// The latest orders.
    pub latest_orders: Vec<Order>,
}

/// Why nothing was told.
#[derive(Debug, Error)]
pub enum OverviewError {
    /// The caller is no admin.
    #[error(transparent)]
    Denied(#[from] Denied),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Shop {
    /// How the shop is doing, over so many days up to today.
    ///
    /// # Errors
    /// [`OverviewError`].
    pub async fn overview(&self, caller: &Caller, days: u32) -> Result<Overview, OverviewError> {
        caller.require(Permission::ListAllOrders)?;
        let period: Vec<Day> = Day::of(self.clock.now()).last(days).collect();
        let happened = match (period.first(), period.last()) {
            (Some(first), Some(last)) => self.orders.sales(*first, *last).await?,
            _ => Vec::new(),
        };
        let on = |day: Day| {
            let quiet = DayOfSales { day, orders: 0, paid: Money::ZERO, returned_cents: 0 };
            happened.iter().find(|one| one.day == day).copied().unwrap_or(quiet)
        };
        let days: Vec<DayOfSales> = period.into_iter().map(on).collect();
        let latest = OrderQuery { limit: Some(LATEST), uncounted: true, ..OrderQuery::default() };
        Ok(Overview {
            // A sum past what money can be is told as the most that it can be.
            paid: days.iter().fold(Money::ZERO, |sum, day| sum.plus(day.paid).unwrap_or(Money::MAX)),
            returned_cents: days.iter().map(|day| day.returned_cents).sum(),
            orders: days.iter().map(|day| day.orders).sum(),
            days,
            states: self.orders.states().await?,
            low_stock: self.products.running_low(LOW_STOCK).await?,
            latest_orders: self.orders.list(&latest).await?.orders,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::Role;
    use ports::{MockOrderRepository, MockProductRepository, OrderPage};

    use super::*;
    use crate::testing::{caller, customers_order, now, product, shop};

    fn cents(cents: i64) -> Money {
        Money::from_cents(cents).unwrap()
    }

    fn shop_with(happened: Vec<DayOfSales>) -> Shop {
        let mut orders = MockOrderRepository::new();
        orders.expect_sales().returning(move |_, _| Ok(happened.clone()));
        orders.expect_states().returning(|| Ok(OrderStates { waiting: 1, ..OrderStates::default() }));
        orders
            .expect_list()
            .withf(|query| query.limit == Some(8) && query.after.is_none())
            .returning(|_| Ok(OrderPage { orders: vec![customers_order()], total: 0, next: None }));
        let mut products = MockProductRepository::new();
        products.expect_running_low().returning(|_| Ok(vec![product()]));
        Shop { orders: Arc::new(orders), products: Arc::new(products), ..shop() }
    }

    #[tokio::test]
    async fn every_day_has_its_row_today_last_and_the_sums_are_the_rows() {
        let today = Day::of(now());
        let happened = vec![
            DayOfSales { day: today.earlier(2), orders: 3, paid: cents(500), returned_cents: 0 },
            DayOfSales { day: today, orders: 1, paid: cents(7), returned_cents: 500 },
        ];
        let told = shop_with(happened).overview(&caller(Role::Admin), 4).await.unwrap();
        let rows: Vec<_> = told.days.iter().map(|one| (one.day, one.orders, one.revenue_cents())).collect();
        assert_eq!(
            rows,
            [(today.earlier(3), 0, 0), (today.earlier(2), 3, 500), (today.earlier(1), 0, 0), (today, 1, -493)]
        );
        assert_eq!((told.orders, told.paid, told.returned_cents), (4, cents(507), 500));
        assert_eq!((told.states.waiting, told.low_stock.len(), told.latest_orders.len()), (1, 1, 1));
    }

    #[tokio::test]
    async fn a_sum_that_no_money_can_be_is_told_as_the_most_there_is() {
        let today = Day::of(now());
        let happened = (0..2)
            .map(|ago| DayOfSales { day: today.earlier(ago), orders: 1, paid: Money::MAX, returned_cents: 0 })
            .collect();
        let told = shop_with(happened).overview(&caller(Role::Admin), 2).await.unwrap();
        assert_eq!(told.paid, Money::MAX);
    }

    #[tokio::test]
    async fn a_customer_is_told_nothing() {
        let refused = shop().overview(&caller(Role::Customer), 30).await;
        assert!(matches!(refused, Err(OverviewError::Denied(Denied::Forbidden))));
    }
}
