//! Tax rates and exemptions on the wire.

pub(crate) mod exemptions;
pub(crate) mod import;
mod place;
pub(crate) mod rates;
mod refusals;
pub(crate) mod samples;
