//! The shop on the wire.
//!
//! A handler parses, calls one deed and renders. What every route has in common is said once: who may enter
//! ([`routes`]), what a request may weigh ([`middleware::gate`]), how it is answered once ([`middleware::idempotency`]), what every answer carries
//! ([`middleware::observe`]), and what errors look like ([`problem`]).

mod accounts;
mod app_state;
mod browser;
mod cache;
mod catalog;
mod connection;
mod extract;
mod middleware;
mod notifications;
mod openapi;
mod orders;
mod payments;
mod platform;
pub mod problem;
pub mod routes;
mod server;
mod web_client;
mod wire;

pub use app_state::{AppState, MetricsText, RateLimit, Settings};
pub use openapi::openapi;
pub use server::{serve, serve_metrics};
