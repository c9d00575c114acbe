//! Reviews as the client sees them.

use domain::{Review, Text};
use ports::HiddenReview;
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
    /// As the author signed it.
    name: String,
    details: String,
    /// Stars, 0 to 5.
    rating: u8,
    /// RFC 3339, UTC.
    created_at: String,
    /// Whether the author had paid for an order, of this part if one is named.
    verified: bool,
    /// The name of the author's account, if `name` is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    author: Option<String>,
    /// The part that it is about, which may be archived by now.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    product_id: Option<String>,
    /// What the part was called then.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    product_name: Option<String>,
    /// The maker's number of the part, if it had one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    part_number: Option<String>,
}

impl From<Review> for ReviewView {
    fn from(review: Review) -> Self {
        let (id, name, number) = match review.part {
            Some(part) => (Some(part.id.to_string()), Some(part.name.into_string()), part.part_number),
            None => (None, None, None),
        };
        Self {
            id: review.id.to_string(),
            name: review.name.into_string(),
            details: review.details.into_string(),
            rating: review.rating.get(),
            created_at: review.created_at.to_string(),
            verified: review.is_verified,
            author: review.author.map(Text::into_string),
            product_id: id,
            product_name: name,
            part_number: number.map(Text::into_string),
        }
    }
}

pub(super) fn views(reviews: Vec<Review>) -> Vec<ReviewView> {
    reviews.into_iter().map(Into::into).collect()
}

/// The reviews of a part.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PartReviews)]
pub(crate) struct PartReviewsView {
    /// The average number of stars over all reviews of the part, rounded to hundredths; null without any.
    #[schema(required)]
    pub(super) average: Option<f64>,
    /// How many reviews of the part there are.
    pub(super) count: u64,
    /// The latest of them, oldest first.
    pub(super) reviews: Vec<ReviewView>,
}

/// A review that was removed.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = HiddenReview)]
pub(crate) struct HiddenReviewView {
    #[serde(flatten)]
    review: ReviewView,
    /// RFC 3339, UTC.
    hidden_at: String,
    /// The e-mail of the admin who removed it.
    hidden_by: String,
}

impl From<HiddenReview> for HiddenReviewView {
    fn from(HiddenReview { review, at, by }: HiddenReview) -> Self {
        Self { review: review.into(), hidden_at: at.to_string(), hidden_by: by.to_string() }
    }
}
