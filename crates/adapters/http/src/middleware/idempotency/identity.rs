//! Which requests are the same.

use actix_web::dev::ServiceRequest;
use actix_web::http::header::{CONTENT_TYPE, HeaderValue};
use actix_web::mime::MULTIPART_FORM_DATA;

use crate::extract::media_type;

/// Everything that makes two requests the same.
pub(crate) fn identity(request: &ServiceRequest, body: &[u8]) -> Vec<u8> {
    let mut identity = Vec::with_capacity(body.len() + 128);
    for part in [request.method().as_str().as_bytes(), request.uri().to_string().as_bytes()] {
        identity.extend_from_slice(part);
        identity.push(b'\n');
    }
    if let Some(boundary) = boundary(request) {
        push_parts(&mut identity, &boundary, body);
    } else {
        identity.extend_from_slice(request.headers().get(CONTENT_TYPE).map_or(b"", HeaderValue::as_bytes));
        identity.push(b'\n');
        identity.extend_from_slice(body);
    }
    identity
}

/// The boundary between the fields of a form. A browser that sends a form again makes up another one.
fn boundary(request: &ServiceRequest) -> Option<String> {
    let media = media_type(request)?;
    let is_form = media.essence_str() == MULTIPART_FORM_DATA.essence_str();
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
