//! Other names of makes and models: the file `data/aliases.csv`, whose head says how a row is read.

use std::collections::HashMap;

use crate::id::{MakeId, ModelId};
use crate::names::key;

#[derive(Debug, Default)]
pub(crate) struct Aliases {
    /// Other names of makes, by key.
    pub(crate) makes: Vec<(String, MakeId)>,
    models: Vec<ModelAlias>,
}

#[derive(Debug)]
struct ModelAlias {
    /// The key of the make's name that the alias is used with.
    make: String,
    pattern: String,
    /// `None` for a name that would be taken for another's.
    to: Option<ModelId>,
}

impl Aliases {
    pub(crate) fn read(
        rows: &[Vec<String>],
        makes: &HashMap<String, MakeId>,
        models: &HashMap<(MakeId, String), ModelId>,
    ) -> Self {
        let mut read = Self::default();
        for row in rows {
            let [make, name, to_make, model] = row.as_slice() else { continue };
            let to = if to_make.is_empty() { make } else { to_make };
            let Some(to) = makes.get(&key(to)) else { continue };
            if model.is_empty() {
                read.makes.push((key(name), *to));
            } else {
                let to = models.get(&(*to, key(model))).copied();
                read.models.push(ModelAlias { make: key(make), pattern: pattern(name), to });
            }
        }
        read
    }

    /// The model that a key means as a name of a model of this make.
    pub(crate) fn model(&self, make: &str, name: &str) -> Option<ModelId> {
        let found = self.models.iter().find(|alias| alias.make == make && matches(&alias.pattern, name));
        found.and_then(|alias| alias.to)
    }

    /// The models that a key means with whatever make.
    pub(crate) fn models_named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = ModelId> + 'a {
        self.models.iter().filter(move |alias| matches(&alias.pattern, name)).filter_map(|alias| alias.to)
    }
}

fn pattern(name: &str) -> String {
    let kept = |sign: &char| sign.is_ascii_alphanumeric() || matches!(sign, '#' | '*');
    name.chars().filter(kept).map(|sign| sign.to_ascii_lowercase()).collect()
}

/// Whether a key is what a pattern says: `#` is a digit, `*` any rest, and every other sign itself.
fn matches(pattern: &str, name: &str) -> bool {
    let Some(sign) = pattern.chars().next() else { return name.is_empty() };
    if sign == '*' {
        return (0..=name.len()).any(|at| name.get(at..).is_some_and(|rest| matches(&pattern[1..], rest)));
    }
    let first = name.chars().next();
    let same = first.is_some_and(|first| if sign == '#' { first.is_ascii_digit() } else { first == sign });
    same && matches(&pattern[1..], &name[1..])
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn a_pattern_says_digits_and_rests() {
        assert!(matches("c###*", "c300"));
        assert!(matches("c###*", "c3004matic"));
        assert!(!matches("c###*", "c30"));
        assert!(!matches("c###*", "cl300"));
        assert!(matches("db132*diablo", "db132144diablo"));
        assert!(!matches("f12", "f12tdf"));
    }
}
