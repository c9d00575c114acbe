//! Repository of shipments.

use async_trait::async_trait;
use domain::orders::order::Change;
use domain::{OrderId, Shipment, ShipmentId};

use crate::{IdempotencyKey, StoreError};

/// A shipment to be recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewShipment {
    /// The shipment.
    pub shipment: Shipment,
    /// How many units had been shipped when this one was decided on.
    pub shipped_before: u32,
    /// What it makes of the order, with the event for its timeline.
    pub change: Change,
    /// The request's idempotency key, if it sent one.
    pub idempotency_key: Option<IdempotencyKey>,
}

/// The result of recording a shipment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShipmentSent {
    /// It is recorded.
    Written,
    /// It was recorded before, under the same idempotency key. Nothing was changed.
    Known(ShipmentId),
    /// The order or its shipments have changed since they were read. Nothing was changed.
    Conflict,
}

/// Shipments of orders. An order that is shipped at once gets one of all units that are left, whoever ships it.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
#[async_trait]
pub trait ShipmentRepository: Send + Sync {
    /// Records a shipment, what it makes of its order, and the event: all of it or nothing. However many calls ship at once,
    /// never more units leave than the order has. Repeating the call with the same idempotency key changes nothing.
    async fn send(&self, new: &NewShipment) -> Result<ShipmentSent, StoreError>;

    /// The shipment of an order that an earlier request with this idempotency key recorded.
    async fn sent_under(
        &self,
        order: OrderId,
        idempotency_key: IdempotencyKey,
    ) -> Result<Option<ShipmentId>, StoreError>;

    /// An order's shipments, oldest first.
    async fn of_order(&self, order: OrderId) -> Result<Vec<Shipment>, StoreError>;
}
