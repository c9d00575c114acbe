//! `DELETE /webhook-endpoints/{id}`.

use actix_web::web::{self, Data, Path};

use crate::app_state::AppState;
use crate::extract::{Authenticated, id};
use crate::problem::{Problem, ProblemView};
use crate::wire::counts::DeletedCount;

/// Removes a webhook subscription; its waiting deliveries are dropped (admins).
#[utoipa::path(
    delete, path = "/webhook-endpoints/{id}", tag = "shop", security(("bearer" = [])),
    params(("id" = String, Path, description = "The subscription's id")),
    responses(
        (status = 200, description = "1 if this call removed it, else 0", body = DeletedCount),
        (status = 401, description = "Not signed in", body = ProblemView, content_type = "application/problem+json"),
        (status = 403, description = "Not an admin", body = ProblemView, content_type = "application/problem+json"),
        (status = 404, description = "Not an id", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn remove_subscription(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<DeletedCount>, Problem> {
    Ok(web::Json(app.shop.notifications.remove_subscription(&caller, id(&path)?).await?.into()))
}
