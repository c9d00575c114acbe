//! `PUT /products/{id}/fitments`.

use std::collections::HashMap;

use actix_web::web::{self, Data, Path};
use domain::{Condition, EngineNo, ModelYears, NoYear, PerVehicle, Position, Text, VehicleNo};
use ports::NewFitment;
use serde::Deserialize;
use utoipa::ToSchema;
use vehicles::{Span, SpanUnknown, VehicleId, Vehicles};

use super::wanted::known;
use crate::app_state::AppState;
use crate::extract::{Authenticated, Json, id};
use crate::problem::Problem;
use crate::wire::counts::ModifiedCount;
use crate::wire::fields::{Fields, filled};
use crate::wire::whole::Whole;

/// How many ranges may be sent, and how many fitments they may come to, one for each vehicle and engine.
const MOST: usize = 500;
const MOST_FITMENTS: usize = 5_000;

/// The vehicles that a part fits, as they are sent.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct NewFitments {
    /// At most 500, which come to at most 5,000 vehicles and engines.
    #[schema(required, nullable = false)]
    fitments: Option<Vec<SentFitment>>,
}

/// Years of a model that a part fits, or one vehicle.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = NewFitment)]
pub(crate) struct SentFitment {
    /// The vehicle's id, in place of make, model and years.
    #[schema(value_type = Option<i32>)]
    vehicle: Option<Whole>,
    /// The make's name.
    make: Option<String>,
    /// The model's name.
    model: Option<String>,
    /// The first year. Years in which the model was not sold are left out.
    #[schema(value_type = Option<i32>)]
    year_from: Option<Whole>,
    /// The last year, at most 60 later; the first one if left out.
    #[schema(value_type = Option<i32>)]
    year_to: Option<Whole>,
    /// Only with this engine, such as "2.5L L4", up to 80 characters. What is no engine of the vehicle becomes a condition.
    engine: Option<String>,
    #[schema(value_type = Option<crate::wire::enums::PositionName>)]
    position: Option<String>,
    /// How many a vehicle takes there, 1 to 1,000; 1 if left out.
    #[schema(value_type = Option<i32>)]
    per_vehicle: Option<Whole>,
    /// What else has to be true, up to 400 characters.
    condition: Option<String>,
}

/// A range that makes sense.
struct Entered {
    vehicles: Vec<VehicleId>,
    engine: Option<Text<80>>,
    position: Option<Position>,
    per_vehicle: PerVehicle,
    condition: Option<Text<400>>,
}

impl NewFitments {
    fn parse(self) -> Result<Vec<NewFitment>, Problem> {
        let mut fields = Fields::default();
        let Some(sent) = fields.required("fitments", "Fitments", self.fitments, Ok::<_, &str>) else {
            return fields.all(None);
        };
        if sent.len() > MOST {
            fields.refuse("fitments", format!("Send at most {MOST} fitments"));
            return fields.all(None);
        }
        let entered: Vec<Option<Entered>> =
            sent.iter().enumerate().map(|(place, fitment)| fitment.parse(place, &mut fields)).collect();
        let Some(entered) = entered.into_iter().collect::<Option<Vec<_>>>() else { return fields.all(None) };
        let mut fitments: Vec<NewFitment> = Vec::new();
        let mut places: HashMap<_, (usize, PerVehicle)> = HashMap::new();
        for (place, entered) in entered.into_iter().enumerate() {
            for fitment in entered.fitments() {
                let NewFitment { vehicle, engine, position, condition, per_vehicle } = fitment.clone();
                match places.get(&(vehicle, engine, position, condition.clone())) {
                    Some((earlier, other)) if *other != per_vehicle => {
                        let message = format!("fitments[{earlier}] says {} per vehicle of the same", other.get());
                        fields.refuse(&format!("fitments[{place}].perVehicle"), message);
                        return fields.all(None);
                    }
                    Some(_) => {}
                    None => {
                        places.insert((vehicle, engine, position, condition), (place, per_vehicle));
                        fitments.push(fitment);
                    }
                }
            }
            if fitments.len() > MOST_FITMENTS {
                let message = format!("These are more than {MOST_FITMENTS} vehicles and engines");
                fields.refuse(&format!("fitments[{place}]"), message);
                return fields.all(None);
            }
        }
        fields.all(Some(fitments))
    }
}

