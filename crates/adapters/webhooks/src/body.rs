//! The body of a webhook: an order or a checkout, with the field names of the shop's own API.

use domain::{Order, Payment};
use ports::{WebhookEvent, WebhookSubject};
use serde_json::{Value, json};

use crate::amount::dollars;
use crate::checkout_body::checkout_body;

/// `{id, seq, type, createdAt, data}`, where data has the `order` or the `checkout`. Times are RFC 3339, in UTC; money is in
/// dollars, as everywhere on the wire.
pub(crate) fn body(announcement: &WebhookEvent) -> Value {
    let data = match &announcement.subject {
        WebhookSubject::Order(order) => json!({"order": order_body(order)}),
        WebhookSubject::Checkout(stored) => json!({"checkout": checkout_body(stored)}),
    };
    json!({
        "id": announcement.event.to_string(),
        "seq": announcement.seq,
        "type": announcement.topic.as_str(),
        "createdAt": announcement.happened_at.to_string(),
        "data": data,
    })
}

fn order_body(order: &Order) -> Value {
    let (payment, transaction, paid_at) = match order.state.payment() {
        Payment::Unpaid => ("unpaid", None, None),
        Payment::Paid { transaction, at } => ("paid", Some(transaction), Some(at)),
        Payment::Refunded { transaction, .. } => ("refunded", Some(transaction), None),
    };
    json!({
        "_id": order.id.to_string(),
        "number": order.assigned.number.map(|number| number.to_string()),
        "productId": order.item.product.to_string(),
        "productName": order.item.name.as_str(),
        "partNumber": order.item.part_number.as_ref().map(domain::Text::as_str),
        "category": order.item.category.as_str(),
        "quantity": order.item.quantity.get(),
        "unitPrice": dollars(order.item.unit_price.money()),
        "price": dollars(order.item.total),
        "name": order.contact.name.as_str(),
        "email": order.contact.email.as_str(),
        "phone": order.contact.phone.as_str(),
        "address": order.contact.address.as_str(),
        "payment": payment,
        "transactionId": transaction.map(|transaction| transaction.to_string()),
        "createdAt": order.placed_at.to_string(),
        "reservedUntil": order.reserved_until().map(|until| until.to_string()),
        "paidAt": paid_at.map(|at| at.to_string()),
        "shippedAt": order.state.shipped_at().map(|at| at.to_string()),
        "cancelledAt": order.state.cancelled_at().map(|at| at.to_string()),
    })
}

#[cfg(test)]
pub(crate) mod tests {
    use domain::notifications::delivery::Topic;
    use domain::{
        AccountId, Category, Contact, EventId, Item, Money, Order, OrderId, OrderNumber, OrderState, ProductId,
        Quantity, StoreAssigned, Text, Timestamp, TransactionId, UnitPrice,
    };
    use uuid::Uuid;

    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + second).unwrap()
    }

    /// The event of an order that was just placed.
    pub(crate) fn announcement() -> WebhookEvent {
        let item = Item {
            product: ProductId::new(Uuid::from_u128(4)),
            name: Text::new("Bremse „Größe 2“").unwrap(),
            category: Category::Brakes,
            details: Text::new("A pair.").unwrap(),
            img: "/pictures/brake-disc-640.webp".parse().unwrap(),
            part_number: Some(Text::new("BD-330").unwrap()),
            unit_price: UnitPrice::from_dollars(129.99).unwrap(),
            quantity: Quantity::new(50).unwrap(),
            total: Money::from_cents(649_950).unwrap(),
            vehicle: None,
            purchase: None,
        };
        let contact = Contact {
            name: Text::new("Nia").unwrap(),
            email: "nia@example.com".parse().unwrap(),
            phone: Text::new("555 0100").unwrap(),
            address: Text::new("1 Workshop Lane").unwrap(),
        };
        let order = Order {
            id: OrderId::new(Uuid::from_u128(5)),
            assigned: StoreAssigned {
                number: Some(OrderNumber::new(10_428).unwrap()),
                reserved_until: Some(at(3_600)),
            },
            customer: AccountId::new(Uuid::from_u128(2)),
            contact,
            item,
            placed_at: at(0),
            shipped_units: 0,
            refunded: Money::ZERO,
            state: OrderState::Placed,
        };
        let event = EventId::new(Uuid::from_u128(6));
        WebhookEvent {
            event,
            seq: 1,
            topic: Topic::OrderOrdered,
            happened_at: at(0),
            subject: WebhookSubject::Order(Box::new(order)),
        }
    }

    #[test]
    fn a_body_has_the_orders_item_price_and_address() {
        assert_eq!(
            body(&announcement()),
            json!({
                "id": "00000000-0000-0000-0000-000000000006",
                "seq": 1,
                "type": "order.ordered",
                "createdAt": "2027-01-15T08:00:00Z",
                "data": {"order": {
                    "_id": "00000000-0000-0000-0000-000000000005", "number": "DL-10428", "partNumber": "BD-330",
                    "productId": "00000000-0000-0000-0000-000000000004",
                    "productName": "Bremse „Größe 2“", "category": "BRAKES", "quantity": 50, "unitPrice": 129.99,
                    "price": 6499.5, "name": "Nia", "email": "nia@example.com", "phone": "555 0100",
                    "address": "1 Workshop Lane", "payment": "unpaid", "transactionId": null,
                    "createdAt": "2027-01-15T08:00:00Z", "reservedUntil": "2027-01-15T09:00:00Z", "paidAt": null, "shippedAt": null, "cancelledAt": null,
                }},
            })
        );
    }

    #[test]
    fn a_body_has_the_orders_state() {
        let members_in = |state| {
            let mut announcement = announcement();
            let WebhookSubject::Order(order) = &mut announcement.subject else { panic!("about an order") };
            order.state = state;
            let body = body(&announcement);
            let members = ["payment", "transactionId", "paidAt", "shippedAt", "cancelledAt"];
            json!(members.map(|member| body["data"]["order"][member].clone()))
        };
        let transaction: TransactionId = "pi_1".parse().unwrap();
        let paid = Payment::Paid { transaction: transaction.clone(), at: at(1) };
        assert_eq!(
            members_in(OrderState::Shipped { at: at(2), payment: paid }),
            json!(["paid", "pi_1", "2027-01-15T08:00:01Z", "2027-01-15T08:00:02Z", null])
        );
        let refunded = Payment::Refunded { transaction, at: at(4) };
        assert_eq!(
            members_in(OrderState::Cancelled { at: at(3), payment: refunded }),
            json!(["refunded", "pi_1", null, null, "2027-01-15T08:00:03Z"])
        );
    }
}
