//! A fake imgbb: its one call, `POST /1/upload` (<https://api.imgbb.com/>), on loopback, failures included.
//!
//! It answers what imgbb documents, and where the documentation is silent, what imgbb has been seen to answer: almost
//! every error is a 400 whose code says little, so that only the message distinguishes a wrong key from a rate limit.

use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use http_body_util::{BodyDataStream, BodyExt, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::CONTENT_TYPE;
use hyper::service::service_fn;
use hyper::{Method, Response, StatusCode};
use hyper_util::rt::TokioIo;
use multer::Multipart;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::task::{JoinHandle, JoinSet};
use url::form_urlencoded;

/// The largest picture that imgbb accepts, in bytes.
const MOST: usize = 32 * 1024 * 1024;
/// Where imgbb stores pictures.
const PICTURES: &str = "https://i.ibb.co";

/// A failure of one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// The key has been revoked.
    KeyRefused,
    /// Too many pictures were uploaded with this key.
    RateLimit,
    /// The request contains no picture.
    NoImage,
    /// The picture cannot be decoded.
    NotBase64,
    /// The picture is larger than 32 MB.
    TooLarge,
    /// This status with an HTML page, as from a proxy.
    Status(u16),
    /// Success, and no JSON.
    Garbage,
    /// Success, and JSON of another structure.
    WrongTypes,
    /// Success, and a URL that begins like this.
    Elsewhere(&'static str),
    /// Accepts the call and never answers.
    Hang,
    /// Accepts the call and closes the connection.
    HangUp,
}

/// A picture that was uploaded.
#[derive(Debug, Clone)]
pub struct Taken {
    /// The file's name in the upload.
    pub name: String,
    pub bytes: Vec<u8>,
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// The URL in the response.
    pub url: String,
}

#[derive(Default)]
struct State {
    key: String,
    asked: usize,
    troubles: VecDeque<Trouble>,
    taken: Vec<Taken>,
}

/// A fake imgbb on loopback, stopped when it is dropped.
pub struct FakeImgbb {
    base: String,
    state: Arc<Mutex<State>>,
    server: JoinHandle<()>,
}

impl fmt::Debug for FakeImgbb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FakeImgbb").field(&self.base).finish()
    }
}

impl Drop for FakeImgbb {
    fn drop(&mut self) {
        self.server.abort();
    }
}

impl FakeImgbb {
    /// Starts on a free port, for callers with this key.
    ///
    /// # Errors
    /// If loopback has no port.
    pub async fn start(key: &str) -> io::Result<Self> {
        Self::start_on(0, key).await
    }

