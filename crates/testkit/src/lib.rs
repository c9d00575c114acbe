//! What tests need and no test should build for itself: a database of its own, the shop's invariants in plain SQL, a
//! provider on loopback that answers as it is told, and a Stripe and an imgbb that behave like theirs.
//!
//! Uses none of the shop's crates, so that it can be a dev-dependency of every one of them, and so that what it checks is
//! what the tables say and not what our own code makes of them.
#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "only tests use this crate, and a test that cannot get its database or its stand-in has failed"
)]

mod database;
pub mod fake_imgbb;
pub mod fake_stripe;
mod invariants;
mod sql;
mod stand_in;

pub use database::{Held, TestDatabase, execute, number};
pub use invariants::invariants;
pub use sql::Sql;
pub use stand_in::{Received, Reply, StandIn};
