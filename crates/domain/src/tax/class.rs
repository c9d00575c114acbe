//! How a product is taxed.

use crate::platform::name::read_by_name;

/// How a product is taxed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum TaxClass {
    /// With the rate of the place where it goes.
    #[default]
    Standard,
    /// Not at all.
    None,
}

impl TaxClass {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Standard, Self::None];

    /// Its stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::None => "none",
        }
    }
}

read_by_name!(TaxClass);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        assert!(TaxClass::ALL.into_iter().all(|class| class.as_str().parse() == Ok(class)));
    }
}
