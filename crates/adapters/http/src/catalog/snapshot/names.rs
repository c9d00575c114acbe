//! Names that many products share, by small numbers.

use std::collections::HashMap;
use std::sync::Arc;

use domain::{Attribute, AttributeValue, PartFacts, Text, fold};

/// What a product has in common with others, by the numbers of [`Names`]; 0 for a brand or part type that it has not.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Facts {
    pub(super) brand: u32,
    pub(super) part_type: u32,
    /// The values of its attributes.
    pub(super) values: Box<[u32]>,
}

/// A name, and what it is compared by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Name {
    pub(super) shown: Box<str>,
    pub(super) key: Box<str>,
}

/// Names in the order in which they were first met, from number 1.
#[derive(Debug, Clone, Default)]
pub(super) struct Numbered {
    names: Vec<Name>,
    numbers: HashMap<Box<str>, u32>,
}

impl Numbered {
    pub(super) fn name(&self, number: u32) -> Option<&Name> {
        self.names.get((number as usize).checked_sub(1)?)
    }

    /// One more than the highest number.
    pub(super) fn end(&self) -> usize {
        self.names.len() + 1
    }

    /// By number, whether a name is one of these; keys are compared.
    pub(super) fn among(&self, keys: &[String]) -> Vec<bool> {
        let is_wanted = |name: &Name| keys.iter().any(|key| **key == *name.key);
        std::iter::once(false).chain(self.names.iter().map(is_wanted)).collect()
    }

    fn number(&self, shown: &str) -> Option<u32> {
        self.numbers.get(shown).copied()
    }

    fn learn(&mut self, shown: &str) -> u32 {
        if let Some(known) = self.number(shown) {
            return known;
        }
        self.names.push(Name { shown: shown.into(), key: fold(shown).into() });
        let number = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        self.numbers.insert(shown.into(), number);
        number
    }
}

/// The value of an attribute.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Value {
    /// The attribute's number.
    pub(super) attribute: u32,
    pub(super) content: Content,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Content {
    /// Thousandths of the unit.
    Number(i64),
    Words(Box<str>),
    Flag(bool),
}

impl Content {
    fn of(value: &AttributeValue) -> Self {
        match value {
            AttributeValue::Number(number, _) => Self::Number(number.thousandths()),
            AttributeValue::Words(words) => Self::Words(words.as_str().into()),
            AttributeValue::Flag(flag) => Self::Flag(*flag),
        }
    }
}

/// All names of a catalogue. One that no product has any more stays until everything is read again.
#[derive(Debug, Clone, Default)]
pub(super) struct Names {
    pub(super) brands: Numbered,
    pub(super) part_types: Numbered,
    pub(super) attributes: Numbered,
    /// By the attribute's name.
    units: HashMap<u32, Box<str>>,
    /// By number, from 0.
    pub(super) values: Vec<Value>,
    value_numbers: HashMap<Value, u32>,
}

impl Names {
    /// The facts of a product. The names are shared with other snapshots, unless some are new.
    pub(super) fn facts(names: &mut Arc<Self>, facts: &PartFacts) -> Facts {
        match names.known(facts) {
            Some(known) => known,
            None => Arc::make_mut(names).learn(facts),
        }
    }

    pub(super) fn unit(&self, attribute: u32) -> Option<&str> {
        self.units.get(&attribute).map(AsRef::as_ref)
    }

    fn known(&self, facts: &PartFacts) -> Option<Facts> {
        let value = |attribute: &Attribute| {
            let number = self.attributes.number(attribute.name.as_str())?;
            if unit(&attribute.value) != self.unit(number) {
                return None;
            }
            let value = Value { attribute: number, content: Content::of(&attribute.value) };
            self.value_numbers.get(&value).copied()
        };
        Some(Facts {
            brand: facts.brand.as_ref().map_or(Some(0), |brand| self.brands.number(brand.as_str()))?,
            part_type: facts.part_type.as_ref().map_or(Some(0), |named| self.part_types.number(named.as_str()))?,
            values: facts.attributes.iter().map(value).collect::<Option<_>>()?,
        })
    }

    fn learn(&mut self, facts: &PartFacts) -> Facts {
        Facts {
            brand: facts.brand.as_ref().map_or(0, |brand| self.brands.learn(brand.as_str())),
            part_type: facts.part_type.as_ref().map_or(0, |named| self.part_types.learn(named.as_str())),
            values: facts.attributes.iter().map(|attribute| self.learn_value(attribute)).collect(),
        }
    }

    fn learn_value(&mut self, attribute: &Attribute) -> u32 {
        let number = self.attributes.learn(attribute.name.as_str());
        match unit(&attribute.value) {
            Some(unit) => self.units.insert(number, unit.into()),
            None => self.units.remove(&number),
        };
        let value = Value { attribute: number, content: Content::of(&attribute.value) };
        if let Some(known) = self.value_numbers.get(&value) {
            return *known;
        }
        let place = u32::try_from(self.values.len()).unwrap_or(u32::MAX);
        self.values.push(value.clone());
        self.value_numbers.insert(value, place);
        place
    }
}

fn unit(value: &AttributeValue) -> Option<&str> {
    match value {
        AttributeValue::Number(_, unit) => unit.as_ref().map(Text::as_str),
        AttributeValue::Words(_) | AttributeValue::Flag(_) => None,
    }
}
