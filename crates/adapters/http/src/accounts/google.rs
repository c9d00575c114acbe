//! Sign-in with Google.

use actix_web::cookie::time::Duration as CookieDuration;
use actix_web::cookie::{Cookie, SameSite};
use actix_web::http::header::{ACCEPT, LOCATION};
use actix_web::web::{self, Data};
use actix_web::{HttpRequest, HttpResponse, ResponseError};
use application::{Authenticated, ContinueWithGoogleError, FromGoogle, LinkGoogleError};
use ports::{SessionSecret, SignInMethods};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::accounts::account_links::AddressProof;
use crate::accounts::auth::{Person, enter, welcome};
use crate::app_state::{AppState, Settings};
use crate::extract::{Authenticated as Visitor, Json, query, session_secret};
use crate::problem::{Problem, ProblemView};
use crate::wire::counts::DeletedCount;
use crate::wire::query::in_query;

/// A cookie of the way to Google and back. If the shop is served over https, no sub-domain may plant one: it could sign
/// visitors in to another account.
#[derive(Clone, Copy)]
struct Kept {
    plain: &'static str,
    /// The name on https, with a prefix that no sub-domain can plant. It requires the path `/`.
    on_https: &'static str,
}

/// Holds the attempt while the browser is at Google.
const ATTEMPT: Kept = Kept { plain: "google-attempt", on_https: "__Host-google-attempt" };
/// Held by a browser whose sign-in waits for the link in an e-mail.
const PENDING: Kept = Kept { plain: "google-pending", on_https: "__Host-google-pending" };

impl Kept {
    fn name(self, settings: &Settings) -> &'static str {
        if settings.is_https() { self.on_https } else { self.plain }
    }

    fn with(self, value: String, settings: &Settings) -> actix_web::cookie::CookieBuilder<'static> {
        let path = if settings.is_https() { "/" } else { GOOGLE_PATH };
        // Lax, because the browser comes back from another site.
        let cookie = Cookie::build(self.name(settings), value).path(path).http_only(true);
        cookie.same_site(SameSite::Lax).secure(settings.is_https())
    }

    fn gone(self, settings: &Settings) -> Cookie<'static> {
        let mut gone = self.with(String::new(), settings).finish();
        gone.make_removal();
        gone
    }
}

/// The cookies are of no use on any other path.
const GOOGLE_PATH: &str = "/auth/google";
/// How long the browser may stay at Google.
const ATTEMPT_LIFE: CookieDuration = CookieDuration::minutes(10);
/// How long a sign-in waits for the link in its e-mail, as the e-mail says.
const PENDING_LIFE: CookieDuration = CookieDuration::hours(1);
/// The page that shows the sign-in methods.
const PROFILE: &str = "/dashboard/profile";

