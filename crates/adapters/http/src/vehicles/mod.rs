//! Vehicles, their engines, and what a VIN says, on the wire. All of it is public data that the program carries: a
//! handler asks neither the store nor a use case.

pub(crate) mod engines;
pub(crate) mod find;
pub(crate) mod makes;
pub(crate) mod models;
pub(crate) mod numbers;
pub(crate) mod view;
pub(crate) mod vin;
pub(crate) mod years;
