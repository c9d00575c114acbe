//! What every adapter of a port has to do, as tests that each of them runs.
#![expect(missing_docs, clippy::missing_panics_doc, clippy::unwrap_used, reason = "tests")]

pub mod searching;
