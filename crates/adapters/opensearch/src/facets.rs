//! How many products there are behind each choice of a list.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use domain::{Category, Measure, fold};
use ports::{AttributeFacet, EngineError, FacetValue, Facets, PRICE_BANDS, PriceBand, ProductQuery};
use serde_json::{Map, Value, json};

use crate::client::{OpenSearch, invalid, lacks};
use crate::document::{Fact, name_of};
use crate::failed::Failed;
use crate::filters::{Facet, all, selecting};

/// How many values of a facet are sent, how many attributes, and how many values of those together.
const MOST: usize = 100;
const MOST_ATTRIBUTES: usize = 20;
const MOST_VALUES: usize = 2_000;
/// How many different values of attributes the engine counts.
const COUNTED_VALUES: usize = 10_000;

impl OpenSearch {
    /// Counts everything by one call, so that the counts agree with each other.
    pub(crate) async fn count(&self, query: &ProductQuery) -> Result<Facets, Failed> {
        let Some(found) = self.found(query).await? else { return Ok(Facets::default()) };
        let asked = json!({ "size": 0, "track_total_hits": false, "query": found, "aggs": counted(query) });
        let answer = self.ask(asked).await?;
        Ok(facets(query, &answer["aggregations"])?)
    }
}

/// What is counted: of each facet among the products of all other choices.
fn counted(query: &ProductQuery) -> Value {
    let among = |without: Option<Facet<'_>>, values: Value| {
        let mut counted = json!({ "filter": all(selecting(query, without)) });
        if !values.is_null() {
            counted["aggs"] = json!({ "values": values });
        }
        counted
    };
    let terms = |field: &str, size: usize| json!({ "terms": { "field": field, "size": size, "order": [{ "_count": "desc" }, { "_key": "asc" }] } });
    let band = |(place, from): (usize, &i64)| match PRICE_BANDS.get(place + 1) {
        Some(to) => json!({ "key": place.to_string(), "from": from, "to": to }),
        None => json!({ "key": place.to_string(), "from": from }),
    };
    let bands: Vec<Value> = PRICE_BANDS.iter().enumerate().map(band).collect();
    let mut all = Map::new();
    let mut add = |name: String, counted: Value| all.insert(name, counted);
    add("all".to_owned(), among(None, Value::Null));
    add("categories".to_owned(), among(Some(Facet::Category), terms("category", MOST)));
    add("brands".to_owned(), among(Some(Facet::Brand), terms("brand", MOST)));
    add("part_types".to_owned(), among(Some(Facet::PartType), terms("part_type", MOST)));
    let in_stock = json!({ "filter": { "term": { "in_stock": true } } });
    add("in_stock".to_owned(), among(Some(Facet::InStock), in_stock));
    add("prices".to_owned(), among(Some(Facet::Price), json!({ "range": { "field": "price", "ranges": bands } })));
    add("facts".to_owned(), among(None, terms("facts", COUNTED_VALUES)));
    for (place, filter) in query.attributes.iter().enumerate() {
        let own = among(Some(Facet::Attribute(&filter.name)), terms("facts", COUNTED_VALUES));
        add(format!("facts_{place}"), own);
    }
    Value::Object(all)
}

fn facets(query: &ProductQuery, answer: &Value) -> Result<Facets, EngineError> {
    let categories = buckets(&answer["categories"])?;
    let category = |category: Category| {
        let (_, count) = categories.iter().find(|(value, _)| value == category.as_str())?;
        Some((category, *count))
    };
    let bands = buckets(&answer["prices"])?;
    let band = |(place, from): (usize, &i64)| {
        let (_, count) = bands.iter().find(|(key, _)| *key == place.to_string())?;
        (*count > 0).then(|| PriceBand {
            from: *from,
            to: PRICE_BANDS.get(place + 1).map(|next| next - 1),
            count: *count,
        })
    };
    let mut attributes = attributes(&answer["facts"])?;
    attributes.truncate(MOST_ATTRIBUTES);
    for (place, filter) in query.attributes.iter().enumerate() {
        let mut own = self::attributes(&answer[format!("facts_{place}")])?;
        own.retain(|one| fold(&one.name) == fold(&filter.name));
        attributes.retain(|facet| !own.iter().any(|one| one.name == facet.name));
        attributes.splice(0..0, own);
    }
    Ok(Facets {
        total: number(&answer["all"])?,
        categories: Category::ALL.into_iter().filter_map(category).collect(),
        part_types: named(&answer["part_types"])?,
        brands: named(&answer["brands"])?,
        in_stock: number(&answer["in_stock"]["values"])?,
        prices: PRICE_BANDS.iter().enumerate().filter_map(band).collect(),
        attributes,
        // Those are fitments', which the database answers.
        positions: Vec::new(),
    })
}

