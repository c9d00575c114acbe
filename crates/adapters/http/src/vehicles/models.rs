//! `GET /vehicles/models?year=&make=`.

use actix_web::{HttpRequest, HttpResponse};
use serde::Deserialize;
use utoipa::IntoParams;
use vehicles::{MakeId, Vehicles};

use super::numbers::number;
use super::view::ModelView;
use crate::cache::PublicJson;
use crate::extract::query;
use crate::problem::Problem;
use crate::wire::fields::{Fields, filled};

/// Which models.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct OfYearAndMake {
    /// The model year.
    #[param(value_type = i32, required = true)]
    year: Option<String>,
    /// The make's id.
    #[param(value_type = i32, required = true)]
    make: Option<String>,
}

/// The models that a make sold in a model year, by name; none if there is no such make or year.
#[utoipa::path(
    get, path = "/vehicles/models", params(OfYearAndMake),
    responses(
        (status = 200, description = "The models, each with the vehicle that it is in that year", body = Vec<ModelView>),
        (status = 422, description = "The year or the make is missing or no number"),
    )
)]
pub(crate) async fn list_vehicle_models(request: HttpRequest) -> Result<HttpResponse, Problem> {
    let sent = query::<OfYearAndMake>(&request)?;
    let mut fields = Fields::default();
    let year = fields.required("year", "Year", filled(sent.year.as_deref()), number);
    let make = fields.required("make", "Make", filled(sent.make.as_deref()), number);
    let (year, make) = fields.all(year.zip(make))?;
    let vehicles = Vehicles::embedded().models(year, MakeId::new(make));
    let models: Vec<ModelView> = vehicles.into_iter().map(ModelView::from).collect();
    Ok(PublicJson::of(&models)?.send_for_a_day(&request))
}
