//! `DELETE /orders/{id}`.

use actix_web::web::{self, Data, Path};
use domain::orders::refusals::CancelRefused;

use crate::app_state::AppState;
use crate::extract::{Authenticated, id};
use crate::problem::Problem;
use crate::wire::counts::DeletedCount;

impl From<CancelRefused> for Problem {
    fn from(refused: CancelRefused) -> Self {
        match refused {
            CancelRefused::Paid => {
                Self::conflict("already-paid", "Paid", "Paid orders can't be canceled. Contact us for a refund.")
            }
            CancelRefused::Shipped => Self::conflict("conflict", "Shipped", "Shipped orders can't be canceled."),
            CancelRefused::Cancelled => Self::not_found(),
        }
    }
}

/// Cancels an unpaid order; its units return to stock.
#[utoipa::path(
    delete, path = "/orders/{id}",
    params(("id" = String, Path, description = "The order's id")),
    responses(
        (status = 200, description = "1 if this call did it, else 0", body = DeletedCount),
        (status = 404, description = "Another's, or never was"),
        (status = 409, description = "Paid or shipped"),
    )
)]
pub(crate) async fn cancel_order(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<DeletedCount>, Problem> {
    Ok(web::Json(app.shop.orders.cancel_order(&caller, id(&path)?).await?.into()))
}