fn number(counted: &Value) -> Result<u64, EngineError> {
    counted["doc_count"].as_u64().ok_or_else(|| lacks("count"))
}

/// The values of a facet, and how often there are.
fn buckets(counted: &Value) -> Result<Vec<(String, u64)>, EngineError> {
    let buckets = counted["values"]["buckets"].as_array().ok_or_else(|| lacks("counts"))?;
    let bucket = |bucket: &Value| {
        let key = bucket["key"].as_str().ok_or_else(|| lacks("value"))?;
        Ok((key.to_owned(), number(bucket)?))
    };
    buckets.iter().map(bucket).collect()
}

fn named(counted: &Value) -> Result<Vec<FacetValue>, EngineError> {
    let value = |(pair, count): (String, u64)| {
        let name = name_of(&pair).to_owned();
        FacetValue { value: name.clone(), name, count }
    };
    Ok(buckets(counted)?.into_iter().map(value).collect())
}

/// An attribute of which values were counted.
#[derive(Default)]
struct Counted {
    name: String,
    unit: Option<String>,
    products: u64,
    /// By number, and how values are compared: how often they are there, and as what they are shown.
    values: BTreeMap<(Option<i64>, String), (u64, String)>,
}

/// Attributes and their values, most frequent first; numbers by size.
fn attributes(counted: &Value) -> Result<Vec<AttributeFacet>, EngineError> {
    let mut found: BTreeMap<String, Counted> = BTreeMap::new();
    for (fact, count) in buckets(counted)? {
        let Fact(key, name, unit, number, words, flag) = serde_json::from_str(&fact).map_err(invalid)?;
        let attribute = found.entry(key).or_default();
        (attribute.name, attribute.products) = (name, attribute.products + count);
        attribute.unit = attribute.unit.take().or(unit);
        let measured =
            number.and_then(|number| Measure::from_thousandths(number).ok()).map(|number| number.to_string());
        let flag = flag.map(|flag| if flag { "yes" } else { "no" }.to_owned());
        let (compared, shown) =
            words.or_else(|| measured.or(flag).map(|shown| (shown.clone(), shown))).unwrap_or_default();
        let value = attribute.values.entry((number, compared)).or_insert_with(|| (0, shown.clone()));
        value.0 += count;
        if shown < value.1 {
            value.1 = shown;
        }
    }
    let mut found: Vec<(String, Counted)> = found.into_iter().collect();
    found.sort_by(|(one_key, one), (other_key, other)| {
        Reverse(one.products).cmp(&Reverse(other.products)).then_with(|| one_key.cmp(other_key))
    });
    let mut left = MOST_VALUES;
    let facet = |(_, Counted { name, unit, values, .. }): (String, Counted)| {
        let mut values: Vec<_> =
            values.into_iter().map(|((number, _), (count, shown))| (number, count, shown)).collect();
        values.sort_by(|one, other| {
            let rank = |(number, count, shown): &(Option<i64>, u64, String)| {
                (number.is_none(), *number, Reverse(*count), shown.clone())
            };
            rank(one).cmp(&rank(other))
        });
        values.truncate(left);
        left -= values.len();
        let value =
            |(_, count, shown): (Option<i64>, u64, String)| FacetValue { value: shown.clone(), name: shown, count };
        AttributeFacet { name, unit, values: values.into_iter().map(value).collect() }
    };
    Ok(found.into_iter().map(facet).filter(|facet| !facet.values.is_empty()).collect())
}
