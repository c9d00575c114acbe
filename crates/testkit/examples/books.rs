//! Checks the books of the database at a URL, for tests that are not written in Rust.

use std::process::ExitCode;

use clap::Parser;

/// Prints each violated invariant of a shop's database on a line of its own, and ends with 1 if there is one.
#[derive(Parser)]
struct Arguments {
    /// The database, as a `postgres://` URL.
    url: String,
}

fn main() -> ExitCode {
    let violated = testkit::invariants(&Arguments::parse().url);
    for sentence in &violated {
        println!("{sentence}");
    }
    if violated.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
