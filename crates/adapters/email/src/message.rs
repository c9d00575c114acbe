//! The wire format of an e-mail (RFC 5322, RFC 2045).

use std::str::FromStr;
use std::time::SystemTime;

use domain::Email;
use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart};
use lettre::{Address, Message};
use ports::{EmailError, EmailMessage};
use thiserror::Error;

/// The sender of e-mails: an address, with or without a name, as in `Driveline <orders@shop.example.com>`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sender(Mailbox);

/// Not a valid sender.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("an address such as Driveline <orders@shop.example.com>")]
pub struct InvalidSender;

impl FromStr for Sender {
    type Err = InvalidSender;

    fn from_str(typed: &str) -> Result<Self, InvalidSender> {
        let mailbox: Mailbox = typed.parse().map_err(|_| InvalidSender)?;
        let address: &str = mailbox.email.as_ref();
        let sound = address.parse::<Email>().is_ok() && !typed.chars().any(char::is_control);
        if sound { Ok(Self(mailbox)) } else { Err(InvalidSender) }
    }
}

impl Sender {
    /// The part of the address after the @.
    pub(crate) fn domain(&self) -> &str {
        self.0.email.domain()
    }

    pub(crate) fn address(&self) -> &Address {
        &self.0.email
    }
}

/// Formats an e-mail: plain text and HTML as alternatives, in ASCII whatever the content.
///
/// # Errors
/// [`EmailError::Refused`] if the recipient's address cannot be written in a message.
pub(crate) fn written(email: &EmailMessage, from: &Sender) -> Result<Message, EmailError> {
    let to: Address = email.to.as_str().parse().map_err(|error| EmailError::Refused(Box::new(error)))?;
    let name = Some(on_one_line(&email.name)).filter(|name| !name.is_empty());
    Message::builder()
        .from(from.0.clone())
        .to(Mailbox::new(name, to))
        .subject(on_one_line(&email.subject))
        .date(SystemTime::from(email.written_at))
        .message_id(Some(format!("<{}@{}>", email.id, from.domain())))
        // So that no autoresponder replies (RFC 3834, section 5).
        .raw_header(HeaderValue::new(HeaderName::new_from_ascii_str("Auto-Submitted"), "auto-generated".to_owned()))
        .multipart(MultiPart::alternative_plain_html(email.text.clone(), email.html.clone()))
        .map_err(|error| EmailError::Refused(Box::new(error)))
}

/// Replaces control characters with spaces. Names and subjects are one line already; a line break would make lettre
/// panic.
fn on_one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn sender() -> Sender {
        "Driveline <orders@shop.example.com>".parse().unwrap()
    }

    pub(crate) fn email(id: &str) -> EmailMessage {
        EmailMessage {
            id: id.to_owned(),
            to: "nia@example.com".parse().unwrap(),
            name: "Nia".to_owned(),
            subject: "We have your order".to_owned(),
            text: "Hello Nia,\n\n.a line that begins with a dot\n".to_owned(),
            html: "<!DOCTYPE html><p>Hello Nia,</p>".to_owned(),
            written_at: jiff::Timestamp::from_second(1_800_000_000).unwrap(),
        }
    }

    fn formatted(email: &EmailMessage) -> String {
        String::from_utf8(written(email, &sender()).unwrap().formatted()).unwrap()
    }

    fn headers(formatted: &str) -> Vec<&str> {
        let (head, _) = formatted.split_once("\r\n\r\n").unwrap();
        head.split("\r\n").filter(|line| !line.starts_with([' ', '\t'])).collect()
    }

    #[test]
    fn an_email_has_its_headers_and_both_a_text_and_an_html_part() {
        let formatted = formatted(&email("7.1"));
        for line in [
            "From: Driveline <orders@shop.example.com>",
            "To: Nia <nia@example.com>",
            "Subject: We have your order",
            "Date: Fri, 15 Jan 2027 08:00:00 +0000",
            "Message-ID: <7.1@shop.example.com>",
            "Auto-Submitted: auto-generated",
        ] {
            assert!(headers(&formatted).contains(&line), "{line}: {formatted}");
        }
        for part in ["multipart/alternative", "text/plain; charset=utf-8", "text/html; charset=utf-8"] {
            assert!(formatted.contains(part), "{part}: {formatted}");
        }
    }

    #[test]
    fn no_text_becomes_another_header_or_leaves_ascii() {
        let plain = formatted(&email("7.1"));
        for hostile in [
            "Nia\r\nBcc: all@example.com",
            "Nia\nBcc: all@example.com",
            "\" <all@example.com>, \"Nia",
            "Nia <all@example.com>",
            "Nia, all@example.com",
            "Åse 🛒 =?utf-8?q?x?= \\",
            &"ñ".repeat(500),
            &"a".repeat(1_500),
        ] {
            let mut email = email("7.1");
            // Longer than any person's or product's name can be.
            email.name = hostile.chars().take(300).collect();
            email.subject.clone_from(&email.name);
            email.text = format!("{hostile}\n");
            email.html = hostile.to_owned();
            let formatted = formatted(&email);
            assert!(formatted.is_ascii(), "{hostile}: {formatted}");
            assert!(formatted.split("\r\n").all(|line| line.len() <= 998), "{hostile}: {formatted}");
            let names = |formatted: &str| -> Vec<String> {
                headers(formatted).iter().map(|line| line.split(':').next().unwrap().to_owned()).collect()
            };
            assert_eq!(names(&formatted), names(&plain), "{hostile}: {formatted}");
            let written = written(&email, &sender()).unwrap();
            assert_eq!(
                written.envelope().to().iter().map(ToString::to_string).collect::<Vec<_>>(),
                ["nia@example.com"]
            );
        }
    }

    #[test]
    fn emails_come_from_an_address() {
        for sound in ["orders@shop.example.com", "Driveline <orders@shop.example.com>", "\"Drive, line\" <a@b.example>"]
        {
            assert!(sound.parse::<Sender>().is_ok(), "{sound}");
        }
        for bad in ["", "Driveline", "orders@", "orders@localhost", "a@b.example, c@d.example", "A\n<a@b.example>"] {
            assert_eq!(bad.parse::<Sender>(), Err(InvalidSender), "{bad}");
        }
    }
}
