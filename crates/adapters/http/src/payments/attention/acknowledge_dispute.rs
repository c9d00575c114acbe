//! `POST /attention/disputes/{id}/acknowledge`.

use actix_web::web::{self, Data, Path};

use crate::app_state::AppState;
use crate::extract::{Authenticated, id};
use crate::problem::{Problem, ProblemView};
use crate::wire::counts::ModifiedCount;

/// Takes a dispute that is lost off the list (admins).
#[utoipa::path(
    post, path = "/attention/disputes/{id}/acknowledge", tag = "payments", security(("bearer" = [])),
    params(("id" = String, Path, description = "The dispute's id")),
    responses(
        (status = 200, description = "It is off the list", body = ModifiedCount),
        (status = 401, description = "Not signed in", body = ProblemView, content_type = "application/problem+json"),
        (status = 403, description = "Not an admin", body = ProblemView, content_type = "application/problem+json"),
        (status = 404, description = "No such id", body = ProblemView, content_type = "application/problem+json"),
        (status = 409, description = "It is not on the list", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn acknowledge_dispute(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<ModifiedCount>, Problem> {
    app.shop.payments.acknowledge_dispute(&caller, id(&path)?).await?;
    Ok(web::Json(true.into()))
}
