//! `GET /overview/payments`.

use actix_web::HttpRequest;
use actix_web::web::{self, Data};
use application::{PaymentFigures, UnpaidGroup};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app_state::AppState;
use crate::extract::{Authenticated, query};
use crate::orders::overview::Period;
use crate::problem::Problem;
use crate::wire::money::Dollars;

/// Unpaid orders that stand, by the days on which they were placed.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = UnpaidGroup)]
pub(crate) struct UnpaidGroupView {
    /// The first day, in UTC, as `2026-11-21`; null for the oldest ones. `GET /allOrders?state=unpaid&from=&to=` lists the
    /// same orders.
    #[schema(required, format = Date)]
    from: Option<String>,
    /// The last day; null for the latest ones.
    #[schema(required, format = Date)]
    to: Option<String>,
    orders: u64,
    /// Dollars that are to be paid for them.
    #[schema(value_type = f64)]
    total: Dollars,
}

impl From<UnpaidGroup> for UnpaidGroupView {
    fn from(group: UnpaidGroup) -> Self {
        Self {
            from: group.from.map(|day| day.to_string()),
            to: group.to.map(|day| day.to_string()),
            orders: group.orders,
            total: Dollars(group.total),
        }
    }
}

/// How many orders are paid, and how old the unpaid ones are.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PaymentFigures)]
pub(crate) struct PaymentFiguresView {
    /// Orders that were placed in the period, cancelled ones among them.
    placed: u64,
    /// How many of these were paid by now, whatever became of them.
    paid: u64,
    /// The same of the period before.
    placed_before: u64,
    paid_before: u64,
    /// Unpaid orders of any age: placed today or yesterday, in the week before, in the month before, and earlier.
    unpaid: Vec<UnpaidGroupView>,
}

impl From<PaymentFigures> for PaymentFiguresView {
    fn from(figures: PaymentFigures) -> Self {
        Self {
            placed: figures.conversion.placed,
            paid: figures.conversion.paid,
            placed_before: figures.conversion.placed_before,
            paid_before: figures.conversion.paid_before,
            unpaid: figures.unpaid.into_iter().map(Into::into).collect(),
        }
    }
}

/// How many of the period's orders were paid, and how old the unpaid ones are (admins).
#[utoipa::path(
    get, path = "/overview/payments", params(Period),
    responses(
        (status = 200, description = "Paid orders, and unpaid ones by age", body = PaymentFiguresView),
        (status = 422, description = "A parameter makes no sense"),
    )
)]
pub(crate) async fn get_payment_figures(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    request: HttpRequest,
) -> Result<web::Json<PaymentFiguresView>, Problem> {
    let days = query::<Period>(&request)?.parse()?;
    Ok(web::Json(app.shop.orders.payment_figures(&caller, days).await?.into()))
}
