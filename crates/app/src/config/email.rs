//! The settings of the mail server.

use email::{MailServer, Sender};
use secrecy::ExposeSecret;

use super::reader::EnvReader;

/// The mail server for the shop's e-mails.
#[derive(Debug)]
pub(crate) struct Mail {
    /// The mail server, password included.
    pub(crate) server: MailServer,
    /// The sender of the e-mails.
    pub(crate) from: Sender,
}

impl EnvReader<'_> {
    pub(super) fn mail(&mut self) -> Option<Mail> {
        let server = self.secret("SMTP_URL").map(|url| url.expose_secret().parse::<MailServer>());
        let from = self.parsed("MAIL_FROM", "an address such as Driveline <orders@shop.example.com>", |typed| {
            typed.parse::<Sender>().ok()
        });
        match server {
            Some(Ok(server)) => {
                if from.is_none() {
                    self.missing("MAIL_FROM", "the sender of e-mails, such as Driveline <orders@shop.example.com>");
                }
                Some(Mail { server, from: from? })
            }
            Some(Err(wanted)) => {
                self.complain(format!("SMTP_URL has to be {wanted}"));
                None
            }
            None => {
                if from.is_some() {
                    self.complain("MAIL_FROM is set, and SMTP_URL is not");
                }
                None
            }
        }
    }
}
