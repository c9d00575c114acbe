//! Two-step verification: adding, proving and removing second factors.

pub(crate) mod app;
pub(crate) mod get;
pub(crate) mod passkeys;
pub(crate) mod proof;
pub(crate) mod recovery_codes;
