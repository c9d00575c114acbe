//! What sells and who buys it, how many orders are paid, and how old the unpaid ones are.

use domain::{Caller, Day, Money, Permission};
use ports::{CategorySales, Conversion, DayOfSales, SalesPeriod, TopCustomer, TopProduct};

use crate::{Failure, Orders};

/// How many products and how many customers are returned.
const TOP: u32 = 5;
/// Where the groups of unpaid orders begin, in days before today, oldest first: what was placed today or yesterday may still
/// be paid before it expires, what is older than a month was mostly shipped on account.
const AGES: [u32; 3] = [30, 7, 1];

/// The products and the customers whose orders brought in most, most first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TopSales {
    pub period: SalesPeriod,
    pub products: Vec<TopProduct>,
    pub customers: Vec<TopCustomer>,
    /// Every category in which something was sold.
    pub categories: Vec<CategorySales>,
}

/// Every customer whose orders brought in something, up to ten thousand of them.
const CUSTOMERS_MAX: u32 = 10_000;

/// Unpaid orders that were placed from one day to another, both inclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnpaidGroup {
    /// `None` for the oldest ones.
    pub from: Option<Day>,
    /// `None` for the latest ones.
    pub to: Option<Day>,
    pub orders: u64,
    pub total: Money,
}

/// How many orders were paid, and how old those are that were not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentFigures {
    pub conversion: Conversion,
    /// Latest first.
    pub unpaid: Vec<UnpaidGroup>,
}

impl Orders {
    /// What sold best, and who bought most, of the orders of this many days up to today.
    ///
    /// # Errors
    /// [`Failure::Denied`] to anyone but an admin.
    pub async fn top_sales(&self, caller: &Caller, days: u32) -> Result<TopSales, Failure> {
        caller.require(Permission::ListAllOrders)?;
        let period = SalesPeriod::up_to(Day::of(self.clock.now()), days);
        Ok(TopSales {
            period,
            products: self.sales.top_products(period, TOP).await?,
            customers: self.sales.top_customers(period, TOP).await?,
            categories: self.sales.category_sales(period).await?,
        })
    }

    /// What each category's orders of this many days up to today brought in, most first.
    ///
    /// # Errors
    /// [`Failure::Denied`] to anyone but an admin.
    pub async fn category_sales(&self, caller: &Caller, days: u32) -> Result<Vec<CategorySales>, Failure> {
        caller.require(Permission::ListAllOrders)?;
        Ok(self.sales.category_sales(SalesPeriod::up_to(Day::of(self.clock.now()), days)).await?)
    }

    /// What each customer's orders of this many days up to today brought in, most first; the first ten thousand.
    ///
    /// # Errors
    /// [`Failure::Denied`] to anyone but an admin.
    pub async fn customer_sales(&self, caller: &Caller, days: u32) -> Result<Vec<TopCustomer>, Failure> {
        caller.require(Permission::ListAllOrders)?;
        let period = SalesPeriod::up_to(Day::of(self.clock.now()), days);
        Ok(self.sales.top_customers(period, CUSTOMERS_MAX).await?)
    }

    /// What came in and went back on each of this many days up to today, oldest first.
    ///
    /// # Errors
    /// [`Failure::Denied`] to anyone but an admin.
    pub async fn daily_sales(&self, caller: &Caller, days: u32) -> Result<Vec<DayOfSales>, Failure> {
        caller.require(Permission::ListAllOrders)?;
        Ok(self.sales_by_day(days).await?)
    }

