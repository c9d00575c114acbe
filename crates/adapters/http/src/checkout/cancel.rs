//! `DELETE /checkouts/{id}`.

use actix_web::web::{self, Data, Path};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app_state::AppState;
use crate::extract::{Authenticated, id};
use crate::problem::Problem;

/// How many orders were cancelled.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CancelledOrders {
    /// 0 if none was left to be cancelled.
    deleted_count: usize,
}

/// Cancels the orders of a checkout that are not paid; their units return to stock.
#[utoipa::path(
    delete, path = "/checkouts/{id}", params(("id" = String, Path, description = "The checkout's id")),
    responses(
        (status = 200, description = "How many orders were cancelled", body = CancelledOrders),
        (status = 404, description = "Another's, or none"),
        (status = 409, description = "Paid or shipped"),
    )
)]
pub(crate) async fn cancel_checkout(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<CancelledOrders>, Problem> {
    let deleted_count = app.shop.checkouts.cancel_checkout(&caller, id(&path)?).await?;
    Ok(web::Json(CancelledOrders { deleted_count }))
}
