//! Which products a query selects, beside its words and numbers.

use domain::{Category, fold};
use ports::{AttributeFilter, AttributeMatch, ProductQuery};

use crate::catalog::fitting::{Fitting, at_positions, part_type_ids};
use crate::platform::condition::Condition;

/// What a facet counts; its own choice does not narrow it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Facet<'a> {
    Category,
    PartType,
    Brand,
    Price,
    InStock,
    Attribute(&'a str),
    Position,
}

/// The conditions of a query on `products`, without those of a facet.
pub(crate) fn selecting(query: &ProductQuery, without: Option<&Facet<'_>>) -> Condition {
    let is_wanted = |facet: &Facet<'_>| without != Some(facet);
    let mut all = vec![Condition::new().sql(if query.archived {
        "products.archived_at IS NOT NULL"
    } else {
        "products.archived_at IS NULL"
    })];
    if let Some(category) = query.category.filter(|_| is_wanted(&Facet::Category)) {
        all.push(Condition::new().sql("products.category = ").text(Category::as_str(category)));
    }
    if query.in_stock && is_wanted(&Facet::InStock) {
        all.push(Condition::new().sql("products.available >= products.min_order"));
    }
    if !query.brands.is_empty() && is_wanted(&Facet::Brand) {
        let ids = "brand_id IN (SELECT id FROM brands WHERE name_key = ANY (";
        let brands = Condition::new().sql(ids).texts(folded(&query.brands)).sql("))");
        all.push(on_products(brands, query));
    }
    if !query.part_types.is_empty() && is_wanted(&Facet::PartType) {
        let types = Condition::new().sql("part_type_id IN (").then(part_type_ids(&query.part_types)).sql(")");
        all.push(on_products(types, query));
    }
    let with_part_types = is_wanted(&Facet::PartType);
    all.extend(Fitting::of(query, with_part_types).map(|fitting| fitting.is_listed()));
    if !query.positions.is_empty() && is_wanted(&Facet::Position) {
        all.push(at_positions(query, with_part_types));
    }
    if is_wanted(&Facet::Price) {
        let bound = |sql, price: domain::Money| Condition::new().sql(sql).long(price.cents());
        all.extend(query.min_price.map(|price| bound("products.price_cents >= ", price)));
        all.extend(query.max_price.map(|price| bound("products.price_cents <= ", price)));
    }
    let attributes = query.attributes.iter().filter(|filter| is_wanted(&Facet::Attribute(&filter.name)));
    all.extend(attributes.map(with_attribute));
    Condition::all(all)
}

/// A condition on a product's brand or part type. Of the whole shop the products are read by an index; what words, a number or a
/// vehicle find is few, and each is looked at.
fn on_products(condition: Condition, query: &ProductQuery) -> Condition {
    if query.is_search() {
        return Condition::new().sql("products.").then(condition);
    }
    Condition::new().sql("products.no IN (SELECT product_no FROM product_search WHERE ").then(condition).sql(")")
}

fn folded(names: &[String]) -> Vec<String> {
    names.iter().map(|name| fold(name)).collect()
}

fn with_attribute(AttributeFilter { name, matches }: &AttributeFilter) -> Condition {
    let values = "products.no IN (SELECT value.product_no FROM product_attributes AS value \
        JOIN attributes AS attribute ON attribute.id = value.attribute_id WHERE attribute.name_key = ";
    let of = Condition::new().sql(values).text(fold(name)).sql(" AND ");
    let matching = match matches {
        AttributeMatch::OneOf(written) => {
            let words = folded(written);
            let numbers = written.iter().filter_map(|text| text.parse::<domain::Measure>().ok());
            let numbers = numbers.map(domain::Measure::thousandths).collect();
            let flags = words.iter().map(|word| match word.as_str() {
                "yes" => "true".to_owned(),
                "no" => "false".to_owned(),
                other => other.to_owned(),
            });
            let flags = flags.collect();
            Condition::new()
                .sql("(value.words_key = ANY (")
                .texts(words)
                .sql(") OR value.number = ANY (")
                .longs(numbers)
                .sql(") OR value.flag::text = ANY (")
                .texts(flags)
                .sql("))")
        }
        AttributeMatch::Within(from, to) => {
            let bound = |sql, bound: Option<domain::Measure>| {
                bound.map(|bound| Condition::new().sql(sql).long(bound.thousandths()))
            };
            let is_number = Condition::new().sql("value.number IS NOT NULL");
            let bounds = [Some(is_number), bound("value.number >= ", *from), bound("value.number <= ", *to)];
            Condition::all(bounds.into_iter().flatten())
        }
    };
    of.then(matching).sql(")")
}
