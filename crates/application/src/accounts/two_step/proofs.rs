//! Proving a second factor: after a sign-in, and again before what does lasting harm in the wrong hands.

use std::time::Duration;

use domain::{Caller, SecondFactor};
use ports::{ChallengePurpose, CodeAttempt, Proof};
use thiserror::Error;

use crate::accounts::two_step::passkeys::credentials;
use crate::{Failure, TwoStep};

/// How many digits a code of an authenticator app has.
const CODE_DIGITS: usize = 6;

/// Why a proof was not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ProveRefused {
    /// The account has no such factor.
    #[error("the account has no such second factor")]
    NoFactor,
    /// The code is wrong or was used before.
    #[error("the code is wrong")]
    WrongCode,
    /// The passkey's answer was not accepted, or came too late.
    #[error("the passkey was not accepted")]
    Passkey,
    /// Too many wrong codes.
    #[error("too many wrong codes")]
    TooMany {
        /// How long no code is looked at.
        wait: Duration,
    },
}

impl TwoStep {
    /// Proves the session by a code of the authenticator app, or by a recovery code, which is used up.
    ///
    /// # Errors
    /// [`ProveRefused`].
    pub async fn prove_by_code(&self, caller: &Caller, typed: &str) -> Result<(), Failure<ProveRefused>> {
        must_have_a_factor(caller)?;
        let typed: String = typed.chars().filter(|c| !c.is_whitespace()).collect();
        let is_of_app = typed.len() == CODE_DIGITS && typed.bytes().all(|byte| byte.is_ascii_digit());
        let proof = if is_of_app {
            self.proof_by_app(caller, &typed).await?
        } else {
            // Nobody comes upon 80 random bits, so that these are not counted: the owner always has a way in.
            Proof::Recovery(self.codes.hash(&typed))
        };
        let accepted = self.factors.accept(caller.account, caller.session, &proof, self.clock.now()).await?;
        if accepted { Ok(()) } else { Err(Failure::Refused(ProveRefused::WrongCode)) }
    }

    async fn proof_by_app(&self, caller: &Caller, code: &str) -> Result<Proof, Failure<ProveRefused>> {
        let now = self.clock.now();
        let app = self.factors.of(caller.account).await?.app.ok_or(Failure::Refused(ProveRefused::NoFactor))?;
        let attempt = match self.factors.count_attempt(caller.account, now).await? {
            CodeAttempt::Wait(wait) => return Err(Failure::Refused(ProveRefused::TooMany { wait })),
            CodeAttempt::Check(attempt) => attempt,
        };
        let wrong = || Failure::Refused(ProveRefused::WrongCode);
        let secret = self.codes.open(caller.account, &app.secret).ok_or_else(wrong)?;
        let step = self.codes.step_of(&secret, code, now).ok_or_else(wrong)?;
        // Sealed anew each time, so that a secret of the shop that is being replaced is soon needed for nobody.
        let secret = self.codes.seal(caller.account, &secret).unwrap_or_else(|| app.secret.clone());
        Ok(Proof::Code { step, read: app.secret, secret, attempt })
    }

    /// The options with which a browser asks for a signature by one of the account's passkeys, in JSON.
    ///
    /// # Errors
    /// [`ProveRefused::NoFactor`] if there is none.
    pub async fn begin_proof_by_passkey(&self, caller: &Caller) -> Result<String, Failure<ProveRefused>> {
        let none = || Failure::Refused(ProveRefused::NoFactor);
        let passkeys = self.passkeys.as_ref().ok_or_else(none)?;
        let stored = self.factors.of(caller.account).await?;
        if stored.passkeys.is_empty() {
            return Err(none());
        }
        let asked =
            passkeys.begin_proving(&credentials(&stored)).map_err(|_| Failure::Refused(ProveRefused::Passkey))?;
        self.ask(caller, ChallengePurpose::ProvePasskey, asked).await.map_err(Failure::from)
    }

    /// Proves the session by a passkey's signature.
    ///
    /// # Errors
    /// [`ProveRefused`].
    pub async fn prove_by_passkey(&self, caller: &Caller, answer: &str) -> Result<(), Failure<ProveRefused>> {
        let refused = || Failure::Refused(ProveRefused::Passkey);
        let passkeys = self.passkeys.as_ref().ok_or(Failure::Refused(ProveRefused::NoFactor))?;
        let now = self.clock.now();
        let state = self.factors.take_challenge(caller.session, ChallengePurpose::ProvePasskey, now).await?;
        let state = state.ok_or_else(refused)?;
        let stored = self.factors.of(caller.account).await?;
        let (which, credential) =
            passkeys.finish_proving(&state, answer, &credentials(&stored)).map_err(|_| refused())?;
        let passkey = stored.passkeys.get(which).ok_or_else(refused)?.id;
        let proof = Proof::Signature { passkey, credential };
        let accepted = self.factors.accept(caller.account, caller.session, &proof, now).await?;
        if accepted { Ok(()) } else { Err(refused()) }
    }
}

fn must_have_a_factor(caller: &Caller) -> Result<(), Failure<ProveRefused>> {
    match caller.second_factor {
        SecondFactor::None | SecondFactor::Missing => Err(Failure::Refused(ProveRefused::NoFactor)),
        SecondFactor::Unproved | SecondFactor::Proved(_) => Ok(()),
    }
}
