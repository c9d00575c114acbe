//! `GET /auth/me`.

use actix_web::web;
use actix_web::web::Data;

use crate::accounts::me::view::Person;
use crate::app_state::AppState;
use crate::extract::Authenticated;
use crate::problem::Problem;

/// Who is signed in.
#[utoipa::path(
    get, path = "/auth/me",
    responses(
        (status = 200, description = "Who is signed in", body = Person),
    )
)]
pub(crate) async fn get_me(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
) -> Result<web::Json<Person>, Problem> {
    Ok(web::Json(app.shop.accounts.me(&caller).await?.into()))
}
