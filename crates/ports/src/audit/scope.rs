//! Who does what is written.

use std::net::IpAddr;
use std::pin::Pin;

use domain::{AccountId, Email};

/// What an admin asked for, and from where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdminAction {
    /// The admin's account.
    pub account: AccountId,
    /// The admin's address now.
    pub email: Email,
    /// The operation, such as `editProduct`.
    pub operation: String,
    /// The HTTP method.
    pub method: String,
    /// The route's path, with the names of its parameters.
    pub route: String,
    /// Where the request came from.
    pub client_address: IpAddr,
    /// What the client called itself.
    pub user_agent: Option<String>,
    /// The request's id.
    pub request_id: String,
    /// Customers may do the same to what is their own: nothing is noted of an admin who does it to an order of their own.
    pub not_own: bool,
}

/// Work that runs on the thread that it began on.
pub type LocalWork<'a> = Pin<Box<dyn Future<Output = ()> + 'a>>;

/// Attributes changes to admins.
pub trait AuditScope: Send + Sync {
    /// Runs `work`. Whatever the stores change meanwhile on its behalf is noted as done by `action`, by the transaction that changes
    /// it: neither is there without the other. What `work` leaves to other tasks is not its own.
    fn attribute<'a>(&self, action: &AdminAction, work: LocalWork<'a>) -> LocalWork<'a>;
}
