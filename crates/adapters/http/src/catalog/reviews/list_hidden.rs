//! `GET /reviews/hidden`.

use actix_web::web::{self, Data};

use super::view::HiddenReviewView;
use crate::app_state::AppState;
use crate::extract::Authenticated;
use crate::problem::Problem;
use crate::wire::page::PAGE_MAX;

/// The reviews that were removed, at most the latest thousand, the one that was removed last first (admins).
#[utoipa::path(
    get, path = "/reviews/hidden",
    responses((status = 200, description = "Removed reviews", body = [HiddenReviewView]))
)]
pub(crate) async fn list_hidden_reviews(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
) -> Result<web::Json<Vec<HiddenReviewView>>, Problem> {
    let hidden = app.shop.catalog.hidden_reviews(&caller, PAGE_MAX).await?;
    Ok(web::Json(hidden.into_iter().map(Into::into).collect()))
}
