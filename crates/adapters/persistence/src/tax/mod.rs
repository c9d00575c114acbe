//! Tax rates and exemptions.

mod exemptions;
mod rates;
