//! The patterns of vPIC: which signs of a VIN mean what, by the manufacturer's code and the model year.

use std::collections::HashMap;

use crate::engine::{EngineWords, Fuel};
use crate::id::ModelId;
use crate::vin::Vin;

/// What a manufacturer's code (WMI) makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WmiKind {
    /// Cars, multipurpose vehicles and light trucks, whose seventh sign tells the decade.
    Light,
    /// Other trucks.
    Truck,
}

#[derive(Debug)]
pub(super) struct Wmi {
    pub(super) kind: WmiKind,
    /// The make, if it makes but one.
    pub(super) make: Option<&'static str>,
    schemas: Vec<Span>,
}

/// A schema, and the model years it holds for.
#[derive(Debug)]
struct Span {
    schema: usize,
    first: i16,
    last: i16,
}

/// A model as a pattern names it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Model {
    /// One of the table.
    Known(ModelId),
    /// One of a make that the table has not.
    Named { make: &'static str, name: &'static str },
}

/// The patterns that mean one value.
#[derive(Debug)]
struct Line {
    /// `m` for the model, `c` cylinders, `l` litres, `f` fuel, `e` the engine's model.
    sign: u8,
    value: &'static str,
    /// One or more, with spaces between.
    keys: &'static str,
}

#[derive(Debug, Default)]
pub(super) struct Patterns {
    models: Vec<Model>,
    engine_models: Vec<&'static str>,
    /// The newest first.
    schemas: Vec<Vec<Line>>,
    wmis: HashMap<&'static str, Wmi>,
}

/// What the patterns say of a VIN in a model year.
#[derive(Debug)]
pub(super) struct Told<'a> {
    pub(super) model: Option<&'a Model>,
    pub(super) engine: EngineWords,
}

/// The value of the best pattern so far: that of the newest schema, and there the one with most signs of its own.
#[derive(Clone, Copy, Default)]
struct Best {
    value: Option<&'static str>,
    schema: usize,
    signs: usize,
}

const SIGNS: [u8; 5] = *b"mclfe";

impl Patterns {
    pub(super) fn read(text: &'static str) -> Self {
        let mut read = Self::default();
        for line in text.lines() {
            let fields: Vec<&'static str> = line.split('\t').collect();
            match fields.as_slice() {
                ["M", "0", make, name] => read.models.push(Model::Named { make, name }),
                ["M", id, ..] => read.models.push(Model::Known(ModelId::new(id.parse().unwrap_or_default()))),
                ["E", told] => read.engine_models.push(told),
                ["S"] => read.schemas.push(Vec::new()),
                ["W", code, kind, make, spans] => {
                    let kind = if *kind == "t" { WmiKind::Truck } else { WmiKind::Light };
                    let make = Some(*make).filter(|make| !make.is_empty());
                    read.wmis.insert(code, Wmi { kind, make, schemas: spans.split(' ').filter_map(span).collect() });
                }
                [value, keys] if value.len() > 1 => {
                    let (sign, value) = (value.as_bytes()[0], &value[1..]);
                    read.schemas.last_mut().into_iter().for_each(|lines| lines.push(Line { sign, value, keys }));
                }
                _ => {}
            }
        }
        read
    }

    /// The manufacturer's code of a VIN.
    pub(super) fn wmi(&self, vin: &Vin) -> Option<&Wmi> {
        let signs = vin.as_str();
        let small = || self.wmis.get(format!("{}{}", signs.get(..3)?, signs.get(11..14)?).as_str());
        let short = || self.wmis.get(signs.get(..3)?);
        if vin.is_of_a_small_maker() { small().or_else(short) } else { short() }
    }

