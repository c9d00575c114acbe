//! The parameters that this shop sends the browser to Google with.

use serde::Deserialize;
use utoipa::IntoParams;

use crate::problem::Problem;

/// The parameters that this shop sent the browser with.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Visit {
    pub(super) state: Option<String>,
    pub(super) nonce: Option<String>,
    pub(super) challenge: Option<String>,
}

pub(super) fn whole(visit: &Visit) -> Result<(&str, &str, &str), Problem> {
    match (&visit.state, &visit.nonce, &visit.challenge) {
        (Some(state), Some(nonce), Some(challenge)) => Ok((state, nonce, challenge)),
        _ => Err(Problem::bad_request("Start again from Continue with Google")),
    }
}
