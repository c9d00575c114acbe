//! Outgoing webhooks about orders and checkouts, as Standard Webhooks defines them (<https://www.standardwebhooks.com>).
//!
//! Anyone who may register a URL can make this shop call it, so the shop calls nothing in its own network.
//! [`addresses`] decides what that is, and it checks the address that a connection is made to, not the name in the URL.

mod addresses;
mod amount;
mod body;
mod caller;
mod checkout_body;
mod signature;

pub use caller::{HttpWebhookSender, NetworkPolicy, SenderError};
