//! Black-box tests: HTTP alone, against one `driveline demo` that this suite starts and ends.
//!
//! No test uses a type of the application. Expectations are written as the interface documents them, so that a change
//! of the interface has to change a test. Every test creates its own users and products; `admin@example.com` is the one
//! account that all of them share.

#![cfg(test)]

mod crash;
mod crowd;
mod encodings;
mod endpoints;
mod files;
mod google;
mod hostile;
mod identity;
mod image_host;
mod keys;
mod lists;
mod login_attempts;
mod matrix;
mod orders;
mod origins;
mod outbox;
mod pages;
mod payments;
mod people;
mod pictures;
mod production;
mod products;
mod quiet;
mod recovery;
mod refusals;
mod repeats;
mod reservations;
mod roles;
mod sessions;
mod shop;
mod silent;
mod stock;
mod things;
mod tokens;
mod whole_lists;
