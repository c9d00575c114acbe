//! Pictures at an image host that speaks imgbb's protocol (<https://api.imgbb.com/>).

use std::fmt;
use std::io;
use std::time::Duration;

use async_trait::async_trait;
use domain::PictureUrl;
use ports::{ImageHost, ImageRefused, ProviderError};
use reqwest::multipart::{Form, Part};
use reqwest::redirect::Policy;
use reqwest::{Client, Response, StatusCode, Url};
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use thiserror::Error;

use crate::picture::{self, Picture};
use crate::pool::Pool;
use crate::pool::{DRAWING_THREADS, DRAWING_WAITING};

/// From the first byte sent to the last one received.
const DEADLINE: Duration = Duration::from_secs(20);
/// The largest answer that is read, in bytes; a real one has two thousand.
const MAX_ANSWER: usize = 64 * 1024;

/// Why the image host cannot be used.
#[derive(Debug, Error)]
pub enum HostError {
    /// Its address is no http(s) URL.
    #[error("the image host's address is no http(s) URL")]
    Address,
    /// The HTTP client cannot be made.
    #[error("cannot make an HTTP client for the image host: {0}")]
    Client(#[source] reqwest::Error),
    /// The system has no thread left.
    #[error("cannot start the threads that draw pictures: {0}")]
    NoThread(#[source] io::Error),
}

/// Why the image host's answer is worth nothing. Never holds the key, which the request's address does.
#[derive(Debug, Error)]
enum BadAnswer {
    #[error("the image host cannot be reached: {0}")]
    Unreachable(#[source] reqwest::Error),
    #[error("the image host answered with status {0}")]
    Status(StatusCode),
    #[error("the image host's answer is too long")]
    TooLong,
    // Without the parser's word on it, which quotes what it read.
    #[error("the image host's answer is not what it promises")]
    Unreadable,
    #[error("the image host says that it failed")]
    Failed,
    #[error("the image host answered with something that is no http(s) address")]
    NotAnAddress,
}

/// An image host that takes pictures by multipart upload. `Debug` does not show its key.
pub struct ImgbbImages {
    upload: Url,
    key: SecretString,
    client: Client,
    drawing: Pool,
}

impl fmt::Debug for ImgbbImages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ImgbbImages").field(&self.upload.as_str()).finish()
    }
}

impl ImgbbImages {
    /// Uploads to `{base}/1/upload` with a key.
    ///
    /// # Errors
    /// [`HostError`] if `base` is no http(s) URL, or the system gives neither threads nor an HTTP client.
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
            .timeout(deadline)
            // Whoever could redirect could collect keys.
            .redirect(Policy::none())
            .build()
            .map_err(HostError::Client)?;
        Ok(Self {
            upload,
            key,
            client,
            drawing: Pool::start("draw", DRAWING_THREADS, DRAWING_WAITING).map_err(HostError::NoThread)?,
        })
    }

    async fn upload(&self, picture: Picture) -> Result<PictureUrl, BadAnswer> {
        let name = picture.name();
        let part = Part::bytes(picture.into_bytes())
            .file_name(name)
            .mime_str(picture::MEDIA_TYPE)
            .map_err(|error| BadAnswer::Unreachable(error.without_url()))?;
        let mut address = self.upload.clone();
        address.query_pairs_mut().append_pair("key", self.key.expose_secret());
        let response = self
            .client
            .post(address)
            .multipart(Form::new().part("image", part))
            .send()
            .await
            .map_err(|error| BadAnswer::Unreachable(error.without_url()))?;
        let status = response.status();
        if !status.is_success() {
            return Err(BadAnswer::Status(status));
        }
        let body = read(response).await?;
        let answer: Answer = serde_json::from_slice(&body).map_err(|_| BadAnswer::Unreadable)?;
        if !answer.success {
            return Err(BadAnswer::Failed);
        }
        answer
            .data
            .and_then(|data| Url::parse(&data.url).ok())
            .filter(|url| matches!(url.scheme(), "http" | "https"))
            .and_then(|url| url.as_str().parse().ok())
            .ok_or(BadAnswer::NotAnAddress)
    }
}

#[derive(Deserialize)]
struct Answer {
    success: bool,
    data: Option<AnswerData>,
}

