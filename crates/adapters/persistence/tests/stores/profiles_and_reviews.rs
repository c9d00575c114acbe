//! Reviews, profiles and the newsletter.

use domain::Actor;
use domain::accounts::profile::ProfileEdit;
use domain::{AccountId, Edit, Profile, Rating, RatingTotal, Review, ReviewId, ReviewedPart, ReviewedRecently, Text};
use ports::{NewReview, ReviewCursor, ReviewRepository, Saved, WriteError};

use crate::world::{World, at, concurrently, id, key, meta, transaction};

fn review(second: i64, stars: i64) -> Review {
    Review {
        id: ReviewId::new(id()),
        author: None,
        part: None,
        is_verified: false,
        name: Text::new("A Reader").unwrap(),
        details: Text::new("Fits, 'as \"described\"; 🛞\n100% _sure_ \\o/").unwrap(),
        rating: Rating::new(stars).unwrap(),
        created_at: at(second),
    }
}

fn by(account: AccountId, review: Review) -> NewReview {
    NewReview { review, by: account, idempotency_key: None, one_since: None }
}

#[tokio::test(flavor = "multi_thread")]
async fn reviews_read_back_oldest_first() {
    let world = World::fresh().await;
    let ada = world.customer("ada@example.com").await;
    let (later, sooner) = (review(20, 5), review(10, 0));
    for one in [&later, &sooner] {
        assert_eq!(world.reviews().add(&by(ada.id, one.clone())).await.unwrap(), one.id);
    }
    assert_eq!(world.reviews().latest(1).await.unwrap(), std::slice::from_ref(&later));
    assert_eq!(world.reviews().latest(10).await.unwrap(), [sooner, later]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_review_with_the_same_key_is_written_once() {
    let world = World::with_pool(8).await;
    let ada = world.customer("ada@example.com").await;
    let ids = concurrently(8, |_| {
        let database = world.database.clone();
        async move {
            let new = NewReview { idempotency_key: Some(key(1)), ..by(ada.id, review(10, 4)) };
            ReviewRepository::add(&database, &new).await.unwrap()
        }
    })
    .await;
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    assert_eq!(world.reviews().latest(10).await.unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn reviews_are_paged_and_none_is_skipped_or_repeated() {
    let world = World::fresh().await;
    let ada = world.customer("ada@example.com").await;
    let mut all = Vec::new();
    for second in [5, 7, 7, 7, 9] {
        all.push(review(second, 5));
        world.reviews().add(&by(ada.id, all.last().unwrap().clone())).await.unwrap();
    }
    all.sort_by_key(|one| (one.created_at, one.id));
    let (mut place, mut read) = (None, Vec::new());
    loop {
        let page = world.reviews().after(place, 2).await.unwrap();
        let Some(last) = page.last() else { break };
        place = Some(ReviewCursor { at: last.created_at, id: last.id });
        // A review that is removed before the next page still works as a cursor.
        world.reviews().remove(last.id, ada.id, at(20)).await.unwrap();
        read.extend(page);
    }
    assert_eq!(read, all);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_removed_review_is_gone_and_its_key_writes_no_second_one() {
    let world = World::fresh().await;
    let ada = world.customer("ada@example.com").await;
    let (kept, gone) = (review(10, 5), review(11, 0));
    world.reviews().add(&by(ada.id, kept.clone())).await.unwrap();
    let new = NewReview { idempotency_key: Some(key(1)), ..by(ada.id, gone.clone()) };
    world.reviews().add(&new).await.unwrap();
    let before = world.reviews().state().await.unwrap();
    assert!(world.reviews().remove(gone.id, ada.id, at(20)).await.unwrap());
    assert!(!world.reviews().remove(gone.id, ada.id, at(21)).await.unwrap());
    assert!(!world.reviews().remove(ReviewId::new(id()), ada.id, at(21)).await.unwrap());
    assert_eq!(world.reviews().add(&new).await.unwrap(), gone.id);
    assert_eq!(world.reviews().latest(10).await.unwrap(), std::slice::from_ref(&kept));
    assert_eq!(world.reviews().after(None, 10).await.unwrap(), [kept]);
    assert_ne!(world.reviews().state().await.unwrap(), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn reviews_of_a_part_are_found_and_their_stars_counted_without_those_that_are_hidden() {
    let world = World::fresh().await;
    let ada = world.customer("ada@example.com").await;
    let (part, other) = (world.product(500).await, world.product(500).await);
    let of = |second, stars, part: &domain::Product| Review {
        part: Some(ReviewedPart::from(part.clone())),
        author: Some(Text::new("Ada").unwrap()),
        is_verified: true,
        ..review(second, stars)
    };
    assert_eq!(world.reviews().rating_of(part.id).await.unwrap(), RatingTotal::default());
    let (later, sooner, hidden) = (of(20, 5, &part), of(10, 2, &part), of(15, 0, &part));
    for one in [&later, &sooner, &hidden, &of(11, 1, &other), &review(12, 1)] {
        world.reviews().add(&by(ada.id, one.clone())).await.unwrap();
    }
    world.reviews().remove(hidden.id, ada.id, at(30)).await.unwrap();
    assert_eq!(world.reviews().latest_of(part.id, 10).await.unwrap(), [sooner, later.clone()]);
    assert_eq!(world.reviews().latest_of(part.id, 1).await.unwrap(), [later]);
    assert_eq!(world.reviews().rating_of(part.id).await.unwrap(), RatingTotal { reviews: 2, stars: 7 });
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hidden_review_is_listed_with_who_did_it_and_is_put_back_once() {
    let world = World::fresh().await;
    let (ada, boss) = (world.customer("ada@example.com").await, world.customer("boss@example.com").await);
    let (first, second) = (review(10, 5), review(11, 4));
    for one in [&first, &second] {
        world.reviews().add(&by(ada.id, one.clone())).await.unwrap();
    }
    world.reviews().remove(second.id, boss.id, at(20)).await.unwrap();
    world.reviews().remove(first.id, boss.id, at(21)).await.unwrap();
    let hidden = world.reviews().hidden(10).await.unwrap();
    let found: Vec<_> = hidden.iter().map(|one| (one.review.clone(), one.at, one.by.to_string())).collect();
    let boss = "boss@example.com".to_owned();
    assert_eq!(found, [(first.clone(), at(21), boss.clone()), (second.clone(), at(20), boss)]);
    assert_eq!(world.reviews().hidden(1).await.unwrap().len(), 1);

    let before = world.reviews().state().await.unwrap();
    assert!(world.reviews().restore(first.id).await.unwrap());
    assert!(!world.reviews().restore(first.id).await.unwrap());
    assert!(!world.reviews().restore(ReviewId::new(id())).await.unwrap());
    assert_eq!(world.reviews().latest(10).await.unwrap(), [first]);
    assert_eq!(world.reviews().hidden(10).await.unwrap().len(), 1);
    assert_ne!(world.reviews().state().await.unwrap(), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_has_bought_what_it_paid_for_and_nothing_else() {
    let world = World::fresh().await;
    let (ada, bob) = (world.customer("ada@example.com").await, world.customer("bob@example.com").await);
    let (bought, other) = (world.product(500).await, world.product(500).await);
    let order = world.fifty(&ada, &bought).await;
    let has = async |account: AccountId, part| world.reviews().has_bought(account, part).await.unwrap();
    assert!(!has(ada.id, None).await, "the order is unpaid");
    world.write(&order.settle(transaction(1), meta(12, Actor::Shop)).unwrap()).await;
    assert!(has(ada.id, None).await && has(ada.id, Some(bought.id)).await);
    assert!(!has(ada.id, Some(other.id)).await);
    assert!(!has(bob.id, None).await && !has(bob.id, Some(bought.id)).await);
    // Money that arrived for an order that was cancelled, and went back.
    world.sql(
        "SET session_replication_role = replica;
        UPDATE orders SET payment_state = 'refunded', paid_at = NULL, refunded_at = now(), cancelled_at = now()",
    );
    assert!(!has(ada.id, None).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_that_never_paid_writes_one_review_even_under_concurrency() {
    let world = World::with_pool(8).await;
    let ada = world.customer("ada@example.com").await;
    let limited = |review: Review, n: u8| NewReview {
        idempotency_key: Some(key(n)),
        one_since: Some(at(5)),
        ..by(ada.id, review)
    };
    // Eight concurrent reviews, each with its own key: one is written.
    let written = concurrently(8, |nth| {
        let (database, new) = (world.database.clone(), limited(review(10, 4), u8::try_from(nth).unwrap()));
        async move { ReviewRepository::add(&database, &new).await }
    })
    .await;
    let first = written.iter().flatten().copied().collect::<Vec<_>>();
    assert_eq!(first.len(), 1, "{written:?}");
    let too_soon = |result: &Result<_, WriteError<ReviewedRecently>>| matches!(result, Err(WriteError::Refused(ReviewedRecently { last })) if *last == at(10));
    assert_eq!(written.iter().filter(|result| too_soon(result)).count(), 7, "{written:?}");
    let nth = written.iter().position(Result::is_ok).unwrap();
    let again = limited(review(11, 4), u8::try_from(nth).unwrap());
    assert_eq!(world.reviews().add(&again).await.unwrap(), first[0], "the same key writes no second one");
    // Reviews from before that time do not count, and neither do those of other accounts.
    let later = NewReview { one_since: Some(at(10)), ..limited(review(12, 4), 20) };
    world.reviews().add(&later).await.unwrap();
    let bob = world.customer("bob@example.com").await;
    world.reviews().add(&NewReview { by: bob.id, ..limited(review(10, 4), 21) }).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_that_has_paid_may_write_any_number_of_reviews() {
    let world = World::fresh().await;
    let ada = world.customer("ada@example.com").await;
    let product = world.product(500).await;
    let order = world.fifty(&ada, &product).await;
    let limited = |second| NewReview { one_since: Some(at(5)), ..by(ada.id, review(second, 4)) };
    world.reviews().add(&limited(10)).await.unwrap();
    assert!(matches!(world.reviews().add(&limited(11)).await, Err(WriteError::Refused(_))));
    let paid = order.settle(transaction(1), meta(12, Actor::Shop)).unwrap();
    world.write(&paid).await;
    world.reviews().add(&limited(13)).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_profile_is_edited_field_by_field() {
    let world = World::fresh().await;
    let ada = world.customer("ada@example.com").await;
    assert_eq!(world.profiles().find(ada.id).await.unwrap(), None);

    let first = ProfileEdit {
        study_in: Edit::Set(Some(Text::new("Graz").unwrap())),
        github: Edit::Set(Some("https://github.com/ada".parse().unwrap())),
        ..ProfileEdit::default()
    };
    assert_eq!(world.profiles().save(ada.id, &first, at(10)).await.unwrap(), Saved::Created);
    assert_eq!(world.profiles().save(ada.id, &first, at(11)).await.unwrap(), Saved::Same);
    assert_eq!(world.profiles().save(ada.id, &ProfileEdit::default(), at(12)).await.unwrap(), Saved::Same);

    let second = ProfileEdit {
        study_in: Edit::Set(None),
        lives_in: Edit::Set(Some(Text::new("Wien").unwrap())),
        phone: Edit::Set(Some(Text::new("555 0100").unwrap())),
        facebook: Edit::Set(Some("https://facebook.com/ada".parse().unwrap())),
        linkedin: Edit::Set(Some("HTTPS://linkedin.com/in/ada".parse().unwrap())),
        github: Edit::Keep,
    };
    assert_eq!(world.profiles().save(ada.id, &second, at(13)).await.unwrap(), Saved::Changed);
    let expected = Profile {
        study_in: None,
        lives_in: Some(Text::new("Wien").unwrap()),
        phone: Some(Text::new("555 0100").unwrap()),
        facebook: Some("https://facebook.com/ada".parse().unwrap()),
        linkedin: Some("HTTPS://linkedin.com/in/ada".parse().unwrap()),
        github: Some("https://github.com/ada".parse().unwrap()),
    };
    assert_eq!(world.profiles().find(ada.id).await.unwrap(), Some(expected));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_empty_profile_is_a_profile() {
    let world = World::fresh().await;
    let ada = world.customer("ada@example.com").await;
    assert_eq!(world.profiles().save(ada.id, &ProfileEdit::default(), at(10)).await.unwrap(), Saved::Created);
    assert_eq!(world.profiles().find(ada.id).await.unwrap(), Some(Profile::default()));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_subscribes_once_however_often_it_is_submitted() {
    let world = World::fresh().await;
    for second in 0..3 {
        world.newsletter().subscribe(&"ada@example.com".parse().unwrap(), at(second)).await.unwrap();
    }
    assert_eq!(world.count("SELECT count(*) FROM newsletter"), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_leaves_the_newsletter_and_the_others_stay() {
    let world = World::fresh().await;
    for address in ["ada@example.com", "grace@example.com"] {
        world.newsletter().subscribe(&address.parse().unwrap(), at(1)).await.unwrap();
    }
    for _ in 0..2 {
        world.newsletter().unsubscribe(&"ada@example.com".parse().unwrap()).await.unwrap();
    }
    assert_eq!(world.count("SELECT count(*) FROM newsletter WHERE email = 'grace@example.com'"), 1);
    assert_eq!(world.count("SELECT count(*) FROM newsletter"), 1);
}
