//! `POST /attention/refunds/{id}/acknowledge`.

use actix_web::web::{self, Data, Path};

use crate::app_state::AppState;
use crate::extract::{Authenticated, id};
use crate::problem::Problem;
use crate::wire::counts::ModifiedCount;

/// Takes a refund that was made at the payment provider off the list (admins).
#[utoipa::path(
    post, path = "/attention/refunds/{id}/acknowledge",
    params(("id" = String, Path, description = "The refund's id")),
    responses(
        (status = 200, description = "It is off the list", body = ModifiedCount),
        (status = 409, description = "It is not on the list"),
    )
)]
pub(crate) async fn acknowledge_refund(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<ModifiedCount>, Problem> {
    app.shop.payments.acknowledge_refund(&caller, id(&path)?).await?;
    Ok(web::Json(true.into()))
}
