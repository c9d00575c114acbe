//! `GET /metrics`.

use actix_web::HttpResponse;
use actix_web::http::header::CACHE_CONTROL;
use actix_web::web::Data;

use crate::app_state::{AppState, MetricsText};

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
