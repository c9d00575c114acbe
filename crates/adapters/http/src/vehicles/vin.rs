//! `GET /vin/{vin}`. The number is personal data: it stands in the answer to who sent it and nowhere else, neither in a log
//! nor in a refusal.

use actix_web::HttpResponse;
use actix_web::http::header::CACHE_CONTROL;
use actix_web::web::Path;
use serde::Serialize;
use utoipa::ToSchema;
use vehicles::Vehicles;
use vehicles::vin::{self, CheckDigit, Decoded, Reading, Vin};

use super::view::ChoiceView;
use crate::problem::Problem;

/// Whether the check digit is right. It need not be on vehicles that were made for other continents.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = VinCheckDigit)]
pub(crate) enum CheckDigitName {
    Ok,
    Wrong,
}

/// One way to read a VIN.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = VinReading)]
pub(crate) struct ReadingView {
    year: i16,
    make: String,
    model: String,
    /// "2014 Toyota Camry".
    label: String,
    /// The vehicle's id; `null` if the shop does not know it.
    #[schema(required)]
    vehicle: Option<i32>,
    /// The engine's id, if the number tells which of the vehicle's engines it is.
    #[schema(required)]
    engine: Option<i32>,
    /// What is known of the engine: "2.5 L 4 cyl".
    #[schema(required)]
    engine_name: Option<String>,
    /// The engines that it may be, if the number leaves several.
    engines: Vec<ChoiceView>,
}

/// What a VIN says.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = DecodedVin)]
pub(crate) struct VinView {
    vin: String,
    check_digit: CheckDigitName,
    #[serde(flatten)]
    reading: ReadingView,
    /// All ways to read it, the likeliest first, if there are several: two model years thirty years apart.
    candidates: Vec<ReadingView>,
}

impl From<CheckDigit> for CheckDigitName {
    fn from(digit: CheckDigit) -> Self {
        match digit {
            CheckDigit::Ok => Self::Ok,
            CheckDigit::Wrong => Self::Wrong,
        }
    }
}

impl From<&Reading> for ReadingView {
    fn from(reading: &Reading) -> Self {
        let Reading { year, make, model, .. } = reading;
        let engines: Vec<_> = reading.engines.iter().filter_map(|id| Vehicles::embedded().engine(*id)).collect();
        let (engine, engines) = match engines.as_slice() {
            [one] => (Some(*one), Vec::new()),
            several => (None, several.iter().copied().map(ChoiceView::from).collect()),
        };
        let said = Some(reading.engine.name()).filter(|name| !name.is_empty());
        Self {
            year: *year,
            make: make.clone(),
            model: model.clone(),
            label: format!("{year} {make} {model}"),
            vehicle: reading.vehicle.map(vehicles::VehicleId::get),
            engine: engine.map(|engine| engine.id.get()),
            engine_name: engine.map(|engine| engine.name.clone()).or(said),
            engines,
        }
    }
}

/// The vehicle that a VIN is of.
#[utoipa::path(
    get, path = "/vin/{vin}",
    params(("vin" = String, Path, description = "17 letters and digits; whatever else stands between them is left out")),
    responses(
        (status = 200, description = "What it says", body = VinView),
        (status = 404, description = "No vehicle of this shop; with `checkDigit`, `make`, `model` and `year` as far as they are known"),
        (status = 422, description = "Not a VIN"),
    )
)]
pub(crate) async fn decode_vin(path: Path<String>) -> Result<HttpResponse, Problem> {
    let number = Vin::parse(&path).map_err(|error| Problem::invalid_field("vin", sentence(&error.to_string())))?;
    let decoded = vin::decode(&number);
    let Some(best) = decoded.readings.first().filter(|best| best.vehicle.is_some()) else {
        return Err(unknown(&decoded));
    };
    let view = VinView {
        vin: number.as_str().to_owned(),
        check_digit: decoded.check_digit.into(),
        reading: best.into(),
        candidates: match decoded.readings.as_slice() {
            [_] => Vec::new(),
            several => several.iter().map(ReadingView::from).collect(),
        },
    };
    Ok(HttpResponse::Ok().insert_header((CACHE_CONTROL, "no-store")).json(view))
}

/// 404, with what is known nevertheless.
fn unknown(decoded: &Decoded) -> Problem {
    let model = decoded.readings.first().map(|reading| reading.model.clone());
    let digit = serde_json::to_value(CheckDigitName::from(decoded.check_digit)).unwrap_or_default();
    Problem::not_found()
        .saying("We don't know this vehicle. Please choose it by year, make and model.")
        .with("checkDigit", digit)
        .with("year", decoded.year)
        .with("make", decoded.make.clone())
        .with("model", model)
}

/// A rule's error as a sentence of its own.
fn sentence(error: &str) -> String {
    let (first, rest) = error.split_at(error.len().min(1));
    first.to_uppercase() + rest
}
