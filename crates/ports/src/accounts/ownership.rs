//! Ownership of accounts: how it is proved, through Google and through e-mailed links.

use async_trait::async_trait;
use domain::notifications::delivery::DeliveryId;
use domain::{Account, AccountId, Email, OrderId, SessionId, Timestamp};

use crate::{Credentials, GoogleIdentity, GoogleSubject, PasswordHash, SecretHash, StoreError};

/// A user whose address Google vouches for, or who proved it through an e-mailed link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoogleClaim {
    /// The account to create if the address has none. If the address's account is unproved, this name and picture
    /// replace those that someone entered.
    pub account: Account,
    /// The Google account.
    pub google: GoogleSubject,
    /// The current time.
    pub at: Timestamp,
}

/// The result of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GoogleClaimed {
    /// There was no account, and it was created.
    Made(Account),
    /// The account was proved, and the Google account was linked to it.
    Linked(Account),
    /// The account was unproved: it now belongs to the claimant, and no earlier way to sign in works any more.
    TakenOver(Account),
    /// The account is removed.
    Removed,
    /// Nothing was changed: the account is an admin's, or is linked to another Google account. The owner has to sign in
    /// and link it there.
    SignInFirst,
}

/// A Google account to be linked by a signed-in user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoogleLink {
    /// The account to link it to.
    pub account: AccountId,
    /// The Google account.
    pub google: GoogleSubject,
    /// Whether Google vouches for the account's own address, which proves the account.
    pub proves: bool,
    /// The current time.
    pub at: Timestamp,
}

/// The result of linking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Linking {
    /// It is linked now.
    Linked,
    /// It was linked already.
    Same,
    /// This Google account belongs to another account, or this account has another Google account.
    Taken,
    /// The account's address is unproved. Someone who signed up with a foreign address must not be able to leave
    /// themselves a way to sign in.
    Unproved,
    /// The account is removed.
    Gone,
}

/// The result of unlinking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unlinking {
    /// It is unlinked, and every other session has ended.
    Unlinked,
    /// No Google account was linked.
    NotLinked,
    /// The account has no password: nobody could sign in any more.
    LastWay,
}

/// The ways to sign in to an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SignInMethods {
    /// Whether it has a password.
    pub password: bool,
    /// Whether a Google account is linked.
    pub google: bool,
    /// Whether its address is proved.
    pub proved: bool,
}

/// A sign-in with Google that waits for the link in its confirmation e-mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingSignIn {
    /// The identity according to Google.
    pub identity: GoogleIdentity,
    /// Where to send the browser afterwards: a path of this shop.
    pub destination: String,
}

/// How a user who opened the confirmation link proves that the account is theirs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OwnerProof {
    /// A live session of the account.
    Session(SessionId),
    /// The account's password: its hash was verified and must still be the account's.
    Password(PasswordHash),
}

/// The result of taking an account over through its confirmation link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TakeOver {
    /// The account of this address is its reader's.
    Taken(Email),
    /// The link is no longer valid.
    Gone,
    /// The account is an admin's, and the link is still valid: a mailbox alone must not get past their second factor.
    Admin,
}

/// The result of deleting an account through its confirmation link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deletion {
    /// It is deleted, and its address is free.
    Deleted,
    /// The link is no longer valid.
    Gone,
    /// The account is an admin's.
    Admin,
}

/// Whether an e-mail may be sent to an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recipient {
    /// The address is confirmed.
    Confirmed,
    /// The address is unconfirmed; this e-mail is within the limit.
    Unconfirmed,
    /// The address is unconfirmed and has reached the limit, until this moment.
    Full(Timestamp),
}

/// Ownership of accounts. Every method that changes one is a single transaction, and queues the e-mail about it.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
#[async_trait]
pub trait OwnershipRepository: Send + Sync {
    /// The account that is linked to a Google account, removed or not.
    async fn by_google(&self, google: &GoogleSubject) -> Result<Option<Credentials>, StoreError>;

