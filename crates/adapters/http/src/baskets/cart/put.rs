//! `PUT /cart`.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};

use super::seen::seen_versions;
use super::view::{CartAnswer, tagged};
use crate::app_state::AppState;
use crate::baskets::lines::SentLines;
use crate::extract::{Authenticated, Json};
use crate::problem::Problem;

/// Replaces the lines of one's own cart, if it is still the version that was seen.
#[utoipa::path(
    put, path = "/cart", request_body = SentLines,
    params(("If-Match" = String, Header, description = "The version that was seen, quoted, as in `ETag`")),
    responses(
        (status = 200, description = "The cart as it is now", body = CartAnswer, headers(("ETag" = String, description = "Its version, quoted"))),
        (status = 400, description = "`If-Match` is malformed"),
        (status = 412, description = "The cart is another version: `cart` is the one it is now"),
        (status = 422, description = "Invalid"),
        (status = 428, description = "Without `If-Match`"),
    )
)]
pub(crate) async fn put_cart(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    request: HttpRequest,
    Json(sent): Json<SentLines>,
) -> Result<HttpResponse, Problem> {
    let seen = seen_versions(&request)?;
    Ok(tagged(&app.shop.baskets.save_cart(&caller, &seen, &sent.parse()?).await?))
}
