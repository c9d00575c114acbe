//! `GET /feeds/{id}`.

use actix_web::web::{self, Data, Path};

use crate::app_state::AppState;
use crate::extract::{Authenticated, id};
use crate::feeds::view::FeedDetailsView;
use crate::problem::Problem;

/// A feed, with what was found in it and what it changes (admins).
#[utoipa::path(
    get, path = "/feeds/{id}", params(("id" = String, Path, description = "The feed's id")),
    responses(
        (status = 200, description = "The feed", body = FeedDetailsView),
        (status = 404, description = "There is none"),
    )
)]
pub(crate) async fn get_feed(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<FeedDetailsView>, Problem> {
    Ok(web::Json(app.shop.feeds.find(&caller, id(&path)?).await?.into()))
}