    /// Creates, links or takes over the account of an address. Concurrent calls result in one account.
    async fn claim(&self, claim: &GoogleClaim) -> Result<GoogleClaimed, StoreError>;

    /// Links a Google account for a signed-in user.
    async fn link_google(&self, link: &GoogleLink) -> Result<Linking, StoreError>;

    /// Unlinks the Google account and ends every session except the caller's, unless nobody could sign in any more.
    async fn unlink_google(
        &self,
        account: AccountId,
        caller_session: SessionId,
        at: Timestamp,
    ) -> Result<Unlinking, StoreError>;

    /// The ways to sign in to an account; `None` if it is removed.
    async fn sign_in_methods(&self, account: AccountId) -> Result<Option<SignInMethods>, StoreError>;

    /// Stores a sign-in for the browser with this cookie hash, and queues the confirmation e-mail. Does neither if the
    /// address has reached the limit of the window.
    async fn store_pending_sign_in(
        &self,
        sign_in: &PendingSignIn,
        browser: &SecretHash,
        window: PendingSignInLimit,
    ) -> Result<(), StoreError>;

    /// Stores the token of the e-mail's link. `false` if there is no sign-in to finish any more.
    async fn add_pending_token(
        &self,
        email: DeliveryId,
        token: &SecretHash,
        now: Timestamp,
    ) -> Result<bool, StoreError>;

    /// The sign-in that this browser and this link finish together; it is used up.
    async fn finish_pending_sign_in(
        &self,
        browser: &SecretHash,
        token: &SecretHash,
        now: Timestamp,
    ) -> Result<Option<PendingSignIn>, StoreError>;

    /// The credentials of the account that a valid confirmation token belongs to.
    async fn owner_of(&self, token: &SecretHash, now: Timestamp) -> Result<Option<Credentials>, StoreError>;

    /// Uses up a confirmation token and proves its account. `None`, and nothing is changed, if the token or the proof
    /// is not valid.
    async fn confirm(&self, token: &SecretHash, proof: &OwnerProof, at: Timestamp)
    -> Result<Option<Email>, StoreError>;

    /// Uses up a confirmation token and gives its account to the reader of the address's mail: it gets another
    /// password, and no earlier way to sign in works any more.
    async fn take_over(
        &self,
        token: &SecretHash,
        password: &PasswordHash,
        at: Timestamp,
    ) -> Result<TakeOver, StoreError>;

    /// Uses up a confirmation token and deletes its account; the address is free again.
    async fn delete(&self, token: &SecretHash, at: Timestamp) -> Result<Deletion, StoreError>;

    /// Up to `limit` unpaid orders that were placed in accounts before these were taken over, by their ids; only those
    /// behind `after`, so that one that cannot be cancelled does not hold up the others.
    async fn abandoned_orders(&self, after: Option<OrderId>, limit: u32) -> Result<Vec<OrderId>, StoreError>;

    /// Whether an e-mail may be sent to an address; counts it if the address is unconfirmed.
    async fn recipient(
        &self,
        email: DeliveryId,
        to: &Email,
        bound: crate::EmailLimit,
        now: Timestamp,
    ) -> Result<Recipient, StoreError>;

    /// The account that an e-mail to someone else is about.
    async fn account_of_notice(&self, email: DeliveryId) -> Result<Option<Email>, StoreError>;

    /// Deletes at most `limit` pending sign-ins that expired, and counted e-mails, before a moment. Returns how many of
    /// both; fewer than `limit` only if none are left.
    async fn forget(&self, before: Timestamp, limit: u32) -> Result<u32, StoreError>;
}

/// How long a sign-in stays pending, and how many an address may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PendingSignInLimit {
    /// The current time.
    pub now: Timestamp,
    /// When the pending sign-in expires.
    pub until: Timestamp,
    /// The maximum number of pending sign-ins since `since`.
    pub most: u32,
    /// The start of the period in which they are counted.
    pub since: Timestamp,
}
