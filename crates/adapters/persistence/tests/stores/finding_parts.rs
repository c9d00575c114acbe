//! Finding parts by numbers, words and facts, and counting what can be chosen.

use diesel::prelude::*;
use diesel::sql_types::{Nullable, Text as SqlText};
use domain::{
    Actor, Edit, EditRefused, FactsEdit, NumberKind, PackSize, PartFacts, PartKey, PartNumber, PartRefused, Product,
    ProductEdit, ProductId, Size, Text,
};
use ports::contract::searching::{self, Shop, attribute, number, numbered, search, text};
use ports::{
    AttributeFilter, AttributeMatch, CatalogSearch, Editing, EntryRefused, NewProduct, PartRepository, ProductQuery,
    ProductRepository, WriteError,
};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use crate::world::{World, at, product};

/// A part of a brand, under a number.
fn part(name: &str, brand: &str, number: &str) -> Product {
    let mut part = product(name, 500);
    part.details.part_number = Some(text(number));
    part.details.facts = PartFacts { brand: Some(text(brand)), ..PartFacts::NONE };
    part
}

/// What a query finds: names, each with why.
async fn hits(world: &World, query: &ProductQuery) -> Vec<(String, Option<String>)> {
    let hits = world.search().search(query).await.unwrap().items;
    let ids: Vec<ProductId> = hits.iter().map(|hit| hit.id).collect();
    let products = world.products().find_all(&ids, query.archived).await.unwrap();
    let name = |id| products.iter().find(|product| product.id == id).unwrap().details.name.to_string();
    hits.into_iter().map(|hit| (name(hit.id), hit.via.map(|via| via.to_string()))).collect()
}

async fn names(world: &World, query: &ProductQuery) -> Vec<String> {
    world.found(query).await.items.into_iter().map(|product| product.details.name.into_string()).collect()
}