#[derive(Deserialize)]
struct AnswerData {
    url: String,
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

impl From<BadAnswer> for ProviderError {
    fn from(answer: BadAnswer) -> Self {
        let passing = match &answer {
            BadAnswer::Unreachable(_) => true,
            BadAnswer::Status(status) => {
                status.is_server_error()
                    || *status == StatusCode::TOO_MANY_REQUESTS
                    || *status == StatusCode::REQUEST_TIMEOUT
            }
            BadAnswer::TooLong | BadAnswer::Unreadable | BadAnswer::Failed | BadAnswer::NotAnAddress => false,
        };
        if passing { Self::Away(Box::new(answer)) } else { Self::Nonsense(Box::new(answer)) }
    }
}

#[async_trait]
impl ImageHost for ImgbbImages {
    async fn store(&self, encoded: Vec<u8>) -> Result<PictureUrl, ImageRefused> {
        let picture = self.drawing.run(move || Picture::draw(&encoded)).await??;
        let address = self.upload(picture).await.map_err(ProviderError::from)?;
        Ok(address)
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error;
    use std::fmt::Write;

    use super::*;
    use crate::samples;
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

    fn is_away(error: &ImageRefused) -> bool {
        matches!(error, ImageRefused::Provider(ProviderError::Away(_)))
    }

    fn is_nonsense(error: &ImageRefused) -> bool {
        matches!(error, ImageRefused::Provider(ProviderError::Nonsense(_)))
    }

    #[tokio::test]
    async fn a_picture_is_uploaded_and_its_address_comes_back() {
        let stand_in = StandIn::start(vec![uploaded("https://i.ibb.co/w04Prt6/x.webp")]).await;
        let address = host(&stand_in).store(samples::png(40, 30)).await.unwrap();
        assert_eq!(address.as_str(), "https://i.ibb.co/w04Prt6/x.webp");
        let [request] = &stand_in.received()[..] else {
            panic!("one request");
        };
        assert!(request.head.starts_with(&format!("POST /1/upload?key={KEY} HTTP/1.1")), "{}", request.head);
        let body = String::from_utf8_lossy(&request.body);
        assert!(body.contains(r#"name="image""#), "{body}");
        assert!(body.contains("image/webp"), "{body}");
    }

    #[tokio::test]
    async fn what_was_hidden_in_an_upload_does_not_reach_the_host() {
        let stand_in = StandIn::start(vec![uploaded("https://i.example/x.webp")]).await;
        let mut upload = samples::jpeg_with_exif(60, 40, 1);
        upload.extend_from_slice(b"<script>alert(1)</script>");
        host(&stand_in).store(upload).await.unwrap();
        let sent = &stand_in.received()[0].body;
        assert!(samples::contains(sent, b"WEBP"));
        for hidden in [samples::SECRET_PLACE, b"<script", b"Exif"] {
            assert!(!samples::contains(sent, hidden));
        }
    }

    #[tokio::test]
    async fn no_picture_is_not_even_sent() {
        let stand_in = StandIn::start(vec![uploaded("https://i.example/x.webp")]).await;
        let refused = host(&stand_in).store(b"GIF89a".to_vec()).await.unwrap_err();
        assert!(matches!(refused, ImageRefused::NotAPicture));
        assert!(stand_in.received().is_empty());
    }

    #[tokio::test]
    async fn a_host_in_trouble_is_away() {
        let nobody = ImgbbImages::new("http://127.0.0.1:1", KEY.into()).unwrap();
        let refused = nobody.store(samples::png(4, 4)).await.unwrap_err();
        assert!(is_away(&refused), "{refused:?}");
        for reply in [
            Reply::Json(500, "{}".to_owned()),
            Reply::Json(503, String::new()),
            Reply::Json(429, r#"{"success":false}"#.to_owned()),
            Reply::Hang,
            Reply::HangUp,
        ] {
            let stand_in = StandIn::start(vec![reply.clone()]).await;
            let refused = host(&stand_in).store(samples::png(4, 4)).await.unwrap_err();
            assert!(is_away(&refused), "{reply:?}: {refused:?}");
        }
    }

    #[tokio::test]
    async fn an_answer_that_is_no_address_makes_no_sense() {
        for reply in [
            Reply::Json(200, "<html>".to_owned()),
            Reply::Json(200, "[]".to_owned()),
            Reply::Json(200, r#"{"success":true}"#.to_owned()),
            Reply::Json(200, r#"{"success":false,"data":{"url":"https://a.example/x"}}"#.to_owned()),
            Reply::Json(400, r#"{"status_code":400,"error":{"message":"Invalid API v1 key.","code":100}}"#.to_owned()),
            Reply::Json(200, " ".repeat(MAX_ANSWER + 1)),
            uploaded("javascript:alert(1)"),
            uploaded("data:image/png;base64,AA"),
            uploaded("ftp://i.example/x"),
            uploaded("//i.example/x"),
            uploaded("/images/x.webp"),
            uploaded(""),
        ] {
            let stand_in = StandIn::start(vec![reply.clone()]).await;
            let refused = host(&stand_in).store(samples::png(4, 4)).await.unwrap_err();
            assert!(is_nonsense(&refused), "{reply:?}: {refused:?}");
        }
    }

    #[tokio::test]
    async fn a_redirect_is_not_followed() {
        let elsewhere = StandIn::start(vec![uploaded("https://i.example/x.webp")]).await;
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
    async fn the_key_stands_in_no_error() {
        for reply in [
            Reply::Hang,
            Reply::HangUp,
            Reply::Json(500, KEY.to_owned()),
            Reply::Json(200, format!(r#"{{"success":"{KEY}"}}"#)),
            Reply::Json(400, KEY.to_owned()),
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
