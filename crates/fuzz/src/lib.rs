//! Every parser of what strangers send, as a target for fuzzing: valid samples, words that its format knows, and a call that
//! panics if the parser breaks a promise.
//!
//! Two ways lead there. [`search`] changes the samples from a fixed seed, in seconds, and is part of `make check`. The example
//! `guided` is led by which code an input reaches (libFuzzer), for as long as one likes: `make strength STRENGTH=fuzz`.

mod mutation;
pub mod planted;
mod search;
mod target;
mod targets;

pub use search::{Found, Limits, search};
pub use target::Target;
pub use targets::{TARGETS, target};
