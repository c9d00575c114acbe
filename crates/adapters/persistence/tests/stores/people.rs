//! Reviews, profiles and the newsletter.

use domain::profile::ProfileEdit;
use domain::{Edit, Profile, Rating, Review, ReviewId, Text};
use ports::{ReviewStore, Saved};

use crate::world::{World, at, at_once, id, key};

fn review(second: i64, stars: i64) -> Review {
    Review {
        id: ReviewId::new(id()),
        name: Text::new("A Reader").unwrap(),
        details: Text::new("Fits, 'as \"described\"; 🛞\n100% _sure_ \\o/").unwrap(),
        rating: Rating::new(stars).unwrap(),
        created_at: at(second),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn reviews_read_back_oldest_first() {
    let world = World::fresh().await;
    let ada = world.person("ada@example.com").await;
    let (later, sooner) = (review(20, 5), review(10, 0));
    for one in [&later, &sooner] {
        assert_eq!(world.reviews().add(one, ada.id, None).await.unwrap(), one.id);
    }
    assert_eq!(world.reviews().latest(Some(1)).await.unwrap(), std::slice::from_ref(&later));
    assert_eq!(world.reviews().latest(None).await.unwrap(), [sooner, later]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_review_with_the_same_key_is_written_once() {
    let world = World::with_pool(8).await;
    let ada = world.person("ada@example.com").await;
    let ids = at_once(8, |_| {
        let database = world.database.clone();
        async move { ReviewStore::add(&database, &review(10, 4), ada.id, Some(key(1))).await.unwrap() }
    })
    .await;
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    assert_eq!(world.reviews().latest(None).await.unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_profile_is_edited_field_by_field() {
    let world = World::fresh().await;
    let ada = world.person("ada@example.com").await;
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
    let ada = world.person("ada@example.com").await;
    assert_eq!(world.profiles().save(ada.id, &ProfileEdit::default(), at(10)).await.unwrap(), Saved::Created);
    assert_eq!(world.profiles().find(ada.id).await.unwrap(), Some(Profile::default()));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_subscribes_once_however_often_it_asks() {
    let world = World::fresh().await;
    for second in 0..3 {
        world.newsletter().subscribe(&"ada@example.com".parse().unwrap(), at(second)).await.unwrap();
    }
    assert_eq!(world.count("SELECT count(*) FROM newsletter"), 1);
}
