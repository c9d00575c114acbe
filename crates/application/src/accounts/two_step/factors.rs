//! Seeing and removing what an account proves itself with.

use domain::{Caller, Role, SecondFactor, SecondFactorPolicy};
use ports::{FactorAdded, FactorAddition, FactorName, FactorRemoved, NewFactor, RecoveryCode, StoredFactors};
use thiserror::Error;

use crate::{Failure, TwoStep};

/// What a session may know of the account's second factors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FactorsView {
    /// Whether the account has to have one.
    pub required: bool,
    /// How far the session has proved itself.
    pub session: SecondFactor,
    /// Whether the account has an authenticator app.
    pub has_app: bool,
    /// Whether the account has a passkey.
    pub has_passkey: bool,
    /// The host name that passkeys are for; `None` where there are none.
    pub passkey_host: Option<String>,
    /// The factors themselves; `None` for a session that has to prove itself first.
    pub factors: Option<StoredFactors>,
}

/// Why no factor was added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum AddFactorRefused {
    /// Nobody has shown to read the mail of the account's address: somebody else may have signed up with it.
    #[error("the address is not proved")]
    Unproved,
    /// The shop's host is a number: browsers make no passkeys for it.
    #[error("passkeys need a host name")]
    NoPasskeysHere,
    /// The question that this answers was not asked, was answered, or has expired.
    #[error("there is no open challenge")]
    ChallengeGone,
    /// The code is not the one that the app shows now.
    #[error("the code is wrong")]
    WrongCode,
    /// The browser's answer was not accepted, the passkey is another account's, or there are too many.
    #[error("the passkey was not accepted")]
    Passkey,
    /// The cipher failed: a defect.
    #[error("the secret could not be sealed")]
    Unsealed,
}

/// Why no factor was removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum RemoveFactorRefused {
    /// It is the last one, and an admin needs one.
    #[error("an admin keeps a second factor")]
    LastOne,
}

/// The account has no second factor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the account has no second factor")]
pub struct NoFactor;

impl TwoStep {
    /// What the caller's account proves itself with.
    ///
    /// # Errors
    /// [`Failure`].
    pub async fn factors(&self, caller: &Caller) -> Result<FactorsView, Failure> {
        let stored = self.factors.of(caller.account).await?;
        let is_admin = caller.role == Role::Admin || caller.second_factor == SecondFactor::Missing;
        Ok(FactorsView {
            required: is_admin && self.policy == SecondFactorPolicy::Required,
            session: caller.second_factor,
            has_app: stored.app.is_some(),
            has_passkey: !stored.passkeys.is_empty(),
            passkey_host: self.passkeys.as_ref().map(|passkeys| passkeys.host()),
            factors: caller.require_proof().is_ok().then_some(stored),
        })
    }

    /// Removes a factor; `false` if the account has no such factor.
    ///
    /// # Errors
    /// [`RemoveFactorRefused`].
    pub async fn remove_factor(
        &self,
        caller: &Caller,
        factor: FactorName,
    ) -> Result<bool, Failure<RemoveFactorRefused>> {
        let now = self.clock.now();
        caller.require_fresh_identity(now)?;
        let required = self.policy == SecondFactorPolicy::Required;
        match self.factors.remove(caller.account, factor, required, now).await? {
            FactorRemoved::Removed => Ok(true),
            FactorRemoved::Unknown => Ok(false),
            FactorRemoved::LastOne => Err(Failure::Refused(RemoveFactorRefused::LastOne)),
        }
    }

    /// Makes new recovery codes; the old ones are void. They are shown this once.
    ///
    /// # Errors
    /// [`NoFactor`].
    pub async fn renew_recovery_codes(&self, caller: &Caller) -> Result<Vec<RecoveryCode>, Failure<NoFactor>> {
        caller.require_fresh_identity(self.clock.now())?;
        let codes = self.codes.recovery_codes();
        let hashes: Vec<_> = codes.iter().map(|code| self.codes.hash(code.expose())).collect();
        let replaced = self.factors.replace_recovery_codes(caller.account, &hashes).await?;
        if replaced { Ok(codes) } else { Err(Failure::Refused(NoFactor)) }
    }

    /// Adds a factor. Returns the recovery codes if it is the account's first.
    pub(super) async fn add_factor(
        &self,
        caller: &Caller,
        factor: NewFactor,
    ) -> Result<Vec<RecoveryCode>, Failure<AddFactorRefused>> {
        let codes = self.codes.recovery_codes();
        let addition = FactorAddition {
            account: caller.account,
            session: caller.session,
            factor,
            recovery_codes: codes.iter().map(|code| self.codes.hash(code.expose())).collect(),
            at: self.clock.now(),
        };
        match self.factors.add(&addition).await? {
            FactorAdded::First => Ok(codes),
            FactorAdded::Another => Ok(Vec::new()),
            FactorAdded::Unproved => Err(Failure::Refused(AddFactorRefused::Unproved)),
            FactorAdded::Refused => Err(Failure::Refused(AddFactorRefused::Passkey)),
        }
    }

    /// The caller's factors, if the caller may add one now.
    pub(super) async fn factors_to_add_to(&self, caller: &Caller) -> Result<StoredFactors, Failure<AddFactorRefused>> {
        caller.require_fresh_identity(self.clock.now())?;
        let stored = self.factors.of(caller.account).await?;
        if stored.may_add { Ok(stored) } else { Err(Failure::Refused(AddFactorRefused::Unproved)) }
    }
}
