//! `GET /countries`.

use actix_web::{HttpRequest, HttpResponse};
use domain::{AddressField, Country, Need};
use serde::Serialize;
use utoipa::ToSchema;

use crate::cache::PublicJson;
use crate::problem::Problem;

/// Whether a field belongs to the addresses of a country.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum FieldNeed {
    Required,
    Optional,
    None,
}

impl From<Need> for FieldNeed {
    fn from(need: Need) -> Self {
        match need {
            Need::Required => Self::Required,
            Need::Optional => Self::Optional,
            Need::No => Self::None,
        }
    }
}

/// A region with a code.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Region)]
pub(crate) struct RegionView {
    code: &'static str,
    name: &'static str,
}

/// A country, and how its addresses are written.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Country)]
pub(crate) struct CountryView {
    /// ISO 3166-1 alpha-2.
    code: &'static str,
    name: &'static str,
    postcode: FieldNeed,
    region: FieldNeed,
    /// What the country calls a region: "State".
    region_name: &'static str,
    /// What the country calls a postcode: "ZIP code".
    postcode_name: &'static str,
    /// The fields of an address in the order of an envelope.
    order: Vec<&'static str>,
    /// The regions, where an address has the code of one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    regions: Option<Vec<RegionView>>,
}

impl From<Country> for CountryView {
    fn from(country: Country) -> Self {
        let format = country.format();
        let regions: Vec<RegionView> = country.regions().iter().map(|(code, name)| RegionView { code, name }).collect();
        Self {
            code: country.code(),
            name: country.name(),
            postcode: format.postcode.into(),
            region: format.region.into(),
            region_name: format.region_name,
            postcode_name: format.postcode_name,
            order: format.order().chain([AddressField::Country]).map(AddressField::as_str).collect(),
            regions: (!regions.is_empty()).then_some(regions),
        }
    }
}

/// All countries of ISO 3166-1, by code.
#[utoipa::path(
    get, path = "/countries", responses((status = 200, description = "Countries", body = [CountryView]))
)]
pub(crate) async fn list_countries(request: HttpRequest) -> Result<HttpResponse, Problem> {
    let countries: Vec<CountryView> = Country::all().map(Into::into).collect();
    Ok(PublicJson::of(&countries)?.send_for_a_day(&request))
}
