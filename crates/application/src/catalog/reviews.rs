//! Writing reviews, removing them and putting them back.

use std::time::Duration;

use domain::catalog::review::is_signed_by;
use domain::{Caller, Permission, ProductId, Rating, Review, ReviewId, ReviewedPart, ReviewedRecently, Text};
use ports::{HiddenReview, IdempotencyKey, NewReview, WriteError};
use thiserror::Error;

use crate::{Catalog, Failure};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewDraft {
    /// The name that it is signed with.
    pub name: Text<80>,
    pub details: Text<2000>,
    pub rating: Rating,
    /// The product that it is about.
    pub part: Option<ProductId>,
}

/// Why a review was not written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum WriteReviewRefused {
    /// The product that it is about is not for sale.
    #[error("no such product")]
    UnknownProduct,
    /// The account has no paid order and has written a review recently.
    #[error("an account that never paid has written a review already")]
    TooSoon {
        /// How long until it may write another.
        wait: Duration,
    },
}

impl Catalog {
    /// Adds a review. If it is signed with another name than the account's, the account's is published beside it; and whether
    /// the author has paid for an order is looked up, not believed.
    ///
    /// # Errors
    /// [`WriteReviewRefused`].
    pub async fn write_review(
        &self,
        caller: &Caller,
        draft: ReviewDraft,
        idempotency_key: Option<IdempotencyKey>,
    ) -> Result<ReviewId, Failure<WriteReviewRefused>> {
        caller.require(Permission::WriteReview)?;
        let part = match draft.part {
            Some(id) => match self.products.find(id).await? {
                Some(product) => Some(ReviewedPart::from(product)),
                None => return Err(Failure::Refused(WriteReviewRefused::UnknownProduct)),
            },
            None => None,
        };
        let account = self.accounts.find(caller.account).await?;
        let author = account.map(|account| account.display_name);
        let now = self.clock.now();
        let review = Review {
            id: ReviewId::new(self.ids.fresh()),
            author: author.filter(|author| !is_signed_by(draft.name.as_str(), author.as_str())),
            is_verified: self.reviews.has_bought(caller.account, draft.part).await?,
            part,
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
                Err(Failure::Refused(WriteReviewRefused::TooSoon {
                    wait: pause.unwrap_or_default().saturating_sub(waited),
                }))
            }
            Err(WriteError::Store(error)) => Err(error.into()),
        }
    }

    /// Removes a review from the lists; `false` if it was not there.
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

    /// Puts a removed review back into the lists; `false` if it was not removed.
    ///
    /// # Errors
    /// [`Failure::Denied`] to anyone but an admin.
    pub async fn restore_review(&self, caller: &Caller, id: ReviewId) -> Result<bool, Failure> {
        caller.require(Permission::ModerateReviews)?;
        let restored = self.reviews.restore(id).await?;
        if restored {
            tracing::info!(review = %id, by = %caller.account, "a review was put back");
        }
        Ok(restored)
    }

    /// The reviews that were removed, at most `limit` of them, the one that was removed last first.
    ///
    /// # Errors
    /// [`Failure::Denied`] to anyone but an admin.
    pub async fn hidden_reviews(&self, caller: &Caller, limit: u32) -> Result<Vec<HiddenReview>, Failure> {
        caller.require(Permission::ModerateReviews)?;
        Ok(self.reviews.hidden(limit).await?)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::Role;
    use domain::accounts::access::Denied;
    use ports::{MockAccountRepository, MockProductRepository, MockReviewRepository};

    use super::*;
    use crate::testing::{caller, catalog, credentials, product};

    const DAY: Duration = Duration::from_hours(24);

    fn draft() -> ReviewDraft {
        ReviewDraft {
            name: Text::new("Ada").unwrap(),
            details: Text::new("Sturdy.").unwrap(),
            rating: Rating::new(5).unwrap(),
            part: None,
        }
    }

    /// A catalogue with these reviews, whose callers are called Nia.
    fn with(reviews: MockReviewRepository) -> Catalog {
        let mut accounts = MockAccountRepository::new();
        accounts.expect_find().returning(|_| Ok(Some(credentials("customer@example.com").account)));
        Catalog { accounts: Arc::new(accounts), reviews: Arc::new(reviews), ..catalog() }
    }

    /// Reviews of an account that has bought something, or not.
    fn reviews(has_bought: bool) -> MockReviewRepository {
        let mut reviews = MockReviewRepository::new();
        reviews.expect_has_bought().returning(move |_, _| Ok(has_bought));
        reviews
    }

    #[tokio::test]
    async fn a_review_is_verified_by_the_orders_and_names_the_account_if_it_is_signed_otherwise() {
        for (signature, author, has_bought) in
            [("Nia", None, true), ("N.", None, false), ("Driveline", Some("Nia"), true)]
        {
            let mut reviews = reviews(has_bought);
            reviews
                .expect_add()
                .withf(move |NewReview { review, .. }| {
                    review.is_verified == has_bought
                        && review.author.as_ref().map(Text::as_str) == author
                        && review.name.as_str() == signature
                })
                .times(1)
                .returning(|new| Ok(new.review.id));
            let draft = ReviewDraft { name: Text::new(signature).unwrap(), ..draft() };
            with(reviews).write_review(&caller(Role::Customer), draft, None).await.unwrap();
        }
    }

    #[tokio::test]
    async fn a_review_of_a_part_holds_what_the_part_is_called_and_one_of_an_unknown_part_is_refused() {
        let part = product();
        let draft = ReviewDraft { part: Some(part.id), ..draft() };
        let mut reviews = MockReviewRepository::new();
        let id = part.id;
        reviews.expect_has_bought().withf(move |_, part| *part == Some(id)).returning(|_, _| Ok(false));
        let expected = ReviewedPart::from(part.clone());
        reviews
            .expect_add()
            .withf(move |new| new.review.part.as_ref() == Some(&expected))
            .times(1)
            .returning(|new| Ok(new.review.id));
        let mut products = MockProductRepository::new();
        products.expect_find().returning(move |_| Ok(Some(part.clone())));
        let catalog = Catalog { products: Arc::new(products), ..with(reviews) };
        catalog.write_review(&caller(Role::Customer), draft.clone(), None).await.unwrap();

        let mut none = MockProductRepository::new();
        none.expect_find().returning(|_| Ok(None));
        let catalog = Catalog { products: Arc::new(none), ..crate::testing::catalog() };
        let refused = catalog.write_review(&caller(Role::Customer), draft, None).await;
        assert!(matches!(refused, Err(Failure::Refused(WriteReviewRefused::UnknownProduct))), "{refused:?}");
    }

    #[tokio::test]
    async fn a_second_review_is_refused_with_the_time_to_wait() {
        let now = catalog().clock.now();
        let hour = Duration::from_hours(1);
        let mut reviews = reviews(false);
        reviews
            .expect_add()
            .withf(move |new| new.one_since == now.checked_sub(DAY).ok())
            .returning(move |_| Err(WriteError::Refused(ReviewedRecently { last: now.checked_sub(hour).unwrap() })));
        let catalog = Catalog { review_pause: Some(DAY), ..with(reviews) };
        let refused = catalog.write_review(&caller(Role::Customer), draft(), None).await;
        let Err(Failure::Refused(WriteReviewRefused::TooSoon { wait })) = refused else { panic!("{refused:?}") };
        assert_eq!(wait, Duration::from_hours(23));
    }

    #[tokio::test]
    async fn without_a_review_pause_no_one_has_to_wait() {
        let mut reviews = reviews(false);
        reviews.expect_add().withf(|new| new.one_since.is_none()).returning(|new| Ok(new.review.id));
        let catalog = Catalog { review_pause: None, ..with(reviews) };
        catalog.write_review(&caller(Role::Customer), draft(), None).await.unwrap();
    }

    #[tokio::test]
    async fn only_an_admin_removes_a_review_puts_it_back_and_sees_those_that_are_hidden() {
        let mut reviews = MockReviewRepository::new();
        reviews.expect_remove().times(1).returning(|_, _, _| Ok(true));
        reviews.expect_restore().times(1).returning(|_| Ok(true));
        reviews.expect_hidden().times(1).returning(|_| Ok(Vec::new()));
        let catalog = Catalog { reviews: Arc::new(reviews), ..catalog() };
        let id = ReviewId::new(catalog.ids.fresh());
        let refused = catalog.remove_review(&caller(Role::Customer), id).await;
        assert!(matches!(refused, Err(Failure::Denied(Denied::Forbidden))));
        let refused = catalog.restore_review(&caller(Role::Customer), id).await;
        assert!(matches!(refused, Err(Failure::Denied(Denied::Forbidden))));
        let refused = catalog.hidden_reviews(&caller(Role::Customer), 1).await;
        assert!(matches!(refused, Err(Failure::Denied(Denied::Forbidden))));
        assert!(catalog.remove_review(&caller(Role::Admin), id).await.unwrap());
        assert!(catalog.restore_review(&caller(Role::Admin), id).await.unwrap());
        assert_eq!(catalog.hidden_reviews(&caller(Role::Admin), 1).await.unwrap(), []);
    }

    #[tokio::test]
    async fn removing_a_review_or_putting_it_back_says_whether_this_call_did_it() {
        let id = ReviewId::new(catalog().ids.fresh());
        for did_it in [true, false] {
            let admin = caller(Role::Admin);
            let (by, now) = (admin.account, catalog().clock.now());
            let mut reviews = MockReviewRepository::new();
            reviews
                .expect_remove()
                .withf(move |review, remover, at| (*review, *remover, *at) == (id, by, now))
                .times(1)
                .returning(move |_, _, _| Ok(did_it));
            reviews.expect_restore().withf(move |review| *review == id).times(1).returning(move |_| Ok(did_it));
            let catalog = with(reviews);
            assert_eq!(catalog.remove_review(&admin, id).await.unwrap(), did_it);
            assert_eq!(catalog.restore_review(&admin, id).await.unwrap(), did_it);
        }
    }
}
