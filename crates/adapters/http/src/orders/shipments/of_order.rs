//! `GET /orders/{id}/shipments`.

use actix_web::web::{self, Data, Path};

use super::view::ShipmentView;
use crate::app_state::AppState;
use crate::extract::{Authenticated, id};
use crate::problem::Problem;

/// An order's shipments, oldest first.
#[utoipa::path(
    get, path = "/orders/{id}/shipments",
    params(("id" = String, Path, description = "The order's id")),
    responses(
        (status = 200, description = "Shipments", body = [ShipmentView]),
        (status = 404, description = "Another's, or never was"),
    )
)]
pub(crate) async fn list_shipments(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<Vec<ShipmentView>>, Problem> {
    let shipments = app.shop.orders.shipments_of(&caller, id(&path)?).await?;
    Ok(web::Json(shipments.into_iter().map(Into::into).collect()))
}
