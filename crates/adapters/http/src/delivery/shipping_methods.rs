//! `/shipping-methods`.

use actix_web::HttpResponse;
use actix_web::web::{self, Data, Path};
use domain::{
    Country, Divisor, Grams, MethodRefused, Money, PalletRate, ShippingMethod, ShippingTerms, Text, WeightBand,
    WeightBands,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app_state::AppState;
use crate::extract::{Authenticated, Json, id};
use crate::problem::Problem;
use crate::wire::counts::{DeletedCount, InsertedId, ModifiedCount};
use crate::wire::fields::{Fields, filled};
use crate::wire::money::Dollars;
use crate::wire::whole::Whole;

/// What parcels up to a weight cost.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = WeightBand)]
pub(crate) struct BandView {
    /// The greatest weight, in grams.
    up_to_grams: u32,
    /// Dollars.
    #[schema(value_type = f64)]
    price: Dollars,
}

/// A way to have goods delivered.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ShippingMethod)]
pub(crate) struct ShippingMethodView {
    #[serde(rename = "_id")]
    id: String,
    name: String,
    /// ISO 3166-1 alpha-2; null for all of them.
    #[schema(required)]
    countries: Option<Vec<&'static str>>,
    /// Cubic centimeters that count as a kilogram.
    divisor: u32,
    /// Dollars of goods from which on parcels are free; null for never.
    #[schema(required, value_type = Option<f64>)]
    free_over: Option<Dollars>,
    /// Lightest first.
    bands: Vec<BandView>,
    /// Dollars for every begun kilogram above the last band.
    #[schema(value_type = f64)]
    per_extra_kg: Dollars,
    /// Grams from which on goods go on pallets, whatever they cost; null for never.
    #[schema(required)]
    pallet_from_grams: Option<u32>,
    /// Dollars for a pallet, which carries 1,000 kg; null if an admin quotes it.
    #[schema(required, value_type = Option<f64>)]
    per_pallet: Option<Dollars>,
}

impl From<ShippingMethod> for ShippingMethodView {
    fn from(ShippingMethod { id, terms }: ShippingMethod) -> Self {
        let band = |band: &WeightBand| BandView { up_to_grams: band.up_to.get(), price: Dollars(band.price) };
        Self {
            id: id.to_string(),
            countries: terms.countries.map(|listed| listed.into_iter().map(Country::code).collect()),
            divisor: terms.divisor.get(),
            free_over: terms.free_over.map(Dollars),
            bands: terms.bands.as_slice().iter().map(band).collect(),
            per_extra_kg: Dollars(terms.per_extra_kg),
            pallet_from_grams: terms.pallet.map(|pallet| pallet.from.get()),
            per_pallet: terms.pallet.and_then(|pallet| pallet.per_pallet).map(Dollars),
            name: terms.name.into_string(),
        }
    }
}

/// What parcels up to a weight cost, as it is sent.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SentBand {
    /// The greatest weight, in grams: 1 to 100,000,000, and more than that of the band before.
    #[schema(required, nullable = false, value_type = i64)]
    up_to_grams: Option<Whole>,
    /// Dollars.
    #[schema(required, nullable = false)]
    price: Option<f64>,
}

/// The terms of a method, as they are sent.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SentMethod {
    /// Up to 60 characters; no other method may have it.
    #[schema(required, nullable = false)]
    name: Option<String>,
    /// ISO 3166-1 alpha-2; null for all of them.
    countries: Option<Vec<String>>,
    /// Cubic centimeters that count as a kilogram, 1 to 1,000,000; 5,000 if left out.
    #[schema(value_type = Option<i64>)]
    divisor: Option<Whole>,
    /// Dollars of goods from which on parcels are free; null for never.
    free_over: Option<f64>,
    /// 1 to 50, lightest first.
    #[schema(required, nullable = false)]
    bands: Option<Vec<SentBand>>,
    /// Dollars for every begun kilogram above the last band; 0 if left out.
    per_extra_kg: Option<f64>,
    /// Grams from which on goods go on pallets; null for never.
    #[schema(value_type = Option<i64>)]
    pallet_from_grams: Option<Whole>,
    /// Dollars for a pallet; null if an admin quotes it.
    per_pallet: Option<f64>,
}

