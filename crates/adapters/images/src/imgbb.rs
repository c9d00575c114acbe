//! Pictures at an image host with imgbb's API (<https://api.imgbb.com/>).

use std::fmt;
use std::io;
use std::time::Duration;

use async_trait::async_trait;
use domain::PictureUrl;
use ports::{ImageHost, ImageRefused, ProviderError, provider_call};
use reqwest::multipart::{Form, Part};
use reqwest::redirect::Policy;
use reqwest::{Client, Response, StatusCode, Url};
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use thiserror::Error;

use crate::picture::{self, Picture};
use crate::pool::Pool;
use crate::pool::{DRAWING_THREADS, DRAWING_WAITING};

/// Deadline for the whole upload: every connection attempt, the request and the response.
const DEADLINE: Duration = Duration::from_secs(20);
/// Timeout of one connection attempt.
const CONNECTING: Duration = Duration::from_secs(5);
/// How many connection attempts there are, and the pause between them.
const TRIES: u32 = 3;
const PAUSE: Duration = Duration::from_millis(250);
/// Limit of a response in bytes; a real one has about two thousand.
const MAX_ANSWER: usize = 64 * 1024;
/// The domains that serve imgbb's pictures, whatever the host of its API.
const PICTURES_OF_IMGBB: [&str; 2] = ["ibb.co", "imgbb.com"];

/// Why the image host's client cannot be created.
#[derive(Debug, Error)]
pub enum HostError {
    /// The address is not an http(s) URL.
    #[error("the image host's address is no http(s) URL")]
    Address,
    /// The HTTP client cannot be created.
    #[error("cannot make an HTTP client for the image host: {0}")]
    Client(#[source] reqwest::Error),
    /// The system cannot start another thread.
    #[error("cannot start the threads that draw pictures: {0}")]
    NoThread(#[source] io::Error),
}

/// Why the image host's response has no valid picture address. Never holds the key, which is in the request's address,
/// nor any of the host's text, which may repeat what it was sent.
#[derive(Debug, Error)]
enum BadAnswer {
    #[error("the image host cannot be reached: {0}")]
    Unreachable(#[source] reqwest::Error),
    #[error("the image host does not answer in time")]
    TooSlow,
    #[error("the image host answered with status {0}")]
    Status(StatusCode),
    #[error("the image host refused with status {status} and its code {code:?}")]
    Refused { status: StatusCode, code: Option<i64>, because: Because },
    #[error("the image host's answer is too long")]
    TooLong,
    // Without the parser's message, which quotes what it read.
    #[error("the image host's answer is not what it promises")]
    Unreadable,
    #[error("the image host says that it failed")]
    Failed,
    #[error("the image host answered with something that is no https address of its own")]
    NotItsAddress,
}

/// The reason of a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Because {
    Key,
    Limit,
    Size,
    Picture,
}

/// An image host with multipart uploads. `Debug` does not show its key.
pub struct ImgbbImages {
    upload: Url,
    key: SecretString,
    client: Client,
    deadline: Duration,
    drawing: Pool,
}

impl fmt::Debug for ImgbbImages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ImgbbImages").field(&self.upload.as_str()).finish()
    }
}

impl ImgbbImages {
    /// Uploads to `{base}/1/upload` with this key.
    ///
    /// # Errors
    /// [`HostError`] if `base` is not an http(s) URL, or the system provides neither threads nor an HTTP client.
    pub fn new(base: &str, key: SecretString) -> Result<Self, HostError> {
        Self::with_deadline(base, key, DEADLINE)
    }

    fn with_deadline(base: &str, key: SecretString, deadline: Duration) -> Result<Self, HostError> {
        let mut upload = Url::parse(base).map_err(|_| HostError::Address)?;
        if !matches!(upload.scheme(), "http" | "https") {
            return Err(HostError::Address);
        }
        upload.path_segments_mut().map_err(|()| HostError::Address)?.pop_if_empty().extend(["1", "upload"]);
        let client = Client::builder()
            .connect_timeout(CONNECTING)
            // A redirect could send the key to another host.
            .redirect(Policy::none())
            .build()
            .map_err(HostError::Client)?;
        Ok(Self {
            upload,
            key,
            client,
            deadline,
            drawing: Pool::start("draw", DRAWING_THREADS, DRAWING_WAITING).map_err(HostError::NoThread)?,
        })
    }

