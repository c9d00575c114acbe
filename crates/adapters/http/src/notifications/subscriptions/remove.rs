//! `DELETE /webhook-endpoints/{id}`.

use actix_web::web::{self, Data, Path};

use crate::app_state::AppState;
use crate::extract::{Authenticated, id};
use crate::problem::Problem;
use crate::wire::counts::DeletedCount;

/// Removes a webhook subscription; its waiting deliveries are dropped (admins).
#[utoipa::path(
    delete, path = "/webhook-endpoints/{id}",
    params(("id" = String, Path, description = "The subscription's id")),
    responses(
        (status = 200, description = "1 if this call removed it, else 0", body = DeletedCount),
    )
)]
pub(crate) async fn remove_subscription(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<DeletedCount>, Problem> {
    Ok(web::Json(app.shop.notifications.remove_subscription(&caller, id(&path)?).await?.into()))
}
