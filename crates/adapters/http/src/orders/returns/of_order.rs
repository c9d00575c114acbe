//! `GET /orders/{id}/returns`.

use actix_web::web::{self, Data, Path};

use super::view::ReturnView;
use crate::app_state::AppState;
use crate::extract::{Authenticated, id};
use crate::problem::Problem;

/// An order's returns, oldest first.
#[utoipa::path(
    get, path = "/orders/{id}/returns",
    params(("id" = String, Path, description = "The order's id")),
    responses(
        (status = 200, description = "Returns", body = [ReturnView]),
        (status = 404, description = "Another's, or never was"),
    )
)]
pub(crate) async fn list_order_returns(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<Vec<ReturnView>>, Problem> {
    let returns = app.shop.orders.returns_of(&caller, id(&path)?).await?;
    Ok(web::Json(returns.into_iter().map(Into::into).collect()))
}
