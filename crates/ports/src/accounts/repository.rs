//! Account repository.

use async_trait::async_trait;
use domain::{Account, AccountId, Edit, Email, EmailTaken, PictureUrl, Role, SessionId, Text, Timestamp};

use crate::platform::secret_text::secret_text;
use crate::{Page, Pagination, SortOrder, StoreError, WriteError};

secret_text! {
    /// A password's hash in PHC string format, as [`crate::PasswordHasher`] makes it.
    PasswordHash
}

/// An account to be created.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAccount {
    /// The account.
    pub account: Account,
    /// The hash of its password, if it has one.
    pub password: Option<PasswordHash>,
}

/// What the owner of an account can sign in with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Credentials {
    /// The account.
    pub account: Account,
    /// The hash of its password; `None` if it has none.
    pub password: Option<PasswordHash>,
    /// Whether a Google account can sign in, by the current rules. Links that older versions wrote are checked again.
    pub google_linked: bool,
    /// Whether the account is removed; then it cannot be signed in to.
    pub removed: bool,
}

/// A new password for the account of a signed-in user, who has entered the current one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PasswordChange {
    /// The account's id.
    pub account: AccountId,
    /// The hash of the password that was entered; it must still be the account's.
    pub from: PasswordHash,
    /// The hash of the new password.
    pub to: PasswordHash,
    /// The session that continues; all others end.
    pub kept: SessionId,
    /// When the password is changed.
    pub at: Timestamp,
}

/// A role to be set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RoleGrant {
    /// The new role.
    pub role: Role,
    /// Whether only an account with a proved address can become an admin.
    pub needs_proof: bool,
    /// The current time.
    pub at: Timestamp,
}

/// The result of setting a role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RoleChange {
    /// The account had another role, and now has this one.
    Changed,
    /// The account already had the role.
    Same,
    /// There is no account with that address, or it is removed.
    Unknown,
    /// It is the last admin, and a shop needs at least one.
    LastAdmin,
    /// The account's address is unproved: someone else may have signed up with it.
    Unproved,
}

/// The result of removing an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Removal {
    /// It is removed, and its sessions have ended.
    Removed,
    /// There is no account with that address, or it is removed already.
    Unknown,
    /// It is the last admin, and a shop needs at least one.
    LastAdmin,
}

/// The order of an account list. Ties are broken by id, so that pages neither repeat nor skip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccountSort {
    /// By when they were created.
    Created(SortOrder),
    /// By e-mail address, A to Z.
    Email,
    /// By what they spent, most first.
    Spent,
}

impl Default for AccountSort {
    /// Oldest first.
    fn default() -> Self {
        Self::Created(SortOrder::Ascending)
    }
}

/// Filter, order and page of an account list. The default selects all accounts that are not removed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AccountQuery {
    /// Only accounts in which every word of this occurs, ignoring case: in the name or the e-mail address.
    pub search: Option<String>,
    /// Only accounts with this role.
    pub role: Option<Role>,
    /// The order of the list.
    pub sort: AccountSort,
    /// The page of the list.
    pub page: Pagination<AccountId>,
    /// From this on, the total of a search may be less than there are. `None` for the exact total.
    pub counted_up_to: Option<u32>,
}

/// An account, and what it has ordered and spent as of some seconds ago.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountTotals {
    /// The account.
    pub account: Account,
    /// How many orders it has placed, including cancelled ones.
    pub orders: u64,
    /// What was paid for its orders less what went back, in cents.
    pub spent_cents: i64,
}

/// Accounts. Removed accounts are kept, because orders refer to them, but cannot be signed in to.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
#[async_trait]
pub trait AccountRepository: Send + Sync {
    /// Creates an account. If its address is not verified, the verification e-mail is queued in the same transaction.
    async fn add(&self, new: &NewAccount) -> Result<(), WriteError<EmailTaken>>;

    /// The credentials of the account with this address, removed or not.
    async fn by_email(&self, email: &Email) -> Result<Option<Credentials>, StoreError>;

    /// One account; `None` if it does not exist or is removed.
    async fn find(&self, id: AccountId) -> Result<Option<Account>, StoreError>;

    /// Updates the given fields of an account, and returns the updated account; `None` if it is removed.
    async fn update(
        &self,
        id: AccountId,
        display_name: Option<Text<120>>,
        photo_url: Edit<PictureUrl>,
    ) -> Result<Option<Account>, StoreError>;

    /// Sets a picture that was uploaded to this shop, and returns the updated account; `None` if it is removed.
    async fn set_uploaded_photo(&self, id: AccountId, photo: &PictureUrl) -> Result<Option<Account>, StoreError>;

    /// Changes a password, ends the account's other sessions and reset links, clears its failed logins, and queues an
    /// e-mail about it, in one transaction. `false`, and nothing is changed, if the account is removed or its password
    /// has changed in the meantime.
    async fn change_password(&self, change: &PasswordChange) -> Result<bool, StoreError>;

    /// The accounts that match and are not removed. Of their pictures only those that were uploaded to this shop.
    async fn list(&self, query: &AccountQuery) -> Result<Page<AccountTotals, AccountId>, StoreError>;

    /// Sums up to `limit` changes into the counts that the totals of lists read, and returns whether there are more. The
    /// counts are exact without it; it keeps them quick. Any number of instances may call it concurrently.
    async fn fold(&self, limit: u32) -> Result<bool, StoreError>;

    /// Sets the role of an account, unless that would leave the shop without an admin, even under concurrent calls.
    /// E-mails the owner, and the other admins if the account becomes one.
    async fn set_role(&self, email: &Email, grant: RoleGrant) -> Result<RoleChange, StoreError>;

    /// Removes an account and ends its sessions, in one transaction, unless it is the last admin.
    async fn remove(&self, email: &Email, at: Timestamp) -> Result<Removal, StoreError>;
}
