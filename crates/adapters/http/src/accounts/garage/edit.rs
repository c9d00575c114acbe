//! `PUT /garage/{id}`.

use actix_web::web::{self, Data, Path};
use domain::{Edit, GarageEdit, Text};
use ports::VinText;
use serde::Deserialize;
use utoipa::ToSchema;

use super::view::{GarageView, chosen, vin};
use crate::app_state::AppState;
use crate::extract::{Authenticated, Json, id};
use crate::problem::Problem;
use crate::wire::fields::{Fields, Sent, sent};
use crate::wire::whole::Whole;

/// What is to be changed of a vehicle; what is not sent stays.
#[derive(Deserialize, ToSchema)]
pub(crate) struct EditedGarageVehicle {
    /// The vehicle's id, as in `/vehicles`.
    #[schema(value_type = Option<i32>)]
    vehicle: Option<Whole>,
    /// The id of one of the vehicle's engines. It goes with the vehicle: without one it is unknown from then on.
    #[schema(value_type = Option<i32>)]
    engine: Option<Whole>,
    /// Up to 60 characters; `null` is none.
    #[serde(default, deserialize_with = "sent")]
    #[schema(value_type = Option<String>)]
    name: Sent<String>,
    /// 17 letters and digits; `null` is none.
    #[serde(default, deserialize_with = "sent")]
    #[schema(value_type = Option<String>)]
    vin: Sent<String>,
}

impl EditedGarageVehicle {
    fn parse(self) -> Result<GarageEdit<VinText>, Problem> {
        let mut fields = Fields::default();
        let chosen = match (self.vehicle, self.engine) {
            (None, None) => Some(None),
            (vehicle, engine) => chosen(&mut fields, "", vehicle, engine).map(Some),
        };
        let name = fields.optional("name", "Name", self.name, |name| Text::optional(name.as_deref()));
        let vin = fields.optional("vin", "VIN", self.vin, |typed| typed.map_or(Ok(None), |typed| vin(&typed)));
        let whole = (|| {
            Some(GarageEdit {
                chosen: chosen?,
                name: name?.map_or(Edit::Keep, Edit::Set),
                vin: vin?.map_or(Edit::Keep, Edit::Set),
            })
        })();
        fields.all(whole)
    }
}

/// Changes a vehicle of one's own.
#[utoipa::path(
    put, path = "/garage/{id}", request_body = EditedGarageVehicle,
    params(("id" = String, Path, description = "Its id in the garage")),
    responses(
        (status = 200, description = "As it is now", body = GarageView),
        (status = 404, description = "No such vehicle of one's own"),
        (status = 422, description = "Invalid"),
    )
)]
pub(crate) async fn edit_garage_vehicle(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
    Json(sent): Json<EditedGarageVehicle>,
) -> Result<web::Json<GarageView>, Problem> {
    let edited = app.shop.accounts.edit_vehicle(&caller, id(&path)?, sent.parse()?).await?;
    Ok(web::Json(edited.into()))
}
