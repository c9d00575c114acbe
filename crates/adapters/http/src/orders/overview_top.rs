//! `GET /overview/top`.

use actix_web::HttpRequest;
use actix_web::web::{self, Data};
use application::TopSales;
use domain::Text;
use ports::{CategorySales, TopCustomer, TopProduct};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app_state::AppState;
use crate::extract::{Authenticated, query};
use crate::orders::overview::Period;
use crate::problem::Problem;
use crate::wire::enums::CategoryName;
use crate::wire::money::Balance;

/// A product, and what its orders of the period brought in.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = TopProduct)]
pub(crate) struct TopProductView {
    /// `UUIDv7`.
    product_id: String,
    name: String,
    /// The maker's number, if it has one.
    #[schema(required)]
    part_number: Option<String>,
    img: String,
    /// The period's orders of it that were paid.
    orders: u64,
    /// The units of these orders.
    units: u64,
    /// Dollars that were paid for the period's orders of it less dollars that went back, whenever that was: goods and freight,
    /// without tax.
    #[schema(value_type = f64)]
    sales: Balance,
    /// The same of the orders of the period before; below zero if disputes took more than was paid.
    #[schema(value_type = f64)]
    sales_before: Balance,
}

impl From<TopProduct> for TopProductView {
    fn from(TopProduct { product, units, figures }: TopProduct) -> Self {
        Self {
            product_id: product.id.to_string(),
            name: product.details.name.into_string(),
            part_number: product.details.part_number.map(Text::into_string),
            img: product.details.img.to_string(),
            orders: figures.orders,
            units,
            sales: Balance(figures.cents),
            sales_before: Balance(figures.cents_before),
        }
    }
}

/// A customer, and what their orders of the period brought in.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = TopCustomer)]
pub(crate) struct TopCustomerView {
    email: String,
    display_name: String,
    /// Their orders of the period that were paid.
    orders: u64,
    /// Dollars that were paid for their orders of the period less dollars that went back, whenever that was: goods and freight,
    /// without tax.
    #[schema(value_type = f64)]
    sales: Balance,
    /// The same of their orders of the period before.
    #[schema(value_type = f64)]
    sales_before: Balance,
}

impl From<TopCustomer> for TopCustomerView {
    fn from(TopCustomer { account, figures }: TopCustomer) -> Self {
        Self {
            email: account.email.to_string(),
            display_name: account.display_name.into_string(),
            orders: figures.orders,
            sales: Balance(figures.cents),
            sales_before: Balance(figures.cents_before),
        }
    }
}

/// A category, and what the orders of the period for its parts brought in.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CategorySales)]
pub(crate) struct CategorySalesView {
    /// The category that the parts are in now.
    category: CategoryName,
    /// The period's orders of it that were paid.
    orders: u64,
    /// The units of these orders.
    units: u64,
    /// Dollars that were paid for these orders less dollars that went back, whenever that was: goods and freight, without tax.
    #[schema(value_type = f64)]
    sales: Balance,
    /// The same of the orders of the period before.
    #[schema(value_type = f64)]
    sales_before: Balance,
}

impl From<CategorySales> for CategorySalesView {
    fn from(CategorySales { category, units, figures }: CategorySales) -> Self {
        Self {
            category: CategoryName(category),
            orders: figures.orders,
            units,
            sales: Balance(figures.cents),
            sales_before: Balance(figures.cents_before),
        }
    }
}

/// What sold best, and who bought most.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TopSales)]
pub(crate) struct TopSalesView {
    /// The first day of the period, in UTC, as `2026-11-21`; orders belong to the day on which they were placed.
    #[schema(format = Date)]
    from: String,
    /// The last one: today.
    #[schema(format = Date)]
    to: String,
    /// Up to five, most sales first.
    products: Vec<TopProductView>,
    /// Up to five, most sales first.
    customers: Vec<TopCustomerView>,
    /// Every category in which something was sold in the period or the one before, most sales first.
    categories: Vec<CategorySalesView>,
}

impl From<TopSales> for TopSalesView {
    fn from(top: TopSales) -> Self {
        Self {
            from: top.period.first.to_string(),
            to: top.period.last.to_string(),
            products: top.products.into_iter().map(Into::into).collect(),
            customers: top.customers.into_iter().map(Into::into).collect(),
            categories: top.categories.into_iter().map(Into::into).collect(),
        }
    }
}

/// The products and customers whose orders of the period brought in most, and what each category brought in (admins).
#[utoipa::path(
    get, path = "/overview/top", params(Period),
    responses(
        (status = 200, description = "What sold best, and who bought most", body = TopSalesView),
        (status = 422, description = "A parameter makes no sense"),
    )
)]
pub(crate) async fn get_top_sales(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    request: HttpRequest,
) -> Result<web::Json<TopSalesView>, Problem> {
    let days = query::<Period>(&request)?.parse()?;
    Ok(web::Json(app.shop.orders.top_sales(&caller, days).await?.into()))
}
