//! Rebuilding an order from its timeline.

use crate::orders::event::{OrderEvent, OrderEventKind};
use crate::orders::order::{EventMeta, Order};
use crate::orders::refusals::ReplayError;

impl Order {
    /// Rebuilds an order from its timeline, oldest event first, by the same rules that made it.
    ///
    /// # Errors
    /// [`ReplayError`] for a timeline that those rules could not have produced.
    pub fn replay<'a>(timeline: impl IntoIterator<Item = &'a OrderEvent>) -> Result<Self, ReplayError> {
        let mut entries = timeline.into_iter();
        let first = entries.next().ok_or(ReplayError::NoBeginning)?;
        let OrderEventKind::Ordered { customer, contact, item, assigned } = &first.kind else {
            return Err(ReplayError::NoBeginning);
        };
        let fresh = Self::fresh(first.order, *customer, (**contact).clone(), (**item).clone(), first.at);
        let placed = Self { assigned: *assigned, ..fresh };
        entries.try_fold(placed, |order, entry| {
            let meta = EventMeta { event: entry.id, by: entry.by.clone(), at: entry.at };
            let change = match &entry.kind {
                OrderEventKind::Ordered { .. } => None,
                OrderEventKind::FreightSet { charges } => order.set_freight(*charges, meta).ok(),
                OrderEventKind::Paid { transaction } => order.settle(transaction.clone(), meta).ok(),
                OrderEventKind::Shipped { .. } => order.ship(meta).ok(),
                OrderEventKind::PartShipped { shipment, units } => order.ship_units(*shipment, *units, meta).ok(),
                OrderEventKind::Cancelled => order.cancel_with_refund(meta).ok(),
                OrderEventKind::Refunded { transaction } => order.refund(transaction.clone(), meta).ok(),
                OrderEventKind::RefundFailed(money) => Some(order.refund_failed(money.clone(), meta)),
                OrderEventKind::PartlyRefunded(_)
                | OrderEventKind::Overpaid { .. }
                | OrderEventKind::Disputed { .. }
                | OrderEventKind::DisputeClosed { .. }
                | OrderEventKind::ReturnRequested { .. }
                | OrderEventKind::ReturnAccepted { .. }
                | OrderEventKind::ReturnDeclined { .. } => order.note(entry.kind.clone(), meta),
            };
            change.filter(|change| change.event == *entry).map(|change| change.after).ok_or(ReplayError::Refused)
        })
    }
}
