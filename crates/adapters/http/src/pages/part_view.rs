//! What a part's page shows.

use askama::Template;
use domain::{Attribute, AttributeValue, NumberKind, PartFacts, PartNumber, Product, Review, Size, Text};

use super::card::{Card, StockLevel, count};
use super::{address, picture};
use crate::catalog::fitments::ranges::Range;

/// A part's page.
#[derive(Template)]
#[template(path = "part.html")]
pub(crate) struct PartPage {
    pub(crate) name: String,
    pub(crate) brand: Option<String>,
    pub(crate) part_number: Option<String>,
    pub(crate) description: String,
    pub(crate) img: String,
    pub(crate) srcset: Option<String>,
    /// Its further pictures, each with its `srcset`.
    pub(crate) pictures: Vec<(String, Option<String>)>,
    pub(crate) category: &'static str,
    pub(crate) category_path: String,
    pub(crate) price: String,
    pub(crate) level: StockLevel,
    pub(crate) minimum: String,
    pub(crate) available: String,
    pub(crate) purchase: String,
    pub(crate) facts: Vec<(String, String)>,
    pub(crate) universal: bool,
    /// The vehicles that it fits.
    pub(crate) fits: Vec<Fit>,
    /// How many more there are.
    pub(crate) more_fits: usize,
    pub(crate) numbers: Vec<Numbers>,
    /// The average of its stars, and of how many reviews.
    pub(crate) rating: Option<(f64, u64)>,
    pub(crate) reviews: Vec<ReviewShown>,
}

/// Vehicles that a part fits.
pub(crate) struct Fit {
    pub(crate) name: String,
    /// The page of the model.
    pub(crate) path: String,
}

impl Fit {
    pub(crate) fn of(range: &Range) -> Self {
        Self { name: range.label(), path: address::vehicle(&range.make_name, Some(&range.model_name), None) }
    }
}

/// The numbers of one kind.
pub(crate) struct Numbers {
    pub(crate) kind: &'static str,
    /// Each with whose it is and what else is said of it.
    pub(crate) numbers: Vec<(String, String)>,
}

pub(crate) struct ReviewShown {
    pub(crate) stars: u8,
    pub(crate) text: String,
    pub(crate) by: String,
    pub(crate) is_verified: bool,
}

impl From<Review> for ReviewShown {
    fn from(review: Review) -> Self {
        Self {
            stars: review.rating.get(),
            text: review.details.into_string(),
            by: review.author.map_or_else(|| review.name.into_string(), Text::into_string),
            is_verified: review.is_verified,
        }
    }
}

impl PartPage {
    /// A page of what is known of the part itself.
    pub(crate) fn new(product: &Product) -> Self {
        let details = &product.details;
        Self {
            name: details.name.to_string(),
            brand: details.facts.brand.as_ref().map(Text::to_string),
            part_number: details.part_number.as_ref().map(Text::to_string),
            description: details.description.to_string(),
            img: details.img.to_string(),
            srcset: picture::srcset(&details.img),
            pictures: details.further_pictures.iter().map(|img| (img.to_string(), picture::srcset(img))).collect(),
            category: address::category_label(details.category),
            category_path: address::category(details.category),
            price: details.price.money().to_string(),
            level: StockLevel::of(product),
            minimum: count(details.min_order.get()),
            available: count(details.available.get()),
            purchase: address::purchase(product.id),
            facts: facts(&details.facts),
            universal: details.facts.universal,
            fits: Vec::new(),
            more_fits: 0,
            numbers: Vec::new(),
            rating: None,
            reviews: Vec::new(),
        }
    }
}

/// In place of a part that is not sold any more.
#[derive(Template)]
#[template(path = "gone.html")]
pub(crate) struct GonePage {
    pub(crate) name: String,
    /// The part that is sold in its place.
    pub(crate) cards: Vec<Card>,
}

/// The facts of a part, those of its kind last.
fn facts(facts: &PartFacts) -> Vec<(String, String)> {
    let sides = [facts.length, facts.width, facts.height].into_iter().collect::<Option<Vec<Size>>>();
    let sides = sides.map(|sides| sides.into_iter().map(|side| count(side.get())).collect::<Vec<_>>().join(" × "));
    let common = [
        ("Part type", facts.part_type.as_ref().map(Text::to_string)),
        ("Sold in packs of", (facts.pack_size.get() > 1).then(|| count(facts.pack_size.get()))),
        ("Weight", facts.weight.map(|grams| weight(grams.get()))),
        ("Length × width × height", sides.map(|sides| format!("{sides} mm"))),
    ];
    let common = common.into_iter().filter_map(|(label, value)| Some((label.to_owned(), value?)));
    common.chain(facts.attributes.iter().map(attribute)).collect()
}

/// Grams as they are read on a parcel.
fn weight(grams: u32) -> String {
    if grams < 1_000 {
        return format!("{grams} g");
    }
    let hundredths = u64::from(grams) / 10;
    let text = format!("{}.{:02}", hundredths / 100, hundredths % 100);
    format!("{} kg", text.trim_end_matches('0').trim_end_matches('.'))
}

fn attribute(attribute: &Attribute) -> (String, String) {
    let value = match &attribute.value {
        AttributeValue::Number(number, Some(unit)) => format!("{number} {unit}"),
        AttributeValue::Number(number, None) => number.to_string(),
        AttributeValue::Words(words) => words.to_string(),
        AttributeValue::Flag(flag) => if *flag { "Yes" } else { "No" }.to_owned(),
    };
    (attribute.name.to_string(), value)
}

/// The numbers of a part by their kinds. Whom it is bought from is nobody's business but the shop's.
pub(crate) fn numbers(numbers: Vec<PartNumber>) -> Vec<Numbers> {
    let mut by_kind: Vec<Numbers> = Vec::new();
    for number in numbers {
        let kind = match number.kind {
            NumberKind::Own => "Our number",
            NumberKind::Gtin => "GTIN",
            NumberKind::Oe => "Original (OE) numbers",
            NumberKind::Competitor => "Same part from other makers",
            NumberKind::Superseded => "Replaces",
            NumberKind::Supplier => continue,
        };
        let beside: Vec<String> =
            [number.brand.map(Text::into_string), number.note.map(Text::into_string)].into_iter().flatten().collect();
        let shown = (number.shown.into_string(), beside.join(", "));
        match by_kind.iter_mut().find(|known| known.kind == kind) {
            Some(known) => known.numbers.push(shown),
            None => by_kind.push(Numbers { kind, numbers: vec![shown] }),
        }
    }
    by_kind
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_weight_is_read_as_on_a_parcel() {
        for (grams, expected) in [(800, "800 g"), (1_000, "1 kg"), (9_250, "9.25 kg"), (12_500, "12.5 kg")] {
            assert_eq!(weight(grams), expected);
        }
    }
}
