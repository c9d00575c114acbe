//! Idempotency keys: which requests are the same, and how the stored response of the first one is sent again.

use actix_web::body::{BoxBody, to_bytes};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::mime::Mime;
use actix_web::web::Data;
use actix_web::{Error, HttpMessage, HttpResponse, ResponseError, rt};
use application::IdempotentRequest;
use domain::AccountId;
use ports::StoredResponse;

use crate::app_state::AppState;
use crate::problem::{Passing, Problem};

/// The longest idempotency key, in characters (the length that Stripe takes).
pub(crate) const KEY_MAX: usize = 255;

/// Marks a response that was stored before.
const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// The `Idempotency-Key` header, if one was sent: 1 to 255 printable ASCII characters.
pub(crate) fn sent_key(request: &ServiceRequest) -> Option<Result<String, Problem>> {
    let header = request.headers().get("idempotency-key")?;
    let key = header.to_str().ok().map(str::trim).filter(|key| (1..=KEY_MAX).contains(&key.len()));
    let refused = || Problem::bad_request(format!("Idempotency-Key has to be 1 to {KEY_MAX} printable characters"));
    Some(key.map(str::to_owned).ok_or_else(refused))
}

/// Runs the call once under its key. It runs to its end even if the client disconnects, so that a retry finds the
/// response.
pub(crate) async fn run_once(
    request: ServiceRequest,
    next: Next<BoxBody>,
    app: Data<AppState>,
    caller: Option<AccountId>,
    sent: String,
    body: &[u8],
) -> Result<ServiceResponse<BoxBody>, Error> {
    let identity = identity(&request, body);
    let outer = request.request().clone();
    request.extensions_mut().insert(app.shop.payments.idempotency_key(caller, &sent, &identity));
    let answered = rt::spawn(async move {
        let run = async { capture(next.call(request).await).await };
        app.shop.payments.run_idempotent(IdempotentRequest { caller, sent: &sent, request: &identity }, run).await
    });
    let response = match answered.await {
        Ok(Ok(given)) => answer(&given.answer, given.replayed),
        Ok(Err(error)) => Problem::from(error).error_response(),
        Err(error) => {
            tracing::error!(%error, "a request with an idempotency key was aborted");
            Problem::unavailable().error_response()
        }
    };
    Ok(ServiceResponse::new(outer, response))
}

/// Everything that makes two requests the same.
fn identity(request: &ServiceRequest, body: &[u8]) -> Vec<u8> {
    let media = request.headers().get(CONTENT_TYPE).map_or(&b""[..], HeaderValue::as_bytes);
    let mut identity = Vec::with_capacity(body.len() + 128);
    for part in [request.method().as_str().as_bytes(), request.uri().to_string().as_bytes()] {
        identity.extend_from_slice(part);
        identity.push(b'\n');
    }
    if let Some(boundary) = boundary(media) {
        push_parts(&mut identity, &boundary, body);
    } else {
        identity.extend_from_slice(media);
        identity.push(b'\n');
        identity.extend_from_slice(body);
    }
    identity
}

/// The boundary between the fields of a form. A browser that sends a form again makes up another one.
fn boundary(media: &[u8]) -> Option<String> {
    let media = std::str::from_utf8(media).ok()?.parse::<Mime>().ok()?;
    let is_form = media.type_() == "multipart" && media.subtype() == "form-data";
    let boundary = media.get_param("boundary").filter(|_| is_form)?.as_str();
    (!boundary.is_empty()).then(|| boundary.to_owned())
}

