//! `POST /info`.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};

use crate::accounts::profiles::fields::NewInfo;
use crate::accounts::profiles::get::Whose;
use crate::app_state::AppState;
use crate::extract::{Authenticated, Json, query};
use crate::problem::Problem;
use crate::wire::counts::InsertedId;

/// Fills in one's own profile, whatever e-mail the body names.
#[utoipa::path(
    post, path = "/info", request_body = NewInfo,
    responses(
        (status = 201, description = "Stored", body = InsertedId),
        (status = 422, description = "Invalid"),
    )
)]
pub(crate) async fn fill_profile(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    request: HttpRequest,
    Json(sent): Json<NewInfo>,
) -> Result<HttpResponse, Problem> {
    let whose = query::<Whose>(&request)?;
    let (account, _) = app.shop.accounts.edit_profile(&caller, whose.email.as_deref(), &sent.parse("")?).await?;
    Ok(HttpResponse::Created().json(InsertedId::of(&account)))
}
