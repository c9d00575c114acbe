//! The table of vehicles, and how one goes from the year to the engine.

use std::collections::{BTreeSet, HashMap};

use crate::aliases::Aliases;
use crate::engine::Engine;
use crate::id::{EngineId, MakeId, ModelId, VehicleId};
use crate::index::Index;
use crate::model::{Make, Model, YearsFrom};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub(crate) id: VehicleId,
    /// The places of its make and model.
    pub(crate) make: usize,
    pub(crate) model: usize,
    pub(crate) year: i16,
    pub(crate) years_from: YearsFrom,
}

/// A model of one model year.
#[derive(Clone, Copy, Debug)]
pub struct Vehicle<'a> {
    /// Its id.
    pub id: VehicleId,
    /// Its make.
    pub make: &'a Make,
    /// Its model.
    pub model: &'a Model,
    /// Its model year.
    pub year: i16,
    /// Who says that there is one.
    pub years_from: YearsFrom,
}

impl Vehicle<'_> {
    /// How it is called: "2014 Toyota Camry".
    #[must_use]
    pub fn label(&self) -> String {
        format!("{} {} {}", self.year, self.make.name, self.model.name)
    }
}

/// All vehicles.
#[derive(Debug)]
pub struct Vehicles {
    /// In the order of their names.
    pub(crate) makes: Vec<Make>,
    /// In the order of their ids.
    pub(crate) models: Vec<Model>,
    /// In the order of their ids: model by model, year by year.
    pub(crate) rows: Vec<Row>,
    /// In the order of their ids: vehicle by vehicle.
    pub(crate) engines: Vec<Engine>,
    pub(crate) make_ids: HashMap<String, MakeId>,
    pub(crate) model_ids: HashMap<(MakeId, String), ModelId>,
    pub(crate) aliases: Aliases,
    pub(crate) index: Index,
}

impl Vehicles {
    /// The model years, the newest first.
    #[must_use]
    pub fn years(&self) -> Vec<i16> {
        let mut years: Vec<i16> = self.rows.iter().map(|row| row.year).collect();
        years.sort_unstable_by(|one, other| other.cmp(one));
        years.dedup();
        years
    }

    /// The makes of a model year, by name.
    #[must_use]
    pub fn makes(&self, year: i16) -> Vec<&Make> {
        let of_year = self.rows.iter().filter(|row| row.year == year);
        let places: BTreeSet<usize> = of_year.map(|row| row.make).collect();
        places.into_iter().map(|place| &self.makes[place]).collect()
    }

    /// The vehicles of a make and model year, by name.
    #[must_use]
    pub fn models(&self, year: i16, make: MakeId) -> Vec<Vehicle<'_>> {
        let of_year = self.rows.iter().filter(|row| row.year == year && self.makes[row.make].id == make);
        let mut found: Vec<Vehicle<'_>> = of_year.map(|row| self.of_row(row)).collect();
        found.sort_by_cached_key(|vehicle| vehicle.model.name.to_lowercase());
        found
    }

    /// The engines that a vehicle was sold with, as far as they are known: small ones first.
    #[must_use]
    pub fn engines(&self, vehicle: VehicleId) -> &[Engine] {
        let first = self.engines.partition_point(|engine| engine.id.vehicle() < vehicle);
        let last = self.engines.partition_point(|engine| engine.id.vehicle() <= vehicle);
        &self.engines[first..last]
    }

    /// A vehicle by its id.
    #[must_use]
    pub fn vehicle(&self, id: VehicleId) -> Option<Vehicle<'_>> {
        let at = self.rows.binary_search_by_key(&id, |row| row.id).ok()?;
        Some(self.of_row(&self.rows[at]))
    }

    /// An engine by its id.
    #[must_use]
    pub fn engine(&self, id: EngineId) -> Option<&Engine> {
        self.engines(id.vehicle()).iter().find(|engine| engine.id == id)
    }

    /// The make of an id.
    #[must_use]
    pub fn make(&self, id: MakeId) -> Option<&Make> {
        self.makes.iter().find(|make| make.id == id)
    }

    pub(crate) fn of_row(&self, row: &Row) -> Vehicle<'_> {
        let (make, model) = (&self.makes[row.make], &self.models[row.model]);
        Vehicle { id: row.id, make, model, year: row.year, years_from: row.years_from }
    }

    pub(crate) fn newest_year(&self) -> i16 {
        self.rows.iter().map(|row| row.year).max().unwrap_or_default()
    }
}