async fn set(world: &World, part: &Product, numbers: &[PartNumber]) -> Result<Option<()>, PartRefused> {
    match world.parts().set_numbers(part.id, numbers).await {
        Ok(done) => Ok(done),
        Err(WriteError::Refused(refused)) => Err(refused),
        Err(WriteError::Store(error)) => panic!("{error}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_database_and_the_program_compare_numbers_alike() {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = Nullable<SqlText>)]
        key: Option<String>,
        #[diesel(sql_type = Nullable<SqlText>)]
        loose: Option<String>,
    }
    let world = World::fresh().await;
    let mut connection = world.raw();
    let mut runner = TestRunner::deterministic();
    let written = "[-A-Za-z0-9 ./_АаВвСсХхαβΒΥµÄßﬁＡ１²]{0,60}";
    let mut all: Vec<String> =
        vec!["6178-4B40 40b2.".to_owned(), "O0Q-il1zsbg".to_owned(), "A".repeat(49), "--".to_owned()];
    for _ in 0..400 {
        all.push(written.new_tree(&mut runner).unwrap().current());
    }
    for written in all {
        let row: Row = diesel::sql_query("SELECT part_key($1) AS key, part_loose(part_key($1)) AS loose")
            .bind::<SqlText, _>(&written)
            .get_result(&mut connection)
            .unwrap();
        let key = PartKey::new(&written).ok();
        assert_eq!(row.key.as_deref(), key.as_ref().map(PartKey::as_str), "{written:?}");
        assert_eq!(row.loose, key.map(|key| key.loose()), "{written:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_archived_part_leads_to_the_one_that_replaces_it_through_eight_and_no_more() {
    let world = World::fresh().await;
    let mut parts = Vec::new();
    for nth in 0..10 {
        parts.push(world.add(part(&format!("Pump {nth}"), "Driveline", &format!("WP-100{nth}"))).await);
    }
    for nth in 1..9 {
        let superseded = number(NumberKind::Superseded, &format!("WP-100{}", nth - 1), None);
        set(&world, &parts[nth], &[superseded]).await.unwrap().unwrap();
        assert!(world.products().archive(parts[nth - 1].id, &Actor::Shop, at(60)).await.unwrap());
    }
    assert_eq!(world.parts().successor(parts[0].id).await.unwrap(), Some(parts[8].id));
    assert_eq!(world.parts().successor(parts[8].id).await.unwrap(), None);
    for asked in ["WP1000", "WP 1005"] {
        let found = hits(&world, &numbered(asked)).await;
        assert_eq!(found.len(), 1, "{asked}");
        assert_eq!(found[0].0, "Pump 8");
        assert!(found[0].1.as_deref().unwrap().starts_with("replaces WP-100"), "{found:?}");
    }
    let ninth = set(&world, &parts[9], &[number(NumberKind::Superseded, "WP-1008", None)]).await;
    assert_eq!(ninth, Err(PartRefused::ChainTooLong));
    let itself = set(&world, &parts[9], &[number(NumberKind::Superseded, "WP-1009", None)]).await;
    assert_eq!(itself, Err(PartRefused::ChainTooLong));
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_brand_sells_a_number_once_and_another_brand_may_sell_it_too() {
    let world = World::fresh().await;
    world.add(part("One", "Driveline", "DL-1")).await;
    world.add(part("Other brand", "Bosch", "DL-1")).await;
    let again = NewProduct { product: part("Two", "DRIVELINE", "dl 1"), by: Actor::Shop, idempotency_key: None };
    let refused = world.products().add(&again).await;
    assert!(matches!(refused, Err(WriteError::Refused(PartRefused::NumberTaken { .. }))));
    assert_eq!(world.products().list(&ProductQuery::default()).await.unwrap().total, 2, "nothing of it stays");
    let two = world.add(part("Two", "Driveline", "DL-2")).await;
    let own = set(&world, &two, &[number(NumberKind::Own, "DL-1", None)]).await;
    assert!(matches!(own, Err(PartRefused::NumberTaken { brand }) if brand == "Driveline"));
    set(&world, &two, &[number(NumberKind::Own, "DL-3", None)]).await.unwrap().unwrap();
    assert_eq!(names(&world, &numbered("dl3")).await, ["Two"]);
    assert_eq!(hits(&world, &numbered("Bosch DL1")).await.len(), 1);
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_without_trigrams_finds_all_but_slips() {
    let world = World::fresh().await;
    world.add(part("Front brake disc", "Driveline", "DL-BD-3120")).await;
    assert!(world.search().forgives_slips().await.unwrap());
    world.sql("DROP EXTENSION pg_trgm CASCADE");
    assert!(!world.search().forgives_slips().await.unwrap());
    for query in [search("disc brake"), search("3120"), numbered("dlbd3120"), numbered("DLBD3I2O"), numbered("dlbd")] {
        assert_eq!(names(&world, &query).await, ["Front brake disc"], "{query:?}");
    }
    for query in [search("brakke disk"), numbered("DLBD9120")] {
        assert_eq!(names(&world, &query).await, [] as [&str; 0], "{query:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
#[expect(clippy::too_many_lines, reason = "a table of filters")]
async fn facts_read_back_are_edited_and_found() {
    let world = World::fresh().await;
    let mut disc = part("Front disc", "Driveline", "DL-1");
    disc.details.facts = PartFacts {
        part_type: Some(text("brake disc")),
        universal: true,
        pack_size: PackSize::new(2).unwrap(),
        weight: Size::new(9_000).ok(),
        height: Size::new(80).ok(),
        tax_class: domain::TaxClass::None,
        attributes: vec![attribute("Diameter", "31.2 cm"), attribute("Vented", "yes"), attribute("Coating", "zinc")],
        ..disc.details.facts
    };
    let disc = world.add(disc).await;
    let read = world.products().find(disc.id).await.unwrap().unwrap();
    assert_eq!(read.details.facts.part_type.as_ref().map(Text::as_str), Some("Brake disc"));
    assert_eq!(read.details.facts.tax_class, domain::TaxClass::None);
    assert_eq!(read.details.facts.attributes, disc.details.facts.attributes);
    assert_eq!((read.details.facts.pack_size.get(), read.details.facts.weight), (2, disc.details.facts.weight));

    let unknown = {
        let mut other = part("Other", "Driveline", "DL-2");
        other.details.facts.part_type = Some(text("no such type"));
        NewProduct { product: other, by: Actor::Shop, idempotency_key: None }
    };
    assert!(matches!(world.products().add(&unknown).await, Err(WriteError::Refused(PartRefused::UnknownPartType))));
    let other_kind = {
        let mut other = part("Other", "Driveline", "DL-3");
        other.details.facts.attributes = vec![attribute("diameter", "large")];
        NewProduct { product: other, by: Actor::Shop, idempotency_key: None }
    };
    assert!(matches!(world.products().add(&other_kind).await, Err(WriteError::Refused(PartRefused::OtherKind { .. }))));

    let within = |from: Option<&str>, to: Option<&str>| {
        let bound = |bound: Option<&str>| bound.map(|bound| bound.parse().unwrap());
        AttributeMatch::Within(bound(from), bound(to))
    };
    let one_of = |value: &str| AttributeMatch::OneOf(vec![value.to_owned()]);
    for (name, matches, found) in [
        ("diameter", within(Some("300"), Some("320")), 1),
        ("DIAMETER", within(Some("312"), None), 1),
        ("diameter", within(Some("313"), None), 0),
        ("diameter", one_of("312"), 1),
        ("vented", one_of("yes"), 1),
        ("vented", one_of("no"), 0),
        ("coating", one_of("ZINC"), 1),
        ("coating", within(Some("1"), None), 0),
        ("no such attribute", one_of("1"), 0),
    ] {
        let filter = AttributeFilter { name: name.to_owned(), matches };
        let query = ProductQuery { attributes: vec![filter.clone()], ..ProductQuery::default() };
        assert_eq!(world.found(&query).await.total, found, "{filter:?}");
    }
    for (brand, part_type, found) in [("driveLINE", "BRAKE DISC", 1), ("driveline", "1", 1), ("bosch", "brake disc", 0)]
    {
        let (brands, part_types) = (vec![brand.to_owned()], vec![part_type.to_owned()]);
        let query = ProductQuery { brands, part_types, ..ProductQuery::default() };
        assert_eq!(world.found(&query).await.total, found, "{brand} {part_type}");
    }
    let brand =
        world.parts().brands().await.unwrap().into_iter().find(|brand| brand.name.as_str() == "Driveline").unwrap();
    assert!(matches!(world.parts().remove_brand(brand.id).await, Err(WriteError::Refused(EntryRefused::InUse(1)))));
    world.parts().rename_brand(brand.id, &text("Renamed")).await.unwrap();
    assert_eq!(names(&world, &search("renamed disc")).await, ["Front disc"]);
    assert_eq!(names(&world, &search("driveline")).await, [] as [&str; 0]);
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn facts_are_the_same_however_they_are_named() {
    let world = World::fresh().await;
    let mut disc = part("Front disc", "Driveline", "DL-1");
    disc.details.facts.part_type = Some(text("Brake disc"));
    disc.details.facts.attributes = vec![attribute("Diameter", "312 mm"), attribute("Coating", "zinc")];
    let disc = world.add(disc).await;
    let named = |brand: &str, part_type: &str, size: &str| FactsEdit {
        brand: Edit::Set(Some(text(brand))),
        part_type: Edit::Set(Some(text(part_type))),
        attributes: Some(vec![attribute("DIAMETER", size), attribute("coating", "zinc")]),
        ..FactsEdit::default()
    };
    let edit = async |wanted: FactsEdit, seen: FactsEdit| {
        let of = |facts| ProductEdit { facts, ..ProductEdit::default() };
        let (wanted, seen) = (of(wanted), of(seen));
        world.products().edit(&Editing { product: disc.id, wanted, seen, by: Actor::Shop, at: at(70) }).await
    };
    let same = || named("driveLINE", "1", "312");
    assert!(!edit(same(), FactsEdit::default()).await.unwrap(), "all of it is so already");
    assert!(edit(named("Bosch", "Brake disc", "300"), same()).await.unwrap(), "nothing has changed since");
    let changed = edit(named("Brembo", "Brake disc", "280"), same()).await;
    assert!(matches!(changed, Err(WriteError::Refused(EditRefused::Changed { .. }))), "{changed:?}");
    let unknown = FactsEdit { part_type: Edit::Set(Some(text("no such type"))), ..FactsEdit::default() };
    let refused = edit(unknown, FactsEdit::default()).await;
    assert!(matches!(refused, Err(WriteError::Refused(EditRefused::Part(PartRefused::UnknownPartType)))));
}

#[async_trait::async_trait]
impl Shop for World {
    fn products(&self) -> &dyn ProductRepository {
        &self.database
    }

    fn parts(&self) -> &dyn PartRepository {
        &self.database
    }

    fn search(&self) -> &dyn CatalogSearch {
        &self.database
    }

    async fn settle(&self) {}
}

#[tokio::test(flavor = "multi_thread")]
async fn a_number_finds_its_part_however_it_is_written_and_says_why() {
    let world = World::fresh().await;
    searching::numbers(&world).await;
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_archived_part_leads_to_the_one_that_replaces_it() {
    searching::replacements(&World::fresh().await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn all_words_in_any_order_sizes_synonyms_and_slips_find_a_part() {
    searching::words(&World::fresh().await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_can_be_chosen_is_counted_as_it_is_listed() {
    searching::facets(&World::fresh().await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_neither_repeat_nor_skip_and_exact_numbers_come_first() {
    searching::pages(&World::fresh().await).await;
}
