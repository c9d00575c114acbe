//! Part numbers, and how they are compared.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;
use unicode_normalization::UnicodeNormalization;

use crate::{Text, Timestamp};

/// A part number without what people write differently: `6178-4B40 40b2.` is `61784B4040B2`. 1 to 48 capitals and digits.
///
/// The database computes the same keys for its own rows (`part_key` in migration 40); a test compares the two.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartKey(String);

/// Why a text is no part number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum PartKeyError {
    /// Neither a Latin letter nor a digit.
    #[error("needs at least one letter or digit")]
    Empty,
    /// More than [`PartKey::MAX`] letters and digits.
    #[error("must be at most 48 letters and digits")]
    TooLong,
}

/// Cyrillic and Greek characters that look like Latin ones, and those.
const LOOK_ALIKES: [(char, char); 50] = [
    ('А', 'A'),
    ('В', 'B'),
    ('Е', 'E'),
    ('К', 'K'),
    ('М', 'M'),
    ('Н', 'H'),
    ('О', 'O'),
    ('Р', 'P'),
    ('С', 'C'),
    ('Т', 'T'),
    ('Х', 'X'),
    ('а', 'A'),
    ('в', 'B'),
    ('е', 'E'),
    ('к', 'K'),
    ('м', 'M'),
    ('н', 'H'),
    ('о', 'O'),
    ('р', 'P'),
    ('с', 'C'),
    ('т', 'T'),
    ('х', 'X'),
    ('Α', 'A'),
    ('Β', 'B'),
    ('Ε', 'E'),
    ('Ζ', 'Z'),
    ('Η', 'H'),
    ('Ι', 'I'),
    ('Κ', 'K'),
    ('Μ', 'M'),
    ('Ν', 'N'),
    ('Ο', 'O'),
    ('Ρ', 'P'),
    ('Τ', 'T'),
    ('Υ', 'Y'),
    ('Χ', 'X'),
    ('α', 'A'),
    ('β', 'B'),
    ('ε', 'E'),
    ('ζ', 'Z'),
    ('η', 'H'),
    ('ι', 'I'),
    ('κ', 'K'),
    ('μ', 'M'),
    ('ν', 'N'),
    ('ο', 'O'),
    ('ρ', 'P'),
    ('τ', 'T'),
    ('υ', 'Y'),
    ('χ', 'X'),
];

impl PartKey {
    /// The longest key, in letters and digits.
    pub const MAX: usize = 48;

    /// The key of a number as somebody wrote it.
    ///
    /// # Errors
    /// [`PartKeyError`] if nothing is left of it, or too much.
    pub fn new(written: &str) -> Result<Self, PartKeyError> {
        let key: String = written.nfkc().filter_map(latin).take(Self::MAX + 1).collect();
        match key.len() {
            0 => Err(PartKeyError::Empty),
            1..=Self::MAX => Ok(Self(key)),
            _ => Err(PartKeyError::TooLong),
        }
    }

    /// The key.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The key without what is misread: O and 0, I and 1 and the like are one, and zeros in front are left out. May be
    /// empty, for a number of nothing but zeros.
    #[must_use]
    pub fn loose(&self) -> String {
        let one = |c| match c {
            'O' | 'Q' => '0',
            'I' | 'L' => '1',
            'Z' => '2',
            'S' => '5',
            'B' => '8',
            'G' => '6',
            other => other,
        };
        let loose: String = self.0.chars().map(one).collect();
        loose.trim_start_matches('0').to_owned()
    }

    /// Whether it may be a part number that somebody typed, and not a word: it has a digit, and at least three signs.
    #[must_use]
    pub fn is_number(&self) -> bool {
        self.0.len() >= 3 && self.0.bytes().any(|sign| sign.is_ascii_digit())
    }
}

impl fmt::Display for PartKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

pub(crate) fn latin(c: char) -> Option<char> {
    if c.is_ascii_alphanumeric() {
        return Some(c.to_ascii_uppercase());
    }
    LOOK_ALIKES.iter().find(|(look_alike, _)| *look_alike == c).map(|(_, latin)| *latin)
}

/// A GTIN (EAN, UPC) with a valid check digit, as it is stored: 8, 13 or 14 digits; a UPC of 12 is an EAN of 13.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gtin(String);

/// Not a GTIN.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("isn't a valid GTIN: check its digits")]
pub struct NoGtin;

impl Gtin {
    /// The digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it means one product everywhere, as merchants' programs require. Numbers that a shop, a company or a country
    /// gives out for itself, and those of coupons, do not (GS1 General Specifications, section 1.4).
    #[must_use]
    pub fn is_worldwide(&self) -> bool {
        match self.0.len() {
            8 => !self.0.starts_with(['0', '2']),
            // In front of the number of what is inside stands how it is packed: 9 is sold by weight.
            14 if self.0.starts_with('9') => false,
            length => {
                let ean = &self.0[length - 13..];
                !["02", "04", "05", "2", "98", "99"].iter().any(|restricted| ean.starts_with(restricted))
            }
        }
    }
}

impl FromStr for Gtin {
    type Err = NoGtin;

