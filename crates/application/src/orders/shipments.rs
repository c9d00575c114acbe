//! Shipping an order in parts.

use std::num::NonZeroU32;

use domain::accounts::access::Denied;
use domain::orders::refusals::ShipRefused;
use domain::orders::shipment::{ShipUnitsRefused, Tracking};
use domain::payments::refund::Withheld;
use domain::{Caller, Order, OrderId, Permission, Shipment, ShipmentId};
use ports::{IdempotencyKey, NewShipment, ShipmentSent};
use thiserror::Error;

use crate::change_order::{Attempt, change_order};
use crate::{Failure, Orders};

/// The command to ship some units of an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SendShipment {
    pub units: NonZeroU32,
    pub tracking: Tracking,
    pub idempotency_key: Option<IdempotencyKey>,
}

/// Why units of an order are not shipped. Nothing was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum SendShipmentRefused {
    /// All units have been shipped.
    #[error("all units have been shipped")]
    AllSent,
    /// More units than are left.
    #[error("only {left} units are left")]
    TooMany {
        /// How many units have not been shipped yet.
        left: u32,
    },
    /// The money is not what it should be.
    #[error(transparent)]
    Withheld(#[from] Withheld),
}

impl Orders {
    /// Ships some units of an order; of an unpaid one on account. With the last of them the order is shipped. As before any
    /// shipping, the provider is asked whether the money of a paid order is still there. The same idempotency key again
    /// returns the first id.
    ///
    /// # Errors
    /// [`SendShipmentRefused`]; [`Failure::Denied`] to anyone but an admin, and for a cancelled order;
    /// [`Failure::Unavailable`] if the provider does not confirm that the money is still there.
    pub async fn send_shipment(
        &self,
        caller: &Caller,
        id: OrderId,
        command: SendShipment,
    ) -> Result<ShipmentId, Failure<SendShipmentRefused>> {
        caller.require(Permission::ShipOrder)?;
        let command = &command;
        change_order(&*self.orders, id, |order| async move {
            if let Some(key) = command.idempotency_key
                && let Some(first) = self.shipments.sent_under(id, key).await?
            {
                return Ok(Attempt::Done(first));
            }
            self.record_shipment(caller, order, command).await
        })
        .await
    }

    async fn record_shipment(
        &self,
        caller: &Caller,
        order: Order,
        command: &SendShipment,
    ) -> Result<Attempt<ShipmentId>, Failure<SendShipmentRefused>> {
        let meta = self.events.meta(caller.actor());
        let shipment = Shipment {
            id: ShipmentId::new(self.ids.fresh()),
            order: order.id,
            units: command.units,
            tracking: command.tracking.clone().with_page(),
            sent_at: meta.at,
        };
        let change = match order.clone().ship_units(shipment.id, shipment.units, meta) {
            Ok(change) => change,
            Err(ShipUnitsRefused::Order(ShipRefused::Cancelled)) => return Err(Denied::NotFound.into()),
            Err(ShipUnitsRefused::Order(ShipRefused::Shipped)) => {
                return Err(Failure::Refused(SendShipmentRefused::AllSent));
            }
            Err(ShipUnitsRefused::TooMany { left }) => {
                return Err(Failure::Refused(SendShipmentRefused::TooMany { left }));
            }
        };
        self.check_payment(&order).await.map_err(|failure| failure.map(SendShipmentRefused::Withheld))?;
        let id = shipment.id;
        let shipped_before = order.shipped_units;
        let new = NewShipment { shipment, shipped_before, change, idempotency_key: command.idempotency_key };
        Ok(match self.shipments.send(&new).await? {
            ShipmentSent::Written => Attempt::Done(id),
            ShipmentSent::Known(first) => Attempt::Done(first),
            ShipmentSent::Conflict => Attempt::Conflict,
        })
    }

