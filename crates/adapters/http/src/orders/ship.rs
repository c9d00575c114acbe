//! `PUT /orders/status/{id}`.

use actix_web::web::{self, Data, Path};
use application::ShipOrderRefused;
use domain::payments::refund::Withheld;

use crate::app_state::AppState;
use crate::extract::{Authenticated, id};
use crate::problem::{Problem, ProblemView};
use crate::wire::counts::ModifiedCount;

impl From<ShipOrderRefused> for Problem {
    fn from(refused: ShipOrderRefused) -> Self {
        match refused {
            ShipOrderRefused::Refunded => Self::conflict("conflict", "Refunded", "A refunded order cannot be shipped"),
            ShipOrderRefused::Withheld(Withheld::Disputed) => {
                let message = "The buyer's bank has asked for this order's money, so it cannot be shipped";
                Self::conflict("payment-disputed", "Disputed", message)
            }
            ShipOrderRefused::Withheld(Withheld::RefundedElsewhere) => {
                let message = "Money of this order was sent back at the payment provider, so it cannot be shipped";
                Self::conflict("refunded-elsewhere", "Refunded elsewhere", message)
            }
            ShipOrderRefused::Withheld(Withheld::Disagreement) => {
                let message = "The payment provider no longer confirms this order's payment, so it cannot be shipped";
                Self::conflict("payment-unconfirmed", "Payment not confirmed", message)
            }
        }
    }
}

/// Ships an order (admins); an unpaid one on account.
#[utoipa::path(
    put, path = "/orders/status/{id}", tag = "orders", security(("bearer" = [])),
    params(("id" = String, Path, description = "The order's id")),
    responses(
        (status = 200, description = "1 if this call did it, else 0", body = ModifiedCount),
        (status = 401, description = "Not signed in", body = ProblemView, content_type = "application/problem+json"),
        (status = 403, description = "Not an admin", body = ProblemView, content_type = "application/problem+json"),
        (status = 404, description = "Cancelled, or never was", body = ProblemView, content_type = "application/problem+json"),
        (status = 409, description = "Refunded, disputed, or refunded at the payment provider", body = ProblemView, content_type = "application/problem+json"),
        (status = 503, description = "The payment provider does not say whether the money is still there", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn ship_order(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<ModifiedCount>, Problem> {
    Ok(web::Json(app.shop.orders.ship_order(&caller, id(&path)?).await?.into()))
}
