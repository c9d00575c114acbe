//! `GET /.well-known/security.txt`.

use std::time::Duration;

use actix_web::HttpRequest;
use actix_web::HttpResponse;
use actix_web::web::Data;

use crate::app_state::AppState;
use crate::cache::{self, tagged};

/// How long the file is to be believed: less than a year (RFC 9116, section 2.5.5).
const VALID: Duration = Duration::from_hours(180 * 24);

/// How to report a vulnerability.
#[utoipa::path(
    get, path = "/.well-known/security.txt",
    responses((status = 200, description = "RFC 9116", content_type = "text/plain", body = String))
)]
pub(crate) async fn get_security_txt(app: Data<AppState>, request: HttpRequest) -> HttpResponse {
    let settings = &app.settings;
    let contact = match &settings.contact.email {
        Some(email) => format!("mailto:{email}"),
        None => settings.address("/contact"),
    };
    // The same all day, and so is its tag.
    let expires = (app.clock.now() + VALID).strftime("%Y-%m-%dT00:00:00Z");
    let text = format!(
        "Contact: {contact}\nExpires: {expires}\nPreferred-Languages: en\nCanonical: {}\n",
        settings.address("/.well-known/security.txt")
    );
    let tag = cache::tag(text.as_bytes());
    tagged(&request, HttpResponse::Ok(), &tag, cache::FOR_AN_HOUR, "text/plain; charset=utf-8", text)
}
