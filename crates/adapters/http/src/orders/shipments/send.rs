//! `POST /orders/{id}/shipments`.

use std::num::NonZeroU32;

use actix_web::HttpResponse;
use actix_web::web::{Data, Path};
use application::SendShipment;
use domain::Text;
use domain::orders::shipment::{Tracking, TrackingUrl};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::app_state::AppState;
use crate::extract::{Authenticated, IdempotencyKeyHeader, Json, id};
use crate::problem::Problem;
use crate::wire::counts::InsertedId;
use crate::wire::fields::{Fields, filled};
use crate::wire::whole::Whole;

/// What leaves, and with whom.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NewShipment {
    /// Units: from 1 to what has not been shipped yet.
    #[schema(required, nullable = false, value_type = i64, minimum = 1)]
    quantity: Option<Whole>,
    /// Up to 60 characters. `UPS`, `FedEx`, `USPS` and `DHL` have pages for their numbers.
    carrier: Option<String>,
    /// Up to 60 characters.
    tracking_number: Option<String>,
    /// An http(s) address, up to 500 characters; that of a known carrier if it is left out.
    tracking_url: Option<String>,
}

impl NewShipment {
    fn parse(self, idempotency_key: Option<ports::IdempotencyKey>) -> Result<SendShipment, Problem> {
        let mut fields = Fields::default();
        let units = fields.required("quantity", "Quantity", self.quantity, |units| {
            u32::try_from(units.0).ok().and_then(NonZeroU32::new).ok_or("must be 1 or more")
        });
        let carrier = fields.optional("carrier", "Carrier", filled(self.carrier.as_deref()), Text::new);
        let number = filled(self.tracking_number.as_deref());
        let number = fields.optional("trackingNumber", "Tracking number", number, Text::new);
        let url = filled(self.tracking_url.as_deref());
        let url = fields.optional("trackingUrl", "Tracking link", url, str::parse::<TrackingUrl>);
        let whole = (|| {
            let tracking = Tracking { carrier: carrier?, number: number?, url: url? };
            Some(SendShipment { units: units?, tracking, idempotency_key })
        })();
        fields.all(whole)
    }
}

/// Ships some units of an order (admins); of an unpaid one on account. With the last of them the order is shipped. The
/// customer gets an e-mail about each shipment.
#[utoipa::path(
    post, path = "/orders/{id}/shipments", request_body = NewShipment,
    params(("id" = String, Path, description = "The order's id")),
    responses(
        (status = 201, description = "Shipped", body = InsertedId),
        (status = 404, description = "Cancelled, or never was"),
        (status = 409, description = "All shipped, refunded, disputed, or refunded at the payment provider"),
        (status = 422, description = "More units than are left (`left`), or invalid"),
        (status = 503, description = "The payment provider does not say whether the money is still there"),
    )
)]
pub(crate) async fn send_shipment(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    IdempotencyKeyHeader(idempotency_key): IdempotencyKeyHeader,
    path: Path<String>,
    Json(sent): Json<NewShipment>,
) -> Result<HttpResponse, Problem> {
    let id = id(&path)?;
    let sent = app.shop.orders.send_shipment(&caller, id, sent.parse(idempotency_key)?).await?;
    Ok(HttpResponse::Created().json(InsertedId::of(&sent)))
}
