//! Makes and models.

use crate::id::{MakeId, ModelId};

/// A make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Make {
    /// Its id.
    pub id: MakeId,
    /// Its name.
    pub name: String,
}

/// What a model is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A passenger car.
    Car,
    /// A multipurpose passenger vehicle: vans, sport utility vehicles.
    Mpv,
    /// A truck, light or heavy.
    Truck,
}

/// A model of a make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// Its id.
    pub id: ModelId,
    /// Its make.
    pub make: MakeId,
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: Kind,
}

/// Who says that a model was sold in a year.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum YearsFrom {
    /// NHTSA's vPIC and the EPA.
    Both,
    /// NHTSA's vPIC alone.
    Vpic,
    /// The EPA alone.
    Epa,
}
