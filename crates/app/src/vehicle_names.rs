//! Vehicles by the names in suppliers' lists, from the table that the program carries.

use domain::feeds::columns::Column;
use domain::{EngineNo, VehicleNo};
use ports::{MeantEngine, MeantVehicles, NamedVehicles, UnknownNames, VehicleNames};
use vehicles::{EngineWords, Span, SpanUnknown, VehicleId, Vehicles};

/// The table that the program carries.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EmbeddedVehicles;

impl VehicleNames for EmbeddedVehicles {
    fn meant(&self, named: &NamedVehicles) -> Result<MeantVehicles, UnknownNames> {
        let (make, model) = (named.make.as_str(), named.model.as_str());
        let span = Span { make, model, from: named.years.first(), to: named.years.last() };
        let found = Vehicles::embedded().of_span(&span).map_err(|unknown| UnknownNames {
            column: match unknown {
                SpanUnknown::Make { .. } => Column::Make,
                SpanUnknown::Model { .. } => Column::Model,
                SpanUnknown::Years { .. } => Column::YearFrom,
            },
            message: unknown.sentence(&span),
        })?;
        let mut meant = MeantVehicles::default();
        for vehicle in found {
            let number = VehicleNo::new(vehicle.get());
            let engines = engines(vehicle, named.engine.as_deref());
            meant.lacks_engine |= engines == [MeantEngine::None] && knows_engines(vehicle);
            meant.vehicles.extend(engines.into_iter().map(|engine| (number, engine)));
        }
        // Whatever is no engine at all is a condition, and meant as one.
        meant.lacks_engine &= named.engine.as_deref().and_then(EngineWords::parse).is_some();
        Ok(meant)
    }
}

fn knows_engines(vehicle: VehicleId) -> bool {
    !Vehicles::embedded().engines(vehicle).is_empty()
}

fn engines(vehicle: VehicleId, said: Option<&str>) -> Vec<MeantEngine> {
    let Some(said) = said else { return vec![MeantEngine::Any] };
    let engines = Vehicles::embedded().engines_named(vehicle, said);
    if engines.is_empty() {
        return vec![MeantEngine::None];
    }
    engines.iter().map(|engine| MeantEngine::One(EngineNo::new(engine.id.get()))).collect()
}

#[cfg(test)]
mod tests {
    use domain::ModelYears;

    use super::*;

    fn meant(make: &str, model: &str, years: (i16, i16), engine: &str) -> Result<MeantVehicles, UnknownNames> {
        let engine = (!engine.is_empty()).then(|| engine.to_owned());
        let years = ModelYears::new(years.0, years.1).unwrap();
        EmbeddedVehicles.meant(&NamedVehicles { make: make.to_owned(), model: model.to_owned(), years, engine })
    }

    #[test]
    fn names_mean_vehicles_and_engines_or_a_condition() {
        let any = meant("Toyota", "Camry", (2010, 2011), "").unwrap();
        assert_eq!(any.vehicles.iter().map(|one| one.1).collect::<Vec<_>>(), [MeantEngine::Any; 2]);
        let one = meant("toyota", "CAMRY", (2010, 2010), "2.5 4cyl").unwrap();
        assert!(matches!(one.vehicles[..], [(_, MeantEngine::One(_))]) && !one.lacks_engine, "{one:?}");
        let condition = meant("Toyota", "Camry", (2010, 2010), "carbon version").unwrap();
        assert!(matches!(condition.vehicles[..], [(_, MeantEngine::None)]) && !condition.lacks_engine);
        assert!(meant("Toyota", "Camry", (2010, 2010), "9.9L V12").unwrap().lacks_engine);
    }

    #[test]
    fn unknown_names_say_where_and_what_is_close() {
        for (make, model, years, column, words) in [
            ("Toyotta", "Camry", (2010, 2010), Column::Make, "Did you mean Toyota, "),
            ("Toyota", "Camrey", (2010, 2010), Column::Model, "Did you mean Camry, "),
            ("Toyota", "Paseo", (2005, 2008), Column::YearFrom, "sold from 1992 to 1999"),
        ] {
            let unknown = meant(make, model, years, "").unwrap_err();
            assert_eq!(unknown.column, column);
            assert!(unknown.message.contains(words), "{}", unknown.message);
        }
    }
}
