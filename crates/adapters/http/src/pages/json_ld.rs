//! What pages say to programs, in the words of schema.org as JSON-LD.

use domain::{Attribute, AttributeValue, Gtin, Product, RatingTotal, Text};
use serde_json::{Value, json};

use super::address;
use crate::app_state::Settings;

/// JSON as it may stand in a script element: the one character that could end the element, or begin a comment in it, is
/// escaped in a way that JSON reads the same. No browser runs an element of this type.
pub(crate) fn element(value: &Value) -> String {
    value.to_string().replace('<', "\\u003c")
}

/// Where a page stands: names and paths, from the home page down.
pub(crate) fn breadcrumbs(settings: &Settings, trail: &[(String, String)]) -> Value {
    let items: Vec<Value> = trail
        .iter()
        .enumerate()
        .map(|(nth, (name, path))| {
            json!({"@type": "ListItem", "position": nth + 1, "name": name, "item": settings.address(path)})
        })
        .collect();
    json!({"@context": "https://schema.org", "@type": "BreadcrumbList", "itemListElement": items})
}

/// A list of parts, by the addresses of their pages.
pub(crate) fn list(settings: &Settings, name: &str, path: &str, parts: &[String]) -> Value {
    let items: Vec<Value> = parts
        .iter()
        .enumerate()
        .map(|(nth, path)| json!({"@type": "ListItem", "position": nth + 1, "url": settings.address(path)}))
        .collect();
    json!({
        "@context": "https://schema.org",
        "@type": "CollectionPage",
        "name": name,
        "url": settings.address(path),
        "mainEntity": {"@type": "ItemList", "numberOfItems": parts.len(), "itemListElement": items},
    })
}

/// What is known of a part beside the part itself.
pub(crate) struct PartData<'a> {
    /// The address of its page.
    pub(crate) url: &'a str,
    pub(crate) gtin: Option<&'a Gtin>,
    pub(crate) rating: RatingTotal,
    /// The vehicles that it fits, by name.
    pub(crate) fits: &'a [String],
}

/// A part, as it is offered.
pub(crate) fn product(settings: &Settings, product: &Product, data: &PartData<'_>) -> Value {
    let details = &product.details;
    let mut value = json!({
        "@context": "https://schema.org",
        "@type": "Product",
        "@id": format!("{}#product", data.url),
        "url": data.url,
        "name": details.name.as_str(),
        "description": details.description.as_str(),
        "image": details.pictures().map(|img| settings.picture(img)).collect::<Vec<_>>(),
        "sku": details.part_number.as_ref().map_or_else(|| product.id.to_string(), Text::to_string),
        "category": address::category_label(details.category),
        "offers": offer(settings, product, data.url),
    });
    let mut set = |name: &str, known: Option<Value>| {
        if let Some(known) = known {
            value[name] = known;
        }
    };
    set("mpn", details.part_number.as_ref().map(|number| json!(number.as_str())));
    set("gtin", data.gtin.map(|gtin| json!(gtin.as_str())));
    set("brand", details.facts.brand.as_ref().map(|brand| json!({"@type": "Brand", "name": brand.as_str()})));
    let weight = |grams| json!({"@type": "QuantitativeValue", "value": grams, "unitCode": "GRM"});
    set("weight", details.facts.weight.map(|grams| weight(grams.get())));
    let attributes: Vec<Value> = details.facts.attributes.iter().map(property).collect();
    set("additionalProperty", (!attributes.is_empty()).then(|| json!(attributes)));
    let vehicle = |name: &String| json!({"@type": "Vehicle", "name": name});
    let fits: Vec<Value> = data.fits.iter().map(vehicle).collect();
    set("isAccessoryOrSparePartFor", (!fits.is_empty()).then(|| json!(fits)));
    set(
        "aggregateRating",
        data.rating.average().map(|average| {
            json!({
                "@type": "AggregateRating", "ratingValue": average, "reviewCount": data.rating.reviews,
                "bestRating": 5, "worstRating": 0,
            })
        }),
    );
    value
}

fn offer(settings: &Settings, product: &Product, url: &str) -> Value {
    let details = &product.details;
    let minimum = details.min_order.get();
    let availability = if details.available.get() >= minimum { "InStock" } else { "OutOfStock" };
    json!({
        "@type": "Offer",
        "url": url,
        "price": crate::wire::money::Dollars(details.price.money()).plain(),
        "priceCurrency": "USD",
        "availability": format!("https://schema.org/{availability}"),
        "itemCondition": "https://schema.org/NewCondition",
        "eligibleQuantity": {"@type": "QuantitativeValue", "minValue": minimum, "unitCode": "C62"},
        "seller": {"@type": "Organization", "name": settings.shop_name(), "url": settings.address("/")},
    })
}

fn property(attribute: &Attribute) -> Value {
    let mut property = json!({"@type": "PropertyValue", "name": attribute.name.as_str()});
    match &attribute.value {
        AttributeValue::Number(number, unit) => {
            property["value"] = json!(number.to_string());
            if let Some(unit) = unit {
                property["unitText"] = json!(unit.as_str());
            }
        }
        AttributeValue::Words(words) => property["value"] = json!(words.as_str()),
        AttributeValue::Flag(flag) => property["value"] = json!(flag),
    }
    property
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_cannot_end_its_script_element() {
        let said = json!({"name": "</script><script>alert(1)</script><!--"});
        let element = element(&said);
        assert!(!element.contains('<'), "{element}");
        assert_eq!(serde_json::from_str::<Value>(&element).unwrap(), said);
    }
}
