//! A checkout in the body of a webhook, with the field names of the shop's own API.

use domain::{Address, Charges, Checkout, LineTax, Money, Order, tax_totals};
use ports::StoredCheckout;
use serde_json::{Map, Value, json};

use crate::amount::dollars;

/// Checked when it was placed.
fn sum(all: impl IntoIterator<Item = Money>) -> Value {
    dollars(all.into_iter().try_fold(Money::ZERO, Money::plus).unwrap_or(Money::MAX))
}

/// The sums of a checkout: of the orders that stand, or of all if none does. What waits for the freight is `null`.
fn sums(checkout: &Checkout, counted: &[&Order]) -> Map<String, Value> {
    let goods: Vec<Money> = counted.iter().map(|order| order.item.total).collect();
    let charges: Option<Vec<Charges>> = counted.iter().map(|order| order.item.charges()).collect();
    let by = |order: &&Order| -> Option<LineTax> {
        let line = order.item.line()?.line;
        checkout.taxes.iter().find(|(of, _)| *of == line).map(|(_, tax)| tax.clone())
    };
    let taxes: Vec<Option<LineTax>> = counted.iter().map(by).collect();
    let totals = charges.as_ref().and_then(|charges| tax_totals(&goods, &taxes, charges).ok()).unwrap_or_default();
    let total = |total: &domain::TaxTotal| {
        json!({
            "name": total.by.name.as_str(), "basisPoints": total.by.rate.get(), "base": dollars(total.base),
            "tax": dollars(total.tax),
        })
    };
    let of = |part: fn(&Charges) -> Money| charges.as_ref().map(|charges| sum(charges.iter().map(part)));
    let due = charges.as_ref().map(|_| sum(counted.iter().map(|order| order.due())));
    let named = [
        ("goods", sum(goods.iter().copied())),
        ("shipping", json!(of(|charges| charges.shipping))),
        ("tax", json!(of(|charges| charges.tax))),
        ("taxes", totals.iter().map(total).collect()),
        ("due", json!(due)),
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

fn state(orders: &[Order]) -> &'static str {
    let standing = || orders.iter().filter(|order| !order.is_cancelled());
    if standing().next().is_none() {
        "cancelled"
    } else if standing().any(|order| order.item.charges().is_none()) {
        "waiting"
    } else if standing().any(|order| order.state.transaction().is_none()) {
        "unpaid"
    } else {
        "paid"
    }
}

/// A checkout as `GET /checkouts/{id}` has it, without what is only told there: the lines that were refused, and the invoices.
pub(crate) fn checkout_body(stored: &StoredCheckout) -> Value {
    let StoredCheckout { checkout, orders } = stored;
    let standing: Vec<&Order> = orders.iter().filter(|order| !order.is_cancelled()).collect();
    let counted: Vec<&Order> = if standing.is_empty() { orders.iter().collect() } else { standing.clone() };
    let state = state(orders);
    let mut body = sums(checkout, &counted);
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
        ("paid", json!(state == "paid")),
        ("standing", json!(standing.len())),
        ("state", json!(state)),
        ("reservedUntil", json!(reserved_until.map(|until| until.to_string()))),
    ];
    body.extend(named.map(|(name, value)| (name.to_owned(), value)));
    Value::Object(body)
}
