//! The shop on the wire.
//!
//! A handler parses, calls one deed and renders. What every route has in common is said once: who may enter
//! ([`table`]), what a request may weigh ([`gate`]), how it is answered once ([`idempotency`]), what every answer carries
//! ([`observe`]), and what errors look like ([`problem`]).

mod app_state;
mod browser;
mod cache;
mod client_address;
mod connection;
mod extract;
mod foreign;
mod gate;
mod idempotency;
mod known_host;
mod lifecycle;
mod observe;
mod openapi;
pub mod problem;
mod routes;
mod server;
pub mod table;
mod web_client;
mod wire;

pub use app_state::{AppState, MetricsText, RateLimit, Settings};
pub use openapi::openapi;
pub use server::{serve, serve_metrics};
