//! `/tax-rates`.

use actix_web::HttpResponse;
use actix_web::web::{self, Data, Path};
use application::NewRate;
use domain::{BasisPoints, Day, TaxRate, Text, Validity};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::place::{country, region};
use crate::app_state::AppState;
use crate::extract::{Authenticated, Json, id};
use crate::problem::{FieldError, Problem};
use crate::wire::counts::{DeletedCount, InsertedId, ModifiedCount};
use crate::wire::fields::{Fields, filled};
use crate::wire::whole::Whole;

/// The tax of a place for a time.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = TaxRate)]
pub(crate) struct TaxRateView {
    /// `UUIDv7`.
    #[serde(rename = "_id")]
    id: String,
    /// ISO 3166-1 alpha-2.
    country: &'static str,
    /// Its rate replaces the country's; null for the whole country.
    #[schema(required)]
    region: Option<String>,
    name: String,
    /// Hundredths of a percent.
    basis_points: u16,
    /// The first day, as 2026-11-26.
    valid_from: String,
    /// The last day; null for good.
    #[schema(required)]
    valid_until: Option<String>,
}

impl From<TaxRate> for TaxRateView {
    fn from(rate: TaxRate) -> Self {
        Self {
            id: rate.id.to_string(),
            country: rate.country.code(),
            region: rate.region.map(Text::into_string),
            name: rate.name.into_string(),
            basis_points: rate.basis_points.get(),
            valid_from: rate.valid.from().to_string(),
            valid_until: rate.valid.until().map(|until| until.to_string()),
        }
    }
}

/// A rate, as it is sent.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SentRate {
    /// ISO 3166-1 alpha-2.
    #[schema(required, nullable = false)]
    pub(super) country: Option<String>,
    /// Where the rate applies instead of the country's: a code in Australia, Canada and the United States.
    pub(super) region: Option<String>,
    /// Up to 60 characters.
    #[schema(required, nullable = false)]
    pub(super) name: Option<String>,
    /// Hundredths of a percent: 0 to 10,000.
    #[schema(required, nullable = false, value_type = i64)]
    pub(super) basis_points: Option<Whole>,
    /// The first day, as 2026-11-26.
    #[schema(required, nullable = false)]
    pub(super) valid_from: Option<String>,
    /// The last day; null for good.
    pub(super) valid_until: Option<String>,
}

impl SentRate {
    pub(super) fn validate(self) -> Result<NewRate, Vec<FieldError>> {
        let mut fields = Fields::default();
        let country = country(&mut fields, self.country.as_deref());
        let region = region(&mut fields, country, self.region.as_deref());
        let name = fields.required("name", "Name", filled(self.name.as_deref()), Text::new);
        let basis_points =
            fields.required("basisPoints", "Basis points", self.basis_points, |points| BasisPoints::new(points.0));
        let from = fields.required("validFrom", "First day", filled(self.valid_from.as_deref()), str::parse::<Day>);
        let until = fields.optional("validUntil", "Last day", filled(self.valid_until.as_deref()), |text| {
            let until = text.parse::<Day>().map_err(|why| why.to_string())?;
            from.map_or(Ok(()), |from| Validity::new(from, Some(until)).map(drop)).map_err(|why| why.to_string())?;
            Ok::<_, String>(until)
        });
        let whole = (|| {
            Some(NewRate {
                country: country?,
                region: region?,
                name: name?,
                basis_points: basis_points?,
                valid: Validity::new(from?, until?).ok()?,
            })
        })();
        fields.or_errors(whole)
    }

    fn parse(self) -> Result<NewRate, Problem> {
        self.validate().map_err(Problem::invalid)
    }
}

/// All tax rates (admins), by country, region and day.
#[utoipa::path(
    get, path = "/tax-rates", responses((status = 200, description = "Tax rates", body = [TaxRateView]))
)]
pub(crate) async fn list_tax_rates(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
) -> Result<web::Json<Vec<TaxRateView>>, Problem> {
    let rates = app.shop.tax.rates(&caller).await?;
    Ok(web::Json(rates.into_iter().map(Into::into).collect()))
}

/// Adds a tax rate (admins). As soon as there is any, an address needs a country.
#[utoipa::path(
    post, path = "/tax-rates", request_body = SentRate,
    responses(
        (status = 201, description = "Added", body = InsertedId),
        (status = 409, description = "The place has a rate on one of these days"),
        (status = 422, description = "Invalid"),
    )
)]
pub(crate) async fn add_tax_rate(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    Json(sent): Json<SentRate>,
) -> Result<HttpResponse, Problem> {
    let added = app.shop.tax.add_rate(&caller, sent.parse()?).await?;
    Ok(HttpResponse::Created().json(InsertedId::of(&added)))
}

/// Replaces a tax rate (admins). Checkouts keep what they were placed with.
#[utoipa::path(
    put, path = "/tax-rates/{id}", request_body = SentRate,
    params(("id" = String, Path, description = "The rate's id")),
    responses(
        (status = 200, description = "Replaced", body = ModifiedCount),
        (status = 404, description = "No such rate"),
        (status = 409, description = "The place has another rate on one of these days"),
        (status = 422, description = "Invalid"),
    )
)]
pub(crate) async fn edit_tax_rate(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
    Json(sent): Json<SentRate>,
) -> Result<web::Json<ModifiedCount>, Problem> {
    app.shop.tax.edit_rate(&caller, id(&path)?, sent.parse()?).await?;
    Ok(web::Json(true.into()))
}

/// Removes a tax rate (admins). Checkouts keep what they were placed with.
#[utoipa::path(
    delete, path = "/tax-rates/{id}", params(("id" = String, Path, description = "The rate's id")),
    responses(
        (status = 200, description = "Removed", body = DeletedCount),
        (status = 404, description = "No such rate"),
    )
)]
pub(crate) async fn remove_tax_rate(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<DeletedCount>, Problem> {
    app.shop.tax.remove_rate(&caller, id(&path)?).await?;
    Ok(web::Json(true.into()))
}
