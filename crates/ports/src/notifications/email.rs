//! Sending letters.

use std::error::Error as StdError;

use async_trait::async_trait;
use domain::{Email, Timestamp};
use thiserror::Error;

/// A letter, ready to be sent. Who it is from is the mailer's business.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmailMessage {
    /// What this letter is known by, wherever it goes: the same again if it is sent again. ASCII letters, digits, `.`
    /// and `-`.
    pub id: String,
    /// Whom it goes to.
    pub to: Email,
    /// What they are called; any text, on one line.
    pub name: String,
    /// Any text, on one line.
    pub subject: String,
    /// The letter as plain text, with `\n` between lines.
    pub text: String,
    /// The same letter as a whole HTML document.
    pub html: String,
    /// When what it tells of happened.
    pub written_at: Timestamp,
}

/// Why a letter was not accepted.
#[derive(Debug, Error)]
pub enum EmailError {
    /// Perhaps another time: the server is away, too slow, busy, or does not know us. It may have accepted the letter all
    /// the same.
    #[error("the mail server cannot take it now")]
    Unavailable(#[source] Box<dyn StdError + Send + Sync>),
    /// The server will never take this letter for this reader.
    #[error("the mail server refuses it")]
    Refused(#[source] Box<dyn StdError + Send + Sync>),
}

/// Sends letters.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait EmailSender: Send + Sync {
    /// Hands a letter over, and answers within half a minute. Success means that the server has accepted it and answers
    /// for it from then on. The same letter again is sent again, under the same `Message-ID`.
    async fn send(&self, message: &EmailMessage) -> Result<(), EmailError>;
}
