//! The Postgres adapter: every repository of [`ports`], over one bounded pool of connections.
//!
//! Diesel, r2d2 and blocking calls do not leave this crate: [`platform::db`] holds the only call of `spawn_blocking`,
//! bounded by as many permits as the pool has connections, and nothing waits longer than three seconds for a
//! connection. Each method is either a whole operation (one statement or one transaction) or a compare-and-set; none
//! hands out a transaction.
//!
//! What is deliberately absent: retries of anything that may have acted, and a network call inside a transaction.

mod accounts;
mod audit;
mod baskets;
mod catalog;
mod checkout;
mod delivery;
mod documents;
mod feeds;
#[cfg(feature = "fuzz")]
pub mod fuzz;
pub mod migrations;
mod notifications;
mod orders;
mod payments;
mod platform;
mod pricing;
mod schema;
mod tax;

pub use accounts::session_cache::CachedSessions;
pub use catalog::drift::Drift;
pub use platform::db::{ConnectionSettings, Database, Pooler, ReplicaHealth};
pub use platform::examine::{ConnectFailure, Examination, Look};