    pub(super) fn told(&self, wmi: &Wmi, vin: &Vin, year: i16) -> Told<'_> {
        let mut best = [Best::default(); SIGNS.len()];
        let signs = vin.signs();
        // Signs four to eight, then ten to seventeen: the ninth is the check digit.
        let mut key = [b'|'; 14];
        key[..5].copy_from_slice(&signs[3..8]);
        key[6..].copy_from_slice(&signs[9..]);
        for span in wmi.schemas.iter().filter(|span| (span.first..=span.last).contains(&year)) {
            for line in self.schemas.get(span.schema).into_iter().flatten() {
                let Some(place) = SIGNS.iter().position(|sign| *sign == line.sign) else { continue };
                let best = &mut best[place];
                // A smaller number is a newer schema, and those come first.
                if best.value.is_some() && best.schema < span.schema {
                    continue;
                }
                for pattern in line.keys.split(' ') {
                    if let Some(signs) =
                        fits(pattern.as_bytes(), &key).filter(|signs| best.value.is_none() || *signs > best.signs)
                    {
                        *best = Best { value: Some(line.value), schema: span.schema, signs };
                    }
                }
            }
        }
        let [model, cylinders, litres, fuel, engine_model] = best.map(|best| best.value);
        let mut engine = EngineWords::default();
        if let Some(told) = engine_model.and_then(|at| self.engine_models.get(at.parse::<usize>().ok()?)) {
            for part in told.split(' ').filter(|part| !part.is_empty()) {
                add(&mut engine, part.as_bytes()[0], &part[1..]);
            }
        }
        for (sign, value) in [(b'c', cylinders), (b'l', litres), (b'f', fuel)] {
            if let Some(value) = value {
                add(&mut engine, sign, value);
            }
        }
        let model = model.and_then(|at| self.models.get(at.parse::<usize>().ok()?));
        Told { model, engine }
    }
}

fn add(engine: &mut EngineWords, sign: u8, value: &str) {
    match sign {
        b'c' => engine.cylinders = value.parse().ok(),
        b'l' => engine.decilitres = value.replace('.', "").parse().ok(),
        b'f' => engine.fuel = Fuel::parse(value),
        _ => {}
    }
}

/// "1751:2025-2025", or "1751:2025-" if the range is open.
fn span(text: &str) -> Option<Span> {
    let (schema, years) = text.split_once(':')?;
    let (first, last) = years.split_once('-')?;
    let last = if last.is_empty() { i16::MAX } else { last.parse().ok()? };
    Some(Span { schema: schema.parse().ok()?, first: first.parse().ok()?, last })
}

/// Whether a pattern fits a key from its start, and how many signs it names: `*` is any sign, `#` a digit, `[AB-D]` one of
/// a set.
fn fits(pattern: &[u8], key: &[u8]) -> Option<usize> {
    let (mut at, mut signs) = (0, 0);
    for sign in key {
        match pattern.get(at)? {
            b'*' => {}
            b'#' => {
                signs += 1;
                if !sign.is_ascii_digit() {
                    return None;
                }
            }
            b'[' => {
                let end = at + pattern[at..].iter().position(|byte| *byte == b']')?;
                if !in_set(&pattern[at + 1..end], *sign) {
                    return None;
                }
                signs += 1;
                at = end;
            }
            own => {
                if own != sign {
                    return None;
                }
                signs += usize::from(*own != b'|');
            }
        }
        at += 1;
        if at == pattern.len() {
            return Some(signs);
        }
    }
    None
}

fn in_set(set: &[u8], sign: u8) -> bool {
    let mut rest = set;
    while let Some((first, after)) = rest.split_first() {
        let (last, after) = if let [b'-', last, after @ ..] = after { (last, after) } else { (first, after) };
        if (*first..=*last).contains(&sign) {
            return true;
        }
        rest = after;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_compared_from_the_start() {
        let key = b"CM826|3A004352";
        assert_eq!(fits(b"CM", key), Some(2));
        assert_eq!(fits(b"CM8*6", key), Some(4));
        assert_eq!(fits(b"*****|3A", key), Some(2));
        assert_eq!(fits(b"CM[5-8]#", key), Some(4));
        assert_eq!(fits(b"CM[A8]", key), Some(3));
        assert_eq!(fits(b"CM[A-C]", key), None);
        assert_eq!(fits(b"M8", key), None);
        assert_eq!(fits(b"CM[8", key), None);
        assert_eq!(fits(b"", key), None);
    }
}
