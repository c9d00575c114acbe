//! Signing in with Google: the authorization code flow (RFC 6749, section 4.1) with PKCE (RFC 7636) and an ID token
//! (`OpenID` Connect Core 1.0). Any `OpenID` provider with discovery will do.

#[cfg(test)]
mod fake_provider;
mod fetch;
mod id_token;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use domain::Timestamp;
use jsonwebtoken::DecodingKey;
use jsonwebtoken::jwk::Jwk;
use oauth2::basic::{
    BasicErrorResponse, BasicErrorResponseType, BasicRevocationErrorResponse, BasicTokenIntrospectionResponse,
    BasicTokenType,
};
use oauth2::url::{Host, Url};
use oauth2::{
    AuthType, AuthUrl, AuthorizationCode, Client, ClientId, ClientSecret, CsrfToken, EndpointNotSet, EndpointSet,
    ExtraTokenFields, PkceCodeVerifier, RedirectUrl, RequestTokenError, Scope, StandardRevocableToken,
    StandardTokenResponse, TokenUrl,
};
use ports::{Clock, GoogleIdentity, GoogleSignIn, ProviderError, SignInAttempt, SignInRefused};
use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use self::fetch::{Fetcher, invalid_response};
use self::id_token::{Expected, Signature};
use crate::AttemptSeal;
use crate::attempts::challenge_of;

/// Timeout for one request to the provider.
const TIMEOUT: Duration = Duration::from_secs(10);

/// How long the provider's documents are cached, in seconds.
const DOCUMENTS_FRESH_FOR: i64 = 3_600;

/// Minimum time between two fetches of the provider's keys because of an unknown key id, in seconds.
const KEY_SEARCH_EVERY: i64 = 60;

/// Google sometimes omits the scheme in `iss` (Google Identity, "Validate an ID token").
const GOOGLE: &str = "https://accounts.google.com";
const GOOGLE_WITHOUT_SCHEME: &str = "accounts.google.com";

/// The settings from the provider's console.
#[derive(Debug, Clone)]
pub struct GoogleSettings {
    /// The issuer: `https://accounts.google.com`, or another `OpenID` provider's.
    pub issuer: String,
    pub client_id: String,
    pub client_secret: SecretString,
    /// Where the provider sends the browser back to, as registered with it.
    pub redirect_url: String,
}

/// Why the settings are invalid.
#[derive(Debug, Error)]
pub enum SettingsError {
    #[error("the issuer must be an https address (http only on this machine)")]
    Issuer,
    #[error("the client id is empty")]
    ClientId,
    #[error("the client secret is empty")]
    ClientSecret,
    #[error("the redirect address is not an http(s) address")]
    RedirectUrl,
    #[error("the HTTP client cannot be set up")]
    Http(#[source] reqwest::Error),
}

/// An `OpenID` provider. It is not contacted before the first sign-in, so that the shop starts without it.
pub struct GoogleProvider {
    issuer: String,
    client_id: ClientId,
    client_secret: ClientSecret,
    redirect_url: RedirectUrl,
    attempts: AttemptSeal,
    clock: Arc<dyn Clock>,
    http: Fetcher,
    discovery: Kept<Discovery>,
    keys: Kept<Vec<Jwk>>,
    /// When the keys were last fetched because of an unknown key id; locked during the fetch, so that one fetch serves
    /// all.
    key_search: tokio::sync::Mutex<Option<Timestamp>>,
}

impl std::fmt::Debug for GoogleProvider {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GoogleProvider")
            .field("issuer", &self.issuer)
            .field("client_id", &self.client_id)
            .finish_non_exhaustive()
    }
}

/// The provider's metadata (`OpenID` Connect Discovery 1.0, section 3), as far as it is needed.
#[derive(Debug, Clone, Deserialize)]
struct Discovery {
    issuer: String,
    authorization_endpoint: Url,
    token_endpoint: Url,
    jwks_uri: Url,
    token_endpoint_auth_methods_supported: Option<Vec<String>>,
}

/// The provider's keys (RFC 7517). A key of an unknown type does not invalidate the others.
#[derive(Deserialize)]
struct KeySet {
    keys: Vec<serde_json::Value>,
}

/// The part of the token response that is used; the access token is not.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct IdTokenField {
    id_token: Option<String>,
}

impl ExtraTokenFields for IdTokenField {}

type ProviderClient = Client<
    BasicErrorResponse,
    StandardTokenResponse<IdTokenField, BasicTokenType>,
    BasicTokenIntrospectionResponse,
    StandardRevocableToken,
    BasicRevocationErrorResponse,
    EndpointSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointSet,
>;

