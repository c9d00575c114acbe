//! Which of the demo's parts fits which vehicle: made up, of real vehicles and a fixed seed.
//!
//! Every popular model takes one part of each family in each of its generations: one of the front brake discs, one of the
//! rear ones, one of the oil filters. Which one is a matter of chance, and of the same chance every time.

use std::collections::BTreeMap;

use application::Ports;
use domain::{Day, EngineNo, FitmentSource, PerVehicle, ProductId, Text, VehicleNo};
use ports::NewFitment;
use vehicles::{Engine, EngineId, Fuel, Vehicles};

use super::catalogue::Unsound;
use super::fit_rule::{Burns, Fits, Rule};
use super::popular::MODELS;
use super::range::Part;
use super::seed::{Seeded, failed, unsound};
use crate::startup_error::StartupError;

/// Any number; another one lets other parts fit.
const SEED: u64 = 2_014;
/// The model years that parts are made for.
const YEARS: std::ops::RangeInclusive<i16> = 2009..=2022;
/// How long a generation of a model lasts, in years.
const GENERATION: i16 = 6;

/// What the page of a part names as the source.
const SOURCE: &str = "Demo data";
/// What has to be true where a part depends on the equipment.
const CONDITION: &str = "Without sport suspension";

/// Enters what fits what, once. What the shop entered by hand stays.
pub(super) async fn seed(ports: &Ports, seeded: &Seeded) -> Result<(), StartupError> {
    let name = Text::new(SOURCE).map_err(unsound(SOURCE))?;
    if ports.fitments.knows_source(&name).await.map_err(failed)? {
        return Ok(());
    }
    let found = fitments(&seeded.range, Vehicles::embedded()).map_err(unsound(SOURCE))?;
    let of_products = found.into_iter().filter_map(|(part, fitment)| {
        let id = seeded.products.get(seeded.range.get(part)?.item.part_number)?;
        Some((*id, fitment))
    });
    let of_products: Vec<(ProductId, NewFitment)> = of_products.collect();
    let source = FitmentSource { name, dated: Some(Day::of(seeded.opened)) };
    ports.fitments.add_from(&source, &of_products).await.map_err(failed)
}

/// What fits what: places of parts, and what is said of them.
fn fitments(parts: &[Part], vehicles: &Vehicles) -> Result<Vec<(usize, NewFitment)>, Unsound> {
    let condition = Text::new(CONDITION)?;
    // Parts that take the place of one another: of a vehicle's equipment it is one of them.
    let mut families: BTreeMap<(&str, Rule), Vec<usize>> = BTreeMap::new();
    for (place, part) in parts.iter().enumerate() {
        if let Fits::Vehicles(rule) = part.fits {
            families.entry((part.item.part_number.get(3..5).unwrap_or_default(), rule)).or_default().push(place);
        }
    }
    let mut found = Vec::new();
    for (make, model) in MODELS {
        let id = vehicles.resolve(make, model).ok_or("a popular model is not in the table of vehicles")?;
        for vehicle in YEARS.filter_map(|year| vehicles.vehicle(vehicles.of_year(id, year)?)) {
            for (family, ((_, rule), choice)) in (0..).zip(&families) {
                let Some(part) = chosen(choice, [i64::from(id.get()), i64::from(vehicle.year / GENERATION), family])
                else {
                    continue;
                };
                let per_vehicle = PerVehicle::new(rule.per_vehicle.into())?;
                for engine in engines(vehicles.engines(vehicle.id), *rule) {
                    let fitment = NewFitment {
                        vehicle: VehicleNo::new(vehicle.id.get()),
                        engine: engine.map(|engine| EngineNo::new(engine.get())),
                        position: rule.position,
                        per_vehicle,
                        condition: rule.conditional.then(|| condition.clone()),
                    };
                    found.push((part, fitment));
                }
            }
        }
    }
    Ok(found)
}

