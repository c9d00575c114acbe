//! The shop as a stranger sees it: by HTTP alone, through one `driveline demo` that this suite starts and ends.
//!
//! Nothing in here knows a type of the shop's. What is expected is written down as the interface promises it, so that a
//! change of the promise has to change a test. Every test makes its own people and products; `admin@example.com` is the
//! one account that all of them share.

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
