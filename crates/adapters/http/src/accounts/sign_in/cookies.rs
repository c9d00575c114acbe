//! The cookies of a session.

use actix_web::cookie::time::Duration as CookieDuration;
use actix_web::cookie::{Cookie, SameSite};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use application::SignedIn;

use crate::accounts::me::view::AccountView;
use crate::app_state::{AppState, Settings};
use crate::browser::device_of;
use crate::extract::{
    HINT_COOKIE, HOST_SESSION_COOKIE, SESSION_COOKIE, device_cookie, device_cookie_name, session_secret,
};

/// How long a device cookie lasts after the last sign-in with it.
const DEVICE_LIFE: CookieDuration = CookieDuration::days(365);

/// Answers a sign-in with its cookies and the account.
pub(crate) async fn answer_signed_in(
    response: HttpResponseBuilder,
    app: &AppState,
    request: &HttpRequest,
    signed_in: SignedIn,
) -> HttpResponse {
    let mut response = set_cookies(response, app, request, &signed_in).await;
    response.json(AccountView::from(signed_in.account))
}

/// Sets the cookies of a new sign-in.
pub(crate) async fn set_cookies(
    mut response: HttpResponseBuilder,
    app: &AppState,
    request: &HttpRequest,
    signed_in: &SignedIn,
) -> HttpResponseBuilder {
    let settings = &app.settings;
    app.shop.signing_in.note_browser(signed_in, device_of(request), session_secret(request).as_ref()).await;
    let lasts = CookieDuration::seconds(i64::try_from(signed_in.lasts.as_secs()).unwrap_or(i64::MAX));
    for name in session_cookies(settings) {
        let session = cookie(name, signed_in.secret.expose().to_owned(), settings).http_only(true).max_age(lasts);
        response.cookie(session.finish());
    }
    let hint = cookie(HINT_COOKIE, "1".to_owned(), settings).max_age(lasts);
    response.cookie(hint.finish());
    let held = device_cookie(request, settings).unwrap_or_default();
    if let Some(device) = app.shop.signing_in.device_cookie(signed_in, &held).await {
        response.cookie(known_device(device, settings));
    }
    response
}

/// The cookie of a device that an account knows.
pub(crate) fn known_device(value: String, settings: &Settings) -> Cookie<'static> {
    cookie(device_cookie_name(settings), value, settings).http_only(true).max_age(DEVICE_LIFE).finish()
}

/// The names of the session cookie.
fn session_cookies(settings: &Settings) -> &'static [&'static str] {
    if settings.is_https() { &[HOST_SESSION_COOKIE, SESSION_COOKIE] } else { &[SESSION_COOKIE] }
}

fn cookie(name: &'static str, value: String, settings: &Settings) -> actix_web::cookie::CookieBuilder<'static> {
    Cookie::build(name, value).path("/").same_site(SameSite::Lax).secure(settings.is_https())
}

/// Removes the session cookies from the browser. The device cookie stays.
pub(crate) fn remove_cookies(response: &mut HttpResponseBuilder, settings: &Settings) {
    for name in session_cookies(settings).iter().copied().chain([HINT_COOKIE]) {
        let mut gone = cookie(name, String::new(), settings).http_only(name != HINT_COOKIE).finish();
        gone.make_removal();
        response.cookie(gone);
    }
}
