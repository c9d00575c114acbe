//! The vehicles that customers keep.

use async_trait::async_trait;
use domain::{AccountId, GarageEdit, GarageVehicle, GarageVehicleId};
use thiserror::Error;

use crate::platform::secret_text::secret_text;
use crate::{IdempotencyKey, StoreError, WriteError};

secret_text! {
    /// A vehicle identification number. With the registers it tells who owns a vehicle.
    VinText
}

/// A VIN that only the shop's secret opens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedVin(pub Vec<u8>);

/// Seals and opens VINs.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
pub trait VinSeal: Send + Sync {
    /// Seals the VIN of a vehicle in a garage. `None` only if the cipher itself fails.
    fn seal(&self, of: GarageVehicleId, vin: &VinText) -> Option<SealedVin>;

    /// Opens what [`Self::seal`] sealed for the same vehicle. `None` for any other vehicle, and if the secret that sealed
    /// it was dropped.
    fn open(&self, of: GarageVehicleId, sealed: &SealedVin) -> Option<VinText>;
}

/// The garage already holds [`domain::GARAGE_MAX`] vehicles, or would with these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a garage holds at most {} vehicles", domain::GARAGE_MAX)]
pub struct GarageFull;

/// A vehicle as the store has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredGarageVehicle {
    /// The vehicle.
    pub vehicle: GarageVehicle,
    /// Its VIN, if it has one.
    pub vin: Option<SealedVin>,
}

/// A vehicle to be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewGarageVehicle {
    /// The account whose it is.
    pub account: AccountId,
    /// The vehicle.
    pub stored: StoredGarageVehicle,
    /// The request's idempotency key, if it sent one.
    pub idempotency_key: Option<IdempotencyKey>,
}

/// What became of a vehicle to be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Added {
    /// It is kept.
    New,
    /// The same request had added this one.
    Before(StoredGarageVehicle),
}

/// The vehicles that customers keep. Every call names the account: another's vehicles are never found.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
#[async_trait]
pub trait GarageRepository: Send + Sync {
    /// An account's vehicles, those added last first.
    async fn list(&self, account: AccountId) -> Result<Vec<StoredGarageVehicle>, StoreError>;

    /// Adds a vehicle. However many calls add at once, an account never has more than [`domain::GARAGE_MAX`]. Repeating
    /// the call with the same idempotency key changes nothing.
    async fn add(&self, new: &NewGarageVehicle) -> Result<Added, WriteError<GarageFull>>;

    /// Adds those of the vehicles, none of which has a VIN, that are not there under the same name: all of them or none.
    async fn merge(&self, account: AccountId, vehicles: &[GarageVehicle]) -> Result<(), WriteError<GarageFull>>;

    /// Changes a vehicle, and returns it as it is now. `None` if the account has no such vehicle.
    async fn edit(
        &self,
        account: AccountId,
        id: GarageVehicleId,
        edit: &GarageEdit<SealedVin>,
    ) -> Result<Option<StoredGarageVehicle>, StoreError>;

    /// Removes a vehicle. `false` if the account has no such vehicle.
    async fn remove(&self, account: AccountId, id: GarageVehicleId) -> Result<bool, StoreError>;
}
