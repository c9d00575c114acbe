//! The short way: changes of the samples from a fixed seed.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use peak_alloc::PeakAlloc;
use proptest::test_runner::{Config, RngAlgorithm, RngSeed, TestCaseError, TestError, TestRng, TestRunner};

use crate::mutation::inputs;
use crate::target::Target;

/// What an input that breaks a promise looks like, and which one it breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The input, made as small as it could be.
    pub input: Vec<u8>,
    /// What it does.
    pub why: String,
}

/// The most that was needed by one input.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Limits {
    /// How many inputs were tried.
    pub tried: u32,
    /// The longest time.
    pub time: Duration,
    /// The most memory, in bytes.
    pub memory: usize,
}

/// Tries a target's inputs, always the same ones. `memory` is the program's allocator, which must count for nobody else
/// meanwhile.
///
/// # Errors
/// [`Found`], the smallest input that panics, takes too long or too much memory, or breaks the parser's own promise.
pub fn search(target: &Target, memory: PeakAlloc) -> Result<Limits, Found> {
    let config = Config {
        cases: target.tries,
        failure_persistence: None,
        max_shrink_iters: 400,
        rng_seed: RngSeed::Fixed(1),
        ..Config::default()
    };
    let most = Cell::new(Limits::default());
    let why = RefCell::new(String::new());
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let tried = runner.run(&inputs((target.samples)(), target.words), |input| {
        let needed = measured(target, &input, memory);
        let so_far = most.get();
        let needed = needed.map_err(|found| {
            why.borrow_mut().clone_from(&found);
            TestCaseError::fail(found)
        })?;
        most.set(Limits {
            tried: so_far.tried + 1,
            time: so_far.time.max(needed.time),
            memory: so_far.memory.max(needed.memory),
        });
        Ok(())
    });
    match tried {
        Ok(()) => Ok(most.get()),
        Err(TestError::Fail(_, input)) => Err(Found { input, why: why.take() }),
        Err(TestError::Abort(reason)) => Err(Found { input: Vec::new(), why: reason.message().to_owned() }),
    }
}

/// Runs one input, and says what it needed.
fn measured(target: &Target, input: &[u8], memory: PeakAlloc) -> Result<Limits, String> {
    let before = memory.current_usage();
    memory.reset_peak_usage();
    let began = Instant::now();
    let outcome = catch_unwind(AssertUnwindSafe(|| (target.run)(input)));
    let time = began.elapsed();
    let used = memory.peak_usage().saturating_sub(before);
    if let Err(panic) = outcome {
        let said = panic.downcast_ref::<String>().cloned();
        let said = said.or_else(|| panic.downcast_ref::<&str>().map(|said| (*said).to_owned()));
        return Err(format!("panics: {}", said.unwrap_or_default()));
    }
    if time > target.time {
        return Err(format!("takes {time:?}, more than {:?}", target.time));
    }
    if used > target.memory {
        return Err(format!("takes {used} bytes of memory, more than {}", target.memory));
    }
    Ok(Limits { tried: 1, time, memory: used })
}
