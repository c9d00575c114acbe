//! A country and a region of it, as they are sent.

use domain::{Country, Text};

use crate::wire::fields::{Fields, filled};

/// The place; its region is a code where the country has codes.
#[expect(
    clippy::option_option,
    reason = "the outer one says whether it is valid, the inner one whether it is one region"
)]
pub(super) fn region(fields: &mut Fields, country: Option<Country>, sent: Option<&str>) -> Option<Option<Text<60>>> {
    let country = country?;
    fields.optional("region", "Region", filled(sent), |typed| {
        if country.regions().is_empty() {
            return Text::new(typed).map_err(|why| why.to_string());
        }
        let code = country.region_code(typed).ok_or_else(|| format!("must be one of {}", country.name()))?;
        Text::new(code).map_err(|why| why.to_string())
    })
}

/// A country that has to be there.
pub(super) fn country(fields: &mut Fields, sent: Option<&str>) -> Option<Country> {
    fields.required("country", "Country", filled(sent), str::parse::<Country>)
}
