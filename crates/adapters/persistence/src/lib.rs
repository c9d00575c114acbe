//! What the shop keeps, in Postgres: every store of [`ports`], over one bounded pool of connections.
//!
//! Diesel and r2d2 stay sealed in here, and so does blocking: [`db`] holds the only call of `spawn_blocking`, permits as many as
//! the pool's connections bound it, and nothing waits longer than three seconds for a connection. Each store method is
//! either a whole deed (one statement or one transaction) or a compare-and-set; none hands out a transaction.
//!
//! What is deliberately absent: retries of anything that may have acted, and a network call inside a transaction.

mod account_store;
mod account_token_store;
mod db;
mod decode;
mod endpoint_store;
mod event_json;
mod examine;
mod held_sign_ins;
mod idempotency;
mod idempotency_store;
mod login_attempt_store;
pub mod migrations;
mod newsletter_store;
mod order_lists;
mod order_statements;
mod order_store;
mod outbox_store;
mod ownership;
mod ownership_store;
mod payment_attempt_store;
mod payment_event_store;
mod placing;
mod pooled;
mod product_store;
mod profile_store;
mod refund_store;
mod reservations;
mod review_store;
mod row_versions;
mod schema;
mod search;
mod session_store;
mod shared_clock;
mod stock_changes;
mod unconfirmed_mail;

pub use db::{ConnectionSettings, Database, Pooler};
pub use examine::{ConnectFailure, Examination, Look};
