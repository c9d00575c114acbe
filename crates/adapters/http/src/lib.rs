//! The HTTP adapter.
//!
//! A handler parses, calls one use case and renders. What all routes share is defined once: who may call them
//! ([`routes`]), authentication, rate limits and idempotency keys ([`middleware::enforce`] and the files that it calls),
//! what every response carries ([`middleware::observe`]), and what errors look like ([`problem`]).

mod accounts;
mod app_state;
mod audit;
mod baskets;
mod browser;
mod budget;
mod cache;
mod catalog;
mod checkout;
mod connection;
mod delivery;
mod documents;
mod encoding;
mod extract;
mod feeds;
#[cfg(feature = "fuzz")]
pub mod fuzz;
mod middleware;
mod notifications;
mod openapi;
mod orders;
mod pages;
mod payments;
mod platform;
mod pricing;
pub mod problem;
mod request_trace;
mod route;
mod routes;
mod server;
mod tax;
mod vehicles;
mod web_client;
mod wire;

pub use actix_web::dev::ServerHandle;
pub use app_state::{AppState, MetricsText, Settings, ShopContact};
pub use catalog::snapshot::CatalogSnapshot;
pub use middleware::idempotency::Idempotency;
pub use openapi::openapi;
pub use server::{serve, serve_metrics};
