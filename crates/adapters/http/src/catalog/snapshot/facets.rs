//! How many products of a snapshot there are behind each choice of a list, in one pass over its columns.

use std::collections::BTreeMap;

use domain::{Category, Measure, Position, fold};
use ports::{AttributeFacet, FacetValue, Facets, FittingProduct, PRICE_BANDS, PriceBand, ProductQuery};

use super::Snapshot;
use super::columns::{Choice, Choices, Columns, Row, position_bit};
use super::names::{Content, Name, Names, Numbered, Value};

/// How many values of a facet are sent, how many attributes, and how many values of all of them.
const MOST: usize = 100;
const MOST_ATTRIBUTES: usize = 20;
const MOST_VALUES: usize = 2_000;

/// Counts by number.
struct Counts {
    total: u64,
    in_stock: u64,
    categories: [u64; Category::ALL.len()],
    part_types: Vec<u64>,
    brands: Vec<u64>,
    bands: [u64; PRICE_BANDS.len()],
    positions: [u64; Position::ALL.len()],
    /// Of the products that meet all choices.
    values: Vec<u64>,
    /// Of those that meet all but one choice of an attribute, by its place in the query.
    own_values: Vec<Vec<u64>>,
}

impl Counts {
    fn none(query: &ProductQuery, names: &Names) -> Self {
        Self {
            total: 0,
            in_stock: 0,
            categories: [0; Category::ALL.len()],
            part_types: vec![0; names.part_types.end()],
            brands: vec![0; names.brands.end()],
            bands: [0; PRICE_BANDS.len()],
            positions: [0; Position::ALL.len()],
            values: vec![0; names.values.len()],
            own_values: vec![vec![0; names.values.len()]; query.attributes.len()],
        }
    }

    /// Counts a product, which has these positions on a vehicle.
    fn add(&mut self, choices: &Choices, (row, values): (&Row, &[u32]), positions: u32) {
        let missed = choices.missed(row, values, positions);
        if missed.count_ones() > 1 {
            return;
        }
        let counts_for = |choice: Choice| missed & !choice.bit() == 0;
        if counts_for(Choice::Category) {
            add(&mut self.categories, row.category.into());
        }
        if counts_for(Choice::PartType) {
            add(&mut self.part_types, row.part_type as usize);
        }
        if counts_for(Choice::Brand) {
            add(&mut self.brands, row.brand as usize);
        }
        if counts_for(Choice::Price) {
            add(&mut self.bands, PRICE_BANDS.partition_point(|from| *from <= row.price).saturating_sub(1));
        }
        if counts_for(Choice::InStock) {
            self.in_stock += u64::from(row.in_stock);
        }
        if positions != 0 && counts_for(Choice::Position) {
            for (count, position) in self.positions.iter_mut().zip(Position::ALL) {
                *count += u64::from(positions & position_bit(position) != 0);
            }
        }
        for (place, own) in self.own_values.iter_mut().enumerate() {
            if counts_for(Choice::Attribute(place)) {
                for value in values {
                    add(own, *value as usize);
                }
            }
        }
        if missed == 0 {
            self.total += 1;
            for value in values {
                add(&mut self.values, *value as usize);
            }
        }
    }

    fn facets(&self, query: &ProductQuery, names: &Names) -> Facets {
        let categories = Category::ALL.into_iter().zip(self.categories).filter(|(_, count)| *count > 0);
        let positions = Position::ALL.into_iter().zip(self.positions).filter(|(_, count)| *count > 0);
        Facets {
            total: self.total,
            categories: categories.collect(),
            part_types: named(&names.part_types, &self.part_types),
            brands: named(&names.brands, &self.brands),
            in_stock: self.in_stock,
            prices: prices(self.bands),
            attributes: attributes(query, names, self),
            positions: positions.collect(),
        }
    }
}

fn add(counts: &mut [u64], number: usize) {
    if let Some(count) = counts.get_mut(number) {
        *count += 1;
    }
}

impl Snapshot {
    /// What can be chosen of a list, but for positions, which products have only on a vehicle. `None` if the database has to be asked
    /// for more than those.
    pub(crate) fn facets(&self, query: &ProductQuery) -> Option<Facets> {
        let choices = Choices::of(query, &self.names)?;
        let mut counts = Counts::none(query, &self.names);
        for row in self.slots.columns().flat_map(Columns::rows).flatten() {
            counts.add(&choices, row, 0);
        }
        Some(counts.facets(query, &self.names))
    }

    /// The same of the products that fit the query's vehicle, with their positions there.
    pub(crate) fn facets_of_fitting(&self, query: &ProductQuery, fitting: &[FittingProduct]) -> Option<Facets> {
        let choices = Choices::of_fitting(query, &self.names)?;
        let mut counts = Counts::none(query, &self.names);
        for FittingProduct { product, positions } in fitting {
            let row = self.slot(product.uuid()).and_then(|slot| self.slots.row(slot));
            if let Some(row) = row {
                counts.add(&choices, row, *positions);
            }
        }
        Some(counts.facets(query, &self.names))
    }
}

