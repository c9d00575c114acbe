//! Requests to a provider that may be slow, or send endless or invalid responses.

use std::pin::Pin;
use std::time::Duration;

use oauth2::http::StatusCode;
use oauth2::http::header::{ACCEPT, CONTENT_TYPE};
use oauth2::{AsyncHttpClient, HttpRequest, HttpResponse, http};
use ports::{ProviderError, provider_call};
use reqwest::redirect::Policy;
use serde::de::DeserializeOwned;

/// Limit of a response body in bytes; larger than any document that a provider sends.
const BODY_MAX: usize = 256 * 1_024;

/// An HTTP client that follows no redirect (a token endpoint that redirects would pass the secret on), with limits on
/// the time and the size of a response.
#[derive(Debug, Clone)]
pub(super) struct Fetcher(reqwest::Client);

impl Fetcher {
    pub(super) fn new(timeout: Duration) -> Result<Self, reqwest::Error> {
        reqwest::Client::builder()
            .redirect(Policy::none())
            .timeout(timeout)
            .connect_timeout(timeout)
            // Proxies would come from the environment, which only the configuration may read.
            .no_proxy()
            .build()
            .map(Self)
    }

    /// Sends a request and returns the response.
    ///
    /// # Errors
    /// [`ProviderError::Unavailable`] for a timeout, 429 and 5xx; [`ProviderError::InvalidResponse`] for a body above the
    /// limit.
    pub(super) async fn send(&self, request: HttpRequest) -> Result<HttpResponse, ProviderError> {
        let request = reqwest::Request::try_from(request).map_err(invalid_response)?;
        // The address may hold data that must not be logged.
        let (method, url) = (request.method().clone(), request.url().clone());
        let (host, status) =
            (url.host_str().unwrap_or_default(), |answer: &reqwest::Response| Some(answer.status().as_u16()));
        let answer = provider_call("google", method.as_str(), host, self.0.execute(request), status).await;
        let mut answer = answer.map_err(|error| unavailable(error.without_url()))?;
        let status = answer.status();
        if status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS {
            return Err(unavailable(format!("it answered {status}")));
        }
        let mut body = Vec::new();
        while let Some(chunk) = answer.chunk().await.map_err(|error| unavailable(error.without_url()))? {
            if body.len() + chunk.len() > BODY_MAX {
                return Err(invalid_response(format!("its response is longer than {BODY_MAX} bytes")));
            }
            body.extend_from_slice(&chunk);
        }
        let mut response = http::Response::builder().status(status);
        if let Some(media_type) = answer.headers().get(CONTENT_TYPE) {
            response = response.header(CONTENT_TYPE, media_type);
        }
        response.body(body).map_err(invalid_response)
    }

    /// Fetches a JSON document.
    ///
    /// # Errors
    /// As [`Fetcher::send`], and [`ProviderError::InvalidResponse`] for another status than 200 or for invalid JSON.
    pub(super) async fn json<T: DeserializeOwned>(&self, url: &str) -> Result<T, ProviderError> {
        let request =
            http::Request::get(url).header(ACCEPT, "application/json").body(Vec::new()).map_err(invalid_response)?;
        let answer = self.send(request).await?;
        if answer.status() != StatusCode::OK {
            return Err(invalid_response(format!("it answered {}", answer.status())));
        }
        serde_json::from_slice(answer.body()).map_err(invalid_response)
    }
}

impl<'c> AsyncHttpClient<'c> for Fetcher {
    type Error = ProviderError;
    type Future = Pin<Box<dyn Future<Output = Result<HttpResponse, ProviderError>> + Send + 'c>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        Box::pin(self.send(request))
    }
}

pub(super) fn unavailable(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> ProviderError {
    ProviderError::Unavailable(cause.into())
}

pub(super) fn invalid_response(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> ProviderError {
    ProviderError::InvalidResponse(cause.into())
}
