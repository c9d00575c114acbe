//! What is known of a part, on the wire.

use domain::{Attribute, AttributeValue, FactsEdit, Measure, PackSize, PartFacts, Size, TaxClass, Text, fold};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::wire::enums::TaxClassName;
use crate::wire::fields::{Fields, Sent, sent};
use crate::wire::whole::Whole;

/// How many attributes a part may have.
const MOST_ATTRIBUTES: usize = 60;

/// What is known of a part; what is not known is left out.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PartFacts)]
pub(crate) struct FactsView {
    /// Whose part it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    brand: Option<String>,
    /// What it is, by the name of its part type.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    part_type: Option<String>,
    /// `true` if it fits every vehicle.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    universal: Option<bool>,
    /// It is sold in multiples of this many units; 1 if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pack_size: Option<u32>,
    /// Grams of a pack.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    weight: Option<u32>,
    /// Millimeters.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    length: Option<u32>,
    /// Millimeters.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    width: Option<u32>,
    /// Millimeters.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    height: Option<u32>,
    tax_class: TaxClassName,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    attributes: Option<Vec<AttributeView>>,
}

/// An attribute of a part.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Attribute)]
pub(crate) struct AttributeView {
    name: String,
    value: ValueView,
    /// The unit of a number.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    unit: Option<String>,
}

/// The value of an attribute: a number, words, or yes and no.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = AttributeValue)]
pub(crate) enum ValueView {
    Flag(bool),
    #[schema(value_type = f64)]
    Number(serde_json::Number),
    Words(String),
}

impl From<PartFacts> for FactsView {
    fn from(facts: PartFacts) -> Self {
        let attributes: Vec<AttributeView> = facts.attributes.into_iter().map(Into::into).collect();
        Self {
            brand: facts.brand.map(Text::into_string),
            part_type: facts.part_type.map(Text::into_string),
            universal: facts.universal.then_some(true),
            pack_size: (facts.pack_size != PackSize::ONE).then(|| facts.pack_size.get()),
            weight: facts.weight.map(Size::get),
            length: facts.length.map(Size::get),
            width: facts.width.map(Size::get),
            height: facts.height.map(Size::get),
            tax_class: TaxClassName(facts.tax_class),
            attributes: (!attributes.is_empty()).then_some(attributes),
        }
    }
}

impl From<Attribute> for AttributeView {
    fn from(attribute: Attribute) -> Self {
        let (value, unit) = match attribute.value {
            AttributeValue::Number(number, unit) => (ValueView::number(number), unit.map(Text::into_string)),
            AttributeValue::Words(words) => (ValueView::Words(words.into_string()), None),
            AttributeValue::Flag(flag) => (ValueView::Flag(flag), None),
        };
        Self { name: attribute.name.into_string(), value, unit }
    }
}

impl ValueView {
    fn number(number: Measure) -> Self {
        // What a measure is written as is a JSON number.
        number.to_string().parse().map_or_else(|_| Self::Words(number.to_string()), Self::Number)
    }
}

/// Facts of a part, as they are sent; what is not sent is not known, or stays in an edit.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SentFacts {
    /// Whose part it is, up to 60 characters; a brand that is not known is added.
    #[serde(default, deserialize_with = "sent")]
    #[schema(value_type = Option<String>)]
    brand: Sent<String>,
    /// The name or the id of a part type.
    #[serde(default, deserialize_with = "sent")]
    #[schema(value_type = Option<String>)]
    part_type: Sent<NameOrId>,
    /// Whether it fits every vehicle; `null` is `false`.
    #[serde(default, deserialize_with = "sent")]
    #[schema(value_type = Option<bool>)]
    universal: Sent<bool>,
    /// It is sold in multiples of this many units: 1 to 100,000; `null` is 1.
    #[serde(default, deserialize_with = "sent")]
    #[schema(value_type = Option<i64>)]
    pack_size: Sent<Whole>,
    /// Grams of a pack.
    #[serde(default, deserialize_with = "sent")]
    #[schema(value_type = Option<i64>)]
    weight: Sent<Whole>,
    /// Millimeters.
    #[serde(default, deserialize_with = "sent")]
    #[schema(value_type = Option<i64>)]
    length: Sent<Whole>,
    /// Millimeters.
    #[serde(default, deserialize_with = "sent")]
    #[schema(value_type = Option<i64>)]
    width: Sent<Whole>,
    /// Millimeters.
    #[serde(default, deserialize_with = "sent")]
    #[schema(value_type = Option<i64>)]
    height: Sent<Whole>,
    /// How it is taxed; `null` is `standard`.
    #[serde(default, deserialize_with = "sent")]
    #[schema(value_type = Option<TaxClassName>)]
    tax_class: Sent<String>,
    /// All attributes, at most 60; `null` is none.
    #[serde(default, deserialize_with = "sent")]
    #[schema(value_type = Option<Vec<SentAttribute>>)]
    attributes: Sent<Vec<SentAttribute>>,
}

/// A name, or a number that stands for it.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum NameOrId {
    Name(String),
    Id(i64),
}

/// An attribute of a part, as it is sent.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct SentAttribute {
    /// Up to 60 characters.
    name: String,
    value: SentValue,
    /// The unit of a number; known ones become that in which all such numbers are kept: mm, g, L, Ah, V, A, kW, N·m, bar.
    unit: Option<String>,
}

