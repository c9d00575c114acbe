//! Whole numbers on the wire.

use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};

/// A JSON number without a fraction: `50` and `50.0`, not `50.5` and not `"50"`. One beyond 64 bits saturates, and
/// every rule refuses that as too large or too small.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Whole(pub(crate) i64);

struct WholeVisitor;

impl Visitor<'_> for WholeVisitor {
    type Value = Whole;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a whole number")
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Whole, E> {
        Ok(Whole(number))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Whole, E> {
        Ok(Whole(i64::try_from(number).unwrap_or(i64::MAX)))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Whole, E> {
        if number.fract() == 0.0 {
            #[expect(clippy::cast_possible_truncation, reason = "a float's cast saturates, as promised above")]
            Ok(Whole(number as i64))
        } else {
            Err(E::invalid_value(Unexpected::Float(number), &self))
        }
    }
}

impl<'de> Deserialize<'de> for Whole {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(WholeVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_numbers_without_a_fraction_are_whole() {
        for (json, expected) in
            [("50", 50), ("50.0", 50), ("-3", -3), ("1e300", i64::MAX), ("18446744073709551615", i64::MAX)]
        {
            assert_eq!(serde_json::from_str::<Whole>(json).unwrap(), Whole(expected), "{json}");
        }
        for json in ["50.5", "\"50\"", "true", "null", "[50]"] {
            assert!(serde_json::from_str::<Whole>(json).is_err(), "{json}");
        }
    }
}
