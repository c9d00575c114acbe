//! How much the statements of a search read. They are composed for each query, so they are judged by what the tables say was read.

use diesel::connection::SimpleConnection;
use ports::{Pagination, ProductQuery};

use crate::world::World;

const TABLES: [&str; 5] = ["products", "part_numbers", "product_search", "fitments", "product_positions"];

/// How often tables of this shop were read from their beginning, and how many of their rows were read in any way.
fn read_so_far(world: &World) -> [i64; 2] {
    let tables = TABLES.map(|table| format!("'{table}'")).join(", ");
    let count = |what: &str| {
        let of = format!("FROM pg_stat_user_tables WHERE relname IN ({tables})");
        world.count(&format!("SELECT coalesce(sum({what}), 0)::bigint {of}"))
    };
    [count("seq_scan"), count("seq_tup_read + idx_tup_fetch")]
}

/// What is asked, and how many rows may be read for it: some hundreds, where the shop has 20,000 products, 80,000 numbers and
/// 400,000 fitments.
fn questions() -> Vec<(&'static str, ProductQuery, i64)> {
    let page = || ProductQuery { page: Pagination::first(24), ..ProductQuery::default() };
    let search = |text: &str| ProductQuery { search: Some(text.to_owned()), ..page() };
    let number = |text: &str| ProductQuery { number: Some(text.to_owned()), ..page() };
    vec![
        // Trigrams are not asked for a plain comparison.
        ("an exact number", number("DL-777-1"), 100),
        ("the beginning of a number", number("DL-1999"), 1_000),
        ("a misread number", number("DLI2O91"), 1_000),
        // The value is a parameter: a subselect would make it read all numbers.
        ("a number with a slip", number("DL1X7771"), 1_000),
        // One set of numbers, and not one or another, or every product is asked.
        ("what has a number, and what has it among its words", search("dl7771"), 1_000),
        // What is found is gathered before it is sorted, or the newest products are read until enough have the word.
        ("a rare word", search("dl19999"), 100),
        ("two words in any order", search("brakes dl19998"), 1_000),
    ]
}

/// A filled shop, on one connection, because its statistics are written when it closes.
async fn filled() -> World {
    let world = World::with_pool(1).await;
    world.raw().batch_execute(include_str!("filled_shop.sql")).unwrap();
    world.raw().batch_execute(&format!("VACUUM (ANALYZE) {}, part_types, brands", TABLES.join(", "))).unwrap();
    world
}

/// Asserts that no table was read from its beginning, nor more than `most` rows, since `before`.
async fn assert_read(world: &World, what: &str, most: i64, before: [i64; 2]) {
    world.sql(
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'driveline'",
    );
    while world.database.ping().await.is_err() {}
    let after = read_so_far(world);
    let [whole, rows] = [after[0] - before[0], after[1] - before[1]];
    assert!(rows <= most, "{what}: {rows} rows were read");
    assert_eq!(whole, 0, "{what}: a table was read from its beginning");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_reads_what_it_finds_and_not_the_shop() {
    let world = filled().await;
    for (what, query, most) in questions() {
        let before = read_so_far(&world);
        assert!(world.search().search(&query).await.unwrap().total > 0, "{what}: nothing was found");
        world.search().facets(&query).await.unwrap();
        world.search().candidates(&query).await.unwrap();
        assert_read(&world, what, most, before).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn positions_of_a_part_type_are_read_by_its_products_alone() {
    let world = filled().await;
    let before = read_so_far(&world);
    assert!(!world.search().placed(&["Type 5".to_owned()]).await.unwrap().is_empty());
    assert_read(&world, "positions", 500, before).await;
}
