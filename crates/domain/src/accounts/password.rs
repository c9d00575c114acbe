//! Passwords as a person chooses them.

use std::fmt;

use sha2::{Digest, Sha256};
use thiserror::Error;
use unicode_normalization::UnicodeNormalization;

use crate::Email;

/// A password that may be chosen: 6 to 128 characters, neither one of those that everybody tries first nor the shop's name.
///
/// It has no `Display` and its `Debug` says nothing, so that it cannot end up in a log by accident.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(String);

/// Why a password cannot be chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum WeakPassword {
    /// Nothing was typed.
    #[error("Password is required")]
    Empty,
    /// Below the minimum (spec, section 5).
    #[error("Must be at least 6 characters")]
    TooShort,
    /// Above the maximum, which keeps hashing cheap.
    #[error("Must be at most 128 characters")]
    TooLong,
    /// One that everybody tries first.
    #[error("This password is too common, please choose another")]
    Common,
    /// The shop's name.
    #[error("Must not be the name of this shop, please choose another")]
    Shop,
    /// Its owner's name or address.
    #[error("Must not be your name or your email address, please choose another")]
    Personal,
}

impl Password {
    /// The least number of characters.
    pub const MIN: usize = 6;
    /// The largest number of characters.
    pub const MAX: usize = 128;

    /// A password that somebody wants to have.
    ///
    /// # Errors
    /// [`WeakPassword`] for the first rule it breaks.
    pub fn choose(typed: &str) -> Result<Self, WeakPassword> {
        let typed = normalized(typed);
        let length = typed.chars().count();
        if length == 0 {
            Err(WeakPassword::Empty)
        } else if length < Self::MIN {
            Err(WeakPassword::TooShort)
        } else if length > Self::MAX {
            Err(WeakPassword::TooLong)
        } else if is_common(&typed) {
            Err(WeakPassword::Common)
        } else if is_word(&typed, SHOP) {
            Err(WeakPassword::Shop)
        } else {
            Ok(Self(typed))
        }
    }

    /// The password, if it is neither its owner's name nor their address.
    ///
    /// # Errors
    /// [`WeakPassword::Personal`].
    pub fn of(self, name: &str, email: &Email) -> Result<Self, WeakPassword> {
        let address = email.as_str();
        let local = address.split('@').next().unwrap_or(address);
        let words = name.split_whitespace().chain([name, address, local]);
        let is_personal = words.into_iter().any(|word| is_word(&self.0, word));
        if is_personal { Err(WeakPassword::Personal) } else { Ok(self) }
    }

    /// The password itself, for hashing.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(…)")
    }
}

/// The shop's name, as nobody's password may be.
const SHOP: &str = "driveline";

/// The first four bytes of the SHA-256 of each of the most common passwords in lower case, in order. Made by
/// `make common-passwords`, which says where they come from.
const COMMON: &[u8] = include_bytes!("common_passwords.bin");

/// A password as it is hashed: characters that look alike are written in one way (NFC), whichever keyboard they came from.
#[must_use]
pub fn normalized(typed: &str) -> String {
    typed.nfc().collect()
}

fn is_common(typed: &str) -> bool {
    let lower = typed.to_lowercase();
    let digest: [u8; 32] = Sha256::digest(lower.as_bytes()).into();
    let (prefixes, _) = COMMON.as_chunks::<4>();
    prefixes.binary_search_by(|prefix| prefix.as_slice().cmp(&digest[..4])).is_ok() || is_pattern(&lower)
}

/// The longest password that two or three characters over and over make a pattern: nobody tries longer ones first.
const PATTERN_MAX: usize = 16;

/// One to three characters over and over, or a run of neighbours: no list holds them all.
fn is_pattern(typed: &str) -> bool {
    let characters: Vec<char> = typed.chars().collect();
    let repeats = |unit: usize| characters.iter().zip(&characters[unit..]).all(|(one, other)| one == other);
    let follows = |one: char, next: char| u32::from(one) + 1 == u32::from(next) || (one, next) == ('9', '0');
    let pairs = || characters.iter().zip(&characters[1..]);
    let is_short = characters.len() <= PATTERN_MAX;
    repeats(1)
        || is_short && (2..=3).any(repeats)
        || pairs().all(|(one, next)| follows(*one, *next))
        || pairs().all(|(one, next)| follows(*next, *one))
}

