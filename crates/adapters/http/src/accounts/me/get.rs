//! `GET /auth/me`.

use actix_web::web;
use actix_web::web::Data;

use crate::accounts::me::view::Person;
use crate::app_state::AppState;
use crate::extract::Authenticated;
use crate::problem::{Problem, ProblemView};

/// Who is signed in.
#[utoipa::path(
    get, path = "/auth/me", tag = "identity", security(("session" = [])),
    responses(
        (status = 200, description = "Who is signed in", body = Person),
        (status = 401, description = "Nobody", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn get_me(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
) -> Result<web::Json<Person>, Problem> {
    Ok(web::Json(app.shop.accounts.me(&caller).await?.into()))
}