/// One of the parts, drawn for a model, a generation and a family. Of a part without alternatives some have none.
fn chosen(choice: &[usize], draw: [i64; 3]) -> Option<usize> {
    let seed = draw.into_iter().fold(SEED, |seed, one| seed.wrapping_mul(1_000_003).wrapping_add(one.unsigned_abs()));
    let mut random = fastrand::Rng::with_seed(seed);
    let passes = choice.len() == 1 && random.u32(0..3) > 0;
    choice.get(random.usize(0..choice.len().max(1))).copied().filter(|_| !passes)
}

/// The engines with which a part fits: one `None` for all of them.
fn engines(engines: &[Engine], rule: Rule) -> Vec<Option<EngineId>> {
    let Some(fuel) = rule.fuel else { return vec![None] };
    let fits = |engine: &&Engine| burns(engine) == Some(fuel);
    let count = engines.iter().filter(fits).count();
    if count == engines.len() && fuel == Burns::Gasoline {
        return vec![None];
    }
    engines.iter().filter(fits).map(|engine| Some(engine.id)).collect()
}

fn burns(engine: &Engine) -> Option<Burns> {
    match engine.fuel {
        Some(Fuel::Diesel) => Some(Burns::Diesel),
        // Where the source does not say it, it is what most engines burn.
        _ if engine.cylinders.is_some() => Some(Burns::Gasoline),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use domain::Position;

    use super::super::range::parts;
    use super::*;

    #[test]
    fn every_popular_vehicle_has_parts_of_most_types_and_always_the_same() {
        let (parts, vehicles) = (parts().unwrap(), Vehicles::embedded());
        let found = fitments(&parts, vehicles).unwrap();
        assert!(found == fitments(&parts, vehicles).unwrap());
        assert!((10_000..120_000).contains(&found.len()), "{}", found.len());
        let named = [
            (2014, "Toyota", "Camry"),
            (2014, "Ford", "F-150"),
            (2016, "Honda", "Civic"),
            (2015, "Volkswagen", "Golf"),
            (2018, "Mercedes-Benz", "C-Class"),
        ];
        for (year, make, model) in named {
            let vehicle = vehicles.of_year(vehicles.resolve(make, model).unwrap(), year).unwrap();
            let of_it: Vec<_> = found.iter().filter(|(_, fitment)| fitment.vehicle.get() == vehicle.get()).collect();
            let types: BTreeSet<&str> =
                of_it.iter().filter_map(|(part, _)| parts[*part].facts.part_type.as_ref().map(Text::as_str)).collect();
            assert!(types.len() >= 36, "{model}: {types:?}");
            let is_front_disc = |(part, fitment): &&(usize, NewFitment)| {
                parts[*part].item.part_number.starts_with("DL-BD") && fitment.position == Some(Position::Front)
            };
            assert!(of_it.iter().copied().any(|one| is_front_disc(&one)), "{model}");
        }
    }

    #[test]
    fn some_parts_fit_everything_some_under_a_condition_and_of_some_nobody_knows() {
        let parts = parts().unwrap();
        let count = |is: fn(&Fits) -> bool| parts.iter().filter(|part| is(&part.fits)).count();
        assert!(count(|fits| *fits == Fits::All) >= 12);
        assert!(count(|fits| *fits == Fits::Nothing) >= 2);
        assert!(count(|fits| matches!(fits, Fits::Vehicles(rule) if rule.conditional)) >= 3);
        assert!(parts.iter().all(|part| part.facts.universal == (part.fits == Fits::All)));
        // Whatever is made for vehicles fits some.
        let found = fitments(&parts, Vehicles::embedded()).unwrap();
        let fitting: BTreeSet<usize> = found.iter().map(|(part, _)| *part).collect();
        let made = count(|fits| matches!(fits, Fits::Vehicles(_)));
        assert!(fitting.len() * 10 >= made * 9, "{} of {made} fit any", fitting.len());
    }
}
