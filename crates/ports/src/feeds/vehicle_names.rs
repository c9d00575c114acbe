//! Vehicles by the names that a list has for them.

use domain::feeds::columns::Column;
use domain::{EngineNo, ModelYears, VehicleNo};

/// What a list names.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct NamedVehicles {
    /// The make, perhaps by another name of it.
    pub make: String,
    /// The model, perhaps by another name of it.
    pub model: String,
    /// The model years.
    pub years: ModelYears,
    /// What is said of the engine.
    pub engine: Option<String>,
}

/// An engine that is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MeantEngine {
    /// Nothing is said of it.
    Any,
    /// This one.
    One(EngineNo),
    /// None that the vehicle has, so that what is said is something else that has to be true.
    None,
}

/// What is meant by a list's names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MeantVehicles {
    /// Each vehicle with each of its engines that may be meant.
    pub vehicles: Vec<(VehicleNo, MeantEngine)>,
    /// Whether an engine is named that not all of the vehicles were sold with.
    pub lacks_engine: bool,
}

/// Names that mean no vehicle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownNames {
    /// Where the wrong name is.
    pub column: Column,
    /// The sentence for whoever made the list.
    pub message: String,
}

/// Knows vehicles by their names.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
pub trait VehicleNames: Send + Sync {
    /// The vehicles that are meant.
    ///
    /// # Errors
    /// [`UnknownNames`] if there are none.
    fn meant(&self, named: &NamedVehicles) -> Result<MeantVehicles, UnknownNames>;
}
