//! `POST /attention/refunds/{id}/retry`.

use actix_web::web::{self, Data, Path};

use crate::app_state::AppState;
use crate::extract::{Authenticated, id};
use crate::problem::Problem;
use crate::wire::counts::ModifiedCount;

/// Retries a refund that failed (admins).
#[utoipa::path(
    post, path = "/attention/refunds/{id}/retry",
    params(("id" = String, Path, description = "The refund's id")),
    responses(
        (status = 200, description = "It is on its way again", body = ModifiedCount),
        (status = 404, description = "There is none"),
        (status = 409, description = "It has not failed"),
    )
)]
pub(crate) async fn retry_refund(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<ModifiedCount>, Problem> {
    app.shop.payments.retry_refund(&caller, id(&path)?).await?;
    Ok(web::Json(true.into()))
}
