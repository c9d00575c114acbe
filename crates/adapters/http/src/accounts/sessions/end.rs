//! `DELETE /auth/sessions/{id}`.

use actix_web::HttpResponse;
use actix_web::web::{Data, Path};
use domain::SessionId;

use crate::accounts::sign_in::cookies::remove_cookies;
use crate::app_state::AppState;
use crate::extract::{Authenticated, id};
use crate::problem::Problem;
use crate::wire::counts::DeletedCount;

/// Ends one of the caller's sessions: its cookie and every token issued from it are invalid from then on.
#[utoipa::path(
    delete, path = "/auth/sessions/{id}",
    params(("id" = String, Path, description = "The session's id")),
    responses(
        (status = 200, description = "1 if this call ended it, else 0", body = DeletedCount),
        (status = 404, description = "No such session of one's own"),
    )
)]
pub(crate) async fn end_session(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<HttpResponse, Problem> {
    let session: SessionId = id(&path)?;
    let ended = app.shop.signing_in.end_session(&caller, session).await?;
    let mut response = HttpResponse::Ok();
    if session == caller.session {
        remove_cookies(&mut response, &app.settings);
    }
    Ok(response.json(DeletedCount::from(ended)))
}
