//! How many products of a snapshot there are behind each choice of a list, in one pass over its columns.

use domain::{Category, Position, fold};
use ports::{
    AttributeCounts, AttributeFacet, Candidate, DocumentValue, FACET_VALUES_MAX, FacetValue, Facets, Named,
    PRICE_BANDS, ProductQuery, price_bands, with_chosen,
};

use super::Snapshot;
use super::columns::{Choice, Choices, Columns, Row};
use super::names::{Content, Name, Names, Numbered, Value};

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
                *count += u64::from(positions & position.bit() != 0);
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
            prices: price_bands(|place| self.bands.get(place).copied().unwrap_or_default()),
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

    /// The same of the products that a search found, with their positions.
    pub(crate) fn facets_among(&self, query: &ProductQuery, candidates: &[Candidate]) -> Option<Facets> {
        let choices = Choices::beside(query, &self.names)?;
        let mut counts = Counts::none(query, &self.names);
        for Candidate { no, positions, .. } in candidates {
            if let Some((_slot, row)) = self.row_of(*no) {
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
    counted.into_iter().take(FACET_VALUES_MAX).map(value).collect()
}

fn attributes(query: &ProductQuery, names: &Names, counts: &Counts) -> Vec<AttributeFacet> {
    let chosen = query.attributes.iter().zip(&counts.own_values).map(|(filter, own)| {
        let key = fold(&filter.name);
        facets_of(names, own, |attribute| *attribute.key == *key)
    });
    with_chosen(facets_of(names, &counts.values, |_| true), chosen)
}

fn facets_of(names: &Names, counts: &[u64], is_wanted: impl Fn(&Name) -> bool) -> Vec<AttributeFacet> {
    let mut counted = AttributeCounts::default();
    for (Value { attribute, content }, count) in names.values.iter().zip(counts).filter(|(_, count)| **count > 0) {
        let Some(name) = names.attributes.name(*attribute).filter(|name| is_wanted(name)) else { continue };
        let value = match content {
            Content::Number(number) => DocumentValue::Number(*number),
            Content::Words(shown) => DocumentValue::Words(Named { name: shown.to_string(), key: fold(shown) }),
            Content::Flag(flag) => DocumentValue::Flag(*flag),
        };
        counted.add((&name.key, &name.shown, names.unit(*attribute)), value, *count);
    }
    counted.facets()
}
