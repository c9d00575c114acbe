//! Two-step verification: what an account proves itself with beside a password or Google.

pub(crate) mod apps;
pub(crate) mod factors;
pub(crate) mod passkeys;
pub(crate) mod proofs;

use std::sync::Arc;
use std::time::Duration;

use domain::SecondFactorPolicy;
use ports::{Clock, Ids, OneTimeCodes, Passkeys, SecondFactors};

use crate::Ports;

/// How long a user may take to set up an app or to touch a passkey.
const CHALLENGE_LIFE: Duration = Duration::from_mins(10);

/// Adding, proving and removing second factors.
#[derive(Clone)]
pub struct TwoStep {
    clock: Arc<dyn Clock>,
    codes: Arc<dyn OneTimeCodes>,
    factors: Arc<dyn SecondFactors>,
    ids: Arc<dyn Ids>,
    /// `None` where browsers make no passkeys: the shop's host is a number.
    passkeys: Option<Arc<dyn Passkeys>>,
    policy: SecondFactorPolicy,
}

impl TwoStep {
    pub(crate) fn new(ports: &Ports) -> Self {
        Self {
            clock: Arc::clone(&ports.clock),
            codes: Arc::clone(&ports.one_time_codes),
            factors: Arc::clone(&ports.second_factors),
            ids: Arc::clone(&ports.ids),
            passkeys: ports.passkeys.clone(),
            policy: ports.admin_second_factor,
        }
    }
}

#[cfg(test)]
mod tests;
