//! `POST /outbox/{id}/retry`.

use actix_web::web::{self, Data, Path};

use crate::app_state::AppState;
use crate::extract::{Authenticated, id};
use crate::problem::Problem;
use crate::wire::counts::ModifiedCount;

/// Requeues a delivery that was given up; it is due immediately (admins).
#[utoipa::path(
    post, path = "/outbox/{id}/retry",
    params(("id" = String, Path, description = "The delivery's id")),
    responses(
        (status = 200, description = "Requeued", body = ModifiedCount),
        (status = 404, description = "There is none"),
        (status = 409, description = "It was not given up"),
    )
)]
pub(crate) async fn retry_delivery(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<ModifiedCount>, Problem> {
    app.shop.notifications.retry_delivery(&caller, id(&path)?).await?;
    Ok(web::Json(true.into()))
}
