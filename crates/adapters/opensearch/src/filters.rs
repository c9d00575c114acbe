//! Which products a query selects, beside its words and numbers.

use domain::{Category, Measure, Money, fold};
use ports::{AttributeFilter, AttributeMatch, ProductQuery};
use serde_json::{Value, json};

use crate::document::value_term;

/// What a facet counts; its own choice does not narrow it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Facet<'a> {
    Category,
    PartType,
    Brand,
    Price,
    InStock,
    Attribute(&'a str),
}

/// All of these.
pub(crate) fn all(filters: impl IntoIterator<Item = Value>) -> Value {
    json!({ "bool": { "filter": filters.into_iter().collect::<Vec<_>>() } })
}

/// One of these; nothing if there are none.
pub(crate) fn any(filters: impl IntoIterator<Item = Value>) -> Value {
    let filters: Vec<Value> = filters.into_iter().collect();
    if filters.is_empty() {
        return json!({ "match_none": {} });
    }
    json!({ "bool": { "should": filters, "minimum_should_match": 1 } })
}

pub(crate) fn not(filter: &Value) -> Value {
    json!({ "bool": { "must_not": [filter] } })
}

pub(crate) fn one_of<T: serde::Serialize>(field: &str, values: &[T]) -> Value {
    json!({ "terms": { field: values } })
}

/// Whether products are for sale or archived, which no facet leaves out.
pub(crate) fn archived(query: &ProductQuery) -> Value {
    json!({ "term": { "archived": query.archived } })
}

/// The filters of a query, without those of a facet.
pub(crate) fn selecting(query: &ProductQuery, without: Option<Facet<'_>>) -> Vec<Value> {
    let is_wanted = |facet: Facet<'_>| without != Some(facet);
    let mut all = vec![archived(query)];
    if let Some(category) = query.category.filter(|_| is_wanted(Facet::Category)) {
        all.push(json!({ "term": { "category": Category::as_str(category) } }));
    }
    if query.in_stock && is_wanted(Facet::InStock) {
        all.push(json!({ "term": { "in_stock": true } }));
    }
    if !query.brands.is_empty() && is_wanted(Facet::Brand) {
        all.push(one_of("brand_key", &folded(&query.brands)));
    }
    if !query.part_types.is_empty() && is_wanted(Facet::PartType) {
        let names = folded(&query.part_types);
        all.push(any([one_of("part_type_key", &names), one_of("part_type_id", &names)]));
    }
    if is_wanted(Facet::Price) {
        let bound = |bound: &str, price: Money| json!({ "range": { "price": { bound: price.cents() } } });
        all.extend(query.min_price.map(|price| bound("gte", price)));
        all.extend(query.max_price.map(|price| bound("lte", price)));
    }
    let attributes = query.attributes.iter().filter(|filter| is_wanted(Facet::Attribute(&filter.name)));
    all.extend(attributes.map(with_attribute));
    all
}

fn folded(names: &[String]) -> Vec<String> {
    names.iter().map(|name| fold(name)).collect()
}

fn with_attribute(AttributeFilter { name, matches }: &AttributeFilter) -> Value {
    let name = fold(name);
    match matches {
        AttributeMatch::OneOf(written) => {
            let words = folded(written).into_iter().flat_map(|word| {
                let flag = match word.as_str() {
                    "yes" => "true",
                    "no" => "false",
                    other => other,
                };
                [value_term(&name, 'f', flag), value_term(&name, 'w', &word)]
            });
            let numbers = written.iter().filter_map(|text| text.parse::<Measure>().ok());
            let numbers = numbers.map(|number| value_term(&name, 'n', &number.thousandths().to_string()));
            one_of("values", &words.chain(numbers).collect::<Vec<_>>())
        }
        AttributeMatch::Within(from, to) => {
            let mut range = serde_json::Map::new();
            range.extend(from.map(|from| ("gte".to_owned(), from.thousandths().into())));
            range.extend(to.map(|to| ("lte".to_owned(), to.thousandths().into())));
            let number = if range.is_empty() {
                json!({ "exists": { "field": "measures.number" } })
            } else {
                json!({ "range": { "measures.number": range } })
            };
            let measure = all([json!({ "term": { "measures.name": name } }), number]);
            json!({ "nested": { "path": "measures", "query": measure } })
        }
    }
}
