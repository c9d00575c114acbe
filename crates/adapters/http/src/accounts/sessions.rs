//! The sessions of an account, and changing its password.

use actix_web::web::{self, Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use application::ChangePassword;
use domain::{Caller, Password, SessionId};
use ports::LiveSession;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::accounts::auth::remove_cookies;
use crate::app_state::AppState;
use crate::extract::{Authenticated, Json, device_cookie, id};
use crate::middleware::client_address::client_network;
use crate::problem::{Problem, ProblemView};
use crate::wire::counts::DeletedCount;
use crate::wire::fields::Fields;

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
    get, path = "/auth/sessions", tag = "identity", security(("session" = [])),
    responses(
        (status = 200, description = "One's live sessions", body = [Session]),
        (status = 401, description = "Nobody is signed in", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn list(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
) -> Result<web::Json<Vec<Session>>, Problem> {
    let sessions = app.shop.sessions(&caller).await?;
    Ok(web::Json(sessions.into_iter().map(|session| Session::of(session, &caller)).collect()))
}

/// Ends one of the caller's sessions: its cookie and every token issued from it are invalid from then on.
#[utoipa::path(
    delete, path = "/auth/sessions/{id}", tag = "identity", security(("session" = [])),
    params(("id" = String, Path, description = "The session's id")),
    responses(
        (status = 200, description = "1 if this call ended it, else 0", body = DeletedCount),
        (status = 401, description = "Nobody is signed in", body = ProblemView, content_type = "application/problem+json"),
        (status = 404, description = "No such session of one's own", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn end(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<HttpResponse, Problem> {
    let session: SessionId = id(&path)?;
    let ended = app.shop.end_session(&caller, session).await?;
    let mut response = HttpResponse::Ok();
    if session == caller.session {
        remove_cookies(&mut response, &app.settings);
    }
    Ok(response.json(DeletedCount::from(ended)))
}

/// How many sessions ended.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EndedSessions {
    deleted_count: u64,
}

/// Ends all of the caller's sessions but the one of this request.
#[utoipa::path(
    delete, path = "/auth/sessions", tag = "identity", security(("session" = [])),
    responses(
        (status = 200, description = "How many ended", body = EndedSessions),
        (status = 401, description = "Nobody is signed in", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn end_others(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
) -> Result<web::Json<EndedSessions>, Problem> {
    let deleted_count = app.shop.end_other_sessions(&caller).await?;
    Ok(web::Json(EndedSessions { deleted_count }))
}

/// Another password, and the one that it replaces.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PasswordChange {
    #[schema(required, nullable = false, format = "password")]
    current_password: Option<String>,
    /// 6 to 128 characters, neither one of the most common, the shop's name, nor one's own name or address.
    #[schema(required, nullable = false, format = "password")]
    new_password: Option<String>,
}

/// Changes the caller's password and ends their other sessions. An e-mail says that it was changed.
#[utoipa::path(
    post, path = "/auth/password/change", tag = "identity", request_body = PasswordChange, security(("session" = [])),
    responses(
        (status = 204, description = "Changed; every other session has ended"),
        (status = 401, description = "Nobody is signed in", body = ProblemView, content_type = "application/problem+json"),
        (status = 409, description = "The account has no password", body = ProblemView, content_type = "application/problem+json"),
        (status = 422, description = "The current password is wrong, or the new one invalid", body = ProblemView, content_type = "application/problem+json"),
        (status = 429, description = "Too many wrong passwords", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn change_password(
    app: Data<AppState>,
    request: HttpRequest,
    Authenticated(caller): Authenticated,
    Json(sent): Json<PasswordChange>,
) -> Result<HttpResponse, Problem> {
    let mut fields = Fields::default();
    let typed = sent.current_password.filter(|typed| !typed.is_empty());
    let current = fields.required::<_, _, &str>("currentPassword", "Current password", typed, Ok);
    let new = fields.required("newPassword", "New password", sent.new_password.as_deref(), Password::choose);
    let from = client_network(&request, &app.settings);
    let device_cookie = device_cookie(&request, &app.settings);
    let change = fields.all((|| Some(ChangePassword { current: current?, new: new?, from, device_cookie }))())?;
    app.shop.change_password(&caller, change).await?;
    Ok(HttpResponse::NoContent().finish())
}
