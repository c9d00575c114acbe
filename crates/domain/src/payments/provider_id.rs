//! Ids that the payment provider gives: one type per kind.

use thiserror::Error;

/// Not a payment provider's id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("is not a transaction id")]
pub struct InvalidProviderId;

/// Whether a text has the form of a provider's id.
pub(crate) fn is_provider_id(text: &str) -> bool {
    let clean = text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    clean && (1..=255).contains(&text.len())
}

macro_rules! provider_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(String);

        impl $name {
            /// The id as text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::payments::provider_id::InvalidProviderId;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                use $crate::payments::provider_id::{InvalidProviderId, is_provider_id};
                if is_provider_id(text) { Ok(Self(text.to_owned())) } else { Err(InvalidProviderId) }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

pub(crate) use provider_id;
