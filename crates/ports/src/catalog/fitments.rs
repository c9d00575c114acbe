//! Which parts fit which vehicles.

use std::collections::HashMap;

use async_trait::async_trait;
use domain::{
    Day, EngineNo, Fitment, FitmentSource, PartFitments, PerVehicle, Position, ProductId, Text, VehicleNo,
    WantedVehicle,
};

use crate::{PartType, StoreError};

/// For which vehicle a list of products is, and how well they have to fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FitFilter {
    /// The vehicle.
    pub wanted: WantedVehicle,
    /// How well they have to fit it.
    pub at_least: FitsAtLeast,
}

/// How well products have to fit. Those that do not are never listed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum FitsAtLeast {
    /// They fit.
    Surely,
    /// They fit; and after those, they fit under a condition or with some engines.
    #[default]
    Perhaps,
    /// Also those of which nobody says what they fit; they come last.
    Unknown,
}

/// That a product fits a vehicle, as somebody enters it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewFitment {
    /// The vehicle.
    pub vehicle: VehicleNo,
    /// Only with this engine.
    pub engine: Option<EngineNo>,
    /// Where it belongs.
    pub position: Option<Position>,
    /// How many the vehicle takes there.
    pub per_vehicle: PerVehicle,
    /// What else has to be true.
    pub condition: Option<Text<500>>,
}

/// That a product fits a vehicle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VehicleFitment {
    /// The vehicle.
    pub vehicle: VehicleNo,
    /// What is said of it.
    pub fitment: Fitment,
    /// Whether the shop entered it.
    pub by_hand: bool,
}

/// How many vehicles of each make have a part of a type that is for sale.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypeCoverage {
    /// The part type.
    pub part_type: PartType,
    /// Whether such a part fits every vehicle.
    pub universal: bool,
    /// By the number of the make, how many of its vehicles have such a part; makes without any are left out.
    pub vehicles: HashMap<i32, u64>,
}

/// Which parts fit which vehicles.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
#[async_trait]
pub trait FitmentRepository: Send + Sync {
    /// What is known of each of these products, for sale or archived, and one vehicle. One that never existed is left out.
    async fn of_vehicle(
        &self,
        products: &[ProductId],
        vehicle: VehicleNo,
    ) -> Result<HashMap<ProductId, PartFitments>, StoreError>;

    /// The vehicles that a product fits, ordered by the vehicle; `None` if it is not for sale.
    async fn of_product(&self, product: ProductId) -> Result<Option<Vec<VehicleFitment>>, StoreError>;

    /// Replaces what was entered by hand of a product that is for sale, in one transaction. What stays keeps its day, and
    /// what another source says stays. `None` if there is no such product.
    async fn set_by_hand(
        &self,
        product: ProductId,
        fitments: &[NewFitment],
        day: Day,
    ) -> Result<Option<()>, StoreError>;

    /// Whether a source of this name has said something that the shop did not enter.
    async fn knows_source(&self, name: &Text<120>) -> Result<bool, StoreError>;

    /// Adds what a source says of products, in one transaction. Products that do not exist are left out.
    async fn add_from(&self, source: &FitmentSource, fitments: &[(ProductId, NewFitment)]) -> Result<(), StoreError>;

    /// Of each part type of which any part for sale fits some vehicle or all of them, how many of these vehicles have one,
    /// by make. Of each vehicle comes its number and that of its make.
    async fn coverage(&self, makes: &[(VehicleNo, i32)]) -> Result<Vec<TypeCoverage>, StoreError>;
}
