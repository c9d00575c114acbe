//! Customers' reviews and their star ratings.

use thiserror::Error;

use crate::{ReviewId, Text, Timestamp};

/// A star rating: a whole number from 0 to 5.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rating(u8);

/// Not a valid star rating.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must be a whole number from 0 to {}", Rating::MAX)]
pub struct InvalidRating;

impl Rating {
    /// The best rating, in stars.
    pub const MAX: u8 = 5;

    /// A rating from a number of stars.
    ///
    /// # Errors
    /// [`InvalidRating`] outside 0 to 5.
    pub fn new(stars: i64) -> Result<Self, InvalidRating> {
        u8::try_from(stars).ok().filter(|stars| *stars <= Self::MAX).map(Self).ok_or(InvalidRating)
    }

    /// The number of stars.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }
}

/// The account has no paid order and has written a review recently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("an account that never paid has written a review already")]
pub struct ReviewedRecently {
    /// When it wrote its latest review.
    pub last: Timestamp,
}

/// A review, which is public.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Review {
    /// The review's id.
    pub id: ReviewId,
    /// The name under which the author published it.
    pub name: Text<80>,
    /// The review's text.
    pub details: Text<2000>,
    /// The star rating.
    pub rating: Rating,
    /// When it was written.
    pub created_at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_range_from_zero_to_five_stars() {
        assert_eq!(Rating::new(0).map(Rating::get), Ok(0));
        assert_eq!(Rating::new(5).map(Rating::get), Ok(5));
        assert_eq!(Rating::new(6), Err(InvalidRating));
        assert_eq!(Rating::new(-1), Err(InvalidRating));
        assert_eq!(Rating::new(256 + 3), Err(InvalidRating));
    }
}
