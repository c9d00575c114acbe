//! Accounts, what they may do, and how they sign in.

pub mod access;
pub mod account;
pub mod actor;
pub mod assurance;
pub mod email;
pub mod garage;
pub mod login_limits;
pub mod password;
pub mod profile;
pub mod second_factor;
