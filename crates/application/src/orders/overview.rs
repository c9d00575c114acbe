//! Sales figures and stock warnings for the dashboard.

use std::time::Duration;

use domain::{Caller, Day, Money, Order, Permission, Product, Timestamp};
use ports::{DayOfSales, OrderQuery, OrderStates, Pagination, StoreError};

use crate::platform::moments::later;
use crate::{Failure, Orders};

/// How many products that run low are returned.
const LOW_STOCK: u32 = 10;
/// How many of the latest orders are returned.
const LATEST: u32 = 8;
/// How many orders are folded into the counts in one transaction, which no call has to wait for.
const FOLDED_AT_ONCE: u32 = 20_000;
/// How long one run goes on folding, as after the first start on the database of an old shop.
const FOLDING_BUDGET: Duration = Duration::from_secs(20);

/// The figures of the dashboard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overview {
    /// Every day of the period, oldest first and today last, including days without sales.
    pub days: Vec<DayOfSales>,
    /// The sum of payments in the period.
    pub paid: Money,
    /// The sum of refunds in the period, whenever the orders had been paid, in cents.
    pub returned_cents: i64,
    /// How many orders were placed in the period and are not cancelled.
    pub orders: u64,
    /// How many orders are in which state, of any age.
    pub states: OrderStates,
    /// The products that run low, lowest stock first.
    pub low_stock: Vec<Product>,
    pub latest_orders: Vec<Order>,
}

/// How many orders the views of the back office show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OrderCounts {
    /// Of all orders, how many are in which state.
    pub states: OrderStates,
    /// How many payment matters need attention.
    pub needs_attention: u64,
}

impl Orders {
    /// How many orders are in which state, and how many payment matters need attention.
    ///
    /// # Errors
    /// [`Failure::Denied`] to anyone but an admin.
    pub async fn order_counts(&self, caller: &Caller) -> Result<OrderCounts, Failure> {
        caller.require(Permission::ListAllOrders)?;
        let states = self.orders.states().await?;
        Ok(OrderCounts { states, needs_attention: self.payments.money_tally().await?.listed() })
    }

    /// Every day of this many up to today, oldest first, including days without sales.
    pub(crate) async fn sales_by_day(&self, days: u32) -> Result<Vec<DayOfSales>, StoreError> {
        let period: Vec<Day> = Day::of(self.clock.now()).last(days).collect();
        let happened = match (period.first(), period.last()) {
            (Some(first), Some(last)) => self.orders.sales(*first, *last).await?,
            _ => Vec::new(),
        };
        let on = |day: Day| {
            let quiet = DayOfSales { day, orders: 0, paid: Money::ZERO, returned_cents: 0 };
            happened.iter().find(|one| one.day == day).copied().unwrap_or(quiet)
        };
        Ok(period.into_iter().map(on).collect())
    }

    /// The figures for this many days up to today.
    ///
    /// # Errors
    /// [`Failure::Denied`] to anyone but an admin.
    pub async fn overview(&self, caller: &Caller, days: u32) -> Result<Overview, Failure> {
        caller.require(Permission::ListAllOrders)?;
        let days = self.sales_by_day(days).await?;
        let latest = OrderQuery { page: Pagination::batch(LATEST, None), ..OrderQuery::default() };
        Ok(Overview {
            // A sum beyond the maximum amount is reported as the maximum.
            paid: days.iter().fold(Money::ZERO, |sum, day| sum.plus(day.paid).unwrap_or(Money::MAX)),
            returned_cents: days.iter().map(|day| day.returned_cents).sum(),
            orders: days.iter().map(|day| day.orders).sum(),
            days,
            states: self.orders.states().await?,
            low_stock: self.products.running_low(LOW_STOCK).await?,
            latest_orders: self.orders.list(&latest).await?.items,
        })
    }

    /// Folds new orders, payments and accounts into the counts and sums that the overview and the lists read. Any number of
    /// instances may run this concurrently.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed; what was folded before stays so.
    pub async fn fold_counts(&self) -> Result<(), StoreError> {
        let enough = later(self.clock.now(), FOLDING_BUDGET);
        // Accounts are folded even if orders cannot be.
        let orders = self.fold_orders(enough).await;
        while self.accounts.fold(FOLDED_AT_ONCE).await? && self.clock.now() < enough {}
        orders
    }