    fn from_str(written: &str) -> Result<Self, NoGtin> {
        let key = PartKey::new(written).map_err(|_| NoGtin)?;
        let digits: Vec<u32> = key.0.chars().map(|c| c.to_digit(10)).collect::<Option<_>>().ok_or(NoGtin)?;
        if !matches!(digits.len(), 8 | 12..=14) {
            return Err(NoGtin);
        }
        let sum: u32 = digits
            .iter()
            .rev()
            .enumerate()
            .map(|(place, digit)| if place.is_multiple_of(2) { *digit } else { 3 * digit })
            .sum();
        if !sum.is_multiple_of(10) || digits.iter().all(|digit| *digit == 0) {
            return Err(NoGtin);
        }
        Ok(Self(if digits.len() == 12 { format!("0{key}") } else { key.0 }))
    }
}

/// What a number of a product is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NumberKind {
    /// The number under which it is sold.
    Own,
    /// GTIN, EAN or UPC.
    Gtin,
    /// The vehicle maker's number.
    Oe,
    /// Another brand's number for a part that does the same.
    Competitor,
    /// The number of a part that it replaces.
    Superseded,
    /// The number under which a supplier delivers it.
    Supplier,
}

impl NumberKind {
    /// Every kind, in the order of the screens; the first one is stored as 1.
    pub const ALL: [Self; 6] = [Self::Own, Self::Gtin, Self::Oe, Self::Competitor, Self::Superseded, Self::Supplier];

    /// The name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Own => "own",
            Self::Gtin => "gtin",
            Self::Oe => "oe",
            Self::Competitor => "competitor",
            Self::Superseded => "superseded",
            Self::Supplier => "supplier",
        }
    }

    /// The number by which it is stored.
    #[must_use]
    pub const fn code(self) -> i16 {
        self as i16 + 1
    }

    /// The kind that is stored by a number.
    #[must_use]
    pub fn from_code(code: i16) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.code() == code)
    }
}

/// Not the name of a kind of number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must be own, gtin, oe, competitor, superseded or supplier")]
pub struct UnknownKind;

impl FromStr for NumberKind {
    type Err = UnknownKind;

    fn from_str(name: &str) -> Result<Self, UnknownKind> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name).ok_or(UnknownKind)
    }
}

/// Why a part's brand, number, type or attributes were refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PartRefused {
    /// The brand has another part with this number, for sale or archived.
    #[error("{brand} already has a part with this number")]
    NumberTaken {
        /// The brand's name.
        brand: String,
    },
    /// There is no such part type.
    #[error("no such part type")]
    UnknownPartType,
    /// An attribute is a number everywhere else, or words, or yes and no.
    #[error("{name} is {kind} for every other part")]
    OtherKind {
        /// The attribute's name.
        name: String,
        /// What its values are.
        kind: &'static str,
    },
    /// Parts would replace each other in a circle, or in more than [`MOST_STEPS`] steps.
    #[error("at most eight parts can replace one another in a row, and none itself")]
    ChainTooLong,
}

/// How many parts may replace one another in a row.
pub const MOST_STEPS: u8 = 8;

/// One of a product's numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartNumber {
    /// What it is.
    pub kind: NumberKind,
    /// The number as it is printed.
    pub shown: Text<60>,
    /// Whose number it is.
    pub brand: Option<Text<60>>,
    /// A remark, such as on which grade it replaces.
    pub note: Option<Text<240>>,
    /// When it was entered.
    pub since: Option<Timestamp>,
}

impl PartNumber {
    /// What it is found by.
    ///
    /// # Errors
    /// [`PartKeyError`] as in [`PartKey::new`]; a GTIN that is none is compared as any other number.
    pub fn key(&self) -> Result<PartKey, PartKeyError> {
        match (self.kind, self.shown.as_str().parse::<Gtin>()) {
            (NumberKind::Gtin, Ok(gtin)) => Ok(PartKey(gtin.0)),
            _ => PartKey::new(self.shown.as_str()),
        }
    }
}

/// Why a product was found, where its name does not tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Via {
    /// By its GTIN.
    Gtin(String),
    /// By the number of a part that it replaces, and since when.
    Replaces(String, Option<Timestamp>),
    /// By another maker's number.
    SameAs(String),
    /// By a supplier's number.
    Supplier(String),
    /// One of its numbers begins with what was typed.
    Begins(String),
    /// One of its numbers is the same but for signs that are often misread.
    Misread(String),
    /// One of its numbers is nearly what was typed.
    Close(String),
}

impl fmt::Display for Via {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Gtin(gtin) => write!(f, "GTIN {gtin}"),
            Self::Replaces(number, None) => write!(f, "replaces {number}"),
            Self::Replaces(number, Some(since)) => write!(f, "replaces {number} since {}", since.strftime("%Y-%m")),
            Self::SameAs(number) => write!(f, "same as {number}"),
            Self::Supplier(number) => write!(f, "supplier's number {number}"),
            Self::Begins(number) => write!(f, "number begins with {number}"),
            Self::Misread(number) => write!(f, "perhaps you meant {number}"),
            Self::Close(number) => write!(f, "close to {number}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn key(written: &str) -> String {
        PartKey::new(written).unwrap().to_string()
    }

