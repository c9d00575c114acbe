//! `POST /auth/password/change`.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use application::ChangePassword;
use domain::Password;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::accounts::sign_in::cookies::known_device;
use crate::app_state::AppState;
use crate::extract::{Authenticated, Json, device_cookie};
use crate::middleware::client_address::client_network;
use crate::problem::Problem;
use crate::wire::fields::Fields;

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
    post, path = "/auth/password/change", request_body = PasswordChange,
    responses(
        (status = 204, description = "Changed; every other session has ended, and no other device is known any more. Sets the cookie `device`"),
        (status = 409, description = "The account has no password"),
        (status = 422, description = "The current password is wrong, or the new one invalid"),
        (status = 429, description = "Too many wrong passwords"),
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
    let held = device_cookie.clone().unwrap_or_default();
    let change = fields.all((|| Some(ChangePassword { current: current?, new: new?, from, device_cookie }))())?;
    let changed = app.shop.signing_in.change_password(&caller, change).await?;
    // With another password no device is known any more, except the one that it was changed on.
    let device = app.shop.signing_in.known_device(&changed, &held);
    Ok(HttpResponse::NoContent().cookie(known_device(device, &app.settings)).finish())
}
