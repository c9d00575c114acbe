//! `GET /openapi.json`.

use std::sync::OnceLock;

use actix_web::web::{Bytes, Data};
use actix_web::{HttpRequest, HttpResponse};

use crate::app_state::AppState;
use crate::cache::{self, REVALIDATED};
use crate::openapi::{openapi, openapi_of_serve};

/// The API's description as JSON, and its entity tag. Made when it is first requested, because most servers are never
/// asked for it.
#[derive(Default)]
pub(crate) struct ApiDescription(OnceLock<(Bytes, String)>);

impl ApiDescription {
    fn get(&self, demo: bool) -> &(Bytes, String) {
        self.0.get_or_init(|| {
            let text = Bytes::from(if demo { openapi() } else { openapi_of_serve() });
            let tag = cache::tag(&text);
            (text, tag)
        })
    }
}

/// This description.
#[utoipa::path(
    get, path = "/openapi.json",
    responses((status = 200, description = "OpenAPI 3.1", content_type = "application/json", body = Object))
)]
pub(crate) async fn get_api_description(
    app: Data<AppState>,
    description: Data<ApiDescription>,
    request: HttpRequest,
) -> HttpResponse {
    let (text, tag) = description.get(app.settings.demo);
    cache::tagged(&request, HttpResponse::Ok(), tag, REVALIDATED, "application/json", text.clone())
}
