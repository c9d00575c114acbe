//! Calls that another site's page makes with the visitor's cookies (CSRF).
//!
//! The cookies are `SameSite=Lax`. That keeps other *sites* out, but lets in every sub-domain of the own site, and does
//! not stop a call that does harm without a cookie: a form elsewhere that signs a visitor in or out. Browsers say where
//! a call comes from; that is trusted, because no page can change what its browser says.

use actix_web::HttpRequest;
use actix_web::http::header::{HOST, HeaderMap, HeaderName, ORIGIN};

use crate::app_state::Settings;

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Whether a browser says that this call comes from a page that is neither the shop's nor one of `CORS_ORIGINS`. A
/// client that is not a browser says nothing, and is not foreign.
pub(crate) fn is_foreign(request: &HttpRequest, settings: &Settings) -> bool {
    let headers = request.headers();
    let origin = headers.get(ORIGIN).map(|origin| origin.to_str().unwrap_or_default());
    if origin.is_some_and(|origin| settings.cors_origins.iter().any(|allowed| allowed == origin)) {
        return false;
    }
    let from_here = headers.get(FETCH_SITE).map(|site| matches!(site.as_bytes(), b"same-origin" | b"none"));
    match (from_here, origin) {
        (Some(false), _) => true,
        // `null` is sent by a page whose origin must not be disclosed.
        (Some(true), Some("null")) | (_, None) => false,
        (_, Some(origin)) => !is_ours(origin, headers, settings),
    }
}

/// Compares with the public URL, and with the host that this browser uses: a demo has several names.
fn is_ours(origin: &str, headers: &HeaderMap, settings: &Settings) -> bool {
    let host = origin.split_once("://").map(|(_, host)| host);
    let asked = headers.get(HOST).and_then(|host| host.to_str().ok());
    origin.eq_ignore_ascii_case(&settings.public_url)
        || matches!((host, asked), (Some(host), Some(asked)) if host.eq_ignore_ascii_case(asked))
}
