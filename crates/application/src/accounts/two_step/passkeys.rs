//! Adding a passkey.

use domain::{Caller, PasskeyId, Text};
use ports::{
    ChallengePurpose, NewChallenge, NewFactor, PasskeyChallenge, PasskeyCredential, RecoveryCode, StoredFactors,
};

use crate::accounts::two_step::CHALLENGE_LIFE;
use crate::accounts::two_step::factors::AddFactorRefused;
use crate::platform::moments::later;
use crate::{Failure, TwoStep};

impl TwoStep {
    /// The options with which a browser makes a passkey, in JSON.
    ///
    /// # Errors
    /// [`AddFactorRefused`].
    pub async fn begin_passkey(&self, caller: &Caller) -> Result<String, Failure<AddFactorRefused>> {
        let stored = self.factors_to_add_to(caller).await?;
        let passkeys = self.passkeys.as_ref().ok_or(Failure::Refused(AddFactorRefused::NoPasskeysHere))?;
        let asked = passkeys
            .begin_adding(caller.account, &caller.email, &credentials(&stored))
            .map_err(|_| Failure::Refused(AddFactorRefused::Passkey))?;
        self.ask(caller, ChallengePurpose::AddPasskey, asked).await.map_err(Failure::from)
    }

    /// Adds the passkey that a browser made. Returns the recovery codes if it is the account's first factor; the account's
    /// other sessions have then ended.
    ///
    /// # Errors
    /// [`AddFactorRefused`].
    pub async fn finish_passkey(
        &self,
        caller: &Caller,
        name: Text<60>,
        answer: &str,
    ) -> Result<Vec<RecoveryCode>, Failure<AddFactorRefused>> {
        let now = self.clock.now();
        caller.require_fresh_identity(now)?;
        let passkeys = self.passkeys.as_ref().ok_or(Failure::Refused(AddFactorRefused::NoPasskeysHere))?;
        let state = self.factors.take_challenge(caller.session, ChallengePurpose::AddPasskey, now).await?;
        let state = state.ok_or(Failure::Refused(AddFactorRefused::ChallengeGone))?;
        let made = passkeys.finish_adding(&state, answer).map_err(|_| Failure::Refused(AddFactorRefused::Passkey))?;
        let id = PasskeyId::new(self.ids.fresh());
        self.add_factor(caller, NewFactor::Passkey { id, made, name }).await
    }

    /// Keeps what the answer will be judged by, and returns the question.
    pub(super) async fn ask(
        &self,
        caller: &Caller,
        purpose: ChallengePurpose,
        asked: PasskeyChallenge,
    ) -> Result<String, ports::StoreError> {
        let expires_at = later(self.clock.now(), CHALLENGE_LIFE);
        let challenge = NewChallenge { session: caller.session, purpose, state: asked.state, expires_at };
        self.factors.keep_challenge(&challenge).await?;
        Ok(asked.options)
    }
}

pub(super) fn credentials(stored: &StoredFactors) -> Vec<PasskeyCredential> {
    stored.passkeys.iter().map(|passkey| passkey.credential.clone()).collect()
}
