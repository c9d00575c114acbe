//! Settings for the client, its defects, health, metrics and the API's description, one file per action.

pub(crate) mod api_description;
pub(crate) mod client_errors;
pub(crate) mod config;
pub(crate) mod health;
pub(crate) mod metrics;
