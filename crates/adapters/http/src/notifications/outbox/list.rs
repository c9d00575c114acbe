//! `GET /outbox`.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use domain::notifications::delivery::DeliveryState;
use ports::{Delivery, DeliveryQuery};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::app_state::AppState;
use crate::extract::{Authenticated, query};
use crate::problem::Problem;
use crate::wire::enums::{ChannelName, StateName, TopicName};
use crate::wire::fields::Fields;
use crate::wire::page::{self, PageQuery};

/// An e-mail or a webhook call that was sent, or will be.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Delivery)]
pub(crate) struct DeliveryView {
    /// A number.
    #[serde(rename = "_id")]
    id: String,
    channel: ChannelName,
    topic: TopicName,
    /// The recipient's e-mail.
    #[schema(required)]
    to: Option<String>,
    /// The order that it is about.
    #[schema(required)]
    order_id: Option<String>,
    /// The checkout that it is about.
    #[schema(required)]
    checkout_id: Option<String>,
    /// How often it has been tried.
    attempts: u32,
    state: StateName,
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

impl From<Delivery> for DeliveryView {
    fn from(delivery: Delivery) -> Self {
        Self {
            id: delivery.id.to_string(),
            channel: ChannelName(delivery.channel),
            topic: TopicName(delivery.topic),
            to: delivery.to.map(|email| email.to_string()),
            order_id: delivery.order.map(|order| order.to_string()),
            checkout_id: delivery.checkout.map(|checkout| checkout.to_string()),
            attempts: delivery.attempts,
            state: StateName(delivery.state),
            last_error: delivery.last_error,
            created_at: delivery.created_at.to_string(),
            due_at: delivery.due_at.to_string(),
            sent_at: delivery.sent_at.map(|at| at.to_string()),
        }
    }
}

/// Filters for deliveries.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Filter {
    /// Only those in this state; `dead` without it.
    #[param(value_type = Option<StateName>)]
    state: Option<String>,
}

impl Filter {
    fn parse(&self, page: &PageQuery) -> Result<DeliveryQuery, Problem> {
        let mut fields = Fields::default();
        let page = page.parse(&mut fields);
        let state = fields.optional("state", "State", self.state.as_deref(), |state| {
            state.parse::<DeliveryState>().map_err(|_| "must be waiting, sent or dead")
        });
        let whole = (|| Some(DeliveryQuery { state: state?.unwrap_or(DeliveryState::Dead), page: page? }))();
        fields.all(whole)
    }
}

/// E-mails and webhook calls, latest first, or the requested page of them (admins).
#[utoipa::path(
    get, path = "/outbox", params(PageQuery, Filter),
    responses(
        (status = 200, description = "Deliveries", body = [DeliveryView],
            headers(
                ("X-Total-Count" = u64, description = "How many are in that state, over all pages"),
                ("Link" = String, description = "The next page, if there is one: `<...>; rel=\"next\"`"),
            )),
        (status = 422, description = "A parameter makes no sense"),
    )
)]
pub(crate) async fn list_deliveries(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let query = query::<Filter>(&request)?.parse(&query(&request)?)?;
    let read = move |page| {
        let (app, caller) = (app.clone(), caller.clone());
        async move { Ok(app.shop.notifications.deliveries(&caller, &DeliveryQuery { page, ..query }).await?) }
    };
    page::send::<DeliveryView, _, _, _>(&request, query.page, read).await
}
