//! Exemptions: accounts that pay no tax somewhere, and why.

use thiserror::Error;

use crate::platform::name::read_by_name;
use crate::tax::rate::same_region;
use crate::tax::vat_id::{VatId, VatIdRefused};
use crate::{AccountId, Country, Day, ExemptionId, Text, Timestamp};

/// Why an account pays no tax.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ExemptionKind {
    /// It buys to sell again, and its customers pay the tax.
    Resale,
    /// It is an authority.
    Government,
    /// It is a business in another country of the European Union and pays the tax there.
    ReverseCharge,
}

impl ExemptionKind {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Resale, Self::Government, Self::ReverseCharge];

    /// Its stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Resale => "resale",
            Self::Government => "government",
            Self::ReverseCharge => "reverse-charge",
        }
    }

    /// What documents say in place of the tax.
    #[must_use]
    pub const fn shown(self) -> &'static str {
        match self {
            Self::Resale => "Exempt: resale",
            Self::Government => "Exempt: government",
            Self::ReverseCharge => "Reverse charge",
        }
    }
}

read_by_name!(ExemptionKind);

/// An account pays no tax in a country or in a region of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exemption {
    /// Its id.
    pub id: ExemptionId,
    /// Who is exempt.
    pub account: AccountId,
    /// Why.
    pub kind: ExemptionKind,
    /// Where.
    pub country: Country,
    /// Only in this region; `None` is the whole country.
    pub region: Option<Text<60>>,
    /// The number of the certificate, or the VAT number.
    pub number: Text<40>,
    /// The last day; `None` is for good.
    pub valid_until: Option<Day>,
    /// When the country's register confirmed the VAT number; `None` until it did.
    pub checked_at: Option<Timestamp>,
}

/// Why an exemption is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ExemptionRefused {
    /// A reverse charge needs a VAT number of the country.
    #[error(transparent)]
    VatId(#[from] VatIdRefused),
}

impl Exemption {
    /// The number as it is kept: a VAT number in the form of its country, and any other as it was typed.
    ///
    /// # Errors
    /// [`ExemptionRefused`] for a reverse charge without a VAT number of the country.
    pub fn number(kind: ExemptionKind, country: Country, typed: &Text<40>) -> Result<Text<40>, ExemptionRefused> {
        match kind {
            ExemptionKind::Resale | ExemptionKind::Government => Ok(typed.clone()),
            ExemptionKind::ReverseCharge => Ok(Text::known_good(VatId::new(country, typed.as_str())?.as_str())),
        }
    }

    /// Whether it is valid in this place on this day. A reverse charge is only once its number has been confirmed: if nobody
    /// could be asked, the normal tax applies.
    #[must_use]
    pub fn applies(&self, country: Country, region: Option<&str>, day: Day) -> bool {
        let confirmed = self.kind != ExemptionKind::ReverseCharge || self.checked_at.is_some();
        confirmed
            && self.country == country
            && (self.region.is_none() || same_region(self.region.as_ref().map(Text::as_str), region))
            && self.valid_until.is_none_or(|until| day <= until)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_kinds_round_trip() {
        assert!(ExemptionKind::ALL.into_iter().all(|kind| kind.as_str().parse() == Ok(kind)));
    }
}
