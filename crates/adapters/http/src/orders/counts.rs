//! `GET /orderCounts`.

use actix_web::web::{self, Data};
use application::OrderCounts;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app_state::AppState;
use crate::extract::Authenticated;
use crate::problem::Problem;

/// How many orders each view of the back office shows, of whatever age.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = OrderCounts)]
pub(crate) struct CountsView {
    /// Paid and not shipped: `GET /allOrders?state=ready`.
    ready_to_ship: u64,
    /// Neither paid nor shipped: `state=reserved`.
    awaiting_payment: u64,
    /// `state=shipped`.
    shipped: u64,
    /// Payment matters that an admin has to handle: those of `GET /attention`.
    needs_attention: u64,
    /// `state=refunded`.
    refunded: u64,
    /// `state=cancelled`.
    cancelled: u64,
    /// `state=all`.
    all: u64,
}

impl From<OrderCounts> for CountsView {
    fn from(OrderCounts { states, needs_attention }: OrderCounts) -> Self {
        Self {
            ready_to_ship: states.ready,
            awaiting_payment: states.reserved,
            shipped: states.shipped,
            needs_attention,
            refunded: states.refunded,
            cancelled: states.cancelled,
            all: states.all,
        }
    }
}

/// How many orders are ready to ship, await payment and so on (admins).
#[utoipa::path(
    get, path = "/orderCounts",
    responses((status = 200, description = "How many there are", body = CountsView))
)]
pub(crate) async fn count_orders(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
) -> Result<web::Json<CountsView>, Problem> {
    Ok(web::Json(app.shop.orders.order_counts(&caller).await?.into()))
}
