//! E-mail delivery: to a mail server ([`SmtpSender`]), or to a folder for the demo ([`FolderSender`]).
//!
//! The application decides what is reported; this crate's templates decide how an e-mail says it, and its wire format is
//! the same for both.
//!
//! What is deliberately absent: retries, which the outbox does, and lettre's own connection pool, see [`smtp`].

mod folder;
mod message;
mod server;
mod smtp;
mod templates;

pub use folder::FolderSender;
pub use message::{Composer, InvalidSender, Sender};
pub use server::{InvalidServer, MailServer};
pub use smtp::SmtpSender;
