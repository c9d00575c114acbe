//! `driveline`: the shop, as one program.
//!
//! This crate depends on all others and decides nothing: [`config`] reads the settings, [`wiring`] connects the
//! adapters to the use cases, and each command is a module of its own.

mod admin;
mod audit;
mod cli;
mod clock;
mod config;
mod database;
mod demo;
mod descriptors;
mod feed;
mod jobs;
mod lifecycle;
mod opening;
mod private_postgres;
mod readiness;
mod search;
mod serve;
mod signals;
mod startup_error;
mod telemetry;
mod terminal;
mod throwaway;
mod timers;
mod vat_check;
mod vehicle_names;
mod wiring;

use clap::Parser;

/// With the C library's, a busy shop spent a sixth of its time allocating and freeing.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ! {
    terminal::leave(match cli::run(cli::Cli::parse()) {
        Ok(code) => code,
        Err(startup_error) => terminal::report(startup_error),
    })
}
