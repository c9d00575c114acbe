//! `POST /cart/merge`.

use actix_web::HttpResponse;
use actix_web::web::Data;

use super::view::{CartAnswer, tagged};
use crate::app_state::AppState;
use crate::baskets::lines::SentLines;
use crate::extract::{Authenticated, Json};
use crate::problem::Problem;

/// Adds what a visitor's cart holds to one's own: of each product the larger quantity stays, so that a repetition changes nothing.
#[utoipa::path(
    post, path = "/cart/merge", request_body = SentLines,
    responses(
        (status = 200, description = "The cart as it is now", body = CartAnswer, headers(("ETag" = String, description = "Its version, quoted"))),
        (status = 422, description = "Invalid, or together more than 1,000 lines; nothing is changed"),
    )
)]
pub(crate) async fn merge_cart(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    Json(sent): Json<SentLines>,
) -> Result<HttpResponse, Problem> {
    Ok(tagged(&app.shop.baskets.merge_cart(&caller, &sent.parse()?).await?))
}
