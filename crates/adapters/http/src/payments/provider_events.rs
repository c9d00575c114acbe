//! Events that the payment provider sends.

use actix_web::HttpRequest;
use actix_web::HttpResponse;
use actix_web::web::Data;
use ports::EventRefused;

use crate::app_state::AppState;
use crate::extract::Body;
use crate::problem::Problem;

impl From<EventRefused> for Problem {
    fn from(refused: EventRefused) -> Self {
        metrics::counter!("webhooks_refused_total", "reason" => format!("{refused:?}")).increment(1);
        Self::bad_request("This message is not signed by the payment provider")
    }
}

/// Accepts an event from Stripe, if Stripe signed it. A forged, altered, outdated or unsigned one changes nothing.
#[utoipa::path(
    post, path = "/webhooks/stripe",
    request_body(content = String, content_type = "application/json", description = "The event, byte for byte as signed"),
    params(("Stripe-Signature" = Option<String>, Header, description = "The time and the signatures")),
    responses(
        (status = 200, description = "Dealt with, now or before"),
        (status = 400, description = "Not signed by Stripe"),
        (status = 503, description = "Not now: send it again"),
    )
)]
pub(crate) async fn receive_event(
    app: Data<AppState>,
    request: HttpRequest,
    Body(body): Body,
) -> Result<HttpResponse, Problem> {
    let signature = request.headers().get("stripe-signature").and_then(|header| header.to_str().ok());
    app.shop.payments.handle_payment_event(app.webhooks.as_ref(), &body, signature).await?;
    Ok(HttpResponse::Ok().finish())
}
