//! E-mail addresses, normalized for comparison.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::Text;

/// An e-mail address in lower case, at most 254 characters (RFC 5321, section 4.5.3.1.3).
///
/// Accepts everything that the specified pattern accepts, and real addresses that it would refuse: dots, plus signs and
/// dashes before the @, several labels after it. Quoted local parts and address literals are refused: no customer of a
/// shop has one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Email(String);

/// Not a valid e-mail address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("Please enter a valid email")]
pub struct InvalidEmail;

const LOCAL_MAX: usize = 64;
const LABEL_MAX: usize = 63;

impl Email {
    /// The longest address, in characters.
    pub const MAX: usize = 254;

    /// The address in lower case.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The display name for an account without one: the part before the @, which is at most 64 characters.
    #[must_use]
    pub fn as_name(&self) -> Text<120> {
        Text::known_good(self.0.split('@').next().unwrap_or(&self.0))
    }
}

impl FromStr for Email {
    type Err = InvalidEmail;

    fn from_str(typed: &str) -> Result<Self, InvalidEmail> {
        let address = typed.trim().to_ascii_lowercase();
        let (local, host) = address.split_once('@').ok_or(InvalidEmail)?;
        let sound = address.len() <= Self::MAX && local_part_is_sound(local) && host_is_sound(host);
        if sound { Ok(Self(address)) } else { Err(InvalidEmail) }
    }
}

fn local_part_is_sound(local: &str) -> bool {
    // The "dot-atom" of RFC 5322.
    let atom = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-/=?^_`{|}~".contains(c);
    local.len() <= LOCAL_MAX && local.split('.').all(|part| !part.is_empty() && part.chars().all(atom))
}

fn host_is_sound(host: &str) -> bool {
    let label_is_sound = |label: &str| {
        (1..=LABEL_MAX).contains(&label.len())
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
    };
    let top_is_sound = |top: &str| top.len() >= 2 && top.chars().any(|c| c.is_ascii_alphabetic());
    host.rsplit_once('.').is_some_and(|(_, top)| top_is_sound(top)) && host.split('.').all(label_is_sound)
}

impl fmt::Display for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn addresses_are_compared_and_shown_in_lower_case() {
        let email: Email = "John.Doe@My-Shop.co.UK".parse().unwrap();
        assert_eq!(email.as_str(), "john.doe@my-shop.co.uk");
        assert_eq!(email.to_string(), "john.doe@my-shop.co.uk");
    }

    #[test]
    fn real_addresses_beyond_the_specified_pattern_are_accepted() {
        for address in ["john.doe@my-shop.co.uk", "a+b@c.io", "x_y@sub.domain.example", "o'neil@example.museum"] {
            assert!(address.parse::<Email>().is_ok(), "{address}");
        }
    }

    #[test]
    fn invalid_addresses_are_refused() {
        for address in [
            "",
            "a",
            "a@",
            "@b.co",
            "a@b",
            "a@@b.co",
            "a b@c.de",
            "a@b..co",
            ".a@b.co",
            "a@-b.co",
            "a@b.c",
            "a@b.co\0",
            "ä@b.co",
            "a@1.2.3.4",
            "a@b.co, c@d.eu",
        ] {
            assert_eq!(address.parse::<Email>(), Err(InvalidEmail), "{address:?}");
        }
        let long = format!("{}@b.co", "a".repeat(65));
        assert_eq!(long.parse::<Email>(), Err(InvalidEmail));
    }

    #[test]
    fn the_display_name_defaults_to_the_part_before_the_at_sign() {
        let email: Email = "john.doe@example.com".parse().unwrap();
        assert_eq!(email.as_name(), Text::new("john.doe").unwrap());
    }

    proptest! {
        #[test]
        fn the_specified_pattern_is_accepted(address in "[a-z0-9]{1,20}@[a-z]{1,20}\\.[a-z]{2,3}") {
            let parsed = address.parse::<Email>();
            prop_assert_eq!(parsed.as_ref().map(Email::as_str), Ok(address.as_str()));
        }

        #[test]
        fn an_accepted_address_round_trips_through_its_text(typed in "\\PC{0,40}") {
            if let Ok(email) = typed.parse::<Email>() {
                prop_assert_eq!(email.as_str().parse::<Email>(), Ok(email.clone()));
            }
        }
    }
}
