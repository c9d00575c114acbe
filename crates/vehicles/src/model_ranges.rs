//! Vehicles by model, with their years as ranges.

use std::fmt;

use crate::id::{MakeId, ModelId, VehicleId};
use crate::table::Vehicles;

/// A model, and years that follow one another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelRange {
    /// The make's id.
    pub make: MakeId,
    /// The model's id.
    pub model: ModelId,
    /// The make and the model by name.
    pub name: String,
    /// The first year.
    pub from: i16,
    /// The last year, perhaps the same.
    pub to: i16,
}

/// "Toyota Camry 2007–2011", or "Toyota Camry 2007".
impl fmt::Display for ModelRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.name, self.from)?;
        if self.to == self.from { Ok(()) } else { write!(f, "–{}", self.to) }
    }
}

impl Vehicles {
    /// Vehicles as ranges of years, by name. An id that is no vehicle is left out, and no range goes over a year that is
    /// not among the vehicles.
    #[must_use]
    pub fn ranges(&self, vehicles: &[VehicleId]) -> Vec<ModelRange> {
        let mut ids = vehicles.to_vec();
        ids.sort_unstable();
        ids.dedup();
        let mut ranges: Vec<ModelRange> = Vec::new();
        for vehicle in ids.into_iter().filter_map(|id| self.vehicle(id)) {
            match ranges.last_mut() {
                Some(range) if range.model == vehicle.model.id && range.to + 1 == vehicle.year => range.to += 1,
                _ => ranges.push(ModelRange {
                    make: vehicle.make.id,
                    model: vehicle.model.id,
                    name: format!("{} {}", vehicle.make.name, vehicle.model.name),
                    from: vehicle.year,
                    to: vehicle.year,
                }),
            }
        }
        ranges.sort_by_cached_key(|range| (range.name.to_lowercase(), range.from));
        ranges
    }
}
