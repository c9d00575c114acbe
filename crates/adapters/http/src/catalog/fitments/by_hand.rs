//! `GET /products/{id}/fitments`.

use actix_web::web::{self, Data, Path};
use domain::Text;
use serde::Serialize;
use utoipa::ToSchema;

use super::ranges::{Range, ranges};
use crate::app_state::AppState;
use crate::extract::{Authenticated, id};
use crate::problem::Problem;
use crate::wire::enums::PositionName;

/// Years of a model that a part fits, as the shop entered them.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Fitment)]
pub(crate) struct ByHandView {
    make: String,
    model: String,
    year_from: i16,
    year_to: i16,
    /// The engine's name; any engine if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    engine: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    position: Option<PositionName>,
    per_vehicle: u16,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    condition: Option<String>,
}

impl From<Range> for ByHandView {
    fn from(range: Range) -> Self {
        Self {
            make: range.make_name,
            model: range.model_name,
            year_from: range.from,
            year_to: range.to,
            engine: range.way.engine,
            position: range.way.position.map(PositionName),
            per_vehicle: range.way.per_vehicle.get(),
            condition: range.way.condition.map(|condition| Text::into_string(condition.text)),
        }
    }
}

/// The vehicles that a part fits, as far as the shop entered them itself (admins), in the form in which they are sent.
#[utoipa::path(
    get, path = "/products/{id}/fitments", params(("id" = String, Path, description = "The product's id")),
    responses(
        (status = 200, description = "Ranges of years, by name", body = [ByHandView]),
        (status = 404, description = "No such product"),
    )
)]
pub(crate) async fn list_fitments(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<Vec<ByHandView>>, Problem> {
    let fitments = app.shop.catalog.fitments_by_hand(&caller, id(&path)?).await?;
    Ok(web::Json(ranges(fitments).into_iter().map(Into::into).collect()))
}
