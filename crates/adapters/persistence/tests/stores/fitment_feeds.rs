//! Feeds of fitments: what they add, take away and leave alone, and what is found in them.

use std::fmt::Write as _;
use std::sync::Arc;

use domain::feeds::columns::Column;
use domain::{Day, EngineNo, FeedConsent, FeedKind, FeedMode, FeedState, PerVehicle, Product, VehicleNo};
use ports::{
    Feed, FeedRepository, FeedWork, FitmentRepository, MeantEngine, MeantVehicles, NamedVehicles, NewFitment,
    UnknownNames, VehicleNames,
};

use crate::feeds::{RULES, counts, find, ids, new, part, run};
use crate::world::{World, at};

/// Knows Toyota alone: each year of any model is the vehicle of that number, beyond ten thousands that end the model's name,
/// with a `2.5L` engine.
pub(crate) struct Toyotas;

impl VehicleNames for Toyotas {
    fn meant(&self, named: &NamedVehicles) -> Result<MeantVehicles, UnknownNames> {
        if named.make != "Toyota" {
            return Err(UnknownNames { column: Column::Make, message: format!("We don't know {}.", named.make) });
        }
        let model = named.model.rsplit(' ').next().and_then(|last| last.parse::<i32>().ok()).unwrap_or_default();
        let of_year = |year: i16| {
            let vehicle = model * 10_000 + i32::from(year);
            let engine = match named.engine.as_deref() {
                None => MeantEngine::Any,
                Some("2.5L") => MeantEngine::One(EngineNo::new(vehicle * 100)),
                Some(_) => MeantEngine::None,
            };
            (VehicleNo::new(vehicle), engine)
        };
        let vehicles = (named.years.first()..=named.years.last()).map(of_year).collect();
        Ok(MeantVehicles { vehicles, lacks_engine: named.engine.as_deref() == Some("9.9L") })
    }
}

pub(crate) fn names() -> Arc<dyn VehicleNames> {
    Arc::new(Toyotas)
}

const HEADER: &str =
    "brand,part_number,make,model,year_from,year_to,engine,submodel,position,per_vehicle,condition,action";

async fn fitment(world: &World, mode: FeedMode, rows: &[&str]) -> Feed {
    let mut file = format!("{HEADER}\n");
    for row in rows {
        let _ = writeln!(file, "Acme,{row}");
    }
    run(world, &ports::NewFeed { name: Some("acme.csv".to_owned()), ..new(FeedKind::Fitment, mode, false) }, &file)
        .await
}

async fn partial(world: &World, feed: &Feed) -> Feed {
    let consent = FeedConsent { partial: true, confirm_archived: Some(feed.counts.archived) };
    FeedRepository::apply(&world.database, feed.id, consent).await.unwrap();
    world.database.work(RULES, ids(), names()).await.unwrap();
    find(world, feed.id).await.feed
}

/// Vehicle, engine, condition, pieces and source of each fitment, in their order.
async fn said(world: &World, product: &Product) -> Vec<String> {
    let all = FitmentRepository::of_product(&world.database, product.id).await.unwrap().unwrap();
    let mut said: Vec<String> = all
        .iter()
        .map(|one| {
            let fitment = &one.fitment;
            let engine = fitment.engine.map_or(0, EngineNo::get);
            let condition = fitment.condition.as_ref().map_or("", |condition| condition.text.as_str());
            let source = fitment.source.name.as_str();
            format!("{} {engine} [{condition}] {} {source}", one.vehicle.get(), fitment.per_vehicle.get())
        })
        .collect();
    said.sort();
    said
}

async fn by_hand(world: &World, product: &Product, vehicles: &[i32]) {
    let one = |vehicle: &i32| NewFitment {
        vehicle: VehicleNo::new(*vehicle),
        engine: None,
        position: None,
        per_vehicle: PerVehicle::ONE,
        condition: None,
    };
    let fitments: Vec<NewFitment> = vehicles.iter().map(one).collect();
    FitmentRepository::set_by_hand(&world.database, product.id, &fitments, Day::of(at(0))).await.unwrap().unwrap();
}

