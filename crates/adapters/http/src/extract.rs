//! Extractors: what handlers read from a request.

use std::future::{Ready, ready};
use std::str::FromStr;

use actix_web::dev::Payload;
use actix_web::http::header::{ACCEPT, AUTHORIZATION};
use actix_web::mime::{APPLICATION, JSON, Mime};
use actix_web::web::{Bytes, Query};
use actix_web::{FromRequest, HttpMessage, HttpRequest};
use domain::Caller;
use ports::SessionSecret;
use serde::de::DeserializeOwned;
use serde_json::error::Category;

use crate::app_state::Settings;
use crate::problem::{FieldError, Problem};

/// Name of the cookie that holds the session secret.
pub(crate) const SESSION_COOKIE: &str = "session";
/// Its name if the shop is served over https. Browsers accept a cookie with this prefix only from this very host, over
/// https and for all of its paths (RFC 6265bis, section 4.1.3.2), so that no sub-domain can plant one.
pub(crate) const HOST_SESSION_COOKIE: &str = "__Host-session";
/// Name of the cookie that only says that there is a session.
pub(crate) const HINT_COOKIE: &str = "signed-in";

/// The access token of `Authorization: Bearer`, if there is one.
pub(crate) fn bearer(request: &HttpRequest) -> Option<&str> {
    let header = request.headers().get(AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = header.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim()).filter(|token| !token.is_empty())
}

/// The secret in the session cookie, if there is one. If both cookies are there, the one that no other host can have
/// planted counts.
pub(crate) fn session_secret(request: &HttpRequest) -> Option<SessionSecret> {
    let cookie = request.cookie(HOST_SESSION_COOKIE).or_else(|| request.cookie(SESSION_COOKIE))?;
    Some(SessionSecret::new(cookie.value().to_owned()))
}

/// The device cookie's value, if there is one.
pub(crate) fn device_cookie(request: &HttpRequest, settings: &Settings) -> Option<String> {
    request.cookie(device_cookie_name(settings)).map(|cookie| cookie.value().to_owned())
}

/// Name of the device cookie. Browsers accept the prefix over https only; with it, no other host of the same domain can
/// plant the cookie.
pub(crate) fn device_cookie_name(settings: &Settings) -> &'static str {
    if settings.is_https() { "__Host-device" } else { "device" }
}

/// The caller that the middleware has authenticated.
pub(crate) struct Authenticated(pub(crate) Caller);

impl FromRequest for Authenticated {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(request.extensions().get::<Caller>().cloned().map(Self).ok_or_else(Problem::unauthenticated))
    }
}

/// The request's idempotency key, if one was sent.
pub(crate) struct IdempotencyKeyHeader(pub(crate) Option<ports::IdempotencyKey>);

impl FromRequest for IdempotencyKeyHeader {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(Self(request.extensions().get::<ports::IdempotencyKey>().copied())))
    }
}

/// Whether the request holds the claim on its idempotency key.
#[derive(Clone, Copy)]
pub(crate) struct HoldsClaim(pub(crate) bool);

impl FromRequest for HoldsClaim {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(request.extensions().get::<Self>().copied().unwrap_or(Self(false))))
    }
}

/// The request's body, which the middleware has read within its size limit. Handlers take it from here and never from
/// the payload: actix' own extractors would inflate it, and have limits of their own.
#[derive(Clone, Default)]
pub(crate) struct Body(pub(crate) Bytes);

impl Body {
    fn of(request: &HttpRequest) -> Self {
        request.extensions().get::<Self>().cloned().unwrap_or_default()
    }
}

impl FromRequest for Body {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(Self::of(request)))
    }
}

/// A JSON body: 415 if it is declared as something else, 400 if it is not JSON, 422 if a field has the wrong type.
pub(crate) struct Json<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest for Json<T> {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(if says_json(request) {
            parse(&Body::of(request).0).map(Self)
        } else {
            Err(Problem::unsupported_media("Please send JSON (content-type: application/json)"))
        })
    }
}

/// An optional JSON body.
pub(crate) struct MaybeJson<T>(pub(crate) Option<T>);

impl<T: DeserializeOwned> FromRequest for MaybeJson<T> {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        if Body::of(request).0.is_empty() {
            return ready(Ok(Self(None)));
        }
        ready(Json::from_request(request, payload).into_inner().map(|Json(sent)| Self(Some(sent))))
    }
}

