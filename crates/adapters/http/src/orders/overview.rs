//! The overview of sales, orders and stock.

use actix_web::HttpRequest;
use actix_web::web::{self, Data};
use application::Overview;
use ports::{DayOfSales, IndexLag, OrderStates};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::app_state::AppState;
use crate::catalog::products::attributes::ProductView;
use crate::extract::{Authenticated, query};
use crate::orders::view::OrderView;
use crate::problem::Problem;
use crate::wire::fields::Fields;
use crate::wire::money::{Balance, Dollars};

/// The longest period, in days.
const DAYS_MAX: u32 = 366;
/// The default period, in days.
const DAYS: u32 = 30;

/// The period of the overview.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Period {
    /// The number of days up to today, 1 to 366; 30 if left out.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 366)]
    days: Option<String>,
}

impl Period {
    pub(super) fn parse(&self) -> Result<u32, Problem> {
        let mut fields = Fields::default();
        let days = fields.optional("days", "Days", self.days.as_deref(), |days| {
            days.parse().ok().filter(|days| (1..=DAYS_MAX).contains(days)).ok_or("must be a whole number from 1 to 366")
        });
        Ok(fields.all(days)?.unwrap_or(DAYS))
    }
}

/// What happened on one day.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OverviewDay)]
pub(crate) struct DayView {
    /// A date, in UTC, as `2026-11-21`.
    #[schema(format = Date)]
    day: String,
    /// Orders that were placed and still stand.
    orders: u64,
    /// Dollars that were paid on that day less dollars that went back on it: goods and freight, without tax; below zero if more went back. What a day came
    /// to never changes afterwards.
    #[schema(value_type = f64)]
    revenue: Balance,
    /// Dollars that were paid for goods and freight, whenever the order was placed and whatever became of it.
    #[schema(value_type = f64)]
    paid: Dollars,
    /// Dollars that went back, whenever they had been paid; below zero if refunds failed to arrive.
    #[schema(value_type = f64)]
    returned: Balance,
}

impl From<DayOfSales> for DayView {
    fn from(one: DayOfSales) -> Self {
        Self {
            day: one.day.to_string(),
            orders: one.orders,
            revenue: Balance(one.revenue_cents()),
            paid: Dollars(one.paid),
            returned: Balance(one.returned_cents),
        }
    }
}

/// How many orders that stand are in which state, of whatever age.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OrderStates)]
pub(crate) struct StatesView {
    /// Not shipped.
    waiting: u64,
    /// Not paid.
    unpaid: u64,
    paid: u64,
    shipped: u64,
}

impl From<OrderStates> for StatesView {
    fn from(states: OrderStates) -> Self {
        Self { waiting: states.waiting, unpaid: states.unpaid, paid: states.paid, shipped: states.shipped }
    }
}

/// How the shop is doing.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Overview)]
pub(crate) struct OverviewView {
    /// Every day of the period, oldest first and today last.
    days: Vec<DayView>,
    /// Dollars that were paid in the period less dollars that went back in it.
    #[schema(value_type = f64)]
    revenue: Balance,
    /// Dollars that were paid in the period.
    #[schema(value_type = f64)]
    paid: Dollars,
    /// Dollars that went back in the period.
    #[schema(value_type = f64)]
    returned: Balance,
    /// Orders that were placed in the period and still stand.
    orders: u64,
    states: StatesView,
    /// Up to ten products with less stock than twice their minimum order, the lowest first.
    low_stock: Vec<ProductView>,
    /// The latest eight.
    latest_orders: Vec<OrderView>,
    /// Whether words and numbers with a slip in them are found: not without the database's `pg_trgm`.
    search_forgives_slips: bool,
    /// How far the search engine is behind the products; `null` if they are searched in the database alone.
    search_index: Option<SearchIndexView>,
}

/// How far the search engine is behind the products.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SearchIndex)]
pub(crate) struct SearchIndexView {
    /// Whether there is an index to search in; until there is, the database answers.
    ready: bool,
    /// How many changes of products it lacks, counted to ten thousand.
    changes: u64,
    /// How long ago the oldest of them was made.
    seconds: u64,
}

impl OverviewView {
    fn new(overview: Overview, search_forgives_slips: bool, search_index: Option<IndexLag>) -> Self {
        Self {
            days: overview.days.into_iter().map(Into::into).collect(),
            revenue: Balance(overview.paid.cents() - overview.returned_cents),
            paid: Dollars(overview.paid),
            returned: Balance(overview.returned_cents),
            orders: overview.orders,
            states: overview.states.into(),
            low_stock: overview.low_stock.into_iter().map(Into::into).collect(),
            latest_orders: overview.latest_orders.into_iter().map(Into::into).collect(),
            search_forgives_slips,
            search_index: search_index.map(|IndexLag { live, changes, seconds }| SearchIndexView {
                ready: live,
                changes,
                seconds,
            }),
        }
    }
}

/// How the shop is doing (admins): sales by day, orders by state, what runs low, what came in last.
#[utoipa::path(
    get, path = "/overview", params(Period),
    responses(
        (status = 200, description = "How the shop is doing", body = OverviewView),
        (status = 422, description = "A parameter makes no sense"),
    )
)]
pub(crate) async fn get_overview(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    request: HttpRequest,
) -> Result<web::Json<OverviewView>, Problem> {
    let days = query::<Period>(&request)?.parse()?;
    let overview = app.shop.orders.overview(&caller, days).await?;
    let forgives_slips = app.shop.catalog.search_forgives_slips().await?;
    Ok(web::Json(OverviewView::new(overview, forgives_slips, app.shop.search_index.lag().await?)))
}