/// Where the browser goes after signing in.
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
pub(crate) async fn begin(app: Data<AppState>, request: HttpRequest) -> Result<HttpResponse, Problem> {
    let query_fields = query::<From>(&request)?;
    let departure = app.shop.begin_google(query_fields.from.as_deref().unwrap_or("/")).await?;
    let attempt = ATTEMPT.with(departure.sealed, &app.settings).max_age(ATTEMPT_LIFE).finish();
    Ok(HttpResponse::SeeOther().insert_header((LOCATION, departure.address)).cookie(attempt).finish())
}

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
    get, path = "/auth/google/callback", tag = "identity", params(Return),
    responses(
        (status = 303, description = "Signed in, and on to where the browser wanted to be: sets the cookies `session`, \
            `signed-in` and `device`. A browser that was refused goes to `/login?error=...`", body = Person),
        (status = 400, description = "Not confirmed", body = ProblemView, content_type = "application/problem+json"),
        (status = 401, description = "The account was removed", body = ProblemView, content_type = "application/problem+json"),
        (status = 409, description = "Google does not vouch for the e-mail, or the account has to be logged in to first", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn callback(app: Data<AppState>, request: HttpRequest) -> Result<HttpResponse, Problem> {
    let mut response = match finish(&app, &request).await {
        Ok(FromGoogle::SignedIn(entered)) => {
            let mut response = HttpResponse::SeeOther();
            response.insert_header((LOCATION, landing(&entered)));
            welcome(response, &app, &request, entered.signed_in).await
        }
        Ok(FromGoogle::EmailSent { browser }) => {
            let message = "We sent a link to this e-mail. Open it in this browser to go on";
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
    let _ = response.add_cookie(&ATTEMPT.gone(&app.settings));
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
fn landing(entered: &Authenticated) -> String {
    if !entered.password_gone {
        return entered.destination.clone();
    }
    format!("/login?notice=google_password_gone&from={}", in_query(&entered.destination))
}

/// A path of this shop with a note for its page.
fn with_note(path: &str, note: &str) -> String {
    let path = path.split(['?', '#']).next().unwrap_or(PROFILE);
    format!("{path}?google={note}")
}

fn why_not_linked(error: &LinkGoogleError) -> &'static str {
    match error {
        LinkGoogleError::SignedOut | LinkGoogleError::Store(_) => "failed",
        LinkGoogleError::Taken => "taken",
        LinkGoogleError::Unproved => "unconfirmed",
    }
}

/// The outcome of the way back, or why it failed: as a code for the login page, and as the error itself.
async fn finish(app: &AppState, request: &HttpRequest) -> Result<FromGoogle, (&'static str, ContinueWithGoogleError)> {
    let refused = |code| (code, ContinueWithGoogleError::Unproven);
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
    app.shop.finish_google(sealed, (&state, &code), session.as_ref()).await.map_err(|error| (code_of(&error), error))
}

fn code_of(error: &ContinueWithGoogleError) -> &'static str {
    match error {
        ContinueWithGoogleError::SignInFirst => "google_sign_in_first",
        ContinueWithGoogleError::Removed => "removed",
        ContinueWithGoogleError::NotOffered
        | ContinueWithGoogleError::Unproven
        | ContinueWithGoogleError::Gone
        | ContinueWithGoogleError::Provider(_)
        | ContinueWithGoogleError::Store(_) => "google_failed",
    }
}

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
    post, path = "/auth/google/finish", tag = "identity", request_body = AddressProof,
    responses(
        (status = 200, description = "Signed in: sets the cookies `session` and `signed-in`", body = Finished),
        (status = 401, description = "The account was removed", body = ProblemView, content_type = "application/problem+json"),
        (status = 409, description = "The account has to be logged in to first", body = ProblemView, content_type = "application/problem+json"),
        (status = 410, description = "The link was used, is too old, or is another browser's", body = ProblemView, content_type = "application/problem+json"),
        (status = 422, description = "Invalid", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn finish_by_email(
    app: Data<AppState>,
    request: HttpRequest,
    Json(sent): Json<AddressProof>,
) -> Result<HttpResponse, Problem> {
    let token = sent.parse()?;
    let browser =
        request.cookie(PENDING.name(&app.settings)).map(|cookie| SessionSecret::new(cookie.value().to_owned()));
    let Authenticated { signed_in, destination, password_gone } =
        app.shop.finish_google_by_email(browser.as_ref(), &token).await?;
    let mut response =
        enter(HttpResponse::Ok(), &app, &request, &signed_in).await.json(Finished { destination, password_gone });
    let _ = response.add_cookie(&PENDING.gone(&app.settings));
    Ok(response)
}

/// Where to send the browser.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct WayToGoogle {
    /// Google's page.
    address: String,
}

/// Begins to link a Google account to one's own. The browser goes to the returned address, and comes back to the
/// profile.
#[utoipa::path(
    post, path = "/auth/google/link", tag = "identity", security(("session" = [])),
    responses(
        (status = 200, description = "Where to go; sets the cookie `google-attempt`", body = WayToGoogle),
        (status = 401, description = "Nobody is signed in", body = ProblemView, content_type = "application/problem+json"),
        (status = 404, description = "Not set up", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn begin_link(app: Data<AppState>, Visitor(caller): Visitor) -> Result<HttpResponse, Problem> {
    let departure = app.shop.begin_google_link(&caller, PROFILE).await?;
    let attempt = ATTEMPT.with(departure.sealed, &app.settings).max_age(ATTEMPT_LIFE).finish();
    Ok(HttpResponse::Ok().cookie(attempt).json(WayToGoogle { address: departure.address }))
}

/// Unlinks the Google account, and ends every other session. The last sign-in method cannot be removed.
#[utoipa::path(
    delete, path = "/auth/google/link", tag = "identity", security(("session" = [])),
    responses(
        (status = 200, description = "1 if this call did it, else 0", body = DeletedCount),
        (status = 401, description = "Nobody is signed in", body = ProblemView, content_type = "application/problem+json"),
        (status = 409, description = "The only way in", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn unlink(app: Data<AppState>, Visitor(caller): Visitor) -> Result<web::Json<DeletedCount>, Problem> {
    Ok(web::Json(app.shop.unlink_google(&caller).await?.into()))
}

/// The sign-in methods of an account.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Methods {
    /// Whether it has a password.
    password: bool,
    /// Whether a Google account is linked.
    google: bool,
    /// Whether its address is confirmed.
    verified: bool,
}

/// The sign-in methods of one's own account.
#[utoipa::path(
    get, path = "/auth/sign-in-methods", tag = "identity", security(("session" = [])),
    responses(
        (status = 200, description = "Which there are", body = Methods),
        (status = 401, description = "Nobody is signed in", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn methods(app: Data<AppState>, Visitor(caller): Visitor) -> Result<web::Json<Methods>, Problem> {
    let SignInMethods { password, google, proved } = app.shop.sign_in_methods(&caller).await?;
    Ok(web::Json(Methods { password, google, verified: proved }))
}

fn wants_html(request: &HttpRequest) -> bool {
    request
        .headers()
        .get(ACCEPT)
        .and_then(|accept| accept.to_str().ok())
        .is_some_and(|accept| accept.contains("text/html"))
}