    /// Starts on a given port.
    ///
    /// # Errors
    /// If the port is taken.
    pub async fn start_on(port: u16, key: &str) -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", port)).await?;
        let base = format!("http://{}", listener.local_addr()?);
        let state = Arc::new(Mutex::new(State { key: key.to_owned(), ..State::default() }));
        let server = tokio::spawn(serve(listener, Arc::clone(&state)));
        Ok(Self { base, state, server })
    }

    /// Its address, without a trailing slash.
    #[must_use]
    pub fn base(&self) -> &str {
        &self.base
    }

    /// Lets the next call fail; several failures queue up.
    pub fn next(&self, trouble: Trouble) {
        lock(&self.state).troubles.push_back(trouble);
    }

    /// How many calls have been received.
    #[must_use]
    pub fn asked(&self) -> usize {
        lock(&self.state).asked
    }

    /// The uploaded pictures, oldest first.
    #[must_use]
    pub fn taken(&self) -> Vec<Taken> {
        lock(&self.state).taken.clone()
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn serve(listener: TcpListener, state: Arc<Mutex<State>>) {
    // Dropped with this task, and every connection with it.
    let mut connections = JoinSet::new();
    loop {
        let Ok((stream, _)) = listener.accept().await else { continue };
        while connections.try_join_next().is_some() {}
        let state = Arc::clone(&state);
        connections.spawn(async move {
            let service = service_fn(move |request| answer(Arc::clone(&state), request));
            // A client that disconnects is no error here.
            let _ = hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
        });
    }
}

async fn answer(
    state: Arc<Mutex<State>>,
    request: hyper::Request<Incoming>,
) -> Result<Response<Full<Bytes>>, io::Error> {
    let (head, body) = request.into_parts();
    let body = Limited::new(body, 2 * MOST).collect().await.map_err(io::Error::other)?.to_bytes();
    if head.method != Method::POST || head.uri.path() != "/1/upload" {
        return Ok(page(404));
    }
    let trouble = {
        let mut state = lock(&state);
        state.asked += 1;
        state.troubles.pop_front()
    };
    match trouble {
        Some(Trouble::Hang) => return std::future::pending().await,
        Some(Trouble::HangUp) => return Err(io::Error::other("hung up")),
        _ => {}
    }
    let media_type = head.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let parts = parts_of(media_type, body).await;
    let query: Vec<(String, String)> =
        form_urlencoded::parse(head.uri.query().unwrap_or_default().as_bytes()).into_owned().collect();
    Ok(take(&mut lock(&state), trouble, &query, &parts))
}

/// The response to a complete call.
fn take(
    state: &mut State,
    trouble: Option<Trouble>,
    query: &[(String, String)],
    parts: &[Part],
) -> Response<Full<Bytes>> {
    let part = |name: &str| parts.iter().find(|part| part.name == name);
    let text = |name: &str| {
        let typed = query.iter().find(|(asked, _)| asked == name).map(|(_, value)| value.clone());
        typed.or_else(|| part(name).map(|part| String::from_utf8_lossy(&part.bytes).into_owned()))
    };
    match trouble {
        Some(Trouble::KeyRefused) => return refuse(400, 100, "Invalid API v1 key."),
        Some(Trouble::RateLimit) => return refuse(400, 100, "Rate limit reached."),
        Some(Trouble::NoImage) => return refuse(400, 130, "Empty upload source."),
        Some(Trouble::NotBase64) => return refuse(400, 120, "Invalid base64 string."),
        Some(Trouble::TooLarge) => return refuse(413, 313, "File too big."),
        Some(Trouble::Status(status)) => return page(status),
        Some(Trouble::Garbage) => return page(200),
        Some(Trouble::WrongTypes) => {
            return tell(200, &json!({"data": {"url": ["https://i.ibb.co/x.webp"]}, "success": 1, "status": "200"}));
        }
        _ => {}
    }
    if text("key").as_deref() != Some(&state.key) {
        return refuse(400, 100, "Invalid API v1 key.");
    }
    let Some(image) = part("image").filter(|image| !image.bytes.is_empty()) else {
        return refuse(400, 130, "Empty upload source.");
    };
    let bytes = match &image.file {
        Some(_) => Some(image.bytes.clone()),
        None => BASE64_STANDARD.decode(&image.bytes).ok(),
    };
    let Some(bytes) = bytes else {
        return refuse(400, 120, "Invalid base64 string.");
    };
    if bytes.len() > MOST {
        return refuse(413, 313, "File too big.");
    }
    let Some((width, height)) = size_of(&bytes) else {
        return refuse(400, 310, "Can't get target upload source info");
    };
    let expiration = text("expiration").map_or(Some(0), |typed| typed.parse().ok());
    let Some(expiration @ (0 | 60..=15_552_000)) = expiration else {
        return refuse(400, 100, "Invalid expiration.");
    };
    let start = match trouble {
        Some(Trouble::Elsewhere(start)) => start,
        _ => PICTURES,
    };
    let file = image.file.clone().unwrap_or_else(|| "picture.webp".to_owned());
    let title = text("name").unwrap_or_else(|| file.clone());
    let id = format!("p{:06}", state.taken.len() + 1);
    let url = format!("{start}/{id}/{file}");
    let answer = described(&id, &title, &file, &url, (width, height), bytes.len(), expiration);
    state.taken.push(Taken { name: file, bytes, width, height, url });
    tell(200, &answer)
}

/// Success, as the documentation shows it. That some of its numbers are text is intentional.
fn described(
    id: &str,
    title: &str,
    file: &str,
    url: &str,
    (width, height): (u32, u32),
    size: usize,
    expiration: u32,
) -> Value {
    let (name, extension) = title.rsplit_once('.').or_else(|| file.rsplit_once('.')).unwrap_or((title, "webp"));
    let picture = |address: &str| {
        json!({
            "filename": file, "name": name, "mime": format!("image/{extension}"), "extension": extension, "url": address,
        })
    };
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    json!({
        "data": {
            "id": id, "title": name, "url_viewer": format!("https://ibb.co/{id}"), "url": url, "display_url": url,
            "width": width, "height": height, "size": size, "time": seconds.to_string(),
            "expiration": expiration.to_string(),
            "image": picture(url), "thumb": picture(&format!("{url}?thumb")), "medium": picture(&format!("{url}?medium")),
            "delete_url": format!("https://ibb.co/{id}/a-secret-that-deletes"),
        },
        "success": true, "status": 200,
    })
}

fn refuse(status: u16, code: i64, message: &str) -> Response<Full<Bytes>> {
    let words = StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason()).unwrap_or_default();
    let error = json!({"message": message, "code": code, "context": "Exception"});
    tell(status, &json!({"status_code": status, "error": error, "status_txt": words}))
}

fn tell(status: u16, answer: &Value) -> Response<Full<Bytes>> {
    respond(status, "application/json; charset=utf-8", answer.to_string())
}

fn page(status: u16) -> Response<Full<Bytes>> {
    respond(status, "text/html", format!("<html><h1>{status}</h1></html>"))
}

