//! Responses that any cache may store, as long as it revalidates them.

use actix_web::http::header::{CACHE_CONTROL, ETAG, IF_NONE_MATCH};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::problem::Problem;

/// Any cache may store the response, but has to revalidate it before each use.
pub(crate) const REVALIDATED: &str = "public, no-cache";

/// For content that never changes under its name.
pub(crate) const FOR_EVER: &str = "public, max-age=31536000, immutable";

/// Sends a value as JSON with an entity tag, or 304 if the client has it already.
pub(crate) fn json(
    request: &HttpRequest,
    response: HttpResponseBuilder,
    value: &impl Serialize,
) -> Result<HttpResponse, Problem> {
    let body = serde_json::to_vec(value).map_err(|error| Problem::defect(&error))?;
    let tag = tag(&body);
    Ok(tagged(request, response, &tag, REVALIDATED, "application/json", body))
}

/// Marks a response with its entity tag, so that any cache may store it and has to revalidate it.
pub(crate) fn set_tag(response: &mut HttpResponseBuilder, tag: &str) {
    response.insert_header((ETAG, tag)).insert_header((CACHE_CONTROL, REVALIDATED));
}

/// Sends a body with its entity tag, or 304 if the client has it already.
pub(crate) fn tagged(
    request: &HttpRequest,
    mut response: HttpResponseBuilder,
    tag: &str,
    caching: &'static str,
    media_type: &str,
    body: impl Into<actix_web::web::Bytes>,
) -> HttpResponse {
    response.insert_header((ETAG, tag)).insert_header((CACHE_CONTROL, caching));
    if has_already(request, tag) {
        return response.status(actix_web::http::StatusCode::NOT_MODIFIED).finish();
    }
    response.content_type(media_type).body(body.into())
}

/// A weak tag (RFC 9110, section 8.8.1): the same content may be sent compressed or not.
pub(crate) fn tag(body: &[u8]) -> String {
    hex_tag(&Sha256::digest(body))
}

/// A weak tag from a digest that is known already.
pub(crate) fn hex_tag(digest: &[u8]) -> String {
    use std::fmt::Write;
    let mut tag = String::from("W/\"");
    for byte in digest.iter().take(12) {
        // Writing to a string does not fail.
        let _ = write!(tag, "{byte:02x}");
    }
    tag.push('"');
    tag
}

pub(crate) fn has_already(request: &HttpRequest, tag: &str) -> bool {
    let opaque = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    let ours = opaque(tag);
    request
        .headers()
        .get_all(IF_NONE_MATCH)
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(','))
        .any(|theirs| theirs.trim() == "*" || opaque(theirs) == ours)
}
