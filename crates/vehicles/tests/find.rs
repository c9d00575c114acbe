//! One box for everything.

use std::time::Instant;

use proptest::prelude::*;
use vehicles::Vehicles;

fn find(text: &str) -> Vec<String> {
    let found = Vehicles::embedded().find(text);
    let shown = |found: &vehicles::Found<'_>| match found.engine {
        Some(engine) => format!("{}, {}", found.vehicle.label(), engine.name),
        None => found.vehicle.label(),
    };
    found.iter().map(shown).collect()
}

#[test]
fn a_text_is_understood_in_any_order() {
    for text in
        ["2014 camry v6", "camry 2014 3.5L", "toyota camry 6 cyl 2014", "V6 Camry, 2014", "TOYOTA 3.5 l camry 2014"]
    {
        assert_eq!(find(text)[0], "2014 Toyota Camry, 3.5 L 6 cyl", "{text}");
    }
    assert_eq!(find("2014 camry")[0], "2014 Toyota Camry");
    assert!(find("2014 camry v8").is_empty(), "there was none");
}

#[test]
fn other_names_are_found() {
    assert_eq!(find("2013 f150")[0], "2013 Ford F-150");
    assert_eq!(find("2013 F 150")[0], "2013 Ford F-150");
    assert_eq!(find("2013 ford f-150")[0], "2013 Ford F-150");
    assert_eq!(find("chevy silverado 2010")[0], "2010 Chevrolet Silverado");
    assert_eq!(find("vw jetta diesel 2010")[0], "2010 Volkswagen Jetta, 2.0 L 4 cyl diesel");
    assert_eq!(find("2012 c300")[0], "2012 Mercedes-Benz C-Class");
    assert_eq!(find("mercedes c300 2012")[0], "2012 Mercedes-Benz C-Class");
    assert_eq!(find("mazda 3 2010")[0], "2010 Mazda Mazda3");
    assert_eq!(find("2010 scion tc")[0], "2010 Toyota Scion tC");
    assert_eq!(find("2010 cr-v")[0], "2010 Honda CR-V");
}

#[test]
fn a_model_may_be_named_like_an_engine() {
    assert_eq!(find("2008 hummer h3")[0], "2008 Hummer H3");
    assert_eq!(find("hummer h3 2008 3.7l")[0], "2008 Hummer H3, 3.7 L 5 cyl");
    assert_eq!(find("2015 bmw i3")[0], "2015 BMW i3");
    assert_eq!(find("2009 v8 vantage")[0], "2009 Aston Martin V8 Vantage");
    assert!(find("2015 v6").iter().all(|label| label.contains("Volvo V60")), "{:?}", find("2015 v6"));
}

#[test]
fn the_last_word_may_be_only_begun() {
    assert_eq!(find("2014 cam")[0], "2014 Toyota Camry");
    assert!(find("toyota ca").iter().any(|label| label.contains("Camry")));
    assert!(find("ca toyota").is_empty(), "but no other word");
    assert!(find("volvo v").iter().all(|label| label.contains("Volvo")));
}

#[test]
fn without_a_year_the_newest_come_first_and_ten_at_most() {
    let camrys = find("camry");
    assert_eq!((camrys.len(), camrys[0].as_str()), (10, "2027 Toyota Camry"));
    assert_eq!(find("toyota").len(), 10);
}

#[test]
fn a_text_without_a_name_finds_nothing() {
    for text in ["", " ", "2014", "diesel", "2014 3.5l", "zzzz", "%_'\"", "2014 zzzz", "camry camry civic"] {
        assert!(find(text).is_empty(), "{text}");
    }
}

#[test]
fn no_text_takes_long() {
    find("warm");
    for text in ["f", "a a a a a a a a a a a a a a a", "1 1 1 1 1 1 1 1 1 1", "c", &"camry ".repeat(5_000)] {
        let began = Instant::now();
        find(text);
        assert!(began.elapsed().as_millis() < 500, "{}: {:?}", &text[..1], began.elapsed());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_typed_is_answered(text in "\\PC{0,60}") {
        prop_assert!(Vehicles::embedded().find(&text).len() <= 10);
    }

    #[test]
    fn a_vehicle_is_found_by_its_label(at in 0usize..10_000) {
        let table = Vehicles::embedded();
        let years = table.years();
        let year = years[at % years.len()];
        let makes = table.makes(year);
        let models = table.models(year, makes[at % makes.len()].id);
        let vehicle = models[at % models.len()];
        let found = table.find(&vehicle.label());
        prop_assert!(found.iter().any(|found| found.vehicle.id == vehicle.id), "{}", vehicle.label());
    }
}
