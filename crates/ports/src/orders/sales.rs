//! What sells and who buys it.

use async_trait::async_trait;
use domain::{Account, Category, Day, Money, Product};

use crate::StoreError;

/// Days up to one day, and as many days before them to compare with. All about orders by the day on which they were placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SalesPeriod {
    /// The first day of the period before.
    pub before: Day,
    /// The first day.
    pub first: Day,
    /// The last day.
    pub last: Day,
}

impl SalesPeriod {
    /// The last `days` days up to this one; one at least.
    #[must_use]
    pub fn up_to(last: Day, days: u32) -> Self {
        let first = last.earlier(days.saturating_sub(1));
        Self { before: first.earlier(days), first, last }
    }
}

/// What a product's or a customer's orders brought in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SalesFigures {
    /// How many of the period's orders were paid.
    pub orders: u64,
    /// What was paid for the period's orders less what went back, whenever that was, in cents: goods and freight, without
    /// tax.
    pub cents: i64,
    /// The same of the orders of the period before.
    pub cents_before: i64,
}

/// A product, and what its orders brought in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TopProduct {
    /// The product, archived or not.
    pub product: Product,
    /// The units of the orders that were paid.
    pub units: u64,
    /// Its sales.
    pub figures: SalesFigures,
}

/// A customer, and what their orders brought in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TopCustomer {
    /// The account, removed or not.
    pub account: Account,
    /// Their sales.
    pub figures: SalesFigures,
}

/// A category, and what the orders of its products brought in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CategorySales {
    /// The category that the products are in now.
    pub category: Category,
    /// The units of the orders that were paid.
    pub units: u64,
    /// Its sales.
    pub figures: SalesFigures,
}

/// How many orders were placed, and how many of these were paid by now, whatever became of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Conversion {
    /// The orders of the period, including cancelled ones.
    pub placed: u64,
    /// How many of them were paid.
    pub paid: u64,
    /// The orders of the period before.
    pub placed_before: u64,
    /// How many of them were paid.
    pub paid_before: u64,
}

/// Unpaid orders that were placed within some days.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AgeGroup {
    /// How many there are.
    pub orders: u64,
    /// Their totals together; the maximum amount if it is more.
    pub total: Money,
}

/// What sells and who buys it. Exact at all times; it takes as long as there were different products, or customers, on each
/// day of the period, however old the shop is.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
#[async_trait]
pub trait SalesRepository: Send + Sync {
    /// The products whose orders brought in most, at most `limit` of them. Products that brought in nothing are left out.
    async fn top_products(&self, period: SalesPeriod, limit: u32) -> Result<Vec<TopProduct>, StoreError>;

    /// The customers whose orders brought in most, as [`Self::top_products`].
    async fn top_customers(&self, period: SalesPeriod, limit: u32) -> Result<Vec<TopCustomer>, StoreError>;

    /// What each category's orders brought in, most first. Categories without an entry in the period are left out.
    async fn category_sales(&self, period: SalesPeriod) -> Result<Vec<CategorySales>, StoreError>;

    /// How many orders were placed, and how many of these were paid.
    async fn conversion(&self, period: SalesPeriod) -> Result<Conversion, StoreError>;

    /// The unpaid orders that are not cancelled, oldest first: those that were placed before the first of these days, those
    /// from there on until the second one, and so on; one group more than there are days. It takes as long as there are
    /// such orders.
    async fn unpaid_by_age(&self, days: &[Day]) -> Result<Vec<AgeGroup>, StoreError>;
}