    async fn upload(&self, picture: Picture) -> Result<PictureUrl, BadAnswer> {
        let uploading = async {
            let response = self.send(picture).await?;
            let status = response.status();
            if status.is_server_error() || status == StatusCode::REQUEST_TIMEOUT {
                return Err(BadAnswer::Status(status));
            }
            let body = read(response).await?;
            self.address_in(status, &body)
        };
        tokio::time::timeout(self.deadline, uploading).await.unwrap_or(Err(BadAnswer::TooSlow))
    }

    /// Sends the picture, only once: a request that may have arrived is not retried, because the host would store the
    /// picture twice. Only a connection that was not established is retried.
    async fn send(&self, picture: Picture) -> Result<Response, BadAnswer> {
        let name = picture.name();
        let bytes = picture.into_bytes();
        let mut address = self.upload.clone();
        address.query_pairs_mut().append_pair("key", self.key.expose_secret());
        let mut tries = 1;
        loop {
            let part = Part::bytes(bytes.clone())
                .file_name(name.clone())
                .mime_str(picture::MEDIA_TYPE)
                .map_err(|error| BadAnswer::Unreachable(error.without_url()))?;
            let sending = self.client.post(address.clone()).multipart(Form::new().part("image", part)).send();
            let host = self.upload.host_str().unwrap_or_default();
            let status = |response: &Response| Some(response.status().as_u16());
            match provider_call("image host", "upload", host, sending, status).await {
                Err(error) if error.is_connect() && tries < TRIES => {
                    tries += 1;
                    tokio::time::sleep(PAUSE).await;
                }
                answered => return answered.map_err(|error| BadAnswer::Unreachable(error.without_url())),
            }
        }
    }

    /// The picture's address in the host's response.
    fn address_in(&self, status: StatusCode, body: &[u8]) -> Result<PictureUrl, BadAnswer> {
        let answer: Option<Answer> = serde_json::from_slice(body).ok();
        if !status.is_success() {
            return Err(refusal(status, answer.and_then(|answer| answer.error)));
        }
        let answer = answer.ok_or(BadAnswer::Unreadable)?;
        if !answer.success {
            return Err(answer.error.map_or(BadAnswer::Failed, |error| refusal(status, Some(error))));
        }
        let data = answer.data.ok_or(BadAnswer::Unreadable)?;
        Url::parse(&data.url)
            .ok()
            .filter(|url| self.is_the_hosts(url))
            .and_then(|url| url.as_str().parse().ok())
            .ok_or(BadAnswer::NotItsAddress)
    }

    /// Whether an address is one that this host would return: https at imgbb, or the origin of its API. Every visitor's
    /// browser fetches the pictures on a product's page, so no response may point it anywhere else.
    fn is_the_hosts(&self, url: &Url) -> bool {
        let Some(host) = url.host_str() else { return false };
        let of_imgbb = |domain: &str| host == domain || host.strip_suffix(domain).is_some_and(|sub| sub.ends_with('.'));
        let anonymous = url.username().is_empty() && url.password().is_none();
        let at_imgbb = url.scheme() == "https" && url.port().is_none() && PICTURES_OF_IMGBB.into_iter().any(of_imgbb);
        anonymous && (at_imgbb || url.origin() == self.upload.origin())
    }
}

/// The reason of a refusal. The host answers 400 to almost everything, so its message has to be checked: "Rate limit
/// reached." comes with the same code as "Invalid API v1 key.".
fn refusal(status: StatusCode, error: Option<AnswerError>) -> BadAnswer {
    let said = error.as_ref().map(|error| error.message.to_lowercase()).unwrap_or_default();
    let because = match status {
        StatusCode::TOO_MANY_REQUESTS => Because::Limit,
        StatusCode::PAYLOAD_TOO_LARGE => Because::Size,
        _ if said.contains("rate limit") => Because::Limit,
        _ if said.contains("api") && said.contains("key") => Because::Key,
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => Because::Key,
        _ if error.is_some() => Because::Picture,
        _ => return BadAnswer::Status(status),
    };
    BadAnswer::Refused { status, code: error.and_then(|error| error.code), because }
}

/// The documented response of imgbb, as far as it is needed. It has more fields, some of them sometimes a number and
/// sometimes a string.
#[derive(Deserialize)]
struct Answer {
    #[serde(default)]
    success: bool,
    data: Option<AnswerData>,
    error: Option<AnswerError>,
}

#[derive(Deserialize)]
struct AnswerData {
    url: String,
}

#[derive(Deserialize)]
struct AnswerError {
    message: String,
    code: Option<i64>,
}

