//! Sending e-mail.

use std::error::Error as StdError;

use async_trait::async_trait;
use domain::{Email, Timestamp};
use thiserror::Error;

use crate::Notification;

/// A file that comes with an e-mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmailAttachment {
    /// The name of the file: ASCII letters, digits, `.` and `-`.
    pub name: String,
    /// Its media type.
    pub media_type: &'static str,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// An e-mail to be sent. What it says about its notification, and the sender address, belong to the adapter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmailMessage {
    /// The e-mail's id, the same whenever it is sent again. ASCII letters, digits, `.` and `-`.
    pub id: String,
    /// The recipient's address.
    pub to: Email,
    /// What it reports.
    pub notification: Notification,
    /// The files that come with it.
    pub attachments: Vec<EmailAttachment>,
    /// When the event that it is about happened.
    pub happened_at: Timestamp,
}

/// Why an e-mail was not accepted.
#[derive(Debug, Error)]
pub enum EmailError {
    /// Retry later: the server is unavailable, too slow, busy, or does not accept our login. It may have accepted the
    /// e-mail nevertheless.
    #[error("the mail server cannot take it now")]
    Unavailable(#[source] Box<dyn StdError + Send + Sync>),
    /// The server will never accept this e-mail for this recipient.
    #[error("the mail server refuses it")]
    Refused(#[source] Box<dyn StdError + Send + Sync>),
}

/// Sends e-mails.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
#[async_trait]
pub trait EmailSender: Send + Sync {
    /// Submits an e-mail within half a minute. Success means that the server has accepted it and is responsible for it.
    /// Calling again sends it again, under the same `Message-ID`.
    async fn send(&self, message: &EmailMessage) -> Result<(), EmailError>;
}
