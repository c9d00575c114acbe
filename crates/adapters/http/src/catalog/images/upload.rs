//! `POST /images`.

use actix_web::HttpRequest;
use actix_web::mime::MULTIPART_FORM_DATA;
use actix_web::web::{self, Bytes, Data};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app_state::AppState;
use crate::extract::{Authenticated, Body, media_type};
use crate::problem::Problem;
use crate::wire::form;

/// Size limit of a picture, in bytes.
pub(crate) const PICTURE_MAX: usize = 5_000_000;

/// A picture to be uploaded.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only described: the bytes are read as they come")]
pub(crate) struct NewPicture {
    /// PNG, JPEG or WebP, up to 5 MB.
    #[schema(value_type = String, format = Binary)]
    image: Vec<u8>,
}

/// Where a picture can be fetched.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PictureData {
    url: String,
}

/// The response of the image host.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Uploaded {
    success: bool,
    data: PictureData,
}

/// Uploads a product's picture (admins).
#[utoipa::path(
    post, path = "/images",
    request_body(content = NewPicture, content_type = "multipart/form-data"),
    responses(
        (status = 200, description = "Hosted", body = Uploaded),
        (status = 413, description = "Larger than 5 MB"),
        (status = 415, description = "Not a PNG, JPEG or WebP picture"),
        (status = 422, description = "No picture in it, or none that the image host takes"),
        (status = 502, description = "The image host refuses the shop's key, or its answer is not to be trusted"),
        (status = 503, description = "The image host does not answer, or takes no more pictures for now: `Retry-After` says when"),
    )
)]
pub(crate) async fn upload_image(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    request: HttpRequest,
    Body(body): Body,
) -> Result<web::Json<Uploaded>, Problem> {
    let picture = sent_picture(&request, body).await?;
    let url = app.shop.catalog.upload_picture(&caller, picture).await?;
    Ok(web::Json(Uploaded { success: true, data: PictureData { url: url.to_string() } }))
}

/// The picture that a request carries.
pub(crate) async fn sent_picture(request: &HttpRequest, body: Bytes) -> Result<Vec<u8>, Problem> {
    if media_type(request).is_none_or(|media| media.essence_str() != MULTIPART_FORM_DATA.essence_str()) {
        return Err(Problem::unsupported_media("Please send the picture as multipart/form-data"));
    }
    let broken = "Send the picture as multipart/form-data";
    let picture = form::field(request, body, "image", PICTURE_MAX, broken).await?;
    picture.ok_or_else(|| Problem::invalid_field("image", "Image is required"))
}
