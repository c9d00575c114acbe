//! What it costs to deliver goods: a function of a method, the packs, and what the goods cost.

use crate::Money;
use crate::delivery::country::Country;
use crate::delivery::shipping_method::{PalletRate, ShippingMethod, ShippingTerms};

/// What a pallet carries, in grams.
pub const PALLET_GRAMS: u64 = 1_000_000;

/// Units of one product that are to be delivered. Weight and measures are those of a pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parcel {
    /// How many units.
    pub units: u32,
    /// How many units a pack holds.
    pub pack_size: u32,
    /// What a pack weighs, in grams. A pack whose weight is not known counts as nothing.
    pub weight_grams: Option<u32>,
    /// How long a pack is, in millimeters.
    pub length_mm: Option<u32>,
    /// How wide a pack is, in millimeters.
    pub width_mm: Option<u32>,
    /// How high a pack is, in millimeters.
    pub height_mm: Option<u32>,
}

/// What a delivery costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Freight {
    /// This.
    Price(Money),
    /// An admin has to say: it goes on pallets that have no fixed price, or is out of all proportion.
    Quote,
}

impl Parcel {
    /// The weight that it is billed with, in grams: per begun pack the greater of what it weighs and what its volume counts as.
    fn billable_grams(&self, terms: &ShippingTerms) -> u128 {
        let Some(weight) = self.weight_grams else { return 0 };
        let volume = match (self.length_mm, self.width_mm, self.height_mm) {
            (Some(length), Some(width), Some(height)) => u128::from(length) * u128::from(width) * u128::from(height),
            _ => 0,
        };
        let grams = volume.div_ceil(u128::from(terms.divisor.get())).max(u128::from(weight));
        let packs = self.units.div_ceil(self.pack_size.max(1));
        // Below 2^96 grams times 2^32 packs.
        grams.saturating_mul(u128::from(packs))
    }
}

/// The weight that all parcels together are billed with, in grams; [`u64::MAX`] if it is greater.
#[must_use]
pub fn billable_grams(terms: &ShippingTerms, parcels: &[Parcel]) -> u64 {
    let grams = parcels.iter().fold(0, |sum: u128, parcel| sum.saturating_add(parcel.billable_grams(terms)));
    u64::try_from(grams).unwrap_or(u64::MAX)
}

/// What the method asks for delivering these parcels of goods that cost `goods` together.
///
/// Pallets come first: what is free from some sum on are parcels.
#[must_use]
pub fn freight(method: &ShippingMethod, parcels: &[Parcel], goods: Money) -> Freight {
    let terms = &method.terms;
    let grams = billable_grams(terms, parcels);
    if let Some(pallet) = terms.pallet.filter(|pallet| grams >= u64::from(pallet.from.get())) {
        return on_pallets(pallet, grams).map_or(Freight::Quote, Freight::Price);
    }
    if terms.free_over.is_some_and(|free_over| goods >= free_over) {
        return Freight::Price(Money::ZERO);
    }
    by_bands(terms, grams).map_or(Freight::Quote, Freight::Price)
}

/// `None` without a price, and beyond what money can be.
fn on_pallets(pallet: PalletRate, grams: u64) -> Option<Money> {
    let pallets = grams.div_ceil(PALLET_GRAMS.max(u64::from(pallet.from.get())));
    pallet.per_pallet?.times(u32::try_from(pallets).ok()?).ok()
}

/// `None` beyond what money can be.
fn by_bands(terms: &ShippingTerms, grams: u64) -> Option<Money> {
    let bands = terms.bands.as_slice();
    if let Some(band) = bands.iter().find(|band| grams <= u64::from(band.up_to.get())) {
        return Some(band.price);
    }
    let last = bands.last()?;
    let extra_kg = (grams - u64::from(last.up_to.get())).div_ceil(1_000);
    if terms.per_extra_kg == Money::ZERO {
        return Some(last.price);
    }
    let extra = terms.per_extra_kg.times(u32::try_from(extra_kg).ok()?).ok()?;
    last.price.plus(extra).ok()
}

/// The methods that deliver to a country, in their order. Without a country, those that deliver everywhere.
#[must_use]
pub fn methods_for(methods: &[ShippingMethod], country: Option<Country>) -> Vec<&ShippingMethod> {
    methods.iter().filter(|method| method.terms.delivers_to(country)).collect()
}

#[cfg(test)]
mod tests;
