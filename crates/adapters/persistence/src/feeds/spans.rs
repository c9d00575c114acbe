//! The vehicles that rows name, looked up once for each way of naming them.

use std::collections::HashMap;

use domain::{Condition, EngineNo, FeedFinding, FeedRow, Position, Text};
use ports::{MeantEngine, NamedVehicles, UnknownNames, VehicleNames};

use crate::feeds::staging::{StagedFitment, StagedSpan};

/// Ways of naming vehicles that are held: those of a catalog come again for each of its parts.
const HELD_MAX: usize = 20_000;

enum Held {
    Span { id: i32, lacks_engine: bool },
    Unknown(UnknownNames),
}

/// The vehicles that rows name.
pub(crate) struct Spans<'a> {
    names: &'a dyn VehicleNames,
    held: HashMap<NamedVehicles, Held>,
    last: i32,
}

impl<'a> Spans<'a> {
    pub(crate) fn new(names: &'a dyn VehicleNames) -> Self {
        Self { names, held: HashMap::new(), last: 0 }
    }

    /// What a row says of vehicles; `fresh` gets the vehicles if they were not named before. Unknown names refuse the row.
    pub(crate) fn stage(
        &mut self,
        row: &mut FeedRow,
        findings: &mut Vec<FeedFinding>,
        fresh: &mut Vec<StagedSpan>,
    ) -> Option<StagedFitment> {
        let fitment = row.fitment.take()?;
        let line = row.line;
        let named = NamedVehicles {
            make: fitment.make.into_string(),
            model: fitment.model.into_string(),
            years: fitment.years,
            engine: fitment.engine.map(Text::into_string),
        };
        let mut note = |field: &str, reason: &str, message| {
            let (field, reason) = (field.to_owned(), reason.to_owned());
            findings.push(FeedFinding { line, field, reason, message });
        };
        let engine = named.engine.clone();
        let span_id = match self.held(named, fresh) {
            Held::Unknown(unknown) => {
                row.refused = true;
                note(unknown.column.as_str(), "vehicle", unknown.message.clone());
                return None;
            }
            Held::Span { id, lacks_engine } => {
                if let Some(engine) = engine.as_deref().filter(|_| *lacks_engine) {
                    note("engine", "engine", never_had(engine));
                }
                *id
            }
        };
        let (submodel, condition) = (fitment.submodel, fitment.condition);
        let said = [submodel.as_ref().map(Text::as_str), condition.as_ref().map(Text::as_str)];
        let body = |said: &[Option<&str>]| Condition::all_of(said).map(Text::into_string).unwrap_or_default();
        Some(StagedFitment {
            line: i64::try_from(line).unwrap_or(i64::MAX),
            span_id,
            said: body(&said),
            said_with_engine: body(&[engine.as_deref(), said[0], said[1]]),
            position: fitment.position.map_or(0, Position::code),
            per_vehicle: i16::try_from(fitment.per_vehicle.get()).unwrap_or(i16::MAX),
            removes: fitment.removes,
        })
    }

    fn held(&mut self, named: NamedVehicles, fresh: &mut Vec<StagedSpan>) -> &Held {
        if self.held.len() >= HELD_MAX && !self.held.contains_key(&named) {
            self.held.clear();
        }
        let (known, last) = (self.names, &mut self.last);
        self.held.entry(named).or_insert_with_key(|named| match known.meant(named) {
            Err(unknown) => Held::Unknown(unknown),
            Ok(meant) => {
                *last += 1;
                let id = *last;
                fresh.extend(meant.vehicles.into_iter().map(|(vehicle, engine)| StagedSpan {
                    span_id: id,
                    vehicle_id: vehicle.get(),
                    engine_id: if let MeantEngine::One(engine) = engine { EngineNo::get(engine) } else { 0 },
                    engine_is_said: engine == MeantEngine::None,
                }));
                Held::Span { id, lacks_engine: meant.lacks_engine }
            }
        })
    }
}

fn never_had(engine: &str) -> String {
    format!("Not all of these vehicles were sold with the engine {engine}. For those, we keep it as a condition.")
}
