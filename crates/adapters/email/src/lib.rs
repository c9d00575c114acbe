//! Where letters go: a mail server ([`SmtpSender`]), or a folder of the demo's ([`FolderSender`]).
//!
//! What a letter says is the shop's business; how it is written down for the wire is decided here, the same for both.
//!
//! What is deliberately absent: retries, which are the outbox's, and lettre's own pool of connections, see [`smtp`].

mod folder;
mod message;
mod server;
mod smtp;

pub use folder::FolderSender;
pub use message::{NotASender, Sender};
pub use server::{MailServer, NotAServer};
pub use smtp::SmtpSender;
