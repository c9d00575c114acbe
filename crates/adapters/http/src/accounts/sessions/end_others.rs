//! `DELETE /auth/sessions`.

use actix_web::web::{self, Data};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app_state::AppState;
use crate::extract::Authenticated;
use crate::problem::Problem;

/// How many sessions ended.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EndedSessions {
    deleted_count: u64,
}

/// Ends all of the caller's sessions but the one of this request.
#[utoipa::path(
    delete, path = "/auth/sessions",
    responses(
        (status = 200, description = "How many ended", body = EndedSessions),
    )
)]
pub(crate) async fn end_other_sessions(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
) -> Result<web::Json<EndedSessions>, Problem> {
    let deleted_count = app.shop.signing_in.end_other_sessions(&caller).await?;
    Ok(web::Json(EndedSessions { deleted_count }))
}
