//! `DELETE /auth/google/link`.

use actix_web::web::{self, Data};

use crate::app_state::AppState;
use crate::extract::Authenticated as Visitor;
use crate::problem::Problem;
use crate::wire::counts::DeletedCount;

/// Unlinks the Google account, and ends every other session. The last sign-in method cannot be removed.
#[utoipa::path(
    delete, path = "/auth/google/link",
    responses(
        (status = 200, description = "1 if this call did it, else 0", body = DeletedCount),
        (status = 409, description = "The only way in"),
    )
)]
pub(crate) async fn unlink_google(
    app: Data<AppState>,
    Visitor(caller): Visitor,
) -> Result<web::Json<DeletedCount>, Problem> {
    Ok(web::Json(app.shop.signing_in.unlink_google(&caller).await?.into()))
}
