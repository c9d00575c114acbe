//! `DELETE /feeds/{id}`.

use actix_web::web::{self, Data, Path};

use crate::app_state::AppState;
use crate::extract::{Authenticated, id};
use crate::problem::Problem;
use crate::wire::counts::DeletedCount;

/// Calls a feed off that is not being applied (admins). Its file is deleted; what was found in it stays.
#[utoipa::path(
    delete, path = "/feeds/{id}", params(("id" = String, Path, description = "The feed's id")),
    responses(
        (status = 200, description = "1 if this call did it, 0 if it was called off before", body = DeletedCount),
        (status = 404, description = "There is none"),
        (status = 409, description = "It is being applied, or at its end (`state`)"),
    )
)]
pub(crate) async fn cancel_feed(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<DeletedCount>, Problem> {
    Ok(web::Json(app.shop.feeds.cancel(&caller, id(&path)?).await?.into()))
}
