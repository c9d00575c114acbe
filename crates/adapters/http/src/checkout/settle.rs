//! `PATCH /checkouts/{id}`: the browser reports that it has paid.

use actix_web::web::{self, Data, Path};

use crate::app_state::AppState;
use crate::extract::{Authenticated, Json, id};
use crate::payments::settle::Hint;
use crate::problem::Problem;
use crate::wire::counts::ModifiedCount;

/// Reports that a checkout was paid. The provider is asked; the browser's report alone settles nothing.
#[utoipa::path(
    patch, path = "/checkouts/{id}", request_body = Hint,
    params(("id" = String, Path, description = "The checkout's id")),
    responses(
        (status = 200, description = "Its orders are paid by this payment", body = ModifiedCount),
        (status = 402, description = "The provider says unpaid"),
        (status = 404, description = "Another's, cancelled, or none"),
        (status = 409, description = "Not this checkout's payment, amount or currency"),
        (status = 422, description = "Invalid"),
        (status = 429, description = "Asked for too often"),
    )
)]
pub(crate) async fn settle_checkout(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
    Json(sent): Json<Hint>,
) -> Result<web::Json<ModifiedCount>, Problem> {
    app.shop.checkouts.settle_checkout(&caller, id(&path)?, sent.transaction()?).await?;
    Ok(web::Json(true.into()))
}
