//! Vehicles that a part fits, as ranges of years.

use std::collections::BTreeMap;

use domain::{Condition, PerVehicle, Position};
use ports::VehicleFitment;
use serde::Serialize;
use utoipa::ToSchema;
use vehicles::{EngineId, ModelId, VehicleId, Vehicles};

use super::view::{ConditionView, conditions};
use crate::wire::enums::PositionName;

/// Years of a model that a part fits, all in the same way. No year is among them of which nobody says so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Range {
    pub(super) make: i32,
    pub(crate) make_name: String,
    pub(super) model: ModelId,
    pub(crate) model_name: String,
    pub(super) from: i16,
    pub(super) to: i16,
    pub(super) way: Way,
}

/// How a part fits.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Way {
    /// The engine's name.
    pub(super) engine: Option<String>,
    pub(super) position: Option<Position>,
    pub(super) condition: Option<Condition>,
    pub(super) per_vehicle: PerVehicle,
}

/// Where a range stands in a list, and by which a list is continued.
pub(super) type Place = (String, i16, String, i16, i32, u16);

impl Range {
    pub(super) fn place(&self) -> Place {
        let Way { engine, position, condition, per_vehicle } = &self.way;
        (
            format!("{} {}", self.make_name, self.model_name).to_lowercase(),
            self.from,
            engine.clone().unwrap_or_default(),
            position.map_or(0, Position::code),
            condition.as_ref().map_or(0, |condition| condition.id.get()),
            per_vehicle.get(),
        )
    }

    /// "Toyota Camry 2007–2011".
    pub(crate) fn vehicle(&self) -> String {
        let years = if self.from == self.to { self.from.to_string() } else { format!("{}–{}", self.from, self.to) };
        format!("{} {} {years}", self.make_name, self.model_name)
    }

    /// "Toyota Camry 2007–2011, 2.5 L 4 cyl · front · 2 per vehicle".
    pub(crate) fn label(&self) -> String {
        let Way { engine, position, condition, per_vehicle } = &self.way;
        let engine = engine.as_ref().map(|engine| format!(", {engine}")).unwrap_or_default();
        let vehicle = format!("{}{engine}", self.vehicle());
        let many = (*per_vehicle != PerVehicle::ONE).then(|| format!("{} per vehicle", per_vehicle.get()));
        let parts = [
            Some(vehicle),
            position.map(|position| position.to_string()),
            many,
            condition.as_ref().map(|condition| condition.text.as_str().to_owned()),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
    }
}

/// The name of an engine that newer data do not have any more.
const GONE: &str = "another engine";

/// What is said of vehicles, as ranges, ordered by their names.
pub(crate) fn ranges(fitments: Vec<VehicleFitment>) -> Vec<Range> {
    let vehicles = Vehicles::embedded();
    let mut of_way: BTreeMap<Way, Vec<VehicleId>> = BTreeMap::new();
    for VehicleFitment { vehicle, fitment, .. } in fitments {
        let engine = fitment.engine.map(|engine| {
            let known = vehicles.engine(EngineId::new(engine.get()));
            known.map_or_else(|| GONE.to_owned(), |engine| engine.name.clone())
        });
        let way =
            Way { engine, position: fitment.position, condition: fitment.condition, per_vehicle: fitment.per_vehicle };
        of_way.entry(way).or_default().push(VehicleId::new(vehicle.get()));
    }
    let mut ranges: Vec<Range> = Vec::new();
    for (way, ids) in of_way {
        ranges.extend(vehicles.ranges(&ids).into_iter().filter_map(|range| {
            let first = vehicles.vehicle(VehicleId::of(range.model, range.from))?;
            Some(Range {
                make: first.make.id.get(),
                make_name: first.make.name.clone(),
                model: range.model,
                model_name: first.model.name.clone(),
                from: range.from,
                to: range.to,
                way: way.clone(),
            })
        }));
    }
    ranges.sort_by_cached_key(Range::place);
    ranges
}

/// Years of a model that a part fits, all in the same way.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = FittingVehicles)]
pub(crate) struct RangeView {
    /// "Toyota Camry 2007–2011, 2.5 L 4 cyl · front · 2 per vehicle".
    label: String,
    make: String,
    model: String,
    /// The first year.
    year_from: i16,
    /// The last year, perhaps the same.
    year_to: i16,
    /// Only with this engine; with any if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    engine: Option<String>,
    /// Where the part belongs, if the source says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    position: Option<PositionName>,
    /// How many a vehicle takes there.
    per_vehicle: u16,
    /// What else has to be true; all of it.
    conditions: Vec<ConditionView>,
}

impl From<Range> for RangeView {
    fn from(range: Range) -> Self {
        Self {
            label: range.label(),
            make: range.make_name,
            model: range.model_name,
            year_from: range.from,
            year_to: range.to,
            engine: range.way.engine,
            position: range.way.position.map(PositionName),
            per_vehicle: range.way.per_vehicle.get(),
            conditions: conditions(range.way.condition),
        }
    }
}