/// A cached document, and when it was fetched.
struct Kept<T>(Mutex<Option<(Timestamp, Arc<T>)>>);

impl<T> Kept<T> {
    const fn nothing() -> Self {
        Self(Mutex::new(None))
    }

    /// The document, unless it has expired.
    fn fresh(&self, now: Timestamp) -> Option<Arc<T>> {
        let cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        cached
            .as_ref()
            .filter(|(since, _)| seconds_between(*since, now) < DOCUMENTS_FRESH_FOR)
            .map(|(_, document)| Arc::clone(document))
    }

    fn keep(&self, document: T, now: Timestamp) -> Arc<T> {
        let document = Arc::new(document);
        let mut cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *cached = Some((now, Arc::clone(&document)));
        document
    }
}

fn seconds_between(earlier: Timestamp, later: Timestamp) -> i64 {
    later.as_second().saturating_sub(earlier.as_second())
}

/// Codes and secrets must not cross a network unencrypted; a stand-in on the same machine uses none.
fn is_safe(address: &Url) -> bool {
    let on_this_machine = match address.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    };
    address.scheme() == "https" || (address.scheme() == "http" && on_this_machine)
}

impl GoogleProvider {
    /// A provider with these settings.
    ///
    /// # Errors
    /// [`SettingsError`] for the first invalid setting. Whether the provider knows them shows at the first sign-in.
    pub fn new(settings: GoogleSettings, attempts: AttemptSeal, clock: Arc<dyn Clock>) -> Result<Self, SettingsError> {
        Self::with_timeout(settings, attempts, clock, TIMEOUT)
    }

    fn with_timeout(
        settings: GoogleSettings,
        attempts: AttemptSeal,
        clock: Arc<dyn Clock>,
        timeout: Duration,
    ) -> Result<Self, SettingsError> {
        let issuer = settings.issuer.trim_end_matches('/').to_owned();
        if !Url::parse(&issuer).is_ok_and(|address| is_safe(&address)) {
            return Err(SettingsError::Issuer);
        }
        if settings.client_id.is_empty() {
            return Err(SettingsError::ClientId);
        }
        if settings.client_secret.expose_secret().is_empty() {
            return Err(SettingsError::ClientSecret);
        }
        let redirect_url = RedirectUrl::new(settings.redirect_url)
            .ok()
            .filter(|address| matches!(address.url().scheme(), "http" | "https"))
            .ok_or(SettingsError::RedirectUrl)?;
        Ok(Self {
            issuer,
            client_id: ClientId::new(settings.client_id),
            client_secret: ClientSecret::new(settings.client_secret.expose_secret().to_owned()),
            redirect_url,
            attempts,
            clock,
            http: Fetcher::new(timeout).map_err(SettingsError::Http)?,
            discovery: Kept::nothing(),
            keys: Kept::nothing(),
            key_search: tokio::sync::Mutex::new(None),
        })
    }

    async fn discovery(&self) -> Result<Arc<Discovery>, ProviderError> {
        let now = self.clock.now();
        if let Some(known) = self.discovery.fresh(now) {
            return Ok(known);
        }
        let address = format!("{}/.well-known/openid-configuration", self.issuer);
        let found: Discovery = self.http.json(&address).await?;
        if found.issuer.trim_end_matches('/') != self.issuer {
            return Err(invalid_response("its metadata names another issuer"));
        }
        let endpoints = [&found.authorization_endpoint, &found.token_endpoint, &found.jwks_uri];
        if !endpoints.into_iter().all(is_safe) {
            return Err(invalid_response("it names an endpoint without https"));
        }
        Ok(self.discovery.keep(found, now))
    }

    fn client(&self, provider: &Discovery) -> ProviderClient {
        // The default of a provider that does not list its methods (OpenID Connect Discovery 1.0, section 3).
        let takes_basic = provider
            .token_endpoint_auth_methods_supported
            .as_ref()
            .is_none_or(|methods| methods.iter().any(|method| method == "client_secret_basic"));
        let auth_type = if takes_basic { AuthType::BasicAuth } else { AuthType::RequestBody };
        Client::new(self.client_id.clone())
            .set_client_secret(self.client_secret.clone())
            .set_auth_type(auth_type)
            .set_auth_uri(AuthUrl::from_url(provider.authorization_endpoint.clone()))
            .set_token_uri(TokenUrl::from_url(provider.token_endpoint.clone()))
            .set_redirect_uri(self.redirect_url.clone())
    }

