//! The number itself: which signs it may have, its check digit, and the year in its tenth sign.

use std::fmt;

/// The signs of a model year: thirty of them, so each comes again after thirty years.
const YEARS: &[u8] = b"ABCDEFGHJKLMNPRSTVWXY123456789";
const WEIGHTS: [u32; 17] = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];

/// Why a text is no VIN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotAVin {
    /// Not seventeen signs, but so many.
    #[error("a VIN has 17 letters and digits, this has {0}")]
    Length(usize),
    /// A sign that is not used, because it looks like a digit.
    #[error("a VIN has no I, O or Q: those are 1 and 0")]
    Sign,
}

/// Whether a check digit is right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckDigit {
    /// It is.
    Ok,
    /// It is not.
    Wrong,
}

/// A vehicle identification number. It tells who owns a car to those who have the registers, so it is not shown in logs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Vin([u8; 17]);

impl fmt::Debug for Vin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Vin(..)")
    }
}

impl Vin {
    /// Reads a VIN, whatever its case, and whatever stands between its signs.
    ///
    /// # Errors
    /// [`NotAVin`] if it has not seventeen letters and digits, or one that no VIN has.
    pub fn parse(text: &str) -> Result<Self, NotAVin> {
        let signs = text.bytes().filter(u8::is_ascii_alphanumeric).map(|sign| sign.to_ascii_uppercase());
        let signs: Vec<u8> = signs.collect();
        let signs: [u8; 17] = signs.try_into().map_err(|signs: Vec<u8>| NotAVin::Length(signs.len()))?;
        if signs.iter().any(|sign| b"IOQ".contains(sign)) {
            return Err(NotAVin::Sign);
        }
        Ok(Self(signs))
    }

    /// Its signs.
    #[must_use]
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }

    pub(crate) const fn signs(&self) -> &[u8; 17] {
        &self.0
    }

    /// Whether the ninth sign is what all others make it.
    #[must_use]
    pub fn check_digit(&self) -> CheckDigit {
        let sum: u32 = self.0.iter().zip(WEIGHTS).map(|(sign, weight)| worth(*sign) * weight).sum();
        let wanted = match sum % 11 {
            10 => b'X',
            digit => b"0123456789"[digit as usize],
        };
        if self.0[8] == wanted { CheckDigit::Ok } else { CheckDigit::Wrong }
    }

    /// Whether the maker is one of those that share the first three signs, and have three more.
    pub(crate) const fn is_of_a_small_maker(&self) -> bool {
        self.0[2] == b'9'
    }

    /// The two model years that the tenth sign may mean.
    pub(crate) fn years_of_tenth_sign(&self) -> Option<(i16, i16)> {
        let place = YEARS.iter().position(|sign| *sign == self.0[9])?;
        let place = i16::try_from(place).ok()?;
        Some((1980 + place, 2010 + place))
    }
}

fn worth(sign: u8) -> u32 {
    let worth = match sign {
        b'0'..=b'9' => sign - b'0',
        b'A'..=b'H' => sign - b'A' + 1,
        b'J'..=b'R' => sign - b'J' + 1,
        b'S'..=b'Z' => sign - b'S' + 2,
        _ => 0,
    };
    u32::from(worth)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_is_no_vin_is_refused() {
        assert_eq!(Vin::parse(""), Err(NotAVin::Length(0)));
        assert_eq!(Vin::parse("1HGCM82633A00435"), Err(NotAVin::Length(16)));
        assert_eq!(Vin::parse("1HGCM82633A0043522"), Err(NotAVin::Length(18)));
        for sign in ["I", "o", "Q"] {
            assert_eq!(Vin::parse(&format!("1HGCM82633A00435{sign}")), Err(NotAVin::Sign));
        }
    }

    #[test]
    fn the_check_digit_is_judged() {
        for right in ["1HGCM82633A004352", "1M8GDM9AXKP042788", "11111111111111111"] {
            assert_eq!(Vin::parse(right).unwrap().check_digit(), CheckDigit::Ok, "{right}");
        }
        assert_eq!(Vin::parse("1HGCM82643A004352").unwrap().check_digit(), CheckDigit::Wrong);
    }

    #[test]
    fn a_vin_is_not_shown_by_what_prints_for_developers() {
        assert_eq!(format!("{:?}", Vin::parse("1HGCM82633A004352")), "Ok(Vin(..))");
    }
}
