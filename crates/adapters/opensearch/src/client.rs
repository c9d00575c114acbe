//! Calls of OpenSearch over HTTP.

use std::error::Error as StdError;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use ports::{EngineError, PartRepository, provider_call};
use reqwest::header::{CONTENT_TYPE, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{Client, Method, Response, StatusCode};
use serde_json::Value;
use thiserror::Error;
use url::Url;

/// How long a search may take before it is answered without the engine.
const SEARCH_WITHIN: Duration = Duration::from_secs(2);
/// How long everything else may take. Less than the lease of those who write.
const WRITE_WITHIN: Duration = Duration::from_secs(20);
const CONNECT_WITHIN: Duration = Duration::from_secs(1);
/// How long an answer may be.
const LONGEST: usize = 64 << 20;

/// Where the engine is. Shown without its password.
#[derive(Clone)]
pub struct EngineAddress(Url);

/// Not the address of an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("has to be an http(s) address, such as https://user:password@search.example.com:9200")]
pub struct AddressRefused;

impl FromStr for EngineAddress {
    type Err = AddressRefused;

    fn from_str(written: &str) -> Result<Self, AddressRefused> {
        let mut url = Url::parse(written).map_err(|_| AddressRefused)?;
        let is_web = matches!(url.scheme(), "http" | "https") && url.has_host();
        if !is_web || url.query().is_some() || url.fragment().is_some() {
            return Err(AddressRefused);
        }
        if !url.path().ends_with('/') {
            url.set_path(&format!("{}/", url.path()));
        }
        Ok(Self(url))
    }
}

impl fmt::Display for EngineAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.origin().ascii_serialization())
    }
}

impl fmt::Debug for EngineAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EngineAddress({self})")
    }
}

/// Why the adapter cannot be made.
#[derive(Debug, Error)]
#[error("cannot make an HTTP client for the search engine: {0}")]
pub struct SetUpError(#[source] reqwest::Error);

/// What the engine answered in place of what was asked for.
#[derive(Debug, Error)]
enum Unwanted {
    #[error("it answered {0}: {1}")]
    Status(StatusCode, String),
    #[error("its answer is longer than {LONGEST} bytes")]
    Long,
    #[error("its answer has no {0}")]
    Lacks(&'static str),
}

/// OpenSearch.
#[derive(Clone)]
pub struct OpenSearch {
    client: Client,
    base: Url,
    pub(crate) parts: Arc<dyn PartRepository>,
    search_within: Duration,
}

/// What is sent.
pub(crate) enum Body {
    None,
    Json(Value),
    /// A line of JSON after the other.
    Lines(String),
}

impl OpenSearch {
    /// The engine at an address. Synonyms are looked up in `parts`.
    ///
    /// # Errors
    /// [`SetUpError`] if the HTTP client cannot be made.
    pub fn new(address: &EngineAddress, parts: Arc<dyn PartRepository>) -> Result<Self, SetUpError> {
        let client = Client::builder()
            .connect_timeout(CONNECT_WITHIN)
            .redirect(Policy::none())
            .no_proxy()
            .build()
            .map_err(SetUpError)?;
        Ok(Self { client, base: address.0.clone(), parts, search_within: SEARCH_WITHIN })
    }

    /// With another time for searches than the usual one.
    #[must_use]
    pub fn with_timeout(self, search_within: Duration) -> Self {
        Self { search_within, ..self }
    }

    /// Asks the index behind searches.
    pub(crate) async fn ask(&self, body: Value) -> Result<Value, EngineError> {
        let path = format!("{}/_search?allow_partial_search_results=false", crate::names::SERVED);
        self.send(Method::POST, &path, Body::Json(body), self.search_within).await
    }

    pub(crate) async fn call(&self, method: Method, path: &str, body: Body) -> Result<Value, EngineError> {
        self.send(method, path, body, WRITE_WITHIN).await
    }

    async fn send(&self, method: Method, path: &str, body: Body, within: Duration) -> Result<Value, EngineError> {
        let url = self.base.join(path).map_err(invalid)?;
        let operation = path.split(['/', '?']).find(|part| part.starts_with('_')).unwrap_or(method.as_str()).to_owned();
        let request = self.client.request(method, url).timeout(within);
        let (kind, body) = match body {
            Body::None => (None, String::new()),
            Body::Json(json) => (Some("application/json"), json.to_string()),
            Body::Lines(lines) => (Some("application/x-ndjson"), lines),
        };
        let request = match kind {
            Some(kind) => request.header(CONTENT_TYPE, HeaderValue::from_static(kind)).body(body),
            None => request,
        };
        // The address may have a password in it.
        let host = self.base.host_str().unwrap_or_default();
        let status = |answer: &Response| Some(answer.status().as_u16());
        let answer = provider_call("search engine", &operation, host, request.send(), status).await;
        let answer = answer.map_err(|error| unavailable(error.without_url()))?;
        let status = answer.status();
        let bytes = read(answer).await?;
        if status.is_success() {
            return if bytes.is_empty() { Ok(Value::Null) } else { serde_json::from_slice(&bytes).map_err(invalid) };
        }
        let said: Value = serde_json::from_slice(&bytes).unwrap_or_default();
        if status == StatusCode::NOT_FOUND {
            return Err(EngineError::Missing);
        }
        let reason = said["error"]["reason"].as_str().unwrap_or_default().chars().take(200).collect();
        let unwanted = Unwanted::Status(status, reason);
        let busy = status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error();
        let refused = matches!(status, StatusCode::BAD_REQUEST | StatusCode::PAYLOAD_TOO_LARGE);
        Err(match (busy, refused) {
            (true, _) => unavailable(unwanted),
            (_, true) => EngineError::Refused(Box::new(unwanted)),
            _ => invalid(unwanted),
        })
    }
}

async fn read(mut answer: Response) -> Result<Vec<u8>, EngineError> {
    let mut bytes = Vec::new();
    while let Some(chunk) = answer.chunk().await.map_err(|error| unavailable(error.without_url()))? {
        if bytes.len() + chunk.len() > LONGEST {
            return Err(invalid(Unwanted::Long));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

pub(crate) fn unavailable(cause: impl StdError + Send + Sync + 'static) -> EngineError {
    EngineError::Unavailable(Box::new(cause))
}

pub(crate) fn invalid(cause: impl StdError + Send + Sync + 'static) -> EngineError {
    EngineError::InvalidResponse(Box::new(cause))
}

/// That an answer lacks what it should have.
pub(crate) fn lacks(what: &'static str) -> EngineError {
    invalid(Unwanted::Lacks(what))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_shown_without_its_password() {
        let address: EngineAddress = "https://shop:s3cr3t@search.example.com:9200/parts".parse().unwrap();
        assert_eq!(address.0.path(), "/parts/");
        for shown in [address.to_string(), format!("{address:?}")] {
            assert!(shown.contains("https://search.example.com:9200") && !shown.contains("s3cr3t"), "{shown}");
        }
        for wrong in ["", "search.example.com", "ftp://search", "http://", "http://search/?a=b", "http://search/#a"] {
            assert_eq!(wrong.parse::<EngineAddress>().err(), Some(AddressRefused), "{wrong}");
        }
    }
}
