//! An address as a `jsonb` column has it. Field names are permanent.

use std::borrow::Cow;
use std::fmt::Display;

use diesel::QueryResult;
use diesel::result::Error;
use domain::{Address, TypedAddress};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::platform::decode::RowDecoder;

#[derive(Debug, Serialize, Deserialize)]
struct AddressJson<'a> {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    company: Option<Cow<'a, str>>,
    line1: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    line2: Option<Cow<'a, str>>,
    city: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    region: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    postcode: Option<Cow<'a, str>>,
    country: Cow<'a, str>,
}

/// The address as a column.
pub(crate) fn write(address: &Address) -> QueryResult<Value> {
    let json = AddressJson {
        company: address.company().map(Into::into),
        line1: address.line1().into(),
        line2: address.line2().map(Into::into),
        city: address.city().into(),
        region: address.region().map(Into::into),
        postcode: address.postcode().map(Into::into),
        country: address.country().code().into(),
    };
    serde_json::to_value(json).map_err(|error| Error::SerializationError(Box::new(error)))
}

/// Decodes a column.
pub(crate) fn read<Id: Display + Copy>(decoder: RowDecoder<Id>, json: &Value) -> QueryResult<Address> {
    let json = AddressJson::deserialize(json).map_err(|why| decoder.refuse("address", &why))?;
    let typed = TypedAddress {
        company: json.company.as_deref(),
        line1: Some(&json.line1),
        line2: json.line2.as_deref(),
        city: Some(&json.city),
        region: json.region.as_deref(),
        postcode: json.postcode.as_deref(),
        country: Some(&json.country),
    };
    Address::new(&typed).map_err(|problems| {
        let first = problems.first();
        decoder.refuse(
            "address",
            &first.map_or_else(String::new, |first| format!("{} {}", first.field.as_str(), first.why)),
        )
    })
}
