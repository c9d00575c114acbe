//! The wire format of an e-mail (RFC 5322, RFC 2045).

use std::str::FromStr;
use std::time::SystemTime;

use domain::{Email, one_line};
use lettre::message::header::ContentType;
use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Attachment, Mailbox, MultiPart};
use lettre::{Address, Message};
use ports::{EmailError, EmailMessage};
use thiserror::Error;

use crate::templates::{Content, content};

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

/// Writes what is sent: the shop's sender address, and what its templates say.
#[derive(Debug, Clone)]
pub struct Composer {
    from: Sender,
    origin: String,
}

/// A composed e-mail.
#[derive(Debug)]
pub(crate) struct Composed {
    pub(crate) subject: String,
    pub(crate) message: Message,
}

impl Composer {
    /// Writes e-mails from this sender. `origin` is the scheme and host of the links in them, without a trailing slash.
    #[must_use]
    pub fn new(from: Sender, origin: &str) -> Self {
        Self { from, origin: origin.to_owned() }
    }

    pub(crate) fn from(&self) -> &Sender {
        &self.from
    }

    /// Composes an e-mail: plain text and HTML as alternatives, in ASCII whatever the content.
    ///
    /// # Errors
    /// [`EmailError::Refused`] if the recipient's address cannot be written in a message.
    pub(crate) fn compose(&self, email: &EmailMessage) -> Result<Composed, EmailError> {
        let content = content(email, &self.origin).map_err(|error| EmailError::Refused(Box::new(error)))?;
        let contact = email.notification.order().and_then(|order| order.contact.as_ref());
        let name = contact.map_or_else(|| email.to.as_name().into_string(), |contact| contact.name.to_string());
        let subject = content.subject.clone();
        Ok(Composed { subject, message: self.formatted(email, &name, content)? })
    }

    /// The wire format. `name` and the subject may be any text.
    fn formatted(&self, email: &EmailMessage, name: &str, content: Content) -> Result<Message, EmailError> {
        let to: Address = email.to.as_str().parse().map_err(|error| EmailError::Refused(Box::new(error)))?;
        // Without control characters: a line break would make lettre panic.
        let name = Some(one_line(name)).filter(|name| !name.is_empty());
        Message::builder()
            .from(self.from.0.clone())
            .to(Mailbox::new(name, to))
            .subject(one_line(&content.subject))
            .date(SystemTime::from(email.happened_at))
            .message_id(Some(format!("<{}@{}>", email.id, self.from.domain())))
            // So that no autoresponder replies (RFC 3834, section 5).
            .raw_header(HeaderValue::new(HeaderName::new_from_ascii_str("Auto-Submitted"), "auto-generated".to_owned()))
            .multipart(body(email, content)?)
            .map_err(|error| EmailError::Refused(Box::new(error)))
    }
}

/// The text in both forms, and behind it the files, if there are some.
fn body(email: &EmailMessage, content: Content) -> Result<MultiPart, EmailError> {
    let text = MultiPart::alternative_plain_html(content.text, content.html);
    if email.attachments.is_empty() {
        return Ok(text);
    }
    let mut all = MultiPart::mixed().multipart(text);
    for file in &email.attachments {
        let kind = ContentType::parse(file.media_type).map_err(|error| EmailError::Refused(Box::new(error)))?;
        all = all.singlepart(Attachment::new(file.name.clone()).body(file.bytes.clone(), kind));
    }
    Ok(all)
}

#[cfg(test)]
pub(crate) mod tests {
    use ports::{AccountToken, Notification};

    use super::*;
    use crate::templates::tests::{hostile, plain};

    pub(crate) fn composer() -> Composer {
        Composer::new("Driveline <orders@shop.example.com>".parse().unwrap(), "https://shop.example.com")
    }

    pub(crate) fn email(id: &str) -> EmailMessage {
        EmailMessage {
            id: id.to_owned(),
            to: "nia@example.com".parse().unwrap(),
            notification: Notification::OrderPlaced { order: plain(), reserved_until: None },
            attachments: Vec::new(),
            happened_at: jiff::Timestamp::from_second(1_800_000_000).unwrap(),
        }
    }

