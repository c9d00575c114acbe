//! `GET /cart`.

use actix_web::HttpResponse;
use actix_web::web::Data;

use super::view::{CartAnswer, tagged};
use crate::app_state::AppState;
use crate::extract::Authenticated;
use crate::problem::Problem;

/// One's own cart, each line as it stands now. A cart holds no stock.
#[utoipa::path(
    get, path = "/cart",
    responses(
        (status = 200, description = "The cart", body = CartAnswer, headers(("ETag" = String, description = "Its version, quoted"))),
    )
)]
pub(crate) async fn get_cart(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
) -> Result<HttpResponse, Problem> {
    Ok(tagged(&app.shop.baskets.cart(&caller).await?))
}
