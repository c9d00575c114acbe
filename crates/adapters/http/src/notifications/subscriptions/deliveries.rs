//! `GET /webhook-endpoints/{id}/deliveries`.

use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use ports::{Delivery, WebhookDeliveryQuery};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app_state::AppState;
use crate::extract::{Authenticated, id, query};
use crate::problem::Problem;
use crate::wire::enums::{StateName, TopicName};
use crate::wire::fields::Fields;
use crate::wire::page::{self, PageQuery};

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
    /// The checkout that it is about.
    #[schema(required)]
    checkout_id: Option<String>,
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
            checkout_id: delivery.checkout.map(|checkout| checkout.to_string()),
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

/// The deliveries of a webhook subscription and what came of them, latest first, or the requested page of them
/// (admins).
#[utoipa::path(
    get, path = "/webhook-endpoints/{id}/deliveries",
    params(("id" = String, Path, description = "The subscription's id"), PageQuery),
    responses(
        (status = 200, description = "Deliveries", body = [WebhookDeliveryView],
            headers(
                ("X-Total-Count" = u64, description = "How many there are, over all pages"),
                ("Link" = String, description = "The next page, if there is one: `<...>; rel=\"next\"`"),
            )),
        (status = 404, description = "No such subscription"),
        (status = 422, description = "A parameter makes no sense"),
    )
)]
pub(crate) async fn list_subscription_deliveries(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let mut fields = Fields::default();
    let page = query::<PageQuery>(&request)?.parse(&mut fields);
    let (page, subscription) = (fields.all(page)?, id(&path)?);
    let read = move |page| {
        let (app, caller) = (app.clone(), caller.clone());
        let query = WebhookDeliveryQuery { page, subscription };
        async move { Ok(app.shop.notifications.subscription_deliveries(&caller, &query).await?) }
    };
    page::send::<WebhookDeliveryView, _, _, _>(&request, page, read).await
}
