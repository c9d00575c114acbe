//! `POST /client-errors`: what went wrong in somebody's browser.

use std::fmt;

use actix_web::HttpResponse;
use domain::Text;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::extract::Json;
use crate::problem::Problem;
use crate::wire::enums::variant;
use crate::wire::fields::Fields;

/// Defects that browsers reported.
const CLIENT_ERRORS: &str = "client_errors_total";
const ROUTE_MAX: usize = 100;
const BUILD_MAX: usize = 60;
/// Of a longer message the rest is dropped: how a defect is called comes first.
const MESSAGE_MAX: usize = 300;
/// A number of fewer digits is a line, a column or a count.
const DIGITS_MAX: usize = 5;

/// How a defect came to light.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ClientErrorKind {
    /// An exception that nothing caught.
    Error,
    /// A rejected promise that nothing awaited.
    Rejection,
    /// A screen that could not be drawn.
    Render,
}

impl ClientErrorKind {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Rejection => "rejection",
            Self::Render => "render",
        }
    }
}

/// Begins the counter at zero: of one that appears with its first event, no rise is seen.
pub(crate) fn count_from_zero() {
    metrics::describe_counter!(CLIENT_ERRORS, "Defects that browsers reported, by how they came to light.");
    for kind in [ClientErrorKind::Error, ClientErrorKind::Rejection, ClientErrorKind::Render] {
        metrics::counter!(CLIENT_ERRORS, "kind" => kind.as_str()).increment(0);
    }
}

/// A defect that a browser met. It says nothing of who met it.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct ClientErrorReport {
    #[schema(required, nullable = false, value_type = ClientErrorKind)]
    kind: Option<String>,
    /// The page's path with `:id` for every part that names something, without its query.
    #[schema(required, nullable = false, max_length = 100, pattern = "^/[a-z/:-]*$")]
    route: Option<String>,
    /// What the browser says of it; the first 300 characters count.
    #[schema(required, nullable = false)]
    message: Option<String>,
    /// Which build of the client: the name of its first script.
    #[schema(required, nullable = false, max_length = 60)]
    build: Option<String>,
}

/// Notes a defect that a browser met: counted in `client_errors_total{kind}`, and logged.
///
/// Addresses and long numbers are taken out of the message before it is logged.
#[utoipa::path(
    post, path = "/client-errors", request_body = ClientErrorReport,
    responses(
        (status = 204, description = "Noted"),
        (status = 422, description = "Not a report"),
    )
)]
pub(crate) async fn report_client_error(Json(sent): Json<ClientErrorReport>) -> Result<HttpResponse, Problem> {
    let mut fields = Fields::default();
    let kind = fields.required("kind", "Kind", sent.kind, |text| variant::<ClientErrorKind>(&text).ok_or(NotAKind));
    let route = fields.required("route", "Route", sent.route, route_pattern);
    let message = fields.required("message", "Message", sent.message, |text| Ok::<_, NotARoute>(impersonal(&text)));
    let build = fields.required("build", "Build", sent.build.as_deref(), Text::<BUILD_MAX>::new);
    let whole = kind.zip(route).zip(message).zip(build);
    let (((kind, route), message), build) = fields.all(whole)?;
    metrics::counter!(CLIENT_ERRORS, "kind" => kind.as_str()).increment(1);
    tracing::warn!(kind = kind.as_str(), route, message, build = build.as_str(), "a browser reported a defect");
    Ok(HttpResponse::NoContent().finish())
}

#[derive(Debug)]
struct NotAKind;

impl fmt::Display for NotAKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "must be error, rejection or render")
    }
}

#[derive(Debug)]
struct NotARoute;

impl fmt::Display for NotARoute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "must be a path in which names are written as :id")
    }
}

/// Refuses a path that names something: an id, an address or a word that was searched for.
fn route_pattern(sent: String) -> Result<String, NotARoute> {
    let allowed = |character: char| character.is_ascii_lowercase() || matches!(character, '/' | ':' | '-');
    if sent.len() <= ROUTE_MAX && sent.starts_with('/') && sent.chars().all(allowed) {
        Ok(sent)
    } else {
        Err(NotARoute)
    }
}

/// The message on one line, without e-mail addresses and without numbers that may be somebody's.
fn impersonal(message: &str) -> String {
    let start: String = message.chars().take(MESSAGE_MAX).collect();
    let words = start.split(|character: char| character.is_whitespace() || character.is_control());
    let kept: Vec<String> = words.filter(|word| !word.is_empty()).map(impersonal_word).collect();
    kept.join(" ")
}

fn impersonal_word(word: &str) -> String {
    if word.contains('@') {
        return "[address]".to_owned();
    }
    // Digits with dashes and dots between them are one number: a phone's, a card's, an order's id.
    let digits = word.chars().filter(char::is_ascii_digit).count();
    if digits > DIGITS_MAX {
        return "[number]".to_owned();
    }
    word.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_kept_without_what_could_be_somebodys() {
        let message = "TypeError: cannot read 'x' of\nnull (ada@example.com, +1-202-555-0143) at 12:40";
        assert_eq!(impersonal(message), "TypeError: cannot read 'x' of null [address] [number] at 12:40");
        assert_eq!(impersonal(&"é".repeat(1_000)).chars().count(), MESSAGE_MAX);
        assert_eq!(impersonal(" \u{0} "), "");
    }

    #[test]
    fn a_route_that_names_something_is_refused() {
        for allowed in ["/", "/shop", "/dashboard/order/:id", "/return-policy"] {
            assert_eq!(route_pattern(allowed.to_owned()).ok().as_deref(), Some(allowed));
        }
        let long = format!("/{}", "a".repeat(ROUTE_MAX));
        for refused in ["", "shop", "/order/42", "/shop?q=brake", "/user/ada@example.com", "/Shop", &long] {
            assert!(route_pattern(refused.to_owned()).is_err(), "{refused}");
        }
    }
}
