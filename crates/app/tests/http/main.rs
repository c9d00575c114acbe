//! Black-box tests: HTTP alone, against one `driveline demo` that this suite starts and ends.
//!
//! No test uses a type of the application. Expectations are written as the interface documents them, so that a change
//! of the interface has to change a test. Every test creates its own users and products; `admin@example.com` is the one
//! account that all of them share.

#![cfg(test)]

mod accounts_and_reviews;
mod addresses;
mod audit;
mod audited_operations;
mod back_office;
mod bounds;
mod budgets;
mod carts;
mod checkouts;
mod crash;
mod crowd;
mod documents;
mod encodings;
mod exemptions;
mod feeds;
mod files;
mod finding_parts;
mod fitments;
mod fixtures;
mod framing;
mod galleries;
mod garage;
mod google;
mod hostile;
mod identity;
mod image_host;
mod image_urls;
mod keys;
mod lists;
mod login_attempts;
mod matrix;
mod memory;
mod orders;
mod orders_for_vehicles;
mod origins;
mod outbox;
mod outgoing_webhooks;
mod overload;
mod pages;
mod payments;
mod pictures;
mod pricing;
mod product_edits;
mod production;
mod products;
mod public_pages;
mod quick_orders;
mod recovery;
mod refusals;
mod repeats;
mod reservations;
mod returns;
mod reviews;
mod roles;
mod saved_lists;
mod secrets;
mod server;
mod sessions;
mod shipments;
mod shipping_methods;
mod silent;
mod stock;
mod tax_rates;
mod tokens;
mod traces;
mod two_step;
mod undisturbed;
mod vehicles;
mod whole_lists;
