//! Second factors: passkeys (`WebAuthn`), authenticator apps (RFC 6238) and recovery codes.

use std::time::Duration;

use async_trait::async_trait;
use domain::{AccountId, Email, PasskeyId, SessionId, Text, Timestamp};
use thiserror::Error;

use crate::platform::secret_text::secret_text;
use crate::{SecretHash, StoreError};

secret_text! {
    /// What the codes of an authenticator app are made of, in base32 (RFC 4648).
    AppSecret
}

secret_text! {
    /// A recovery code as it is shown: groups of four letters and digits.
    RecoveryCode
}

/// The secret of an authenticator app that only the shop's secret opens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedAppSecret(pub Vec<u8>);

/// What an authenticator app is set up with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppSetup {
    /// To be typed in.
    pub secret: AppSecret,
    /// The same as an `otpauth:` link, for an app on this device.
    pub link: String,
    /// The link as a QR code: its dark modules, row by row from the top left.
    pub qr: Vec<Vec<bool>>,
}

/// Makes and checks the codes of authenticator apps, and makes recovery codes.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
pub trait OneTimeCodes: Send + Sync {
    /// A new random secret and what an app is set up with. `None` only if the address does not fit into a link.
    fn set_up(&self, email: &Email) -> Option<AppSetup>;

    /// Seals a secret for one account; `None` only if the cipher fails.
    fn seal(&self, account: AccountId, secret: &AppSecret) -> Option<SealedAppSecret>;

    /// Opens what was sealed for the same account. `None` for any other account, and if the secret that sealed it was
    /// dropped.
    fn open(&self, account: AccountId, sealed: &SealedAppSecret) -> Option<AppSecret>;

    /// The step, in half minutes since 1970, whose code this is: the current one, or one beside it because clocks differ.
    /// `None` for a wrong code.
    fn step_of(&self, secret: &AppSecret, code: &str, now: Timestamp) -> Option<i64>;

    /// New recovery codes of 80 random bits each.
    fn recovery_codes(&self) -> Vec<RecoveryCode>;

    /// The hash of a recovery code as typed: case, spaces and hyphens make no difference.
    fn hash(&self, typed: &str) -> SecretHash;
}

/// A passkey's public key and counter, as the `WebAuthn` library writes them, in JSON. Nobody can sign with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PasskeyCredential(pub String);

/// A question to a browser, and what is needed to judge its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PasskeyChallenge {
    /// The options for `navigator.credentials`, in JSON.
    pub options: String,
    /// What the answer is judged by; stays on the server.
    pub state: Vec<u8>,
}

/// A passkey that a browser made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MadePasskey {
    /// The authenticator's name for it, unique.
    pub credential_id: Vec<u8>,
    /// The public key.
    pub credential: PasskeyCredential,
}

/// The answer is not one to the question, or not by the passkey.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the passkey's answer was not accepted")]
pub struct PasskeyRefused;

/// The `WebAuthn` ceremonies of one host name. An answer is a browser's `PublicKeyCredential`, in JSON; any string.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
pub trait Passkeys: Send + Sync {
    /// The host name that the passkeys are for; browsers make and use them only there.
    fn host(&self) -> String;

    /// Asks for a new passkey that is none of those that the account has.
    ///
    /// # Errors
    /// [`PasskeyRefused`].
    fn begin_adding(
        &self,
        account: AccountId,
        email: &Email,
        has: &[PasskeyCredential],
    ) -> Result<PasskeyChallenge, PasskeyRefused>;

    /// Judges the answer to [`Self::begin_adding`].
    ///
    /// # Errors
    /// [`PasskeyRefused`].
    fn finish_adding(&self, state: &[u8], answer: &str) -> Result<MadePasskey, PasskeyRefused>;

    /// Asks for a signature by one of these passkeys.
    ///
    /// # Errors
    /// [`PasskeyRefused`].
    fn begin_proving(&self, has: &[PasskeyCredential]) -> Result<PasskeyChallenge, PasskeyRefused>;

    /// Judges the answer to [`Self::begin_proving`]: which of these passkeys signed, and its credential from now on.
    ///
    /// # Errors
    /// [`PasskeyRefused`].
    fn finish_proving(
        &self,
        state: &[u8],
        answer: &str,
        has: &[PasskeyCredential],
    ) -> Result<(usize, PasskeyCredential), PasskeyRefused>;
}

/// An account's authenticator app.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredApp {
    /// Its secret.
    pub secret: SealedAppSecret,
    /// When it was added.
    pub added_at: Timestamp,
}

/// An account's passkey.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredPasskey {
    /// Its id.
    pub id: PasskeyId,
    /// The public key.
    pub credential: PasskeyCredential,
    /// What its owner calls it.
    pub name: Text<60>,
    /// When it was added.
    pub added_at: Timestamp,
    /// When it was last used.
    pub last_used_at: Option<Timestamp>,
}

/// What an account proves itself with.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StoredFactors {
    /// Whether the account's owner reads the mail of its address, or is an admin: otherwise somebody else may have signed up
    /// with the address, and would lock its owner out.
    pub may_add: bool,
    /// The authenticator app.
    pub app: Option<StoredApp>,
    /// The passkeys, oldest first.
    pub passkeys: Vec<StoredPasskey>,
    /// How many recovery codes are not used.
    pub recovery_codes: u32,
}

impl StoredFactors {
    /// How many factors there are. Recovery codes are none: they replace one.
    #[must_use]
    pub fn count(&self) -> usize {
        self.passkeys.len() + usize::from(self.app.is_some())
    }
}

/// Purpose of a challenge. A session has at most one open challenge of each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChallengePurpose {
    /// To confirm a new authenticator app by a code; the state is its sealed secret.
    AddApp,
    /// To make a new passkey.
    AddPasskey,
    /// To sign with a passkey.
    ProvePasskey,
}

