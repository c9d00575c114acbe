//! Which vehicles there are, their engines, and what a vehicle identification number (VIN) says.
//!
//! The data are public, made by `make vehicles` (`data/NOTICE` names the sources), and compiled in. They are unpacked
//! once, at the first use, and then read from memory. Nothing here knows the shop.

#![warn(missing_docs)]

mod aliases;
mod engine;
mod find;
mod id;
mod index;
mod load;
mod model;
mod model_ranges;
mod names;
mod resolve;
mod span;
mod table;
pub mod vin;

pub use engine::{Drive, Engine, EngineWords, Fuel};
pub use find::Found;
pub use id::{EngineId, MakeId, ModelId, VehicleId};
pub use model::{Kind, Make, Model, YearsFrom};
pub use model_ranges::ModelRange;
pub use span::{Span, SpanUnknown};
pub use table::{Vehicle, Vehicles};
