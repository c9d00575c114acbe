//! What is told: an order, in the words of the shop's own interface.

use domain::{Fulfilment, Money, Payment, Standing};
use ports::Announcement;
use serde_json::{Value, json};

/// `{id, type, createdAt, data: {order}}`. Times are RFC 3339, in UTC; money is in dollars, as everywhere on the wire.
pub(crate) fn body(announcement: &Announcement) -> Value {
    let order = &announcement.order;
    let (payment, transaction, paid_at) = match &order.progress.payment {
        Payment::Unpaid => ("unpaid", None, None),
        Payment::Paid { transaction, at } => ("paid", Some(transaction), Some(at)),
        Payment::Refunded { transaction, .. } => ("refunded", Some(transaction), None),
    };
    let shipped_at = match order.progress.fulfilment {
        Fulfilment::Pending => None,
        Fulfilment::Shipped { at } => Some(at),
    };
    let cancelled_at = match order.progress.standing {
        Standing::Open => None,
        Standing::Cancelled { at } => Some(at),
    };
    json!({
        "id": announcement.event.to_string(),
        "type": announcement.topic.as_str(),
        "createdAt": announcement.happened_at.to_string(),
        "data": {
            "order": {
                "_id": order.id.to_string(),
                "productId": order.item.product.to_string(),
                "productName": order.item.name.as_str(),
                "category": order.item.category.as_str(),
                "quantity": order.item.quantity.get(),
                "unitPrice": dollars(order.item.unit_price.money()),
                "price": dollars(order.item.total),
                "name": order.contact.name.as_str(),
                "email": order.contact.email.as_str(),
                "phone": order.contact.phone.as_str(),
                "address": order.contact.address.as_str(),
                "payment": payment,
                "transactionId": transaction.map(ToString::to_string),
                "createdAt": order.placed_at.to_string(),
                "paidAt": paid_at.map(ToString::to_string),
                "shippedAt": shipped_at.map(|at| at.to_string()),
                "cancelledAt": cancelled_at.map(|at| at.to_string()),
            },
        },
    })
}

/// A number of dollars; a whole one without decimals.
fn dollars(money: Money) -> Value {
    let cents = money.cents();
    if cents % 100 == 0 { json!(cents / 100) } else { json!(money.dollars()) }
}