async fn read(mut response: Response) -> Result<Vec<u8>, BadAnswer> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| BadAnswer::Unreachable(error.without_url()))? {
        if body.len() + chunk.len() > MAX_ANSWER {
            return Err(BadAnswer::TooLong);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

impl From<BadAnswer> for ImageRefused {
    fn from(answer: BadAnswer) -> Self {
        match &answer {
            BadAnswer::Refused { because: Because::Size, .. } => Self::TooLarge,
            BadAnswer::Refused { because: Because::Key, .. } => Self::KeyRefused(Box::new(answer)),
            BadAnswer::Refused { because: Because::Limit, .. } => Self::LimitReached(Box::new(answer)),
            BadAnswer::Refused { because: Because::Picture, .. } => Self::NotTaken(Box::new(answer)),
            BadAnswer::Unreachable(_) | BadAnswer::TooSlow => {
                Self::Provider(ProviderError::Unavailable(Box::new(answer)))
            }
            BadAnswer::Status(status) if status.is_server_error() || *status == StatusCode::REQUEST_TIMEOUT => {
                Self::Provider(ProviderError::Unavailable(Box::new(answer)))
            }
            BadAnswer::Status(_)
            | BadAnswer::TooLong
            | BadAnswer::Unreadable
            | BadAnswer::Failed
            | BadAnswer::NotItsAddress => Self::Provider(ProviderError::InvalidResponse(Box::new(answer))),
        }
    }
}

#[async_trait]
impl ImageHost for ImgbbImages {
    async fn store(&self, encoded: Vec<u8>) -> Result<PictureUrl, ImageRefused> {
        let picture = self.drawing.run(move || Picture::draw(&encoded)).await??;
        Ok(self.upload(picture).await?)
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error;
    use std::fmt::Write;

    use super::*;
    use crate::samples;
    use testkit::fake_imgbb::{FakeImgbb, Trouble};
    use testkit::{Reply, StandIn};

    const KEY: &str = "k3y-that-nobody-may-see";

    fn host(stand_in: &StandIn) -> ImgbbImages {
        let deadline = Duration::from_millis(400);
        ImgbbImages::with_deadline(&stand_in.base(), KEY.into(), deadline).unwrap()
    }

    fn uploaded(url: &str) -> Reply {
        let answer = serde_json::json!({
            "data": {"id": "2ndCYJK", "url": url, "size": "42", "delete_url": "https://ibb.co/2ndCYJK/670a7e"},
            "success": true,
            "status": 200
        });
        Reply::Json(200, answer.to_string())
    }

    fn whole_story(error: &dyn Error) -> String {
        let mut story = format!("{error} {error:?}");
        let mut cause = error.source();
        while let Some(error) = cause {
            write!(story, " {error} {error:?}").unwrap();
            cause = error.source();
        }
        story
    }

    fn is_nonsense(error: &ImageRefused) -> bool {
        matches!(error, ImageRefused::Provider(ProviderError::InvalidResponse(_)))
    }

    async fn fake() -> FakeImgbb {
        FakeImgbb::start(KEY).await.unwrap()
    }

    fn host_at(fake: &FakeImgbb) -> ImgbbImages {
        ImgbbImages::with_deadline(fake.base(), KEY.into(), Duration::from_millis(400)).unwrap()
    }

    #[tokio::test]
    async fn a_picture_is_uploaded_and_its_address_comes_back() {
        let fake = fake().await;
        let address = host_at(&fake).store(samples::png(40, 30)).await.unwrap();
        let [taken] = &fake.taken()[..] else {
            panic!("one picture");
        };
        assert_eq!(address.as_str(), taken.url);
        assert_eq!((taken.width, taken.height), (40, 30));
        assert!(picture::is_a_name(&taken.name), "{}", taken.name);
    }

    #[tokio::test]
    async fn data_hidden_in_an_upload_does_not_reach_the_host() {
        let fake = fake().await;
        let mut upload = samples::jpeg_with_exif(60, 40, 1);
        upload.extend_from_slice(b"<script>alert(1)</script>");
        host_at(&fake).store(upload).await.unwrap();
        let sent = &fake.taken()[0].bytes;
        assert!(samples::contains(sent, b"WEBP"));
        for hidden in [samples::SECRET_PLACE, b"<script", b"Exif"] {
            assert!(!samples::contains(sent, hidden));
        }
    }

    #[tokio::test]
    async fn each_refusal_of_the_host_is_classified() {
        use ImageRefused::{KeyRefused, LimitReached, NotTaken, Provider, TooLarge};
        type Told = fn(&ImageRefused) -> bool;
        let cases: [(Trouble, Told); 15] = [
            (Trouble::KeyRefused, |refused| matches!(refused, KeyRefused(_))),
            (Trouble::RateLimit, |refused| matches!(refused, LimitReached(_))),
            (Trouble::Status(429), |refused| matches!(refused, LimitReached(_))),
            (Trouble::NoImage, |refused| matches!(refused, NotTaken(_))),
            (Trouble::NotBase64, |refused| matches!(refused, NotTaken(_))),
            (Trouble::TooLarge, |refused| matches!(refused, TooLarge)),
            (Trouble::Status(500), |refused| matches!(refused, Provider(ProviderError::Unavailable(_)))),
            (Trouble::Status(503), |refused| matches!(refused, Provider(ProviderError::Unavailable(_)))),
            (Trouble::Hang, |refused| matches!(refused, Provider(ProviderError::Unavailable(_)))),
            (Trouble::HangUp, |refused| matches!(refused, Provider(ProviderError::Unavailable(_)))),
            (Trouble::Status(404), |refused| matches!(refused, Provider(ProviderError::InvalidResponse(_)))),
            (Trouble::Garbage, |refused| matches!(refused, Provider(ProviderError::InvalidResponse(_)))),
            (Trouble::WrongTypes, |refused| matches!(refused, Provider(ProviderError::InvalidResponse(_)))),
            (Trouble::Elsewhere("https://pictures.example.com"), |refused| {
                matches!(refused, Provider(ProviderError::InvalidResponse(_)))
            }),
            (Trouble::Elsewhere("http://i.ibb.co"), |refused| {
                matches!(refused, Provider(ProviderError::InvalidResponse(_)))
            }),
        ];
        let fake = fake().await;
        let host = host_at(&fake);
        for (trouble, is_expected) in cases {
            fake.next(trouble);
            let refused = host.store(samples::png(4, 4)).await.unwrap_err();
            assert!(is_expected(&refused), "{trouble:?}: {refused:?}");
        }
        host.store(samples::png(4, 4)).await.unwrap();
    }

    #[tokio::test]
    async fn a_wrong_key_is_reported_as_such_and_not_as_a_bad_picture() {
        let fake = fake().await;
        let host = ImgbbImages::new(fake.base(), "another key".into()).unwrap();
        let refused = host.store(samples::png(4, 4)).await.unwrap_err();
        assert!(matches!(refused, ImageRefused::KeyRefused(_)), "{refused:?}");
        assert!(fake.taken().is_empty());
    }

    #[tokio::test]
    async fn a_host_that_is_just_starting_is_retried_and_stores_one_picture() {
        let before = fake().await;
        let base = before.base().to_owned();
        let port = Url::parse(&base).unwrap().port().unwrap();
        drop(before);
        let host = ImgbbImages::new(&base, KEY.into()).unwrap();
        let storing = tokio::spawn(async move { host.store(samples::png(4, 4)).await });
        tokio::time::sleep(Duration::from_millis(100)).await;
        let fake = FakeImgbb::start_on(port, KEY).await.unwrap();
        storing.await.unwrap().unwrap();
        assert_eq!(fake.taken().len(), 1);
    }

    #[tokio::test]
    async fn an_upload_that_may_have_arrived_is_not_retried() {
        for trouble in [Trouble::HangUp, Trouble::Hang, Trouble::Status(500), Trouble::Status(503), Trouble::RateLimit]
        {
            let fake = fake().await;
            fake.next(trouble);
            host_at(&fake).store(samples::png(4, 4)).await.unwrap_err();
            assert_eq!(fake.asked(), 1, "{trouble:?}");
        }
    }

    #[tokio::test]
    async fn a_file_that_is_not_a_picture_is_not_sent() {
        let stand_in = StandIn::start(vec![uploaded("https://i.ibb.co/x.webp")]).await;
        let refused = host(&stand_in).store(b"GIF89a".to_vec()).await.unwrap_err();
        assert!(matches!(refused, ImageRefused::NotAPicture));
        assert!(stand_in.received().is_empty());
    }

    #[tokio::test]
    async fn a_host_that_refuses_connections_is_unavailable() {
        let nobody = ImgbbImages::new("http://127.0.0.1:1", KEY.into()).unwrap();
        let refused = nobody.store(samples::png(4, 4)).await.unwrap_err();
        assert!(matches!(refused, ImageRefused::Provider(ProviderError::Unavailable(_))), "{refused:?}");
    }

    #[tokio::test]
    async fn a_response_without_a_valid_address_is_reported_as_invalid() {
        for reply in [
            Reply::Json(200, "<html>".to_owned()),
            Reply::Json(200, "[]".to_owned()),
            Reply::Json(200, r#"{"success":true}"#.to_owned()),
            Reply::Json(200, r#"{"success":false,"data":{"url":"https://i.ibb.co/x"}}"#.to_owned()),
            Reply::Json(400, String::new()),
            Reply::Json(400, r#"{"error":"text"}"#.to_owned()),
            Reply::Json(200, " ".repeat(MAX_ANSWER + 1)),
            uploaded("javascript:alert(1)"),
            uploaded("data:image/png;base64,AA"),
            uploaded("ftp://i.example/x"),
            uploaded("//i.example/x"),
            uploaded("/images/x.webp"),
            uploaded(""),
            uploaded("https://ibb.co.example.com/x.webp"),
            uploaded("https://notibb.co/x.webp"),
            uploaded("https://i.ibb.co:8443/x.webp"),
            uploaded("https://i.ibb.co@pictures.example.com/x.webp"),
            uploaded("https://somebody@i.ibb.co/x.webp"),
            uploaded("http://127.0.0.1:1/x.webp"),
        ] {
            let stand_in = StandIn::start(vec![reply.clone()]).await;
            let refused = host(&stand_in).store(samples::png(4, 4)).await.unwrap_err();
            assert!(is_nonsense(&refused), "{reply:?}: {refused:?}");
        }
    }

    #[tokio::test]
    async fn a_redirect_is_not_followed() {
        let elsewhere = StandIn::start(vec![uploaded("https://i.ibb.co/x.webp")]).await;
        let redirect = Reply::Raw(
            format!(
                "HTTP/1.1 307 Temporary Redirect\r\nlocation: {}/1/upload\r\ncontent-length: 0\r\n\r\n",
                elsewhere.base()
            )
            .into_bytes(),
        );
        let stand_in = StandIn::start(vec![redirect]).await;
        let refused = host(&stand_in).store(samples::png(4, 4)).await.unwrap_err();
        assert!(is_nonsense(&refused), "{refused:?}");
        assert!(elsewhere.received().is_empty());
    }

    #[tokio::test]
    async fn no_error_contains_the_key() {
        for reply in [
            Reply::Hang,
            Reply::HangUp,
            Reply::Json(500, KEY.to_owned()),
            Reply::Json(200, format!(r#"{{"success":"{KEY}"}}"#)),
            Reply::Json(400, KEY.to_owned()),
            Reply::Json(400, format!(r#"{{"error":{{"message":"{KEY} is no key","code":100}}}}"#)),
            uploaded(KEY),
        ] {
            let stand_in = StandIn::start(vec![reply.clone()]).await;
            let host = host(&stand_in);
            let refused = host.store(samples::png(4, 4)).await.unwrap_err();
            let story = whole_story(&refused) + &format!("{host:?}");
            assert!(!story.contains(KEY), "{reply:?}: {story}");
        }
    }

    #[test]
    fn a_picture_address_is_at_imgbb_or_at_the_origin_of_the_api() {
        let host = ImgbbImages::new("https://images.example.com:8443", KEY.into()).unwrap();
        let is_the_hosts = |address: &str| host.is_the_hosts(&Url::parse(address).unwrap());
        for its in ["https://images.example.com:8443/a.webp", "https://i.ibb.co/a.webp", "https://ibb.co/a.webp"] {
            assert!(is_the_hosts(its), "{its}");
        }
        for other in [
            "http://images.example.com:8443/a.webp",
            "https://images.example.com/a.webp",
            "https://example.com:8443/a.webp",
            "http://i.ibb.co/a.webp",
        ] {
            assert!(!is_the_hosts(other), "{other}");
        }
    }

    #[test]
    fn a_base_may_end_in_a_slash_and_must_be_http() {
        for base in ["https://api.imgbb.com", "https://api.imgbb.com/"] {
            let host = ImgbbImages::new(base, KEY.into()).unwrap();
            assert_eq!(host.upload.as_str(), "https://api.imgbb.com/1/upload");
        }
        for base in ["", "api.imgbb.com", "file:///tmp", "mailto:a@b.co"] {
            let refused = ImgbbImages::new(base, KEY.into());
            assert!(matches!(refused, Err(HostError::Address)), "{base}");
        }
    }
}
