//! Reviews as the client sees them.

use domain::Review;
use serde::Serialize;
use utoipa::ToSchema;

/// A review.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Review)]
pub(crate) struct ReviewView {
    /// `UUIDv7`.
    #[serde(rename = "_id")]
    id: String,
    name: String,
    details: String,
    /// Stars, 0 to 5.
    rating: u8,
    /// RFC 3339, UTC.
    created_at: String,
}

impl From<Review> for ReviewView {
    fn from(review: Review) -> Self {
        Self {
            id: review.id.to_string(),
            name: review.name.into_string(),
            details: review.details.into_string(),
            rating: review.rating.get(),
            created_at: review.created_at.to_string(),
        }
    }
}

pub(super) fn views(reviews: Vec<Review>) -> Vec<ReviewView> {
    reviews.into_iter().map(Into::into).collect()
}
