//! For which vehicle parts are wanted.

use domain::{EngineNo, VehicleNo, WantedVehicle};
use vehicles::{VehicleId, Vehicles};

use crate::vehicles::numbers::number;
use crate::wire::fields::{Fields, filled};

/// The vehicle and the engine that a query names; `None` if one is there and invalid.
#[expect(clippy::option_option, reason = "as Fields::optional")]
pub(crate) fn wanted_vehicle(
    vehicle: Option<&str>,
    engine: Option<&str>,
    fields: &mut Fields,
) -> Option<Option<WantedVehicle>> {
    let vehicle = fields.optional("vehicle", "Vehicle", filled(vehicle), |sent| known(number(sent)?));
    let engine = fields.optional("engine", "Engine", filled(engine), number::<i32>);
    let (vehicle, engine) = (vehicle?, engine?);
    let Some(vehicle) = vehicle else {
        if engine.is_some() {
            fields.refuse("engine", "Choose the vehicle as well as its engine".to_owned());
        }
        return engine.is_none().then_some(None);
    };
    let engines = Vehicles::embedded().engines(vehicle).iter().map(|engine| EngineNo::new(engine.id.get())).collect();
    let wanted = WantedVehicle::new(VehicleNo::new(vehicle.get()), engines, engine.map(EngineNo::new));
    wanted.map(Some).map_err(|why| fields.refuse("engine", format!("Engine {why}"))).ok()
}

/// The vehicle of this number.
///
/// # Errors
/// A sentence if there is none.
pub(super) fn known(number: i32) -> Result<VehicleId, &'static str> {
    let vehicle = Vehicles::embedded().vehicle(VehicleId::new(number));
    vehicle.map(|vehicle| vehicle.id).ok_or("We don't know this vehicle. Choose one from the list.")
}
