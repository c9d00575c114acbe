//! Where parts belong on vehicles is kept in step with their fitments, whoever writes them.

use diesel::connection::SimpleConnection;
use domain::{Position, Text};
use ports::{Candidate, ProductQuery};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use crate::world::{World, product};

/// Products whose row is not what their fitments say.
const OUT_OF_STEP: &str = "SELECT count(*) FROM product_positions AS placed FULL JOIN (
        SELECT product_no, bit_or(1 << position) AS positions FROM fitments WHERE position > 0 GROUP BY product_no
    ) AS said USING (product_no)
    WHERE placed.positions IS DISTINCT FROM said.positions";

const PRODUCTS: i32 = 3;

async fn with_products() -> World {
    let world = World::fresh().await;
    for nth in 1..=PRODUCTS {
        world.add(product(&format!("Part {nth}"), 500)).await;
    }
    world.sql("INSERT INTO fitment_sources (name) VALUES ('A maker')");
    world
}

fn add(product: i32, vehicle: i32, position: i16) -> String {
    format!(
        "INSERT INTO fitments (vehicle_id, product_no, position, source_id) VALUES ({vehicle}, {product}, {position}, 1) \
        ON CONFLICT DO NOTHING;"
    )
}

fn take(product: i32, vehicle: i32) -> String {
    format!("DELETE FROM fitments WHERE product_no = {product} AND vehicle_id <= {vehicle};")
}

#[tokio::test(flavor = "multi_thread")]
async fn positions_follow_what_is_added_and_taken() {
    let world = with_products().await;
    let mut runner = TestRunner::deterministic();
    let added = (1..=PRODUCTS, 1..4_i32, 0..=3_i16).prop_map(|(product, vehicle, place)| add(product, vehicle, place));
    let taken = (1..=PRODUCTS, 1..4_i32).prop_map(|(product, vehicle)| take(product, vehicle));
    let step = prop_oneof![3 => added, 1 => taken];
    for _ in 0..200 {
        let step = step.new_tree(&mut runner).unwrap().current();
        world.sql(&step);
        assert_eq!(world.count(OUT_OF_STEP), 0, "{step}");
    }
    assert!(world.count("SELECT count(*) FROM product_positions") > 0);
}

/// One takes the last fitment at a position while the other adds one there: what is left is what the fitments say, whoever comes
/// first.
#[tokio::test(flavor = "multi_thread")]
async fn positions_survive_two_who_write_at_once() {
    let world = with_products().await;
    for taken_first in [true, false] {
        world.sql("TRUNCATE fitments, product_positions");
        world.sql(&add(1, 1, 2));
        let [first, second] = if taken_first { [take(1, 1), add(1, 2, 2)] } else { [add(1, 2, 2), take(1, 1)] };
        let mut one = world.raw();
        one.batch_execute(&format!("BEGIN; {first}")).unwrap();
        let mut other = world.raw();
        let waiting = std::thread::spawn(move || other.batch_execute(&second).unwrap());
        let waits =
            "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
        for _ in 0..500 {
            if world.count(waits) > 0 {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
        assert_eq!(world.count(waits), 1, "they did not meet");
        one.batch_execute("COMMIT").unwrap();
        waiting.join().unwrap();
        assert_eq!(world.count(OUT_OF_STEP), 0, "taken first: {taken_first}");
        assert_eq!(world.count("SELECT positions::bigint FROM product_positions"), i64::from(Position::Rear.bit()));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn positions_of_a_part_type_count_every_product_once() {
    let world = World::fresh().await;
    for (name, positions) in [("One", [1, 2].as_slice()), ("Two", &[1, 1]), ("Three", &[0]), ("Four", &[])] {
        let mut part = product(name, 500);
        part.details.facts.part_type = Some(Text::new("Brake disc").unwrap());
        world.add(part).await;
        world.sql("INSERT INTO fitment_sources (name) VALUES ('A maker')");
        for (vehicle, position) in (1..).zip(positions) {
            world.sql(&format!(
                "INSERT INTO fitments (vehicle_id, part_type_id, product_no, position, source_id) \
                SELECT {vehicle}, 1, max(no), {position}, 1 FROM products"
            ));
        }
    }
    let query = ProductQuery { part_types: vec!["Brake disc".to_owned()], ..ProductQuery::default() };
    let counted = [(Position::Front, 2), (Position::Rear, 1)];
    assert_eq!(world.search().facets(&query).await.unwrap().positions, counted);
    let front = ProductQuery { positions: vec![Position::Front], ..query.clone() };
    assert_eq!(world.found(&front).await.total, 2);
    // Its own choice does not narrow it.
    assert_eq!(world.search().facets(&front).await.unwrap().positions, counted);
    // The same for whoever counts by himself.
    let mut placed = world.search().placed(&query.part_types).await.unwrap();
    placed.sort_unstable_by_key(|placed| placed.no);
    let of = |placed: Candidate| placed.positions;
    assert_eq!(
        placed.into_iter().map(of).collect::<Vec<_>>(),
        [Position::Front.bit() | Position::Rear.bit(), Position::Front.bit()]
    );
}
