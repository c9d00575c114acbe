//! Telling other programs what happened to an order, after the convention of Standard Webhooks
//! (<https://www.standardwebhooks.com>).
//!
//! Whoever may register an address may make this shop call it, so the shop calls nothing in its own network:
//! [`addresses`] says what that is, and it is asked about the address that a connection is made to, not about the name that
//! somebody typed.

mod addresses;
mod body;
mod caller;
mod signature;

pub use caller::{CallerError, HttpWebhookSender, NetworkPolicy};
