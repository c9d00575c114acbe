//! What all answers about vehicles are made of.

use serde::Serialize;
use utoipa::ToSchema;
use vehicles::{Engine, Make, Vehicle};

/// Something to choose: a year, a make or an engine.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = VehicleChoice)]
pub(crate) struct ChoiceView {
    id: i32,
    name: String,
}

impl From<i16> for ChoiceView {
    fn from(year: i16) -> Self {
        Self { id: year.into(), name: year.to_string() }
    }
}

impl From<&Make> for ChoiceView {
    fn from(make: &Make) -> Self {
        Self { id: make.id.get(), name: make.name.clone() }
    }
}

impl From<&Engine> for ChoiceView {
    fn from(engine: &Engine) -> Self {
        Self { id: engine.id.get(), name: engine.name.clone() }
    }
}

/// A model to choose. With the year that it was asked for it is a vehicle.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = VehicleModel)]
pub(crate) struct ModelView {
    id: i32,
    name: String,
    /// The vehicle's id: what products fit.
    vehicle: i32,
}

impl From<Vehicle<'_>> for ModelView {
    fn from(vehicle: Vehicle<'_>) -> Self {
        Self { id: vehicle.model.id.get(), name: vehicle.model.name.clone(), vehicle: vehicle.id.get() }
    }
}
