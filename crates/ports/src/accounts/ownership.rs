//! Who owns an account: what proves it, and how Google and e-mailed links come into it.

use async_trait::async_trait;
use domain::notifications::delivery::DeliveryId;
use domain::{Account, AccountId, Email, OrderId, SessionId, Timestamp};

use crate::{Credentials, GoogleIdentity, GoogleSubject, PasswordHash, SecretHash, StoreError};

/// Somebody for whose address Google speaks, or who has proved it by an e-mailed link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoogleClaim {
    /// The account that is made if the address has none. Where the address's account was never proved, its name and picture
    /// replace those that somebody typed.
    pub account: Account,
    /// Who it is at Google.
    pub google: GoogleSubject,
    /// Now.
    pub at: Timestamp,
}

/// What became of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GoogleClaimed {
    /// There was no account: it was made.
    Made(Account),
    /// The account was proved: Google was added to it.
    Linked(Account),
    /// The account was not proved: it is the claimant's now, and nothing that opened it before opens it any more.
    TakenOver(Account),
    /// The account was removed.
    Removed,
    /// Nothing was changed: it is an admin's, or linked to another Google account. The owner signs in and links it there.
    SignInFirst,
}

/// A Google account to be linked by somebody who is signed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoogleLink {
    /// To which account.
    pub account: AccountId,
    /// Which Google account.
    pub google: GoogleSubject,
    /// Whether Google speaks for the account's own address, which proves the account.
    pub proves: bool,
    /// Now.
    pub at: Timestamp,
}

/// What became of linking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Linking {
    /// It is linked now.
    Linked,
    /// It was before.
    Same,
    /// This Google account opens another account, or this account has another Google account.
    Taken,
    /// The address was never proved: whoever signed up with it must not be able to leave a way in behind.
    Unproved,
    /// The account is gone.
    Gone,
}

/// What became of taking a link away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unlinking {
    /// It is gone, and every other session with it.
    Unlinked,
    /// There was none.
    NotLinked,
    /// There is no password: nothing would open the account any more.
    LastWay,
}

/// The ways into an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SignInMethods {
    /// Whether it has a password.
    pub password: bool,
    /// Whether a Google account is linked.
    pub google: bool,
    /// Whether its address is proved.
    pub proved: bool,
}

/// A sign-in with Google that waits for its e-mail's link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldSignIn {
    /// Who Google says it is.
    pub identity: GoogleIdentity,
    /// Where the browser wants to be afterwards: a path of this shop.
    pub destination: String,
}

/// How somebody who opened the confirmation's link proves that the account is theirs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OwnerProof {
    /// By a live session of it.
    Session(SessionId),
    /// By its password, whose hash was found right and has to be the account's still.
    Password(PasswordHash),
}

/// What became of deleting an account by its confirmation's link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deletion {
    /// It is gone, and its address is free.
    Deleted,
    /// The link is of no use any more.
    Gone,
    /// It is an admin's.
    Admin,
}

/// What an e-mail to an address may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recipient {
    /// Somebody confirmed that they read it.
    Confirmed,
    /// Nobody did; this e-mail is within the measure.
    Unconfirmed,
    /// Nobody did, and the address has had its share. There is room again at this moment.
    Full(Timestamp),
}

/// Who owns which account. Every method that changes one is a single transaction, and writes the e-mail about it.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait OwnershipRepository: Send + Sync {
    /// The account that is linked to a Google account; removed accounts too.
    async fn by_google(&self, google: &GoogleSubject) -> Result<Option<Credentials>, StoreError>;

    /// Makes, links or takes over the account of an address. Calls at the same moment come to one account.
    async fn claim(&self, claim: &GoogleClaim) -> Result<GoogleClaimed, StoreError>;

    /// Links a Google account for somebody who is signed in.
    async fn link_google(&self, link: &GoogleLink) -> Result<Linking, StoreError>;

    /// Takes the link away and ends every session but the one that asks, unless nothing would open the account any more.
    async fn unlink_google(
        &self,
        account: AccountId,
        asking: SessionId,
        at: Timestamp,
    ) -> Result<Unlinking, StoreError>;

    /// The ways into a living account.
    async fn sign_in_methods(&self, account: AccountId) -> Result<Option<SignInMethods>, StoreError>;

    /// Keeps a sign-in until `until`, for the browser whose cookie hashes to `browser`, and writes the e-mail that asks for
    /// it; neither if the address has had `most` of them since `since`.
    async fn hold_sign_in(
        &self,
        held: &HeldSignIn,
        browser: &SecretHash,
        window: ReservationWindow,
    ) -> Result<(), StoreError>;

    /// Adds what the e-mail's link holds. `false` if there is nothing to finish any more.
    async fn add_hold_token(&self, email: DeliveryId, token: &SecretHash, now: Timestamp) -> Result<bool, StoreError>;

    /// The sign-in that a browser and a link together finish, which is used up.
    async fn finish_hold(
        &self,
        browser: &SecretHash,
        token: &SecretHash,
        now: Timestamp,
    ) -> Result<Option<HeldSignIn>, StoreError>;

    /// Whose account a good confirmation token is for.
    async fn owner_of(&self, token: &SecretHash, now: Timestamp) -> Result<Option<Credentials>, StoreError>;

    /// Uses a confirmation token up and proves its account. `None`, and nothing happens, if the token is not good or the
    /// proof no longer holds.
    async fn confirm(&self, token: &SecretHash, proof: &OwnerProof, at: Timestamp)
    -> Result<Option<Email>, StoreError>;

    /// Uses a confirmation token up and makes its account that of whoever reads the address's mail: with another password,
    /// and without anything that opened it before. `None`, and nothing happens, if the token is not good.
    async fn take_over(
        &self,
        token: &SecretHash,
        password: &PasswordHash,
        at: Timestamp,
    ) -> Result<Option<Email>, StoreError>;

    /// Uses a confirmation token up and deletes its account; the address is free again.
    async fn delete(&self, token: &SecretHash, at: Timestamp) -> Result<Deletion, StoreError>;

    /// Up to `limit` unpaid orders of accounts that were taken over since.
    async fn abandoned_orders(&self, limit: u32) -> Result<Vec<OrderId>, StoreError>;

    /// What an e-mail to an address may be, and counts it if nobody has confirmed the address.
    async fn recipient(
        &self,
        email: DeliveryId,
        to: &Email,
        bound: crate::EmailLimit,
        now: Timestamp,
    ) -> Result<Recipient, StoreError>;

    /// Which account an e-mail to somebody else is about.
    async fn about(&self, email: DeliveryId) -> Result<Option<Email>, StoreError>;

    /// Forgets held sign-ins that ran out, and counted e-mails, before a moment. Answers how many.
    async fn forget(&self, before: Timestamp) -> Result<u64, StoreError>;
}

/// How long a sign-in is held, and how many an address gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReservationWindow {
    /// Now.
    pub now: Timestamp,
    /// Until when.
    pub until: Timestamp,
    /// At most so many since `since`.
    pub most: u32,
    /// Since when they count.
    pub since: Timestamp,
}
