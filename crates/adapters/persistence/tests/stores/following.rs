//! What changed in the products, and what a search engine gets of them.

use std::time::Duration;

use diesel::connection::SimpleConnection as _;
use domain::catalog::stock::{CorrectionReason, StockDelta};
use domain::{
    Actor, Attribute, AttributeValue, Category, NumberKind, PartFacts, PartNumber, Product, ProductId, Stock, Text,
};
use ports::{
    Changes, DocumentNumber, DocumentValue, PartType, Position, Restocking, SearchDocument, Standing, StockCorrection,
};
use uuid::Uuid;

use crate::world::{World, at, price, product};

const ONE: &str = "parts-1";

fn text<const MAX: usize>(text: &str) -> Text<MAX> {
    Text::new(text).unwrap()
}

fn part(name: &str, brand: &str, number: &str) -> Product {
    let mut part = product(name, 500);
    part.details.part_number = Some(text(number));
    part.details.facts = PartFacts { brand: Some(text(brand)), ..PartFacts::NONE };
    part
}

fn number(kind: NumberKind, shown: &str, brand: Option<&str>) -> PartNumber {
    PartNumber { kind, shown: text(shown), brand: brand.map(text), note: None, since: None }
}

/// A follower that is filled and live, from now on.
async fn follow(world: &World, name: &str) -> Position {
    world.log().follow(name).await.unwrap();
    world.log().begin(name).await.unwrap();
    world.log().filled(name, None).await.unwrap();
    world.log().make_live(name, None).await.unwrap();
    position(world, name).await
}

async fn position(world: &World, name: &str) -> Position {
    let all = world.log().followers().await.unwrap();
    all.into_iter().find(|follower| follower.name == name).unwrap().position.unwrap()
}

fn no(world: &World, id: ProductId) -> i32 {
    i32::try_from(world.count(&format!("SELECT no FROM products WHERE id = '{}'", id.uuid()))).unwrap()
}

