//! `GET /vehicles?q=`.

use actix_web::{HttpRequest, HttpResponse};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use vehicles::{Found, Vehicles};

use crate::cache::PublicJson;
use crate::extract::query;
use crate::problem::Problem;
use crate::wire::fields::Fields;

/// Longer texts are no search for a vehicle.
const LONGEST: usize = 100;

/// Which vehicles.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Search {
    /// Year, make, model and engine in any order, such as "2014 camry v6"; at most 100 characters.
    #[param(value_type = String, required = true)]
    q: Option<String>,
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

/// The vehicles that a text means, at most ten, the best first.
#[utoipa::path(
    get, path = "/vehicles", params(Search),
    responses(
        (status = 200, description = "At most ten vehicles", body = Vec<FoundView>),
        (status = 422, description = "There is no text, or it is too long"),
    )
)]
pub(crate) async fn find_vehicles(request: HttpRequest) -> Result<HttpResponse, Problem> {
    let mut fields = Fields::default();
    let short = |text: String| if text.chars().count() > LONGEST { Err("is too long") } else { Ok(text) };
    let text = fields.required("q", "Search", query::<Search>(&request)?.q, short);
    let text = fields.all(text)?;
    let found: Vec<FoundView> = Vehicles::embedded().find(&text).into_iter().map(FoundView::from).collect();
    Ok(PublicJson::of(&found)?.send_for_a_day(&request))
}
