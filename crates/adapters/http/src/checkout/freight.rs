//! `PUT /checkouts/{id}/shipping`.

use actix_web::web::{self, Data, Path};
use domain::Money;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::app_state::AppState;
use crate::extract::{Authenticated, Json, id};
use crate::problem::Problem;
use crate::wire::counts::ModifiedCount;
use crate::wire::fields::Fields;

/// What the freight costs.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct FreightFigure {
    /// In dollars, from 0.
    #[schema(required, nullable = false)]
    price: Option<f64>,
}

/// Says what the freight of a checkout costs that waits for it (admins). It can be paid from then on.
#[utoipa::path(
    put, path = "/checkouts/{id}/shipping", request_body = FreightFigure,
    params(("id" = String, Path, description = "The checkout's id")),
    responses(
        (status = 200, description = "Set", body = ModifiedCount),
        (status = 404, description = "No such checkout"),
        (status = 409, description = "It waits for no figure"),
        (status = 422, description = "Invalid"),
    )
)]
pub(crate) async fn set_checkout_freight(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
    Json(sent): Json<FreightFigure>,
) -> Result<web::Json<ModifiedCount>, Problem> {
    let checkout = id(&path)?;
    let mut fields = Fields::default();
    let price = fields.required("price", "Price", sent.price, Money::from_dollars);
    app.shop.checkouts.set_freight(&caller, checkout, fields.all(price)?).await?;
    Ok(web::Json(true.into()))
}
