//! All parts of the demo: those of the catalogue, and behind them the rest of a wholesaler's range.
//!
//! The rest is one part a line in `range.tsv`, oldest last, so that the first pages stay the catalogue's. The columns are the
//! number, the part type, the category, the brand, the name, the description, the price in cents, the smallest order, the
//! stock, the attributes, the weight of a pack in grams, its measures in millimeters, the units in it, what it fits (see
//! [`Fits`]) and the picture. A line is recognised by its number, which must never be changed or reused.

use domain::{Attribute, AttributeValue, PackSize, PartFacts, PartNumber, Size, Text};

use super::catalogue::{Item, PRODUCTS, Unsound};
use super::facts;
use super::fit_rule::Fits;

const RANGE: &str = include_str!("range.tsv");
const COLUMNS: usize = 15;

/// A part of the demo.
pub(super) struct Part {
    pub(super) item: Item,
    pub(super) facts: PartFacts,
    /// The numbers that lead to it beside its own.
    pub(super) numbers: Vec<PartNumber>,
    pub(super) fits: Fits,
}

/// All parts, newest first.
pub(super) fn parts() -> Result<Vec<Part>, Unsound> {
    let mut parts = Vec::with_capacity(PRODUCTS.len());
    for item in PRODUCTS {
        parts.push((*item, facts::facts(item)?, Fits::of_item(item)));
    }
    for line in RANGE.lines() {
        parts.push(part(line).map_err(|why| format!("{line}: {why}"))?);
    }
    let numbered = parts.into_iter().zip(1..).map(|((item, facts, fits), place)| {
        let numbers = facts::numbers(&item, place)?;
        Ok(Part { item, facts, numbers, fits })
    });
    numbered.collect()
}

fn part(line: &'static str) -> Result<(Item, PartFacts, Fits), Unsound> {
    let columns: Vec<&str> = line.split('\t').collect();
    let columns: [&str; COLUMNS] = columns.try_into().map_err(|_| "it has another number of columns")?;
    let [
        number,
        part_type,
        category,
        brand,
        name,
        description,
        cents,
        least,
        stock,
        attributes,
        grams,
        measures,
        pack,
        fits,
        picture,
    ] = columns;
    let item = Item {
        part_number: number,
        category: category.parse()?,
        name,
        description,
        picture,
        cents: cents.parse()?,
        min_order: least.parse()?,
        available: stock.parse()?,
    };
    let size = |text: &str| -> Result<Option<Size>, Unsound> { Ok(Some(Size::new(text.parse()?)?)) };
    let measures: Vec<&str> = measures.split('x').collect();
    let [length, width, height] = measures.try_into().map_err(|_| "it has no three measures")?;
    let fits: Fits = fits.parse()?;
    let facts = PartFacts {
        brand: Some(Text::new(brand)?),
        part_type: Some(Text::new(part_type)?),
        universal: fits == Fits::All,
        pack_size: PackSize::new(pack.parse()?)?,
        weight: size(grams)?,
        length: size(length)?,
        width: size(width)?,
        height: size(height)?,
        attributes: attributes.split(';').map(attribute).collect::<Result<_, _>>()?,
        ..PartFacts::NONE
    };
    Ok((item, facts, fits))
}

fn attribute(text: &str) -> Result<Attribute, Unsound> {
    let (name, value) = text.split_once('=').ok_or("an attribute has no value")?;
    Ok(Attribute { name: Text::new(name)?, value: AttributeValue::written(value)? })
}
