//! Which part fits which vehicle: what is entered, what is listed, and that both say the same.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use diesel::connection::SimpleConnection;
use domain::{
    Actor, Day, Edit, EngineNo, FactsEdit, Fit, PerVehicle, Position, Product, ProductEdit, ProductId, Text, VehicleNo,
    Verdict, WantedVehicle,
};
use ports::{
    Editing, FitFilter, FitmentRepository, FitsAtLeast, NewFitment, Pagination, ProductQuery, ProductSort, SortOrder,
};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use crate::world::{World, at, price, product};

const VEHICLE: VehicleNo = VehicleNo::new(7);
const OTHER: VehicleNo = VehicleNo::new(8);

fn text<const MAX: usize>(text: &str) -> Text<MAX> {
    Text::new(text).unwrap()
}

fn fitments(world: &World) -> &dyn FitmentRepository {
    &world.database
}

/// That a part fits a vehicle: with the engine of this number (0 is any), under this condition if it is not empty.
fn said(vehicle: VehicleNo, engine: i32, condition: &str, position: Option<Position>) -> NewFitment {
    NewFitment {
        vehicle,
        engine: (engine > 0).then(|| EngineNo::new(engine)),
        position,
        per_vehicle: PerVehicle::ONE,
        condition: (!condition.is_empty()).then(|| text(condition)),
    }
}

async fn set(world: &World, product: &Product, wanted: &[NewFitment], second: i64) -> Option<()> {
    fitments(world).set_by_hand(product.id, wanted, Day::of(at(second))).await.unwrap()
}

fn wanted(engines: &[i32], engine: i32) -> WantedVehicle {
    let engines = engines.iter().copied().map(EngineNo::new).collect();
    WantedVehicle::new(VEHICLE, engines, (engine > 0).then(|| EngineNo::new(engine))).unwrap()
}

