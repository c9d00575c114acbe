//! Accounts, their roles, and authenticated callers.

use std::time::Duration;

use thiserror::Error;

use crate::accounts::second_factor::SecondFactor;
use crate::platform::name::read_by_name;
use crate::{AccountId, Actor, Email, PictureUrl, SessionId, Text, Timestamp};

/// The address already has an account, removed or not; or the Google account has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the address is taken")]
pub struct EmailTaken;

/// What an account may do. See [`crate::accounts::access`] for the permissions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// Places and pays for orders, and writes reviews.
    Customer,
    /// Runs the shop, and may also place orders like a customer.
    Admin,
}

impl Role {
    /// Every role.
    pub const ALL: [Self; 2] = [Self::Customer, Self::Admin];

    /// How long a session of such an account may stay idle before it ends. An admin's session that is left open on some
    /// computer gives access to every order and address of the shop, so it lasts a working day. A customer's session
    /// gives access to that customer's orders only, and a customer who visits twice a month should not have to sign in
    /// each time. Every session ends thirty days after sign-in.
    #[must_use]
    pub const fn idle_life(self) -> Duration {
        match self {
            Self::Customer => Duration::from_hours(14 * 24),
            Self::Admin => Duration::from_hours(8),
        }
    }

    /// The name, on the wire and in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Customer => "customer",
            Self::Admin => "admin",
        }
    }
}

read_by_name!(Role);

/// An account that can sign in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// The account's id.
    pub id: AccountId,
    /// The e-mail address that it signs in with, unique among accounts that are not removed.
    pub email: Email,
    /// The name shown in the shop and in e-mails.
    pub display_name: Text<120>,
    /// The profile picture, if there is one.
    pub photo_url: Option<PictureUrl>,
    /// The role, which decides what it may do.
    pub role: Role,
    /// When the account was created.
    pub created_at: Timestamp,
    /// When it was first proved that e-mail to the address arrives; `None` if never.
    pub email_verified_at: Option<Timestamp>,
    /// When it was proved that the person who can sign in also reads that e-mail; `None` if never. Only then may a
    /// Google account be linked by the address, and only then may the account become an admin.
    pub proved_at: Option<Timestamp>,
}

/// The authenticated caller of a request: a live session of an account that is not removed, with the account's current
/// role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// The session that the request was made with.
    pub session: SessionId,
    /// The account that the session belongs to.
    pub account: AccountId,
    /// The account's e-mail address.
    pub email: Email,
    /// The account's role, as read from the database for this request.
    pub role: Role,
    /// When the session was opened.
    pub signed_in_at: Timestamp,
    /// How far the session has proved itself beside a password or Google.
    pub second_factor: SecondFactor,
}

impl Caller {
    /// The caller as the actor of an event.
    #[must_use]
    pub fn actor(&self) -> Actor {
        Actor::Account { id: self.account, email: self.email.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_idle_session_of_an_admin_ends_after_a_working_day_and_a_customers_after_two_weeks() {
        assert_eq!(Role::Admin.idle_life().as_secs(), 28_800);
        assert_eq!(Role::Customer.idle_life().as_secs(), 1_209_600);
    }
}
