//! `GET /vehicles/engines?vehicle=`.

use actix_web::{HttpRequest, HttpResponse};
use serde::Deserialize;
use utoipa::IntoParams;
use vehicles::{VehicleId, Vehicles};

use super::numbers::number;
use super::view::ChoiceView;
use crate::cache::PublicJson;
use crate::extract::query;
use crate::problem::Problem;
use crate::wire::fields::{Fields, filled};

/// Which engines.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct OfVehicle {
    /// The vehicle's id.
    #[param(value_type = i32, required = true)]
    vehicle: Option<String>,
}

/// The engines that a vehicle was sold with; none if nobody knows them.
#[utoipa::path(
    get, path = "/vehicles/engines", params(OfVehicle),
    responses(
        (status = 200, description = "The engines", body = Vec<ChoiceView>),
        (status = 404, description = "No such vehicle"),
        (status = 422, description = "The vehicle is missing or no number"),
    )
)]
pub(crate) async fn list_vehicle_engines(request: HttpRequest) -> Result<HttpResponse, Problem> {
    let sent = query::<OfVehicle>(&request)?;
    let mut fields = Fields::default();
    let vehicle = fields.required("vehicle", "Vehicle", filled(sent.vehicle.as_deref()), number);
    let id = VehicleId::new(fields.all(vehicle)?);
    Vehicles::embedded().vehicle(id).ok_or_else(Problem::not_found)?;
    let engines: Vec<ChoiceView> = Vehicles::embedded().engines(id).iter().map(ChoiceView::from).collect();
    Ok(PublicJson::of(&engines)?.send_for_a_day(&request))
}
