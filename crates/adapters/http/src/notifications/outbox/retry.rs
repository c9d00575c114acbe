//! `POST /outbox/{id}/retry`.

use actix_web::web::{self, Data, Path};

use crate::app_state::AppState;
use crate::extract::{Authenticated, id};
use crate::problem::{Problem, ProblemView};
use crate::wire::counts::ModifiedCount;

/// Requeues a delivery that was given up; it is due immediately (admins).
#[utoipa::path(
    post, path = "/outbox/{id}/retry", tag = "shop", security(("bearer" = [])),
    params(("id" = String, Path, description = "The delivery's id")),
    responses(
        (status = 200, description = "Requeued", body = ModifiedCount),
        (status = 401, description = "Not signed in", body = ProblemView, content_type = "application/problem+json"),
        (status = 403, description = "Not an admin", body = ProblemView, content_type = "application/problem+json"),
        (status = 404, description = "There is none", body = ProblemView, content_type = "application/problem+json"),
        (status = 409, description = "It was not given up", body = ProblemView, content_type = "application/problem+json"),
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
