//! `GET /products/{id}/fit`.

use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use domain::{ProductId, Verdict, WantedVehicle};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use vehicles::{EngineId, Vehicle, VehicleId, Vehicles};

use super::ranges::{Range, RangeView, ranges};
use super::view::{ConditionView, ReasonView, conditions};
use super::wanted::wanted_vehicle;
use crate::app_state::AppState;
use crate::cache::PublicJson;
use crate::extract::{id, query};
use crate::problem::Problem;
use crate::vehicles::view::ChoiceView;
use crate::wire::enums::VerdictName;
use crate::wire::fields::Fields;

/// For which vehicle.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ForVehicle {
    /// The vehicle's id.
    #[param(value_type = i32, required = true)]
    vehicle: Option<String>,
    /// The id of its engine, if that is known.
    #[param(value_type = Option<i32>)]
    engine: Option<String>,
}

impl ForVehicle {
    fn parse(&self) -> Result<WantedVehicle, Problem> {
        let mut fields = Fields::default();
        let wanted = wanted_vehicle(self.vehicle.as_deref(), self.engine.as_deref(), &mut fields);
        if wanted == Some(None) {
            fields.refuse("vehicle", "Vehicle is required".to_owned());
        }
        fields.all(wanted.flatten())
    }
}

/// Whether a part fits a vehicle, and why.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = FitAnswer)]
pub(crate) struct AnswerView {
    verdict: VerdictName,
    /// What is said of the vehicle, and of its engine if that is known.
    because: Vec<ReasonView>,
    /// Of `no`, the years of the model that it does fit, the nearest first, at most three.
    nearest: Vec<RangeView>,
    /// Of `if`, under which conditions it fits: each of them is enough.
    conditions: Vec<ConditionView>,
    /// Of `ask`, the engines that the vehicle may have.
    engines: Vec<ChoiceView>,
    vehicle: AskedVehicle,
    /// The engine that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    engine: Option<ChoiceView>,
}

/// The vehicle that was asked for.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AskedVehicle {
    id: i32,
    /// "2014 Toyota Camry".
    label: String,
}

/// How many ranges are near.
const NEAREST: usize = 3;

/// The years of a vehicle's model that a product fits.
async fn nearest(app: &AppState, product: ProductId, vehicle: Vehicle<'_>) -> Result<Vec<RangeView>, Problem> {
    let fitments = app.shop.catalog.fitments(product).await?.unwrap_or_default();
    let mut ranges = ranges(fitments);
    ranges.retain(|range| range.model == vehicle.model.id);
    let distance = |range: &Range| (range.from - vehicle.year).max(vehicle.year - range.to).max(0);
    ranges.sort_by_key(distance);
    Ok(ranges.into_iter().take(NEAREST).map(Into::into).collect())
}

/// Whether a part fits a vehicle, and why.
#[utoipa::path(
    get, path = "/products/{id}/fit", params(("id" = String, Path, description = "The product's id"), ForVehicle),
    responses(
        (status = 200, description = "Whether it fits", body = AnswerView),
        (status = 404, description = "No such product"),
        (status = 422, description = "No such vehicle, or the engine is another vehicle's"),
    )
)]
pub(crate) async fn get_fit(
    app: Data<AppState>,
    path: Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let product = id(&path)?;
    let wanted = query::<ForVehicle>(&request)?.parse()?;
    let table = Vehicles::embedded();
    let vehicle = table.vehicle(VehicleId::new(wanted.vehicle().get())).ok_or_else(Problem::not_found)?;
    let fit = app.shop.catalog.fit(product, &wanted).await?.ok_or_else(Problem::not_found)?;
    let nearest = match fit.verdict {
        Verdict::No => nearest(&app, product, vehicle).await?,
        _ => Vec::new(),
    };
    let engines = match fit.verdict {
        Verdict::Ask => table.engines(vehicle.id),
        _ => &[],
    };
    let engine = wanted.engine().and_then(|engine| table.engine(EngineId::new(engine.get())));
    let answer = AnswerView {
        verdict: VerdictName(fit.verdict),
        because: fit.because.into_iter().map(Into::into).collect(),
        nearest,
        conditions: conditions(fit.conditions),
        engines: engines.iter().map(Into::into).collect(),
        vehicle: AskedVehicle { id: vehicle.id.get(), label: vehicle.label() },
        engine: engine.map(Into::into),
    };
    Ok(PublicJson::of(&answer)?.send(&request, HttpResponse::Ok()))
}
