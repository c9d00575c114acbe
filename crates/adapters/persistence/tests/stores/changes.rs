//! What changed in the catalogue: heard from other instances, and known of this one's own writes.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use domain::{Account, Actor, ProductId, Rating, Review, ReviewId, Text};
use persistence::Database;
use ports::{CatalogChange, CatalogChanges, NewReview};

use crate::world::{World, actor, at, id, meta};

/// What another instance hears, once it has read everything.
async fn listening(world: &World) -> (Database, Arc<dyn CatalogChanges>) {
    let other = Database::connect(world.url(), 2, Duration::from_secs(10)).await.unwrap();
    let changes = other.catalog_changes();
    assert!(changes.is_pending() && !changes.is_current(), "nothing has been heard or read yet");
    other.listen().unwrap();
    until(|| changes.is_current()).await;
    assert!(changes.take().everything);
    (other, changes)
}

async fn until(holds: impl Fn() -> bool) {
    let waiting = async {
        while !holds() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), waiting).await.unwrap();
}

async fn heard(changes: &dyn CatalogChanges) -> CatalogChange {
    until(|| changes.is_pending()).await;
    changes.take()
}

fn only(products: impl IntoIterator<Item = ProductId>) -> CatalogChange {
    CatalogChange { products: products.into_iter().collect(), ..CatalogChange::default() }
}

async fn review(world: &World, by: &Account) {
    let review = Review {
        id: ReviewId::new(id()),
        author: None,
        part: None,
        is_verified: false,
        name: Text::new("Ada").unwrap(),
        details: Text::new("Sturdy.").unwrap(),
        rating: Rating::new(5).unwrap(),
        created_at: at(9),
    };
    let new = NewReview { review, by: by.id, idempotency_key: None, one_since: None };
    world.reviews().add(&new).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_one_instance_changes_the_others_hear() {
    let world = World::fresh().await;
    let customer = world.customer("customer@example.com").await;
    let (_other, changes) = listening(&world).await;

    let product = world.product(500).await;
    assert_eq!(heard(&*changes).await, only([product.id]));
    let order = world.fifty(&customer, &product).await;
    assert_eq!(heard(&*changes).await, only([product.id]));
    world.write(&order.cancel(meta(1, actor(&customer))).unwrap()).await;
    assert_eq!(heard(&*changes).await, only([product.id]));
    assert!(world.products().archive(product.id, &Actor::Shop, at(60)).await.unwrap());
    assert_eq!(heard(&*changes).await, only([product.id]));
    review(&world, &customer).await;
    assert_eq!(heard(&*changes).await, CatalogChange { reviews: true, ..CatalogChange::default() });
    // By hand, and more rows than one message has room for.
    let mut products = HashSet::new();
    for _ in 0..3 {
        products.insert(world.product(500).await.id);
    }
    until(|| changes.is_pending()).await;
    world.sql(
        "INSERT INTO products (id, name, description, category, img, price_cents, min_order, available, created_at, name_key,
            search_key)
        SELECT gen_random_uuid(), 'A', 'A', 'BRAKES', '/a.webp', 1, 50, 0, now(), 'a', 'a' FROM generate_series(1, 997)",
    );
    until(|| changes.is_current()).await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    changes.take();
    world.sql("UPDATE products SET price_cents = 2 WHERE archived_at IS NULL");
    let mut all = HashSet::new();
    while all.len() < 1_000 {
        all.extend(heard(&*changes).await.products);
    }
    assert!(products.is_subset(&all));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_instance_knows_its_own_changes_before_their_callers_hear_of_them() {
    let world = World::fresh().await;
    let changes = world.database.catalog_changes();
    changes.take();
    let customer = world.customer("customer@example.com").await;
    let product = world.product(500).await;
    assert_eq!(changes.take(), only([product.id]));
    let order = world.fifty(&customer, &product).await;
    assert_eq!(changes.take(), only([product.id]));
    world.write(&order.cancel(meta(1, actor(&customer))).unwrap()).await;
    assert_eq!(changes.take(), only([product.id]));
    review(&world, &customer).await;
    assert!(changes.take().reviews);
    assert!(world.products().archive(product.id, &Actor::Shop, at(60)).await.unwrap());
    assert_eq!(changes.take(), only([product.id]));
    assert!(!changes.is_pending());
    assert!(!changes.is_current(), "it does not listen, so that others' changes are unknown");
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_lost_connection_everything_has_to_be_read_again() {
    let world = World::fresh().await;
    let (_other, changes) = listening(&world).await;
    world.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'NOTIFY driveline_listener%'");
    assert!(heard(&*changes).await.everything);
    // And it hears again.
    until(|| changes.is_current()).await;
    changes.take();
    let product = world.product(500).await;
    assert_eq!(heard(&*changes).await, only([product.id]));
}
