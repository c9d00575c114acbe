//! Responses that any cache may store, as long as it revalidates them.

use actix_web::http::header::{CACHE_CONTROL, CONTENT_ENCODING, ETAG, HeaderMap, IF_NONE_MATCH, VARY};
use actix_web::web::{Bytes, Data};
use actix_web::{HttpMessage, HttpRequest, HttpResponse, HttpResponseBuilder};
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::encoding::{Compressed, Encoding};
use crate::problem::Problem;

/// Any cache may store the response, but has to revalidate it before each use.
pub(crate) const REVALIDATED: &str = "public, no-cache";

/// Any cache may keep the response for an hour without asking again.
pub(crate) const FOR_AN_HOUR: &str = "public, max-age=3600";

/// Any cache may keep the response for a day without asking again.
pub(crate) const FOR_A_DAY: &str = "public, max-age=86400, immutable";

/// For content that never changes under its name.
pub(crate) const FOR_EVER: &str = "public, max-age=31536000, immutable";

/// JSON that everybody may see, with its entity tag.
pub(crate) struct PublicJson {
    pub(crate) json: Bytes,
    pub(crate) tag: String,
    /// The number of the snapshot of the catalogue that it was made from; `None` if the database was asked.
    pub(crate) snapshot: Option<u64>,
}

impl PublicJson {
    /// What was read from the database, tagged by its content.
    ///
    /// # Errors
    /// [`Problem`] if it cannot be written as JSON, which is a defect.
    pub(crate) fn of(value: &impl Serialize) -> Result<Self, Problem> {
        let json = serde_json::to_vec(value).map_err(|error| Problem::defect(&error))?;
        Ok(Self { tag: tag(&json), json: json.into(), snapshot: None })
    }

    /// Sends it, or 304 if the client has it already.
    pub(crate) fn send(self, request: &HttpRequest, response: HttpResponseBuilder) -> HttpResponse {
        revalidated(request, response, self.snapshot, self.tag, "application/json", || self.json)
    }

    /// Sends what changes with releases of the shop only, or 304 if the client has it already.
    pub(crate) fn send_for_a_day(self, request: &HttpRequest) -> HttpResponse {
        let Self { tag, json, .. } = self;
        varied(request, HttpResponse::Ok(), &tag, FOR_A_DAY, "application/json", || json).1
    }
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
    body: impl Into<Bytes>,
) -> HttpResponse {
    response.insert_header((ETAG, tag)).insert_header((CACHE_CONTROL, caching));
    if has_already(request.headers(), tag) {
        return response.status(actix_web::http::StatusCode::NOT_MODIFIED).finish();
    }
    response.content_type(media_type).body(body.into())
}

/// A response that can be sent again for as long as the snapshot of the catalogue that it was made from is the current one.
pub(crate) struct Reusable {
    /// The snapshot's number.
    pub(crate) snapshot: u64,
    pub(crate) tag: String,
    pub(crate) media_type: &'static str,
    pub(crate) encoding: Encoding,
    pub(crate) body: Bytes,
}

/// Sends what any cache may store and has to revalidate, in the encoding that the client prefers, or 304 if it has it
/// already. A response that was made from a snapshot is left with the request, so that the next request for it need not
/// come this far.
pub(crate) fn revalidated(
    request: &HttpRequest,
    response: HttpResponseBuilder,
    snapshot: Option<u64>,
    tag: String,
    media_type: &'static str,
    body: impl FnOnce() -> Bytes,
) -> HttpResponse {
    let ((encoding, body), answer) = varied(request, response, &tag, REVALIDATED, media_type, body);
    if let Some(snapshot) = snapshot.filter(|_| encoding == Encoding::preferred(request)) {
        request.extensions_mut().insert(Reusable { snapshot, tag, media_type, encoding, body });
    }
    answer
}

/// A response in the encoding that the client prefers, with the encoding and the body that it was made of.
fn varied(
    request: &HttpRequest,
    mut response: HttpResponseBuilder,
    tag: &str,
    caching: &'static str,
    media_type: &'static str,
    body: impl FnOnce() -> Bytes,
) -> ((Encoding, Bytes), HttpResponse) {
    let (encoding, body) = encoded(request, tag, body);
    response.insert_header((VARY, "accept-encoding"));
    if let Some(name) = encoding.name().filter(|_| !has_already(request.headers(), tag)) {
        response.insert_header((CONTENT_ENCODING, name));
    }
    let answer = tagged(request, response, tag, caching, media_type, body.clone());
    ((encoding, body), answer)
}

/// A body in the encoding that the client prefers, and which one that is.
pub(crate) fn encoded(request: &HttpRequest, tag: &str, body: impl FnOnce() -> Bytes) -> (Encoding, Bytes) {
    match request.app_data::<Data<Compressed>>() {
        Some(compressed) => compressed.encoded(Encoding::preferred(request), tag, body),
        None => (Encoding::Identity, body()),
    }
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

/// Whether a request's `If-None-Match` names a tag.
pub(crate) fn has_already(headers: &HeaderMap, tag: &str) -> bool {
    fn opaque(tag: &str) -> &str {
        tag.trim().trim_start_matches("W/")
    }
    let ours = opaque(tag);
    headers
        .get_all(IF_NONE_MATCH)
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(','))
        .any(|theirs| theirs.trim() == "*" || opaque(theirs) == ours)
}
