//! Customers' reviews and their star ratings.

use thiserror::Error;

use crate::{Product, ProductId, ReviewId, Text, Timestamp, fold};

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

/// The stars of several reviews together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RatingTotal {
    /// How many reviews there are.
    pub reviews: u64,
    /// All of their stars.
    pub stars: u64,
}

impl RatingTotal {
    /// The average, rounded to hundredths of a star; `None` without a review.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "nobody writes 2^50 reviews")]
    pub fn average(self) -> Option<f64> {
        (self.reviews > 0).then(|| (self.stars as f64 / self.reviews as f64 * 100.0).round() / 100.0)
    }
}

/// The part that a review is about, as it was called then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewedPart {
    /// The product's id.
    pub id: ProductId,
    /// Its name.
    pub name: Text<200>,
    /// The maker's number, if it had one.
    pub part_number: Option<Text<60>>,
}

impl From<Product> for ReviewedPart {
    fn from(Product { id, details, .. }: Product) -> Self {
        Self { id, name: details.name, part_number: details.part_number }
    }
}

/// A review, which is public.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Review {
    /// The review's id.
    pub id: ReviewId,
    /// The name that the author signed it with.
    pub name: Text<80>,
    /// The author's account by its name, if the review is signed with another one ([`is_signed_by`]).
    pub author: Option<Text<120>>,
    /// The part that it is about; `None` for one of the shop.
    pub part: Option<ReviewedPart>,
    /// Whether the author had paid for an order, of that part if there is one.
    pub is_verified: bool,
    /// The review's text.
    pub details: Text<2000>,
    /// The star rating.
    pub rating: Rating,
    /// When it was written.
    pub created_at: Timestamp,
}

/// Whether somebody of this name signs like that: with the name or a part of it, some words of it as initials.
#[must_use]
pub fn is_signed_by(signature: &str, name: &str) -> bool {
    let name = fold(name);
    let mut names = name.split_whitespace();
    fold(signature).split_whitespace().all(|word| {
        let initial = word.strip_suffix('.').unwrap_or(word);
        let is_initial = initial.chars().count() == 1;
        names.any(|name| name == word || is_initial && name.starts_with(initial))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_sign_with_their_name_a_part_of_it_or_initials() {
        for signature in ["Ada Mary King", "ada king", "Ada", "King", "A. King", "Ada K.", "A K", "Ada M. King"] {
            assert!(is_signed_by(signature, "Ada Mary King"), "{signature}");
        }
        for signature in
            ["King Ada", "Ad King", "Ada Kin", "Ada B.", "Ada Ada", "Driveline", "Ada King (official)", ".K"]
        {
            assert!(!is_signed_by(signature, "Ada Mary King"), "{signature}");
        }
    }

    #[test]
    fn an_average_is_rounded_to_hundredths_and_needs_a_review() {
        assert_eq!(RatingTotal::default().average(), None);
        assert_eq!(RatingTotal { reviews: 3, stars: 13 }.average(), Some(4.33));
        assert_eq!(RatingTotal { reviews: 2, stars: 0 }.average(), Some(0.0));
    }

    #[test]
    fn ratings_range_from_zero_to_five_stars() {
        assert_eq!(Rating::new(0).map(Rating::get), Ok(0));
        assert_eq!(Rating::new(5).map(Rating::get), Ok(5));
        assert_eq!(Rating::new(6), Err(InvalidRating));
        assert_eq!(Rating::new(-1), Err(InvalidRating));
        assert_eq!(Rating::new(256 + 3), Err(InvalidRating));
    }
}