impl SentFitment {
    fn parse(&self, place: usize, fields: &mut Fields) -> Option<Entered> {
        let at = |field: &str| format!("fitments[{place}].{field}");
        let vehicles = match &self.vehicle {
            Some(Whole(number)) => fields
                .required(&at("vehicle"), "Vehicle", Some(*number), |number| known(i32::try_from(number).unwrap_or(0)))
                .map(|vehicle| vec![vehicle]),
            None => self.of_span(place, fields),
        };
        let engine = fields.optional(&at("engine"), "Engine", filled(self.engine.as_deref()), Text::new);
        let position =
            fields.optional(&at("position"), "Position", filled(self.position.as_deref()), str::parse::<Position>);
        let many = self.per_vehicle.as_ref().map(|Whole(many)| *many);
        let many = fields.optional(&at("perVehicle"), "Pieces per vehicle", many, PerVehicle::new);
        let condition = fields.optional(&at("condition"), "Condition", filled(self.condition.as_deref()), Text::new);
        Some(Entered {
            vehicles: vehicles?,
            engine: engine?,
            position: position?,
            per_vehicle: many?.unwrap_or(PerVehicle::ONE),
            condition: condition?,
        })
    }

    fn of_span(&self, place: usize, fields: &mut Fields) -> Option<Vec<VehicleId>> {
        let at = |field: &str| format!("fitments[{place}].{field}");
        let make = fields.required(&at("make"), "Make", filled(self.make.as_deref()), Text::<60>::new);
        let model = fields.required(&at("model"), "Model", filled(self.model.as_deref()), Text::<80>::new);
        let from = fields.required(&at("yearFrom"), "The first year", self.year_from, year);
        let to = fields.optional(&at("yearTo"), "The last year", self.year_to, year);
        let (make, model, from) = (make?, model?, from?);
        let years = match ModelYears::new(from, to?.unwrap_or(from)) {
            Ok(years) => years,
            Err(why) => {
                fields.refuse(&at("yearTo"), why.to_string());
                return None;
            }
        };
        let span = Span { make: make.as_str(), model: model.as_str(), from: years.first(), to: years.last() };
        let unknown = match Vehicles::embedded().of_span(&span) {
            Ok(vehicles) => return Some(vehicles),
            Err(unknown) => unknown,
        };
        let field = match unknown {
            SpanUnknown::Make { .. } => "make",
            SpanUnknown::Model { .. } => "model",
            SpanUnknown::Years { .. } => "yearFrom",
        };
        fields.refuse(&at(field), unknown.sentence(&span));
        None
    }
}

fn year(Whole(number): Whole) -> Result<i16, NoYear> {
    ModelYears::year(number)
}

impl Entered {
    /// One for each vehicle and engine.
    fn fitments(&self) -> Vec<NewFitment> {
        self.vehicles.iter().flat_map(|vehicle| self.of_vehicle(*vehicle)).collect()
    }

    fn of_vehicle(&self, vehicle: VehicleId) -> Vec<NewFitment> {
        let engine = self.engine.as_ref().map(Text::as_str);
        let engines = engine.map(|engine| Vehicles::embedded().engines_named(vehicle, engine)).unwrap_or_default();
        let is_condition = engines.is_empty();
        let said = [engine.filter(|_| is_condition), self.condition.as_ref().map(Text::as_str)];
        let fitment = |engine| NewFitment {
            vehicle: VehicleNo::new(vehicle.get()),
            engine,
            position: self.position,
            per_vehicle: self.per_vehicle,
            // Neither is empty, and both together are short enough.
            condition: Condition::all_of(&said),
        };
        if is_condition {
            return vec![fitment(None)];
        }
        engines.iter().map(|engine| fitment(Some(EngineNo::new(engine.id.get())))).collect()
    }
}

/// Replaces the vehicles that a part fits, as far as the shop entered them itself (admins). What others say stays.
#[utoipa::path(
    put, path = "/products/{id}/fitments", request_body = NewFitments,
    params(("id" = String, Path, description = "The product's id")),
    responses(
        (status = 200, description = "Replaced", body = ModifiedCount),
        (status = 404, description = "No such product"),
        (status = 422, description = "Invalid; of a make or model that is not known, the message names the three closest"),
    )
)]
pub(crate) async fn set_fitments(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
    Json(sent): Json<NewFitments>,
) -> Result<web::Json<ModifiedCount>, Problem> {
    app.shop.catalog.set_fitments(&caller, id(&path)?, &sent.parse()?).await?;
    Ok(web::Json(true.into()))
}
