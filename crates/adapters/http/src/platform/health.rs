//! `GET /health/live` and `GET /health/ready`.

use actix_web::HttpResponse;
use actix_web::http::header::{CACHE_CONTROL, RETRY_AFTER};
use actix_web::web::{self, Data};
use ports::Readiness;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app_state::AppState;

/// The health of the program.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Health {
    status: HealthStatus,
}

/// Whether the program runs, and is ready for requests.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum HealthStatus {
    Live,
    Ready,
    #[serde(rename = "not ready")]
    NotReady,
}

/// Whether the program runs.
#[utoipa::path(
    get, path = "/health/live",
    responses((status = 200, description = "It runs", body = Health))
)]
pub(crate) async fn get_liveness() -> web::Json<Health> {
    web::Json(Health { status: HealthStatus::Live })
}

/// Whether this instance may be sent requests: not while it starts or drains, while its schema is behind, or while its
/// database accepts no writes.
#[utoipa::path(
    get, path = "/health/ready",
    responses(
        (status = 200, description = "It can", body = Health),
        (status = 503, description = "It cannot at this moment", body = Health),
    )
)]
pub(crate) async fn get_readiness(app: Data<AppState>) -> HttpResponse {
    let (mut response, status) = if app.lifecycle.readiness() == Readiness::Ready {
        (HttpResponse::Ok(), HealthStatus::Ready)
    } else {
        let mut response = HttpResponse::ServiceUnavailable();
        response.insert_header((RETRY_AFTER, "2"));
        (response, HealthStatus::NotReady)
    };
    response.insert_header((CACHE_CONTROL, "no-store")).json(Health { status })
}
