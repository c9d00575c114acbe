//! `PUT /orders/status/{id}`.

use actix_web::web::{self, Data, Path};
use domain::payments::refund::Withheld;

use crate::app_state::AppState;
use crate::extract::{Authenticated, id};
use crate::problem::Problem;
use crate::wire::counts::ModifiedCount;

impl From<Withheld> for Problem {
    fn from(refused: Withheld) -> Self {
        match refused {
            Withheld::AwaitsFreight => {
                let message = "Its purchase waits for the price of the freight. Say what it costs first.";
                Self::conflict("awaits-freight", "Freight to come", message).retryable()
            }
            Withheld::Disputed => {
                let message = "The customer's bank has disputed this payment, so the order can't be shipped.";
                Self::conflict("payment-disputed", "Disputed", message)
            }
            Withheld::RefundedElsewhere => {
                let message = "This payment was refunded at the payment provider, so the order can't be shipped.";
                Self::conflict("refunded-elsewhere", "Refunded elsewhere", message)
            }
            Withheld::Disagreement => {
                let message = "The payment provider no longer confirms this payment, so the order can't be shipped.";
                Self::conflict("payment-unconfirmed", "Payment not confirmed", message)
            }
        }
    }
}

/// Ships an order (admins); an unpaid one on account.
#[utoipa::path(
    put, path = "/orders/status/{id}",
    params(("id" = String, Path, description = "The order's id")),
    responses(
        (status = 200, description = "1 if this call did it, else 0", body = ModifiedCount),
        (status = 404, description = "Cancelled, or never was"),
        (status = 409, description = "Refunded, disputed, refunded at the payment provider, or waiting for its freight"),
        (status = 503, description = "The payment provider does not say whether the money is still there"),
    )
)]
pub(crate) async fn ship_order(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<ModifiedCount>, Problem> {
    Ok(web::Json(app.shop.orders.ship_order(&caller, id(&path)?).await?.into()))
}
