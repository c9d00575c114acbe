//! Files that only their owner may keep.

use actix_web::http::header::CONTENT_DISPOSITION;
use actix_web::{HttpRequest, HttpResponse};
use application::Drawn;

use crate::cache;

/// Sends a drawn document to be shown, under its own name, or 304 if the client has it already.
pub(crate) fn file(request: &HttpRequest, drawn: Drawn, media_type: &'static str) -> HttpResponse {
    let mut response = HttpResponse::Ok();
    // The name has a number of the shop's in it and nothing that was typed.
    response.insert_header((CONTENT_DISPOSITION, format!("inline; filename=\"{}\"", drawn.name)));
    let tag = cache::tag(&drawn.bytes);
    cache::tagged(request, response, &tag, "no-store", media_type, drawn.bytes)
}
