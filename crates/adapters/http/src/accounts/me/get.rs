//! `GET /auth/me`.

use actix_web::web;
use actix_web::web::Data;

use crate::accounts::me::view::AccountView;
use crate::app_state::AppState;
use crate::extract::Authenticated;
use crate::problem::Problem;

/// Who is signed in.
#[utoipa::path(
    get, path = "/auth/me",
    responses(
        (status = 200, description = "Who is signed in", body = AccountView),
    )
)]
pub(crate) async fn get_me(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
) -> Result<web::Json<AccountView>, Problem> {
    Ok(web::Json(app.shop.accounts.me(&caller).await?.into()))
}
