//! The newsletter.

use actix_web::HttpResponse;
use actix_web::web::Data;
use domain::Email;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::app_state::AppState;
use crate::extract::Json;
use crate::problem::Problem;
use crate::wire::counts::Noted;
use crate::wire::fields::{Fields, filled};

/// A newsletter subscription.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct Subscription {
    #[schema(required, nullable = false)]
    email: Option<String>,
}

/// An address that is to get no more newsletters.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct Unsubscription {
    #[schema(required, nullable = false)]
    email: Option<String>,
}

/// Subscribes an address, once. The response does not say whether it was subscribed before.
#[utoipa::path(
    post, path = "/newsletter", request_body = Subscription,
    responses(
        (status = 202, description = "Noted", body = Noted),
        (status = 422, description = "No address"),
    )
)]
pub(crate) async fn subscribe_to_newsletter(
    app: Data<AppState>,
    Json(sent): Json<Subscription>,
) -> Result<HttpResponse, Problem> {
    app.shop.accounts.subscribe(&address(sent.email.as_deref())?).await?;
    Ok(HttpResponse::Accepted().json(Noted {}))
}

/// Unsubscribes an address. The response does not say whether it was subscribed.
#[utoipa::path(
    delete, path = "/newsletter", request_body = Unsubscription,
    responses(
        (status = 202, description = "Noted", body = Noted),
        (status = 422, description = "No address"),
    )
)]
pub(crate) async fn unsubscribe_from_newsletter(
    app: Data<AppState>,
    Json(sent): Json<Unsubscription>,
) -> Result<HttpResponse, Problem> {
    app.shop.accounts.unsubscribe(&address(sent.email.as_deref())?).await?;
    Ok(HttpResponse::Accepted().json(Noted {}))
}

fn address(sent: Option<&str>) -> Result<Email, Problem> {
    let mut fields = Fields::default();
    let email = fields.required("email", "Email", filled(sent), str::parse::<Email>);
    fields.all(email)
}
