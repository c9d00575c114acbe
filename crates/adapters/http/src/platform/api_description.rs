//! `GET /openapi.json`.

use actix_web::HttpResponse;
use actix_web::web::Data;

/// The API's description as JSON. It is made when the server starts: this handler is a part of what is described.
pub(crate) struct ApiDescription(pub(crate) String);

/// This description.
#[utoipa::path(
    get, path = "/openapi.json",
    responses((status = 200, description = "OpenAPI 3.1", content_type = "application/json", body = Object))
)]
pub(crate) async fn get_api_description(description: Data<ApiDescription>) -> HttpResponse {
    HttpResponse::Ok().content_type("application/json").body(description.0.clone())
}
