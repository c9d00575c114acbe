//! `GET /vehicles?q=` and `GET /vehicles?vehicle=&engine=`.

use actix_web::{HttpRequest, HttpResponse};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use vehicles::{EngineId, Found, VehicleId, Vehicles};

use super::numbers::number;
use crate::cache::PublicJson;
use crate::extract::query;
use crate::problem::Problem;
use crate::wire::fields::{Fields, filled};

/// Longer texts are no search for a vehicle.
const LONGEST: usize = 100;

/// Which vehicles.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Search {
    /// Year, make, model and engine in any order, such as "2014 camry v6"; at most 100 characters.
    #[param(value_type = String)]
    q: Option<String>,
    /// In place of a text, the id of the vehicle.
    #[param(value_type = i32)]
    vehicle: Option<String>,
    /// With the vehicle, the id of one of its engines.
    #[param(value_type = i32)]
    engine: Option<String>,
}

/// A vehicle that a search found.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = FoundVehicle)]
pub(crate) struct FoundView {
    /// The vehicle's id.
    vehicle: i32,
    /// The engine's id, if the search named one of its engines.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    engine: Option<i32>,
    /// The vehicle, and the engine if there is one: "2014 Toyota Camry, 3.5 L 6 cyl".
    label: String,
    year: i16,
    make: String,
    model: String,
}

impl From<Found<'_>> for FoundView {
    fn from(found: Found<'_>) -> Self {
        let Found { vehicle, engine } = found;
        let label = vehicle.label();
        Self {
            vehicle: vehicle.id.get(),
            engine: engine.map(|engine| engine.id.get()),
            label: engine.map_or_else(|| label.clone(), |engine| format!("{label}, {}", engine.name)),
            year: vehicle.year,
            make: vehicle.make.name.clone(),
            model: vehicle.model.name.clone(),
        }
    }
}

/// The vehicles that a text means, at most ten, the best first; or the one that has this id.
#[utoipa::path(
    get, path = "/vehicles", params(Search),
    responses(
        (status = 200, description = "At most ten vehicles", body = Vec<FoundView>),
        (status = 404, description = "No vehicle has this id, or it has no such engine"),
        (status = 422, description = "There is neither a text nor an id, or it is none"),
    )
)]
pub(crate) async fn find_vehicles(request: HttpRequest) -> Result<HttpResponse, Problem> {
    let sent = query::<Search>(&request)?;
    let found = match filled(sent.vehicle.as_deref()) {
        Some(vehicle) => vec![named(vehicle, filled(sent.engine.as_deref()))?],
        None => meant(sent.q)?,
    };
    let found: Vec<FoundView> = found.into_iter().map(FoundView::from).collect();
    Ok(PublicJson::of(&found)?.send_for_a_day(&request))
}

fn meant(text: Option<String>) -> Result<Vec<Found<'static>>, Problem> {
    let mut fields = Fields::default();
    let short = |text: String| if text.chars().count() > LONGEST { Err("is too long") } else { Ok(text) };
    let text = fields.required("q", "Search", text, short);
    Ok(Vehicles::embedded().find(&fields.all(text)?))
}

fn named(vehicle: &str, engine: Option<&str>) -> Result<Found<'static>, Problem> {
    let vehicles = Vehicles::embedded();
    let mut fields = Fields::default();
    let vehicle = fields.required("vehicle", "Vehicle", Some(vehicle), number);
    let engine = fields.optional("engine", "Engine", engine, number);
    let (id, engine) = fields.all(vehicle.zip(engine))?;
    let vehicle = vehicles.vehicle(VehicleId::new(id)).ok_or_else(Problem::not_found)?;
    let of_vehicle = |id| vehicles.engines(vehicle.id).iter().find(|engine| engine.id == EngineId::new(id));
    let engine = engine.map(|id| of_vehicle(id).ok_or_else(Problem::not_found)).transpose()?;
    Ok(Found { vehicle, engine })
}
