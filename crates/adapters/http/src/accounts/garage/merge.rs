//! `POST /garage/merge`.

use actix_web::web::{self, Data};
use domain::{ChosenVehicle, GARAGE_MAX, Text};
use serde::Deserialize;
use utoipa::ToSchema;

use super::view::{GarageView, chosen, views};
use crate::app_state::AppState;
use crate::extract::{Authenticated, Json};
use crate::problem::Problem;
use crate::wire::fields::Fields;
use crate::wire::whole::Whole;

/// A vehicle that a visitor chose.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct ChosenBefore {
    /// The vehicle's id, as in `/vehicles`.
    #[schema(required, nullable = false, value_type = i32)]
    vehicle: Option<Whole>,
    /// The id of one of its engines.
    #[schema(value_type = Option<i32>)]
    engine: Option<Whole>,
    /// Up to 60 characters.
    name: Option<String>,
}

/// What a visitor chose before signing in.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct GarageOfVisitor {
    /// At most 200, the latest first.
    #[schema(required, nullable = false)]
    vehicles: Option<Vec<ChosenBefore>>,
}

impl GarageOfVisitor {
    fn parse(self) -> Result<Vec<(ChosenVehicle, Option<Text<60>>)>, Problem> {
        let mut fields = Fields::default();
        let few = |sent: Vec<ChosenBefore>| {
            if sent.len() > GARAGE_MAX { Err(format!("must be at most {GARAGE_MAX}")) } else { Ok(sent) }
        };
        let sent = fields.required("vehicles", "Vehicles", self.vehicles, few);
        let vehicles = sent.unwrap_or_default().into_iter().enumerate().map(|(nth, each)| {
            let within = format!("vehicles[{nth}].");
            let chosen = chosen(&mut fields, &within, each.vehicle, each.engine);
            let name = each.name.as_deref();
            let name = fields.optional(&format!("{within}name"), "Name", name, |name| Text::optional(Some(name)));
            Some((chosen?, name?.flatten()))
        });
        let vehicles: Vec<_> = vehicles.collect();
        fields.all(vehicles.into_iter().collect())
    }
}

/// Keeps what was chosen before signing in, except for what is kept already with the same engine under the same name.
#[utoipa::path(
    post, path = "/garage/merge", request_body = GarageOfVisitor,
    responses(
        (status = 200, description = "All of one's vehicles", body = [GarageView]),
        (status = 409, description = "Together they would be more than one can keep (`most`); nothing is changed"),
        (status = 422, description = "Invalid"),
    )
)]
pub(crate) async fn merge_garage(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    Json(sent): Json<GarageOfVisitor>,
) -> Result<web::Json<Vec<GarageView>>, Problem> {
    Ok(web::Json(views(app.shop.accounts.merge_garage(&caller, sent.parse()?).await?)))
}
