//! Ladders as they are sent.

use domain::{Ladder, Tier, UnitPrice};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::wire::fields::Fields;
use crate::wire::whole::Whole;

/// What a unit is to cost from a quantity on.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub(crate) struct SentTier {
    /// The least quantity, 1 to 1,000,000,000.
    #[schema(required, nullable = false, value_type = i64)]
    pub(super) from: Option<Whole>,
    /// Dollars for one unit, at least 0.01.
    #[schema(required, nullable = false)]
    pub(super) price: Option<f64>,
}

impl SentTier {
    /// `at` names it in errors.
    pub(super) fn parse(&self, at: &str, fields: &mut Fields) -> Option<Tier> {
        let from = fields.required(&format!("{at}.from"), "Quantity", self.from, |from| {
            u32::try_from(from.0)
                .ok()
                .filter(|from| (1..=Tier::FROM_MAX).contains(from))
                .ok_or("must be 1 to 1,000,000,000")
        });
        let unit = fields.required(&format!("{at}.price"), "Price", self.price, UnitPrice::from_dollars);
        Some(Tier { from: from?, unit: unit? })
    }
}

/// `list` names the whole list in errors.
pub(super) fn ladder(list: &str, tiers: &[SentTier], fields: &mut Fields) -> Option<Ladder> {
    let one = |(index, tier): (usize, &SentTier)| tier.parse(&format!("{list}[{index}]"), fields);
    let tiers: Vec<Option<Tier>> = tiers.iter().enumerate().map(one).collect();
    let tiers = tiers.into_iter().collect::<Option<Vec<Tier>>>()?;
    fields.parsed(list, "Tiers", Ladder::new(tiers))
}
