//! What the table has to say of vehicles that somebody has checked by hand, and how much there is of everything.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use vehicles::{EngineId, VehicleId, Vehicles, YearsFrom};

fn table() -> &'static Vehicles {
    Vehicles::embedded()
}

/// The years of a model, by its make's and its own name.
fn years(make: &str, model: &str) -> Vec<i16> {
    let id = table().resolve(make, model).unwrap_or_else(|| panic!("no {make} {model}"));
    table().years().into_iter().rev().filter(|year| table().of_year(id, *year).is_some()).collect()
}

fn span(make: &str, model: &str) -> (i16, i16) {
    let years = years(make, model);
    (years[0], *years.last().unwrap())
}

fn sold(make: &str, model: &str, year: i16) -> VehicleId {
    let id = table().resolve(make, model).unwrap_or_else(|| panic!("no {make} {model}"));
    table().of_year(id, year).unwrap_or_else(|| panic!("no {make} {model} of {year}"))
}

fn engines(make: &str, model: &str, year: i16) -> Vec<&'static str> {
    table().engines(sold(make, model, year)).iter().map(|engine| engine.name.as_str()).collect()
}

fn ids() -> Vec<VehicleId> {
    let makes =
        table().years().into_iter().flat_map(|year| table().makes(year).into_iter().map(move |make| (year, make)));
    makes.flat_map(|(year, make)| table().models(year, make.id)).map(|vehicle| vehicle.id).collect()
}

#[test]
fn models_begin_and_end_when_they_did() {
    assert_eq!(span("Toyota", "Celica").1, 2006, "and not in 2027, as an open range would have it");
    assert!(years("Toyota", "Paseo").iter().all(|year| (1992..=1999).contains(year)));
    assert_eq!(span("Tesla", "Model 3").0, 2017);
    assert_eq!(span("Tesla", "Model Y").0, 2020);
    assert_eq!(span("Tesla", "Model S").0, 2012);
    assert_eq!(span("Honda", "S2000"), (2000, 2009));
    assert_eq!(span("Pontiac", "Solstice"), (2006, 2010));
    assert_eq!(span("Chevrolet", "Volt"), (2011, 2019));
    assert_eq!(span("Honda", "Del Sol").1, 1997);
    assert_eq!(span("Ford", "Mustang Mach-E").0, 2021);
    assert_eq!(span("Ford", "Mustang").1, 2027);
    assert_eq!(span("Saturn", "Sky"), (2007, 2010));
    assert_eq!(span("Nissan", "Leaf").0, 2011);
    assert_eq!(span("Rivian", "R1T").0, 2022);
    let insight = years("Honda", "Insight");
    assert_eq!((insight[0], *insight.last().unwrap()), (2000, 2022));
    assert!(!insight.contains(&2016), "none was sold between 2014 and 2019");
    assert!(!years("Toyota", "Supra").contains(&2010), "none was sold between 1998 and 2020");
    assert!(years("Ford", "F-150").contains(&2014));
    assert!(years("Ford", "F-250").contains(&2010), "which is too heavy for the EPA");
}

#[test]
fn engines_are_those_that_were_sold() {
    assert_eq!(engines("Toyota", "Camry", 2014), ["2.5 L 4 cyl", "3.5 L 6 cyl"]);
    assert_eq!(engines("Tesla", "Model S", 2013), ["Electric"]);
    assert_eq!(engines("Honda", "S2000", 2005), ["2.2 L 4 cyl"]);
    assert!(engines("Volkswagen", "Jetta", 2010).contains(&"2.0 L 4 cyl diesel"));
    assert!(engines("Ford", "F-150", 2013).iter().any(|name| name.starts_with("3.5 L 6 cyl")));
    let rav4 = engines("Toyota", "RAV4", 2014);
    assert_eq!(rav4.len(), 3, "two by their wheels, and an electric one: {rav4:?}");
}

#[test]
fn other_names_are_understood() {
    let same = |a: (&str, &str), b: (&str, &str)| {
        assert_eq!(table().resolve(a.0, a.1), table().resolve(b.0, b.1));
        assert!(table().resolve(a.0, a.1).is_some(), "{a:?}");
    };
    same(("Chevy", "silverado"), ("Chevrolet", "Silverado"));
    same(("VW", "New Beetle"), ("Volkswagen", "Beetle"));
    same(("ford", "f150"), ("Ford", "F-150"));
    same(("Mercedes", "C300"), ("Mercedes-Benz", "C-Class"));
    same(("MERCEDES-BENZ", "C300 4MATIC"), ("Mercedes-Benz", "C-Class"));
    same(("Scion", "tC"), ("Toyota", "Scion tC"));
    same(("Mazda", "3"), ("Mazda", "Mazda3"));
    same(("Land Rover", "Range Rover"), ("landrover", "range rover"));
    assert_eq!(table().resolve_make("Nobody"), None);
    assert_eq!(table().resolve("Toyota", "Camry LE"), None, "a model is not assumed from the first words of a name");
    assert_eq!(table().resolve("Porsche", "Carrera GT"), None, "which is no 911");
}