/// The findings as line, reason and message.
async fn findings(world: &World, feed: &Feed) -> Vec<(u64, String, String)> {
    let found = find(world, feed.id).await.findings;
    found.into_iter().map(|one| (one.line, one.reason, one.message)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_add_and_remove_by_what_they_say_and_the_feed_is_the_source() {
    let world = World::fresh().await;
    let one = part(&world, "Acme", "1", 500).await;
    let rows = ["1,Toyota,Camry,2010,2011,2.5L,,,2,,", "1,Toyota,Camry,2012,,carbon roof,LE,,,not in Canada,A"];
    let feed = fitment(&world, FeedMode::Update, &rows).await;
    assert_eq!((feed.state, counts(&feed)), (FeedState::Applied, [2, 2, 0, 0, 0, 0]), "{feed:?}");
    assert_eq!(
        said(&world, &one).await,
        [
            "2010 201000 [] 2 acme.csv",
            "2011 201100 [] 2 acme.csv",
            "2012 0 [carbon roof; LE; not in Canada] 1 acme.csv"
        ]
    );
    assert_eq!(world.count("SELECT count(*) FROM fitment_sources WHERE dated IS NOT NULL AND NOT by_hand"), 1);
    let again = fitment(&world, FeedMode::Update, &rows).await;
    assert_eq!(counts(&again), [2, 0, 0, 2, 0, 0]);
    assert_eq!(world.count("SELECT count(*) FROM fitment_sources"), 1, "what changes nothing is no source");

    // 2011 is taken away and 2010 is changed; what is added in the same file is not taken away.
    let rows = [
        "1,Toyota,Camry,2010,2011,2.5L,,,,,D",
        "1,Toyota,Camry,2010,,2.5L,,,4,,A",
        "1,Toyota,Camry,2013,,,,,,,A",
        "1,Toyota,Camry,1990,1999,,,,,,D",
    ];
    let feed = fitment(&world, FeedMode::Update, &rows).await;
    assert_eq!((feed.state, counts(&feed)), (FeedState::Checked, [4, 1, 2, 0, 1, 0]), "{feed:?}");
    assert_eq!(findings(&world, &feed).await[0].0, 5);
    let changes = find(&world, feed.id).await.changes;
    let field = |name: &str, old: &str, new: &str| (name.to_owned(), Some(old.to_owned()), Some(new.to_owned()));
    assert_eq!(changes[0].fields, [field("vehicles", "1", "")]);
    assert_eq!(changes[1].fields, [field("per_vehicle", "2", "4")]);
    assert_eq!(partial(&world, &feed).await.state, FeedState::Applied);
    assert_eq!(
        said(&world, &one).await,
        ["2010 201000 [] 4 acme.csv", "2012 0 [carbon roof; LE; not in Canada] 1 acme.csv", "2013 0 [] 1 acme.csv"]
    );
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn replacing_takes_away_what_earlier_feeds_brought_and_leaves_what_was_entered_by_hand() {
    let world = World::fresh().await;
    let (one, two) = (part(&world, "Acme", "1", 500).await, part(&world, "Acme", "2", 500).await);
    let other = part(&world, "Best", "1", 500).await;
    by_hand(&world, &one, &[2000, 2010]).await;
    let file = format!("{HEADER}\nBest,1,Toyota,Camry,2010,,,,,,,\n");
    run(&world, &new(FeedKind::Fitment, FeedMode::Update, false), &file).await;
    fitment(&world, FeedMode::Update, &["1,Toyota,Camry,2010,2014,,,,,,", "2,Toyota,Camry,2010,2012,,,,,,"]).await;
    assert_eq!(said(&world, &one).await[..2], ["2000 0 [] 1 Entered by the shop", "2010 0 [] 1 Entered by the shop"]);

    let rows = ["1,Toyota,Camry,2011,2013,,,,,,", "1,Toyota,Camry,2020,,,,,,,"];
    let feed = fitment(&world, FeedMode::Replace, &rows).await;
    assert_eq!((feed.state, counts(&feed)), (FeedState::Checked, [2, 1, 0, 1, 0, 4]), "{feed:?}");
    assert!(feed.archives_much, "four of seven");
    assert_eq!(partial(&world, &feed).await.state, FeedState::Applied);
    assert_eq!(
        said(&world, &one).await.iter().map(|said| &said[..4]).collect::<Vec<_>>(),
        ["2000", "2010", "2011", "2012", "2013", "2020"]
    );
    assert_eq!(said(&world, &two).await, [] as [String; 0]);
    assert_eq!(said(&world, &other).await.len(), 1, "another brand's");

    // A refused row may be about any of its part's vehicles.
    let feed = fitment(&world, FeedMode::Replace, &["1,Lada,Niva,2011,,,,,,,"]).await;
    assert_eq!(counts(&feed), [1, 0, 0, 0, 1, 0]);
    // What was entered by hand is not taken away by a row either.
    let feed = fitment(&world, FeedMode::Update, &["1,Toyota,Camry,2000,,,,,,,D"]).await;
    assert_eq!(counts(&feed), [1, 0, 0, 0, 1, 0]);
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_says_the_same_or_overlaps_is_noted_and_applied() {
    let world = World::fresh().await;
    let one = part(&world, "Acme", "1", 500).await;
    for number in ["2", "3"] {
        part(&world, "Acme", number, 500).await;
    }
    world.sql(
        "INSERT INTO part_types (name, name_key, category) VALUES ('Test disc', 'test disc', 'BRAKES');
        UPDATE products SET part_type_id = (SELECT id FROM part_types WHERE name_key = 'test disc')",
    );
    let rows = [
        "1,Toyota,Camry,2010,2012,,,front,,,",
        "1,Toyota,Camry,2012,2013,,,front,2,,",
        "2,Toyota,Camry,2010,,,,front,,,",
        "3,Toyota,Camry,2011,,,,front,,carbon,",
        "3,Toyota,Camry,2010,,,,rear,,,",
        "3,Toyota,Camry,2009,,9.9L,,,,,",
    ];
    let feed = fitment(&world, FeedMode::Update, &rows).await;
    assert_eq!((feed.state, counts(&feed)), (FeedState::Applied, [6, 6, 0, 0, 0, 0]), "{feed:?}");
    let found = findings(&world, &feed).await;
    let of: Vec<(u64, &str)> = found.iter().map(|(line, reason, _)| (*line, reason.as_str())).collect();
    assert_eq!(
        of,
        [(2, "comment"), (2, "overlap"), (3, "repeated"), (4, "overlap"), (5, "comment"), (7, "engine")],
        "{found:?}"
    );
    let message = |line: u64, reason: &str| {
        found.iter().find(|one| one.0 == line && one.1 == reason).map(|one| one.2.clone()).unwrap_or_default()
    };
    assert_eq!(message(2, "overlap"), "Line 4 has another part of this type for the same place of the same vehicle.");
    assert_eq!(message(4, "overlap"), "Line 2 has another part of this type for the same place of the same vehicle.");
    assert_eq!(
        message(2, "comment"),
        "Line 5 has another part for the same place of the same vehicle, under a condition."
    );
    assert_eq!(
        message(5, "comment"),
        "Line 2 has another part for the same place of the same vehicle, without a condition."
    );
    assert_eq!(message(3, "repeated"), "Line 2 says the same of this part and vehicle.");
    // The first of two rows counts.
    assert_eq!(said(&world, &one).await[2], "2012 0 [] 1 acme.csv");
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_parts_and_vehicles_refuse_their_rows_alone() {
    let world = World::fresh().await;
    let one = part(&world, "Acme", "1", 500).await;
    let rows = ["1,Toyota,Camry,2010,,,,,,,", "9,Toyota,Camry,2010,,,,,,,", "1,Lada,Niva,2010,,,,,,,"];
    let feed = fitment(&world, FeedMode::Update, &rows).await;
    assert_eq!((feed.state, counts(&feed)), (FeedState::Checked, [3, 1, 0, 0, 2, 0]), "{feed:?}");
    let reasons: Vec<String> = findings(&world, &feed).await.into_iter().map(|(_, reason, _)| reason).collect();
    assert_eq!(reasons, ["unknown", "vehicle"]);
    assert_eq!(partial(&world, &feed).await.state, FeedState::Applied);
    assert_eq!(said(&world, &one).await, ["2010 0 [] 1 acme.csv"]);
}
