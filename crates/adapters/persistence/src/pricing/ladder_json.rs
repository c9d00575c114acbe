//! A ladder as a product's row keeps it. Field names are permanent.

use diesel::QueryResult;
use domain::{Ladder, Tier, UnitPrice};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::platform::decode::RowDecoder;

#[derive(Serialize, Deserialize)]
struct TierJson {
    from: u32,
    cents: i64,
}

pub(crate) fn read(decoder: RowDecoder, json: Option<Value>) -> QueryResult<Ladder> {
    let Some(json) = json else { return Ok(Ladder::NONE) };
    let tiers: Vec<TierJson> = serde_json::from_value(json).map_err(|why| decoder.refuse("tiers", &why))?;
    let tier = |TierJson { from, cents }| {
        let unit = UnitPrice::from_cents(cents).map_err(|why| decoder.refuse("tiers", &why))?;
        Ok(Tier { from, unit })
    };
    let tiers = tiers.into_iter().map(tier).collect::<QueryResult<_>>()?;
    Ladder::new(tiers).map_err(|why| decoder.refuse("tiers", &why))
}

/// `None` for no tiers.
pub(crate) fn write(ladder: &Ladder) -> QueryResult<Option<Value>> {
    if ladder.tiers().is_empty() {
        return Ok(None);
    }
    let json = |tier: &Tier| TierJson { from: tier.from, cents: tier.unit.money().cents() };
    let tiers: Vec<TierJson> = ladder.tiers().iter().map(json).collect();
    serde_json::to_value(tiers).map(Some).map_err(|why| diesel::result::Error::SerializationError(Box::new(why)))
}
