//! What a vehicle identification number says: year, make, model, and which of the vehicle's engines it may be.

mod number;
mod patterns;

use std::sync::LazyLock;

use crate::engine::EngineWords;
use crate::id::{EngineId, VehicleId};
use crate::load;
use crate::table::Vehicles;

pub use number::{CheckDigit, NotAVin, Vin};
use patterns::{Model, Patterns, WmiKind};

static PATTERNS: LazyLock<Patterns> = LazyLock::new(|| Patterns::read(load::patterns()));

/// One way to read a VIN.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The model year.
    pub year: i16,
    /// The make.
    pub make: String,
    /// The model.
    pub model: String,
    /// The vehicle, if the table has it.
    pub vehicle: Option<VehicleId>,
    /// The vehicle's engines that it may be: one, if it is known.
    pub engines: Vec<EngineId>,
    /// What the number says of the engine.
    pub engine: EngineWords,
}

/// What a VIN says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// Whether the check digit is right. It need not be on vehicles that were made for other continents.
    pub check_digit: CheckDigit,
    /// The model year, if it is known even where the model is not.
    pub year: Option<i16>,
    /// The make, if it is known even where the model is not.
    pub make: Option<String>,
    /// The ways to read it, the likeliest first: none if the model is not known, two if the number leaves open which of two
    /// model years, thirty apart, it means.
    pub readings: Vec<Reading>,
}

/// Reads a VIN.
#[must_use]
pub fn decode(vin: &Vin) -> Decoded {
    decode_with(vin, &PATTERNS, Vehicles::embedded())
}

fn decode_with(vin: &Vin, patterns: &Patterns, vehicles: &Vehicles) -> Decoded {
    let mut decoded = Decoded { check_digit: vin.check_digit(), year: None, make: None, readings: Vec::new() };
    let Some(wmi) = patterns.wmi(vin) else { return decoded };
    let says_decade = wmi.kind != WmiKind::Truck;
    let years: Vec<i16> = possible_years(vin, says_decade).filter(|year| *year <= vehicles.newest_year()).collect();
    for (nth, year) in years.iter().enumerate() {
        let told = patterns.told(wmi, vin, *year);
        let Some(model) = told.model else { continue };
        let reading = reading(model, *year, told.engine, vehicles);
        // The seventh sign told the decade, and there the number means nothing. vPIC leaves many ranges of years open that
        // have ended, so the other decade counts only if the table knows the vehicle, or nothing of the model at all.
        // Makers of a few hundred do not care for the seventh sign.
        let likely = reading.vehicle.is_some() || matches!(model, Model::Named { .. }) || vin.is_of_a_small_maker();
        if says_decade && nth > 0 && !likely {
            continue;
        }
        decoded.readings.push(reading);
        if says_decade {
            break;
        }
    }
    // A year of a truck that the table has is likelier than one that only an open range allows.
    decoded.readings.sort_by_key(|reading| reading.vehicle.is_none());
    let first = decoded.readings.first();
    let sure = years.first().filter(|_| says_decade || years.len() == 1).copied();
    decoded.year = first.map(|reading| reading.year).or(sure);
    decoded.make = first.map(|reading| reading.make.clone()).or_else(|| wmi.make.map(str::to_owned));
    decoded
}

/// The model years that the tenth sign may mean, the likelier one first. Of cars, multipurpose vehicles and light trucks
/// the seventh sign tells the decade: no digit since 2010, and a digit before.
fn possible_years(vin: &Vin, says_decade: bool) -> impl Iterator<Item = i16> {
    let years = vin.years_of_tenth_sign();
    let early_first = says_decade && vin.signs()[6].is_ascii_digit();
    years.into_iter().flat_map(move |(early, late)| if early_first { [early, late] } else { [late, early] })
}