    #[test]
    fn separators_case_and_look_alikes_do_not_matter() {
        assert_eq!(key("6178-4B40 40b2."), "61784B4040B2");
        assert_eq!(key("ВС-12х"), "BC12X", "Cyrillic");
        assert_eq!(key("Αβ 7"), "AB7", "Greek");
        assert_eq!(key("ＤＬ－１２"), "DL12", "full width");
        assert_eq!(PartKey::new(" -./ "), Err(PartKeyError::Empty));
        assert_eq!(PartKey::new(&"A".repeat(49)), Err(PartKeyError::TooLong));
        assert_eq!(PartKey::new(&"A-".repeat(48)).unwrap().as_str().len(), 48);
    }

    #[test]
    fn what_is_misread_is_one_when_loose() {
        let loose = |written| PartKey::new(written).unwrap().loose();
        assert_eq!(loose("0O-QIL1"), "111");
        assert_eq!(loose("DL-BD-3I2O"), loose("dl8d3120"));
        assert_eq!(loose("000"), "");
        assert_ne!(loose("A1"), loose("A2"));
    }

    #[test]
    fn a_gtin_has_its_check_digit_and_a_upc_is_an_ean() {
        assert_eq!("4 006381-333931".parse::<Gtin>().unwrap().as_str(), "4006381333931");
        assert_eq!("036000291452".parse::<Gtin>().unwrap().as_str(), "0036000291452");
        assert_eq!("96385074".parse::<Gtin>().unwrap().as_str(), "96385074");
        for written in ["4006381333932", "1234567", "40063813339X1", "", "00000000"] {
            assert_eq!(written.parse::<Gtin>(), Err(NoGtin), "{written}");
        }
    }

    #[test]
    fn a_number_that_a_shop_gives_out_for_itself_is_not_worldwide() {
        for (written, is_worldwide) in [
            ("4006381333931", true),
            ("036000291452", true),
            ("14006381333938", true),
            ("96385074", true),
            ("2012345678900", false),
            ("212345678902", false),
            ("0412345678900", false),
            ("9801234567890", false),
            ("94006381333934", false),
            ("20123451", false),
        ] {
            let mut digits: Vec<char> = written.chars().collect();
            // Whatever its last digit is to be.
            let gtin = ('0'..='9').find_map(|check| {
                *digits.last_mut().unwrap() = check;
                digits.iter().collect::<String>().parse::<Gtin>().ok()
            });
            assert_eq!(gtin.unwrap().is_worldwide(), is_worldwide, "{written}");
        }
    }

    #[test]
    fn a_number_has_a_digit_and_three_signs() {
        for (written, is_number) in [("DL-1", true), ("A1", false), ("brake", false), ("123", true)] {
            assert_eq!(PartKey::new(written).unwrap().is_number(), is_number, "{written}");
        }
    }

    #[test]
    fn kinds_round_trip_through_name_and_code() {
        for kind in NumberKind::ALL {
            assert_eq!(kind.as_str().parse(), Ok(kind));
            assert_eq!(NumberKind::from_code(kind.code()), Some(kind));
        }
        assert_eq!(NumberKind::from_code(0), None);
    }

    #[test]
    fn a_valid_upc_is_found_as_an_ean_and_any_other_number_as_it_is() {
        let found_by = |kind, shown| {
            let number = PartNumber { kind, shown: Text::known_good(shown), brand: None, note: None, since: None };
            number.key().unwrap().to_string()
        };
        assert_eq!(found_by(NumberKind::Gtin, "0 36000-29145 2"), "0036000291452");
        assert_eq!(found_by(NumberKind::Gtin, "0 36000-29145 3"), "036000291453", "its check digit is wrong");
        assert_eq!(found_by(NumberKind::Oe, "0 36000-29145 2"), "036000291452");
    }

    #[test]
    fn why_a_part_was_found_is_a_sentence() {
        let since = "2024-05-17T08:00:00Z".parse().ok();
        assert_eq!(Via::Replaces("3047-A".to_owned(), since).to_string(), "replaces 3047-A since 2024-05");
        assert_eq!(Via::SameAs("BREMBO 09.A820.11".to_owned()).to_string(), "same as BREMBO 09.A820.11");
    }

    proptest! {
        #[test]
        fn a_key_is_its_own_key_and_has_no_separators(written in any::<String>()) {
            if let Ok(key) = PartKey::new(&written) {
                prop_assert!(key.as_str().len() <= PartKey::MAX);
                prop_assert!(key.as_str().bytes().all(|sign| sign.is_ascii_uppercase() || sign.is_ascii_digit()));
                prop_assert_eq!(PartKey::new(key.as_str()), Ok(key.clone()));
            }
        }

        #[test]
        fn separators_and_case_never_matter(number in "[A-Z0-9]{1,20}", separator in "[-./ _]{0,3}", at in 0_usize..20) {
            let at = at.min(number.len());
            let written = format!("{}{separator}{}", &number[..at], &number[at..]).to_lowercase();
            prop_assert_eq!(PartKey::new(&written).unwrap().to_string(), number);
        }
    }
}
