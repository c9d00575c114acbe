//! Writing and removing reviews.

use std::time::Duration;

use domain::{Caller, Permission, Rating, Review, ReviewId, ReviewedRecently, Text};
use ports::{IdempotencyKey, NewReview, WriteError};
use thiserror::Error;

use crate::{Catalog, Failure};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewDraft {
    /// The name under which it is published.
    pub name: Text<80>,
    pub details: Text<2000>,
    pub rating: Rating,
}

/// The account has no paid order and has written a review recently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("an account that never paid has written a review already")]
pub struct ReviewTooSoon {
    /// How long until it may write another.
    pub wait: Duration,
}

impl Catalog {
    /// Adds a review.
    ///
    /// # Errors
    /// [`ReviewTooSoon`].
    pub async fn write_review(
        &self,
        caller: &Caller,
        draft: ReviewDraft,
        idempotency_key: Option<IdempotencyKey>,
    ) -> Result<ReviewId, Failure<ReviewTooSoon>> {
        caller.require(Permission::WriteReview)?;
        let now = self.clock.now();
        let review = Review {
            id: ReviewId::new(self.ids.fresh()),
            name: draft.name,
            details: draft.details,
            rating: draft.rating,
            created_at: now,
        };
        let pause = self.review_pause;
        let one_since = pause.and_then(|pause| now.checked_sub(pause).ok());
        let new = NewReview { review, by: caller.account, idempotency_key, one_since };
        match self.reviews.add(&new).await {
            Ok(id) => Ok(id),
            Err(WriteError::Refused(ReviewedRecently { last })) => {
                let waited = Duration::try_from(now.duration_since(last)).unwrap_or_default();
                Err(Failure::Refused(ReviewTooSoon { wait: pause.unwrap_or_default().saturating_sub(waited) }))
            }
            Err(WriteError::Store(error)) => Err(error.into()),
        }
    }

    /// Removes a review; `false` if it was not there.
    ///
    /// # Errors
    /// [`Failure::Denied`] to anyone but an admin.
    pub async fn remove_review(&self, caller: &Caller, id: ReviewId) -> Result<bool, Failure> {
        caller.require(Permission::ModerateReviews)?;
        let removed = self.reviews.remove(id, caller.account, self.clock.now()).await?;
        if removed {
            tracing::info!(review = %id, by = %caller.account, "a review was removed");
        }
        Ok(removed)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::Role;
    use domain::accounts::access::Denied;
    use ports::MockReviewRepository;

    use super::*;
    use crate::testing::{caller, catalog};

    const DAY: Duration = Duration::from_hours(24);

    fn draft() -> ReviewDraft {
        ReviewDraft {
            name: Text::new("Ada").unwrap(),
            details: Text::new("Sturdy.").unwrap(),
            rating: Rating::new(5).unwrap(),
        }
    }

    #[tokio::test]
    async fn a_second_review_is_refused_with_the_time_to_wait() {
        let now = catalog().clock.now();
        let hour = Duration::from_hours(1);
        let mut reviews = MockReviewRepository::new();
        reviews
            .expect_add()
            .withf(move |new| new.one_since == now.checked_sub(DAY).ok())
            .returning(move |_| Err(WriteError::Refused(ReviewedRecently { last: now.checked_sub(hour).unwrap() })));
        let catalog = Catalog { reviews: Arc::new(reviews), review_pause: Some(DAY), ..catalog() };
        let refused = catalog.write_review(&caller(Role::Customer), draft(), None).await;
        let Err(Failure::Refused(ReviewTooSoon { wait })) = refused else { panic!("{refused:?}") };
        assert_eq!(wait, Duration::from_hours(23));
    }

    #[tokio::test]
    async fn without_a_review_pause_no_one_has_to_wait() {
        let mut reviews = MockReviewRepository::new();
        reviews.expect_add().withf(|new| new.one_since.is_none()).returning(|new| Ok(new.review.id));
        let catalog = Catalog { reviews: Arc::new(reviews), review_pause: None, ..catalog() };
        catalog.write_review(&caller(Role::Customer), draft(), None).await.unwrap();
    }

    #[tokio::test]
    async fn only_an_admin_removes_a_review() {
        let mut reviews = MockReviewRepository::new();
        reviews.expect_remove().times(1).returning(|_, _, _| Ok(true));
        let catalog = Catalog { reviews: Arc::new(reviews), ..catalog() };
        let id = ReviewId::new(catalog.ids.fresh());
        let refused = catalog.remove_review(&caller(Role::Customer), id).await;
        assert!(matches!(refused, Err(Failure::Denied(Denied::Forbidden))));
        assert!(catalog.remove_review(&caller(Role::Admin), id).await.unwrap());
    }
}
