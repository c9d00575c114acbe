//! Products: lists, searches and stock.

use std::collections::HashSet;

use domain::Actor;
use domain::catalog::stock::{CorrectionReason, StockDelta};
use domain::{Category, CorrectStockRefused, MinOrder, Product, Quantity, RestockRefused, Stock, Text};
use ports::{
    NewProduct, OrderRepository, Pagination, ProductKey, ProductQuery, ProductRepository, ProductSort, Restocking,
    SortOrder, StockCorrection, WriteError,
};

use crate::world::{World, actor, at, concurrently, id, key, meta, new_order, price, product};

const CHEAPEST: ProductSort = ProductSort::Price(SortOrder::Ascending);
const DEAREST: ProductSort = ProductSort::Price(SortOrder::Descending);

fn restocking(product: &Product, arriving: i64, cents: i64) -> Restocking {
    Restocking {
        product: product.id,
        arriving: Stock::new(arriving).unwrap(),
        price: price(cents),
        seen_price: None,
        by: Actor::Shop,
        at: at(50),
        idempotency_key: None,
    }
}

async fn names(world: &World, query: &ProductQuery) -> Vec<String> {
    let page = world.found(query).await;
    page.items.into_iter().map(|product| product.details.name.into_string()).collect()
}

fn search(asked: &str) -> ProductQuery {
    ProductQuery { search: Some(asked.to_owned()), ..ProductQuery::default() }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_product_reads_back_as_it_was_added_until_it_is_archived() {
    let world = World::fresh().await;
    let mut product = product("Tyre 205/55 R16 — \"grippy\" 🛞", 700);
    product.details.part_number = Some(Text::new("TY-205'55\\R16").unwrap());
    product.details.min_order = MinOrder::effective(120).unwrap();
    let product = world.add(product).await;

    assert_eq!(world.products().find(product.id).await.unwrap(), Some(product.clone()));
    let named = world
        .products()
        .matching(product.details.name.as_str(), product.details.category, &product.details.img)
        .await
        .unwrap();
    assert_eq!(named, std::slice::from_ref(&product));

    assert!(world.products().archive(product.id, &domain::Actor::Shop, at(60)).await.unwrap());
    assert!(!world.products().archive(product.id, &domain::Actor::Shop, at(61)).await.unwrap());
    assert_eq!(world.products().find(product.id).await.unwrap(), None);
    let named = world
        .products()
        .matching(product.details.name.as_str(), product.details.category, &product.details.img)
        .await
        .unwrap();
    assert_eq!(named, []);
    assert_eq!(world.products().list(&ProductQuery::default()).await.unwrap().total, 0);
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn attributes_match_exactly_and_at_most_two_matches_are_returned() {
    let world = World::fresh().await;
    for _ in 0..3 {
        world.product(500).await;
    }
    let img = "/pictures/brake-disc-640.webp";
    let matching = |name: &'static str, category, img: &'static str| {
        let world = &world;
        async move { world.products().matching(name, category, &img.parse().unwrap()).await.unwrap().len() }
    };
    assert_eq!(matching("Ventilated brake disc", Category::Brakes, img).await, 2);
    assert_eq!(matching("ventilated brake disc", Category::Brakes, img).await, 0);
    assert_eq!(matching("Ventilated brake disc", Category::Tires, img).await, 0);
    assert_eq!(matching("Ventilated brake disc", Category::Brakes, "/pictures/other.webp").await, 0);
    assert_eq!(matching("Ventilated\0brake disc", Category::Brakes, img).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_products_neither_repeat_nor_skip_in_any_sort_order() {
    let world = World::fresh().await;
    for n in 0..23_i64 {
        // Prices, names and times repeat, so that only the id distinguishes some products.
        let mut one = product(["Disc", "disc", "Ünder", "über", "Zeta"][usize::try_from(n % 5).unwrap()], 500);
        one.details.price = price(100 + n % 4);
        one.created_at = at(n % 3);
        world.add(one).await;
    }
    let gone = world.product(500).await;
    world.products().archive(gone.id, &domain::Actor::Shop, at(9)).await.unwrap();
    for sort in [ProductSort::Newest, CHEAPEST, DEAREST, ProductSort::Name] {
        let whole = world.products().list(&ProductQuery { sort, ..ProductQuery::default() }).await.unwrap();
        assert_eq!((whole.total, whole.next), (23, None), "{sort:?}");
        for limit in [1, 4, 22, 23, 24] {
            let mut query = ProductQuery { sort, page: Pagination::first(limit), ..ProductQuery::default() };
            let mut seen = Vec::new();
            loop {
                let page = world.products().list(&query).await.unwrap();
                assert_eq!(page.total, 23);
                assert!(page.items.len() <= usize::try_from(limit).unwrap());
                seen.extend(page.items);
                let Some(next) = page.next else { break };
                assert_eq!(seen.last().map(|product| product.id), Some(next.id));
                query.page.after = Some(next);
            }
            assert_eq!(seen, whole.items, "{sort:?} by {limit}");
        }
        let ids: HashSet<_> = whole.items.iter().map(|product| product.id).collect();
        assert_eq!(ids.len(), 23);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_sort_order_sorts_by_its_key() {
    let world = World::fresh().await;
    for (name, cents, second) in [("beta", 300, 1), ("Alpha", 200, 3), ("ÄTHER", 100, 2), ("äther b", 100, 2)] {
        let mut one = product(name, 500);
        (one.details.price, one.created_at) = (price(cents), at(second));
        world.add(one).await;
    }
    let by = |sort| ProductQuery { sort, ..ProductQuery::default() };
    assert_eq!(names(&world, &by(ProductSort::Newest)).await, ["Alpha", "äther b", "ÄTHER", "beta"]);
    assert_eq!(names(&world, &by(CHEAPEST)).await, ["ÄTHER", "äther b", "Alpha", "beta"]);
    assert_eq!(names(&world, &by(DEAREST)).await, ["beta", "Alpha", "äther b", "ÄTHER"]);
    assert_eq!(names(&world, &by(ProductSort::Name)).await, ["Alpha", "beta", "ÄTHER", "äther b"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cursor_stays_valid_when_its_product_is_archived_or_repriced() {
    let world = World::fresh().await;
    let first = world.product(500).await;
    world.product(500).await;
    let by_price = ProductQuery { sort: CHEAPEST, page: Pagination::first(1), ..ProductQuery::default() };
    let place = world.products().list(&by_price).await.unwrap().next.unwrap();
    let after = ProductQuery { page: Pagination { after: Some(place.clone()), ..Pagination::first(1) }, ..by_price };
    assert_eq!((place.id, &place.key), (first.id, &ProductKey::Price(first.details.price)));
    let rest = world.products().list(&after).await.unwrap();
    assert_eq!((rest.items.len(), rest.total, rest.next), (1, 2, None));
    world.sql(&format!("UPDATE products SET price_cents = 999999 WHERE id = '{}'", first.id));
    let with_it_again = ProductQuery { page: Pagination { limit: Some(5), ..after.page.clone() }, ..after.clone() };
    assert_eq!(world.products().list(&with_it_again).await.unwrap().items.len(), 2);
    world.products().archive(first.id, &domain::Actor::Shop, at(9)).await.unwrap();
    assert_eq!(world.products().list(&with_it_again).await.unwrap().items.len(), 1);
    // A cursor of another sort order ends the list.
    let elsewhere = ProductQuery { sort: ProductSort::Name, ..after };
    let none = world.products().list(&elsewhere).await.unwrap();
    assert_eq!((none.items.len(), none.total, none.next), (0, 1, None));
    let none =
        world.products().list(&ProductQuery { page: Pagination::first(0), ..ProductQuery::default() }).await.unwrap();
    assert_eq!((none.items.len(), none.total, none.next), (0, 1, None));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_covers_name_category_and_part_number_case_insensitively() {
    let world = World::fresh().await;
    let mut tyre = product("Winter ÖL-proof tyre", 500);
    (tyre.details.category, tyre.details.part_number) = (Category::Tires, Some(Text::new("Ty-900X").unwrap()));
    world.add(tyre).await;
    world.product(500).await;
    for asked in ["winter", "ÖL", "öl", "tires", "TY-900x", "tyre"] {
        assert_eq!(names(&world, &search(asked)).await, ["Winter ÖL-proof tyre"], "{asked}");
    }
    // Words that grew together are a slip.
    assert_eq!(names(&world, &search("tyreTIRES")).await, ["Winter ÖL-proof tyre"]);
    assert_eq!(names(&world, &search("tyre\u{1}tires")).await, [] as [&str; 0]);
    assert_eq!(names(&world, &search("")).await.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn special_characters_in_a_search_match_literally() {
    let world = World::fresh().await;
    let hostile =
        ["100% steel", "snake_case", r"back\slash", "O'Neil", "\"quoted\"", "🛞 wheel", "a;--b", "$1", "[a-z]*.?"];
    for name in hostile {
        world.add(product(name, 500)).await;
    }
    for (asked, found) in [
        ("%", "100% steel"),
        ("_", "snake_case"),
        ("\\", r"back\slash"),
        ("'", "O'Neil"),
        ("\"", "\"quoted\""),
        ("🛞", "🛞 wheel"),
        (";--", "a;--b"),
        ("$1", "$1"),
        ("[a-z]*.?", "[a-z]*.?"),
    ] {
        assert_eq!(names(&world, &search(asked)).await, [found], "{asked:?}");
    }
    let long = "x".repeat(100_000);
    for asked in ["%%", "__", r"\\", "' OR 1=1 --", "\0", "a\0b", "\u{1}", "\u{FFFF}", long.as_str()] {
        let page = world.found(&search(asked)).await;
        assert_eq!((page.items.len(), page.total), (0, 0), "{asked:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn filters_apply_to_lists_and_totals_alike() {
    let world = World::fresh().await;
    let mut tyre = product("Tyre", 119);
    (tyre.details.category, tyre.details.min_order) = (Category::Tires, MinOrder::effective(120).unwrap());
    world.add(tyre).await;
    world.product(49).await;
    world.product(50).await;
    let counted = |query: ProductQuery| {
        let world = &world;
        async move {
            let page = world.products().list(&query).await.unwrap();
            (page.items.len(), page.total)
        }
    };
    let all = ProductQuery::default();
    assert_eq!(counted(ProductQuery { in_stock: true, ..all.clone() }).await, (1, 1));
    assert_eq!(counted(ProductQuery { category: Some(Category::Tires), ..all.clone() }).await, (1, 1));
    assert_eq!(
        counted(ProductQuery { category: Some(Category::Brakes), page: Pagination::first(1), ..all.clone() }).await,
        (1, 2)
    );
    assert_eq!(counted(ProductQuery { category: Some(Category::Batteries), ..all }).await, (0, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn restocking_adds_units_and_sets_the_price() {
    let world = World::fresh().await;
    let admin = world.account_as("admin@example.com", domain::Role::Admin).await;
    let product = world.product(500).await;
    let mut delivery = restocking(&product, 70, 15_000);
    delivery.by = actor(&admin);
    world.products().restock(&delivery).await.unwrap();
    let read = world.products().find(product.id).await.unwrap().unwrap();
    assert_eq!((read.details.available.get(), read.details.price), (570, price(15_000)));
    assert_eq!(world.count("SELECT count(*) FROM stock_ledger WHERE actor_email = 'admin@example.com'"), 1);
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_restocking_and_sales_lose_no_units() {
    let world = World::with_pool(12).await;
    let customer = world.customer("customer@example.com").await;
    let product = world.product(5_000).await;
    concurrently(60, |n| {
        let (database, order) = (world.database.clone(), new_order(&customer, &product, 50, None));
        let delivery = restocking(&product, 7, product.details.price.money().cents());
        async move {
            if n % 2 == 0 {
                database.place(&order).await.map(drop).unwrap();
            } else {
                database.restock(&delivery).await.unwrap();
            }
        }
    })
    .await;
    assert_eq!(world.stock_of(product.id).await, 5_000 - 30 * 50 + 30 * 7);
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn restocking_with_the_same_key_is_applied_once_even_without_units() {
    let world = World::with_pool(8).await;
    let product = world.product(500).await;
    for (n, arriving) in [(1, 70), (2, 0)] {
        let mut delivery = restocking(&product, arriving, 15_000 + i64::from(n));
        delivery.idempotency_key = Some(key(n));
        concurrently(8, |_| {
            let (database, delivery) = (world.database.clone(), delivery.clone());
            async move { database.restock(&delivery).await.unwrap() }
        })
        .await;
        world.products().restock(&restocking(&product, 0, 9_999)).await.unwrap();
        world.products().restock(&delivery).await.unwrap();
        let read = world.products().find(product.id).await.unwrap().unwrap();
        assert_eq!((read.details.available.get(), read.details.price), (570, price(9_999)), "key {n}");
        assert_eq!(world.count(&format!("SELECT count(*) FROM restockings WHERE price_cents = 15000 + {n}")), 1);
    }
    assert_eq!(world.count("SELECT count(*) FROM stock_ledger"), 2);
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn stock_has_a_maximum_and_reserves_room_for_units_that_may_be_returned() {
    let world = World::fresh().await;
    let customer = world.customer("customer@example.com").await;
    let full = world.product(i64::from(Quantity::MAX)).await;
    let too_much = world.products().restock(&restocking(&full, 1, 100)).await;
    assert!(matches!(too_much, Err(WriteError::Refused(RestockRefused::TooMuch))), "{too_much:?}");

    let order = world.fifty(&customer, &full).await;
    let too_much = world.products().restock(&restocking(&full, 1, 100)).await;
    assert!(matches!(too_much, Err(WriteError::Refused(RestockRefused::TooMuch))), "{too_much:?}");
    assert_eq!(world.products().find(full.id).await.unwrap().unwrap().details.price, full.details.price);
    // A new price alone needs no room.
    world.products().restock(&restocking(&full, 0, 100)).await.unwrap();

    world.write(&order.cancel(meta(20, Actor::Shop)).unwrap()).await;
    assert_eq!(world.stock_of(full.id).await, Quantity::MAX);
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_archived_or_unknown_product_cannot_be_restocked() {
    let world = World::fresh().await;
    let mut never_added = product("Nothing", 0);
    never_added.id = domain::ProductId::new(id());
    let archived = world.product(500).await;
    let mut delivery = restocking(&archived, 5, 100);
    delivery.idempotency_key = Some(key(1));
    world.products().restock(&delivery).await.unwrap();
    world.products().archive(archived.id, &domain::Actor::Shop, at(9)).await.unwrap();
    for gone in [&never_added, &archived] {
        let refused = world.products().restock(&restocking(gone, 5, 100)).await;
        assert!(matches!(refused, Err(WriteError::Refused(RestockRefused::Unknown))), "{refused:?}");
    }
    // A restocking from before the archiving is still acknowledged.
    world.products().restock(&delivery).await.unwrap();
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_adds_with_the_same_key_add_one_product() {
    let world = World::with_pool(8).await;
    let ids = concurrently(8, |_| {
        let database = world.database.clone();
        let new = NewProduct { product: product("Disc", 500), by: Actor::Shop, idempotency_key: Some(key(1)) };
        async move { ProductRepository::add(&database, &new).await.unwrap() }
    })
    .await;
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    assert_eq!(world.products().list(&ProductQuery::default()).await.unwrap().total, 1);
    assert_eq!(world.count("SELECT count(*) FROM stock_ledger"), 1);
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_product_without_stock_has_an_empty_ledger() {
    let world = World::fresh().await;
    world.product(0).await;
    assert_eq!(world.count("SELECT count(*) FROM stock_ledger"), 0);
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn restocking_does_not_lock_the_product_while_it_counts_orders() {
    let world = World::fresh().await;
    let product = world.product(500).await;
    // Counting the orders has to wait for this lock.
    let mut counting = world.raw();
    diesel::connection::SimpleConnection::batch_execute(
        &mut counting,
        "BEGIN; LOCK TABLE orders IN ACCESS EXCLUSIVE MODE",
    )
    .unwrap();
    let (products, delivery) = (world.database.clone(), restocking(&product, 10, 12_999));
    let restocking = tokio::spawn(async move { ProductRepository::restock(&products, &delivery).await });
    let waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'orders'::regclass";
    for _ in 0..200 {
        if world.count(waiting) > 0 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    assert_eq!(world.count(waiting), 1);
    world.sql(&format!("SELECT FROM products WHERE id = '{}' FOR UPDATE NOWAIT", product.id));
    diesel::connection::SimpleConnection::batch_execute(&mut counting, "ROLLBACK").unwrap();
    restocking.await.unwrap().unwrap();
    assert_eq!(world.stock_of(product.id).await, 510);
}

#[tokio::test(flavor = "multi_thread")]
async fn units_that_orders_may_return_limit_a_correction_too() {
    let world = World::fresh().await;
    let customer = world.customer("customer@example.com").await;
    let product = world.product(500).await;
    let order = world.fifty(&customer, &product).await;
    let correction = |delta: i64, idempotency_key| StockCorrection {
        product: product.id,
        delta: StockDelta::new(delta).unwrap(),
        reason: CorrectionReason::Found,
        note: None,
        by: Actor::Shop,
        at: at(60),
        idempotency_key,
    };
    let most = i64::from(Quantity::MAX);
    for (delta, fits) in [(most - 499, false), (most - 500, true), (1, false)] {
        let corrected = world.products().correct(&correction(delta, None)).await;
        assert!(matches!(corrected, Ok(_) | Err(WriteError::Refused(CorrectStockRefused::TooMuch))), "{corrected:?}");
        assert_eq!(corrected.is_ok(), fits, "{delta}");
    }
    world.write(&order.cancel(meta(70, Actor::Shop)).unwrap()).await;
    for _ in 0..3 {
        assert_eq!(world.products().correct(&correction(-400, Some(key(4)))).await.unwrap().get(), 999_999_600);
    }
    let too_many = world.products().correct(&correction(-999_999_601, None)).await;
    assert!(
        matches!(too_many, Err(WriteError::Refused(CorrectStockRefused::NotEnough { left })) if left.get() == 999_999_600)
    );
    world.refuses("UPDATE stock_corrections SET delta = 1", "append-only");
    world.refuses(
        "INSERT INTO stock_ledger (product_id, delta, kind, at) SELECT id, 0, 'corrected', now() FROM products",
        "stock_ledger_entry_makes_sense",
    );
    world.assert_sound();
}
