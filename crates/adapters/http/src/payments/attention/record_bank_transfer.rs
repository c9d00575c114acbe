//! `POST /attention/refunds/{id}/bank-transfer`.

use actix_web::web::{self, Data, Path};
use domain::Text;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::app_state::AppState;
use crate::extract::{Authenticated, Json, id};
use crate::problem::Problem;
use crate::wire::counts::ModifiedCount;
use crate::wire::fields::Fields;

/// A bank transfer that took the place of a refund.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct BankTransfer {
    /// What the bank statement says, up to 500 characters.
    #[schema(required, nullable = false)]
    reference: Option<String>,
}

/// Records that the money of a refund that failed was sent by bank transfer (admins).
#[utoipa::path(
    post, path = "/attention/refunds/{id}/bank-transfer", request_body = BankTransfer,
    params(("id" = String, Path, description = "The refund's id")),
    responses(
        (status = 200, description = "It is on record", body = ModifiedCount),
        (status = 404, description = "There is none"),
        (status = 409, description = "It has not failed"),
        (status = 422, description = "Invalid"),
    )
)]
pub(crate) async fn record_bank_transfer(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
    Json(sent): Json<BankTransfer>,
) -> Result<web::Json<ModifiedCount>, Problem> {
    let refund = id(&path)?;
    let mut fields = Fields::default();
    let reference = fields.required("reference", "Reference", sent.reference.as_deref(), Text::new);
    let reference = fields.all(reference)?;
    app.shop.payments.record_bank_transfer(&caller, refund, reference).await?;
    Ok(web::Json(true.into()))
}
