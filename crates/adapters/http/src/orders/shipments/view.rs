//! Shipments as customers and admins see them.

use domain::{Shipment, Text};
use serde::Serialize;
use utoipa::ToSchema;

/// Units of an order that left together.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Shipment)]
pub(crate) struct ShipmentView {
    #[serde(rename = "_id")]
    id: String,
    /// Units.
    quantity: u32,
    #[schema(required)]
    carrier: Option<String>,
    #[schema(required)]
    tracking_number: Option<String>,
    /// A page that shows where it is.
    #[schema(required)]
    tracking_url: Option<String>,
    /// RFC 3339, UTC.
    sent_at: String,
}

impl From<Shipment> for ShipmentView {
    fn from(shipment: Shipment) -> Self {
        Self {
            id: shipment.id.to_string(),
            quantity: shipment.units.get(),
            carrier: shipment.tracking.carrier.map(Text::into_string),
            tracking_number: shipment.tracking.number.map(Text::into_string),
            tracking_url: shipment.tracking.url.map(|url| url.to_string()),
            sent_at: shipment.sent_at.to_string(),
        }
    }
}
