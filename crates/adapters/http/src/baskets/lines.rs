//! Lines of carts and lists: as they are sent, and as they are shown.

use application::CheckedRow;
use domain::{BASKET_MAX, BasketLine, Money, Product, ProductId, Quantity, Units, UnitsFault, message};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::view::{Successor, part_number};
use crate::problem::Problem;
use crate::wire::enums::RowStatusName;
use crate::wire::fields::Fields;
use crate::wire::money::Dollars;

/// A line of a cart or of a list.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SentLine {
    /// The product's id. One that is not for sale is kept, and said so.
    #[schema(required, nullable = false)]
    product_id: Option<String>,
    /// Whole, from 1; fewer than the minimum order are kept, and said so.
    #[schema(required, nullable = false, value_type = i64, minimum = 1)]
    quantity: Option<f64>,
    /// What was shown for all of its units, in dollars. Lists do not keep it.
    price: Option<f64>,
}

/// Lines that were sent in the field `lines`.
pub(super) fn parsed(fields: &mut Fields, sent: Vec<SentLine>) -> Option<Vec<BasketLine>> {
    if sent.len() > BASKET_MAX {
        fields.refuse("lines", format!("Lines must be at most {BASKET_MAX}").replace("1000", "1,000"));
        return None;
    }
    let lines: Vec<Option<BasketLine>> =
        sent.into_iter().enumerate().map(|(nth, line)| line.parse(fields, nth)).collect();
    lines.into_iter().collect()
}

impl SentLine {
    fn parse(self, fields: &mut Fields, nth: usize) -> Option<BasketLine> {
        let named = |field: &str| format!("lines[{nth}].{field}");
        let product = fields.required(&named("productId"), "Product", self.product_id, |id| {
            id.parse::<ProductId>().map_err(|_| "must be the id of a product")
        });
        let units = fields.required(&named("quantity"), "Quantity", self.quantity, units);
        let shown = fields.optional(&named("price"), "Price", self.price, Money::from_dollars);
        Some(BasketLine { product: product?, units: units?, shown: shown? })
    }
}

fn units(sent: f64) -> Result<Units, UnitsFault> {
    if sent < 0.0 {
        return Err(UnitsFault::Negative);
    }
    if sent > f64::from(Quantity::MAX) {
        return Err(UnitsFault::TooLarge);
    }
    if sent.fract() != 0.0 {
        return Err(UnitsFault::Fraction);
    }
    #[expect(clippy::cast_possible_truncation, reason = "whole, and within the bounds above")]
    Units::new(sent as i64)
}

/// Lines and nothing else.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct SentLines {
    /// At most 1,000. Those of one product are summed.
    #[schema(required, nullable = false)]
    lines: Option<Vec<SentLine>>,
}

impl SentLines {
    pub(super) fn parse(self) -> Result<Vec<BasketLine>, Problem> {
        let mut fields = Fields::default();
        let lines = match self.lines {
            Some(lines) => parsed(&mut fields, lines),
            None => fields.required("lines", "Lines", None::<()>, |()| Err::<Vec<BasketLine>, &str>("is required")),
        };
        fields.all(lines)
    }
}

/// A line of a cart or of a list, as it stands now.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = BasketLine)]
pub(crate) struct LineView {
    product_id: String,
    /// As it was saved, also if it cannot be ordered.
    quantity: u32,
    /// Dollars for all of its units, as they were shown when it was added.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>)]
    price: Option<Dollars>,
    name: String,
    #[schema(required)]
    part_number: Option<String>,
    img: String,
    /// Dollars for one unit now; `null` if it is not for sale.
    #[schema(required, value_type = Option<f64>)]
    unit: Option<Dollars>,
    /// Dollars for all of its units now.
    #[schema(required, value_type = Option<f64>)]
    total: Option<Dollars>,
    /// Units in stock.
    available: u32,
    min_order: u32,
    status: RowStatusName,
    /// What is to be said about it; may be empty if it can be ordered as it is.
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    replaced_by: Option<Successor>,
}

impl LineView {
    pub(super) fn of(kept: &BasketLine, row: &CheckedRow) -> Self {
        let product = row.product.as_deref();
        let details = product.map(|product| &product.details);
        let for_sale = details.filter(|_| row.price.is_some());
        Self {
            product_id: row.for_sale().unwrap_or(kept.product).to_string(),
            quantity: kept.units.get(),
            price: kept.shown.map(Dollars),
            name: details.map_or_else(|| "Unknown part".to_owned(), |details| details.name.to_string()),
            part_number: product.and_then(|product: &Product| part_number(product)),
            img: details.map(|details| details.img.to_string()).unwrap_or_default(),
            unit: row.price.map(|price| Dollars(price.unit.money())),
            total: row.price.and_then(|price| price.total).map(Dollars),
            available: for_sale.map(|details| details.available.get()).unwrap_or_default(),
            min_order: details.map_or(Quantity::FLOOR, |details| details.min_order.get()),
            status: RowStatusName(row.status),
            message: message(&row.notes),
            replaced_by: Successor::of(row),
        }
    }
}
