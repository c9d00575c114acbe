//! What products are filtered and counted by, in columns: those of a million are read in a few milliseconds.

use std::sync::Arc;

use domain::{Category, Measure, fold};
use ports::{AttributeFilter, AttributeMatch, ProductQuery};

use super::entry::Entry;
use super::names::{Content, Names, Value};

/// What a query chooses by. A product that meets all choices but one still counts for that one's own facet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Choice {
    Category,
    PartType,
    Brand,
    Price,
    InStock,
    Position,
    /// By its place in the query.
    Attribute(usize),
}

impl Choice {
    /// A bit of its own.
    pub(super) const fn bit(self) -> u64 {
        match self {
            Self::Category => 1,
            Self::PartType => 1 << 1,
            Self::Brand => 1 << 2,
            Self::Price => 1 << 3,
            Self::InStock => 1 << 4,
            Self::Position => 1 << 5,
            Self::Attribute(place) => 1 << (6 + place),
        }
    }
}

/// How many attributes a query can choose by, so that each has a bit.
const MOST_ATTRIBUTES: usize = 58;

/// The columns of some products, by their slots.
#[derive(Debug, Default)]
pub(super) struct Columns {
    rows: Vec<Row>,
    /// The values of all of them, one product's after the other's.
    values: Vec<u32>,
}

/// What a product is counted by.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    /// The number by which searches name it.
    pub(super) no: i32,
    /// In cents.
    pub(super) price: i64,
    pub(super) brand: u32,
    pub(super) part_type: u32,
    /// Where its values end.
    end: u32,
    /// Its place among all categories.
    pub(super) category: u8,
    pub(super) in_stock: bool,
    /// Whether the slot has a product.
    is_filled: bool,
}

impl Columns {
    pub(super) fn of(entries: &[Option<Arc<Entry>>]) -> Self {
        let mut columns = Self::default();
        for entry in entries {
            let facts = entry.as_ref().map(|entry| &entry.facts);
            columns.values.extend(facts.iter().flat_map(|facts| facts.values.iter()));
            columns.rows.push(Row {
                no: entry.as_ref().map_or(0, |entry| entry.no),
                price: entry.as_ref().map_or(0, |entry| entry.price.money().cents()),
                brand: facts.map_or(0, |facts| facts.brand),
                part_type: facts.map_or(0, |facts| facts.part_type),
                end: u32::try_from(columns.values.len()).unwrap_or(u32::MAX),
                category: entry.as_ref().map_or(0, |entry| place(entry.category)),
                in_stock: entry.as_ref().is_some_and(|entry| entry.in_stock),
                is_filled: entry.is_some(),
            });
        }
        columns
    }

    /// The row at a place, with its values.
    pub(super) fn row(&self, place: usize) -> Option<(&Row, &[u32])> {
        let row = self.rows.get(place).filter(|row| row.is_filled)?;
        let from =
            place.checked_sub(1).and_then(|before| self.rows.get(before)).map_or(0, |before| before.end as usize);
        Some((row, self.values.get(from..row.end as usize).unwrap_or_default()))
    }

    /// All rows with their values; `None` for an empty slot.
    pub(super) fn rows(&self) -> impl Iterator<Item = Option<(&Row, &[u32])>> {
        (0..self.rows.len()).map(|place| self.row(place))
    }
}

pub(super) fn place(category: Category) -> u8 {
    let place = Category::ALL.into_iter().position(|one| one == category).unwrap_or_default();
    u8::try_from(place).unwrap_or(u8::MAX)
}

/// The choices of a query, in the numbers of a snapshot's names.
pub(super) struct Choices {
    category: Option<u8>,
    in_stock: bool,
    /// By number, which are wanted; `None` for all.
    part_types: Option<Vec<bool>>,
    brands: Option<Vec<bool>>,
    min_price: i64,
    max_price: i64,
    /// A bit for each position that is wanted; none for all.
    positions: u32,
    /// By number, which values are wanted.
    attributes: Vec<Vec<bool>>,
}

