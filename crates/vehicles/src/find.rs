//! One box for everything: "2014 camry v6".

use std::collections::{HashMap, HashSet};
use std::ops::RangeInclusive;

use crate::engine::{Engine, EngineWords};
use crate::id::ModelId;
use crate::index::ModelWords;
use crate::names::{key, words};
use crate::table::{Vehicle, Vehicles};

/// How many vehicles are found at most.
const LIMIT: usize = 10;
/// Longer texts are no search for a vehicle.
const WORDS: usize = 12;

/// A vehicle that was found, with the engine that was asked for.
#[derive(Clone, Copy, Debug)]
pub struct Found<'a> {
    /// The vehicle.
    pub vehicle: Vehicle<'a>,
    /// Its engine, if words told it from all others.
    pub engine: Option<&'a Engine>,
}

/// What a text asks for.
#[derive(Debug, Default)]
struct Asked {
    year: Option<i16>,
    engine: EngineWords,
    names: Vec<String>,
}

impl Asked {
    /// Reads words; `names` tells of which ones to take as a part of a name even if they say something of an engine.
    fn read(words: &[String], years: &RangeInclusive<i16>, names: impl Fn(&[String]) -> bool) -> Self {
        let mut asked = Self::default();
        let mut rest = words;
        while let Some(word) = rest.first() {
            let engine = if names(rest) { None } else { asked.engine.take(rest) };
            let year = word.parse().ok().filter(|year| years.contains(year));
            if let (Some(year), None) = (year, asked.year) {
                asked.year = Some(year);
            } else if engine.is_none() {
                asked.names.push(key(word));
            }
            rest = &rest[engine.unwrap_or(1)..];
        }
        asked
    }
}

impl Vehicles {
    /// The vehicles that a text means, at most ten: year, make, model and engine in any order, other names of makes and
    /// models among them, and the last word perhaps only begun. The best come first, of those the newest.
    #[must_use]
    pub fn find(&self, text: &str) -> Vec<Found<'_>> {
        let words: Vec<String> = words(text).into_iter().take(WORDS).collect();
        let years = 1900..=self.newest_year();
        let mut found = self.found(&Asked::read(&words, &years, |_| false));
        // An H3 is a Hummer and not three cylinders.
        found.extend(self.found(&Asked::read(&words, &years, |rest| self.index.words.contains(&key(&rest[0])))));
        if found.is_empty() {
            found = self.found(&Asked::read(&words, &years, |rest| rest.len() == 1));
        }
        found.sort_by(|(one, a), (other, b)| {
            let order = |of: &Found<'_>| (-of.vehicle.year, of.vehicle.model.name.len(), of.vehicle.id);
            other.cmp(one).then_with(|| order(a).cmp(&order(b)))
        });
        let mut seen = HashSet::new();
        found.into_iter().map(|(_, found)| found).filter(|found| seen.insert(found.vehicle.id)).take(LIMIT).collect()
    }

    /// Whatever is meant, with how well it is meant.
    fn found(&self, asked: &Asked) -> Vec<(u32, Found<'_>)> {
        if asked.names.is_empty() {
            return Vec::new();
        }
        let by_alias = self.models_by_alias(&asked.names);
        let each =
            self.index.models.iter().zip(&self.models).map(|(words, model)| {
                by_alias.get(&model.id).copied().into_iter().chain(rate(words, &asked.names)).max()
            });
        let rates: Vec<Option<u32>> = each.collect();
        let rows = self.rows.iter().filter(|row| asked.year.is_none_or(|year| row.year == year));
        rows.filter_map(|row| Some((rates[row.model]?, self.with_engine(self.of_row(row), asked.engine)?))).collect()
    }

    /// A vehicle with the engine that was asked for; `None` if its engines are known and that one is not among them.
    fn with_engine<'a>(&'a self, vehicle: Vehicle<'a>, asked: EngineWords) -> Option<Found<'a>> {
        let engines = self.engines(vehicle.id);
        if asked == EngineWords::default() || engines.is_empty() {
            return Some(Found { vehicle, engine: None });
        }
        let mut meant = engines.iter().filter(|engine| asked.mean(engine));
        let first = meant.next()?;
        Some(Found { vehicle, engine: meant.next().is_none().then_some(first) })
    }

    /// The models that other names mean, such as "c300" with or without its make.
    fn models_by_alias(&self, names: &[String]) -> HashMap<ModelId, u32> {
        let mut found = HashMap::new();
        for at in 0..names.len() {
            for end in at + 1..=names.len().min(at + JOINED) {
                let others: Vec<&String> = names[..at].iter().chain(&names[end..]).collect();
                for id in self.aliases.models_named(&names[at..end].concat()) {
                    let Ok(place) = self.models.binary_search_by_key(&id, |model| model.id) else { continue };
                    let of_make = &self.index.models[place].make;
                    if others.iter().all(|name| of_make.contains(name)) {
                        found.insert(id, RATE_ALIAS);
                    }
                }
            }
        }
        found
    }
}

const RATE_ALIAS: u32 = 30;
const RATE_WHOLE_MODEL: u32 = 40;
/// How many words that follow one another may be one name: "f 150".
const JOINED: usize = 3;

/// How well a model has all the names that were asked for; `None` if one of them means nothing here. The last of them may
/// be only begun.
fn rate(words: &ModelWords, names: &[String]) -> Option<u32> {
    let longest = names.len().min(JOINED);
    if longest == 0 {
        return Some(0);
    }
    let firsts = (1..=longest).rev().filter_map(|count| {
        let name = if count == 1 { names[0].clone() } else { names[..count].concat() };
        let one = rate_name(words, &name, names.len() == 1)?;
        Some(one + rate(words, &names[count..])?)
    });
    firsts.max()
}

fn rate_name(words: &ModelWords, name: &str, may_be_begun: bool) -> Option<u32> {
    let is = |word: &String| word == name;
    let begun = |word: &String| may_be_begun && word.starts_with(name);
    if words.model.last().is_some_and(is) {
        Some(RATE_WHOLE_MODEL)
    } else if words.model.iter().any(is) || words.make.iter().any(is) {
        Some(10)
    } else if words.model.iter().any(begun) {
        Some(5)
    } else if words.make.iter().any(begun) {
        Some(3)
    } else {
        None
    }
}
