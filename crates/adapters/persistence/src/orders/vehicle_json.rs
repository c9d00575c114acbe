//! The vehicle of an order, as its row and its first event keep it. Field names are permanent.

use diesel::QueryResult;
use domain::{Condition, ConditionId, EngineNo, OrderedCondition, OrderedVehicle, VehicleNo};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::platform::decode::RowDecoder;

#[derive(Serialize, Deserialize)]
pub(crate) struct VehicleJson {
    id: i32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    engine: Option<i32>,
    label: String,
    verdict: String,
    conditions: Vec<ConditionJson>,
}

#[derive(Serialize, Deserialize)]
struct ConditionJson {
    id: i32,
    text: String,
    confirmed: bool,
}

impl VehicleJson {
    pub(crate) fn of(ordered: &OrderedVehicle) -> Self {
        let condition = |OrderedCondition { condition, confirmed }: &OrderedCondition| ConditionJson {
            id: condition.id.get(),
            text: condition.text.as_str().to_owned(),
            confirmed: *confirmed,
        };
        Self {
            id: ordered.vehicle.get(),
            engine: ordered.engine.map(EngineNo::get),
            label: ordered.label.as_str().to_owned(),
            verdict: ordered.verdict.as_str().to_owned(),
            conditions: ordered.conditions.iter().map(condition).collect(),
        }
    }

    pub(crate) fn read(&self, decoder: RowDecoder, column: &'static str) -> QueryResult<OrderedVehicle> {
        let condition = |json: &ConditionJson| {
            let condition = Condition { id: ConditionId::new(json.id), text: decoder.text(column, &json.text)? };
            Ok(OrderedCondition { condition, confirmed: json.confirmed })
        };
        Ok(OrderedVehicle {
            vehicle: VehicleNo::new(self.id),
            engine: self.engine.map(EngineNo::new),
            label: decoder.text(column, &self.label)?,
            verdict: decoder.parse(column, &self.verdict)?,
            conditions: self.conditions.iter().map(condition).collect::<QueryResult<_>>()?,
        })
    }
}

/// The vehicle in an order's row.
pub(crate) fn read(decoder: RowDecoder, json: Value) -> QueryResult<Box<OrderedVehicle>> {
    let json: VehicleJson = serde_json::from_value(json).map_err(|why| decoder.refuse("vehicle", &why))?;
    json.read(decoder, "vehicle").map(Box::new)
}