impl Choices {
    /// Of all products. `None` if the query asks for more than they have in memory: for words, numbers, a vehicle or positions, or
    /// for part types by their ids.
    pub(super) fn of(query: &ProductQuery, names: &Names) -> Option<Self> {
        if query.is_search() || !query.positions.is_empty() {
            return None;
        }
        Self::beside(query, names)
    }

    /// Of products that the query's words or vehicle have found, with their positions. `None` as of [`Self::of`].
    pub(super) fn beside(query: &ProductQuery, names: &Names) -> Option<Self> {
        if query.archived || query.attributes.len() > MOST_ATTRIBUTES {
            return None;
        }
        let (part_types, brands) = (folded(&query.part_types), folded(&query.brands));
        if part_types.iter().any(|key| key.parse::<i32>().is_ok()) {
            return None;
        }
        Some(Self {
            category: query.category.map(place),
            in_stock: query.in_stock,
            part_types: (!part_types.is_empty()).then(|| names.part_types.among(&part_types)),
            brands: (!brands.is_empty()).then(|| names.brands.among(&brands)),
            min_price: query.min_price.map_or(i64::MIN, domain::Money::cents),
            max_price: query.max_price.map_or(i64::MAX, domain::Money::cents),
            positions: query.positions.iter().fold(0, |all, position| all | position.bit()),
            attributes: query.attributes.iter().map(|filter| wanted_values(filter, names)).collect(),
        })
    }

    /// The bits of the choices that a product does not meet, which has these positions on a vehicle.
    pub(super) fn missed(&self, row: &Row, values: &[u32], positions: u32) -> u64 {
        let is_among = |wanted: &Option<Vec<bool>>, number: u32| {
            wanted.as_ref().is_none_or(|wanted| wanted.get(number as usize).copied().unwrap_or_default())
        };
        let mut missed = 0;
        let mut miss = |is_met: bool, choice: Choice| missed |= if is_met { 0 } else { choice.bit() };
        miss(self.category.is_none_or(|wanted| wanted == row.category), Choice::Category);
        miss(is_among(&self.part_types, row.part_type), Choice::PartType);
        miss(is_among(&self.brands, row.brand), Choice::Brand);
        miss((self.min_price..=self.max_price).contains(&row.price), Choice::Price);
        miss(!self.in_stock || row.in_stock, Choice::InStock);
        miss(self.positions == 0 || self.positions & positions != 0, Choice::Position);
        for (place, wanted) in self.attributes.iter().enumerate() {
            let is_wanted = |value: &u32| wanted.get(*value as usize).copied().unwrap_or_default();
            miss(values.iter().any(is_wanted), Choice::Attribute(place));
        }
        missed
    }
}

fn folded(names: &[String]) -> Vec<String> {
    names.iter().map(|name| fold(name)).collect()
}

/// By number, which values a filter wants.
fn wanted_values(filter: &AttributeFilter, names: &Names) -> Vec<bool> {
    let attributes = names.attributes.among(&[fold(&filter.name)]);
    let matches: Box<dyn Fn(&Content) -> bool> = match &filter.matches {
        AttributeMatch::OneOf(written) => {
            let words = folded(written);
            let numbers: Vec<i64> =
                written.iter().filter_map(|text| text.parse().ok()).map(Measure::thousandths).collect();
            Box::new(move |content| match content {
                Content::Number(number) => numbers.contains(number),
                Content::Words(shown) => words.contains(&fold(shown)),
                Content::Flag(true) => words.iter().any(|word| word == "yes" || word == "true"),
                Content::Flag(false) => words.iter().any(|word| word == "no" || word == "false"),
            })
        }
        AttributeMatch::Within(from, to) => {
            let from = from.map_or(i64::MIN, Measure::thousandths);
            let to = to.map_or(i64::MAX, Measure::thousandths);
            Box::new(move |content| matches!(content, Content::Number(number) if (from..=to).contains(number)))
        }
    };
    let is_wanted = |value: &Value| {
        attributes.get(value.attribute as usize).copied().unwrap_or_default() && matches(&value.content)
    };
    names.values.iter().map(is_wanted).collect()
}
