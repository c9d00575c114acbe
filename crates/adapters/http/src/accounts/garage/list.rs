//! `GET /garage`.

use actix_web::web::{self, Data};

use super::view::{GarageView, views};
use crate::app_state::AppState;
use crate::extract::Authenticated;
use crate::problem::Problem;

/// One's own vehicles, those added last first; at most 200.
#[utoipa::path(
    get, path = "/garage",
    responses(
        (status = 200, description = "One's vehicles", body = [GarageView]),
    )
)]
pub(crate) async fn list_garage(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
) -> Result<web::Json<Vec<GarageView>>, Problem> {
    Ok(web::Json(views(app.shop.accounts.garage(&caller).await?)))
}