fn reading(model: &Model, year: i16, engine: EngineWords, vehicles: &Vehicles) -> Reading {
    let (make, name, vehicle) = match model {
        Model::Known(id) => {
            let place = vehicles.models.binary_search_by_key(id, |model| model.id).ok();
            let model = place.map(|place| &vehicles.models[place]);
            let make = model.and_then(|model| vehicles.make(model.make)).map(|make| make.name.clone());
            (
                make.unwrap_or_default(),
                model.map(|model| model.name.clone()).unwrap_or_default(),
                vehicles.of_year(*id, year),
            )
        }
        Model::Named { make, name } => ((*make).to_owned(), (*name).to_owned(), None),
    };
    let said = engine != EngineWords::default();
    let engines = vehicle.filter(|_| said).map(|id| vehicles.engines(id)).unwrap_or_default();
    let engines = engines.iter().filter(|one| engine.mean(one)).map(|one| one.id).collect();
    Reading { year, make, model: name, vehicle, engines, engine }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn vin(text: &str) -> Vin {
        Vin::parse(text).unwrap()
    }

    fn first(text: &str) -> (i16, String, String) {
        let reading = decode(&vin(text)).readings.remove(0);
        (reading.year, reading.make, reading.model)
    }

    #[test]
    fn vins_of_the_street_are_read() {
        let is = |year: i16, make: &str, model: &str| (year, make.to_owned(), model.to_owned());
        assert_eq!(first("1HGCM82633A004352"), is(2003, "Honda", "Accord"));
        assert_eq!(first("1FTFW1ET5DFC10312"), is(2013, "Ford", "F-150"));
        assert_eq!(first("5YJSA1E26HF176944"), is(2017, "Tesla", "Model S"));
        assert_eq!(first("LPSED3KA3NL709943"), is(2022, "Polestar", "Polestar 2"));
    }

    #[test]
    fn the_engine_is_among_those_of_the_vehicle() {
        let vehicles = Vehicles::embedded();
        let reading = decode(&vin("1HGCM82633A004352")).readings.remove(0);
        let names: Vec<&str> = reading.engines.iter().map(|id| vehicles.engine(*id).unwrap().name.as_str()).collect();
        assert_eq!(names, ["3.0 L 6 cyl"]);
        assert_eq!(reading.engine.name(), "6 cyl", "which is all that the number says");
    }

    #[test]
    fn a_truck_may_be_of_two_decades() {
        let decoded = decode(&vin("1XK5XB7B5TM305452"));
        let mut years: Vec<i16> = decoded.readings.iter().map(|reading| reading.year).collect();
        years.sort_unstable();
        assert_eq!(years, [1996, 2026], "a heavy Kenworth");
    }

    #[test]
    fn a_model_that_ended_is_not_read_into_the_future() {
        for ended in ["2P3BS72CXVH113391", "3P3DS4R77WA654007"] {
            let decoded = decode(&vin(ended));
            assert!(decoded.readings.iter().all(|reading| reading.year < 2000), "{decoded:?}");
            assert_eq!(decoded.make.as_deref(), Some("Plymouth"));
        }
    }

    #[test]
    fn what_is_known_is_said_even_without_a_model() {
        let decoded = decode(&vin("1HGZZZZZZ3A004352"));
        assert_eq!((decoded.readings.len(), decoded.make.as_deref()), (0, Some("Honda")));
        let nobody = decode(&vin("ZZZ00000000000000"));
        assert_eq!((nobody.readings.len(), nobody.make, nobody.year), (0, None, None));
    }

    #[test]
    fn a_vin_is_read_in_less_than_a_millisecond() {
        // Manufacturers with the most patterns among them.
        let vins = ["1FTFW1ET5DFC10312", "1GCEK14T04Z187234", "1HGCM82633A004352", "1XK5XB7B5TM305452"].map(vin);
        let read = || vins.iter().map(|vin| decode(vin).readings.len()).sum::<usize>();
        assert!(read() >= vins.len());
        let began = std::time::Instant::now();
        let readings: usize = (0..100).map(|_| read()).sum();
        assert!(readings >= 400);
        let each = began.elapsed() / 400;
        assert!(each.as_micros() < 1_000, "{each:?}");
    }

    proptest! {
        #[test]
        fn whatever_has_seventeen_signs_is_read_without_a_panic(text in "[A-HJ-NPR-Z0-9]{17}") {
            let vehicles = Vehicles::embedded();
            let decoded = decode(&vin(&text));
            prop_assert!(decoded.readings.len() <= 2);
            for reading in decoded.readings {
                prop_assert!((1980..=vehicles.newest_year()).contains(&reading.year));
                prop_assert!(reading.engines.iter().all(|id| Some(id.vehicle()) == reading.vehicle));
            }
        }

        #[test]
        fn case_and_separators_never_matter(text in "[A-HJ-NPR-Z0-9]{17}", at in 0usize..17) {
            let (head, tail) = text.split_at(at);
            prop_assert_eq!(vin(&format!(" {}-{} ", head.to_lowercase(), tail)), vin(&text));
        }
    }
}
