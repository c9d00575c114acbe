//! Reading the body of a request.

use std::time::Duration;

use actix_web::HttpMessage;
use actix_web::dev::ServiceRequest;
use actix_web::http::header::{CONTENT_ENCODING, CONTENT_LENGTH};
use actix_web::web::{Bytes, BytesMut};
use futures_util::StreamExt;

use crate::problem::Problem;
use crate::route::RouteSpec;

/// Size limit of a JSON body, in bytes.
const JSON_MAX: usize = 100_000;
/// Size limit of a form with a picture, in bytes; the image host checks the picture itself.
const PICTURE_MAX: usize = 5_300_000;
/// Size limit of a product file, in bytes.
const FILE_MAX: usize = 2 * 1_024 * 1_024;
/// Size limit of a list of part numbers, in bytes: the text's own limit is checked when it is decoded.
const QUICK_ORDER_MAX: usize = 2 * FILE_MAX;
/// Size limit of the lines of a cart or a saved list, in bytes: a thousand of them.
const LINES_MAX: usize = 500_000;
/// Deadline for a body.
const BODY_DEADLINE: Duration = Duration::from_secs(20);
/// Whether the body is compressed or otherwise encoded. It is never inflated here: a few hundred bytes can expand to
/// gigabytes, so a limit on what arrives says nothing about what comes out.
pub(crate) fn is_encoded(request: &ServiceRequest) -> bool {
    request.headers().get_all(CONTENT_ENCODING).any(|codings| {
        // A coding that is not even text is not a known one.
        codings.to_str().map_or(true, |codings| {
            codings
                .split(',')
                .map(str::trim)
                .any(|coding| !coding.is_empty() && !coding.eq_ignore_ascii_case("identity"))
        })
    })
}

/// The whole body, within its route's size limit and the deadline.
///
/// # Errors
/// 413 beyond the limit, 408 past the deadline, 400 if it breaks off.
pub(crate) async fn read_body(request: &mut ServiceRequest, route: &RouteSpec) -> Result<Bytes, Problem> {
    let most = match route.path.as_str() {
        "/images" | "/auth/me/photo" => PICTURE_MAX,
        "/products.csv" => FILE_MAX,
        "/quick-order/check" => QUICK_ORDER_MAX,
        "/cart" | "/cart/merge" | "/lists" | "/lists/{id}" => LINES_MAX,
        _ => JSON_MAX,
    };
    let announced =
        request.headers().get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    if announced.is_some_and(|length| length > most) {
        return Err(Problem::too_large(most));
    }
    let mut payload = request.take_payload();
    let read = async {
        let mut body = BytesMut::new();
        while let Some(chunk) = payload.next().await {
            let chunk = chunk.map_err(|_| Problem::bad_request("The request ended early. Please send it again."))?;
            if body.len() + chunk.len() > most {
                return Err(Problem::too_large(most));
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body.freeze())
    };
    tokio::time::timeout(BODY_DEADLINE, read).await.unwrap_or_else(|_| Err(Problem::too_slow()))
}
