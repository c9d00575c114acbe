//! What answers about fitments are made of.

use domain::{Condition, Fit, Fitment, Text};
use serde::Serialize;
use utoipa::ToSchema;
use vehicles::{EngineId, Vehicles};

use crate::vehicles::view::ChoiceView;
use crate::wire::enums::{PositionName, VerdictName};

/// Whether a part fits a vehicle.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Fit)]
pub(crate) struct FitView {
    verdict: VerdictName,
    /// Of `if`, under which conditions it fits: each of them is enough.
    conditions: Vec<ConditionView>,
}

impl From<Fit> for FitView {
    fn from(fit: Fit) -> Self {
        Self { verdict: VerdictName(fit.verdict), conditions: conditions(fit.conditions) }
    }
}

/// What else has to be true for a part to fit.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = FitCondition)]
pub(crate) struct ConditionView {
    id: i32,
    text: String,
}

impl From<Condition> for ConditionView {
    fn from(condition: Condition) -> Self {
        Self { id: condition.id.get(), text: condition.text.into_string() }
    }
}

pub(super) fn conditions(conditions: impl IntoIterator<Item = Condition>) -> Vec<ConditionView> {
    conditions.into_iter().map(Into::into).collect()
}

/// What a source says of a part and the vehicle.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = FitReason)]
pub(crate) struct ReasonView {
    /// Only with this engine; with any if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    engine: Option<ChoiceView>,
    /// Where the part belongs, if the source says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    position: Option<PositionName>,
    /// How many the vehicle takes there.
    per_vehicle: u16,
    /// What else has to be true; all of it.
    conditions: Vec<ConditionView>,
    /// Who says so.
    source: String,
    /// The day of which the source is, if it says it: `2026-11-25`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    date: Option<String>,
}

impl From<Fitment> for ReasonView {
    fn from(fitment: Fitment) -> Self {
        let engine = fitment.engine.map(|engine| EngineId::new(engine.get()));
        Self {
            engine: engine.and_then(|engine| Vehicles::embedded().engine(engine)).map(Into::into),
            position: fitment.position.map(PositionName),
            per_vehicle: fitment.per_vehicle.get(),
            conditions: conditions(fitment.condition),
            source: Text::into_string(fitment.source.name),
            date: fitment.source.dated.map(|day| day.to_string()),
        }
    }
}
