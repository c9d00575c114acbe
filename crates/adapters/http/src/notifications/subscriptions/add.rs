//! `POST /webhook-endpoints`.

use actix_web::HttpResponse;
use actix_web::web::Data;
use domain::WebhookUrl;
use domain::notifications::delivery::Topic;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::view::SubscriptionView;
use crate::app_state::AppState;
use crate::extract::{Authenticated, IdempotencyKeyHeader, Json};
use crate::problem::Problem;
use crate::wire::enums::TopicName;
use crate::wire::fields::Fields;

/// A new webhook subscription, with the secret that its calls are signed with.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AddedWebhookEndpoint)]
pub(crate) struct AddedSubscription {
    #[serde(flatten)]
    subscription: SubscriptionView,
    /// Shown only once: `whsec_` and 32 bytes in base64.
    secret: String,
}

/// A webhook subscription to be added.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = NewWebhookEndpoint)]
pub(crate) struct NewSubscription {
    /// An https address in the public internet.
    #[schema(required, nullable = false)]
    url: Option<String>,
    /// At least one of `order.ordered`, `order.paid`, `order.shipped`, `order.cancelled`, `order.refunded`, `checkout.placed` and
    /// `checkout.paid`.
    #[schema(required, nullable = false, value_type = Vec<TopicName>)]
    events: Option<Vec<String>>,
}

impl NewSubscription {
    fn parse(self) -> Result<(WebhookUrl, Vec<Topic>), Problem> {
        let mut fields = Fields::default();
        let url = fields.required("url", "URL", self.url, |url| url.parse());
        let topics = fields.required("events", "Events", self.events, |events| topics(&events));
        let whole = (|| Some((url?, topics?)))();
        fields.all(whole)
    }
}

/// Each topic once, in the order in which they happen.
fn topics(names: &[String]) -> Result<Vec<Topic>, &'static str> {
    if names.is_empty() || !names.iter().all(|name| Topic::FOR_WEBHOOKS.iter().any(|topic| topic.as_str() == name)) {
        return Err(
            "must be some of order.ordered, order.paid, order.shipped, order.cancelled, order.refunded, checkout.placed and checkout.paid",
        );
    }
    let is_wanted = |topic: &Topic| names.iter().any(|name| name == topic.as_str());
    Ok(Topic::FOR_WEBHOOKS.into_iter().filter(is_wanted).collect())
}

/// Subscribes an address to the events of orders and checkouts (admins).
#[utoipa::path(
    post, path = "/webhook-endpoints", request_body = NewSubscription,
    responses(
        (status = 201, description = "Subscribed", body = AddedSubscription),
        (status = 409, description = "There are as many as there may be"),
        (status = 422, description = "An address that the shop does not call, or an event that it does not send"),
    )
)]
pub(crate) async fn add_subscription(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    IdempotencyKeyHeader(idempotency_key): IdempotencyKeyHeader,
    Json(sent): Json<NewSubscription>,
) -> Result<HttpResponse, Problem> {
    let (url, topics) = sent.parse()?;
    let (subscription, secret) = app.shop.notifications.add_subscription(&caller, url, topics, idempotency_key).await?;
    let added = AddedSubscription { subscription: subscription.into(), secret: secret.expose().to_owned() };
    Ok(HttpResponse::Created().json(added))
}