    /// An order's shipments, oldest first.
    ///
    /// # Errors
    /// [`Failure::Denied`] for another account's order, except to an admin; also if there is no such order.
    pub async fn shipments_of(&self, caller: &Caller, id: OrderId) -> Result<Vec<Shipment>, Failure> {
        let order = self.orders.find(id).await?.ok_or(Denied::NotFound)?;
        caller.require_owner(Permission::ReadOrder, order.customer)?;
        Ok(order.shipments(self.shipments.of_order(id).await?))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::{Actor, OrderEventKind, Role};
    use ports::MockShipmentRepository;

    use super::*;
    use crate::Ports;
    use crate::testing::{caller, customers_order, holding, meta, orders_on, ports};

    fn command(units: u32) -> SendShipment {
        SendShipment { units: NonZeroU32::new(units).unwrap(), tracking: Tracking::default(), idempotency_key: None }
    }

    fn service(order: &Order, shipments: MockShipmentRepository) -> Orders {
        orders_on(Ports { orders: Arc::new(holding(order)), shipments: Arc::new(shipments), ..ports() })
    }

    #[tokio::test]
    async fn only_an_admin_ships_a_part() {
        let refused = orders_on(ports()).send_shipment(&caller(Role::Customer), customers_order().id, command(1)).await;
        assert!(matches!(refused, Err(Failure::Denied(Denied::Forbidden))));
    }

    #[tokio::test]
    async fn the_last_units_ship_the_order_and_the_others_are_an_entry_of_its_timeline() {
        let order = customers_order();
        let part = Order { shipped_units: 20, ..order.clone() };
        for (order, units, ships) in [(&order, 20, false), (&part, 29, false), (&part, 30, true), (&order, 50, true)] {
            let mut shipments = MockShipmentRepository::new();
            let before = order.shipped_units;
            shipments
                .expect_send()
                .times(1)
                .withf(move |new| {
                    let NewShipment { shipment, change, shipped_before, .. } = new;
                    let part = OrderEventKind::PartShipped { shipment: shipment.id, units: shipment.units };
                    *shipped_before == before
                        && change.after.shipped_units == before + units
                        && change.after.is_shipped() == ships
                        && (change.event.kind == part) != ships
                })
                .returning(|_| Ok(ShipmentSent::Written));
            service(order, shipments).send_shipment(&caller(Role::Admin), order.id, command(units)).await.unwrap();
        }
    }

    #[tokio::test]
    async fn more_units_than_are_left_are_not_shipped() {
        let part = Order { shipped_units: 20, ..customers_order() };
        let refused = service(&part, MockShipmentRepository::new())
            .send_shipment(&caller(Role::Admin), part.id, command(31))
            .await;
        assert!(matches!(refused, Err(Failure::Refused(SendShipmentRefused::TooMany { left: 30 }))), "{refused:?}");
        let shipped = customers_order().ship(meta(Actor::Shop)).unwrap().after;
        let refused = service(&shipped, MockShipmentRepository::new())
            .send_shipment(&caller(Role::Admin), shipped.id, command(1))
            .await;
        assert!(matches!(refused, Err(Failure::Refused(SendShipmentRefused::AllSent))), "{refused:?}");
        let cancelled = customers_order().cancel(meta(Actor::Shop)).unwrap().after;
        let refused = service(&cancelled, MockShipmentRepository::new())
            .send_shipment(&caller(Role::Admin), cancelled.id, command(1))
            .await;
        assert!(matches!(refused, Err(Failure::Denied(Denied::NotFound))), "{refused:?}");
    }

    #[tokio::test]
    async fn an_order_from_before_there_were_shipments_left_in_one() {
        let shipped = customers_order().ship(meta(Actor::Shop)).unwrap().after;
        let mut shipments = MockShipmentRepository::new();
        shipments.expect_of_order().returning(|_| Ok(Vec::new()));
        let listed = service(&shipped, shipments).shipments_of(&caller(Role::Customer), shipped.id).await.unwrap();
        assert_eq!(listed.iter().map(|one| one.units.get()).collect::<Vec<_>>(), [50]);
    }
}
