//! `POST /orders/{id}/reorder` and `POST /checkouts/{id}/reorder`.

use actix_web::web::{self, Data, Path};

use super::view::Checked;
use crate::app_state::AppState;
use crate::extract::{Authenticated, id};
use crate::problem::Problem;

/// Checks what an order of one's own was for, as a quick order: also if it was cancelled, and if its product was replaced. Nothing
/// is ordered by it.
#[utoipa::path(
    post, path = "/orders/{id}/reorder",
    params(("id" = String, Path, description = "The order's id")),
    responses(
        (status = 200, description = "A row for the order's product", body = Checked),
        (status = 404, description = "No such order of one's own"),
    )
)]
pub(crate) async fn reorder_order(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<Checked>, Problem> {
    Ok(web::Json(app.shop.baskets.reorder(&caller, id(&path)?).await?.into()))
}

/// Checks what a checkout of one's own was for, as a quick order, cancelled lines too. Nothing is ordered by it.
#[utoipa::path(
    post, path = "/checkouts/{id}/reorder",
    params(("id" = String, Path, description = "The checkout's id")),
    responses(
        (status = 200, description = "A row for each of its lines", body = Checked),
        (status = 404, description = "No such checkout of one's own"),
    )
)]
pub(crate) async fn reorder_checkout(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<Checked>, Problem> {
    Ok(web::Json(app.shop.baskets.reorder_checkout(&caller, id(&path)?).await?.into()))
}