/// Whether a password is a word, be it in another case, with signs in between or digits around it. Around a short word,
/// which could be no password, digits may make one.
fn is_word(typed: &str, word: &str) -> bool {
    let emails = |text: &str| text.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect::<String>();
    let (typed, word) = (emails(typed), emails(word));
    let digits = |c: char| c.is_ascii_digit();
    !word.is_empty()
        && (typed == word
            || (word.chars().count() >= Password::MIN && typed.trim_matches(digits) == word.trim_matches(digits)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_characters_are_too_few_and_six_are_enough() {
        assert_eq!(Password::choose("abcde"), Err(WeakPassword::TooShort));
        assert!(Password::choose("hx7!qp").is_ok());
        assert_eq!(Password::choose(""), Err(WeakPassword::Empty));
    }

    #[test]
    fn the_bounds_count_characters() {
        assert!(Password::choose(&"äb".repeat(64)).is_ok());
        assert_eq!(Password::choose(&"ab".repeat(65)), Err(WeakPassword::TooLong));
    }

    #[test]
    fn what_everybody_tries_first_is_refused_in_any_case() {
        for typed in ["password", "PassWord", "123456", "aaaaaaa", "qwerty123"] {
            assert_eq!(Password::choose(typed), Err(WeakPassword::Common), "{typed}");
        }
    }

    #[test]
    fn what_leaks_name_most_often_is_refused() {
        for typed in [
            "hunter2",
            "1234qwer",
            "123qwe",
            "abc1234",
            "zaq12wsx",
            "Trustno1",
            "letmein1",
            "p@ssw0rd",
            "P@ssword",
            "iloveyou1",
            "qwertz",
            "654321",
            "987654321",
            "121212",
            "abcabc",
            "abcdefgh",
            "fedcba",
            "0123456789",
            "7890123",
            "wertzu",
        ] {
            assert_eq!(Password::choose(typed), Err(WeakPassword::Common), "{typed}");
        }
        for typed in
            ["demo-password", "a long walk home", "torque wrench", "brake-disc-9", "zq8#xw", "hx7!qp", "🚗🚙🛻🚚🚛🚜"]
        {
            assert!(Password::choose(typed).is_ok(), "{typed}");
        }
    }

    #[test]
    fn the_filter_holds_more_than_thirty_thousand_in_order_and_hardly_anything_else() {
        let (prefixes, rest) = COMMON.as_chunks::<4>();
        assert!(prefixes.len() > 30_000 && rest.is_empty() && COMMON.len() < 200_000);
        assert!(prefixes.is_sorted_by(|one, other| one < other));
        let refused = (0..20_000).filter(|n| is_common(&format!("brake {n} disc"))).count();
        assert!(refused <= 3, "{refused} of 20,000");
    }

    #[test]
    fn the_shops_name_is_refused_however_it_is_dressed() {
        for typed in ["driveline", "DriveLine", "drive-line!", "driveline1", "2026Driveline!"] {
            assert_eq!(Password::choose(typed), Err(WeakPassword::Shop), "{typed}");
        }
        assert!(Password::choose("driveline torque").is_ok());
    }

    #[test]
    fn ones_own_name_and_address_are_refused() {
        let email: Email = "nia.ortega@example.com".parse().unwrap();
        for typed in ["Nia Ortega", "niaortega", "nia.ortega", "Nia-Ortega1", "ortega4711", "nia.ortega@example.com"] {
            let own = Password::choose(typed).unwrap().of("Nia Ortega", &email);
            assert_eq!(own, Err(WeakPassword::Personal), "{typed}");
        }
        for typed in ["Nia1234!x", "nia4711", "ortega walks home", "another@example.com"] {
            assert!(Password::choose(typed).unwrap().of("Nia Ortega", &email).is_ok(), "{typed}");
        }
    }

    #[test]
    fn characters_that_look_alike_are_the_same_password() {
        assert_eq!(Password::choose("cafe\u{301} noir"), Password::choose("caf\u{e9} noir"));
    }

    #[test]
    fn a_password_never_prints_itself() {
        assert_eq!(format!("{:?}", Password::choose("hx7!qp").unwrap()), "Password(…)");
    }
}
