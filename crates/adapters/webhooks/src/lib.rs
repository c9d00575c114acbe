//! Outgoing webhooks about orders, as Standard Webhooks defines them (<https://www.standardwebhooks.com>).
//!
//! Anyone who may register a URL can make this shop call it, so the shop calls nothing in its own network.
//! [`addresses`] decides what that is, and it checks the address that a connection is made to, not the name in the URL.

mod addresses;
mod body;
mod caller;
mod signature;

pub use caller::{HttpWebhookSender, NetworkPolicy, SenderError};