fn says_json(request: &HttpRequest) -> bool {
    media_type(request)
        .is_some_and(|media| media.type_() == APPLICATION && (media.subtype() == JSON || media.suffix() == Some(JSON)))
}

/// The declared media type of a request's body; `None` without one, or if it is malformed. Its names are in lower case.
pub(crate) fn media_type(request: &impl HttpMessage) -> Option<Mime> {
    request.mime_type().ok().flatten()
}

/// Whether the client is a browser that opens a page, and not a script that calls the API.
pub(crate) fn wants_html(request: &HttpRequest) -> bool {
    request
        .headers()
        .get(ACCEPT)
        .and_then(|accept| accept.to_str().ok())
        .is_some_and(|accept| accept.contains("text/html"))
}

pub(crate) fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, Problem> {
    // The parser does not look at the text of fields that nobody reads (RFC 8259, section 8.1).
    if std::str::from_utf8(body).is_err() {
        return Err(Problem::bad_request("This is not JSON"));
    }
    let mut json = serde_json::Deserializer::from_slice(body);
    let parsed = serde_path_to_error::deserialize::<_, T>(&mut json).map_err(|error| {
        let field = error.path().to_string();
        match error.inner().classify() {
            Category::Data => wrong_type(&field),
            Category::Syntax | Category::Eof | Category::Io => Problem::bad_request("This is not JSON"),
        }
    });
    // A body can be malformed after the field that has the wrong type; then the error is that it is not JSON.
    match parsed {
        Ok(value) => json.end().map(|()| value).map_err(|_| Problem::bad_request("This is not JSON")),
        Err(problem) if serde_json::from_slice::<serde::de::IgnoredAny>(body).is_ok() => Err(problem),
        Err(_) => Err(Problem::bad_request("This is not JSON")),
    }
}

fn wrong_type(field: &str) -> Problem {
    if field == "." {
        return Problem::invalid_field("", "This must be a JSON object");
    }
    let message = format!("{field} has the wrong type");
    Problem::invalid(vec![FieldError { field: field.to_owned(), message }])
}

/// Parses a request's query string; 422 if a parameter is invalid.
pub(crate) fn query<T: DeserializeOwned>(request: &HttpRequest) -> Result<T, Problem> {
    parsed(request.query_string())
}

/// Parses a query string; 422 if a parameter is invalid.
pub(crate) fn parsed<T: DeserializeOwned>(query: &str) -> Result<T, Problem> {
    Query::<T>::from_query(query)
        .map(Query::into_inner)
        .map_err(|_| Problem::invalid_field("query", "The query string is invalid"))
}

/// Parses an id in a path. A text that is not an id identifies nothing, so the answer is 404.
pub(crate) fn id<T: FromStr>(path: &str) -> Result<T, Problem> {
    path.parse().map_err(|_| Problem::not_found())
}

#[cfg(test)]
mod tests {
    use actix_web::ResponseError;
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    struct Payload {
        #[serde(rename = "name")]
        _name: Option<String>,
    }

    fn status(body: &[u8]) -> u16 {
        parse::<Payload>(body).map_or_else(|problem| problem.status_code().as_u16(), |_| 200)
    }

    #[test]
    fn malformed_json_is_400_and_a_wrong_type_is_422() {
        for (body, expected) in [
            (&b"{\"name\":\"a\",\"more\":1}"[..], 200),
            (b"{}", 200),
            (b"", 400),
            (b"{", 400),
            (b"{} x", 400),
            (b"{\"name\":1,}", 400),
            (b"\xff\xfe", 400),
            (b"{\"name\":\"a\",\"more\":\"\xff\"}", 400),
            (b"{\"name\":1}", 422),
            (b"[1]", 422),
            (b"3", 422),
        ] {
            assert_eq!(status(body), expected, "{}", String::from_utf8_lossy(body));
        }
    }

    #[test]
    fn deeply_nested_json_does_not_overflow_the_stack() {
        let (open, close) = (b"[".repeat(100_000), b"]".repeat(100_000));
        assert_eq!(status(&[&open[..], &close].concat()), 422);
        assert_eq!(status(&[b"{\"name\":", &open[..], &close, b"}"].concat()), 422);
        assert_eq!(status(&[b"{\"more\":", &open[..], &close, b"}"].concat()), 200, "an unknown field");
        assert_eq!(status(&open), 400);
    }
}
