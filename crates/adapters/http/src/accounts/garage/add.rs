//! `POST /garage`.

use actix_web::HttpResponse;
use actix_web::web::Data;
use application::GarageSpace;
use domain::Text;
use serde::Deserialize;
use utoipa::ToSchema;

use super::view::{GarageView, chosen, vin};
use crate::app_state::AppState;
use crate::extract::{Authenticated, IdempotencyKeyHeader, Json};
use crate::problem::Problem;
use crate::wire::fields::Fields;
use crate::wire::whole::Whole;

/// A vehicle to be kept.
#[derive(Deserialize, ToSchema)]
pub(crate) struct NewGarageVehicle {
    /// The vehicle's id, as in `/vehicles`.
    #[schema(required, nullable = false, value_type = i32)]
    vehicle: Option<Whole>,
    /// The id of one of its engines.
    #[schema(value_type = Option<i32>)]
    engine: Option<Whole>,
    /// Up to 60 characters.
    name: Option<String>,
    /// 17 letters and digits; whatever else stands between them is left out. It is kept sealed, and shown to its owner
    /// alone.
    vin: Option<String>,
}

impl NewGarageVehicle {
    fn parse(self) -> Result<GarageSpace, Problem> {
        let mut fields = Fields::default();
        let chosen = chosen(&mut fields, "", self.vehicle, self.engine);
        let name = fields.optional("name", "Name", self.name.as_deref(), |name| Text::optional(Some(name)));
        let vin = fields.optional("vin", "VIN", self.vin.as_deref(), vin);
        let whole = (|| Some(GarageSpace { chosen: chosen?, name: name?.flatten(), vin: vin?.flatten() }))();
        fields.all(whole)
    }
}

/// Keeps a vehicle.
#[utoipa::path(
    post, path = "/garage", request_body = NewGarageVehicle,
    responses(
        (status = 201, description = "Kept", body = GarageView),
        (status = 409, description = "There are as many as one can keep (`most`)"),
        (status = 422, description = "Invalid"),
    )
)]
pub(crate) async fn add_garage_vehicle(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    IdempotencyKeyHeader(idempotency_key): IdempotencyKeyHeader,
    Json(sent): Json<NewGarageVehicle>,
) -> Result<HttpResponse, Problem> {
    let kept = app.shop.accounts.keep_vehicle(&caller, sent.parse()?, idempotency_key).await?;
    Ok(HttpResponse::Created().json(GarageView::from(kept)))
}
