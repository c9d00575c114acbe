//! Signing up, in and out.

use actix_web::cookie::time::Duration as CookieDuration;
use actix_web::cookie::{Cookie, SameSite};
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder, web};
use application::{LogIn, SignUp, SignedIn};
use domain::{Account, ClientNetwork, Edit, Email, Password, PictureUrl, Text};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use crate::app_state::{AppState, Settings};
use crate::browser::device_of;
use crate::catalog::images::upload::{NewPicture, sent_picture};
use crate::extract::{
    Authenticated, Body, HINT_COOKIE, HOST_SESSION_COOKIE, Json, SESSION_COOKIE, device_cookie, device_cookie_name,
    session_secret,
};
use crate::middleware::client_address::client_network;
use crate::problem::{Problem, ProblemView};
use crate::wire::fields::Fields;

/// An account, as its owner sees it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Person {
    email: String,
    display_name: String,
    #[serde(rename = "photoURL")]
    #[schema(required)]
    photo_url: Option<String>,
}

impl From<Account> for Person {
    fn from(account: Account) -> Self {
        Self {
            email: account.email.to_string(),
            display_name: account.display_name.into_string(),
            photo_url: account.photo_url.map(|url| url.to_string()),
        }
    }
}

/// How long a device cookie lasts after the last sign-in with it.
const DEVICE_LIFE: CookieDuration = CookieDuration::days(365);

/// Answers a sign-in with its cookies and the account.
pub(crate) async fn welcome(
    response: HttpResponseBuilder,
    app: &AppState,
    request: &HttpRequest,
    signed_in: SignedIn,
) -> HttpResponse {
    let mut response = enter(response, app, request, &signed_in).await;
    response.json(Person::from(signed_in.account))
}

/// Sets the cookies of a new sign-in.
pub(crate) async fn enter(
    mut response: HttpResponseBuilder,
    app: &AppState,
    request: &HttpRequest,
    signed_in: &SignedIn,
) -> HttpResponseBuilder {
    let settings = &app.settings;
    app.shop.note_browser(signed_in, device_of(request), session_secret(request).as_ref()).await;
    let held = device_cookie(request, settings).unwrap_or_default();
    let device = app.shop.device_cookie(&signed_in.account.email, &held);
    let device = cookie(device_cookie_name(settings), device, settings).http_only(true).max_age(DEVICE_LIFE);
    let lasts = CookieDuration::seconds(i64::try_from(signed_in.lasts.as_secs()).unwrap_or(i64::MAX));
    for name in session_cookies(settings) {
        let session = cookie(name, signed_in.secret.expose().to_owned(), settings).http_only(true).max_age(lasts);
        response.cookie(session.finish());
    }
    let hint = cookie(HINT_COOKIE, "1".to_owned(), settings).max_age(lasts);
    response.cookie(hint.finish()).cookie(device.finish());
    response
}

/// The names of the session cookie.
fn session_cookies(settings: &Settings) -> &'static [&'static str] {
    if settings.is_https() { &[HOST_SESSION_COOKIE, SESSION_COOKIE] } else { &[SESSION_COOKIE] }
}

