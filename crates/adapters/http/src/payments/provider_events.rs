//! `POST /webhooks/{provider}`: events that the payment provider sends.

use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use ports::{EventMessage, EventRefused};

use crate::app_state::AppState;
use crate::extract::Body;
use crate::problem::Problem;

/// Messages that were refused, by reason.
const EVENTS_REFUSED: &str = "webhooks_refused_total";

/// Begins the counter at zero: of one that appears with its first event, no rise is seen.
pub(crate) fn count_from_zero() {
    metrics::describe_counter!(EVENTS_REFUSED, "Messages that are not the payment provider's, by reason.");
    for refused in [EventRefused::Unsigned, EventRefused::Forged, EventRefused::Stale, EventRefused::Unreadable] {
        metrics::counter!(EVENTS_REFUSED, "reason" => format!("{refused:?}")).increment(0);
    }
}

impl From<EventRefused> for Problem {
    fn from(refused: EventRefused) -> Self {
        metrics::counter!(EVENTS_REFUSED, "reason" => format!("{refused:?}")).increment(1);
        Self::bad_request("This message isn't signed by the payment provider")
    }
}

/// Accepts an event that the payment provider signed.
///
/// A forged, altered, outdated or unsigned one changes nothing.
#[utoipa::path(
    post, path = "/webhooks/{provider}",
    request_body(content = String, content_type = "application/json", description = "The event, byte for byte as signed"),
    params(
        ("provider" = String, Path, description = "The name of the shop's payment provider, as in `GET /config`: `stripe`"),
        ("Stripe-Signature" = Option<String>, Header, description = "From Stripe: the time and the signatures"),
    ),
    responses(
        (status = 200, description = "Dealt with, now or before"),
        (status = 400, description = "Not signed by the provider"),
        (status = 404, description = "Not this shop's provider, or one that sends no events"),
        (status = 503, description = "Not now: send it again"),
    )
)]
pub(crate) async fn receive_event(
    app: Data<AppState>,
    provider: Path<String>,
    request: HttpRequest,
    Body(body): Body,
) -> Result<HttpResponse, Problem> {
    let is_ours = *provider == app.browser_payments.kind.as_str();
    let events = app.provider_events.as_ref().filter(|_| is_ours).ok_or_else(Problem::not_found)?;
    // Of a header that was sent twice, the first counts.
    let headers = request.headers();
    let texts = headers.keys().filter_map(|name| Some((name.as_str(), headers.get(name)?.to_str().ok()?)));
    let message = EventMessage { body: &body, headers: texts.collect() };
    app.shop.payments.handle_payment_event(events.as_ref(), &message).await?;
    Ok(HttpResponse::Ok().finish())
}
