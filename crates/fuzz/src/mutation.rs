//! How a valid sample becomes an input that nobody meant to send.

use std::ops::Range;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

/// The largest input that changes make, in bytes.
const INPUT_MAX: usize = 64 * 1_024;

/// Bytes at the edges of ranges, and such as end, quote or separate something in many formats.
const EDGES: [u8; 24] = *b"\0\x01\t\n\r \"'%&+,-./:;=\x7f\x80\xc3\xe2\xfe\xff";

/// One change of an input.
#[derive(Debug, Clone)]
enum Change {
    Set(Index, u8),
    Flip(Index, u8),
    Insert(Index, Vec<u8>),
    Word(Index, Index),
    Remove(Index, Index),
    /// A part, so many times more.
    Repeat(Index, Index, u16),
    /// A part of another sample.
    Splice(Index, Index, Index, Index),
    /// A number in place of the digits there.
    Number(Index, i64),
}

fn change() -> impl Strategy<Value = Change> {
    let at = any::<Index>;
    let byte = || prop_oneof![any::<u8>(), prop::sample::select(&EDGES[..])];
    let number = prop_oneof![
        any::<i64>(),
        -2_i64..300,
        Just(i64::MAX),
        Just(i64::MIN),
        Just(i64::from(u32::MAX)),
        Just(1 << 53)
    ];
    prop_oneof![
        3 => (at(), byte()).prop_map(|(at, byte)| Change::Set(at, byte)),
        2 => (at(), 0..8_u8).prop_map(|(at, bit)| Change::Flip(at, bit)),
        2 => (at(), vec(byte(), 1..6)).prop_map(|(at, bytes)| Change::Insert(at, bytes)),
        3 => (at(), at()).prop_map(|(at, word)| Change::Word(at, word)),
        2 => (at(), at()).prop_map(|(from, to)| Change::Remove(from, to)),
        1 => (at(), at(), 1..3_000_u16).prop_map(|(from, to, times)| Change::Repeat(from, to, times)),
        1 => (at(), at(), at(), at()).prop_map(|(at, sample, from, to)| Change::Splice(at, sample, from, to)),
        2 => (at(), number).prop_map(|(at, number)| Change::Number(at, number)),
    ]
}

/// Inputs for a parser: mostly samples with one to eight changes, at times a sample as it is, at times any bytes.
pub(crate) fn inputs(samples: Vec<Vec<u8>>, words: &'static [&'static str]) -> impl Strategy<Value = Vec<u8>> {
    let changed = (any::<Index>(), vec(change(), 0..8)).prop_map(move |(sample, changes)| {
        let mut input = if samples.is_empty() { Vec::new() } else { sample.get(&samples).clone() };
        for change in changes {
            apply(&mut input, &change, &samples, words);
            input.truncate(INPUT_MAX);
        }
        input
    });
    prop_oneof![15 => changed, 1 => vec(any::<u8>(), 0..200)]
}

/// The part between two places.
fn part(of: &[u8], from: Index, to: Index) -> Range<usize> {
    let (from, to) = (from.index(of.len() + 1), to.index(of.len() + 1));
    from.min(to)..from.max(to)
}

fn apply(input: &mut Vec<u8>, change: &Change, samples: &[Vec<u8>], words: &[&str]) {
    let place = |input: &[u8], at: &Index| at.index(input.len() + 1);
    match change {
        Change::Set(at, byte) if !input.is_empty() => {
            let at = at.index(input.len());
            input[at] = *byte;
        }
        Change::Flip(at, bit) if !input.is_empty() => {
            let at = at.index(input.len());
            input[at] ^= 1 << bit;
        }
        Change::Set(..) | Change::Flip(..) => {}
        Change::Insert(at, bytes) => insert(input, place(input, at), bytes),
        Change::Word(_, _) if words.is_empty() => {}
        Change::Word(at, word) => insert(input, place(input, at), word.get(words).as_bytes()),
        Change::Remove(from, to) => {
            input.drain(part(input, *from, *to));
        }
        Change::Repeat(from, to, times) => {
            let part = part(input, *from, *to);
            let most = INPUT_MAX / part.len().max(1);
            let more = input[part.clone()].repeat(usize::from(*times).min(most));
            insert(input, part.end, &more);
        }
        Change::Splice(..) if samples.is_empty() => {}
        Change::Splice(at, sample, from, to) => {
            let sample = sample.get(samples);
            insert(input, place(input, at), &sample[part(sample, *from, *to)]);
        }
        Change::Number(at, number) => replace_digits(input, place(input, at), *number),
    }
}

fn insert(input: &mut Vec<u8>, at: usize, bytes: &[u8]) {
    input.splice(at..at, bytes.iter().copied());
}

/// Puts a number in place of the first digits after a place, or at that place if there are none.
fn replace_digits(input: &mut Vec<u8>, at: usize, number: i64) {
    let begins = input[at..].iter().position(u8::is_ascii_digit).map_or(at, |far| at + far);
    let digits = input[begins..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    input.splice(begins..begins + digits, number.to_string().into_bytes());
}
