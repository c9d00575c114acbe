//! Passwords as a person chooses them.

use std::fmt;

use thiserror::Error;

/// A password that may be chosen: 6 to 128 characters, and not one of those that everybody tries first.
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
        let length = typed.chars().count();
        if length == 0 {
            Err(WeakPassword::Empty)
        } else if length < Self::MIN {
            Err(WeakPassword::TooShort)
        } else if length > Self::MAX {
            Err(WeakPassword::TooLong)
        } else if is_common(typed) {
            Err(WeakPassword::Common)
        } else {
            Ok(Self(typed.to_owned()))
        }
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

fn is_common(typed: &str) -> bool {
    let lower = typed.to_lowercase();
    let mut characters = lower.chars();
    let first = characters.next();
    characters.all(|c| Some(c) == first) || COMMON.contains(&lower.as_str())
}

/// What shows up at the top of every published count of leaked passwords, from six characters on.
const COMMON: [&str; 96] = [
    "123456",
    "1234567",
    "12345678",
    "123456789",
    "1234567890",
    "0123456789",
    "987654321",
    "87654321",
    "7654321",
    "654321",
    "123123",
    "123321",
    "112233",
    "121212",
    "123654",
    "147258",
    "159753",
    "102030",
    "abc123",
    "abcdef",
    "abcd1234",
    "a1b2c3",
    "a123456",
    "123456a",
    "123abc",
    "1q2w3e",
    "1q2w3e4r",
    "1q2w3e4r5t",
    "1qaz2wsx",
    "qazwsx",
    "qwerty",
    "qwerty1",
    "qwerty12",
    "qwerty123",
    "qwertyuiop",
    "qwertz",
    "azerty",
    "asdfgh",
    "asdfghjkl",
    "zxcvbn",
    "zxcvbnm",
    "password",
    "password1",
    "password12",
    "password123",
    "passw0rd",
    "p@ssw0rd",
    "p@ssword",
    "passwort",
    "iloveyou",
    "princess",
    "monkey",
    "dragon",
    "sunshine",
    "football",
    "baseball",
    "superman",
    "batman",
    "master",
    "shadow",
    "michael",
    "jordan",
    "jordan23",
    "michelle",
    "jessica",
    "ashley",
    "daniel",
    "charlie",
    "thomas",
    "andrew",
    "letmein",
    "welcome",
    "welcome1",
    "login123",
    "admin123",
    "administrator",
    "root123",
    "test123",
    "testtest",
    "secret",
    "changeme",
    "default",
    "guest123",
    "trustno1",
    "whatever",
    "freedom",
    "starwars",
    "pokemon",
    "computer",
    "internet",
    "samsung",
    "google",
    "mustang",
    "ferrari",
    "mercedes",
    "corvette",
];

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
    fn a_password_never_prints_itself() {
        assert_eq!(format!("{:?}", Password::choose("hx7!qp").unwrap()), "Password(…)");
    }
}
