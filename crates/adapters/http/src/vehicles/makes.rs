//! `GET /vehicles/makes?year=`.

use actix_web::{HttpRequest, HttpResponse};
use serde::Deserialize;
use utoipa::IntoParams;
use vehicles::Vehicles;

use super::numbers::number;
use super::view::ChoiceView;
use crate::cache::PublicJson;
use crate::extract::query;
use crate::problem::Problem;
use crate::wire::fields::{Fields, filled};

/// Which makes.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct OfYear {
    /// The model year.
    #[param(value_type = i32, required = true)]
    year: Option<String>,
}

/// The makes that sold something in a model year, by name; none if there was no such year.
#[utoipa::path(
    get, path = "/vehicles/makes", params(OfYear),
    responses(
        (status = 200, description = "The makes", body = Vec<ChoiceView>),
        (status = 422, description = "The year is missing or no number"),
    )
)]
pub(crate) async fn list_vehicle_makes(request: HttpRequest) -> Result<HttpResponse, Problem> {
    let sent = query::<OfYear>(&request)?;
    let mut fields = Fields::default();
    let year = fields.required("year", "Year", filled(sent.year.as_deref()), number);
    let year = fields.all(year)?;
    let makes: Vec<ChoiceView> = Vehicles::embedded().makes(year).into_iter().map(ChoiceView::from).collect();
    Ok(PublicJson::of(&makes)?.send_for_a_day(&request))
}
