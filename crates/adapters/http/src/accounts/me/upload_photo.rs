//! `POST /auth/me/photo`.

use actix_web::web::Data;
use actix_web::{HttpRequest, web};

use crate::accounts::me::view::AccountView;
use crate::app_state::AppState;
use crate::catalog::images::upload::{NewPicture, sent_picture};
use crate::extract::{Authenticated, Body};
use crate::problem::Problem;

/// Uploads a picture of the caller. Others see uploaded pictures only: one at a foreign address would show its host who
/// views it.
#[utoipa::path(
    post, path = "/auth/me/photo",
    request_body(content = NewPicture, content_type = "multipart/form-data"),
    responses(
        (status = 200, description = "Who is signed in, as it is now", body = AccountView),
        (status = 413, description = "Larger than 5 MB"),
        (status = 415, description = "Not a PNG, JPEG or WebP picture"),
        (status = 422, description = "No picture in it, or none that the image host takes"),
        (status = 503, description = "The image host does not answer"),
    )
)]
pub(crate) async fn upload_photo(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    request: HttpRequest,
    Body(body): Body,
) -> Result<web::Json<AccountView>, Problem> {
    let picture = sent_picture(&request, body).await?;
    Ok(web::Json(app.shop.accounts.upload_photo(&caller, picture).await?.into()))
}
