//! `GET /webhook-endpoints`.

use actix_web::web::{self, Data};

use super::view::SubscriptionView;
use crate::app_state::AppState;
use crate::extract::Authenticated;
use crate::problem::Problem;

/// The webhook subscriptions, oldest first, without their secrets (admins).
#[utoipa::path(
    get, path = "/webhook-endpoints",
    responses(
        (status = 200, description = "Subscriptions", body = [SubscriptionView]),
    )
)]
pub(crate) async fn list_subscriptions(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
) -> Result<web::Json<Vec<SubscriptionView>>, Problem> {
    let endpoints = app.shop.notifications.list_subscriptions(&caller).await?;
    Ok(web::Json(endpoints.into_iter().map(Into::into).collect()))
}
