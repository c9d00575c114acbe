//! From the names in somebody's list to ids.

use crate::engine::{Engine, EngineWords};
use crate::id::{MakeId, ModelId, VehicleId};
use crate::model::Model;
use crate::names::key;
use crate::table::Vehicles;

const CLOSEST: usize = 3;

impl Vehicles {
    /// The make of a name, or of another name of it: "Chevy".
    #[must_use]
    pub fn resolve_make(&self, make: &str) -> Option<MakeId> {
        self.make_ids.get(&key(make)).copied()
    }

    /// The model of a make's and a model's names, or of other names of them: "Mercedes", "C300". The whole name has to be
    /// one: a model is never assumed from the first words of another.
    #[must_use]
    pub fn resolve(&self, make: &str, model: &str) -> Option<ModelId> {
        let (make, name) = (key(make), key(model));
        let id = *self.make_ids.get(&make)?;
        let whole = self.model_ids.get(&(id, name.clone())).copied();
        let proper = || self.make(id).map(|make| key(&make.name)).unwrap_or_default();
        whole.or_else(|| self.aliases.model(&make, &name)).or_else(|| self.aliases.model(&proper(), &name))
    }

    /// The vehicle of a model and a year, if it was sold then.
    #[must_use]
    pub fn of_year(&self, model: ModelId, year: i16) -> Option<VehicleId> {
        self.vehicle(VehicleId::of(model, year)).map(|vehicle| vehicle.id)
    }

    /// The engines of a vehicle that a text such as "2.5L L4" means: several if it leaves something open, none if there is
    /// no such engine.
    #[must_use]
    pub fn resolve_engine(&self, vehicle: VehicleId, text: &str) -> Vec<&Engine> {
        let Some(words) = EngineWords::parse(text) else { return Vec::new() };
        self.engines(vehicle).iter().filter(|engine| words.mean(engine)).collect()
    }

    /// The three makes whose names are closest to a text.
    #[must_use]
    pub fn closest_makes(&self, text: &str) -> Vec<&str> {
        closest(text, self.makes.iter().map(|make| make.name.as_str()))
    }

    /// The three models of a make whose names are closest to a text.
    #[must_use]
    pub fn closest_models(&self, make: MakeId, text: &str) -> Vec<&str> {
        closest(text, self.models.iter().filter(|model| model.make == make).map(|model: &Model| model.name.as_str()))
    }
}

fn closest<'a>(text: &str, names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let text = key(text);
    let mut rated: Vec<(f64, &str)> = names.map(|name| (strsim::jaro_winkler(&text, &key(name)), name)).collect();
    rated.sort_by(|(one, a), (other, b)| other.total_cmp(one).then_with(|| a.cmp(b)));
    rated.into_iter().take(CLOSEST).map(|(_, name)| name).collect()
}
