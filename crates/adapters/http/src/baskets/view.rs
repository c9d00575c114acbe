//! Checked lines as buyers see them.

use application::{CheckedRow, Choice};
use domain::{Product, RowStatus, Text, message};
use serde::Serialize;
use utoipa::ToSchema;

use crate::wire::enums::RowStatusName;
use crate::wire::money::Dollars;

/// The product that is sold in place of another.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Successor {
    product_id: String,
    #[schema(required)]
    part_number: Option<String>,
    name: String,
}

impl Successor {
    /// The product of a row, if it is sold in place of what was asked for.
    pub(super) fn of(row: &CheckedRow) -> Option<Self> {
        row.product.as_ref().filter(|_| row.is_successor).map(|product| Self {
            product_id: product.id.to_string(),
            part_number: part_number(product),
            name: product.details.name.to_string(),
        })
    }
}

/// A product that a line may mean.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RowChoice {
    product_id: String,
    name: String,
    #[schema(required)]
    part_number: Option<String>,
    #[schema(required)]
    brand: Option<String>,
    img: String,
    /// Dollars for one unit at the minimum order.
    #[schema(value_type = f64)]
    price: Dollars,
    available: u32,
    min_order: u32,
}

impl From<&Choice> for RowChoice {
    fn from(choice: &Choice) -> Self {
        let Choice { product, unit } = choice;
        let details = &product.details;
        Self {
            product_id: product.id.to_string(),
            name: details.name.to_string(),
            part_number: part_number(product),
            brand: brand(product),
            img: details.img.to_string(),
            price: Dollars(unit.money()),
            available: details.available.get(),
            min_order: details.min_order.get(),
        }
    }
}

/// What became of a line.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CheckedRow)]
pub(crate) struct RowView {
    /// Its place in the text, from 1; blank lines count.
    line: u32,
    /// The line as it was written, up to 200 characters.
    text: String,
    status: RowStatusName,
    /// What is to be said about it; empty if it can be ordered as it is.
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    product_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    part_number: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    brand: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    img: Option<String>,
    /// The units that can be ordered, or that were asked for if none can; 0 if those are not known.
    quantity: u32,
    /// Units in stock.
    #[serde(skip_serializing_if = "Option::is_none")]
    available: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    min_order: Option<u32>,
    /// Dollars for one unit, at the quantity of all lines of the product.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>)]
    price: Option<Dollars>,
    /// Dollars for all of its units.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>)]
    total: Option<Dollars>,
    /// Of `choose` the products that have the number, of `unknown` those whose numbers are closest.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    choices: Vec<RowChoice>,
    /// Of a part that was replaced: the product that is sold in its place, which is the line's product.
    #[serde(skip_serializing_if = "Option::is_none")]
    replaced_by: Option<Successor>,
}

impl From<&CheckedRow> for RowView {
    fn from(row: &CheckedRow) -> Self {
        let product = row.product.as_deref();
        let for_sale = product.filter(|_| row.price.is_some()).map(|product| &product.details);
        Self {
            line: row.line,
            text: row.text.clone(),
            status: RowStatusName(row.status),
            message: message(&row.notes),
            product_id: row.for_sale().map(|id| id.to_string()),
            part_number: product.and_then(part_number),
            brand: product.and_then(brand),
            name: product.map(|product| product.details.name.to_string()),
            img: product.map(|product| product.details.img.to_string()),
            quantity: row.quantity,
            available: for_sale.map(|details| details.available.get()),
            min_order: for_sale.map(|details| details.min_order.get()),
            price: row.price.map(|price| Dollars(price.unit.money())),
            total: row.price.and_then(|price| price.total).map(Dollars),
            choices: row.choices.iter().map(Into::into).collect(),
            replaced_by: Successor::of(row),
        }
    }
}

/// The answer of a check.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Checked {
    /// One for each line that is not blank, in their order.
    rows: Vec<RowView>,
    /// How many rows can be ordered as they are.
    ok: usize,
    /// How many rows were changed, or cannot be ordered until something is.
    attention: usize,
    /// How many rows are of no part that the shop knows.
    unknown: usize,
}

impl From<Vec<CheckedRow>> for Checked {
    fn from(rows: Vec<CheckedRow>) -> Self {
        let count = |status| rows.iter().filter(|row| row.status == status).count();
        let (ok, unknown) = (count(RowStatus::Ok), count(RowStatus::Unknown));
        Self { attention: rows.len() - ok - unknown, ok, unknown, rows: rows.iter().map(Into::into).collect() }
    }
}

pub(super) fn part_number(product: &Product) -> Option<String> {
    product.details.part_number.as_ref().map(ToString::to_string)
}

fn brand(product: &Product) -> Option<String> {
    product.details.facts.brand.clone().map(Text::into_string)
}
