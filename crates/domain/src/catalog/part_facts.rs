//! What is known of a part beside its name and price.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::{TaxClass, Text};

/// What is known of a part. All of it may be missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartFacts {
    /// Whose part it is.
    pub brand: Option<Text<60>>,
    /// What it is, by the name of its part type.
    pub part_type: Option<Text<80>>,
    /// Whether it fits every vehicle.
    pub universal: bool,
    /// It is sold in multiples of this many units.
    pub pack_size: PackSize,
    /// What a pack weighs, in grams.
    pub weight: Option<Size>,
    /// How long a pack is, in millimeters.
    pub length: Option<Size>,
    /// How wide a pack is, in millimeters.
    pub width: Option<Size>,
    /// How high a pack is, in millimeters.
    pub height: Option<Size>,
    /// How it is taxed.
    pub tax_class: TaxClass,
    /// Its attributes, by name.
    pub attributes: Vec<Attribute>,
}

impl PartFacts {
    /// Nothing is known of it.
    pub const NONE: Self = Self {
        brand: None,
        part_type: None,
        universal: false,
        pack_size: PackSize::ONE,
        weight: None,
        length: None,
        width: None,
        height: None,
        tax_class: TaxClass::Standard,
        attributes: Vec::new(),
    };
}

impl Default for PartFacts {
    fn default() -> Self {
        Self::NONE
    }
}

/// Units in a pack: 1 to 100,000.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PackSize(u32);

/// Not within the bounds of a pack's size or of a measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must be between 1 and {max}")]
pub struct OutOfBounds {
    max: u32,
}

impl PackSize {
    /// Sold one by one.
    pub const ONE: Self = Self(1);

    /// A pack of so many units.
    ///
    /// # Errors
    /// [`OutOfBounds`] outside 1 to 100,000.
    pub fn new(units: i64) -> Result<Self, OutOfBounds> {
        within(units, 100_000).map(Self)
    }

    /// The units.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0
    }
}

/// A weight in grams or a length in millimeters: 1 to 100,000,000.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size(u32);

impl Size {
    /// So many grams or millimeters.
    ///
    /// # Errors
    /// [`OutOfBounds`] outside 1 to 100,000,000.
    pub fn new(size: i64) -> Result<Self, OutOfBounds> {
        within(size, 100_000_000).map(Self)
    }

    /// Grams or millimeters.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0
    }
}

fn within(number: i64, max: u32) -> Result<u32, OutOfBounds> {
    u32::try_from(number).ok().filter(|number| (1..=max).contains(number)).ok_or(OutOfBounds { max })
}

/// An attribute of a part, such as its diameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribute {
    /// Its name.
    pub name: Text<60>,
    /// Its value.
    pub value: AttributeValue,
}

/// The value of an attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AttributeValue {
    /// A number, in the unit of the attribute.
    Number(Measure, Option<Text<12>>),
    /// Words.
    Words(Text<120>),
    /// Yes or no.
    Flag(bool),
}

impl AttributeValue {
    /// The value that somebody wrote: `312 mm`, `12.3 in`, `vented`, `yes`. A known unit becomes the one in which all such
    /// values are kept: mm, g, L, Ah, V, A, kW, N·m, bar.
    ///
    /// # Errors
    /// [`crate::platform::text::TextError`] if it is empty or too long.
    pub fn written(text: &str) -> Result<Self, crate::platform::text::TextError> {
        let words = Text::new(text)?;
        match words.as_str().to_lowercase().as_str() {
            "yes" | "true" => return Ok(Self::Flag(true)),
            "no" | "false" => return Ok(Self::Flag(false)),
            _ => {}
        }
        Ok(measured(words.as_str()).unwrap_or(Self::Words(words)))
    }
}

/// Units, what they are kept in, and how many thousandths of that they are.
const UNITS: [(&str, &str, i64); 24] = [
    ("mm", "mm", 1_000),
    ("cm", "mm", 10_000),
    ("m", "mm", 1_000_000),
    ("in", "mm", 25_400),
    ("\"", "mm", 25_400),
    ("ft", "mm", 304_800),
    ("g", "g", 1_000),
    ("kg", "g", 1_000_000),
    ("lb", "g", 453_592),
    ("oz", "g", 28_350),
    ("l", "L", 1_000),
    ("ml", "L", 1),
    ("gal", "L", 3_785),
    ("qt", "L", 946),
    ("ah", "Ah", 1_000),
    ("v", "V", 1_000),
    ("a", "A", 1_000),
    ("w", "kW", 1),
    ("kw", "kW", 1_000),
    ("hp", "kW", 746),
    ("nm", "N·m", 1_000),
    ("n·m", "N·m", 1_000),
    ("bar", "bar", 1_000),
    ("psi", "bar", 69),
];

/// A number with a unit that is known, or without any.
fn measured(text: &str) -> Option<AttributeValue> {
    let end = text.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '-' | ','))).unwrap_or(text.len());
    if may_be_thousands(&text[..end]) {
        return None;
    }
    let (number, unit) = (text[..end].parse::<Measure>().ok()?, text[end..].trim().to_lowercase());
    if unit.is_empty() {
        return Some(AttributeValue::Number(number, None));
    }
    let (_, kept, thousandths) = UNITS.into_iter().find(|(name, ..)| *name == unit)?;
    let kept_number = i128::from(number.0) * i128::from(thousandths) / 1_000;
    let kept_number = i64::try_from(kept_number).ok().filter(|number| number.abs() <= Measure::MAX)?;
    Some(AttributeValue::Number(Measure(kept_number), Some(Text::known_good(kept))))
}

