//! `POST /outbox/retry`.

use actix_web::HttpRequest;
use actix_web::web::{self, Data};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::app_state::AppState;
use crate::extract::{Authenticated, id, query};
use crate::problem::Problem;

/// Which deliveries to requeue.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct RetryFilter {
    /// Only those of this webhook subscription, which is enabled for it if it was disabled. All without it.
    endpoint: Option<String>,
}

/// How many were changed.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RetriedCount {
    /// How many deliveries were requeued.
    modified_count: u64,
}

/// Requeues all deliveries that were given up; they are due immediately (admins).
#[utoipa::path(
    post, path = "/outbox/retry", params(RetryFilter),
    responses(
        (status = 200, description = "Requeued", body = RetriedCount),
        (status = 404, description = "No such webhook subscription"),
    )
)]
pub(crate) async fn retry_deliveries(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    request: HttpRequest,
) -> Result<web::Json<RetriedCount>, Problem> {
    let subscription = query::<RetryFilter>(&request)?.endpoint.map(|text| id(&text)).transpose()?;
    let modified_count = app.shop.notifications.retry_deliveries(&caller, subscription).await?;
    Ok(web::Json(RetriedCount { modified_count }))
}
