//! `GET /auth/google/callback`.

use actix_web::cookie::Cookie;
use actix_web::http::header::LOCATION;
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, ResponseError};
use application::{Authenticated, Failure, FromGoogle, GoogleRefused, LinkGoogleRefused};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::accounts::google::begin_link::PROFILE;
use crate::accounts::google::cookies::{ATTEMPT, PENDING, PENDING_LIFE};
use crate::accounts::me::view::AccountView;
use crate::accounts::sign_in::cookies::answer_signed_in;
use crate::app_state::AppState;
use crate::extract::{query, session_secret, wants_html};
use crate::problem::Problem;
use crate::wire::query::in_query;

/// The parameters with which Google sends the browser back.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Return {
    state: Option<String>,
    code: Option<String>,
    error: Option<String>,
}

/// Signs in the browser that comes back from Google. If Google does not vouch for the address, the browser is not
/// signed in yet: an e-mail with a link goes to the address, and the link finishes the sign-in in this browser.
#[utoipa::path(
    get, path = "/auth/google/callback", params(Return),
    responses(
        (status = 303, description = "Signed in, and on to where the browser wanted to be: sets the cookies `session`, \
            `signed-in` and `device`. A browser that was refused goes to `/login?error=...`", body = AccountView),
        (status = 400, description = "Not confirmed"),
        (status = 401, description = "The account was removed"),
        (status = 409, description = "Google does not vouch for the e-mail, or the account has to be logged in to first"),
    )
)]
pub(crate) async fn finish_google(app: Data<AppState>, request: HttpRequest) -> Result<HttpResponse, Problem> {
    let mut response = match finish(&app, &request).await {
        Ok(FromGoogle::SignedIn(authenticated)) => {
            let mut response = HttpResponse::SeeOther();
            response.insert_header((LOCATION, landing(&authenticated)));
            answer_signed_in(response, &app, &request, authenticated.signed_in).await
        }
        Ok(FromGoogle::EmailSent { browser }) => {
            let message = "We've emailed you a link. Open it in this browser to continue.";
            let problem = Problem::google_unverified(message);
            let mut response = refusal(&request, "/login?error=google_unverified", &problem);
            let pending = PENDING.with(browser.expose().to_owned(), &app.settings).max_age(PENDING_LIFE).finish();
            let _ = response.add_cookie(&pending);
            response
        }
        Ok(FromGoogle::Link { linked: Ok(_), destination }) => {
            HttpResponse::SeeOther().insert_header((LOCATION, with_note(&destination, "linked"))).finish()
        }
        Ok(FromGoogle::Link { linked: Err(error), destination }) => {
            let place = with_note(&destination, why_not_linked(&error));
            refusal(&request, &place, &error.into())
        }
        Err((code, error)) => refusal(&request, &format!("/login?error={code}"), &error.into()),
    };
    // A cookie that we have built is always a valid header.
    let _ = response.add_cookie(&ATTEMPT.removal(&app.settings));
    Ok(response)
}

/// Sends a browser to a page that shows the reason, and other clients a problem.
fn refusal(request: &HttpRequest, place: &str, problem: &Problem) -> HttpResponse {
    if wants_html(request) {
        return HttpResponse::SeeOther().insert_header((LOCATION, place)).finish();
    }
    problem.error_response()
}

/// Where the browser goes after signing in. If a password that was set before was removed, a notice on the way says so.
fn landing(authenticated: &Authenticated) -> String {
    if !authenticated.password_gone {
        return authenticated.destination.clone();
    }
    format!("/login?notice=google_password_gone&from={}", in_query(&authenticated.destination))
}

/// A path of this shop with a note for its page.
fn with_note(path: &str, note: &str) -> String {
    let path = path.split(['?', '#']).next().unwrap_or(PROFILE);
    format!("{path}?google={note}")
}

fn why_not_linked(error: &Failure<LinkGoogleRefused>) -> &'static str {
    match error {
        Failure::Refused(LinkGoogleRefused::Taken) => "taken",
        Failure::Refused(LinkGoogleRefused::Unproved) => "unconfirmed",
        Failure::Refused(LinkGoogleRefused::SignedOut) | Failure::Denied(_) | Failure::Unavailable(_) => "failed",
    }
}

/// The outcome of the way back, or why it failed: as a code for the login page, and as the error itself.
async fn finish(app: &AppState, request: &HttpRequest) -> Result<FromGoogle, (&'static str, Failure<GoogleRefused>)> {
    let refused = |code| (code, Failure::Refused(GoogleRefused::Unproven));
    let back = query::<Return>(request).map_err(|_| refused("google_failed"))?;
    match back.error.as_deref() {
        None => {}
        // The one error that users cause themselves (RFC 6749, section 4.1.2.1).
        Some("access_denied") => return Err(refused("google_cancelled")),
        Some(_) => return Err(refused("google_failed")),
    }
    let (Some(state), Some(code)) = (back.state, back.code) else { return Err(refused("google_failed")) };
    let attempt = request.cookie(ATTEMPT.name(&app.settings));
    let sealed = attempt.as_ref().map(Cookie::value);
    let session = session_secret(request);
    app.shop
        .signing_in
        .finish_google(sealed, (&state, &code), session.as_ref())
        .await
        .map_err(|error| (code_of(&error), error))
}

fn code_of(failure: &Failure<GoogleRefused>) -> &'static str {
    match failure {
        Failure::Refused(GoogleRefused::SignInFirst) => "google_sign_in_first",
        Failure::Refused(GoogleRefused::Removed) => "removed",
        Failure::Refused(GoogleRefused::NotOffered | GoogleRefused::Unproven | GoogleRefused::LinkGone)
        | Failure::Denied(_)
        | Failure::Unavailable(_) => "google_failed",
    }
}
