//! Vehicles of a garage as their owners see and send them.

use application::KeptVehicle;
use domain::{ChosenVehicle, Text};
use ports::VinText;
use serde::Serialize;
use utoipa::ToSchema;
use vehicles::vin::Vin;
use vehicles::{EngineId, VehicleId, Vehicles};

use crate::wire::fields::Fields;
use crate::wire::whole::Whole;

/// A vehicle in one's own garage.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = GarageVehicle)]
pub(crate) struct GarageView {
    /// `UUIDv7`.
    #[serde(rename = "_id")]
    id: String,
    /// The vehicle's id, as in `/vehicles`.
    vehicle: i32,
    /// The engine's id, if it is known.
    #[schema(required)]
    engine: Option<i32>,
    /// The vehicle, and its engine if it is known: "2014 Toyota Camry, 2.5 L 4 cyl".
    label: String,
    /// What its owner calls it.
    #[schema(required)]
    name: Option<String>,
    #[schema(required)]
    vin: Option<String>,
    /// RFC 3339, UTC.
    added_at: String,
}

impl From<KeptVehicle> for GarageView {
    fn from(kept: KeptVehicle) -> Self {
        let KeptVehicle { vehicle, vin } = kept;
        Self {
            id: vehicle.id.to_string(),
            vehicle: vehicle.chosen.vehicle,
            engine: vehicle.chosen.engine,
            label: label(vehicle.chosen),
            name: vehicle.name.map(Text::into_string),
            vin: vin.map(|vin| vin.expose().to_owned()),
            added_at: vehicle.added_at.to_string(),
        }
    }
}

pub(super) fn views(kept: Vec<KeptVehicle>) -> Vec<GarageView> {
    kept.into_iter().map(Into::into).collect()
}

fn label(chosen: ChosenVehicle) -> String {
    let table = Vehicles::embedded();
    let vehicle = table.vehicle(VehicleId::new(chosen.vehicle)).map(|vehicle| vehicle.label());
    let engine = chosen.engine.and_then(|engine| table.engine(EngineId::new(engine)));
    // Ids stay when newer data come, so that this is never seen; but an answer never fails for want of a name.
    let vehicle = vehicle.unwrap_or_else(|| format!("Vehicle {}", chosen.vehicle));
    engine.map_or_else(|| vehicle.clone(), |engine| format!("{vehicle}, {}", engine.name))
}

/// A vehicle that the shop knows, and one of its engines. `within` stands before the fields' names in errors.
pub(super) fn chosen(
    fields: &mut Fields,
    within: &str,
    vehicle: Option<Whole>,
    engine: Option<Whole>,
) -> Option<ChosenVehicle> {
    let table = Vehicles::embedded();
    let known = |id: Whole| {
        let id = i32::try_from(id.0).ok().map(VehicleId::new);
        id.filter(|id| table.vehicle(*id).is_some()).ok_or("We don't know this vehicle")
    };
    let vehicle = fields.required(&format!("{within}vehicle"), "Vehicle", vehicle, known)?;
    let of_vehicle = |id: Whole| {
        let id = i32::try_from(id.0).ok().map(EngineId::new);
        let known = id.and_then(|id| table.engine(id)).filter(|engine| engine.id.vehicle() == vehicle);
        known.map(|engine| engine.id.get()).ok_or("This vehicle has no such engine")
    };
    let engine = fields.optional(&format!("{within}engine"), "Engine", engine, of_vehicle)?;
    Some(ChosenVehicle { vehicle: vehicle.get(), engine })
}

/// A VIN in capital letters without blanks.
pub(super) fn vin(typed: &str) -> Result<Option<VinText>, String> {
    if typed.trim().is_empty() {
        return Ok(None);
    }
    let capitalized = |why: String| {
        let (first, rest) = why.split_at(1);
        first.to_uppercase() + rest
    };
    let vin = Vin::parse(typed).map_err(|why| capitalized(why.to_string()))?;
    Ok(Some(VinText::new(vin.as_str().to_owned())))
}
