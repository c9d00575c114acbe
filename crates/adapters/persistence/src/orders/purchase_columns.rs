//! How an order was bought, as its row and its first event keep it. Field names are permanent.

use diesel::QueryResult;
use diesel::prelude::*;
use domain::{Charges, CheckoutId, CheckoutLine, Purchase};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::platform::decode::RowDecoder;
use crate::schema;

#[derive(Queryable, Selectable)]
#[diesel(table_name = schema::orders, check_for_backend(diesel::pg::Pg))]
pub(crate) struct PurchaseRow {
    checkout_id: Option<Uuid>,
    line: Option<i16>,
    shipping_cents: i64,
    tax_cents: i64,
    awaits_freight: bool,
    po_number: Option<String>,
}

impl PurchaseRow {
    /// `None` for an order that was bought by itself, without a number of the customer.
    pub(crate) fn read(&self, decoder: RowDecoder) -> QueryResult<Option<Box<Purchase>>> {
        let charges = Charges {
            shipping: decoder.money("shipping_cents", self.shipping_cents)?,
            tax: decoder.money("tax_cents", self.tax_cents)?,
        };
        let line = match (self.checkout_id, self.line) {
            (None, None) => None,
            (Some(checkout), Some(line)) => Some(CheckoutLine {
                checkout: CheckoutId::new(checkout),
                line: u16::try_from(line).map_err(|why| decoder.refuse("line", &why))?,
                charges: (!self.awaits_freight).then_some(charges),
            }),
            _ => return Err(decoder.refuse("checkout_id and line", "one without the other")),
        };
        let po_number = decoder.maybe_text("po_number", self.po_number.as_deref())?;
        let is_any = line.is_some() || po_number.is_some();
        Ok(is_any.then(|| Box::new(Purchase { line, po_number })))
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PurchaseJson {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    checkout: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    line: Option<u16>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    charges: Option<ChargesJson>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    po_number: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ChargesJson {
    shipping_cents: i64,
    tax_cents: i64,
}

impl ChargesJson {
    pub(crate) const fn of(charges: Charges) -> Self {
        Self { shipping_cents: charges.shipping.cents(), tax_cents: charges.tax.cents() }
    }

    pub(crate) fn read(&self, decoder: RowDecoder) -> QueryResult<Charges> {
        Ok(Charges {
            shipping: decoder.money("data", self.shipping_cents)?,
            tax: decoder.money("data", self.tax_cents)?,
        })
    }
}

impl PurchaseJson {
    pub(crate) fn of(purchase: &Purchase) -> Self {
        let line = purchase.line;
        Self {
            checkout: line.map(|line| line.checkout.to_string()),
            line: line.map(|line| line.line),
            charges: line.and_then(|line| line.charges).map(ChargesJson::of),
            po_number: purchase.po_number.as_ref().map(|number| number.as_str().to_owned()),
        }
    }

    pub(crate) fn read(&self, decoder: RowDecoder) -> QueryResult<Box<Purchase>> {
        let line = match (&self.checkout, self.line) {
            (None, None) => None,
            (Some(checkout), Some(line)) => Some(CheckoutLine {
                checkout: decoder.parse("data", checkout)?,
                line,
                charges: self.charges.as_ref().map(|charges| charges.read(decoder)).transpose()?,
            }),
            _ => return Err(decoder.refuse("data", "a checkout without a line, or a line without a checkout")),
        };
        Ok(Box::new(Purchase { line, po_number: decoder.maybe_text("data", self.po_number.as_deref())? }))
    }
}
