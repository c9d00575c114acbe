//! `GET /auth/sessions`.

use actix_web::web::{self, Data};
use domain::Caller;
use ports::LiveSession;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app_state::AppState;
use crate::extract::Authenticated;
use crate::problem::Problem;

/// A session of the caller.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Session {
    /// `UUIDv7`.
    #[serde(rename = "_id")]
    id: String,
    /// A coarse description of the client, such as "Firefox on Linux"; `null` if it sent none.
    #[schema(required)]
    device: Option<String>,
    /// RFC 3339, UTC.
    opened_at: String,
    /// RFC 3339, UTC; true to within a minute or so.
    last_seen_at: String,
    /// Whether it is the session of this request.
    current: bool,
}

impl Session {
    fn of(session: LiveSession, caller: &Caller) -> Self {
        Self {
            current: session.id == caller.session,
            id: session.id.to_string(),
            device: session.device.map(domain::Text::into_string),
            opened_at: session.opened_at.to_string(),
            last_seen_at: session.last_seen_at.to_string(),
        }
    }
}

/// The caller's sessions, the most recently used first.
#[utoipa::path(
    get, path = "/auth/sessions",
    responses(
        (status = 200, description = "One's live sessions", body = [Session]),
    )
)]
pub(crate) async fn list_sessions(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
) -> Result<web::Json<Vec<Session>>, Problem> {
    let sessions = app.shop.signing_in.sessions(&caller).await?;
    Ok(web::Json(sessions.into_iter().map(|session| Session::of(session, &caller)).collect()))
}
