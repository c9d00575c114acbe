//! Years of a model, as lists of suppliers name them.

use crate::engine::Engine;
use crate::id::{ModelId, VehicleId};
use crate::table::{Vehicle, Vehicles};

/// Years of a model that a list names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span<'a> {
    /// The make's name, or another name of it.
    pub make: &'a str,
    /// The model's name, or another name of it.
    pub model: &'a str,
    /// The first year.
    pub from: i16,
    /// The last year, perhaps the same.
    pub to: i16,
}

/// What is wrong with the names or years of a span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SpanUnknown<'a> {
    /// There is no such make.
    Make {
        /// The names that are closest.
        closest: Vec<&'a str>,
    },
    /// The make has no such model.
    Model {
        /// The make's name.
        make: &'a str,
        /// The names that are closest.
        closest: Vec<&'a str>,
    },
    /// The model was not sold in any of these years.
    Years {
        /// The make's and the model's names.
        name: String,
        /// The first and the last year in which it was sold.
        sold: (i16, i16),
    },
}

impl SpanUnknown<'_> {
    /// The sentence for whoever wrote the span.
    #[must_use]
    pub fn sentence(&self, span: &Span<'_>) -> String {
        match self {
            Self::Make { closest } => format!("We don't know the make {}. {}", span.make, did_you_mean(closest)),
            Self::Model { make, closest } => {
                format!("We don't know {make} {}. {}", span.model, did_you_mean(closest))
            }
            Self::Years { name, sold: (first, last) } => {
                format!("{name} was sold from {first} to {last}, and not in these years.")
            }
        }
    }
}

fn did_you_mean(closest: &[&str]) -> String {
    match closest {
        [] => String::new(),
        [one] => format!("Did you mean {one}?"),
        [most @ .., last] => format!("Did you mean {} or {last}?", most.join(", ")),
    }
}

impl Vehicles {
    /// The vehicles of a span, year by year. Years in which the model was not sold have none.
    ///
    /// # Errors
    /// [`SpanUnknown`] if there is no such make or model, or none of any of these years.
    pub fn of_span(&self, span: &Span<'_>) -> Result<Vec<VehicleId>, SpanUnknown<'_>> {
        let make =
            self.resolve_make(span.make).ok_or_else(|| SpanUnknown::Make { closest: self.closest_makes(span.make) })?;
        let model = self.resolve(span.make, span.model).ok_or_else(|| SpanUnknown::Model {
            make: self.make(make).map_or("", |make| make.name.as_str()),
            closest: self.closest_models(make, span.model),
        })?;
        let of_model: Vec<Vehicle<'_>> = self.of_model(model).collect();
        let within = |vehicle: &&Vehicle<'_>| (span.from..=span.to).contains(&vehicle.year);
        let vehicles: Vec<VehicleId> = of_model.iter().filter(within).map(|vehicle| vehicle.id).collect();
        match (vehicles.is_empty(), of_model.first().zip(of_model.last())) {
            (true, Some((first, last))) => Err(SpanUnknown::Years {
                name: format!("{} {}", first.make.name, first.model.name),
                sold: (first.year, last.year),
            }),
            _ => Ok(vehicles),
        }
    }

    /// The engines of a vehicle that a text means: the one that is called exactly so, or all that it may mean; none if
    /// there is no such engine.
    #[must_use]
    pub fn engines_named(&self, vehicle: VehicleId, text: &str) -> Vec<&Engine> {
        let called = |engine: &&Engine| engine.name.eq_ignore_ascii_case(text.trim());
        match self.engines(vehicle).iter().find(called) {
            Some(engine) => vec![engine],
            None => self.resolve_engine(vehicle, text),
        }
    }

    /// All vehicles: model by model, year by year.
    pub fn all(&self) -> impl Iterator<Item = Vehicle<'_>> {
        self.rows.iter().map(|row| self.of_row(row))
    }

    /// The vehicles of a model, year by year.
    fn of_model(&self, model: ModelId) -> impl Iterator<Item = Vehicle<'_>> {
        let first = self.rows.partition_point(|row| row.id < VehicleId::of(model, i16::MIN));
        self.rows[first..].iter().map(|row| self.of_row(row)).take_while(move |vehicle| vehicle.model.id == model)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span<'a>(make: &'a str, model: &'a str, from: i16, to: i16) -> Span<'a> {
        Span { make, model, from, to }
    }

    fn years(found: &[VehicleId]) -> Vec<i16> {
        found.iter().map(|id| Vehicles::embedded().vehicle(*id).unwrap().year).collect()
    }

    #[test]
    fn a_span_has_the_years_in_which_the_model_was_sold() {
        let vehicles = Vehicles::embedded();
        assert_eq!(years(&vehicles.of_span(&span("Toyota", "Camry", 2007, 2009)).unwrap()), [2007, 2008, 2009]);
        assert_eq!(years(&vehicles.of_span(&span("chevy", "camaro", 2001, 2011)).unwrap()), [2001, 2002, 2010, 2011]);
        let too_late = vehicles.of_span(&span("Toyota", "Paseo", 2005, 2008));
        assert!(
            matches!(&too_late, Err(SpanUnknown::Years { name, sold: (1992, 1999) }) if name == "Toyota Paseo"),
            "{too_late:?}"
        );
    }

    #[test]
    fn a_name_that_is_not_known_has_three_that_are_close() {
        let vehicles = Vehicles::embedded();
        let make = vehicles.of_span(&span("Toyotta", "Camry", 2007, 2009)).unwrap_err();
        assert!(
            matches!(&make, SpanUnknown::Make { closest } if closest[0] == "Toyota" && closest.len() == 3),
            "{make:?}"
        );
        let model = vehicles.of_span(&span("Toyota", "Camrey", 2007, 2009)).unwrap_err();
        let is_close = |closest: &[&str]| closest[0] == "Camry" && closest.len() == 3;
        assert!(matches!(&model, SpanUnknown::Model { make: "Toyota", closest } if is_close(closest)), "{model:?}");
    }

    #[test]
    fn an_engine_is_found_by_its_own_name_and_means_no_other() {
        let vehicles = Vehicles::embedded();
        for vehicle in vehicles.all() {
            for engine in vehicles.engines(vehicle.id) {
                let found: Vec<_> = vehicles.engines_named(vehicle.id, &engine.name);
                assert_eq!(found.len(), 1, "{} {}", vehicle.label(), engine.name);
                assert_eq!(found[0].id, engine.id, "{} {}", vehicle.label(), engine.name);
            }
        }
        let camry = vehicles.of_span(&span("Toyota", "Camry", 2010, 2010)).unwrap()[0];
        let names = |text| vehicles.engines_named(camry, text).iter().map(|e| e.name.as_str()).collect::<Vec<_>>();
        assert_eq!(names("2.5L L4"), ["2.5 L 4 cyl"]);
        assert!(names("carbon version").is_empty() && names("9.9L").is_empty());
    }
}
