//! Webhook subscriptions as the client sees them.

use domain::WebhookSubscription;
use serde::Serialize;
use utoipa::ToSchema;

use crate::wire::enums::TopicName;

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
    fn from(subscription: WebhookSubscription) -> Self {
        Self {
            id: subscription.id.to_string(),
            url: subscription.url.to_string(),
            events: subscription.topics.into_iter().map(TopicName).collect(),
            created_at: subscription.created_at.to_string(),
            failing_since: subscription.failing_since.map(|at| at.to_string()),
            disabled_at: subscription.disabled.as_ref().map(|disabled| disabled.at.to_string()),
            disabled_reason: subscription.disabled.map(|disabled| disabled.why),
        }
    }
}
