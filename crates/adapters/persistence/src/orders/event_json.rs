//! A timeline entry's `data` column. Field names are permanent: entries are never rewritten.

use std::num::NonZeroU32;

use diesel::QueryResult;
use diesel::result::Error;
use domain::orders::event::{MoneyBack, OrderEventKind};
use domain::{Contact, Item, ReturnId, StoreAssigned};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::orders::purchase_columns::{ChargesJson, PurchaseJson};
use crate::orders::vehicle_json::VehicleJson;
use crate::platform::decode::RowDecoder;

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Ordered {
    #[serde(rename = "buyer")]
    customer: String,
    contact: ContactJson,
    item: ItemJson,
    /// This field and the next one are added by the statement that places the order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    number: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reserved_until: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct ContactJson {
    name: String,
    email: String,
    phone: String,
    address: String,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ItemJson {
    product: String,
    name: String,
    category: String,
    details: String,
    img: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    part_number: Option<String>,
    unit_price_cents: i64,
    quantity: i64,
    total_cents: i64,
    /// The statement that places the order puts it into the order's own row too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    vehicle: Option<VehicleJson>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    purchase: Option<PurchaseJson>,
}

#[derive(Serialize, Deserialize)]
struct Transaction {
    transaction: String,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Shipped {
    on_account: bool,
}

#[derive(Serialize, Deserialize)]
struct PartShipped {
    shipment: String,
    units: NonZeroU32,
}

#[derive(Serialize, Deserialize)]
struct MoneyBackJson {
    transaction: String,
    refund: String,
    cents: i64,
}

#[derive(Serialize, Deserialize)]
struct Overpaid {
    transaction: String,
    cents: i64,
}

#[derive(Serialize, Deserialize)]
struct Disputed {
    transaction: String,
    dispute: String,
    cents: i64,
}

#[derive(Serialize, Deserialize)]
struct DisputeClosed {
    transaction: String,
    dispute: String,
    won: bool,
}

/// Of a return: each kind of event has the fields that it needs.
#[derive(Serialize, Deserialize)]
struct ReturnJson {
    #[serde(rename = "return")]
    id: String,
    units: NonZeroU32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cents: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    refund: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    restocked: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    answer: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct Nothing {}

/// The `kind` column of an event.
pub(crate) const fn kind(kind: &OrderEventKind) -> &'static str {
    match kind {
        OrderEventKind::Ordered { .. } => "ordered",
        OrderEventKind::FreightSet { .. } => "freight_set",
        OrderEventKind::Paid { .. } => "paid",
        OrderEventKind::Shipped { .. } => "shipped",
        OrderEventKind::PartShipped { .. } => "part_shipped",
        OrderEventKind::Cancelled => "cancelled",
        OrderEventKind::Refunded { .. } => "refunded",
        OrderEventKind::PartlyRefunded(_) => "partly_refunded",
        OrderEventKind::RefundFailed(_) => "refund_failed",
        OrderEventKind::Overpaid { .. } => "overpaid",
        OrderEventKind::Disputed { .. } => "disputed",
        OrderEventKind::DisputeClosed { .. } => "dispute_closed",
        OrderEventKind::ReturnRequested { .. } => "return_requested",
        OrderEventKind::ReturnAccepted { .. } => "return_accepted",
        OrderEventKind::ReturnDeclined { .. } => "return_declined",
    }
}

/// The `data` column of an event.
pub(crate) fn write(kind: &OrderEventKind) -> QueryResult<Value> {
    let written = match kind {
        OrderEventKind::Ordered { customer, contact, item, assigned: _ } => serde_json::to_value(Ordered {
            customer: customer.to_string(),
            contact: write_contact(contact),
            item: write_item(item),
            number: None,
            reserved_until: None,
        }),
        OrderEventKind::FreightSet { charges } => serde_json::to_value(ChargesJson::of(*charges)),
        OrderEventKind::Paid { transaction } | OrderEventKind::Refunded { transaction } => {
            serde_json::to_value(Transaction { transaction: transaction.as_str().to_owned() })
        }
        OrderEventKind::Shipped { on_account } => serde_json::to_value(Shipped { on_account: *on_account }),
        OrderEventKind::PartShipped { shipment, units } => {
            serde_json::to_value(PartShipped { shipment: shipment.to_string(), units: *units })
        }
        OrderEventKind::Cancelled => serde_json::to_value(Nothing {}),
        OrderEventKind::PartlyRefunded(money) | OrderEventKind::RefundFailed(money) => {
            serde_json::to_value(MoneyBackJson {
                transaction: money.transaction.as_str().to_owned(),
                refund: money.refund.to_string(),
                cents: money.amount.cents(),
            })
        }
        OrderEventKind::Overpaid { transaction, amount } => {
            serde_json::to_value(Overpaid { transaction: transaction.as_str().to_owned(), cents: amount.cents() })
        }
        OrderEventKind::Disputed { transaction, dispute, amount } => serde_json::to_value(Disputed {
            transaction: transaction.as_str().to_owned(),
            dispute: dispute.as_str().to_owned(),
            cents: amount.cents(),
        }),
        OrderEventKind::DisputeClosed { transaction, dispute, won } => serde_json::to_value(DisputeClosed {
            transaction: transaction.as_str().to_owned(),
            dispute: dispute.as_str().to_owned(),
            won: *won,
        }),
        OrderEventKind::ReturnRequested { id, units, reason } => {
            serde_json::to_value(ReturnJson { reason: Some(reason.as_str().to_owned()), ..of_return(*id, *units) })
        }
        OrderEventKind::ReturnAccepted { id, units, amount, refund, restocked } => serde_json::to_value(ReturnJson {
            cents: Some(amount.cents()),
            refund: refund.map(|refund| refund.to_string()),
            restocked: Some(*restocked),
            ..of_return(*id, *units)
        }),
        OrderEventKind::ReturnDeclined { id, units, answer } => {
            serde_json::to_value(ReturnJson { answer: Some(answer.as_str().to_owned()), ..of_return(*id, *units) })
        }
    };
    written.map_err(|error| Error::SerializationError(Box::new(error)))
}

fn of_return(id: ReturnId, units: NonZeroU32) -> ReturnJson {
    ReturnJson { id: id.to_string(), units, reason: None, cents: None, refund: None, restocked: None, answer: None }
}

fn write_contact(contact: &Contact) -> ContactJson {
    ContactJson {
        name: contact.name.as_str().to_owned(),
        email: contact.email.as_str().to_owned(),
        phone: contact.phone.as_str().to_owned(),
        address: contact.address.as_str().to_owned(),
    }
}

fn write_item(item: &Item) -> ItemJson {
    ItemJson {
        product: item.product.to_string(),
        name: item.name.as_str().to_owned(),
        category: item.category.as_str().to_owned(),
        details: item.details.as_str().to_owned(),
        img: item.img.as_str().to_owned(),
        part_number: item.part_number.as_ref().map(|number| number.as_str().to_owned()),
        unit_price_cents: item.unit_price.money().cents(),
        quantity: i64::from(item.quantity.get()),
        total_cents: item.total.cents(),
        vehicle: item.vehicle.as_deref().map(VehicleJson::of),
        purchase: item.purchase.as_deref().map(PurchaseJson::of),
    }
}

/// Decodes an event from the `kind` and `data` columns of an entry.
pub(crate) fn read(decoder: RowDecoder, kind: &str, data: Value) -> QueryResult<OrderEventKind> {
    let kind = match kind {
        "ordered" => {
            let ordered: Ordered = shape(decoder, data)?;
            OrderEventKind::Ordered {
                customer: decoder.parse("data", &ordered.customer)?,
                contact: Box::new(read_contact(decoder, &ordered.contact)?),
                item: Box::new(read_item(decoder, &ordered.item)?),
                assigned: StoreAssigned {
                    number: ordered.number.map(|number| decoder.number("data", number)).transpose()?,
                    reserved_until: decoder.maybe("data", ordered.reserved_until.as_deref())?,
                },
            }
        }
        "freight_set" => {
            let charges: ChargesJson = shape(decoder, data)?;
            OrderEventKind::FreightSet { charges: charges.read(decoder)? }
        }
        "paid" => OrderEventKind::Paid { transaction: transaction(decoder, data)? },
        "shipped" => {
            let shipped: Shipped = shape(decoder, data)?;
            OrderEventKind::Shipped { on_account: shipped.on_account }
        }
        "part_shipped" => {
            let part: PartShipped = shape(decoder, data)?;
            OrderEventKind::PartShipped { shipment: decoder.parse("data", &part.shipment)?, units: part.units }
        }
        "cancelled" => {
            let Nothing {} = shape(decoder, data)?;
            OrderEventKind::Cancelled
        }
        "refunded" => OrderEventKind::Refunded { transaction: transaction(decoder, data)? },
        "partly_refunded" => OrderEventKind::PartlyRefunded(money_back(decoder, data)?),
        "refund_failed" => OrderEventKind::RefundFailed(money_back(decoder, data)?),
        "overpaid" => {
            let json: Overpaid = shape(decoder, data)?;
            OrderEventKind::Overpaid {
                transaction: decoder.parse("data", &json.transaction)?,
                amount: decoder.money("data", json.cents)?,
            }
        }
        "disputed" => {
            let json: Disputed = shape(decoder, data)?;
            OrderEventKind::Disputed {
                transaction: decoder.parse("data", &json.transaction)?,
                dispute: decoder.parse("data", &json.dispute)?,
                amount: decoder.money("data", json.cents)?,
            }
        }
        "dispute_closed" => {
            let json: DisputeClosed = shape(decoder, data)?;
            OrderEventKind::DisputeClosed {
                transaction: decoder.parse("data", &json.transaction)?,
                dispute: decoder.parse("data", &json.dispute)?,
                won: json.won,
            }
        }
        "return_requested" | "return_accepted" | "return_declined" => read_return(decoder, kind, data)?,
        other => return Err(decoder.refuse("kind", other)),
    };
    Ok(kind)
}

fn read_return(decoder: RowDecoder, kind: &str, data: Value) -> QueryResult<OrderEventKind> {
    let json: ReturnJson = shape(decoder, data)?;
    let (id, units) = (decoder.parse("data", &json.id)?, json.units);
    let missing = || decoder.refuse("data", "without a field of its kind");
    Ok(match kind {
        "return_requested" => {
            let reason = decoder.maybe("data", json.reason.as_deref())?.ok_or_else(missing)?;
            OrderEventKind::ReturnRequested { id, units, reason }
        }
        "return_accepted" => OrderEventKind::ReturnAccepted {
            id,
            units,
            amount: decoder.money("data", json.cents.ok_or_else(missing)?)?,
            refund: decoder.maybe("data", json.refund.as_deref())?,
            restocked: json.restocked.ok_or_else(missing)?,
        },
        _ => {
            let answer = decoder.maybe_text("data", json.answer.as_deref())?.ok_or_else(missing)?;
            OrderEventKind::ReturnDeclined { id, units, answer }
        }
    })
}

fn money_back(decoder: RowDecoder, data: Value) -> QueryResult<MoneyBack> {
    let json: MoneyBackJson = shape(decoder, data)?;
    Ok(MoneyBack {
        transaction: decoder.parse("data", &json.transaction)?,
        refund: decoder.parse("data", &json.refund)?,
        amount: decoder.money("data", json.cents)?,
    })
}

fn shape<T: for<'de> Deserialize<'de>>(decoder: RowDecoder, data: Value) -> QueryResult<T> {
    serde_json::from_value(data).map_err(|why| decoder.refuse("data", &why))
}

fn transaction(decoder: RowDecoder, data: Value) -> QueryResult<domain::TransactionId> {
    let Transaction { transaction } = shape(decoder, data)?;
    decoder.parse("data", &transaction)
}

fn read_contact(decoder: RowDecoder, contact: &ContactJson) -> QueryResult<Contact> {
    Ok(Contact {
        name: decoder.text("data", &contact.name)?,
        email: decoder.parse("data", &contact.email)?,
        phone: decoder.text("data", &contact.phone)?,
        address: decoder.text("data", &contact.address)?,
    })
}

fn read_item(decoder: RowDecoder, item: &ItemJson) -> QueryResult<Item> {
    Ok(Item {
        product: decoder.parse("data", &item.product)?,
        name: decoder.text("data", &item.name)?,
        category: decoder.parse("data", &item.category)?,
        details: decoder.text("data", &item.details)?,
        img: decoder.parse("data", &item.img)?,
        part_number: decoder.maybe_text("data", item.part_number.as_deref())?,
        unit_price: decoder.unit_price("data", item.unit_price_cents)?,
        quantity: decoder.quantity("data", item.quantity)?,
        total: decoder.money("data", item.total_cents)?,
        vehicle: item.vehicle.as_ref().map(|vehicle| vehicle.read(decoder, "data").map(Box::new)).transpose()?,
        purchase: item.purchase.as_ref().map(|purchase| purchase.read(decoder)).transpose()?,
    })
}
