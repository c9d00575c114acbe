//! Settings for the client, health, metrics and the API's description.

use actix_web::http::header::{CACHE_CONTROL, RETRY_AFTER};
use actix_web::web::{self, Data};
use actix_web::{HttpRequest, HttpResponse};
use ports::Readiness;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app_state::{AppState, MetricsText};
use crate::cache;
use crate::problem::Problem;
use crate::wire::words::ProviderName;

/// Settings for the web client.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Config {
    payment_provider: ProviderName,
    /// The payment provider's publishable key; `null` in the sandbox.
    #[schema(required)]
    publishable_key: Option<String>,
    /// Whether Continue with Google is offered.
    google: bool,
}

/// Settings for the web client.
#[utoipa::path(
    get, path = "/config",
    responses((status = 200, description = "Settings for the client", body = Config))
)]
pub(crate) async fn get_config(app: Data<AppState>, request: HttpRequest) -> Result<HttpResponse, Problem> {
    let config = Config {
        payment_provider: ProviderName(app.browser_payments.kind),
        publishable_key: app.browser_payments.public_key.clone(),
        google: app.shop.signing_in.offers_google(),
    };
    cache::json(&request, HttpResponse::Ok(), &config)
}

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

/// The metrics, as Prometheus reads them (`demo` only; `serve` has them on `METRICS_ADDR`).
#[utoipa::path(
    get, path = "/metrics",
    responses((status = 200, description = "Prometheus text format 0.0.4", content_type = "text/plain", body = String))
)]
pub(crate) async fn get_metrics(app: Data<AppState>) -> HttpResponse {
    rendered(&app.metrics)
}

/// The metrics on a port of their own, without the shop.
pub(crate) async fn metrics_alone(metrics: Data<dyn Fn() -> String + Send + Sync>) -> HttpResponse {
    rendered(&metrics.into_inner())
}

fn rendered(metrics: &MetricsText) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((CACHE_CONTROL, "no-store"))
        .content_type("text/plain; version=0.0.4; charset=utf-8")
        .body(metrics())
}

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
