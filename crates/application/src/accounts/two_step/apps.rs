//! Adding an authenticator app.

use domain::Caller;
use ports::{AppSetup, ChallengePurpose, NewChallenge, NewFactor, RecoveryCode, SealedAppSecret};

use crate::accounts::two_step::CHALLENGE_LIFE;
use crate::accounts::two_step::factors::AddFactorRefused;
use crate::platform::moments::later;
use crate::{Failure, TwoStep};

impl TwoStep {
    /// Makes a secret for an authenticator app. It is the account's only once a code confirms it, within ten minutes.
    ///
    /// # Errors
    /// [`AddFactorRefused`].
    pub async fn begin_app(&self, caller: &Caller) -> Result<AppSetup, Failure<AddFactorRefused>> {
        self.factors_to_add_to(caller).await?;
        let unsealed = || Failure::Refused(AddFactorRefused::Unsealed);
        let setup = self.codes.set_up(&caller.email).ok_or_else(unsealed)?;
        let sealed = self.codes.seal(caller.account, &setup.secret).ok_or_else(unsealed)?;
        let challenge = NewChallenge {
            session: caller.session,
            purpose: ChallengePurpose::AddApp,
            state: sealed.0,
            expires_at: later(self.clock.now(), CHALLENGE_LIFE),
        };
        self.factors.keep_challenge(&challenge).await?;
        Ok(setup)
    }

    /// Adds the app whose secret was made before, in place of an earlier one, if the code is the one that it shows. Returns
    /// the recovery codes if it is the account's first factor; the account's other sessions have then ended.
    ///
    /// # Errors
    /// [`AddFactorRefused`].
    pub async fn confirm_app(
        &self,
        caller: &Caller,
        code: &str,
    ) -> Result<Vec<RecoveryCode>, Failure<AddFactorRefused>> {
        let now = self.clock.now();
        caller.require_fresh_identity(now)?;
        let gone = || Failure::Refused(AddFactorRefused::ChallengeGone);
        let purpose = ChallengePurpose::AddApp;
        let sealed = self.factors.challenge(caller.session, purpose, now).await?.ok_or_else(gone)?;
        let secret = self.codes.open(caller.account, &SealedAppSecret(sealed.clone())).ok_or_else(gone)?;
        let step = self.codes.step_of(&secret, code, now).ok_or(Failure::Refused(AddFactorRefused::WrongCode))?;
        // Of two confirmations of one secret, the second finds nothing to confirm.
        self.factors
            .take_challenge(caller.session, purpose, now)
            .await?
            .filter(|taken| *taken == sealed)
            .ok_or_else(gone)?;
        self.add_factor(caller, NewFactor::App { secret: SealedAppSecret(sealed), step }).await
    }
}
