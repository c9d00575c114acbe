//! The vehicle that an order is for, as it is sent.

use domain::{ConditionId, EngineNo, Text, VehicleChoice, VehicleNo, WantedVehicle};
use serde::Deserialize;
use utoipa::ToSchema;
use vehicles::{EngineId, VehicleId, Vehicles};

use crate::wire::fields::Fields;
use crate::wire::whole::Whole;

/// How many conditions may be confirmed.
const MOST: usize = 50;

/// A vehicle's id, or more about it.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(untagged)]
#[schema(as = OrderedFor)]
pub(crate) enum SentVehicle {
    #[schema(value_type = i32)]
    Bare(Whole),
    More(Described),
}

/// A vehicle, and what the customer knows of it.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = OrderedForVehicle)]
pub(crate) struct Described {
    /// The vehicle's id.
    #[schema(value_type = i32)]
    id: Whole,
    /// The id of one of its engines.
    #[schema(value_type = Option<i32>)]
    engine: Option<Whole>,
    /// The ids of the conditions that are true of it.
    #[schema(value_type = Option<Vec<i32>>)]
    confirmed: Option<Vec<Whole>>,
}

fn small(number: Whole) -> Option<i32> {
    i32::try_from(number.0).ok()
}

impl SentVehicle {
    pub(crate) fn parse(&self, fields: &mut Fields) -> Option<VehicleChoice> {
        let (at, id, engine, confirmed) = match self {
            Self::Bare(id) => ("vehicle", *id, None, &[][..]),
            Self::More(sent) => ("vehicle.id", sent.id, sent.engine, sent.confirmed.as_deref().unwrap_or_default()),
        };
        let table = Vehicles::embedded();
        let known = small(id).and_then(|id| table.vehicle(VehicleId::new(id)));
        let Some(vehicle) = known else {
            fields.refuse(at, "We don't know this vehicle. Choose one from the list.".to_owned());
            return None;
        };
        let of_vehicle = |sent: Whole| {
            let engine = small(sent).and_then(|id| table.engine(EngineId::new(id)));
            engine.filter(|engine| engine.id.vehicle() == vehicle.id).ok_or("This vehicle has no such engine")
        };
        let engine = fields.optional("vehicle.engine", "Engine", engine, of_vehicle)?;
        let ids: Option<Vec<ConditionId>> = confirmed.iter().map(|id| small(*id).map(ConditionId::new)).collect();
        let Some(confirmed) = ids.filter(|ids| ids.len() <= MOST) else {
            fields.refuse("vehicle.confirmed", format!("Send at most {MOST} ids of conditions"));
            return None;
        };
        let label = match engine {
            Some(engine) => format!("{}, {}", vehicle.label(), engine.name),
            None => vehicle.label(),
        };
        let engines = table.engines(vehicle.id).iter().map(|engine| EngineNo::new(engine.id.get())).collect();
        let engine = engine.map(|engine| EngineNo::new(engine.id.get()));
        let wanted = WantedVehicle::new(VehicleNo::new(vehicle.id.get()), engines, engine).ok()?;
        Some(VehicleChoice { wanted, label: Text::new(&label).ok()?, confirmed })
    }
}
