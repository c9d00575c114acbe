//! What is printed, as the rows keep it. Field names are permanent: documents are read for as long as they have to be kept.

use diesel::QueryResult;
use domain::{
    Buyer, CheckoutId, DocumentLine, Invoice, InvoiceFacts, InvoiceId, InvoiceKind, InvoiceNumber, InvoiceSubject,
    InvoicedPurchase, OrderId, OrderNumber, PrintedAddress, PrintedTax, Seller, Settlement, SheetFacts, TaxCategory,
    Text, Timestamp,
};
use ports::PrintedPurchase;
use serde::Deserialize;
use serde_json::Value;
use uuid::Uuid;

use crate::platform::decode::RowDecoder;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct SellerJson {
    name: String,
    line1: String,
    line2: Option<String>,
    city: String,
    region: Option<String>,
    postcode: Option<String>,
    country: String,
    tax_id: Option<String>,
    email: String,
    phone: Option<String>,
    terms: Option<String>,
}

/// The address of a checkout, or the text that an order of its own has.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct AddressJson {
    text: Option<String>,
    company: Option<String>,
    line1: Option<String>,
    line2: Option<String>,
    city: Option<String>,
    region: Option<String>,
    postcode: Option<String>,
    country: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct BuyerJson {
    name: String,
    email: String,
    phone: String,
    vat_id: Option<String>,
    address: AddressJson,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct LineJson {
    #[serde(rename = "orderId")]
    _order_id: String,
    order: i64,
    part_number: Option<String>,
    name: String,
    quantity: u32,
    unit_cents: i64,
    goods_cents: i64,
    freight_cents: i64,
    tax_cents: i64,
    tax_name: String,
    basis_points: u32,
    tax_category: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct CreditedJson {
    number: i64,
    issued_at: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct InvoiceJson {
    purchase: String,
    paid_at: Option<String>,
    credits: Option<CreditedJson>,
    po_number: Option<String>,
    seller: SellerJson,
    buyer: BuyerJson,
    deliver_to: AddressJson,
    lines: Vec<LineJson>,
    goods_cents: i64,
    freight_cents: i64,
    tax_cents: i64,
    total_cents: i64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct SheetJson {
    purchase: String,
    placed_at: String,
    seller: SellerJson,
    buyer: BuyerJson,
    deliver_to: AddressJson,
    po_number: Option<String>,
    note: Option<String>,
    freight_waits: bool,
    lines: Vec<LineJson>,
}

/// Decodes the parts of one row's document.
#[derive(Clone, Copy)]
struct Reader(RowDecoder);

impl Reader {
    fn json<T: for<'de> Deserialize<'de>>(self, data: Value) -> QueryResult<T> {
        serde_json::from_value(data).map_err(|why| self.0.refuse("data", &why))
    }

    fn seller(self, json: &SellerJson) -> QueryResult<Seller> {
        let decoder = self.0;
        Ok(Seller {
            name: decoder.text("seller.name", &json.name)?,
            line1: decoder.text("seller.line1", &json.line1)?,
            line2: decoder.maybe_text("seller.line2", json.line2.as_deref())?,
            city: decoder.text("seller.city", &json.city)?,
            region: decoder.maybe_text("seller.region", json.region.as_deref())?,
            postcode: decoder.maybe_text("seller.postcode", json.postcode.as_deref())?,
            country: decoder.parse("seller.country", &json.country)?,
            tax_id: decoder.maybe_text("seller.taxId", json.tax_id.as_deref())?,
            email: decoder.parse("seller.email", &json.email)?,
            phone: decoder.maybe_text("seller.phone", json.phone.as_deref())?,
            terms: decoder.maybe_text("seller.terms", json.terms.as_deref())?,
        })
    }

    fn address(self, json: &AddressJson) -> QueryResult<PrintedAddress> {
        let decoder = self.0;
        let lines = [&json.text, &json.line1, &json.line2].into_iter().flatten();
        Ok(PrintedAddress {
            company: decoder.maybe_text("address.company", json.company.as_deref())?,
            lines: lines.map(|line| decoder.text("address.line", line)).collect::<QueryResult<_>>()?,
            city: decoder.maybe_text("address.city", json.city.as_deref())?,
            region: decoder.maybe_text("address.region", json.region.as_deref())?,
            postcode: decoder.maybe_text("address.postcode", json.postcode.as_deref())?,
            country: decoder.maybe("address.country", json.country.as_deref())?,
        })
    }

    fn buyer(self, json: &BuyerJson) -> QueryResult<Buyer> {
        let decoder = self.0;
        Ok(Buyer {
            name: decoder.text("buyer.name", &json.name)?,
            email: decoder.parse("buyer.email", &json.email)?,
            phone: decoder.text("buyer.phone", &json.phone)?,
            vat_id: decoder.maybe_text("buyer.vatId", json.vat_id.as_deref())?,
            address: self.address(&json.address)?,
        })
    }

    fn line(self, json: &LineJson) -> QueryResult<DocumentLine> {
        let decoder = self.0;
        let category = TaxCategory::of_code(&json.tax_category);
        Ok(DocumentLine {
            order: OrderNumber::new(json.order).map_err(|why| decoder.refuse("lines.order", &why))?,
            part_number: decoder.maybe_text("lines.partNumber", json.part_number.as_deref())?,
            name: decoder.text("lines.name", &json.name)?,
            quantity: json.quantity,
            unit_price: decoder.money("lines.unitCents", json.unit_cents)?,
            goods: decoder.money("lines.goodsCents", json.goods_cents)?,
            freight: decoder.money("lines.freightCents", json.freight_cents)?,
            rate: PrintedTax {
                category: category.ok_or_else(|| decoder.refuse("lines.taxCategory", "no category"))?,
                name: json.tax_name.clone(),
                basis_points: json.basis_points,
            },
            tax: decoder.money("lines.taxCents", json.tax_cents)?,
        })
    }

    fn lines(self, json: &[LineJson]) -> QueryResult<Vec<DocumentLine>> {
        json.iter().map(|line| self.line(line)).collect()
    }
}

/// The columns of an invoice beside its data.
pub(super) struct InvoiceColumns {
    pub(super) id: Uuid,
    pub(super) kind: InvoiceKind,
    pub(super) number: i64,
    pub(super) order: Option<Uuid>,
    pub(super) checkout: Option<Uuid>,
    pub(super) issued_at: Timestamp,
    pub(super) total_cents: i64,
}

impl InvoiceColumns {
    pub(super) fn number(&self) -> QueryResult<InvoiceNumber> {
        let decoder = RowDecoder { what: "invoice", id: self.id };
        InvoiceNumber::new(self.kind, self.number).map_err(|why| decoder.refuse("number", &why))
    }
}

pub(super) fn invoice(columns: &InvoiceColumns, data: Value) -> QueryResult<Invoice> {
    let reader = Reader(RowDecoder { what: "invoice", id: columns.id });
    let decoder = reader.0;
    let json: InvoiceJson = reader.json(data)?;
    let paid_at: Option<Timestamp> = decoder.maybe("paidAt", json.paid_at.as_deref())?;
    let subject = match (columns.kind, &json.credits, paid_at) {
        (InvoiceKind::Invoice, None, Some(at)) => InvoiceSubject::Invoice(Settlement::Paid { at }),
        (InvoiceKind::Invoice, None, None) => InvoiceSubject::Invoice(Settlement::OnAccount),
        (InvoiceKind::Credit, Some(credited), None) => InvoiceSubject::Credit {
            of: InvoiceNumber::new(InvoiceKind::Invoice, credited.number)
                .map_err(|why| decoder.refuse("credits", &why))?,
            of_issued_at: decoder.parse("credits.issuedAt", &credited.issued_at)?,
        },
        _ => return Err(decoder.refuse("credits", "neither an invoice nor a credit note")),
    };
    let facts = InvoiceFacts {
        id: InvoiceId::new(columns.id),
        number: columns.number()?,
        issued_at: columns.issued_at,
        subject,
        purchase: InvoicedPurchase {
            order: columns.order.map(OrderId::new),
            checkout: columns.checkout.map(CheckoutId::new),
            number: decoder.text("purchase", &json.purchase)?,
        },
        seller: reader.seller(&json.seller)?,
        buyer: reader.buyer(&json.buyer)?,
        deliver_to: reader.address(&json.deliver_to)?,
        po_number: decoder.maybe_text("poNumber", json.po_number.as_deref())?,
    };
    let invoice = Invoice::new(facts, reader.lines(&json.lines)?).map_err(|why| decoder.refuse("lines", &why))?;
    let totals = invoice.totals();
    let sums = [totals.goods, totals.freight, totals.tax, totals.total].map(domain::Money::cents);
    if sums != [json.goods_cents, json.freight_cents, json.tax_cents, json.total_cents]
        || columns.total_cents != json.total_cents
    {
        return Err(decoder.refuse("total_cents", &domain::SumsRefused::Sums));
    }
    Ok(invoice)
}

pub(super) fn purchase(id: Uuid, owner: Uuid, printed: Value) -> QueryResult<PrintedPurchase> {
    let reader = Reader(RowDecoder { what: "purchase", id });
    let decoder = reader.0;
    let json: SheetJson = reader.json(printed)?;
    let number: Text<40> = decoder.text("purchase", &json.purchase)?;
    Ok(PrintedPurchase {
        owner: domain::AccountId::new(owner),
        facts: SheetFacts {
            number,
            placed_at: decoder.parse("placedAt", &json.placed_at)?,
            seller: reader.seller(&json.seller)?,
            buyer: reader.buyer(&json.buyer)?,
            deliver_to: reader.address(&json.deliver_to)?,
            po_number: decoder.maybe_text("poNumber", json.po_number.as_deref())?,
            note: decoder.maybe_text("note", json.note.as_deref())?,
        },
        freight_waits: json.freight_waits,
        lines: reader.lines(&json.lines)?,
    })
}