impl ChallengePurpose {
    /// The name in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AddApp => "add_app",
            Self::AddPasskey => "add_passkey",
            Self::ProvePasskey => "prove_passkey",
        }
    }
}

/// A challenge to be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewChallenge {
    /// The session that was asked.
    pub session: SessionId,
    /// The purpose.
    pub purpose: ChallengePurpose,
    /// What the answer is judged by.
    pub state: Vec<u8>,
    /// Until when it may be answered.
    pub expires_at: Timestamp,
}

/// A factor to be added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NewFactor {
    /// An authenticator app. It replaces the one that there is.
    App {
        /// Its secret.
        secret: SealedAppSecret,
        /// The step of the code that confirmed it: that code is not accepted again.
        step: i64,
    },
    /// A passkey.
    Passkey {
        /// Its id.
        id: PasskeyId,
        /// What the browser made.
        made: MadePasskey,
        /// What its owner calls it.
        name: Text<60>,
    },
}

/// A factor, the session that adds it, and the recovery codes in case it is the first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FactorAddition {
    /// The account.
    pub account: AccountId,
    /// The session, which has then proved it.
    pub session: SessionId,
    /// The factor.
    pub factor: NewFactor,
    /// Hashes of the recovery codes that the account gets with its first factor.
    pub recovery_codes: Vec<SecretHash>,
    /// When it is added.
    pub at: Timestamp,
}

/// The result of adding a factor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FactorAdded {
    /// It is the first one: the recovery codes are stored, and the account's other sessions have ended.
    First,
    /// There were others.
    Another,
    /// Not added: nobody has shown to read the mail of the account's address.
    Unproved,
    /// Not added: the passkey is already somebody's, or there are [`domain::accounts::second_factor::PASSKEYS_MAX`].
    Refused,
}

/// Which factor to remove.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FactorName {
    /// The authenticator app.
    App,
    /// A passkey.
    Passkey(PasskeyId),
}

/// The result of removing a factor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FactorRemoved {
    /// It is removed. With the last one go the recovery codes.
    Removed,
    /// The account has no such factor.
    Unknown,
    /// It is the last one of an admin, who needs one.
    LastOne,
}

/// What a session proves itself with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Proof {
    /// A code of the authenticator app.
    Code {
        /// Its step. A code of this step or a later one must not have been accepted before.
        step: i64,
        /// The app's secret as it was read: another app may have replaced this one since.
        read: SealedAppSecret,
        /// The same secret, sealed under the current secret of the shop.
        secret: SealedAppSecret,
        /// The attempt, which no longer counts once the code is accepted. Those before it do: they may be another's.
        attempt: CodeAttemptId,
    },
    /// A signature by a passkey.
    Signature {
        /// The passkey.
        passkey: PasskeyId,
        /// The credential from now on.
        credential: PasskeyCredential,
    },
    /// A recovery code, which must not have been used before.
    Recovery(SecretHash),
}

/// Id of a code that was tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CodeAttemptId(pub i64);

/// Whether a code may be looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CodeAttempt {
    /// It may. It counts as wrong until it is accepted.
    Check(CodeAttemptId),
    /// It may not, and no other either for this long.
    Wait(Duration),
}

/// Second factors. Changes are serialised per account.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
#[async_trait]
pub trait SecondFactors: Send + Sync {
    /// What an account proves itself with.
    async fn of(&self, account: AccountId) -> Result<StoredFactors, StoreError>;

    /// Keeps a challenge in place of an earlier one of the same session and purpose.
    async fn keep_challenge(&self, challenge: &NewChallenge) -> Result<(), StoreError>;

    /// Takes a challenge's state away: it is answered once. `None` if there is none, or it has expired.
    async fn take_challenge(
        &self,
        session: SessionId,
        purpose: ChallengePurpose,
        now: Timestamp,
    ) -> Result<Option<Vec<u8>>, StoreError>;

    /// Reads a challenge's state, which stays: the code that confirms an app may be mistyped.
    async fn challenge(
        &self,
        session: SessionId,
        purpose: ChallengePurpose,
        now: Timestamp,
    ) -> Result<Option<Vec<u8>>, StoreError>;

    /// Adds a factor, and e-mails the owner.
    async fn add(&self, addition: &FactorAddition) -> Result<FactorAdded, StoreError>;

    /// Removes a factor, and e-mails the owner. `required_of_admins`: an admin's last one stays.
    async fn remove(
        &self,
        account: AccountId,
        factor: FactorName,
        required_of_admins: bool,
        at: Timestamp,
    ) -> Result<FactorRemoved, StoreError>;

    /// Replaces all recovery codes. `false` if the account has no factor.
    async fn replace_recovery_codes(&self, account: AccountId, hashes: &[SecretHash]) -> Result<bool, StoreError>;

    /// Counts a code before it is looked at, by [`domain::accounts::second_factor::CODE_LIMITS`]. Concurrent attempts are
    /// counted one after the other.
    async fn count_attempt(&self, account: AccountId, at: Timestamp) -> Result<CodeAttempt, StoreError>;

    /// Accepts a proof once, and notes that the session has proved itself. The account's attempts are forgiven. `false` if
    /// the code was used before, or the factor is gone.
    async fn accept(
        &self,
        account: AccountId,
        session: SessionId,
        proof: &Proof,
        at: Timestamp,
    ) -> Result<bool, StoreError>;

    /// Removes all of an account's factors and ends its sessions, and e-mails the owner. `None` if there is no account with
    /// that address; `false` if it had no factor.
    async fn forget_all(&self, email: &Email, at: Timestamp) -> Result<Option<bool>, StoreError>;
}
