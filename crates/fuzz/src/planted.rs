//! Parsers with a fault that somebody in a hurry would write. Whatever searches for faults has to find each of these.

use std::time::{Duration, Instant};

use crate::target::Target;

fn samples() -> Vec<Vec<u8>> {
    vec![b"part=0986424815;units=50;note=brake pads".to_vec(), "part=A 001;units=120;note=Stück".as_bytes().to_vec()]
}

const WORDS: &[&str] = &["part=", "units=", "units=000", "note=", ";"];

/// The value of a field.
fn field<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.split(';').find_map(|field| field.split_once('=').filter(|(found, _)| *found == name)).map(|(_, value)| value)
}

/// Cuts a note in the middle of a character.
fn cuts(input: &[u8]) {
    let Some(note) = std::str::from_utf8(input).ok().and_then(|text| field(text, "note")) else { return };
    assert!(!note[..note.len().min(4)].is_empty() || note.is_empty());
}

/// Reads units for longer the more zeros they begin with.
fn waits(input: &[u8]) {
    let Some(units) = std::str::from_utf8(input).ok().and_then(|text| field(text, "units")) else { return };
    let zeros = units.bytes().take_while(|byte| *byte == b'0').count();
    let until = Instant::now() + Duration::from_millis(20) * u32::try_from(zeros.min(5)).unwrap_or(0);
    while Instant::now() < until {
        std::hint::spin_loop();
    }
}

/// Makes room for as many units as it is sent.
fn takes_too_much(input: &[u8]) {
    let Some(units) = std::str::from_utf8(input).ok().and_then(|text| field(text, "units")) else { return };
    let Ok(units) = units.parse::<usize>() else { return };
    std::hint::black_box(Vec::<u64>::with_capacity(units.min(1 << 24)));
}

/// Writes another number than it read.
fn forgets(input: &[u8]) {
    let Some(units) = std::str::from_utf8(input).ok().and_then(|text| field(text, "units")) else { return };
    if let Ok(read) = units.parse::<i64>() {
        let kept = i32::try_from(read).unwrap_or(i32::MAX);
        assert_eq!(i64::from(kept), read, "what was read is not what was written");
    }
}

/// A parser with a fault, and inputs enough to find it.
const fn planted(name: &'static str, run: fn(&[u8])) -> Target {
    Target { tries: 3_000, ..Target::of_text(name, samples, WORDS, run) }
}

/// One that panics, one that takes too long, one that takes too much memory, and one whose law does not hold; each with what
/// is said of it.
pub const PLANTED: [(Target, &str); 4] = [
    (planted("planted-cut", cuts), "panics: "),
    (Target { time: Duration::from_millis(30), ..planted("planted-time", waits) }, "takes "),
    (Target { memory: 1 << 20, ..planted("planted-memory", takes_too_much) }, "bytes of memory"),
    (planted("planted-law", forgets), "what was read is not what was written"),
];
