//! People who can sign in.

use std::time::Duration;

use crate::{AccountId, Actor, Email, PictureUrl, SessionId, Text, Timestamp};

/// What an account may do. See [`crate::accounts::access`] for the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// Orders, pays, reviews.
    Customer,
    /// Runs the shop, and may order like anybody.
    Admin,
}

impl Role {
    /// Every role there is.
    pub const ALL: [Self; 2] = [Self::Customer, Self::Admin];

    /// How long a session of such an account may stay unused before it ends. A forgotten browser of an admin's opens every
    /// order and address of the shop, so it is good for a working day; a customer's opens their own orders, and a shop that
    /// is visited twice a month should not ask each time. Thirty days after sign-in a session ends in any case.
    #[must_use]
    pub const fn idle_life(self) -> Duration {
        match self {
            Self::Customer => Duration::from_hours(14 * 24),
            Self::Admin => Duration::from_hours(8),
        }
    }

    /// The name, as written on the wire and in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Customer => "customer",
            Self::Admin => "admin",
        }
    }
}

/// Somebody who can sign in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// Which one.
    pub id: AccountId,
    /// The address they sign in with; no two living accounts share one.
    pub email: Email,
    /// What the shop calls them.
    pub display_name: Text<120>,
    /// Their picture, if they have one.
    pub photo_url: Option<PictureUrl>,
    /// What they may do.
    pub role: Role,
    /// When they signed up.
    pub created_at: Timestamp,
    /// When it was first proved that mail to their address reaches them, if it was.
    pub email_verified_at: Option<Timestamp>,
    /// When it was proved that whoever holds the account's ways in reads that mail, if it was. Only then may the account be
    /// linked by its address, or be an admin's.
    pub proved_at: Option<Timestamp>,
}

/// Who is asking: a live session of a live account, with the role that the account has at this moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// The session that the request came with.
    pub session: SessionId,
    /// Whose session it is.
    pub account: AccountId,
    /// The account's address.
    pub email: Email,
    /// The account's role, as read from the database for this request.
    pub role: Role,
}

impl Caller {
    /// The caller, as timelines and ledgers name them.
    #[must_use]
    pub fn actor(&self) -> Actor {
        Actor::Account { id: self.account, email: self.email.clone() }
    }
}
