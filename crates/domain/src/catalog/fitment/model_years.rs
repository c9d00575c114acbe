//! The model years that a list names.

use thiserror::Error;

/// How many years a list may name behind its first one.
const MOST_APART: i16 = 60;

/// Model years, from the first to the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ModelYears {
    first: i16,
    last: i16,
}

/// Why two years are no span.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum YearsRefused {
    /// The last one comes first.
    #[error("The last year is before the first")]
    Reversed,
    /// They are too many.
    #[error("The years can be at most {} apart", MOST_APART)]
    TooFarApart,
}

/// Not a model year.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must be a year")]
pub struct NoYear;

impl ModelYears {
    /// From the first to the last.
    ///
    /// # Errors
    /// [`YearsRefused`] if they are reversed or too far apart.
    pub fn new(first: i16, last: i16) -> Result<Self, YearsRefused> {
        if last < first {
            return Err(YearsRefused::Reversed);
        }
        if last - first > MOST_APART {
            return Err(YearsRefused::TooFarApart);
        }
        Ok(Self { first, last })
    }

    /// A year as it is written.
    ///
    /// # Errors
    /// [`NoYear`] if it is none.
    pub fn year(number: i64) -> Result<i16, NoYear> {
        i16::try_from(number).ok().filter(|year| (1900..=2100).contains(year)).ok_or(NoYear)
    }

    /// The first one.
    #[must_use]
    pub const fn first(self) -> i16 {
        self.first
    }

    /// The last one, perhaps the same.
    #[must_use]
    pub const fn last(self) -> i16 {
        self.last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn years_come_in_their_order_and_not_too_far_apart() {
        assert_eq!(ModelYears::new(2010, 2010).map(|years| (years.first(), years.last())), Ok((2010, 2010)));
        assert!(ModelYears::new(1950, 2010).is_ok());
        assert_eq!(ModelYears::new(2010, 2009), Err(YearsRefused::Reversed));
        assert_eq!(ModelYears::new(1949, 2010), Err(YearsRefused::TooFarApart));
        assert_eq!(YearsRefused::TooFarApart.to_string(), "The years can be at most 60 apart");
        for (number, year) in [(1899, None), (1900, Some(1900)), (2100, Some(2100)), (2101, None), (70_000, None)] {
            assert_eq!(ModelYears::year(number).ok(), year);
        }
    }
}