fn named(names: &Numbered, counts: &[u64]) -> Vec<FacetValue> {
    let counted = (0..).zip(counts).filter_map(|(number, count)| Some((names.name(number)?, *count)));
    let mut counted: Vec<(&Name, u64)> = counted.filter(|(_, count)| *count > 0).collect();
    counted.sort_by(|(name, count), (other, others)| others.cmp(count).then_with(|| name.key.cmp(&other.key)));
    let value =
        |(name, count): (&Name, u64)| FacetValue { value: name.shown.to_string(), name: name.shown.to_string(), count };
    counted.into_iter().take(MOST).map(value).collect()
}

fn prices(bands: [u64; PRICE_BANDS.len()]) -> Vec<PriceBand> {
    let band = |(place, count): (usize, u64)| PriceBand {
        from: PRICE_BANDS[place],
        to: PRICE_BANDS.get(place + 1).map(|next| next - 1),
        count,
    };
    bands.into_iter().enumerate().filter(|(_, count)| *count > 0).map(band).collect()
}

/// Attributes that are not chosen, those of most products first, after those that are, each without its own choice.
fn attributes(query: &ProductQuery, names: &Names, counts: &Counts) -> Vec<AttributeFacet> {
    let mut facets = facets_of(names, &counts.values, |_| true);
    facets.truncate(MOST_ATTRIBUTES);
    for (filter, own) in query.attributes.iter().zip(&counts.own_values) {
        let key = fold(&filter.name);
        let own = facets_of(names, own, |attribute| *attribute.key == *key);
        facets.retain(|facet| !own.iter().any(|one| one.name == facet.name));
        facets.splice(0..0, own);
    }
    facets
}

/// A value in the order in which values are listed: numbers, then the most frequent of the others.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Sorted {
    Number(i64),
    Other(std::cmp::Reverse<u64>, String),
}

fn facets_of(names: &Names, counts: &[u64], is_wanted: impl Fn(&Name) -> bool) -> Vec<AttributeFacet> {
    let mut of_attributes: BTreeMap<u32, Vec<(&Content, u64)>> = BTreeMap::new();
    for (Value { attribute, content }, count) in names.values.iter().zip(counts).filter(|(_, count)| **count > 0) {
        of_attributes.entry(*attribute).or_default().push((content, *count));
    }
    let attribute = |(number, values): (u32, Vec<(&Content, u64)>)| {
        let name = names.attributes.name(number).filter(|name| is_wanted(name))?;
        let products: u64 = values.iter().map(|(_, count)| *count).sum();
        Some((products, name, names.unit(number), listed(values)))
    };
    let mut facets: Vec<_> = of_attributes.into_iter().filter_map(attribute).collect();
    facets.sort_by(|(products, name, ..), (others, other, ..)| {
        others.cmp(products).then_with(|| name.key.cmp(&other.key))
    });
    let mut left = MOST_VALUES;
    let facet = |(_, name, unit, mut values): (u64, &Name, Option<&str>, Vec<FacetValue>)| {
        values.truncate(left);
        left -= values.len();
        AttributeFacet { name: name.shown.to_string(), unit: unit.map(ToOwned::to_owned), values }
    };
    facets.into_iter().map(facet).filter(|facet| !facet.values.is_empty()).collect()
}

/// Words that differ in their case only are one value, called as the first of them.
fn listed(values: Vec<(&Content, u64)>) -> Vec<FacetValue> {
    let mut words: BTreeMap<String, (&str, u64)> = BTreeMap::new();
    let mut listed: Vec<(Sorted, String, u64)> = Vec::new();
    for (content, count) in values {
        match content {
            Content::Number(number) => {
                let Ok(measure) = Measure::from_thousandths(*number) else { continue };
                listed.push((Sorted::Number(*number), measure.to_string(), count));
            }
            Content::Words(shown) => {
                let (first, all) = words.entry(fold(shown)).or_insert((shown, 0));
                *first = (*first).min(shown);
                *all += count;
            }
            Content::Flag(flag) => {
                let (shown, all) = words.entry(String::from(if *flag { "yes" } else { "no" })).or_insert(("", 0));
                *shown = if *flag { "yes" } else { "no" };
                *all += count;
            }
        }
    }
    listed.extend(
        words
            .into_values()
            .map(|(shown, count)| (Sorted::Other(std::cmp::Reverse(count), shown.to_owned()), shown.to_owned(), count)),
    );
    listed.sort_by(|(one, ..), (other, ..)| one.cmp(other));
    listed.into_iter().map(|(_, value, count)| FacetValue { value: value.clone(), name: value, count }).collect()
}
