//! Which tax a line of a checkout has: a rate, an exemption, or none.

use thiserror::Error;

use crate::tax::rate::same_region;
use crate::{BasisPoints, Country, Day, Exemption, TaxClass, TaxRate, Text};

/// How something is taxed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taxed<'a> {
    /// By this rate.
    By(&'a TaxRate),
    /// Not at all, by an exemption from a rate that would apply.
    Exempt(&'a Exemption),
    /// Not at all: the product is not taxed, or nothing is taxed there.
    Not,
}

impl Taxed<'_> {
    /// The rate; zero without one.
    #[must_use]
    pub const fn basis_points(&self) -> BasisPoints {
        match self {
            Self::By(rate) => rate.basis_points,
            Self::Exempt(_) | Self::Not => BasisPoints::ZERO,
        }
    }

    /// What documents call it; `None` where nothing is taxed.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::By(rate) => Some(rate.name.as_str()),
            Self::Exempt(exemption) => Some(exemption.kind.shown()),
            Self::Not => None,
        }
    }
}

/// How a product of this class is taxed that is delivered to this place on this day. `exemptions` are the customer's.
///
/// A rate of the region replaces the country's. Rates of one place do not overlap, so at most one of each applies.
#[must_use]
pub fn tax_for<'a>(
    rates: &'a [TaxRate],
    exemptions: &'a [Exemption],
    class: TaxClass,
    (country, region): (Country, Option<&str>),
    day: Day,
) -> Taxed<'a> {
    if class == TaxClass::None {
        return Taxed::Not;
    }
    let valid = || rates.iter().filter(|rate| rate.country == country && rate.valid.includes(day));
    let of_region =
        valid().find(|rate| rate.region.is_some() && same_region(rate.region.as_ref().map(Text::as_str), region));
    let Some(rate) = of_region.or_else(|| valid().find(|rate| rate.region.is_none())) else {
        return Taxed::Not;
    };
    exemptions.iter().find(|exemption| exemption.applies(country, region, day)).map_or(Taxed::By(rate), Taxed::Exempt)
}

/// Somewhere there is a tax, so the address has to say in which country it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must have a country, because taxes depend on it")]
pub struct CountryNeeded;

/// Checks that taxes can be computed for this address: as soon as there is any rate, every address needs a country. The
/// answer is the country; `None` only where nothing is taxed at all.
///
/// # Errors
/// [`CountryNeeded`].
pub const fn check_taxable(any_rate: bool, country: Option<Country>) -> Result<Option<Country>, CountryNeeded> {
    match country {
        None if any_rate => Err(CountryNeeded),
        country => Ok(country),
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::tax::rate::Validity;
    use crate::{AccountId, ExemptionId, ExemptionKind, TaxRateId};

    fn country(code: &str) -> Country {
        code.parse().unwrap()
    }

    fn day(text: &str) -> Day {
        text.parse().unwrap()
    }

    fn rate(code: &str, region: Option<&str>, points: i64, from: &str, until: Option<&str>) -> TaxRate {
        TaxRate {
            id: TaxRateId::new(Uuid::from_u128(points.unsigned_abs().into())),
            country: country(code),
            region: region.map(|region| Text::new(region).unwrap()),
            name: Text::new("Tax").unwrap(),
            basis_points: BasisPoints::new(points).unwrap(),
            valid: Validity::new(day(from), until.map(day)).unwrap(),
        }
    }

    fn exemption(kind: ExemptionKind, code: &str, region: Option<&str>) -> Exemption {
        Exemption {
            id: ExemptionId::new(Uuid::from_u128(1)),
            account: AccountId::new(Uuid::from_u128(2)),
            kind,
            country: country(code),
            region: region.map(|region| Text::new(region).unwrap()),
            number: Text::new("DE123456789").unwrap(),
            valid_until: Some(day("2026-12-31")),
            checked_at: None,
        }
    }

    fn points(taxed: Taxed<'_>) -> u16 {
        taxed.basis_points().get()
    }

    #[test]
    fn a_regions_rate_replaces_the_countrys() {
        let rates = [rate("US", None, 100, "2026-01-01", None), rate("US", Some("CA"), 725, "2026-01-01", None)];
        let taxed = |region| tax_for(&rates, &[], TaxClass::Standard, (country("US"), region), day("2026-11-26"));
        assert_eq!(points(taxed(Some("CA"))), 725);
        assert_eq!(points(taxed(Some("ca"))), 725);
        assert_eq!(points(taxed(Some("NY"))), 100);
        assert_eq!(points(taxed(None)), 100);
    }

    #[test]
    fn a_rate_applies_in_its_time_and_place_to_what_is_taxed() {
        let rates =
            [rate("DE", None, 1600, "2020-07-01", Some("2020-12-31")), rate("DE", None, 1900, "2021-01-01", None)];
        let taxed = |code, class, on| tax_for(&rates, &[], class, (country(code), None), day(on));
        assert_eq!(points(taxed("DE", TaxClass::Standard, "2020-12-31")), 1600);
        assert_eq!(points(taxed("DE", TaxClass::Standard, "2021-01-01")), 1900);
        assert_eq!(taxed("DE", TaxClass::Standard, "2020-06-30"), Taxed::Not);
        assert_eq!(taxed("DE", TaxClass::None, "2021-01-01"), Taxed::Not);
        assert_eq!(taxed("FR", TaxClass::Standard, "2021-01-01"), Taxed::Not);
    }

    #[test]
    fn a_reverse_charge_needs_a_number_that_was_confirmed() {
        let rates = [rate("DE", None, 1900, "2021-01-01", None)];
        let taxed = |exemption: &Exemption, on| {
            let exemptions = std::slice::from_ref(exemption);
            points(tax_for(&rates, exemptions, TaxClass::Standard, (country("DE"), None), day(on)))
        };
        let unchecked = exemption(ExemptionKind::ReverseCharge, "DE", None);
        assert_eq!(taxed(&unchecked, "2026-11-26"), 1900);
        let checked = Exemption { checked_at: Some("2026-01-01T00:00:00Z".parse().unwrap()), ..unchecked };
        assert_eq!(taxed(&checked, "2026-12-31"), 0);
        assert_eq!(taxed(&checked, "2027-01-01"), 1900);
        let exemptions = [checked];
        let taxed = tax_for(&rates, &exemptions, TaxClass::Standard, (country("DE"), None), day("2026-11-26"));
        assert_eq!(taxed.name(), Some("Reverse charge"));
    }

    #[test]
    fn an_exemption_of_a_region_is_none_elsewhere() {
        let rates = [rate("US", None, 500, "2021-01-01", None)];
        let exemptions = [exemption(ExemptionKind::Resale, "US", Some("CA"))];
        let taxed = |region| {
            points(tax_for(&rates, &exemptions, TaxClass::Standard, (country("US"), region), day("2026-11-26")))
        };
        assert_eq!((taxed(Some("CA")), taxed(Some("NY")), taxed(None)), (0, 500, 500));
    }

    #[test]
    fn an_address_without_a_country_is_placed_only_where_there_is_no_tax() {
        assert_eq!(check_taxable(false, None), Ok(None));
        assert_eq!(check_taxable(true, None), Err(CountryNeeded));
        assert_eq!(check_taxable(true, Some(country("DE"))), Ok(Some(country("DE"))));
    }
}
