//! One parser.

use std::fmt;
use std::time::Duration;

/// A parser of what strangers send.
#[derive(Clone, Copy)]
pub struct Target {
    /// Its name, in lower case with dashes.
    pub name: &'static str,
    /// Inputs that it accepts, or nearly.
    pub samples: fn() -> Vec<Vec<u8>>,
    /// Words of its format, which chance would hardly make.
    pub words: &'static [&'static str],
    /// How many inputs the short run tries.
    pub tries: u32,
    /// How long one input may take, unoptimised and on a busy machine.
    pub time: Duration,
    /// How much memory one input may take, in bytes, as Rust's allocator counts it.
    pub memory: usize,
    /// Has the parser read an input. Panics if a promise is broken.
    pub run: fn(&[u8]),
}

impl Target {
    /// A parser of short texts, within a second and 64 MiB.
    pub(crate) const fn of_text(
        name: &'static str,
        samples: fn() -> Vec<Vec<u8>>,
        words: &'static [&'static str],
        run: fn(&[u8]),
    ) -> Self {
        Self { name, samples, words, tries: 1_500, time: Duration::from_secs(1), memory: 64 << 20, run }
    }
}

impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Target({})", self.name)
    }
}
