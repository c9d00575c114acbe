//! `POST /auth/google/finish`.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use application::Authenticated;
use ports::SessionSecret;
use serde::Serialize;
use utoipa::ToSchema;

use crate::accounts::google::cookies::PENDING;
use crate::accounts::sign_in::cookies::set_cookies;
use crate::accounts::verification::token::AddressProof;
use crate::app_state::AppState;
use crate::extract::Json;
use crate::problem::Problem;

/// A sign-in that was finished by its e-mail.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Finished {
    /// Where the browser wanted to be: a path of this shop.
    destination: String,
    /// Whether the account had a password whose owner was never confirmed. It has been removed.
    password_gone: bool,
}

/// Finishes a sign-in with Google by the link of its e-mail, in the browser that began it.
#[utoipa::path(
    post, path = "/auth/google/finish", request_body = AddressProof,
    responses(
        (status = 200, description = "Signed in: sets the cookies `session` and `signed-in`", body = Finished),
        (status = 401, description = "The account was removed"),
        (status = 409, description = "The account has to be logged in to first"),
        (status = 410, description = "The link was used, is too old, or is another browser's"),
        (status = 422, description = "Invalid"),
    )
)]
pub(crate) async fn finish_google_by_email(
    app: Data<AppState>,
    request: HttpRequest,
    Json(sent): Json<AddressProof>,
) -> Result<HttpResponse, Problem> {
    let token = sent.parse()?;
    let browser =
        request.cookie(PENDING.name(&app.settings)).map(|cookie| SessionSecret::new(cookie.value().to_owned()));
    let Authenticated { signed_in, destination, password_gone } =
        app.shop.signing_in.finish_google_by_email(browser.as_ref(), &token).await?;
    let mut response =
        set_cookies(HttpResponse::Ok(), &app, &request, &signed_in).await.json(Finished { destination, password_gone });
    let _ = response.add_cookie(&PENDING.removal(&app.settings));
    Ok(response)
}