/// Whether a comma stands where one between thousands would: `1,000 mm` is a metre to some and a millimetre to others, and stays what was
/// written.
fn may_be_thousands(number: &str) -> bool {
    let digits = number.strip_prefix('-').unwrap_or(number);
    digits
        .split_once(',')
        .is_some_and(|(whole, rest)| (1..=3).contains(&whole.len()) && !whole.starts_with('0') && rest.len() == 3)
}

/// A number with up to three decimals, between minus and plus a thousand million.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Measure(i64);

/// Not a number that an attribute can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must be a number with at most three decimals")]
pub struct NoMeasure;

impl Measure {
    const MAX: i64 = 1_000_000_000_000;

    /// A number of thousandths.
    ///
    /// # Errors
    /// [`NoMeasure`] if it is too large.
    pub fn from_thousandths(thousandths: i64) -> Result<Self, NoMeasure> {
        if thousandths.unsigned_abs() <= Self::MAX.unsigned_abs() { Ok(Self(thousandths)) } else { Err(NoMeasure) }
    }

    /// The number, times a thousand.
    #[must_use]
    pub const fn thousandths(self) -> i64 {
        self.0
    }
}

impl FromStr for Measure {
    type Err = NoMeasure;

    fn from_str(written: &str) -> Result<Self, NoMeasure> {
        let (sign, digits) = written.strip_prefix('-').map_or((1, written), |rest| (-1, rest));
        let (whole, decimals) = digits.split_once(['.', ',']).unwrap_or((digits, ""));
        let is_number = |text: &str| text.bytes().all(|sign| sign.is_ascii_digit());
        if whole.is_empty() || whole.len() > 10 || decimals.len() > 3 || !is_number(whole) || !is_number(decimals) {
            return Err(NoMeasure);
        }
        let thousandths: i64 = format!("{whole}{decimals:0<3}").parse().map_err(|_| NoMeasure)?;
        Self::from_thousandths(sign * thousandths)
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let (whole, rest) = (self.0.unsigned_abs() / 1_000, self.0.unsigned_abs() % 1_000);
        let text = format!("{sign}{whole}.{rest:03}");
        f.write_str(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(written: &str, unit: Option<&str>) -> AttributeValue {
        AttributeValue::Number(written.parse().unwrap(), unit.map(Text::known_good))
    }

    #[test]
    fn a_written_value_is_kept_in_one_unit() {
        for (written, kept) in [
            ("312", number("312", None)),
            ("312 mm", number("312", Some("mm"))),
            ("31.2cm", number("312", Some("mm"))),
            ("12.3 in", number("312.42", Some("mm"))),
            ("70Ah", number("70", Some("Ah"))),
            ("1,5 l", number("1.5", Some("L"))),
            ("0,125 l", number("0.125", Some("L"))),
            ("1000,125 l", number("1000.125", Some("L"))),
            ("1,000 mm", AttributeValue::Words(Text::known_good("1,000 mm"))),
            ("-100,000 g", AttributeValue::Words(Text::known_good("-100,000 g"))),
            ("-30", number("-30", None)),
            ("vented", AttributeValue::Words(Text::known_good("vented"))),
            ("5W-30", AttributeValue::Words(Text::known_good("5W-30"))),
            ("M12 x 1.5", AttributeValue::Words(Text::known_good("M12 x 1.5"))),
            ("yes", AttributeValue::Flag(true)),
            ("No", AttributeValue::Flag(false)),
        ] {
            assert_eq!(AttributeValue::written(written), Ok(kept), "{written}");
        }
        assert!(AttributeValue::written(" ").is_err());
    }

    #[test]
    fn a_measure_is_written_without_needless_zeros_and_read_back() {
        for written in ["0", "312", "312.4", "0.125", "-30.5", "1000000000"] {
            assert_eq!(written.parse::<Measure>().unwrap().to_string(), written);
        }
        for written in ["", "-", ".5", "1.2345", "1e5", "10000000001", "1 2", "+3"] {
            assert_eq!(written.parse::<Measure>(), Err(NoMeasure), "{written}");
        }
    }

    #[test]
    fn a_measure_is_kept_in_thousandths() {
        assert_eq!("312.4".parse().map(Measure::thousandths), Ok(312_400));
        assert!(Measure::from_thousandths(i64::MIN).is_err());
        assert_eq!(Measure::from_thousandths(-30_500).map(|measure| measure.to_string()).as_deref(), Ok("-30.5"));
    }

    #[test]
    fn packs_and_sizes_have_bounds() {
        assert!(PackSize::new(0).is_err() && PackSize::new(100_001).is_err());
        assert_eq!(PackSize::new(12).map(PackSize::get), Ok(12));
        assert_eq!(Size::new(100_000_000).map(Size::get), Ok(100_000_000));
        assert_eq!(Size::new(-5).unwrap_err().to_string(), "must be between 1 and 100000000");
    }
}
