//! `GET /images/{name}`.

use actix_web::http::header::CROSS_ORIGIN_RESOURCE_POLICY;
use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse};

use crate::app_state::AppState;
use crate::cache;
use crate::problem::Problem;

/// A picture that this shop hosts itself, in one width. The content under a name never changes. The address that an
/// upload returns ends in the picture's own width, and each narrower width of 320, 640 and 960 is there in its place.
#[utoipa::path(
    get, path = "/images/{name}",
    params(("name" = String, Path, description = "The last part of the picture's address")),
    responses(
        (status = 200, description = "The picture", content_type = "image/webp", body = Vec<u8>),
        (status = 304, description = "The client has it already"),
        (status = 404, description = "No such picture"),
    )
)]
pub(crate) async fn get_image(
    app: Data<AppState>,
    request: HttpRequest,
    path: Path<String>,
) -> Result<HttpResponse, Problem> {
    let library = app.pictures.as_ref().ok_or_else(Problem::not_found)?;
    let picture = library.read(&path).await?.ok_or_else(Problem::not_found)?;
    let tag = format!("\"{path}\"");
    let mut response = HttpResponse::Ok();
    // E-mails and pages that link to a product show it.
    response.insert_header((CROSS_ORIGIN_RESOURCE_POLICY, "cross-origin"));
    Ok(cache::tagged(&request, response, &tag, cache::FOR_EVER, picture.media_type, picture.bytes))
}
