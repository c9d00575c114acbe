//! Unpacks the data that are compiled in. Tests read all of them, so nothing here fails in a running shop.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use crate::aliases::Aliases;
use crate::engine::{Drive, Engine, EngineWords, Fuel};
use crate::id::{EngineId, MakeId, ModelId, VehicleId};
use crate::index::Index;
use crate::model::{Kind, Make, Model, YearsFrom};
use crate::names::key;
use crate::table::{Row, Vehicles};

const MAKES: &str = include_str!("../data/makes.csv");
const MODELS: &str = include_str!("../data/models.csv");
const ALIASES: &str = include_str!("../data/aliases.csv");
const VEHICLES: &[u8] = include_bytes!("../data/vehicles.csv.br");
const PATTERNS: &[u8] = include_bytes!("../data/vin.tsv.br");

static EMBEDDED: LazyLock<Vehicles> = LazyLock::new(vehicles);

impl Vehicles {
    /// The table that is compiled in. The first use unpacks it.
    #[must_use]
    pub fn embedded() -> &'static Self {
        &EMBEDDED
    }
}

#[expect(clippy::expect_used, reason = "the data are compiled in, and every test reads them")]
fn unpack(packed: &[u8]) -> String {
    let mut text = String::new();
    std::io::Read::read_to_string(&mut brotli::Decompressor::new(packed, 1 << 16), &mut text).expect("data as packed");
    text
}

/// The text of the VIN patterns, for good.
pub(crate) fn patterns() -> &'static str {
    Box::leak(unpack(PATTERNS).into_boxed_str())
}

/// The rows of a file written by hand, without its remarks and its head.
fn rows(text: &str) -> Vec<Vec<String>> {
    text.lines().filter(|line| !line.starts_with('#')).skip(1).map(fields).collect()
}

/// The fields of a line, of which those with a comma stand in quotes.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    for sign in line.chars() {
        match sign {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            other => fields.last_mut().into_iter().for_each(|field| field.push(other)),
        }
    }
    fields
}

fn number<T: std::str::FromStr>(text: &str) -> Option<T> {
    text.parse().ok()
}

/// The years of "1996-1999 2001".
fn years(text: &str) -> impl Iterator<Item = i16> + '_ {
    text.split(' ')
        .filter_map(|run| {
            let (first, last) = run.split_once('-').unwrap_or((run, run));
            Some(number::<i16>(first)?..=number(last)?)
        })
        .flatten()
}

/// What the lines of `vehicles.csv` say.
#[derive(Default)]
struct Lines {
    kinds: HashMap<ModelId, Kind>,
    vehicles: BTreeMap<VehicleId, (ModelId, i16, YearsFrom)>,
    engines: BTreeMap<EngineId, EngineWords>,
}

impl Lines {
    fn read(text: &str) -> Self {
        let mut read = Self::default();
        for line in text.lines() {
            let fields: Vec<&str> = line.split(',').collect();
            match fields.as_slice() {
                ["V", model, kind, both, vpic, epa] => {
                    let model = ModelId::new(number(model).unwrap_or_default());
                    let kind = match *kind {
                        "car" => Kind::Car,
                        "mpv" => Kind::Mpv,
                        _ => Kind::Truck,
                    };
                    read.kinds.insert(model, kind);
                    for (spans, from) in [(both, YearsFrom::Both), (vpic, YearsFrom::Vpic), (epa, YearsFrom::Epa)] {
                        let of_source = years(spans).map(|year| (VehicleId::of(model, year), (model, year, from)));
                        read.vehicles.extend(of_source);
                    }
                }
                ["E", model, slot, litres, cylinders, fuel, drive, "", spans] => {
                    let model = ModelId::new(number(model).unwrap_or_default());
                    let tenths = litres.replace('.', "");
                    let words = EngineWords {
                        decilitres: number(&tenths).filter(|tenths| *tenths > 0),
                        cylinders: number(cylinders).filter(|count| *count > 0),
                        fuel: Fuel::parse(fuel),
                        drive: Drive::parse(drive),
                    };
                    let slot = number(slot).unwrap_or_default();
                    let ids = years(spans).map(|year| EngineId::of(VehicleId::of(model, year), slot));
                    read.engines.extend(ids.map(|id| (id, words)));
                }
                // An engine that is gone keeps its slot, so that no other one gets its id.
                _ => {}
            }
        }
        read
    }
}

fn vehicles() -> Vehicles {
    let mut makes: Vec<Make> = rows(MAKES)
        .into_iter()
        .filter_map(|row| Some(Make { id: MakeId::new(number(row.first()?)?), name: row.get(1)?.clone() }))
        .collect();
    makes.sort_by_cached_key(|make| make.name.to_lowercase());
    let lines = Lines::read(&unpack(VEHICLES));
    let models: Vec<Model> = rows(MODELS)
        .into_iter()
        .filter_map(|row| {
            let id = ModelId::new(number(row.first()?)?);
            let kind = *lines.kinds.get(&id)?;
            Some(Model { id, make: MakeId::new(number(row.get(1)?)?), name: row.get(2)?.clone(), kind })
        })
        .collect();
    let place: HashMap<ModelId, usize> = models.iter().enumerate().map(|(at, model)| (model.id, at)).collect();
    let make_place: HashMap<MakeId, usize> = makes.iter().enumerate().map(|(at, make)| (make.id, at)).collect();
    let rows_of_table = lines.vehicles.iter().filter_map(|(id, (model, year, years_from))| {
        let model = *place.get(model)?;
        let make = *make_place.get(&models[model].make)?;
        Some(Row { id: *id, make, model, year: *year, years_from: *years_from })
    });
    let rows_of_table = rows_of_table.collect();
    let mut make_ids: HashMap<String, MakeId> = makes.iter().map(|make| (key(&make.name), make.id)).collect();
    let model_ids = models.iter().map(|model| ((model.make, key(&model.name)), model.id)).collect();
    let aliases = Aliases::read(&rows(ALIASES), &make_ids, &model_ids);
    for (name, make) in &aliases.makes {
        make_ids.entry(name.clone()).or_insert(*make);
    }
    let index = Index::of(&makes, &models, &aliases);
    Vehicles {
        rows: rows_of_table,
        engines: engines(&lines.engines),
        makes,
        models,
        make_ids,
        model_ids,
        aliases,
        index,
    }
}

/// The engines with their names: the driven wheels are part of one only where the vehicle has another engine of the name.
fn engines(words: &BTreeMap<EngineId, EngineWords>) -> Vec<Engine> {
    let mut of_name: HashMap<(VehicleId, String), u32> = HashMap::new();
    for (id, words) in words {
        *of_name.entry((id.vehicle(), words.name())).or_default() += 1;
    }
    let mut engines: Vec<Engine> = words
        .iter()
        .map(|(id, words)| {
            let name = words.name();
            let alone = of_name.get(&(id.vehicle(), name.clone())) == Some(&1);
            let name = if alone { name } else { words.name_with_drive() };
            let EngineWords { decilitres, cylinders, fuel, drive } = *words;
            Engine { id: *id, decilitres, cylinders, fuel, drive, name }
        })
        .collect();
    engines.sort_by_key(|engine| (engine.id.vehicle(), engine.decilitres, engine.cylinders, engine.id));
    engines
}
