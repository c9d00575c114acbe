//! Buyers who are quicker than each other.

use std::sync::Arc;
use std::time::Duration;

use diesel::prelude::*;
use diesel::sql_types::{Integer, Uuid as SqlUuid};
use domain::{Account, Product, ProductId, Stock};
use ports::{OrderRepository, PlaceError};
use tokio::sync::Semaphore;

use crate::world::{World, at_once, new_order};

const BUYERS: u32 = 200;
const STOCK: i64 = 2_500;
const FITS: usize = 50;

#[tokio::test(flavor = "multi_thread")]
async fn two_hundred_customers_of_fifty_take_exactly_what_is_there() {
    let world = World::with_pool(16).await;
    let customer = world.person("buyer@example.com").await;
    for round in 0..20 {
        let product = world.product(STOCK).await;
        let bought = rush(&world, &customer, &product).await;

        assert_eq!(bought, FITS, "round {round}");
        assert_eq!(world.shelf(product.id).await, 0, "round {round}");
        let sold =
            format!("SELECT -sum(delta) FROM stock_ledger WHERE kind = 'ordered' AND product_id = '{}'", product.id);
        assert_eq!(world.count(&sold), STOCK, "round {round}");
    }
    world.assert_sound();
}

/// What makes the test above worth something.
#[tokio::test(flavor = "multi_thread")]
async fn the_same_rush_oversells_a_shop_that_reads_before_it_writes() {
    let world = World::with_pool(4).await;
    let product = world.product(STOCK).await;
    let turns = Arc::new(Semaphore::new(16));
    let sold = at_once(BUYERS, |_| {
        let (url, turns, id) = (world.url().to_owned(), Arc::clone(&turns), product.id);
        async move {
            let _turn = turns.acquire_owned().await.unwrap();
            tokio::task::block_in_place(|| carelessly_buy_fifty(&url, id))
        }
    })
    .await;

    let sold = sold.into_iter().filter(|sold| *sold).count();
    assert!(sold > FITS, "{sold} orders of 50 from a stock of {STOCK}: nothing raced, so nothing was proven");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_units_go_to_one_customer_and_the_other_is_told_what_is_left() {
    let world = World::fresh().await;
    let customer = world.person("buyer@example.com").await;
    for _ in 0..20 {
        let product = world.product(90).await;
        let outcomes = at_once(2, |_| {
            let (database, order) = (world.database.clone(), new_order(&customer, &product, 60, None));
            async move { database.place(&order).await }
        })
        .await;
        let left: Vec<_> = outcomes
            .iter()
            .filter_map(|outcome| match outcome {
                Err(PlaceError::NotEnough { left }) => Some(*left),
                _ => None,
            })
            .collect();
        assert_eq!(left, [Stock::new(30).unwrap()], "{outcomes:?}");
        assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1);
    }
    world.assert_sound();
}

/// How many of the buyers got their fifty; the others were told that there is not enough.
async fn rush(world: &World, customer: &Account, product: &Product) -> usize {
    let outcomes = at_once(BUYERS, |_| {
        let (database, order) = (world.database.clone(), new_order(customer, product, 50, None));
        async move { database.place(&order).await }
    })
    .await;
    let refused = outcomes
        .iter()
        .filter(|outcome| matches!(outcome, Err(PlaceError::NotEnough { left }) if *left == Stock::NONE))
        .count();
    let bought = outcomes.iter().filter(|outcome| outcome.is_ok()).count();
    assert_eq!(bought + refused, outcomes.len(), "something else happened: {outcomes:?}");
    bought
}

/// What a shop does that trusts what it has read.
fn carelessly_buy_fifty(url: &str, id: ProductId) -> bool {
    #[derive(QueryableByName)]
    struct Shelf {
        #[diesel(sql_type = Integer)]
        available: i32,
    }
    let mut connection = PgConnection::establish(url).unwrap();
    let shelf: Shelf = diesel::sql_query("SELECT available FROM products WHERE id = $1")
        .bind::<SqlUuid, _>(id.uuid())
        .get_result(&mut connection)
        .unwrap();
    if shelf.available < 50 {
        return false;
    }
    // The time that a shop takes to make up its mind.
    std::thread::sleep(Duration::from_millis(2));
    diesel::sql_query("UPDATE products SET available = $2 WHERE id = $1")
        .bind::<SqlUuid, _>(id.uuid())
        .bind::<Integer, _>(shelf.available - 50)
        .execute(&mut connection)
        .unwrap();
    true
}
