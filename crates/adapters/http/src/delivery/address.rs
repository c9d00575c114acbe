//! Addresses on the wire.

use domain::{Address, AddressField, AddressProblem, TypedAddress};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::wire::fields::Fields;

/// A postal address.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Address)]
pub(crate) struct AddressView {
    #[schema(required)]
    company: Option<String>,
    /// Street and number.
    line1: String,
    #[schema(required)]
    line2: Option<String>,
    city: String,
    /// A code in Australia, Canada and the United States.
    #[schema(required)]
    region: Option<String>,
    #[schema(required)]
    postcode: Option<String>,
    /// ISO 3166-1 alpha-2.
    country: &'static str,
}

impl From<&Address> for AddressView {
    fn from(address: &Address) -> Self {
        Self {
            company: address.company().map(Into::into),
            line1: address.line1().into(),
            line2: address.line2().map(Into::into),
            city: address.city().into(),
            region: address.region().map(Into::into),
            postcode: address.postcode().map(Into::into),
            country: address.country().code(),
        }
    }
}

/// A postal address, as it is sent. Which fields a country needs is what `/countries` says.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub(crate) struct SentAddress {
    /// Up to 100 characters.
    company: Option<String>,
    /// Street and number, up to 100 characters.
    #[schema(required, nullable = false)]
    line1: Option<String>,
    /// Up to 100 characters.
    line2: Option<String>,
    /// Up to 60 characters.
    #[schema(required, nullable = false)]
    city: Option<String>,
    /// Up to 60 characters; the code or the name of one in Australia, Canada and the United States.
    region: Option<String>,
    /// Up to 16 characters.
    postcode: Option<String>,
    /// ISO 3166-1 alpha-2.
    #[schema(required, nullable = false)]
    country: Option<String>,
}

impl SentAddress {
    /// `within` stands before the fields' names in errors.
    pub(crate) fn parse(&self, within: &str, fields: &mut Fields) -> Option<Address> {
        let typed = TypedAddress {
            company: self.company.as_deref(),
            line1: self.line1.as_deref(),
            line2: self.line2.as_deref(),
            city: self.city.as_deref(),
            region: self.region.as_deref(),
            postcode: self.postcode.as_deref(),
            country: self.country.as_deref(),
        };
        match Address::new(&typed) {
            Ok(address) => Some(address),
            Err(problems) => {
                for AddressProblem { field, why } in problems {
                    let name = format!("{within}{}", field.as_str());
                    fields.required(&name, label(field), Some(()), |()| Err::<(), _>(why));
                }
                None
            }
        }
    }
}

const fn label(field: AddressField) -> &'static str {
    match field {
        AddressField::Company => "Company",
        AddressField::Line1 => "Street and number",
        AddressField::Line2 => "Second line",
        AddressField::City => "City",
        AddressField::Region => "Region",
        AddressField::Postcode => "Postcode",
        AddressField::Country => "Country",
    }
}