#[test]
fn the_closest_names_are_offered() {
    assert_eq!(table().closest_makes("Toyotta")[0], "Toyota");
    let toyota = table().resolve_make("Toyota").unwrap();
    assert_eq!(table().closest_models(toyota, "Camrey")[0], "Camry");
    assert_eq!(table().closest_models(toyota, "zzz").len(), 3);
}

#[test]
fn an_engine_is_resolved_within_its_vehicle() {
    let camry = sold("Toyota", "Camry", 2014);
    let names =
        |text| -> Vec<&str> { table().resolve_engine(camry, text).iter().map(|one| one.name.as_str()).collect() };
    assert_eq!(names("2.5L L4"), ["2.5 L 4 cyl"]);
    assert_eq!(names("V6"), ["3.5 L 6 cyl"]);
    assert!(names("2.0L").is_empty());
    assert!(names("Camry").is_empty());
}

#[test]
fn the_counts_are_what_the_notice_says() {
    let notice = include_str!("../data/NOTICE");
    let line = notice.lines().find(|line| line.contains(" vehicles, ")).unwrap();
    let said: Vec<usize> = line.split(' ').filter_map(|word| word.parse().ok()).collect();
    let vehicles = ids();
    let engines: usize = vehicles.iter().map(|id| table().engines(*id).len()).sum();
    assert_eq!((vehicles.len(), engines), (said[2], said[3]));
    let within_a_percent = |is: usize, checked: usize| is.abs_diff(checked) * 100 <= checked;
    assert!(within_a_percent(vehicles.len(), 33_739), "{}", vehicles.len());
    assert!(within_a_percent(engines, 21_147), "{engines}");
    assert!(within_a_percent(said[4], 123_523), "{line}");
}

#[test]
fn every_id_leads_back_to_what_has_it() {
    for id in ids() {
        let vehicle = table().vehicle(id).unwrap();
        assert_eq!((vehicle.id, VehicleId::of(vehicle.model.id, vehicle.year)), (id, id));
        assert_eq!(table().make(vehicle.model.make).unwrap(), vehicle.make);
        let engines = table().engines(id);
        for (at, engine) in engines.iter().enumerate() {
            assert_eq!((engine.id.vehicle(), table().engine(engine.id)), (id, Some(engine)));
            assert!(!engines[..at].iter().any(|other| other.name == engine.name), "{}: {engines:?}", vehicle.label());
            assert!(!engine.name.is_empty());
        }
    }
    for nothing in [0, -1, 1, i32::MAX, i32::MIN] {
        assert!(table().vehicle(VehicleId::new(nothing)).is_none());
        assert!(table().engine(EngineId::new(nothing)).is_none());
    }
}

/// These ids are in orders and fitments of shops: newer data must not change them.
#[test]
fn ids_stay_what_they_were() {
    assert_eq!(sold("Toyota", "Camry", 2014).get(), CAMRY_2014);
    assert_eq!(table().engine(EngineId::new(CAMRY_2014 * 128 + 1)).unwrap().name, "2.5 L 4 cyl");
    assert_eq!(sold("Acura", "CL", 1997).get(), 2 * 256 + 97);
}

const CAMRY_2014: i32 = 390_258;

#[test]
fn ranges_are_of_years_that_follow_one_another() {
    let camrys = [2007, 2008, 2011, 2009, 2010, 2014].map(|year| sold("Toyota", "Camry", year));
    let mut all = camrys.to_vec();
    all.extend([sold("Honda", "Civic", 2001), VehicleId::new(1), camrys[0]]);
    let shown: Vec<String> = table().ranges(&all).iter().map(ToString::to_string).collect();
    assert_eq!(shown, ["Honda Civic 2001", "Toyota Camry 2007–2011", "Toyota Camry 2014"]);
}

#[test]
fn who_says_a_year_is_kept() {
    let from = |make, model, year| table().vehicle(sold(make, model, year)).unwrap().years_from;
    assert_eq!(from("Toyota", "Camry", 2014), YearsFrom::Both);
    assert_eq!(from("Ford", "F-250", 2010), YearsFrom::Vpic);
    assert_eq!(from("Toyota", "Camry", 2027), YearsFrom::Vpic);
}
