//! The lines of carts and lists, as they are stored.

use std::fmt::Display;

use diesel::prelude::*;
use domain::{BasketLine, Money, ProductId, Units};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::platform::decode::RowDecoder;

#[derive(Serialize, Deserialize)]
struct StoredLine {
    product: String,
    units: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cents: Option<i64>,
}

pub(super) fn stored(lines: &[BasketLine]) -> Value {
    let stored = lines.iter().map(|line| StoredLine {
        product: line.product.to_string(),
        units: line.units.get(),
        cents: line.shown.map(Money::cents),
    });
    // Numbers and ids can always be written.
    stored.map(|line| serde_json::to_value(line).unwrap_or_default()).collect()
}

pub(super) fn read<Id: Display + Copy>(decoder: RowDecoder<Id>, lines: Value) -> QueryResult<Vec<BasketLine>> {
    let stored: Vec<StoredLine> = serde_json::from_value(lines).map_err(|why| decoder.refuse("lines", &why))?;
    let line = |line: StoredLine| {
        Ok(BasketLine {
            product: decoder.parse::<ProductId>("lines", &line.product)?,
            units: Units::new(i64::from(line.units)).map_err(|why| decoder.refuse("lines", &why))?,
            shown: line.cents.map(|cents| decoder.money("lines", cents)).transpose()?,
        })
    };
    stored.into_iter().map(line).collect()
}
