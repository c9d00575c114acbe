//! `DELETE /garage/{id}`.

use actix_web::web::{self, Data, Path};

use crate::app_state::AppState;
use crate::extract::{Authenticated, id};
use crate::problem::Problem;
use crate::wire::counts::DeletedCount;

/// Removes a vehicle of one's own.
#[utoipa::path(
    delete, path = "/garage/{id}",
    params(("id" = String, Path, description = "Its id in the garage")),
    responses(
        (status = 200, description = "Removed", body = DeletedCount),
        (status = 404, description = "No such vehicle of one's own"),
    )
)]
pub(crate) async fn remove_garage_vehicle(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<DeletedCount>, Problem> {
    app.shop.accounts.remove_vehicle(&caller, id(&path)?).await?;
    Ok(web::Json(true.into()))
}
