//! Webhook subscriptions to the events of orders.

use actix_web::web::{self, Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use domain::notifications::delivery::Topic;
use domain::{WebhookSubscription, WebhookUrl};
use ports::{Delivery, DeliveryPage, WebhookDeliveryQuery};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app_state::AppState;
use crate::extract::{Authenticated, IdempotencyKeyHeader, Json, id, query};
use crate::problem::{Problem, ProblemView};
use crate::wire::counts::DeletedCount;
use crate::wire::fields::Fields;
use crate::wire::page::{self, PageQuery};
use crate::wire::words::{StateName, TopicName};

/// A webhook subscription.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = WebhookEndpoint)]
pub(crate) struct SubscriptionView {
    /// `UUIDv7`.
    #[serde(rename = "_id")]
    id: String,
    /// The address that is called.
    url: String,
    /// The events that it subscribes to.
    events: Vec<TopicName>,
    /// RFC 3339, UTC.
    created_at: String,
    /// Since when every call to it has failed, if the latest did: RFC 3339, UTC.
    #[schema(required)]
    failing_since: Option<String>,
    /// Since when it is disabled: RFC 3339, UTC.
    #[schema(required)]
    disabled_at: Option<String>,
    /// Why it is disabled: it answered 410, or failed for three days.
    #[schema(required)]
    disabled_reason: Option<String>,
}

impl From<WebhookSubscription> for SubscriptionView {
    fn from(endpoint: WebhookSubscription) -> Self {
        Self {
            id: endpoint.id.to_string(),
            url: endpoint.url.to_string(),
            events: endpoint.topics.into_iter().map(TopicName).collect(),
            created_at: endpoint.created_at.to_string(),
            failing_since: endpoint.failing_since.map(|at| at.to_string()),
            disabled_at: endpoint.disabled.as_ref().map(|disabled| disabled.at.to_string()),
            disabled_reason: endpoint.disabled.map(|disabled| disabled.why),
        }
    }
}

/// A new webhook subscription, with the secret that its calls are signed with.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AddedWebhookEndpoint)]
pub(crate) struct AddedSubscription {
    #[serde(flatten)]
    endpoint: SubscriptionView,
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
    /// At least one of `order.ordered`, `order.paid`, `order.shipped`, `order.cancelled` and `order.refunded`.
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
    if names.is_empty() || !names.iter().all(|name| Topic::OF_ORDERS.iter().any(|topic| topic.as_str() == name)) {
        return Err("must be some of order.ordered, order.paid, order.shipped, order.cancelled and order.refunded");
    }
    let is_wanted = |topic: &Topic| names.iter().any(|name| name == topic.as_str());
    Ok(Topic::OF_ORDERS.into_iter().filter(is_wanted).collect())
}

/// A webhook call that was sent, or will be.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = WebhookDelivery)]
pub(crate) struct WebhookDeliveryView {
    /// A number.
    #[serde(rename = "_id")]
    id: String,
    topic: TopicName,
    #[schema(required)]
    order_id: Option<String>,
    /// How often it has been tried.
    attempts: u32,
    state: StateName,
    /// The response status of the latest attempt.
    #[schema(required)]
    status_code: Option<u16>,
    /// Why the last attempt that failed did.
    #[schema(required)]
    last_error: Option<String>,
    /// When the event happened: RFC 3339, UTC.
    created_at: String,
    /// When it is tried next, if it waits: RFC 3339, UTC.
    due_at: String,
    /// RFC 3339, UTC.
    #[schema(required)]
    sent_at: Option<String>,
}

impl From<Delivery> for WebhookDeliveryView {
    fn from(delivery: Delivery) -> Self {
        Self {
            id: delivery.id.to_string(),
            topic: TopicName(delivery.topic),
            order_id: delivery.order.map(|order| order.to_string()),
            attempts: delivery.attempts,
            state: StateName(delivery.state),
            status_code: delivery.status,
            last_error: delivery.last_error,
            created_at: delivery.created_at.to_string(),
            due_at: delivery.due_at.to_string(),
            sent_at: delivery.sent_at.map(|at| at.to_string()),
        }
    }
}

/// Subscribes an address to the events of orders (admins).
#[utoipa::path(
    post, path = "/webhook-endpoints", tag = "shop", request_body = NewSubscription, security(("bearer" = [])),
    responses(
        (status = 201, description = "Subscribed", body = AddedSubscription),
        (status = 401, description = "Not signed in", body = ProblemView, content_type = "application/problem+json"),
        (status = 403, description = "Not an admin", body = ProblemView, content_type = "application/problem+json"),
        (status = 409, description = "There are as many as there may be", body = ProblemView, content_type = "application/problem+json"),
        (status = 422, description = "An address that the shop does not call, or an event that it does not send", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn add(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    IdempotencyKeyHeader(idempotency_key): IdempotencyKeyHeader,
    Json(sent): Json<NewSubscription>,
) -> Result<HttpResponse, Problem> {
    let (url, topics) = sent.parse()?;
    let (endpoint, secret) = app.shop.add_subscription(&caller, url, topics, idempotency_key).await?;
    let added = AddedSubscription { endpoint: endpoint.into(), secret: secret.expose().to_owned() };
    Ok(HttpResponse::Created().json(added))
}

/// The webhook subscriptions, oldest first, without their secrets (admins).
#[utoipa::path(
    get, path = "/webhook-endpoints", tag = "shop", security(("bearer" = [])),
    responses(
        (status = 200, description = "Subscriptions", body = [SubscriptionView]),
        (status = 401, description = "Not signed in", body = ProblemView, content_type = "application/problem+json"),
        (status = 403, description = "Not an admin", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn list(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
) -> Result<web::Json<Vec<SubscriptionView>>, Problem> {
    let endpoints = app.shop.list_subscriptions(&caller).await?;
    Ok(web::Json(endpoints.into_iter().map(Into::into).collect()))
}

/// Removes a webhook subscription; its waiting deliveries are dropped (admins).
#[utoipa::path(
    delete, path = "/webhook-endpoints/{id}", tag = "shop", security(("bearer" = [])),
    params(("id" = String, Path, description = "The subscription's id")),
    responses(
        (status = 200, description = "1 if this call removed it, else 0", body = DeletedCount),
        (status = 401, description = "Not signed in", body = ProblemView, content_type = "application/problem+json"),
        (status = 403, description = "Not an admin", body = ProblemView, content_type = "application/problem+json"),
        (status = 404, description = "Not an id", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn remove(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<DeletedCount>, Problem> {
    Ok(web::Json(app.shop.remove_subscription(&caller, id(&path)?).await?.into()))
}

/// The deliveries of a webhook subscription and what came of them, latest first, or the requested page of them
/// (admins).
#[utoipa::path(
    get, path = "/webhook-endpoints/{id}/deliveries", tag = "shop", security(("bearer" = [])),
    params(("id" = String, Path, description = "The subscription's id"), PageQuery),
    responses(
        (status = 200, description = "Deliveries", body = [WebhookDeliveryView],
            headers(
                ("X-Total-Count" = u64, description = "How many there are, over all pages"),
                ("Link" = String, description = "The next page, if there is one: `<...>; rel=\"next\"`"),
            )),
        (status = 401, description = "Not signed in", body = ProblemView, content_type = "application/problem+json"),
        (status = 403, description = "Not an admin", body = ProblemView, content_type = "application/problem+json"),
        (status = 404, description = "No such subscription", body = ProblemView, content_type = "application/problem+json"),
        (status = 422, description = "A parameter makes no sense", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn deliveries(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let mut fields = Fields::default();
    let part = query::<PageQuery>(&request)?.parse(&mut fields);
    let (limit, after) = fields.all(part)?;
    let asked = WebhookDeliveryQuery { endpoint: id(&path)?, limit, after };
    let DeliveryPage { deliveries, total, next } = app.shop.subscription_deliveries(&caller, &asked).await?;
    Ok(page::answer::<WebhookDeliveryView>(&request, deliveries, total, next))
}