impl SentMethod {
    fn parse(self) -> Result<ShippingTerms, Problem> {
        let mut fields = Fields::default();
        let name = fields.required("name", "Name", filled(self.name.as_deref()), Text::new);
        let countries = fields.optional("countries", "Countries", self.countries, countries);
        let divisor = fields.optional("divisor", "Divisor", self.divisor, |divisor| Divisor::new(divisor.0));
        let free_over = fields.optional("freeOver", "Free over", self.free_over, Money::from_dollars);
        let bands = bands(&mut fields, self.bands);
        let per_extra_kg = fields.optional("perExtraKg", "Price per extra kg", self.per_extra_kg, Money::from_dollars);
        let from = self.pallet_from_grams;
        let from = fields.optional("palletFromGrams", "Least weight of a pallet", from, |grams| Grams::new(grams.0));
        let per_pallet = fields.optional("perPallet", "Price per pallet", self.per_pallet, Money::from_dollars);
        if matches!((from, per_pallet), (Some(None), Some(Some(_)))) {
            fields.refuse("perPallet", "Enter from which weight on goods go on pallets, too".to_owned());
        }
        let whole = (|| {
            let per_pallet = per_pallet?;
            Some(ShippingTerms {
                name: name?,
                countries: countries?,
                divisor: divisor?.unwrap_or(Divisor::USUAL),
                free_over: free_over?,
                bands: bands?,
                per_extra_kg: per_extra_kg?.unwrap_or(Money::ZERO),
                pallet: from?.map(|from| PalletRate { from, per_pallet }),
            })
        })();
        fields.all(whole)
    }
}

fn countries(sent: Vec<String>) -> Result<Vec<Country>, String> {
    let country = |code: String| code.parse::<Country>().map_err(|why| format!("Country {code} {why}"));
    // Before they are parsed: each may be there once.
    if sent.len() > 249 {
        return Err("must be at most 249".to_owned());
    }
    let listed = sent.into_iter().map(country).collect::<Result<Vec<_>, _>>()?;
    ShippingTerms::countries(listed).map_err(|why| why.to_string())
}

fn bands(fields: &mut Fields, sent: Option<Vec<SentBand>>) -> Option<WeightBands> {
    let sent = fields.required("bands", "Weight bands", sent, |sent: Vec<SentBand>| {
        if sent.len() > domain::delivery::shipping_method::BANDS_MAX {
            return Err(MethodRefused::TooManyBands);
        }
        Ok(sent)
    })?;
    let bands: Vec<Option<WeightBand>> = sent
        .into_iter()
        .enumerate()
        .map(|(place, band)| {
            let at = |field: &str| format!("bands[{place}].{field}");
            let up_to = fields.required(&at("upToGrams"), "Weight", band.up_to_grams, |grams| Grams::new(grams.0));
            let price = fields.required(&at("price"), "Price", band.price, Money::from_dollars);
            Some(WeightBand { up_to: up_to?, price: price? })
        })
        .collect();
    let bands: Vec<WeightBand> = bands.into_iter().collect::<Option<_>>()?;
    fields.required("bands", "Weight bands", Some(bands), WeightBands::new)
}

/// All shipping methods (admins).
#[utoipa::path(
    get, path = "/shipping-methods",
    responses((status = 200, description = "Shipping methods", body = [ShippingMethodView]))
)]
pub(crate) async fn list_shipping_methods(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
) -> Result<web::Json<Vec<ShippingMethodView>>, Problem> {
    let methods = app.shop.delivery.shipping_methods(&caller).await?;
    Ok(web::Json(methods.into_iter().map(Into::into).collect()))
}

/// Adds a shipping method (admins).
#[utoipa::path(
    post, path = "/shipping-methods", request_body = SentMethod,
    responses(
        (status = 201, description = "Added", body = InsertedId),
        (status = 409, description = "Another method has this name"),
        (status = 422, description = "Invalid"),
    )
)]
pub(crate) async fn add_shipping_method(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    Json(sent): Json<SentMethod>,
) -> Result<HttpResponse, Problem> {
    let added = app.shop.delivery.add_shipping_method(&caller, &sent.parse()?).await?;
    Ok(HttpResponse::Created().json(InsertedId::of(&added)))
}

/// Replaces the terms of a shipping method (admins). Checkouts keep what they were placed with.
#[utoipa::path(
    put, path = "/shipping-methods/{id}", request_body = SentMethod,
    params(("id" = String, Path, description = "The method's id")),
    responses(
        (status = 200, description = "Replaced", body = ModifiedCount),
        (status = 404, description = "No such method"),
        (status = 409, description = "Another method has this name"),
        (status = 422, description = "Invalid"),
    )
)]
pub(crate) async fn edit_shipping_method(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
    Json(sent): Json<SentMethod>,
) -> Result<web::Json<ModifiedCount>, Problem> {
    let method = ShippingMethod { id: id(&path)?, terms: sent.parse()? };
    app.shop.delivery.edit_shipping_method(&caller, &method).await?;
    Ok(web::Json(true.into()))
}

/// Removes a shipping method (admins). Checkouts keep what they were placed with.
#[utoipa::path(
    delete, path = "/shipping-methods/{id}", params(("id" = String, Path, description = "The method's id")),
    responses(
        (status = 200, description = "Removed", body = DeletedCount),
        (status = 404, description = "No such method"),
    )
)]
pub(crate) async fn remove_shipping_method(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<DeletedCount>, Problem> {
    app.shop.delivery.remove_shipping_method(&caller, id(&path)?).await?;
    Ok(web::Json(true.into()))
}
