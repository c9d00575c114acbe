//! `POST /lists/{id}/check`.

use actix_web::web::{self, Data, Path};

use crate::app_state::AppState;
use crate::baskets::view::Checked;
use crate::extract::{Authenticated, id};
use crate::problem::Problem;

/// Checks the lines of a list of one's own, as a quick order. Nothing is ordered by it.
#[utoipa::path(
    post, path = "/lists/{id}/check",
    params(("id" = String, Path, description = "The list's id")),
    responses(
        (status = 200, description = "A row for each line", body = Checked),
        (status = 404, description = "No such list of one's own"),
    )
)]
pub(crate) async fn check_list(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<Checked>, Problem> {
    Ok(web::Json(app.shop.baskets.check_list(&caller, id(&path)?).await?.into()))
}