/// A number with at most three decimals, words of up to 120 characters (`312 mm` is a number), or `true` and `false`.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum SentValue {
    Flag(bool),
    #[schema(value_type = f64)]
    Number(serde_json::Number),
    Words(String),
}

impl SentAttribute {
    fn parse(self) -> Result<Attribute, String> {
        let name = Text::new(&self.name).map_err(|why| format!("Attribute's name {why}"))?;
        let about = |why: &dyn std::fmt::Display| format!("{name} {why}");
        let unit = Text::<12>::optional(self.unit.as_deref()).map_err(|why| about(&format!("unit {why}")))?;
        let value = match self.value {
            SentValue::Flag(flag) => AttributeValue::Flag(flag),
            SentValue::Number(number) => {
                let written = number.to_string();
                let number = written.parse::<Measure>().map_err(|why| about(&why))?;
                in_unit(&written, number, unit)
            }
            SentValue::Words(words) => match (AttributeValue::written(&words).map_err(|why| about(&why))?, unit) {
                (AttributeValue::Number(number, None), unit) => in_unit(&words, number, unit),
                (value, _) => value,
            },
        };
        Ok(Attribute { name, value })
    }
}

fn in_unit(written: &str, number: Measure, unit: Option<Text<12>>) -> AttributeValue {
    let Some(unit) = unit else { return AttributeValue::Number(number, None) };
    match AttributeValue::written(&format!("{} {unit}", written.trim())) {
        Ok(known @ AttributeValue::Number(..)) => known,
        _ => AttributeValue::Number(number, Some(unit)),
    }
}

impl SentFacts {
    /// `within` stands before the fields' names in errors.
    pub(super) fn edit(self, within: &str, fields: &mut Fields) -> Option<FactsEdit> {
        let at = |field: &str| format!("{within}{field}");
        let brand =
            edited(self.brand, |brand| fields.optional(&at("brand"), "Brand", Some(brand.as_str()), maybe_text));
        let part_type = edited(self.part_type, |named| {
            let named = match named {
                NameOrId::Name(name) => name,
                NameOrId::Id(id) => id.to_string(),
            };
            fields.optional(&at("partType"), "Part type", Some(named.as_str()), maybe_text)
        });
        let pack_size = self.pack_size.map(|units| units.unwrap_or(Whole(1)));
        let pack_size = fields.optional(&at("packSize"), "Pack size", pack_size, |units| PackSize::new(units.0));
        let mut size = |field: &str, label: &str, size: Sent<Whole>| {
            edited(size, |size| fields.optional(&at(field), label, Some(size), |size| Size::new(size.0).map(Some)))
        };
        let weight = size("weight", "Weight", self.weight);
        let length = size("length", "Length", self.length);
        let width = size("width", "Width", self.width);
        let height = size("height", "Height", self.height);
        let tax_class = self.tax_class.map(|named| named.unwrap_or_else(|| TaxClass::Standard.as_str().to_owned()));
        let tax_class = fields.optional(&at("taxClass"), "Tax class", tax_class, |named| {
            named.parse::<TaxClass>().map_err(|_| "must be standard or none")
        });
        let sent = self.attributes.map(Option::unwrap_or_default);
        let attributes = fields.optional(&at("attributes"), "Attributes", sent, attributes);
        Some(FactsEdit {
            brand: brand?,
            part_type: part_type?,
            universal: self.universal.map(Option::unwrap_or_default),
            pack_size: pack_size?,
            weight: weight?,
            length: length?,
            width: width?,
            height: height?,
            tax_class: tax_class?,
            attributes: attributes?,
        })
    }

    /// The facts of a new part.
    pub(super) fn facts(self, fields: &mut Fields) -> Option<PartFacts> {
        let FactsEdit { brand, part_type, universal, pack_size, weight, length, width, height, tax_class, attributes } =
            self.edit("", fields)?;
        Some(PartFacts {
            brand: brand.value(),
            part_type: part_type.value(),
            universal: universal.unwrap_or_default(),
            pack_size: pack_size.unwrap_or(PackSize::ONE),
            weight: weight.value(),
            length: length.value(),
            width: width.value(),
            height: height.value(),
            tax_class: tax_class.unwrap_or_default(),
            attributes: attributes.unwrap_or_default(),
        })
    }
}

fn edited<T, U>(sent: Sent<T>, parse: impl FnOnce(T) -> Option<Option<Option<U>>>) -> Option<domain::Edit<U>> {
    match sent {
        None => Some(domain::Edit::Keep),
        Some(None) => Some(domain::Edit::Set(None)),
        Some(Some(value)) => parse(value).map(|value| domain::Edit::Set(value.flatten())),
    }
}

fn maybe_text<const MAX: usize>(text: &str) -> Result<Option<Text<MAX>>, domain::platform::text::TextError> {
    Text::optional(Some(text))
}

fn attributes(sent: Vec<SentAttribute>) -> Result<Vec<Attribute>, String> {
    if sent.len() > MOST_ATTRIBUTES {
        return Err(format!("must be at most {MOST_ATTRIBUTES}"));
    }
    let attributes = sent.into_iter().map(SentAttribute::parse).collect::<Result<Vec<_>, _>>()?;
    let mut names: Vec<String> = attributes.iter().map(|attribute| fold(attribute.name.as_str())).collect();
    names.sort_unstable();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(format!("name {} twice", pair[0])),
        None => Ok(attributes),
    }
}
