//! Test support: a database per test, the shop's invariants in plain SQL, an HTTP server on loopback with scripted
//! answers, a copied program that is started, an authenticator in software, and a fake Stripe and a fake imgbb that behave like the real ones.
//!
//! Depends on none of the shop's crates, so that each of them can have it as a dev-dependency, and so that it checks
//! what the tables contain and not what our own code makes of them.
#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "only tests use this crate, and a test that cannot get its database or its fake server has failed"
)]

pub mod authenticator;
mod copied_program;
mod database;
pub mod fake_imgbb;
pub mod fake_stripe;
mod invariants;
mod osmem;
mod sql;
mod stand_in;

pub use copied_program::spawn_copied;
pub use database::{Held, TestDatabase, execute, number};
pub use invariants::{invariant_sentences, invariants, invariants_on};
pub use osmem::Osmem;
pub use sql::Sql;
pub use stand_in::{Received, Reply, StandIn};