    async fn fold_orders(&self, enough: Timestamp) -> Result<(), StoreError> {
        while self.orders.fold(FOLDED_AT_ONCE).await? && self.clock.now() < enough {}
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::Role;
    use domain::accounts::access::Denied;
    use ports::{MockAccountRepository, MockClock, MockOrderRepository, MockProductRepository, Page};

    use super::*;
    use crate::Ports;
    use crate::testing::{caller, customers_order, now, orders_on, ports, product};

    fn cents(cents: i64) -> Money {
        Money::from_cents(cents).unwrap()
    }

    fn shop_with(happened: Vec<DayOfSales>) -> Orders {
        let mut orders = MockOrderRepository::new();
        orders.expect_sales().returning(move |_, _| Ok(happened.clone()));
        orders.expect_states().returning(|| Ok(OrderStates { waiting: 1, ..OrderStates::default() }));
        orders
            .expect_list()
            .withf(|query| query.page.limit == Some(8) && query.page.after.is_none())
            .returning(|_| Ok(Page { items: vec![customers_order()], total: 0, next: None }));
        let mut products = MockProductRepository::new();
        products.expect_running_low().returning(|_| Ok(vec![product()]));
        orders_on(Ports { orders: Arc::new(orders), products: Arc::new(products), ..ports() })
    }

    #[tokio::test]
    async fn every_day_has_a_row_and_the_totals_are_the_sums_of_the_rows() {
        let today = Day::of(now());
        let happened = vec![
            DayOfSales { day: today.earlier(2), orders: 3, paid: cents(500), returned_cents: 0 },
            DayOfSales { day: today, orders: 1, paid: cents(7), returned_cents: 500 },
        ];
        let overview = shop_with(happened).overview(&caller(Role::Admin), 4).await.unwrap();
        let rows: Vec<_> = overview.days.iter().map(|one| (one.day, one.orders, one.revenue_cents())).collect();
        assert_eq!(
            rows,
            [(today.earlier(3), 0, 0), (today.earlier(2), 3, 500), (today.earlier(1), 0, 0), (today, 1, -493)]
        );
        assert_eq!((overview.orders, overview.paid, overview.returned_cents), (4, cents(507), 500));
        assert_eq!((overview.states.waiting, overview.low_stock.len(), overview.latest_orders.len()), (1, 1, 1));
    }

    #[tokio::test]
    async fn a_sum_beyond_the_maximum_amount_is_reported_as_the_maximum() {
        let today = Day::of(now());
        let happened = (0..2)
            .map(|ago| DayOfSales { day: today.earlier(ago), orders: 1, paid: Money::MAX, returned_cents: 0 })
            .collect();
        let overview = shop_with(happened).overview(&caller(Role::Admin), 2).await.unwrap();
        assert_eq!(overview.paid, Money::MAX);
    }

    #[tokio::test]
    async fn folding_goes_on_while_there_is_more() {
        let mut orders = MockOrderRepository::new();
        let mut left = 3;
        orders.expect_fold().times(3).returning(move |_| {
            left -= 1;
            Ok(left > 0)
        });
        let mut accounts = MockAccountRepository::new();
        accounts.expect_fold().times(1).returning(|_| Ok(false));
        let service = orders_on(Ports { orders: Arc::new(orders), accounts: Arc::new(accounts), ..ports() });
        service.fold_counts().await.unwrap();
    }

    #[tokio::test]
    async fn folding_ends_after_twenty_seconds_even_if_there_is_more() {
        for (of_orders, of_accounts) in [(2, 1), (1, 2)] {
            let mut orders = MockOrderRepository::new();
            orders.expect_fold().times(of_orders).returning(move |_| Ok(of_orders > 1));
            let mut accounts = MockAccountRepository::new();
            accounts.expect_fold().times(of_accounts).returning(move |_| Ok(of_accounts > 1));
            // When it begins, and after each time that left more to fold.
            let mut seconds = [0, 19, 20].into_iter();
            let mut clock = MockClock::new();
            clock.expect_now().times(3).returning(move || later(now(), Duration::from_secs(seconds.next().unwrap())));
            let service = orders_on(Ports {
                orders: Arc::new(orders),
                accounts: Arc::new(accounts),
                clock: Arc::new(clock),
                ..ports()
            });
            service.fold_counts().await.unwrap();
        }
    }

    #[tokio::test]
    async fn accounts_are_folded_even_if_orders_cannot_be() {
        let mut orders = MockOrderRepository::new();
        orders.expect_fold().times(1).returning(|_| Err(StoreError::Unavailable("too slow".into())));
        let mut accounts = MockAccountRepository::new();
        accounts.expect_fold().times(1).returning(|_| Ok(false));
        let service = orders_on(Ports { orders: Arc::new(orders), accounts: Arc::new(accounts), ..ports() });
        assert!(matches!(service.fold_counts().await, Err(StoreError::Unavailable(_))));
    }

    #[tokio::test]
    async fn a_customer_cannot_read_the_overview() {
        let refused = orders_on(ports()).overview(&caller(Role::Customer), 30).await;
        assert!(matches!(refused, Err(Failure::Denied(Denied::Forbidden))));
    }
}
