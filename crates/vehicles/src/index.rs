//! The words that vehicles are found by.

use std::collections::{HashMap, HashSet};

use crate::aliases::Aliases;
use crate::id::MakeId;
use crate::model::{Make, Model};
use crate::names::{key, words};

/// The words of each model, in the models' order.
#[derive(Debug)]
pub(crate) struct Index {
    pub(crate) models: Vec<ModelWords>,
    /// All words of models' names.
    pub(crate) words: HashSet<String>,
}

#[derive(Debug)]
pub(crate) struct ModelWords {
    pub(crate) make: Vec<String>,
    pub(crate) model: Vec<String>,
}

impl Index {
    pub(crate) fn of(makes: &[Make], models: &[Model], aliases: &Aliases) -> Self {
        let mut of_make: HashMap<MakeId, Vec<String>> =
            makes.iter().map(|make| (make.id, name_words(&make.name))).collect();
        for (alias, make) in &aliases.makes {
            of_make.entry(*make).or_default().push(alias.clone());
        }
        let words_of = |model: &Model| ModelWords {
            make: of_make.get(&model.make).cloned().unwrap_or_default(),
            model: name_words(&model.name),
        };
        let models: Vec<ModelWords> = models.iter().map(words_of).collect();
        let words = models.iter().flat_map(|words| words.model.iter().cloned()).collect();
        Self { models, words }
    }
}

/// The words of a name, and the name as one word: "F-150" is `f`, `150` and `f150`.
fn name_words(name: &str) -> Vec<String> {
    let mut parts: Vec<String> = words(name).iter().map(|word| key(word)).collect();
    let whole = key(name);
    if !parts.contains(&whole) {
        parts.push(whole);
    }
    parts
}
