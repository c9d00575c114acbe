//! Rows of checkouts. Field names in JSON are permanent.

use diesel::prelude::*;
use domain::{
    AccountId, Address, BasisPoints, Checkout, CheckoutContact, CheckoutId, CheckoutNumber, ChosenMethod, LineTax,
    ShippingMethodId, TypedAddress,
};
use jiff_diesel::Timestamp as SqlTimestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use crate::platform::decode::RowDecoder;
use crate::schema;

#[derive(Queryable, Selectable)]
#[diesel(table_name = schema::checkouts, check_for_backend(diesel::pg::Pg))]
pub(crate) struct CheckoutRow {
    pub(crate) id: Uuid,
    number: i64,
    buyer_id: Uuid,
    contact_name: String,
    contact_email: String,
    contact_phone: String,
    address: Value,
    po_number: Option<String>,
    note: Option<String>,
    terms: String,
    shipping_method_id: Option<i32>,
    shipping_method: Option<String>,
    goods_cents: i64,
    shipping_cents: Option<i64>,
    tax_cents: Option<i64>,
    taxes: Value,
    placed_at: SqlTimestamp,
}

#[derive(Serialize, Deserialize)]
struct AddressJson {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    company: Option<String>,
    line1: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    line2: Option<String>,
    city: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    region: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    postcode: Option<String>,
    country: String,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct TaxJson {
    line: u16,
    name: String,
    basis_points: u16,
}

pub(crate) fn address_json(address: &Address) -> QueryResult<Value> {
    let owned = |text: Option<&str>| text.map(ToOwned::to_owned);
    as_json(&AddressJson {
        company: owned(address.company()),
        line1: address.line1().to_owned(),
        line2: owned(address.line2()),
        city: address.city().to_owned(),
        region: owned(address.region()),
        postcode: owned(address.postcode()),
        country: address.country().code().to_owned(),
    })
}

pub(crate) fn taxes_json(taxes: &[(u16, LineTax)]) -> QueryResult<Value> {
    let json = |(line, tax): &(u16, LineTax)| TaxJson {
        line: *line,
        name: tax.name.as_str().to_owned(),
        basis_points: tax.rate.get(),
    };
    as_json(&taxes.iter().map(json).collect::<Vec<_>>())
}

fn as_json(value: &impl Serialize) -> QueryResult<Value> {
    serde_json::to_value(value).map_err(|why| diesel::result::Error::SerializationError(Box::new(why)))
}

fn read_address(decoder: RowDecoder, json: Value) -> QueryResult<Address> {
    let json: AddressJson = serde_json::from_value(json).map_err(|why| decoder.refuse("address", &why))?;
    let typed = TypedAddress {
        company: json.company.as_deref(),
        line1: Some(&json.line1),
        line2: json.line2.as_deref(),
        city: Some(&json.city),
        region: json.region.as_deref(),
        postcode: json.postcode.as_deref(),
        country: Some(&json.country),
    };
    Address::new(&typed).map_err(|_| decoder.refuse("address", "not an address"))
}

fn read_taxes(decoder: RowDecoder, json: Value) -> QueryResult<Vec<(u16, LineTax)>> {
    let json: Vec<TaxJson> = serde_json::from_value(json).map_err(|why| decoder.refuse("taxes", &why))?;
    let tax = |TaxJson { line, name, basis_points }: TaxJson| {
        let rate = BasisPoints::new(i64::from(basis_points)).map_err(|why| decoder.refuse("taxes", &why))?;
        Ok((line, LineTax { name: decoder.text("taxes", &name)?, rate }))
    };
    json.into_iter().map(tax).collect()
}

impl TryFrom<CheckoutRow> for Checkout {
    type Error = diesel::result::Error;

    fn try_from(row: CheckoutRow) -> QueryResult<Self> {
        let decoder = RowDecoder { what: "checkout", id: row.id };
        let method = match (row.shipping_method_id, row.shipping_method.as_deref()) {
            (Some(id), Some(name)) => {
                Some(ChosenMethod { id: ShippingMethodId(id), name: decoder.text("shipping_method", name)? })
            }
            _ => None,
        };
        let money = |column, cents: Option<i64>| cents.map(|cents| decoder.money(column, cents)).transpose();
        Ok(Self {
            id: CheckoutId::new(row.id),
            number: Some(CheckoutNumber::new(row.number).map_err(|why| decoder.refuse("number", &why))?),
            customer: AccountId::new(row.buyer_id),
            contact: CheckoutContact {
                name: decoder.text("contact_name", &row.contact_name)?,
                email: decoder.parse("contact_email", &row.contact_email)?,
                phone: decoder.text("contact_phone", &row.contact_phone)?,
            },
            address: read_address(decoder, row.address)?,
            po_number: decoder.maybe_text("po_number", row.po_number.as_deref())?,
            note: decoder.maybe_text("note", row.note.as_deref())?,
            terms: decoder.parse("terms", &row.terms)?,
            method,
            goods: decoder.money("goods_cents", row.goods_cents)?,
            shipping: money("shipping_cents", row.shipping_cents)?,
            tax: money("tax_cents", row.tax_cents)?,
            taxes: read_taxes(decoder, row.taxes)?,
            placed_at: row.placed_at.to_jiff(),
        })
    }
}
