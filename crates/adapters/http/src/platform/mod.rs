//! Settings for the client, health, metrics and the API's description, one file per action.

pub(crate) mod api_description;
pub(crate) mod config;
pub(crate) mod health;
pub(crate) mod metrics;
