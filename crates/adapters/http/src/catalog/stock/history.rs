//! `GET /products/{id}/stock-history`.

use actix_web::web::{self, Data, Path};

use super::view::StockEventView;
use crate::app_state::AppState;
use crate::extract::{Authenticated, id};
use crate::problem::Problem;

/// What was done to a product's stock and price, at most the latest hundred, latest first (admins); an archived one's too.
#[utoipa::path(
    get, path = "/products/{id}/stock-history",
    params(("id" = String, Path, description = "The product's id")),
    responses(
        (status = 200, description = "Who did what, and when", body = [StockEventView]),
        (status = 404, description = "No such product"),
    )
)]
pub(crate) async fn get_stock_history(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<Vec<StockEventView>>, Problem> {
    let events = app.shop.catalog.stock_history(&caller, id(&path)?).await?;
    Ok(web::Json(events.into_iter().map(Into::into).collect()))
}
