//! `GET /webhook-endpoints`.

use actix_web::web::{self, Data};

use super::view::SubscriptionView;
use crate::app_state::AppState;
use crate::extract::Authenticated;
use crate::problem::{Problem, ProblemView};

/// The webhook subscriptions, oldest first, without their secrets (admins).
#[utoipa::path(
    get, path = "/webhook-endpoints", tag = "shop", security(("bearer" = [])),
    responses(
        (status = 200, description = "Subscriptions", body = [SubscriptionView]),
        (status = 401, description = "Not signed in", body = ProblemView, content_type = "application/problem+json"),
        (status = 403, description = "Not an admin", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn list_subscriptions(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
) -> Result<web::Json<Vec<SubscriptionView>>, Problem> {
    let endpoints = app.shop.notifications.list_subscriptions(&caller).await?;
    Ok(web::Json(endpoints.into_iter().map(Into::into).collect()))
}
