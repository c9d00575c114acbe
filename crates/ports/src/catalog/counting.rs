//! How counts become facets, whoever has counted.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use domain::Measure;

use super::index::DocumentValue;
use super::search::{AttributeFacet, FacetValue, PRICE_BANDS, PriceBand};

/// How many values a facet has at most.
pub const FACET_VALUES_MAX: usize = 100;
/// How many attributes there are to choose by at most, beside those that are chosen.
pub const FACET_ATTRIBUTES_MAX: usize = 20;
/// How many values all attributes have together at most.
pub const ATTRIBUTE_VALUES_MAX: usize = 2_000;

/// The bands of prices that have products; `count` is asked for each by its place among [`PRICE_BANDS`].
pub fn price_bands(count: impl Fn(usize) -> u64) -> Vec<PriceBand> {
    let band = |(place, from): (usize, &i64)| {
        let to = PRICE_BANDS.get(place + 1).map(|next| next - 1);
        Some(PriceBand { from: *from, to, count: count(place) }).filter(|band| band.count > 0)
    };
    PRICE_BANDS.iter().enumerate().filter_map(band).collect()
}

/// Attributes as they are listed: at most [`FACET_ATTRIBUTES_MAX`] that all choices narrow, after those that are chosen, each of
/// them without its own choice.
#[must_use]
pub fn with_chosen(
    mut attributes: Vec<AttributeFacet>,
    chosen: impl IntoIterator<Item = Vec<AttributeFacet>>,
) -> Vec<AttributeFacet> {
    attributes.truncate(FACET_ATTRIBUTES_MAX);
    for own in chosen {
        attributes.retain(|facet| !own.iter().any(|one| one.name == facet.name));
        attributes.splice(0..0, own);
    }
    attributes
}

/// An attribute of which values were counted.
#[derive(Debug, Default)]
struct Counted {
    name: String,
    unit: Option<String>,
    products: u64,
    /// By number, and by how words are compared: how often they are there, and as what they are shown.
    values: BTreeMap<(Option<i64>, String), (u64, String)>,
}

/// Counted values of attributes.
#[derive(Debug, Default)]
pub struct AttributeCounts {
    by_key: BTreeMap<String, Counted>,
}

impl AttributeCounts {
    /// Adds that so many products have a value of the attribute with this folded name. Words that are compared alike are one value,
    /// shown as the first of them alphabetically.
    pub fn add(&mut self, (key, name, unit): (&str, &str, Option<&str>), value: DocumentValue, count: u64) {
        let attribute = self.by_key.entry(key.to_owned()).or_default();
        name.clone_into(&mut attribute.name);
        attribute.unit = attribute.unit.take().or_else(|| unit.map(ToOwned::to_owned));
        attribute.products += count;
        let (number, compared, shown) = match value {
            DocumentValue::Number(number) => {
                let Ok(measure) = Measure::from_thousandths(number) else { return };
                (Some(number), String::new(), measure.to_string())
            }
            DocumentValue::Words(words) => (None, words.key, words.name),
            DocumentValue::Flag(flag) => {
                let shown = if flag { "yes" } else { "no" };
                (None, shown.to_owned(), shown.to_owned())
            }
        };
        let (all, first) = attribute.values.entry((number, compared)).or_insert_with(|| (0, shown.clone()));
        *all += count;
        if shown < *first {
            *first = shown;
        }
    }

    /// The attributes of most products first; of each its numbers by size, and then the most frequent of its words.
    #[must_use]
    pub fn facets(self) -> Vec<AttributeFacet> {
        let mut attributes: Vec<(String, Counted)> = self.by_key.into_iter().collect();
        attributes.sort_by(|(one_key, one), (other_key, other)| {
            other.products.cmp(&one.products).then_with(|| one_key.cmp(other_key))
        });
        let mut left = ATTRIBUTE_VALUES_MAX;
        let facet = |(_, Counted { name, unit, values, .. }): (String, Counted)| {
            let listed = values.into_iter().map(|((number, _), (count, shown))| {
                (
                    (number.is_none(), number, Reverse(count), shown.clone()),
                    FacetValue { value: shown.clone(), name: shown, count },
                )
            });
            let mut listed: Vec<_> = listed.collect();
            listed.sort_by(|(one, _), (other, _)| one.cmp(other));
            listed.truncate(left);
            left -= listed.len();
            AttributeFacet { name, unit, values: listed.into_iter().map(|(_, value)| value).collect() }
        };
        attributes.into_iter().map(facet).filter(|facet| !facet.values.is_empty()).collect()
    }
}
