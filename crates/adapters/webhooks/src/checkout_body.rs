//! A checkout in the body of a webhook, with the field names of the shop's own API.

use domain::{Address, CheckoutState, CheckoutSums, Order, TaxTotal};
use ports::StoredCheckout;
use serde_json::{Map, Value, json};

use crate::amount::dollars;

/// What waits for the freight is `null`.
fn sums(sums: &CheckoutSums) -> Map<String, Value> {
    let total = |total: &TaxTotal| {
        json!({
            "name": total.by.name.as_str(), "basisPoints": total.by.rate.get(), "base": dollars(total.base),
            "tax": dollars(total.tax),
        })
    };
    let named = [
        ("goods", dollars(sums.goods)),
        ("shipping", json!(sums.shipping.map(dollars))),
        ("tax", json!(sums.tax.map(dollars))),
        ("taxes", sums.taxes.iter().map(total).collect()),
        ("due", json!(sums.due.map(dollars))),
    ];
    named.map(|(name, value)| (name.to_owned(), value)).into_iter().collect()
}

fn line(order: &Order) -> Value {
    json!({
        "line": order.item.line().map(|of| of.line),
        "orderId": order.id.to_string(),
        "orderNumber": order.assigned.number.map(|number| number.to_string()),
        "productId": order.item.product.to_string(),
        "name": order.item.name.as_str(),
        "partNumber": order.item.part_number.as_ref().map(domain::Text::as_str),
        "img": order.item.img.to_string(),
        "quantity": order.item.quantity.get(),
        "unit": dollars(order.item.unit_price.money()),
        "price": dollars(order.item.total),
        "due": order.item.charges().map(|_| dollars(order.due())),
        "paid": order.is_paid(),
        "status": if order.is_shipped() { "paid" } else { "Pending" },
        "cancelled": order.is_cancelled(),
    })
}

fn address(address: &Address) -> Value {
    let members = [
        ("company", address.company()),
        ("line1", Some(address.line1())),
        ("line2", address.line2()),
        ("city", Some(address.city())),
        ("region", address.region()),
        ("postcode", address.postcode()),
        ("country", Some(address.country().code())),
    ];
    members.into_iter().filter_map(|(name, text)| Some((name.to_owned(), json!(text?)))).collect()
}

/// A checkout as `GET /checkouts/{id}` has it, without what is only told there: the lines that were refused, and the invoices.
pub(crate) fn checkout_body(stored: &StoredCheckout) -> Value {
    let StoredCheckout { checkout, orders } = stored;
    let standing: Vec<&Order> = orders.iter().filter(|order| !order.is_cancelled()).collect();
    let state = CheckoutState::of(orders);
    let mut body = sums(&checkout.sums(orders));
    let reserved_until = standing.iter().find_map(|order| order.reserved_until());
    let named = [
        ("checkoutId", json!(checkout.id.to_string())),
        ("_id", json!(checkout.id.to_string())),
        ("number", json!(checkout.number.map(|number| number.to_string()))),
        ("placedAt", json!(checkout.placed_at.to_string())),
        (
            "contact",
            json!({
                "name": checkout.contact.name.as_str(), "email": checkout.contact.email.as_str(),
                "phone": checkout.contact.phone.as_str(),
            }),
        ),
        ("address", address(&checkout.address)),
        ("poNumber", json!(checkout.po_number.as_ref().map(domain::Text::as_str))),
        ("note", json!(checkout.note.as_ref().map(domain::Text::as_str))),
        ("terms", json!(checkout.terms.as_str())),
        ("shippingMethod", json!(checkout.method.as_ref().map(|method| method.name.as_str()))),
        ("lines", orders.iter().map(line).collect()),
        ("paid", json!(state == CheckoutState::Paid)),
        ("standing", json!(standing.len())),
        ("state", json!(state.as_str())),
        ("reservedUntil", json!(reserved_until.map(|until| until.to_string()))),
    ];
    body.extend(named.map(|(name, value)| (name.to_owned(), value)));
    Value::Object(body)
}
