//! Tiers on the wire.

use domain::Tier;
use serde::Serialize;
use utoipa::ToSchema;

use crate::wire::money::Dollars;

/// What a unit costs from a quantity on.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Tier)]
pub(crate) struct TierView {
    /// The least quantity.
    from: u32,
    /// Dollars for one unit.
    #[schema(value_type = f64)]
    price: Dollars,
}

pub(crate) fn tier_views(tiers: &[Tier]) -> Vec<TierView> {
    tiers.iter().map(|tier| TierView { from: tier.from, price: Dollars(tier.unit.money()) }).collect()
}
