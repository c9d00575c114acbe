//! E-mail delivery: to a mail server ([`SmtpSender`]), or to a folder for the demo ([`FolderSender`]).
//!
//! The application decides what an e-mail says; this crate decides its wire format, the same for both.
//!
//! What is deliberately absent: retries, which the outbox does, and lettre's own connection pool, see [`smtp`].

mod folder;
mod message;
mod server;
mod smtp;

pub use folder::FolderSender;
pub use message::{InvalidSender, Sender};
pub use server::{InvalidServer, MailServer};
pub use smtp::SmtpSender;
