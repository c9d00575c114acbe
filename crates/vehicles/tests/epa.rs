//! The table against the EPA's own files, from which the years that are marked with it were taken.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::Path;

use vehicles::{Vehicles, YearsFrom};

/// The model years of each make and model, as the EPA names them.
fn epa(file: &str) -> BTreeMap<(String, String), BTreeSet<i16>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/vehicles").join(file);
    let mut text = String::new();
    flate2::read::GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    let mut rows = csv::Reader::from_reader(text.as_bytes());
    let head = rows.headers().unwrap().clone();
    let place = |name: &str| head.iter().position(|column| column == name).unwrap();
    let (make, model, year) = (place("make"), place("model"), place("year"));
    let mut found: BTreeMap<(String, String), BTreeSet<i16>> = BTreeMap::new();
    for row in rows.records().map(Result::unwrap) {
        let year: i16 = row[year].trim_end_matches(".0").parse().unwrap();
        found.entry((row[make].to_owned(), row[model].to_owned())).or_default().insert(year);
    }
    found
}

#[test]
fn both_agree_on_the_years_as_far_as_they_ever_did() {
    let table = Vehicles::embedded();
    let mut counts: BTreeMap<YearsFrom, u32> = BTreeMap::new();
    let vehicles = || {
        let years = (1984..=2021).flat_map(|year| table.makes(year).into_iter().map(move |make| (year, make.id)));
        years.flat_map(|(year, make)| table.models(year, make))
    };
    let of_both: BTreeSet<_> =
        vehicles().filter(|vehicle| vehicle.years_from != YearsFrom::Vpic).map(|vehicle| vehicle.model.id).collect();
    for vehicle in vehicles().filter(|vehicle| of_both.contains(&vehicle.model.id)) {
        *counts.entry(vehicle.years_from).or_default() += 1;
    }
    let part = |of: YearsFrom| f64::from(counts[&of]) / f64::from(counts.values().sum::<u32>());
    assert!(of_both.len() >= 1_002, "{}", of_both.len());
    assert!(counts[&YearsFrom::Both] >= 8_302, "{counts:?}");
    // With that rule 8,302 of 10,205 were of both, 1,480 of vPIC alone, 423 of the EPA alone.
    assert!(part(YearsFrom::Vpic) <= 0.145 && part(YearsFrom::Epa) <= 0.0415, "{counts:?}");
}

#[test]
fn what_the_epa_names_alike_is_marked_with_it() {
    let table = Vehicles::embedded();
    for file in ["epa-1984-2021.csv.gz", "epa-1984-2015-fuel.csv.gz"] {
        let mut compared = 0;
        for ((make, model), years) in epa(file) {
            let Some(id) = table.resolve(&make, &model) else { continue };
            for year in years {
                let vehicle = table.of_year(id, year).and_then(|id| table.vehicle(id));
                let vehicle = vehicle.unwrap_or_else(|| panic!("{file}: no {make} {model} of {year}"));
                assert_ne!(vehicle.years_from, YearsFrom::Vpic, "{file}: {}", vehicle.label());
                assert!(!table.engines(vehicle.id).is_empty(), "{file}: {} has no engine", vehicle.label());
                compared += 1;
            }
        }
        assert!(compared > 5_000, "{file}: {compared}");
    }
}
