//! What an e-mail says: `templates/`, a folder for each kind of notification with its subject, its text and its HTML.
//!
//! The three files beside those folders choose the kind's own; the compiler checks that none is missing. Values are
//! escaped in every file that ends in `.html`.

use askama::Template;
use domain::{Money, Timestamp, one_line};
use ports::{EmailMessage, Notification};

/// The content of an e-mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Content {
    /// The subject, on one line.
    pub(crate) subject: String,
    /// The plain-text body.
    pub(crate) text: String,
    /// The HTML document.
    pub(crate) html: String,
}

#[derive(Template)]
#[template(path = "subject.txt")]
struct Subject<'a> {
    notification: &'a Notification,
}

#[derive(Template)]
#[template(path = "body.txt")]
struct Text<'a> {
    notification: &'a Notification,
    /// The name in the greeting, if it has one. Account e-mails have none: someone who signs up with a foreign address
    /// chooses the name, and could otherwise have the shop send arbitrary text to that address.
    greeted: Option<&'a str>,
    /// When the event happened.
    at: Timestamp,
    /// The scheme and host of links, without a trailing slash.
    origin: &'a str,
    /// Whether a refunded order had shipped; otherwise it was cancelled.
    was_shipped: bool,
}

#[derive(Template)]
#[template(path = "body.html")]
struct Html<'a> {
    notification: &'a Notification,
    greeted: Option<&'a str>,
    at: Timestamp,
    origin: &'a str,
    was_shipped: bool,
}

/// What an e-mail says. `origin` is the scheme and host of its links, without a trailing slash.
pub(crate) fn content(email: &EmailMessage, origin: &str) -> askama::Result<Content> {
    let EmailMessage { notification, happened_at, .. } = email;
    let contact = notification.order().and_then(|order| order.contact.as_ref());
    let name = contact.map(|contact| one_line(contact.name.as_str()));
    let (greeted, at) = (name.as_deref(), *happened_at);
    let was_shipped = matches!(notification, Notification::OrderRefunded { cancelled: false, .. });
    Ok(Content {
        subject: one_line(&Subject { notification }.render()?),
        text: Text { notification, greeted, at, origin, was_shipped }.render()?,
        html: Html { notification, greeted, at, origin, was_shipped }.render()?,
    })
}

/// What templates apply to a value.
#[expect(
    clippy::inline_always,
    clippy::unnecessary_wraps,
    clippy::unused_self,
    unreachable_pub,
    reason = "askama's macro makes a type of each function"
)]
mod filters {
    use std::convert::Infallible;
    use std::fmt::Display;

    use askama::Values;
    use domain::Timestamp;

    /// The width of the column of labels in a plain text.
    const LABELS: usize = 16;

    /// The day in UTC, as on the screens: `Nov 22, 2026`.
    #[askama::filter_fn]
    pub(super) fn day(at: &Timestamp, _: &dyn Values) -> Result<String, Infallible> {
        Ok(at.strftime("%b %-d, %Y").to_string())
    }

    /// The time to the minute, as in `Nov 22, 2026, 9:15 AM UTC`.
    #[askama::filter_fn]
    pub(super) fn minute(at: &Timestamp, _: &dyn Values) -> Result<String, Infallible> {
        Ok(at.strftime("%b %-d, %Y, %-I:%M %p UTC").to_string())
    }

    /// The lines of a text, at least one.
    #[askama::filter_fn]
    pub(super) fn lines(text: impl Display, _: &dyn Values) -> Result<Vec<String>, Infallible> {
        Ok(split(&text.to_string()))
    }

    /// A text whose further lines begin in the column of its first one.
    #[askama::filter_fn]
    pub(super) fn hanging(text: impl Display, _: &dyn Values) -> Result<String, Infallible> {
        Ok(split(&text.to_string()).join(&format!("\n{:LABELS$}", "")))
    }

    /// A text on one line.
    #[askama::filter_fn]
    pub(super) fn one_line(text: &str, _: &dyn Values) -> Result<String, Infallible> {
        Ok(domain::one_line(text))
    }

    fn split(text: &str) -> Vec<String> {
        if text.is_empty() { vec![String::new()] } else { text.lines().map(str::to_owned).collect() }
    }
}

#[cfg(test)]
pub(crate) mod tests;