async fn fit(world: &World, product: ProductId, wanted: &WantedVehicle) -> Fit {
    let mut known = fitments(world).of_vehicle(&[product], wanted.vehicle()).await.unwrap();
    Fit::of(known.remove(&product).unwrap(), wanted)
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_entered_reads_back_and_replaces_what_was_entered_before() {
    let world = World::fresh().await;
    let part = world.add(product("Disc", 500)).await;
    assert_eq!(fitments(&world).of_product(part.id).await.unwrap(), Some(Vec::new()));
    let mut front = said(VEHICLE, 3, "carbon version", Some(Position::FrontLeft));
    front.per_vehicle = PerVehicle::new(4).unwrap();
    let plain = said(OTHER, 0, "", None);
    set(&world, &part, &[plain.clone(), front.clone()], 0).await.unwrap();
    let read = fitments(&world).of_product(part.id).await.unwrap().unwrap();
    let [first, second] = read.as_slice() else { panic!("{read:?}") };
    assert_eq!((first.vehicle, second.vehicle), (VEHICLE, OTHER));
    assert!(first.by_hand && second.by_hand);
    let fitment = &first.fitment;
    assert_eq!((fitment.engine, fitment.position, fitment.per_vehicle.get()), (front.engine, front.position, 4));
    assert_eq!(fitment.condition.as_ref().unwrap().text.as_str(), "carbon version");
    assert_eq!(fitment.source.dated, Some(Day::of(at(0))));
    assert_eq!((second.fitment.engine, &second.fitment.condition, second.fitment.position), (None, &None, None));

    // A day later: what stays keeps its day.
    let new = said(OTHER, 0, "carbon version", None);
    set(&world, &part, &[plain, new], 86_400).await.unwrap();
    let read = fitments(&world).of_product(part.id).await.unwrap().unwrap();
    let days: Vec<_> = read.iter().map(|one| (one.fitment.condition.is_some(), one.fitment.source.dated)).collect();
    assert_eq!(days, [(false, Some(Day::of(at(0)))), (true, Some(Day::of(at(86_400))))]);
    assert_eq!(world.count("SELECT count(*) FROM conditions WHERE body <> ''"), 1, "a condition is kept once");
    assert_eq!(world.count("SELECT count(*) FROM fitment_sources"), 2);

    let nobody = ProductId::new(uuid::Uuid::nil());
    assert_eq!(fitments(&world).set_by_hand(nobody, &[], Day::of(at(0))).await.unwrap(), None);
    assert!(fitments(&world).of_vehicle(&[nobody], VEHICLE).await.unwrap().is_empty());
    world.products().archive(part.id, &Actor::Shop, at(9)).await.unwrap();
    assert_eq!(set(&world, &part, &[], 0).await, None);
    assert_eq!(fitments(&world).of_product(part.id).await.unwrap(), None);
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_another_source_says_stays() {
    let world = World::fresh().await;
    let part = world.add(product("Disc", 500)).await;
    world.sql("INSERT INTO fitment_sources (name) VALUES ('A maker')");
    world.sql("INSERT INTO fitments (vehicle_id, product_no, source_id) SELECT 7, no, 1 FROM products");
    set(&world, &part, &[said(VEHICLE, 0, "", None), said(OTHER, 0, "", None)], 0).await.unwrap();
    set(&world, &part, &[], 0).await.unwrap();
    let read = fitments(&world).of_product(part.id).await.unwrap().unwrap();
    let [one] = read.as_slice() else { panic!("{read:?}") };
    assert!(!one.by_hand);
    assert_eq!((one.fitment.source.name.as_str(), one.fitment.source.dated), ("A maker", None));
}

#[tokio::test(flavor = "multi_thread")]
async fn thousands_are_entered_at_once() {
    let world = World::fresh().await;
    let part = world.add(product("Disc", 500)).await;
    let many: Vec<_> =
        (1..=5_000).map(|nth| said(VehicleNo::new(nth), 0, &format!("version {}", nth % 700), None)).collect();
    set(&world, &part, &many, 0).await.unwrap();
    assert_eq!(fitments(&world).of_product(part.id).await.unwrap().unwrap().len(), 5_000);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_part_type_and_what_fits_everything_are_kept_in_step() {
    let world = World::fresh().await;
    let mut part = product("Disc", 500);
    part.details.facts.part_type = Some(text("Brake disc"));
    let part = world.add(part).await;
    set(&world, &part, &[said(VEHICLE, 0, "", None)], 0).await.unwrap();
    let of_type = |id: i32| world.count(&format!("SELECT count(*) FROM fitments WHERE part_type_id = {id}"));
    let universal = || world.count("SELECT count(*) FROM universal_products");
    assert_eq!((of_type(1), universal()), (1, 0));
    let edit = async |part_type: Option<&str>, universal: bool| {
        let part_type = Edit::Set(part_type.map(text));
        let facts = FactsEdit { part_type, universal: Some(universal), ..FactsEdit::default() };
        let wanted = ProductEdit { facts, ..ProductEdit::default() };
        let seen = ProductEdit::default();
        world.products().edit(&Editing { product: part.id, wanted, seen, by: Actor::Shop, at: at(1) }).await.unwrap()
    };
    assert!(edit(Some("Brake hose"), true).await);
    assert_eq!((of_type(4), universal()), (1, 1));
    assert!(edit(None, false).await);
    assert_eq!((of_type(0), universal()), (1, 0));
    set(&world, &part, &[said(OTHER, 0, "", None)], 0).await.unwrap();
    assert_eq!(of_type(0), 1);
    let mut everywhere = product("Wheel nut", 500);
    everywhere.details.facts.universal = true;
    world.add(everywhere).await;
    assert_eq!(universal(), 1);
}

/// Parts of whatever fitments, some without any, and some that fit everything.
async fn assorted(world: &World, runner: &mut TestRunner) -> Vec<Product> {
    let one = (
        prop_oneof![3 => Just(VEHICLE), 1 => Just(OTHER)],
        0..4_i32,
        proptest::sample::select(["", "", "carbon version", "left-hand drive"].as_slice()),
        proptest::option::of(proptest::sample::select(Position::ALL.as_slice())),
    );
    let some = proptest::collection::vec(one, 0..4);
    let mut parts = Vec::new();
    for nth in 0..60_u8 {
        let mut part = product(&format!("Part {nth}"), 40 + 10 * i64::from(nth % 3));
        part.details.price = price(500 * (i64::from(nth % 7) + 1));
        part.details.facts.universal = nth % 15 == 14;
        part.details.facts.part_type =
            (nth % 3 > 0).then(|| text(if nth % 3 == 1 { "Brake disc" } else { "Brake hose" }));
        let part = world.add(part).await;
        let rows = some.new_tree(runner).unwrap().current();
        let mut seen = BTreeSet::new();
        let mut rows: Vec<_> = rows.into_iter().map(|(v, e, c, p)| said(v, e, c, p)).collect();
        rows.retain(|row| seen.insert((row.vehicle, row.engine, row.condition.clone(), row.position)));
        set(world, &part, &rows, 0).await.unwrap();
        parts.push(part);
    }
    parts
}

/// Which verdicts a list has, in the order in which they come.
fn rank(verdict: Verdict, at_least: FitsAtLeast) -> Option<u8> {
    let (rank, allowed) = match verdict {
        Verdict::Yes | Verdict::Universal => (0, true),
        Verdict::If | Verdict::Ask => (1, at_least != FitsAtLeast::Surely),
        Verdict::Unknown => (2, at_least == FitsAtLeast::Unknown),
        Verdict::No => (3, false),
    };
    allowed.then_some(rank)
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_listed_is_what_the_verdicts_say() {
    let world = World::fresh().await;
    let mut runner = TestRunner::deterministic();
    let parts = assorted(&world, &mut runner).await;
    let numbers = world.products().numbers(&parts.iter().map(|part| part.id).collect::<Vec<_>>()).await.unwrap();
    let asked: [(&[i32], i32); 6] = [(&[1, 2], 0), (&[1, 2, 3], 0), (&[1, 2], 1), (&[1, 2, 3], 3), (&[1], 0), (&[], 0)];
    let mut seen = BTreeSet::new();
    for (engines, engine) in asked {
        let wanted = wanted(engines, engine);
        for at_least in [FitsAtLeast::Surely, FitsAtLeast::Perhaps, FitsAtLeast::Unknown] {
            let mut verdicts = HashMap::new();
            for part in &parts {
                let verdict = fit(&world, part.id, &wanted).await.verdict;
                seen.insert(verdict);
                verdicts.extend(rank(verdict, at_least).map(|rank| (part.id, rank)));
            }
            let fit = Some(FitFilter { wanted: wanted.clone(), at_least });
            let candidates = world.search().candidates(&ProductQuery { fit, ..ProductQuery::default() }).await.unwrap();
            let ranks = candidates.map(|all| all.into_iter().map(|one| (one.no, one.rank)).collect::<BTreeMap<_, _>>());
            let expected = verdicts.iter().map(|(id, rank)| (numbers[id], *rank)).collect();
            assert_eq!(ranks, (at_least != FitsAtLeast::Unknown).then_some(expected), "{wanted:?}, {at_least:?}");
            for sort in [ProductSort::Newest, ProductSort::Name, ProductSort::Price(SortOrder::Descending)] {
                let fit = Some(FitFilter { wanted: wanted.clone(), at_least });
                let mut query = ProductQuery { fit, sort, page: Pagination::first(7), ..ProductQuery::default() };
                let mut found = Vec::new();
                loop {
                    let page = world.search().search(&query).await.unwrap();
                    assert_eq!(page.total, verdicts.len() as u64, "{query:?}");
                    found.extend(page.items.into_iter().map(|hit| hit.id));
                    let Some(next) = page.next else { break };
                    query.page.after = Some(next);
                }
                let listed: BTreeSet<_> = found.iter().copied().collect();
                assert_eq!((listed.len(), &listed), (found.len(), &verdicts.keys().copied().collect()), "{query:?}");
                assert!(found.iter().map(|id| verdicts[id]).is_sorted(), "{query:?}");
                let whole = world.found(&ProductQuery { page: Pagination::whole(), ..query }).await.items;
                assert_eq!(found, whole.iter().map(|product| product.id).collect::<Vec<_>>());
            }
        }
    }
    assert_eq!(seen.len(), Verdict::ALL.len(), "{seen:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_can_be_chosen_for_a_vehicle_is_counted_as_it_is_listed() {
    let world = World::fresh().await;
    let mut runner = TestRunner::deterministic();
    assorted(&world, &mut runner).await;
    let choices = (
        proptest::option::of((
            proptest::sample::select([0, 1, 2].as_slice()),
            proptest::sample::select([FitsAtLeast::Surely, FitsAtLeast::Perhaps, FitsAtLeast::Unknown].as_slice()),
        )),
        proptest::sample::subsequence(vec!["Brake disc", "brake hose"], 0..=2),
        proptest::sample::subsequence(vec![Position::Front, Position::RearLeft, Position::Upper], 0..=2),
        proptest::option::of(Just("part 1")),
        any::<bool>(),
    );
    for _ in 0..60 {
        let (fit, part_types, positions, search, in_stock) = choices.new_tree(&mut runner).unwrap().current();
        let query = ProductQuery {
            search: search.map(ToOwned::to_owned),
            fit: fit.map(|(engine, at_least)| FitFilter { wanted: wanted(&[1, 2], engine), at_least }),
            part_types: part_types.iter().map(|name| (*name).to_owned()).collect(),
            positions,
            in_stock,
            ..ProductQuery::default()
        };
        let facets = world.search().facets(&query).await.unwrap();
        let listed = async |chosen: ProductQuery| world.found(&chosen).await.total;
        assert_eq!(facets.total, listed(query.clone()).await, "{query:?}");
        for (position, count) in &facets.positions {
            let chosen = ProductQuery { positions: vec![*position], ..query.clone() };
            assert_eq!(*count, listed(chosen).await, "{position} of {query:?}");
        }
        for value in &facets.part_types {
            let chosen = ProductQuery { part_types: vec![value.value.clone()], ..query.clone() };
            assert_eq!(value.count, listed(chosen).await, "{value:?} of {query:?}");
        }
        let chosen = ProductQuery { in_stock: true, ..query.clone() };
        assert_eq!(facets.in_stock, listed(chosen).await, "{query:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fitment_is_one_that_the_rules_know() {
    let world = World::fresh().await;
    world.add(product("Disc", 500)).await;
    world.sql("INSERT INTO fitment_sources (name) VALUES ('A maker')");
    let insert = |columns: &str, values: &str| {
        format!(
            "INSERT INTO fitments (vehicle_id, product_no, source_id, {columns}) SELECT 7, no, 1, {values} FROM products"
        )
    };
    world.refuses(&insert("position", "13"), "fitments_position_check");
    world.refuses(&insert("per_vehicle", "0"), "fitments_per_vehicle_check");
    // A condition that is not there would be none.
    world.refuses(&insert("condition_id", "9"), "fitments_condition_id_fkey");
    world.refuses("INSERT INTO conditions (body) VALUES ('')", "conditions_say_something");
    world.refuses("UPDATE conditions SET body = 'x'", "conditions_say_something");
    world
        .refuses("INSERT INTO fitment_sources (name, by_hand) VALUES ('x', true)", "fitment_sources_by_hand_are_dated");
}

#[tokio::test(flavor = "multi_thread")]
async fn coverage_counts_vehicles_once_and_only_for_what_is_for_sale() {
    let world = World::fresh().await;
    let mut parts = Vec::new();
    for name in ["One", "Two", "Three"] {
        let mut part = product(name, 500);
        part.details.facts.part_type = Some(text(if name == "Three" { "Brake hose" } else { "Brake disc" }));
        parts.push(world.add(part).await);
    }
    let rows = [said(VEHICLE, 0, "", None), said(VEHICLE, 1, "carbon version", None), said(OTHER, 0, "", None)];
    set(&world, &parts[0], &rows, 0).await.unwrap();
    set(&world, &parts[1], &rows[..1], 0).await.unwrap();
    set(&world, &parts[2], &rows[..1], 0).await.unwrap();
    let makes = [(VEHICLE, 1), (OTHER, 2), (VehicleNo::new(9), 2)];
    let coverage = async || {
        let all = fitments(&world).coverage(&makes).await.unwrap();
        all.into_iter().map(|of| (of.part_type.id, of.universal, of.vehicles)).collect::<Vec<_>>()
    };
    let hose = || (4, false, HashMap::from([(1, 1)]));
    assert_eq!(coverage().await, [(1, false, HashMap::from([(1, 1), (2, 1)])), hose()]);
    world.products().archive(parts[0].id, &Actor::Shop, at(9)).await.unwrap();
    assert_eq!(coverage().await, [(1, false, HashMap::from([(1, 1)])), hose()]);
    world.sql("UPDATE products SET universal = true WHERE name = 'Two'");
    assert_eq!(coverage().await, [(1, true, HashMap::from([(1, 1)])), hose()]);
}

/// How often fitments were read from beginning to end, by their key, and product by product.
fn read_so_far(world: &World) -> [i64; 3] {
    let index = |name: &str| {
        world.count(&format!(
            "SELECT coalesce(sum(idx_scan), 0)::bigint FROM pg_stat_user_indexes WHERE indexrelname = '{name}'"
        ))
    };
    let whole = "SELECT coalesce(sum(seq_scan), 0)::bigint FROM pg_stat_user_tables WHERE relname = 'fitments'";
    [world.count(whole), index("fitments_pkey"), index("fitments_of")]
}

#[tokio::test(flavor = "multi_thread")]
async fn a_vehicles_parts_of_a_type_are_found_by_the_key_alone() {
    // One connection, because its statistics are written when it closes.
    let world = World::with_pool(1).await;
    {
        let mut connection = world.raw();
        connection.batch_execute(include_str!("filled_shop.sql")).unwrap();
        connection.batch_execute("VACUUM (ANALYZE) fitments, products, universal_products, part_types").unwrap();
    }
    let before = read_so_far(&world);
    for engines in [[1, 2, 3].as_slice(), &[]] {
        for at_least in [FitsAtLeast::Surely, FitsAtLeast::Perhaps] {
            let fit = Some(FitFilter { wanted: wanted(engines, 0), at_least });
            let part_types = vec!["Type 5".to_owned()];
            let page = Pagination::batch(24, None);
            let query = ProductQuery { fit, part_types, page, ..ProductQuery::default() };
            world.search().search(&query).await.unwrap();
            world.search().search(&ProductQuery { part_types: Vec::new(), ..query }).await.unwrap();
        }
    }
    world.sql(
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'driveline'",
    );
    while world.database.ping().await.is_err() {}
    let [whole, by_key, by_product] = read_so_far(&world);
    assert_eq!([whole, by_product], [before[0], before[2]]);
    assert!(by_key >= before[1] + 8, "{by_key}");
}