/// The changes after a position, once no other test's transaction on this server is in their way.
async fn changes(world: &World, after: Position, expected: usize) -> Changes {
    let hidden = "SELECT count(*) FROM catalogue_changes
        WHERE xact >= pg_snapshot_xmin(pg_current_snapshot())::text::bigint";
    for _ in 0..400 {
        let is_all = world.count(hidden) == 0;
        let changes = world.log().changes(after, 1_000).await.unwrap();
        if is_all && changes.products.len() >= expected {
            return changes;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("there are no {expected} changes after {after:?}");
}

/// What is noted after a position; the next ones are read from where they end.
async fn noted(world: &World, after: &mut Position, expected: &[i32]) -> Vec<i32> {
    let found = changes(world, *after, expected.len()).await;
    *after = found.to.unwrap_or(*after);
    found.products
}

async fn document(world: &World, no: i32) -> SearchDocument {
    world.log().documents(&[no]).await.unwrap().found.remove(0)
}

#[tokio::test(flavor = "multi_thread")]
async fn every_change_of_what_is_searched_is_noted_for_those_who_follow() {
    let world = World::fresh().await;
    let disc = world.add(part("Front disc", "Driveline", "DL-1")).await;
    assert_eq!(world.count("SELECT count(*) FROM catalogue_changes"), 0, "nobody follows");
    let mut after = follow(&world, ONE).await;
    let disc_no = no(&world, disc.id);
    let pad = world.add(part("Brake pad", "Driveline", "DL-2")).await;
    let pad_no = no(&world, pad.id);
    assert_eq!(noted(&world, &mut after, &[pad_no]).await, [pad_no]);

    let oe = [number(NumberKind::Oe, "1K0 615 301", Some("VW"))];
    world.parts().set_numbers(disc.id, &oe).await.unwrap().unwrap();
    assert_eq!(noted(&world, &mut after, &[disc_no]).await, [disc_no], "its numbers");
    let seen_price = Some(disc.details.price);
    let arriving = Stock::new(0).unwrap();
    let restocking = Restocking {
        product: disc.id,
        arriving,
        price: price(9_999),
        seen_price,
        by: Actor::Shop,
        at: at(20),
        idempotency_key: None,
    };
    world.products().restock(&restocking).await.unwrap();
    assert_eq!(noted(&world, &mut after, &[disc_no]).await, [disc_no], "its price");
    let brands = world.parts().brands().await.unwrap();
    let [driveline, vw] =
        ["Driveline", "VW"].map(|name| brands.iter().find(|brand| brand.name.as_str() == name).unwrap().id);
    world.parts().rename_brand(vw, &text("Volkswagen")).await.unwrap();
    assert_eq!(noted(&world, &mut after, &[disc_no]).await, [disc_no], "the brand of one of its numbers");
    world.parts().rename_brand(driveline, &text("Driveline Parts")).await.unwrap();
    assert_eq!(noted(&world, &mut after, &[disc_no, pad_no]).await, [disc_no, pad_no], "their brand");
    world.sql(&format!("UPDATE products SET part_type_id = 1 WHERE no = {pad_no}"));
    assert_eq!(noted(&world, &mut after, &[pad_no]).await, [pad_no], "its type");
    let renamed = PartType { id: 1, name: text("Rotor"), category: Category::Brakes };
    world.parts().edit_part_type(&renamed).await.unwrap();
    assert_eq!(noted(&world, &mut after, &[pad_no]).await, [pad_no], "the name of its type");
    world.products().archive(pad.id, &Actor::Shop, at(60)).await.unwrap();
    assert_eq!(noted(&world, &mut after, &[pad_no]).await, [pad_no], "that it is archived");
    world.parts().add_synonym(&text("Kolben"), &text("disc")).await.unwrap();
    assert_eq!(noted(&world, &mut after, &[]).await, [] as [i32; 0], "synonyms are in no document");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_is_noted_only_if_nobody_can_order_the_rest() {
    let world = World::fresh().await;
    let customer = world.customer("customer@example.com").await;
    let disc = world.product(120).await;
    let mut after = follow(&world, ONE).await;
    world.fifty(&customer, &disc).await;
    assert_eq!(noted(&world, &mut after, &[]).await, [] as [i32; 0], "70 are left");
    world.fifty(&customer, &disc).await;
    let disc_no = no(&world, disc.id);
    assert_eq!(noted(&world, &mut after, &[disc_no]).await, [disc_no], "20 are left, and fewer than 50 are not sold");
    assert!(!document(&world, disc_no).await.in_stock);
    let correction = StockCorrection {
        product: disc.id,
        delta: StockDelta::new(30).unwrap(),
        reason: CorrectionReason::Found,
        note: None,
        by: Actor::Shop,
        at: at(70),
        idempotency_key: None,
    };
    world.products().correct(&correction).await.unwrap();
    assert_eq!(noted(&world, &mut after, &[disc_no]).await, [disc_no]);
    assert!(document(&world, disc_no).await.in_stock);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_that_commits_late_is_not_passed_by() {
    let world = World::fresh().await;
    let (late, early) = (world.product(500).await, world.product(500).await);
    let after = follow(&world, ONE).await;
    let reprice =
        |id: ProductId| format!("UPDATE products SET price_cents = price_cents + 1 WHERE id = '{}'", id.uuid());
    let mut slow = world.raw();
    slow.batch_execute(&format!("BEGIN; {}", reprice(late.id))).unwrap();
    world.sql(&reprice(early.id));
    // A follower of the numbers alone would take the second one and never see the first.
    assert_eq!(world.count("SELECT count(*) FROM catalogue_changes"), 1);
    assert_eq!(world.log().changes(after, 1_000).await.unwrap(), Changes { products: Vec::new(), to: None });
    slow.batch_execute("COMMIT").unwrap();
    let found = changes(&world, after, 2).await;
    assert_eq!(found.products, [no(&world, late.id), no(&world, early.id)]);

    // Whoever begins to follow while a change is on its way has to wait for it: it was made before anybody followed.
    world.log().forget(ONE).await.unwrap();
    slow.batch_execute(&format!("BEGIN; {}", reprice(late.id))).unwrap();
    world.log().follow("parts-2").await.unwrap();
    world.log().begin("parts-2").await.unwrap();
    assert_eq!(world.log().followers().await.unwrap()[0].standing, Standing::Waits);
    slow.batch_execute("COMMIT").unwrap();
    for _ in 0..400 {
        if world.log().followers().await.unwrap()[0].standing == Standing::GoesOn {
            return;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("it waits for ever");
}

#[tokio::test(flavor = "multi_thread")]
async fn changes_are_kept_until_the_slowest_has_them() {
    let world = World::fresh().await;
    let disc = world.product(500).await;
    let slow = follow(&world, ONE).await;
    let fast = follow(&world, "parts-2").await;
    assert!(slow <= fast);
    for cents in [100, 200, 300] {
        world.sql(&format!("UPDATE products SET price_cents = {cents} WHERE id = '{}'", disc.id.uuid()));
    }
    let all = changes(&world, slow, 1).await;
    assert_eq!(all.products.len(), 1, "each once");
    world.log().followed("parts-2", all.to.unwrap()).await.unwrap();
    assert_eq!(world.log().forget_changes(1_000).await.unwrap(), 0);
    let lag = world.log().lag().await.unwrap();
    assert_eq!((lag.live, lag.changes), (true, 0), "the second one is the live one");
    let first = world.log().changes(slow, 1).await.unwrap();
    world.log().followed(ONE, first.to.unwrap()).await.unwrap();
    assert_eq!(world.log().forget_changes(1_000).await.unwrap(), 1);
    world.log().make_live(ONE, Some("parts-2".to_owned())).await.unwrap();
    assert_eq!(world.log().lag().await.unwrap().changes, 2);
    world.log().forget(ONE).await.unwrap();
    assert_eq!(world.log().forget_changes(1_000).await.unwrap(), 2);
    world.sql("UPDATE catalogue_lease SET until = now() - interval '8 days'");
    world.log().forget_changes(1_000).await.unwrap();
    assert_eq!(world.log().followers().await.unwrap(), [], "nobody has written to an engine for a week");
    assert!(!world.log().lag().await.unwrap().live);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_at_a_time_writes_to_the_engine() {
    let world = World::fresh().await;
    let (one, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
    assert!(world.log().lease(one).await.unwrap());
    assert!(!world.log().lease(other).await.unwrap());
    assert!(world.log().lease(one).await.unwrap(), "it is kept");
    world.log().release(other).await.unwrap();
    assert!(!world.log().lease(other).await.unwrap());
    world.log().release(one).await.unwrap();
    assert!(world.log().lease(other).await.unwrap());
    world.sql("UPDATE catalogue_lease SET until = now() - interval '1 second'");
    assert!(world.log().lease(one).await.unwrap(), "it has run out");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_from_a_backup_knows_that_changes_are_missing() {
    let world = World::fresh().await;
    follow(&world, ONE).await;
    assert_ne!(world.log().followers().await.unwrap()[0].standing, Standing::Lost);
    world.sql("UPDATE catalogue_followers SET xact = 1::bigint << 40");
    assert_eq!(world.log().followers().await.unwrap()[0].standing, Standing::Lost);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_holds_all_by_which_a_part_is_found() {
    let world = World::fresh().await;
    let mut disc = part("Front disc 312 mm", "Driveline", "DL-2");
    disc.details.facts.part_type = Some(text("brake disc"));
    let attribute =
        |name: &str, written: &str| Attribute { name: text(name), value: AttributeValue::written(written).unwrap() };
    disc.details.facts.attributes =
        vec![attribute("Diameter", "31.2 cm"), attribute("Coating", "Zinc"), attribute("Vented", "yes")];
    let former = world.add(part("Front disc", "Driveline", "DL-1")).await;
    let disc = world.add(disc).await;
    let numbers = [number(NumberKind::Oe, "1K0 615", Some("VW")), number(NumberKind::Superseded, "dl 1", None)];
    world.parts().set_numbers(disc.id, &numbers).await.unwrap().unwrap();
    world.products().archive(former.id, &Actor::Shop, at(60)).await.unwrap();
    let found = document(&world, no(&world, disc.id)).await;
    assert_eq!((found.id, found.archived, found.in_stock, found.price), (disc.id, false, true, 12_999));
    assert_eq!(
        found.brand.as_ref().map(|brand| (brand.name.as_str(), brand.key.as_str())),
        Some(("Driveline", "driveline"))
    );
    assert_eq!(found.part_type.as_ref().map(|(id, named)| (*id, named.name.as_str())), Some((1, "Brake disc")));
    assert!(found.words.contains(" front disc 312 mm ") && found.words.contains(" 312mm"), "{:?}", found.words);
    let shown = |number: &DocumentNumber| (number.steps, number.kind, number.key.clone());
    let own = |key: &str, kind| (0, kind, key.to_owned());
    let all: Vec<_> = found.numbers.iter().map(shown).collect();
    let replaced = (1, NumberKind::Own, "DL1".to_owned());
    assert_eq!(
        all,
        [own("DL2", NumberKind::Own), own("1K0615", NumberKind::Oe), own("DL1", NumberKind::Superseded), replaced]
    );
    let values: Vec<_> = found.attributes.iter().map(|attribute| attribute.value.clone()).collect();
    assert_eq!(values[0], DocumentValue::Number(312_000));
    assert!(matches!(&values[1], DocumentValue::Words(words) if words.key == "zinc" && words.name == "Zinc"));
    assert_eq!(values[2], DocumentValue::Flag(true));
    assert_eq!(found.attributes[0].unit.as_deref(), Some("mm"));

    // It is found by the numbers of what it replaces, so that it changes with those.
    let mut after = follow(&world, ONE).await;
    let (former_no, disc_no) = (no(&world, former.id), no(&world, disc.id));
    world.sql(&format!("UPDATE part_numbers SET shown = 'DL-01' WHERE product_no = {former_no}"));
    assert_eq!(noted(&world, &mut after, &[former_no, disc_no]).await, [former_no, disc_no]);
    world.sql(&format!("UPDATE products SET replaced_by = NULL WHERE no = {former_no}"));
    assert_eq!(noted(&world, &mut after, &[former_no, disc_no]).await, [former_no, disc_no]);
    assert_eq!(document(&world, disc_no).await.numbers.len(), 3);
    assert_eq!(world.log().documents(&[disc_no + 100]).await.unwrap().found, []);
    assert_eq!(world.log().products_after(0, 10).await.unwrap(), [former_no, disc_no]);
    let one = world.log().documents(&[disc_no]).await.unwrap().version;
    world.add(product("Another", 500)).await;
    assert!(world.log().documents(&[disc_no]).await.unwrap().version > one);
}
