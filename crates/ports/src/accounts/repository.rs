//! Who can sign in.

use async_trait::async_trait;
use domain::{Account, AccountId, Edit, Email, PictureUrl, Role, SessionId, Text, Timestamp};
use thiserror::Error;

use crate::StoreError;

/// A password's hash in PHC string format, as [`crate::PasswordHasher`] makes it. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct PasswordHash(String);

impl PasswordHash {
    /// Wraps a PHC string.
    #[must_use]
    pub fn new(phc: String) -> Self {
        Self(phc)
    }

    /// The PHC string.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for PasswordHash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("PasswordHash(…)")
    }
}

/// An account to be created.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAccount {
    /// The account.
    pub account: Account,
    /// The hash of its password, if it has one.
    pub password: Option<PasswordHash>,
}

/// How somebody may prove to be an account's owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Credentials {
    /// The account.
    pub account: Account,
    /// The hash of its password; `None` if it has none.
    pub password: Option<PasswordHash>,
    /// Whether a Google account opens it, by the rules that hold today. Links of earlier programs are judged anew.
    pub google_linked: bool,
    /// Whether it was removed: then nothing proves anything any more.
    pub removed: bool,
}

/// Another password for an account whose owner is signed in and typed the one that it has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PasswordChange {
    /// Whose.
    pub account: AccountId,
    /// The hash of the password that was typed; it must still be the account's.
    pub from: PasswordHash,
    /// The hash of the one that was chosen.
    pub to: PasswordHash,
    /// The session that stays; all others end.
    pub kept: SessionId,
    /// When.
    pub at: Timestamp,
}

/// Why an account was not created.
#[derive(Debug, Error)]
pub enum AddAccountError {
    /// The address has an account, living or removed, or Google's `sub` has.
    #[error("the address is taken")]
    Taken,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A role to be given or taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RoleGrant {
    /// Which role.
    pub role: Role,
    /// Whether only a proved address can become an admin's.
    pub needs_proof: bool,
    /// Now.
    pub at: Timestamp,
}

/// What became of giving or taking a role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RoleChange {
    /// It has the role now and had another before.
    Changed,
    /// It had the role already.
    Same,
    /// No living account has that address.
    Unknown,
    /// It is the last admin, and a shop without one cannot be run.
    LastAdmin,
    /// Nobody has proved that they read the address's mail: whoever signed up with it may be somebody else.
    Unproved,
}

/// What became of removing an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Removal {
    /// It is removed, and its sessions with it.
    Removed,
    /// No living account has that address.
    Unknown,
    /// It is the last admin, and a shop without one cannot be run.
    LastAdmin,
}

/// In which order a list of accounts comes. Ties are broken by id, so that pages neither repeat nor skip.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AccountSort {
    /// First signed up first.
    #[default]
    Oldest,
    /// Latest signed up first.
    Newest,
    /// By e-mail address, A to Z.
    Email,
}

/// Which accounts, and how many of them. The default asks for all that live.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AccountQuery {
    /// Only those in which every word of this occurs, whatever the case: in the name or the e-mail address.
    pub search: Option<String>,
    /// Only those with this role.
    pub role: Option<Role>,
    /// The order of the list.
    pub sort: AccountSort,
    /// At most so many.
    pub limit: Option<u32>,
    /// Only what comes after this account in the list. A removed one still marks its place; one that never was ends the
    /// list.
    pub after: Option<AccountId>,
}

/// A part of a list of accounts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountPage {
    /// The accounts of this part.
    pub accounts: Vec<Account>,
    /// How many match, over all parts.
    pub total: u64,
    /// The last account of this part, if others come after it.
    pub next: Option<AccountId>,
}

/// Accounts. Removed ones stay, so that orders keep their buyer, but nobody can enter by them.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait AccountRepository: Send + Sync {
    /// Creates an account. One whose address is not verified is sent a letter that asks for it: the wish for it is written
    /// in the same transaction.
    async fn add(&self, new: &NewAccount) -> Result<(), AddAccountError>;

    /// How the owner of an address proves it; removed accounts too.
    async fn by_email(&self, email: &Email) -> Result<Option<Credentials>, StoreError>;

    /// One living account.
    async fn find(&self, id: AccountId) -> Result<Option<Account>, StoreError>;

    /// Changes what is given of a living account, and answers it as it is then.
    async fn rename(
        &self,
        id: AccountId,
        display_name: Option<Text<120>>,
        photo_url: Edit<PictureUrl>,
    ) -> Result<Option<Account>, StoreError>;

    /// Gives a living account a picture that was uploaded to this shop, and answers it as it is then.
    async fn set_uploaded_photo(&self, id: AccountId, photo: &PictureUrl) -> Result<Option<Account>, StoreError>;

    /// Changes a password, ends the account's other sessions and reset links, forgets the wrong passwords, and notes that an
    /// e-mail is to say so, in one transaction. `false`, and nothing is changed, if the account was removed or has another
    /// password by now.
    async fn change_password(&self, change: &PasswordChange) -> Result<bool, StoreError>;

    /// The living accounts that match, as others may see them: of the pictures only those that were uploaded to this shop.
    async fn list(&self, query: &AccountQuery) -> Result<AccountPage, StoreError>;

    /// Gives a living account a role, unless that takes it from the last admin; calls at the same moment cannot take it
    /// from the last two. Its owner is e-mailed, and so are the other admins of a new one.
    async fn set_role(&self, email: &Email, grant: RoleGrant) -> Result<RoleChange, StoreError>;

    /// Removes a living account and ends its sessions, in one transaction, unless it is the last admin.
    async fn remove(&self, email: &Email, at: Timestamp) -> Result<Removal, StoreError>;
}