    fn formatted(email: &EmailMessage) -> String {
        String::from_utf8(composer().compose(email).unwrap().message.formatted()).unwrap()
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
    fn a_file_comes_behind_the_text_and_is_the_same_byte_for_byte() {
        let bytes: Vec<u8> = (0..=255).cycle().take(3_000).collect();
        let file = ports::EmailAttachment {
            name: "INV-000123.pdf".to_owned(),
            media_type: "application/pdf",
            bytes: bytes.clone(),
        };
        let formatted = formatted(&EmailMessage { attachments: vec![file], ..email("7.1") });
        assert!(formatted.is_ascii());
        let parsed = mailparse::parse_mail(formatted.as_bytes()).unwrap();
        assert_eq!(parsed.ctype.mimetype, "multipart/mixed");
        let [text, file] = parsed.subparts.as_slice() else { panic!("{} parts", parsed.subparts.len()) };
        assert_eq!((text.ctype.mimetype.as_str(), text.subparts.len()), ("multipart/alternative", 2));
        assert_eq!(file.ctype.mimetype, "application/pdf");
        assert_eq!(file.get_content_disposition().params["filename"], "INV-000123.pdf");
        assert_eq!(file.get_body_raw().unwrap(), bytes);
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
            let email = email("7.1");
            // Longer than any person's or product's name can be.
            let name: String = hostile.chars().take(300).collect();
            let (text, html) = (format!("{hostile}\n"), hostile.to_owned());
            let content = Content { subject: name.clone(), text, html };
            let written = composer().formatted(&email, &name, content).unwrap();
            let formatted = String::from_utf8(written.formatted()).unwrap();
            assert!(formatted.is_ascii(), "{hostile}: {formatted}");
            assert!(formatted.split("\r\n").all(|line| line.len() <= 998), "{hostile}: {formatted}");
            let names = |formatted: &str| -> Vec<String> {
                headers(formatted).iter().map(|line| line.split(':').next().unwrap().to_owned()).collect()
            };
            assert_eq!(names(&formatted), names(&plain), "{hostile}: {formatted}");
            assert_eq!(
                written.envelope().to().iter().map(ToString::to_string).collect::<Vec<_>>(),
                ["nia@example.com"]
            );
        }
    }

    #[test]
    fn a_hostile_order_adds_no_header_and_no_recipient() {
        let mut email = email("7.1");
        email.notification = Notification::OrderPlaced { order: hostile(), reserved_until: None };
        let composed = composer().compose(&email).unwrap();
        let formatted = String::from_utf8(composed.message.formatted()).unwrap();
        assert!(!headers(&formatted).iter().any(|line| line.starts_with("Bcc")), "{formatted}");
        assert_eq!(composed.message.envelope().to().len(), 1);
    }

    #[test]
    fn an_email_is_addressed_by_the_contacts_name_or_by_the_address() {
        let mut email = email("7.1");
        assert!(headers(&formatted(&email)).contains(&"To: Nia <nia@example.com>"));
        let mut order = plain();
        order.contact = None;
        for notification in [Notification::OrderPlaced { order, reserved_until: None }, Notification::PasswordChanged] {
            email.notification = notification;
            assert!(headers(&formatted(&email)).contains(&"To: nia <nia@example.com>"));
        }
    }

    #[test]
    fn a_link_that_grants_access_is_in_the_bodies_only() {
        let token = || AccountToken::new("k3y".to_owned());
        for notification in [
            Notification::VerifyAddress { token: token() },
            Notification::ResetPassword { token: token() },
            Notification::ConfirmGoogle { token: token() },
        ] {
            let email = EmailMessage { notification, ..email("7.1") };
            let formatted = formatted(&email);
            assert!(!headers(&formatted).iter().any(|line| line.contains("k3y")), "{formatted}");
            assert!(formatted.contains("k3y"), "{formatted}");
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
