//! How a country writes its addresses.

use crate::platform::mask;

/// A field of an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AddressField {
    /// The company.
    Company,
    /// The first line: street and number.
    Line1,
    /// The second line.
    Line2,
    /// The city.
    City,
    /// The region: a state, a province, a county.
    Region,
    /// The postcode.
    Postcode,
    /// The country.
    Country,
}

impl AddressField {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Company, Self::Line1, Self::Line2, Self::City, Self::Region, Self::Postcode, Self::Country];

    /// Its stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Company => "company",
            Self::Line1 => "line1",
            Self::Line2 => "line2",
            Self::City => "city",
            Self::Region => "region",
            Self::Postcode => "postcode",
            Self::Country => "country",
        }
    }
}

/// Whether a field belongs to an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// An address without it is refused.
    Required,
    /// It may be left out.
    Optional,
    /// The country does not use it. One that is given all the same is kept.
    No,
}

/// The format of a country's addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AddressFormat {
    /// Whether an address has a postcode.
    pub postcode: Need,
    /// What the country calls it: "ZIP code".
    pub postcode_name: &'static str,
    pub(super) masks: &'static str,
    /// Whether an address has a region.
    pub region: Need,
    /// What the country calls it: "State".
    pub region_name: &'static str,
    pub(super) order: &'static str,
}

impl AddressFormat {
    /// The fields in the order of an envelope, without the country, which comes last. Fields that the country does not use
    /// are left out.
    pub fn order(&self) -> impl Iterator<Item = AddressField> {
        self.order
            .chars()
            .flat_map(|sign| -> &[AddressField] {
                match sign {
                    'O' => &[AddressField::Company],
                    'A' => &[AddressField::Line1, AddressField::Line2],
                    'C' => &[AddressField::City],
                    'S' => &[AddressField::Region],
                    _ => &[AddressField::Postcode],
                }
            })
            .copied()
    }

    /// A postcode as the country writes it; `None` if it is none. Where the masks are not known, any short code of digits
    /// and ASCII letters is one.
    pub(super) fn postcode(&self, typed: &str) -> Option<String> {
        if !self.masks.is_empty() {
            return mask::written_as_one_of(self.masks, typed);
        }
        let code = typed.trim().to_ascii_uppercase();
        let is_code = code.chars().all(|sign| sign.is_ascii_alphanumeric() || matches!(sign, ' ' | '-'));
        (is_code && (1..=12).contains(&code.len())).then_some(code)
    }

    /// A postcode of this form, to be shown to somebody whose own was refused.
    pub(super) fn example(&self) -> Option<String> {
        let first = self.masks.split('|').next().filter(|mask| !mask.is_empty())?;
        let digits = ('1'..='9').cycle();
        let signs = ('A'..='Z').cycle();
        let mut sources = (digits, signs);
        Some(
            first
                .chars()
                .filter_map(|part| match part {
                    '#' => sources.0.next(),
                    '@' | '*' => sources.1.next(),
                    itself => Some(itself),
                })
                .collect(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_has_its_stable_name() {
        let names = AddressField::ALL.map(AddressField::as_str);
        assert_eq!(names, ["company", "line1", "line2", "city", "region", "postcode", "country"]);
    }
}
