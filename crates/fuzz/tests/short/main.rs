//! Every parser, from a fixed seed: nothing that is sent makes it panic, take long or much memory, or break its own promise.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use fuzz::planted::PLANTED;
use fuzz::{Found, TARGETS, search};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Memory is counted for the whole program, so one target is tried at a time.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What was found, cut to what a reader looks at.
fn shown(name: &str, found: &Found) -> String {
    let input = found.input.get(..400).unwrap_or(&found.input).escape_ascii();
    format!("{name}: {}\nwith {} bytes: {input}", found.why, found.input.len())
}

#[test]
fn no_parser_breaks_a_promise_whatever_is_sent() {
    let _alone = alone();
    let mut broken = Vec::new();
    for target in &TARGETS {
        let began = Instant::now();
        match search(target, MEMORY) {
            Ok(most) => println!(
                "{:<18} {:>6} cases in {:>4.1} s, one at most {:>8.1?} and {:>6} KiB",
                target.name,
                most.tried,
                began.elapsed().as_secs_f64(),
                most.time,
                most.memory >> 10
            ),
            Err(found) => broken.push(shown(target.name, &found)),
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn every_planted_fault_is_found_and_made_small() {
    let _alone = alone();
    for (target, expected) in &PLANTED {
        let found = search(target, MEMORY).expect_err(target.name);
        assert!(found.why.contains(expected), "{}: {}", target.name, found.why);
        assert!(found.input.len() < 60, "{}: {}", target.name, found.input.escape_ascii());
    }
}

#[test]
fn the_samples_of_every_target_are_there_and_its_name_is_its_own() {
    let mut names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), TARGETS.len());
    for target in &TARGETS {
        assert!((target.samples)().iter().all(|sample| !sample.is_empty()), "{} has an empty sample", target.name);
        assert_eq!((target.samples)(), (target.samples)(), "{} has other samples at every run", target.name);
    }
}
