//! For which vehicle parts are wanted.

use thiserror::Error;

use super::{EngineNo, VehicleNo};

/// A vehicle that parts are wanted for, with the engines that it was sold with, as far as they are known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WantedVehicle {
    vehicle: VehicleNo,
    engines: Vec<EngineNo>,
    engine: Option<EngineNo>,
}

/// The engine is another vehicle's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must be one of the vehicle's engines")]
pub struct OtherVehiclesEngine;

impl WantedVehicle {
    /// A vehicle, all of its engines, and the one that it has, if that is known.
    ///
    /// # Errors
    /// [`OtherVehiclesEngine`] if that one is not among all.
    pub fn new(
        vehicle: VehicleNo,
        engines: Vec<EngineNo>,
        engine: Option<EngineNo>,
    ) -> Result<Self, OtherVehiclesEngine> {
        if engine.is_some_and(|engine| !engines.contains(&engine)) {
            return Err(OtherVehiclesEngine);
        }
        Ok(Self { vehicle, engines, engine })
    }

    /// The vehicle.
    #[must_use]
    pub const fn vehicle(&self) -> VehicleNo {
        self.vehicle
    }

    /// The engines that it was sold with; none if nobody knows them.
    #[must_use]
    pub fn engines(&self) -> &[EngineNo] {
        &self.engines
    }

    /// The engine that it has, if that is known.
    #[must_use]
    pub const fn engine(&self) -> Option<EngineNo> {
        self.engine
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_belongs_to_its_vehicle() {
        let (vehicle, [one, two]) = (VehicleNo::new(7), [EngineNo::new(1), EngineNo::new(2)]);
        assert!(WantedVehicle::new(vehicle, vec![one, two], Some(two)).is_ok());
        assert!(WantedVehicle::new(vehicle, vec![], None).is_ok());
        assert_eq!(WantedVehicle::new(vehicle, vec![one], Some(two)), Err(OtherVehiclesEngine));
        assert_eq!(WantedVehicle::new(vehicle, vec![], Some(one)), Err(OtherVehiclesEngine));
    }
}
