//! Accounts, sessions, tokens, passwords and Google.

pub mod access_tokens;
pub mod account_tokens;
pub mod garage;
pub mod google;
pub mod ownership;
pub mod passwords;
pub mod profiles;
pub mod repository;
pub mod second_factors;
pub mod sessions;
