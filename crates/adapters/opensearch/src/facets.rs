//! How many products there are behind each choice of a list.

use domain::{Category, fold};
use ports::{
    AttributeCounts, AttributeFacet, DocumentValue, EngineError, FACET_VALUES_MAX, FacetValue, Facets, Named,
    PRICE_BANDS, ProductQuery, price_bands, with_chosen,
};
use serde_json::{Map, Value, json};

use crate::client::{OpenSearch, invalid, lacks};
use crate::document::{Fact, name_of};
use crate::failed::Failed;
use crate::filters::{Facet, all, selecting};

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
    add("categories".to_owned(), among(Some(Facet::Category), terms("category", FACET_VALUES_MAX)));
    add("brands".to_owned(), among(Some(Facet::Brand), terms("brand", FACET_VALUES_MAX)));
    add("part_types".to_owned(), among(Some(Facet::PartType), terms("part_type", FACET_VALUES_MAX)));
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
    let band = |place: usize| bands.iter().find(|(key, _)| *key == place.to_string()).map_or(0, |(_, count)| *count);
    let chosen = query.attributes.iter().enumerate().map(|(place, filter)| {
        let mut own = attributes(&answer[format!("facts_{place}")])?;
        own.retain(|one| fold(&one.name) == fold(&filter.name));
        Ok(own)
    });
    let chosen = chosen.collect::<Result<Vec<_>, EngineError>>()?;
    Ok(Facets {
        total: number(&answer["all"])?,
        categories: Category::ALL.into_iter().filter_map(category).collect(),
        part_types: named(&answer["part_types"])?,
        brands: named(&answer["brands"])?,
        in_stock: number(&answer["in_stock"]["values"])?,
        prices: price_bands(band),
        attributes: with_chosen(attributes(&answer["facts"])?, chosen),
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

/// Attributes and their values.
fn attributes(counted: &Value) -> Result<Vec<AttributeFacet>, EngineError> {
    let mut counts = AttributeCounts::default();
    for (fact, count) in buckets(counted)? {
        let Fact(key, name, unit, number, words, flag) = serde_json::from_str(&fact).map_err(invalid)?;
        let words = words.map(|(key, name)| DocumentValue::Words(Named { name, key }));
        let value = number.map(DocumentValue::Number).or(words).or(flag.map(DocumentValue::Flag));
        if let Some(value) = value {
            counts.add((&key, &name, unit.as_deref()), value, count);
        }
    }
    Ok(counts.facets())
}
