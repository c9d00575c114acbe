//! What the shop keeps, in Postgres: every store of [`ports`], over one bounded pool of connections.
//!
//! Diesel and r2d2 stay sealed in here, and so does blocking: [`platform::db`] holds the only call of `spawn_blocking`, permits as many as
//! the pool's connections bound it, and nothing waits longer than three seconds for a connection. Each store method is
//! either a whole deed (one statement or one transaction) or a compare-and-set; none hands out a transaction.
//!
//! What is deliberately absent: retries of anything that may have acted, and a network call inside a transaction.

mod accounts;
mod catalog;
pub mod migrations;
mod notifications;
mod orders;
mod payments;
mod platform;
mod schema;

pub use platform::db::{ConnectionSettings, Database, Pooler};
pub use platform::examine::{ConnectFailure, Examination, Look};
