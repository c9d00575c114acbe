//! Continue with Google.

use actix_web::cookie::time::Duration as CookieDuration;
use actix_web::cookie::{Cookie, SameSite};
use actix_web::http::header::{ACCEPT, LOCATION};
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, ResponseError};
use application::{ContinueWithGoogleError, SignedIn};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::extract::query;
use crate::problem::{Problem, ProblemView};
use crate::routes::auth::{Person, welcome};
use crate::site::Site;

/// The name of the cookie that holds the attempt while the browser is away.
const ATTEMPT_COOKIE: &str = "google-attempt";
/// The attempt is of no use on any other path.
const ATTEMPT_PATH: &str = "/auth/google";
/// How long the browser may stay away.
const ATTEMPT_LIFE: CookieDuration = CookieDuration::minutes(10);

/// Where the browser wants to be afterwards.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct From {
    /// A path of this shop.
    from: Option<String>,
}

/// Sends the browser to Google.
#[utoipa::path(
    get, path = "/auth/google", tag = "identity", params(From),
    responses(
        (status = 303, description = "To Google; sets the cookie `google-attempt`"),
        (status = 404, description = "Not set up", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn begin(site: Data<Site>, request: HttpRequest) -> Result<HttpResponse, Problem> {
    let wish = query::<From>(&request)?;
    let departure = site.shop.begin_google(wish.from.as_deref().unwrap_or("/")).await?;
    let attempt = attempt_cookie(departure.sealed, &site).max_age(ATTEMPT_LIFE).finish();
    Ok(HttpResponse::SeeOther().insert_header((LOCATION, departure.address)).cookie(attempt).finish())
}

fn attempt_cookie(value: String, site: &Site) -> actix_web::cookie::CookieBuilder<'static> {
    // Lax, because the browser comes back from another site.
    Cookie::build(ATTEMPT_COOKIE, value)
        .path(ATTEMPT_PATH)
        .http_only(true)
        .same_site(SameSite::Lax)
        .secure(site.settings.is_https())
}

/// What Google sends the browser back with.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Return {
    state: Option<String>,
    code: Option<String>,
    error: Option<String>,
}

/// Takes the browser back from Google, and signs in.
#[utoipa::path(
    get, path = "/auth/google/callback", tag = "identity", params(Return),
    responses(
        (status = 303, description = "Signed in, and on to where the browser wanted to be: sets the cookies `session`, \
            `signed-in` and `device`. A browser that was refused goes to `/login?error=...`", body = Person),
        (status = 400, description = "Not confirmed", body = ProblemView, content_type = "application/problem+json"),
        (status = 401, description = "The account was removed", body = ProblemView, content_type = "application/problem+json"),
        (status = 409, description = "The e-mail has an account and is not verified", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn callback(site: Data<Site>, request: HttpRequest) -> Result<HttpResponse, Problem> {
    let mut gone = attempt_cookie(String::new(), &site).finish();
    gone.make_removal();
    let mut response = match finish(&site, &request).await {
        Ok((signed_in, destination)) => {
            let mut response = HttpResponse::SeeOther();
            response.insert_header((LOCATION, destination));
            welcome(response, &site, &request, signed_in).await
        }
        Err((code, _)) if wants_html(&request) => {
            HttpResponse::SeeOther().insert_header((LOCATION, format!("/login?error={code}"))).finish()
        }
        Err((_, error)) => Problem::from(error).error_response(),
    };
    // A cookie of our own making is always a valid header.
    let _ = response.add_cookie(&gone);
    Ok(response)
}

/// Whoever has come back and where they wanted to be, or why not: as a code for the login page, and as it is.
async fn finish(
    site: &Site,
    request: &HttpRequest,
) -> Result<(SignedIn, String), (&'static str, ContinueWithGoogleError)> {
    let refused = |code| (code, ContinueWithGoogleError::Unproven);
    let back = query::<Return>(request).map_err(|_| refused("google_failed"))?;
    match back.error.as_deref() {
        None => {}
        // The one error that is the person's own doing (RFC 6749, section 4.1.2.1).
        Some("access_denied") => return Err(refused("google_cancelled")),
        Some(_) => return Err(refused("google_failed")),
    }
    let (Some(state), Some(code)) = (back.state, back.code) else { return Err(refused("google_failed")) };
    let attempt = request.cookie(ATTEMPT_COOKIE);
    let sealed = attempt.as_ref().map(Cookie::value);
    site.shop.finish_google(sealed, &state, &code).await.map_err(|error| (code_of(&error), error))
}

fn code_of(error: &ContinueWithGoogleError) -> &'static str {
    match error {
        ContinueWithGoogleError::Unverified => "google_unverified",
        ContinueWithGoogleError::Removed => "removed",
        ContinueWithGoogleError::NotOffered
        | ContinueWithGoogleError::Unproven
        | ContinueWithGoogleError::Provider(_)
        | ContinueWithGoogleError::Store(_) => "google_failed",
    }
}

fn wants_html(request: &HttpRequest) -> bool {
    request
        .headers()
        .get(ACCEPT)
        .and_then(|accept| accept.to_str().ok())
        .is_some_and(|accept| accept.contains("text/html"))
}
