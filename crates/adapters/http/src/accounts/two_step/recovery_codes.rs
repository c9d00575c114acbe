//! `POST /auth/second-factor/recovery-codes`.

use actix_web::web::{self, Data};
use ports::RecoveryCode;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app_state::AppState;
use crate::extract::Authenticated;
use crate::problem::Problem;

/// Recovery codes; each proves the second factor once. They are shown this one time.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RecoveryCodes {
    /// Groups of four letters and digits.
    recovery_codes: Vec<String>,
}

impl RecoveryCodes {
    pub(super) fn of(codes: &[RecoveryCode]) -> Self {
        Self { recovery_codes: codes.iter().map(|code| code.expose().to_owned()).collect() }
    }
}

/// Makes new recovery codes; the old ones are void.
#[utoipa::path(
    post, path = "/auth/second-factor/recovery-codes",
    responses(
        (status = 200, description = "The new codes", body = RecoveryCodes),
        (status = 409, description = "The account has no second factor"),
    )
)]
pub(crate) async fn renew_recovery_codes(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
) -> Result<web::Json<RecoveryCodes>, Problem> {
    let codes = app.shop.two_step.renew_recovery_codes(&caller).await?;
    Ok(web::Json(RecoveryCodes::of(&codes)))
}
