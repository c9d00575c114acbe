//! `POST /attention/payments/{id}/send-back`.

use actix_web::web::{self, Data, Path};

use crate::app_state::AppState;
use crate::extract::{Authenticated, id};
use crate::problem::Problem;
use crate::wire::counts::ModifiedCount;

/// Sends the money of a payment that does not fit its order back and closes it (admins).
#[utoipa::path(
    post, path = "/attention/payments/{id}/send-back",
    params(("id" = String, Path, description = "The payment provider's id of the payment")),
    responses(
        (status = 200, description = "It goes back, and the payment is closed", body = ModifiedCount),
        (status = 404, description = "There is none"),
        (status = 409, description = "It fits its order, or has not come in"),
        (status = 503, description = "The payment provider does not answer"),
    )
)]
pub(crate) async fn send_payment_back(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<ModifiedCount>, Problem> {
    app.shop.payments.send_back_mismatched(&caller, &id(&path)?).await?;
    Ok(web::Json(true.into()))
}
