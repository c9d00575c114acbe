//! The vehicles that a customer keeps, so that they need not be looked for again.

use crate::{Edit, GarageVehicleId, Text, Timestamp};

/// How many vehicles a garage holds: as many as a fleet has.
pub const GARAGE_MAX: usize = 200;

/// A vehicle of the public table, by its number there, and one of its engines if it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ChosenVehicle {
    /// The vehicle's number.
    pub vehicle: i32,
    /// The engine's number.
    pub engine: Option<i32>,
}

/// A vehicle in a garage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GarageVehicle {
    /// Its id in the garage.
    pub id: GarageVehicleId,
    /// Which vehicle it is.
    pub chosen: ChosenVehicle,
    /// What its owner calls it.
    pub name: Option<Text<60>>,
    /// When it was added.
    pub added_at: Timestamp,
}

/// What is to be changed of a vehicle in a garage; `V` is its VIN.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GarageEdit<V> {
    /// Which vehicle it is from now on.
    pub chosen: Option<ChosenVehicle>,
    /// What its owner calls it.
    pub name: Edit<Text<60>>,
    /// Its VIN.
    pub vin: Edit<V>,
}
