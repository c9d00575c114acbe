//! `POST /attention/refunds/{id}/retry`.

use actix_web::web::{self, Data, Path};

use crate::app_state::AppState;
use crate::extract::{Authenticated, id};
use crate::problem::{Problem, ProblemView};
use crate::wire::counts::ModifiedCount;

/// Retries a refund that failed (admins).
#[utoipa::path(
    post, path = "/attention/refunds/{id}/retry", tag = "payments", security(("bearer" = [])),
    params(("id" = String, Path, description = "The refund's id")),
    responses(
        (status = 200, description = "It is on its way again", body = ModifiedCount),
        (status = 401, description = "Not signed in", body = ProblemView, content_type = "application/problem+json"),
        (status = 403, description = "Not an admin", body = ProblemView, content_type = "application/problem+json"),
        (status = 404, description = "There is none", body = ProblemView, content_type = "application/problem+json"),
        (status = 409, description = "It has not failed", body = ProblemView, content_type = "application/problem+json"),
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
