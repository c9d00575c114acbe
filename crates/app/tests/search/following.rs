//! An index in step with the products, whatever fails.

use std::sync::Arc;
use std::time::Duration;

use application::IndexFailed;
use opensearch::FallingBack;
use ports::{CatalogSearch as _, ProductQuery};
use reqwest::Method;
use serde_json::json;
use testkit::Osmem;

use crate::shop::Indexed;

/// Longer than the longest wait after a failure.
const WAIT: Duration = Duration::from_mins(2);

/// Products without their own code, so that there are many.
fn many(count: u32) -> String {
    format!(
        "INSERT INTO products (id, name, description, category, img, price_cents, min_order, available, created_at, name_key,
            search_key)
        SELECT gen_random_uuid(), 'Clutch ' || n, 'A', 'BRAKES', '/a.webp', 1, 50, 0, now(), 'clutch ' || n, 'clutch ' || n
        FROM generate_series(1, {count}) n"
    )
}

async fn live(shop: &Indexed) -> String {
    let followers = shop.log().followers().await.unwrap();
    followers.into_iter().find(|follower| follower.live).unwrap().name
}

#[tokio::test(flavor = "multi_thread")]
async fn what_changes_is_found_and_an_archived_part_is_not() {
    let shop = Indexed::open().await;
    let disc = shop.add("Front disc").await;
    let done = shop.up_to_date().await;
    assert!(done.swapped && done.written == 1, "{done:?}");
    assert_eq!(shop.found("disc").await, 1);
    shop.add("Rear disc").await;
    assert!(!shop.up_to_date().await.swapped);
    assert_eq!(shop.found("disc").await, 2);
    shop.sql(&format!("UPDATE products SET archived_at = now() WHERE id = '{}'", disc.id.uuid()));
    shop.up_to_date().await;
    assert_eq!(shop.found("disc").await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_index_is_filled_beside_the_old_one_and_takes_its_place_at_once() {
    let shop = Indexed::open().await;
    shop.sql(&many(2_500));
    shop.up_to_date().await;
    let old = live(&shop).await;
    let new = shop.index.rebuild().await.unwrap().unwrap();
    assert_ne!(old, new);
    // A change on the way is in both of them.
    let late = shop.add("Late disc").await;
    let mut rounds = 0;
    while live(&shop).await == old {
        assert_eq!(shop.found("clutch").await, 2_500, "the old one answers until the new one is full");
        shop.try_once().await.unwrap();
        if rounds == 1 {
            shop.sql(&format!(
                "UPDATE products SET name_key = 'x', search_key = 'belated' WHERE id = '{}'",
                late.id.uuid()
            ));
        }
        rounds += 1;
        tokio::time::sleep(Duration::from_millis(25)).await;
        assert!(rounds < 400);
    }
    shop.up_to_date().await;
    assert_eq!((live(&shop).await, shop.found("clutch").await, shop.found("belated").await), (new.clone(), 2_500, 1));
    let left = shop.ask(Method::GET, "driveline-products-*/_alias", None).await;
    assert_eq!(left.as_object().unwrap().keys().collect::<Vec<_>>(), [&new], "the old one is gone");
    assert!(shop.index.is_live(&new).await.unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_engine_that_dies_while_an_index_is_filled_is_filled_again() {
    let mut shop = Indexed::open().await;
    shop.sql(&many(1_500));
    let address = shop.server.address().to_owned();
    // It begins, and waits for older transactions.
    shop.try_once().await.unwrap();
    shop.server.kill();
    let mut failed = Ok(());
    for _ in 0..20 {
        shop.clock.forward(WAIT);
        if let Err(error) = shop.try_once().await {
            failed = Err(error);
            break;
        }
    }
    assert!(matches!(failed, Err(IndexFailed::Engine(_))), "{failed:?}");
    // It is left alone for a while.
    assert_eq!(shop.try_once().await.unwrap(), application::Followed::default());
    // Searches go on meanwhile.
    let database = Arc::new(shop.database.clone());
    let searching = FallingBack::new(shop.engine.clone(), database);
    let query = ProductQuery { search: Some("clutch".to_owned()), ..ProductQuery::default() };
    assert_eq!(searching.search(&query).await.unwrap().total, 1_500);
    // It comes back, and knows nothing.
    shop.server = Osmem::on(&address);
    shop.clock.forward(WAIT);
    assert_eq!(searching.search(&query).await.unwrap().total, 1_500, "it has no index, and the database answers");
    shop.up_to_date().await;
    assert_eq!(shop.found("clutch").await, 1_500);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_engine_that_lost_everything_is_filled_again() {
    let mut shop = Indexed::open().await;
    shop.add("Front disc").await;
    shop.up_to_date().await;
    let (address, old) = (shop.server.address().to_owned(), live(&shop).await);
    shop.server.kill();
    shop.server = Osmem::on(&address);
    assert!(shop.up_to_date().await.swapped);
    assert_ne!(live(&shop).await, old);
    assert_eq!(shop.found("disc").await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_copy_writes_at_a_time_and_another_goes_on() {
    let shop = Indexed::open().await;
    shop.add("Front disc").await;
    shop.up_to_date().await;
    let other = shop.another(2);
    shop.add("Rear disc").await;
    assert_eq!(other.follow_products().await.unwrap().written, 0, "the first one has the lease");
    shop.index.release().await.unwrap();
    let mut written = 0;
    for _ in 0..400 {
        written += other.follow_products().await.unwrap().written;
        if written == 1 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("nobody writes");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_went_wrong_in_an_index_is_found_and_repaired() {
    let shop = Indexed::open().await;
    shop.sql(&many(1_200));
    shop.up_to_date().await;
    let index = live(&shop).await;
    let due = "UPDATE catalogue_followers SET compared_at = now() - interval '25 hours'";
    shop.sql(due);
    assert_eq!(shop.up_to_date().await.repaired, 0);
    // One is gone, one is of another day, and one was never there.
    shop.ask(Method::DELETE, &format!("{index}/_doc/7?refresh=true"), None).await;
    let change = json!({ "doc": { "price": 5, "digest": 1 } });
    shop.ask(Method::POST, &format!("{index}/_update/1100?refresh=true"), Some(change)).await;
    let stray = json!({ "no": 99_999, "archived": false, "text": " clutch stray", "digest": 9 });
    shop.ask(Method::PUT, &format!("{index}/_doc/99999?refresh=true"), Some(stray)).await;
    shop.sql(due);
    let mut repaired = 0;
    for _ in 0..20 {
        repaired += shop.try_once().await.unwrap().repaired;
        if !shop.log().followers().await.unwrap()[0].compare_due {
            break;
        }
    }
    assert_eq!(repaired, 3);
    shop.ask(Method::POST, &format!("{index}/_refresh"), None).await;
    assert_eq!(shop.found("clutch").await, 1_200);
}
