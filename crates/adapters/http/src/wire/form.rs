//! Forms with a file, whose body has been read as a whole.
//!
//! Not by actix-multipart, which waits for more of a body that ends within the line before a boundary, and so for ever.

use std::convert::Infallible;
use std::future::ready;

use actix_web::HttpRequest;
use actix_web::http::header::CONTENT_TYPE;
use actix_web::web::Bytes;
use futures_util::stream;
use multer::Multipart;

use crate::problem::Problem;

/// The bytes of a field; `None` if the form does not have it.
///
/// # Errors
/// 400 with `broken` if it is no form or breaks off, 413 if the field has more than `most` bytes.
pub(crate) async fn field(
    request: &HttpRequest,
    body: Bytes,
    name: &str,
    most: usize,
    broken: &'static str,
) -> Result<Option<Vec<u8>>, Problem> {
    let broken = |_| Problem::bad_request(broken);
    let declared = request.headers().get(CONTENT_TYPE).and_then(|declared| declared.to_str().ok()).unwrap_or_default();
    let boundary = multer::parse_boundary(declared).map_err(broken)?;
    let mut parts = Multipart::new(stream::once(ready(Ok::<_, Infallible>(body))), boundary);
    while let Some(mut part) = parts.next_field().await.map_err(broken)? {
        if part.name() != Some(name) {
            continue;
        }
        let mut file = Vec::new();
        while let Some(piece) = part.chunk().await.map_err(broken)? {
            if file.len() + piece.len() > most {
                return Err(Problem::too_large(most));
            }
            file.extend_from_slice(&piece);
        }
        return Ok(Some(file));
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use actix_web::ResponseError;
    use actix_web::test::TestRequest;
    use futures_util::FutureExt;

    use super::*;

    /// What comes of a body; `None` if it is waited for more.
    fn read(body: &str, most: usize) -> Option<Result<Option<String>, u16>> {
        let declared = (CONTENT_TYPE, "multipart/form-data; boundary=b");
        let request = TestRequest::default().insert_header(declared).to_http_request();
        let read = field(&request, Bytes::copy_from_slice(body.as_bytes()), "image", most, "broken").now_or_never()?;
        let text = |file: Option<Vec<u8>>| file.map(|file| String::from_utf8(file).unwrap());
        Some(read.map(text).map_err(|problem| problem.status_code().as_u16()))
    }

    const FORM: &str = "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx\r\n--b\r\n\
        Content-Disposition: form-data; name=\"image\"; filename=\"a.png\"\r\n\r\nPNG\r\n--b--\r\n";

    #[test]
    fn a_field_is_found_among_others_and_bounded() {
        assert_eq!(read(FORM, 3), Some(Ok(Some("PNG".to_owned()))));
        assert_eq!(read(FORM, 2), Some(Err(413)));
        assert_eq!(read("--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx\r\n--b--\r\n", 3), Some(Ok(None)));
        assert_eq!(read("", 3), Some(Err(400)));
    }

    #[test]
    fn a_form_that_breaks_off_anywhere_is_refused_and_never_waited_for() {
        // The last two bytes end a line after the end.
        for end in 0..FORM.len() - 4 {
            assert_eq!(read(&FORM[..end], 3), Some(Err(400)), "{:?}", &FORM[..end]);
        }
    }
}