fn respond(status: u16, media_type: &'static str, body: String) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from(body)));
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    response.headers_mut().insert(CONTENT_TYPE, hyper::header::HeaderValue::from_static(media_type));
    response
}

struct Part {
    name: String,
    file: Option<String>,
    bytes: Vec<u8>,
}

/// The parts of a form (RFC 7578), up to the first malformed one.
async fn parts_of(media_type: &str, body: Bytes) -> Vec<Part> {
    let Ok(boundary) = multer::parse_boundary(media_type) else { return Vec::new() };
    let mut form = Multipart::new(BodyDataStream::new(Full::new(body)), boundary);
    let mut parts = Vec::new();
    while let Ok(Some(field)) = form.next_field().await {
        let (name, file) = (field.name().map(str::to_owned), field.file_name().map(str::to_owned));
        let (Some(name), Ok(bytes)) = (name, field.bytes().await) else { break };
        parts.push(Part { name, file, bytes: bytes.into() });
    }
    parts
}

/// Width and height of a WebP or a PNG; `None` for anything else.
fn size_of(bytes: &[u8]) -> Option<(u32, u32)> {
    let at = |place: usize, length: usize| bytes.get(place..place + length);
    let little = |place: usize, length: usize| {
        at(place, length).map(|part| part.iter().rev().fold(0, |sum, byte| sum << 8 | u32::from(*byte)))
    };
    let big = |place: usize| at(place, 4).map(|part| part.iter().fold(0, |sum, byte| sum << 8 | u32::from(*byte)));
    if at(0, 8)? == b"\x89PNG\r\n\x1a\n" {
        return Some((big(16)?, big(20)?));
    }
    if at(0, 4)? != b"RIFF" || at(8, 4)? != b"WEBP" {
        return None;
    }
    match at(12, 4)? {
        b"VP8 " => Some((little(26, 2)? & 0x3fff, little(28, 2)? & 0x3fff)),
        b"VP8X" => Some((little(24, 3)? + 1, little(27, 3)? + 1)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x05\0\0\0\x03";

    fn image(file: Option<&str>, bytes: &[u8]) -> Vec<Part> {
        vec![Part { name: "image".to_owned(), file: file.map(str::to_owned), bytes: bytes.to_vec() }]
    }

    async fn answered(state: &mut State, key: &str, more: &[(&str, &str)], parts: &[Part]) -> (u16, Value) {
        let mut query = vec![("key".to_owned(), key.to_owned())];
        query.extend(more.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        let response = take(state, None, &query, parts);
        let status = response.status().as_u16();
        let Ok(body) = response.into_body().collect().await;
        (status, serde_json::from_slice(&body.to_bytes()).expect("JSON"))
    }

    #[tokio::test]
    async fn a_picture_is_described_as_in_the_documentation() {
        let mut state = State { key: "key".to_owned(), ..State::default() };
        let (status, answer) = answered(&mut state, "key", &[("expiration", "600")], &image(Some("a.png"), PNG)).await;
        assert_eq!((status, &answer["success"], &answer["status"]), (200, &json!(true), &json!(200)));
        let data = &answer["data"];
        assert_eq!((&data["width"], &data["height"], &data["expiration"]), (&json!(5), &json!(3), &json!("600")));
        assert_eq!(data["url"], "https://i.ibb.co/p000001/a.png");
        assert_eq!(data["image"]["mime"], "image/png");
        for there in ["id", "title", "url_viewer", "display_url", "size", "time", "thumb", "medium", "delete_url"] {
            assert!(!data[there].is_null(), "{there}");
        }
        let encoded = BASE64_STANDARD.encode(PNG);
        assert_eq!(self::answered(&mut state, "key", &[], &image(None, encoded.as_bytes())).await.0, 200);
    }

    #[tokio::test]
    async fn invalid_uploads_are_refused_as_by_imgbb() {
        let mut state = State { key: "key".to_owned(), ..State::default() };
        let good = image(Some("a.png"), PNG);
        let large = [PNG, &vec![0; MOST]].concat();
        for (key, more, parts, status, code) in [
            ("other", vec![], good, 400, 100),
            ("key", vec![], Vec::new(), 400, 130),
            ("key", vec![], image(Some("a.png"), b""), 400, 130),
            ("key", vec![], image(None, b"no base64!"), 400, 120),
            ("key", vec![], image(Some("a.txt"), b"hello"), 400, 310),
            ("key", vec![("expiration", "59")], image(Some("a.png"), PNG), 400, 100),
            ("key", vec![], image(Some("a.png"), &large), 413, 313),
        ] {
            let (answered_status, answer) = answered(&mut state, key, &more, &parts).await;
            assert_eq!((answered_status, &answer["error"]["code"]), (status, &json!(code)), "{answer}");
            assert_eq!(answer["status_code"], status);
        }
        assert!(state.taken.is_empty());
    }
}