    /// How many orders of this many days up to today were paid, and how old the unpaid ones are, whenever they were placed.
    ///
    /// # Errors
    /// [`Failure::Denied`] to anyone but an admin.
    pub async fn payment_figures(&self, caller: &Caller, days: u32) -> Result<PaymentFigures, Failure> {
        caller.require(Permission::ListAllOrders)?;
        let today = Day::of(self.clock.now());
        let bounds = AGES.map(|ago| today.earlier(ago));
        let groups = self.sales.unpaid_by_age(&bounds).await?;
        let group = |(place, group): (usize, &ports::AgeGroup)| UnpaidGroup {
            from: place.checked_sub(1).and_then(|before| bounds.get(before).copied()),
            to: bounds.get(place).map(|next| next.earlier(1)),
            orders: group.orders,
            total: group.total,
        };
        Ok(PaymentFigures {
            conversion: self.sales.conversion(SalesPeriod::up_to(today, days)).await?,
            unpaid: groups.iter().enumerate().map(group).rev().collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::accounts::access::Denied;
    use domain::{Category, Role};
    use ports::{AgeGroup, MockOrderRepository, MockSalesRepository, SalesFigures};

    use super::*;
    use crate::Ports;
    use crate::testing::{caller, credentials, now, orders_on, ports};

    #[tokio::test]
    async fn a_period_is_compared_with_as_many_days_before_it() {
        let today = Day::of(now());
        let period = SalesPeriod { before: today.earlier(13), first: today.earlier(6), last: today };
        let mut sales = MockSalesRepository::new();
        sales.expect_top_products().withf(move |of, limit| (*of, *limit) == (period, 5)).returning(|_, _| Ok(vec![]));
        sales.expect_top_customers().withf(move |of, limit| (*of, *limit) == (period, 5)).returning(|_, _| Ok(vec![]));
        sales.expect_category_sales().withf(move |of| *of == period).returning(|_| Ok(vec![]));
        let service = orders_on(Ports { sales: Arc::new(sales), ..ports() });
        assert_eq!(service.top_sales(&caller(Role::Admin), 7).await.unwrap().period, period);
    }

    #[tokio::test]
    async fn an_admin_reads_what_each_category_each_customer_and_each_day_brought_in() {
        let today = Day::of(now());
        let period = SalesPeriod { before: today.earlier(13), first: today.earlier(6), last: today };
        let figures = SalesFigures { orders: 3, cents: 700, cents_before: 500 };
        let category = CategorySales { category: Category::Brakes, units: 150, figures };
        let customer = move || TopCustomer { account: credentials("nia@example.com").account, figures };
        let mut sales = MockSalesRepository::new();
        sales.expect_category_sales().withf(move |of| *of == period).returning(move |_| Ok(vec![category]));
        sales
            .expect_top_customers()
            .withf(move |of, limit| (*of, *limit) == (period, 10_000))
            .returning(move |_, _| Ok(vec![customer()]));
        let day = DayOfSales { day: today, orders: 3, paid: Money::MAX, returned_cents: 500 };
        let mut orders = MockOrderRepository::new();
        orders
            .expect_sales()
            .withf(move |first, last| (*first, *last) == (today, today))
            .returning(move |_, _| Ok(vec![day]));
        let service = orders_on(Ports { sales: Arc::new(sales), orders: Arc::new(orders), ..ports() });
        let admin = caller(Role::Admin);
        assert_eq!(service.category_sales(&admin, 7).await.unwrap(), [category]);
        assert_eq!(service.customer_sales(&admin, 7).await.unwrap(), [customer()]);
        assert_eq!(service.daily_sales(&admin, 1).await.unwrap(), [day]);
    }

    #[tokio::test]
    async fn unpaid_orders_come_in_groups_of_days_without_gaps_the_latest_first() {
        let today = Day::of(now());
        let mut sales = MockSalesRepository::new();
        let conversion = Conversion { placed: 9, paid: 6, placed_before: 4, paid_before: 3 };
        sales.expect_conversion().returning(move |_| Ok(conversion));
        sales
            .expect_unpaid_by_age()
            .withf(move |days| *days == [today.earlier(30), today.earlier(7), today.earlier(1)])
            .returning(|_| Ok((1..=4).map(|orders| AgeGroup { orders, total: Money::ZERO }).collect()));
        let service = orders_on(Ports { sales: Arc::new(sales), ..ports() });
        let figures = service.payment_figures(&caller(Role::Admin), 30).await.unwrap();
        assert_eq!(figures.conversion, conversion);
        let groups: Vec<_> = figures.unpaid.iter().map(|one| (one.from, one.to, one.orders)).collect();
        let ago = |days| Some(today.earlier(days));
        assert_eq!(groups, [(ago(1), None, 4), (ago(7), ago(2), 3), (ago(30), ago(8), 2), (None, ago(31), 1)]);
    }

    #[tokio::test]
    async fn a_customer_can_read_none_of_it() {
        let customer = caller(Role::Customer);
        let refused = orders_on(ports()).top_sales(&customer, 30).await;
        assert!(matches!(refused, Err(Failure::Denied(Denied::Forbidden))));
        let refused = orders_on(ports()).category_sales(&customer, 30).await;
        assert!(matches!(refused, Err(Failure::Denied(Denied::Forbidden))));
        let refused = orders_on(ports()).customer_sales(&customer, 30).await;
        assert!(matches!(refused, Err(Failure::Denied(Denied::Forbidden))));
        let refused = orders_on(ports()).daily_sales(&customer, 30).await;
        assert!(matches!(refused, Err(Failure::Denied(Denied::Forbidden))));
        let refused = orders_on(ports()).payment_figures(&customer, 30).await;
        assert!(matches!(refused, Err(Failure::Denied(Denied::Forbidden))));
    }
}
