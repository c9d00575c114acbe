//! Customers who order the same product concurrently.

use std::sync::Arc;
use std::time::Duration;

use diesel::prelude::*;
use diesel::sql_types::{Integer, Uuid as SqlUuid};
use domain::catalog::stock::TakeRefused;
use domain::orders::refusals::PlaceRefused;
use domain::{Account, Product, ProductId, Stock};
use ports::{OrderRepository, PlaceError};
use tokio::sync::Semaphore;

use crate::world::{World, concurrently, new_order};

const CUSTOMERS: u32 = 200;
const STOCK: i64 = 2_500;
const FITS: usize = 50;

#[tokio::test(flavor = "multi_thread")]
async fn two_hundred_concurrent_orders_of_fifty_take_exactly_the_stock() {
    let world = World::with_pool(16).await;
    let customer = world.customer("customer@example.com").await;
    for round in 0..20 {
        let product = world.product(STOCK).await;
        let bought = rush(&world, &customer, &product).await;

        assert_eq!(bought, FITS, "round {round}");
        assert_eq!(world.stock_of(product.id).await, 0, "round {round}");
        let sold =
            format!("SELECT -sum(delta) FROM stock_ledger WHERE kind = 'ordered' AND product_id = '{}'", product.id);
        assert_eq!(world.count(&sold), STOCK, "round {round}");
    }
    world.assert_sound();
}

/// Shows that the test above can fail.
#[tokio::test(flavor = "multi_thread")]
async fn reading_the_stock_before_writing_it_oversells_under_the_same_load() {
    let world = World::with_pool(4).await;
    let product = world.product(STOCK).await;
    let permits = Arc::new(Semaphore::new(16));
    let sold = concurrently(CUSTOMERS, |_| {
        let (url, permits, id) = (world.url().to_owned(), Arc::clone(&permits), product.id);
        async move {
            let _permit = permits.acquire_owned().await.unwrap();
            tokio::task::block_in_place(|| unguarded_order_of_fifty(&url, id))
        }
    })
    .await;

    let sold = sold.into_iter().filter(|sold| *sold).count();
    assert!(
        sold > FITS,
        "{sold} orders of 50 from a stock of {STOCK}: the calls did not race, so the test proves nothing"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_units_go_to_one_customer_and_the_other_gets_the_remaining_stock() {
    let world = World::fresh().await;
    let customer = world.customer("customer@example.com").await;
    for _ in 0..20 {
        let product = world.product(90).await;
        let outcomes = concurrently(2, |_| {
            let (database, order) = (world.database.clone(), new_order(&customer, &product, 60, None));
            async move { database.place(&order).await }
        })
        .await;
        let left: Vec<_> = outcomes
            .iter()
            .filter_map(|outcome| match outcome {
                Err(PlaceError::Refused(PlaceRefused::Stock(TakeRefused::NotEnough { left }))) => Some(*left),
                _ => None,
            })
            .collect();
        assert_eq!(left, [Stock::new(30).unwrap()], "{outcomes:?}");
        assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1);
    }
    world.assert_sound();
}

/// Places the orders concurrently. Returns how many succeeded; the others were refused for lack of stock.
async fn rush(world: &World, customer: &Account, product: &Product) -> usize {
    let outcomes = concurrently(CUSTOMERS, |_| {
        let (database, order) = (world.database.clone(), new_order(customer, product, 50, None));
        async move { database.place(&order).await }
    })
    .await;
    let refused = outcomes
        .iter()
        .filter(|outcome| matches!(outcome, Err(PlaceError::Refused(PlaceRefused::Stock(TakeRefused::NotEnough { left }))) if *left == Stock::NONE))
        .count();
    let bought = outcomes.iter().filter(|outcome| outcome.is_ok()).count();
    assert_eq!(bought + refused, outcomes.len(), "something else happened: {outcomes:?}");
    bought
}

/// Read-then-write without a guard.
fn unguarded_order_of_fifty(url: &str, id: ProductId) -> bool {
    #[derive(QueryableByName)]
    struct StockRow {
        #[diesel(sql_type = Integer)]
        available: i32,
    }
    let mut connection = PgConnection::establish(url).unwrap();
    let stock: StockRow = diesel::sql_query("SELECT available FROM products WHERE id = $1")
        .bind::<SqlUuid, _>(id.uuid())
        .get_result(&mut connection)
        .unwrap();
    if stock.available < 50 {
        return false;
    }
    // Time between reading and writing.
    std::thread::sleep(Duration::from_millis(2));
    diesel::sql_query("UPDATE products SET available = $2 WHERE id = $1")
        .bind::<SqlUuid, _>(id.uuid())
        .bind::<Integer, _>(stock.available - 50)
        .execute(&mut connection)
        .unwrap();
    true
}