    /// Exchanges a code for an ID token.
    async fn id_token(
        &self,
        provider: &Discovery,
        attempt: &SignInAttempt,
        code: &str,
    ) -> Result<String, SignInRefused> {
        let answer = self
            .client(provider)
            .exchange_code(AuthorizationCode::new(code.to_owned()))
            .set_pkce_verifier(PkceCodeVerifier::new(attempt.verifier.clone()))
            .request_async(&self.http)
            .await
            .map_err(refusal)?;
        answer
            .extra_fields()
            .id_token
            .clone()
            .ok_or_else(|| invalid_response("its token response has no ID token").into())
    }

    async fn fetch_keys(&self, provider: &Discovery) -> Result<Arc<Vec<Jwk>>, ProviderError> {
        let now = self.clock.now();
        let set: KeySet = self.http.json(provider.jwks_uri.as_str()).await?;
        let keys = set.keys.into_iter().filter_map(|key| serde_json::from_value(key).ok()).collect();
        Ok(self.keys.keep(keys, now))
    }

    /// The key of a signature. An unknown key id makes the keys be fetched again, because it may be new, but not often,
    /// because it may be forged.
    async fn key(&self, provider: &Discovery, signature: &Signature) -> Result<Option<DecodingKey>, ProviderError> {
        let known = match self.keys.fresh(self.clock.now()) {
            Some(keys) => keys,
            None => self.fetch_keys(provider).await?,
        };
        if let Some(key) = signature.key_among(&known) {
            return Ok(Some(key));
        }
        let mut last_search = self.key_search.lock().await;
        let now = self.clock.now();
        let found_meanwhile = self.keys.fresh(now).and_then(|keys| signature.key_among(&keys));
        if found_meanwhile.is_some() || last_search.is_some_and(|at| seconds_between(at, now) < KEY_SEARCH_EVERY) {
            return Ok(found_meanwhile);
        }
        *last_search = Some(now);
        let keys = self.fetch_keys(provider).await?;
        Ok(signature.key_among(&keys))
    }

    fn issuers<'a>(&self, provider: &'a Discovery) -> Vec<&'a str> {
        let mut issuers = vec![provider.issuer.as_str()];
        if self.issuer == GOOGLE {
            issuers.push(GOOGLE_WITHOUT_SCHEME);
        }
        issuers
    }
}

/// Classifies a failed exchange: an invalid code is the browser's fault, everything else the provider's or the
/// operator's.
fn refusal(error: RequestTokenError<ProviderError, BasicErrorResponse>) -> SignInRefused {
    let cause = match error {
        RequestTokenError::ServerResponse(answer) => match answer.error() {
            BasicErrorResponseType::InvalidGrant | BasicErrorResponseType::InvalidRequest => {
                return SignInRefused::Unproven;
            }
            _ => invalid_response(answer.to_string()),
        },
        RequestTokenError::Request(error) => error,
        // The rest of the parse error could quote a token.
        RequestTokenError::Parse(error, _) => {
            invalid_response(format!("its token response is malformed at {}", error.path()))
        }
        RequestTokenError::Other(text) => invalid_response(text),
    };
    cause.into()
}

#[async_trait]
impl GoogleSignIn for GoogleProvider {
    fn begin(&self) -> SignInAttempt {
        self.attempts.begin()
    }

    async fn address(&self, attempt: &SignInAttempt) -> Result<String, ProviderError> {
        let provider = self.discovery().await?;
        let client = self.client(&provider);
        let (address, _) = client
            .authorize_url(|| CsrfToken::new(attempt.state.clone()))
            .add_scopes(["openid", "email", "profile"].map(|scope| Scope::new(scope.to_owned())))
            // The library's own method panics on a verifier whose length violates RFC 7636.
            .add_extra_param("code_challenge", challenge_of(&attempt.verifier))
            .add_extra_param("code_challenge_method", "S256")
            .add_extra_param("nonce", attempt.nonce.as_str())
            .url();
        Ok(address.into())
    }

    async fn redeem(&self, attempt: &SignInAttempt, code: &str) -> Result<GoogleIdentity, SignInRefused> {
        let provider = self.discovery().await?;
        let token = self.id_token(&provider, attempt, code).await?;
        let signature = Signature::of(&token).ok_or(SignInRefused::Unproven)?;
        let key = self.key(&provider, &signature).await?.ok_or(SignInRefused::Unproven)?;
        let expected = Expected {
            issuers: &self.issuers(&provider),
            client_id: &self.client_id,
            nonce: &attempt.nonce,
            now: self.clock.now(),
        };
        signature.check(&token, &key, &expected).ok_or(SignInRefused::Unproven)
    }

    fn seal(&self, attempt: &SignInAttempt, destination: &str) -> String {
        self.attempts.seal(attempt, destination)
    }

    fn open(&self, sealed: &str) -> Option<(SignInAttempt, String)> {
        self.attempts.open(sealed)
    }
}
