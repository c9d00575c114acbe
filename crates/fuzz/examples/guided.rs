//! Fuzzes the target that `FUZZ_TARGET` names, led by which code an input reaches: LLVM's libFuzzer is its `main`.

#![no_main]

use std::env;
use std::sync::LazyLock;

use fuzz::planted::PLANTED;
use fuzz::{TARGETS, Target};
use libfuzzer_sys::fuzz_target;

static TARGET: LazyLock<&Target> = LazyLock::new(|| {
    #[expect(clippy::disallowed_methods, reason = "libFuzzer takes the arguments")]
    let name = env::var("FUZZ_TARGET").unwrap_or_default();
    let planted = PLANTED.iter().map(|(target, _)| target);
    let Some(target) = TARGETS.iter().chain(planted).find(|target| target.name == name) else {
        eprintln!("FUZZ_TARGET names no target: {name}");
        std::process::exit(2);
    };
    target
});

fuzz_target!(|input: &[u8]| (TARGET.run)(input));
