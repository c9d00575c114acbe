//! `GET /vehicles/years`.

use actix_web::{HttpRequest, HttpResponse};
use vehicles::Vehicles;

use super::view::ChoiceView;
use crate::cache::PublicJson;
use crate::problem::Problem;

/// The model years, the newest first.
#[utoipa::path(
    get, path = "/vehicles/years",
    responses((status = 200, description = "The model years", body = Vec<ChoiceView>))
)]
pub(crate) async fn list_vehicle_years(request: HttpRequest) -> Result<HttpResponse, Problem> {
    let years: Vec<ChoiceView> = Vehicles::embedded().years().into_iter().map(ChoiceView::from).collect();
    Ok(PublicJson::of(&years)?.send_for_a_day(&request))
}
