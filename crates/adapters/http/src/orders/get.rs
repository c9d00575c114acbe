//! `GET /orders/{id}`.

use actix_web::web::{self, Data, Path};

use super::view::OrderView;
use crate::app_state::AppState;
use crate::extract::{Authenticated, id};
use crate::problem::Problem;

/// One order.
#[utoipa::path(
    get, path = "/orders/{id}",
    params(("id" = String, Path, description = "The order's id")),
    responses(
        (status = 200, description = "The order", body = OrderView),
        (status = 404, description = "Another's, cancelled, or never was"),
    )
)]
pub(crate) async fn get_order(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<OrderView>, Problem> {
    Ok(web::Json(app.shop.orders.order(&caller, id(&path)?).await?.into()))
}
