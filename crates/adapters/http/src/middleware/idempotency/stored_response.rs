//! A response as it is stored: an HTTP response as opaque bytes.

use actix_web::body::{BoxBody, to_bytes};
use actix_web::dev::ServiceResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_LENGTH, HeaderName, HeaderValue};
use actix_web::{Error, HttpResponse};

use crate::problem::Retryable;

/// Marks a response that was stored before.
pub(crate) const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// An HTTP response, as it was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StoredResponse {
    status: u16,
    /// The headers to replay, in order.
    headers: Vec<(String, Vec<u8>)>,
    body: Vec<u8>,
}

impl StoredResponse {
    /// The response, and whether to store it. One that a retry may change is not stored: 401, 402, 408, 429, a server
    /// error, or one marked as [`Retryable`].
    pub(crate) async fn capture(response: Result<ServiceResponse<BoxBody>, Error>) -> (Self, bool) {
        let response = match response {
            Ok(response) => response.into_parts().1,
            Err(error) => error.error_response(),
        };
        let status = response.status();
        let retryable = response.extensions().get::<Retryable>().is_some()
            || status.is_server_error()
            || matches!(
                status,
                StatusCode::UNAUTHORIZED
                    | StatusCode::PAYMENT_REQUIRED
                    | StatusCode::TOO_MANY_REQUESTS
                    | StatusCode::REQUEST_TIMEOUT
            );
        let headers = response
            .headers()
            .iter()
            .map(|(name, value)| (name.as_str().to_owned(), value.as_bytes().to_vec()))
            .collect();
        let body = to_bytes(response.into_body()).await.map(|bytes| bytes.to_vec()).unwrap_or_default();
        (Self { status: status.as_u16(), headers, body }, !retryable)
    }

    /// Whether the request did what it was to do.
    pub(crate) fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// The response as it is sent; a repeat says that it is one.
    pub(crate) fn to_http(&self, replayed: bool) -> HttpResponse {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = HttpResponse::build(status);
        for (name, value) in &self.headers {
            if let (Ok(name), Ok(value)) = (HeaderName::try_from(name.as_str()), HeaderValue::from_bytes(value))
                && name != CONTENT_LENGTH
            {
                response.append_header((name, value));
            }
        }
        if replayed {
            response.insert_header((REPLAYED, "true"));
        }
        response.body(self.body.clone())
    }

    /// Status (2 bytes), number of headers (2), then per header its name and value, each preceded by its length (4); the
    /// rest is the body. Numbers are big-endian. Stored responses outlive an upgrade: another format would have to read
    /// this one too. `None` for more headers, or a longer one, than that can count.
    pub(crate) fn to_bytes(&self) -> Option<Vec<u8>> {
        let headers: usize = self.headers.iter().map(|(name, value)| 8 + name.len() + value.len()).sum();
        let mut packed = Vec::with_capacity(4 + headers + self.body.len());
        packed.extend_from_slice(&self.status.to_be_bytes());
        packed.extend_from_slice(&u16::try_from(self.headers.len()).ok()?.to_be_bytes());
        for (name, value) in &self.headers {
            for part in [name.as_bytes(), value.as_slice()] {
                packed.extend_from_slice(&u32::try_from(part.len()).ok()?.to_be_bytes());
                packed.extend_from_slice(part);
            }
        }
        packed.extend_from_slice(&self.body);
        Some(packed)
    }

    /// Reads what [`Self::to_bytes`] wrote; `None` for anything else.
    pub(crate) fn from_bytes(packed: &[u8]) -> Option<Self> {
        let mut rest = packed;
        let status = u16::from_be_bytes(take(&mut rest)?);
        let count = u16::from_be_bytes(take(&mut rest)?);
        let headers = (0..count)
            .map(|_| {
                let name = take_part(&mut rest)?;
                let value = take_part(&mut rest)?;
                Some((String::from_utf8(name).ok()?, value))
            })
            .collect::<Option<_>>()?;
        Some(Self { status, headers, body: rest.to_vec() })
    }
}

fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (taken, left) = rest.split_first_chunk()?;
    *rest = left;
    Some(*taken)
}

fn take_part(rest: &mut &[u8]) -> Option<Vec<u8>> {
    let length = usize::try_from(u32::from_be_bytes(take(rest)?)).ok()?;
    let (taken, left) = rest.split_at_checked(length)?;
    *rest = left;
    Some(taken.to_vec())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A response that has only a body.
    pub(crate) fn created(body: &[u8]) -> StoredResponse {
        StoredResponse { status: 201, headers: Vec::new(), body: body.to_vec() }
    }

    fn response() -> StoredResponse {
        StoredResponse {
            status: 201,
            headers: vec![
                ("set-cookie".to_owned(), b"session=abc".to_vec()),
                ("set-cookie".to_owned(), vec![0xff, 0x00]),
                (String::new(), Vec::new()),
            ],
            body: b"{\"insertedId\":\"1\"}".to_vec(),
        }
    }

    /// [`response`], as the version before this module wrote it.
    const STORED_BEFORE: &[u8] = b"\x00\xc9\x00\x03\
        \x00\x00\x00\x0aset-cookie\x00\x00\x00\x0bsession=abc\
        \x00\x00\x00\x0aset-cookie\x00\x00\x00\x02\xff\x00\
        \x00\x00\x00\x00\x00\x00\x00\x00{\"insertedId\":\"1\"}";

    #[test]
    fn a_response_is_read_as_it_was_written_now_and_by_earlier_versions() {
        let empty = StoredResponse { status: 204, headers: Vec::new(), body: Vec::new() };
        for response in [response(), empty] {
            let packed = response.to_bytes().unwrap();
            assert_eq!(StoredResponse::from_bytes(&packed), Some(response));
        }
        assert_eq!(StoredResponse::from_bytes(STORED_BEFORE), Some(response()));
        // And an earlier version that still runs beside this one reads what this one writes.
        assert_eq!(response().to_bytes().as_deref(), Some(STORED_BEFORE));
    }

    #[test]
    fn truncated_responses_are_not_read() {
        let packed = response().to_bytes().unwrap();
        let body = response().body.len();
        for length in 0..packed.len() - body {
            assert_eq!(StoredResponse::from_bytes(&packed[..length]), None, "{length} bytes");
        }
        assert_eq!(StoredResponse::from_bytes(&[0, 200, 0, 1, 0xff, 0xff, 0xff, 0xff]), None);
    }
}
