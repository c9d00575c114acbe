//! Who did something.

use crate::{AccountId, Email};

/// Who caused an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Actor {
    /// An account, customer or admin.
    Account {
        /// The account's id.
        id: AccountId,
        /// The account's e-mail address at that moment.
        email: Email,
    },
    /// The shop itself: a background job, a provider's webhook, the command line.
    Shop,
}