fn cookie(name: &'static str, value: String, settings: &Settings) -> actix_web::cookie::CookieBuilder<'static> {
    Cookie::build(name, value).path("/").same_site(SameSite::Lax).secure(settings.is_https())
}

fn farewell(mut response: HttpResponseBuilder, settings: &Settings) -> HttpResponse {
    remove_cookies(&mut response, settings);
    response.finish()
}

/// Removes the session cookies from the browser. The device cookie stays.
pub(crate) fn remove_cookies(response: &mut HttpResponseBuilder, settings: &Settings) {
    for name in session_cookies(settings).iter().copied().chain([HINT_COOKIE]) {
        let mut gone = cookie(name, String::new(), settings).http_only(name != HINT_COOKIE).finish();
        gone.make_removal();
        response.cookie(gone);
    }
}

/// The data to sign up with.
#[derive(Deserialize, ToSchema)]
pub(crate) struct NewPerson {
    /// Up to 120 characters.
    #[schema(required, nullable = false)]
    name: Option<String>,
    #[schema(required, nullable = false)]
    email: Option<String>,
    /// 6 to 128 characters, and not one of the most common.
    #[schema(required, nullable = false, format = "password")]
    password: Option<String>,
}

impl NewPerson {
    fn parse(self, from: ClientNetwork) -> Result<SignUp, Problem> {
        let mut fields = Fields::default();
        let name = fields.required("name", "Name", self.name.as_deref(), Text::new);
        let email = fields.required("email", "Email", filled(self.email.as_deref()), str::parse::<Email>);
        let password = fields.required("password", "Password", self.password.as_deref(), |typed| {
            let chosen = Password::choose(typed)?;
            match (&name, &email) {
                (Some(name), Some(email)) => chosen.of(name.as_str(), email),
                _ => Ok(chosen),
            }
        });
        let whole = (|| Some(SignUp { name: name?, email: email?, password: password?, from }))();
        fields.all(whole)
    }
}

/// A field that is present and not blank: a blank one is reported as required, not as malformed.
pub(crate) fn filled(sent: Option<&str>) -> Option<&str> {
    sent.filter(|text| !text.trim().is_empty())
}

/// Creates an account and signs in.
#[utoipa::path(
    post, path = "/auth/signup", tag = "identity", request_body = NewPerson,
    responses(
        (status = 201, description = "Signed up and in: sets the cookies `session`, `signed-in` and `device`", body = Person),
        (status = 409, description = "The e-mail has an account", body = ProblemView, content_type = "application/problem+json"),
        (status = 422, description = "Invalid", body = ProblemView, content_type = "application/problem+json"),
        (status = 429, description = "Too many", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn sign_up(
    app: Data<AppState>,
    request: HttpRequest,
    Json(sent): Json<NewPerson>,
) -> Result<HttpResponse, Problem> {
    let from = client_network(&request, &app.settings);
    let signed_in = app.shop.sign_up(sent.parse(from)?).await?;
    Ok(welcome(HttpResponse::Created(), &app, &request, signed_in).await)
}

/// The credentials to sign in with.
#[derive(Deserialize, ToSchema)]
pub(crate) struct Credentials {
    #[schema(required, nullable = false)]
    email: Option<String>,
    #[schema(required, nullable = false, format = "password")]
    password: Option<String>,
}

impl Credentials {
    fn parse(self, from: ClientNetwork, device_cookie: Option<String>) -> Result<LogIn, Problem> {
        let mut fields = Fields::default();
        let email = fields.required("email", "Email", filled(self.email.as_deref()), str::parse::<Email>);
        let typed = self.password.filter(|typed| !typed.is_empty());
        let password = fields.required::<_, _, &str>("password", "Password", typed, Ok);
        let whole = (|| Some(LogIn { email: email?, password: password?, from, device_cookie }))();
        fields.all(whole)
    }
}

/// Signs in with a password.
#[utoipa::path(
    post, path = "/auth/login", tag = "identity", request_body = Credentials,
    responses(
        (status = 200, description = "Signed in: sets the cookies `session`, `signed-in` and `device`", body = Person),
        (status = 401, description = "Wrong e-mail or password", body = ProblemView, content_type = "application/problem+json"),
        (status = 422, description = "Invalid", body = ProblemView, content_type = "application/problem+json"),
        (status = 429, description = "Too many wrong passwords", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn log_in(
    app: Data<AppState>,
    request: HttpRequest,
    Json(sent): Json<Credentials>,
) -> Result<HttpResponse, Problem> {
    let from = client_network(&request, &app.settings);
    let device = device_cookie(&request, &app.settings);
    let signed_in = app.shop.log_in(sent.parse(from, device)?).await?;
    Ok(welcome(HttpResponse::Ok(), &app, &request, signed_in).await)
}

/// Ends the session, on the server too. Without one there is nothing to do.
#[utoipa::path(
    post, path = "/auth/logout", tag = "identity",
    responses((status = 204, description = "Signed out"))
)]
pub(crate) async fn log_out(app: Data<AppState>, request: HttpRequest) -> Result<HttpResponse, Problem> {
    if let Some(secret) = session_secret(&request)
        && let Some(caller) = app.shop.caller_by_cookie(&secret).await?
    {
        app.shop.log_out(&caller).await?;
    }
    Ok(farewell(HttpResponse::NoContent(), &app.settings))
}

/// Who is signed in.
#[utoipa::path(
    get, path = "/auth/me", tag = "identity", security(("session" = [])),
    responses(
        (status = 200, description = "Who is signed in", body = Person),
        (status = 401, description = "Nobody", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn me(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
) -> Result<web::Json<Person>, Problem> {
    Ok(web::Json(app.shop.me(&caller).await?.into()))
}

/// The name and the picture to change; what is not sent stays.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Rename {
    /// Up to 120 characters.
    display_name: Option<String>,
    /// An http(s) address or a path of this shop; `null` removes the picture.
    #[serde(rename = "photoURL", default, deserialize_with = "sent")]
    #[schema(value_type = Option<String>)]
    photo_url: Edit<String>,
}

/// A field that was sent, even if it is `null`.
fn sent<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Edit<String>, D::Error> {
    Option::deserialize(deserializer).map(Edit::Set)
}

/// Changes the caller's display name and picture.
#[utoipa::path(
    patch, path = "/auth/me", tag = "identity", request_body = Rename, security(("session" = [])),
    responses(
        (status = 200, description = "Who is signed in, as it is now", body = Person),
        (status = 401, description = "Nobody is signed in", body = ProblemView, content_type = "application/problem+json"),
        (status = 422, description = "Invalid", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn rename_me(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    Json(sent): Json<Rename>,
) -> Result<web::Json<Person>, Problem> {
    let mut fields = Fields::default();
    let name = fields.optional("displayName", "Display name", sent.display_name.as_deref(), Text::new);
    let photo = match sent.photo_url {
        Edit::Keep => Some(Edit::Keep),
        Edit::Set(photo) => {
            fields.optional("photoURL", "Photo", photo.as_deref(), str::parse::<PictureUrl>).map(Edit::Set)
        }
    };
    let (name, photo) = fields.all((|| Some((name?, photo?)))())?;
    Ok(web::Json(app.shop.rename_me(&caller, name, photo).await?.into()))
}

/// Uploads a picture of the caller. Others see uploaded pictures only: one at a foreign address would show its host who
/// views it.
#[utoipa::path(
    post, path = "/auth/me/photo", tag = "identity", security(("session" = [])),
    request_body(content = NewPicture, content_type = "multipart/form-data"),
    responses(
        (status = 200, description = "Who is signed in, as it is now", body = Person),
        (status = 401, description = "Nobody is signed in", body = ProblemView, content_type = "application/problem+json"),
        (status = 413, description = "Larger than 5 MB", body = ProblemView, content_type = "application/problem+json"),
        (status = 415, description = "Not a PNG, JPEG or WebP picture", body = ProblemView, content_type = "application/problem+json"),
        (status = 422, description = "No picture in it, or none that the image host takes", body = ProblemView, content_type = "application/problem+json"),
        (status = 503, description = "The image host does not answer", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn upload_photo(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    request: HttpRequest,
    Body(body): Body,
) -> Result<web::Json<Person>, Problem> {
    let picture = sent_picture(&request, body).await?;
    Ok(web::Json(app.shop.upload_photo(&caller, picture).await?.into()))
}
