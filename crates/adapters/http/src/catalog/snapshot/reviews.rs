//! The latest reviews, as they are sent.

use std::sync::Arc;

use domain::Review;
use serde_json::Error;
use sha2::{Digest, Sha256};

use super::sent::{array, tag_of};
use crate::cache::PublicJson;
use crate::catalog::reviews::view::ReviewView;
use crate::problem::Problem;

/// A review.
pub(super) struct ReviewEntry {
    json: Box<[u8]>,
    digest: [u8; 16],
}

/// Reviews that were read from the database, in the same form and under the same tag as from a snapshot.
///
/// # Errors
/// [`Problem`] if one cannot be written as JSON, which is a defect.
pub(crate) fn reviews_of(reviews: Vec<Review>) -> Result<PublicJson, Problem> {
    let entries = review_entries(reviews).map_err(|error| Problem::defect(&error))?;
    Ok(public_reviews(&entries, None))
}

pub(super) fn public_reviews(reviews: &[ReviewEntry], snapshot: Option<u64>) -> PublicJson {
    let tag = tag_of(reviews.len() as u64, reviews.iter().map(|review| &review.digest));
    PublicJson { json: array(reviews.iter().map(|review| [&*review.json, b""])), tag, snapshot }
}

pub(super) fn review_entries(reviews: Vec<Review>) -> Result<Arc<Vec<ReviewEntry>>, Error> {
    let entry = |review| {
        let json = serde_json::to_vec(&ReviewView::from(review))?.into_boxed_slice();
        let mut digest = [0; 16];
        digest.copy_from_slice(&Sha256::digest(&json)[..16]);
        Ok(ReviewEntry { json, digest })
    };
    reviews.into_iter().map(entry).collect::<Result<Vec<_>, Error>>().map(Arc::new)
}