/// Adds the fields of a form, each after its length, without the boundary between them. No field can contain the
/// boundary (RFC 2046, section 5.1.1), so this splits as any parser does.
fn push_parts(identity: &mut Vec<u8>, boundary: &str, body: &[u8]) {
    identity.extend_from_slice(b"multipart/form-data\n");
    let delimiter = format!("--{boundary}").into_bytes();
    let mut rest = body;
    loop {
        let end = find(rest, &delimiter);
        let part = &rest[..end.unwrap_or(rest.len())];
        identity.extend_from_slice(&u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
        identity.extend_from_slice(part);
        let Some(end) = end else { return };
        rest = &rest[end + delimiter.len()..];
    }
}

/// The index of the first `needle`, which must not be empty.
fn find(hay: &[u8], needle: &[u8]) -> Option<usize> {
    let first = *needle.first()?;
    let mut from = 0;
    while let Some(step) = hay.get(from..)?.iter().position(|byte| *byte == first) {
        from += step;
        if hay[from..].starts_with(needle) {
            return Some(from);
        }
        from += 1;
    }
    None
}

/// The response, and whether to store it. One that a retry may change is not stored: 401, 402, 408, 429, a server
/// error, or one marked as [`Passing`].
async fn capture(response: Result<ServiceResponse<BoxBody>, Error>) -> (StoredResponse, bool) {
    let response = match response {
        Ok(response) => response.into_parts().1,
        Err(error) => error.error_response(),
    };
    let status = response.status();
    let passing = response.extensions().get::<Passing>().is_some()
        || status.is_server_error()
        || matches!(
            status,
            StatusCode::UNAUTHORIZED
                | StatusCode::PAYMENT_REQUIRED
                | StatusCode::TOO_MANY_REQUESTS
                | StatusCode::REQUEST_TIMEOUT
        );
    let headers =
        response.headers().iter().map(|(name, value)| (name.as_str().to_owned(), value.as_bytes().to_vec())).collect();
    let body = to_bytes(response.into_body()).await.map(|bytes| bytes.to_vec()).unwrap_or_default();
    (StoredResponse { status: status.as_u16(), headers, body }, !passing)
}

fn answer(answer: &StoredResponse, replayed: bool) -> HttpResponse {
    let status = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = HttpResponse::build(status);
    for (name, value) in &answer.headers {
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(name.as_str()), HeaderValue::from_bytes(value))
            && name != CONTENT_LENGTH
        {
            response.append_header((name, value));
        }
    }
    if replayed {
        response.insert_header((REPLAYED, "true"));
    }
    response.body(answer.body.clone())
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn form(boundary: &str, content: &str) -> Vec<u8> {
        let media = format!("multipart/form-data; boundary={boundary}");
        let request = TestRequest::post().uri("/images").insert_header((CONTENT_TYPE, media)).to_srv_request();
        let body = format!(
            "--{boundary}\r\nContent-Disposition: form-data; name=\"image\"\r\n\r\n{content}\r\n--{boundary}--\r\n"
        );
        identity(&request, body.as_bytes())
    }

    #[test]
    fn forms_are_compared_by_their_fields_and_not_by_their_boundary() {
        assert_eq!(form("----WebKitFormBoundaryabc", "a picture"), form("another.one", "a picture").as_slice());
        assert_ne!(form("abc", "a picture"), form("abc", "another picture"));
        // The end of a field is not part of its content: forms that split differently are different.
        assert_ne!(form("abc", "one\r\n--abc\r\ntwo"), form("xyz", "one\r\n--abc\r\ntwo"));
    }

    #[test]
    fn other_bodies_are_compared_byte_by_byte() {
        let of = |media: &str, body: &str| {
            let request = TestRequest::post().uri("/orders").insert_header((CONTENT_TYPE, media)).to_srv_request();
            identity(&request, body.as_bytes())
        };
        assert_eq!(of("application/json", "{}"), of("application/json", "{}"));
        assert_ne!(of("application/json", "{}"), of("application/json", "{ }"));
        assert_ne!(of("application/json", "{}"), of("text/csv", "{}"));
        for odd in ["multipart/form-data", "multipart/form-data; boundary=", "no type at all"] {
            assert_ne!(of(odd, "a"), of(odd, "b"));
        }
    }
}
