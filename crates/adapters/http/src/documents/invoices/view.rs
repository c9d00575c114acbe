//! Invoices and credit notes as the client sees them.

use domain::{
    DocumentLine, Invoice, InvoiceId, InvoiceKind, InvoiceNumber, InvoiceSubject, PrintedAddress, RateTotal, Seller,
    Settlement,
};
use ports::InvoiceSummary;
use serde::Serialize;
use utoipa::ToSchema;

use crate::wire::money::{Balance, Dollars};

/// Which document it is.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = InvoiceKind)]
pub(crate) enum InvoiceKindName {
    Invoice,
    Credit,
}

impl From<InvoiceKind> for InvoiceKindName {
    fn from(kind: InvoiceKind) -> Self {
        match kind {
            InvoiceKind::Invoice => Self::Invoice,
            InvoiceKind::Credit => Self::Credit,
        }
    }
}

/// An invoice or a credit note in a list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = InvoiceSummary)]
pub(crate) struct InvoiceSummaryView {
    #[serde(rename = "_id")]
    id: String,
    /// `INV-000123` or `CN-000007`.
    number: String,
    kind: InvoiceKindName,
    /// RFC 3339, UTC.
    issued_at: String,
    /// Of a document about one order.
    #[serde(skip_serializing_if = "Option::is_none")]
    order_id: Option<String>,
    /// Of a document about a checkout.
    #[serde(skip_serializing_if = "Option::is_none")]
    checkout_id: Option<String>,
    #[schema(value_type = f64)]
    total: Dollars,
    /// Where its PDF is.
    url: String,
}

fn url(id: InvoiceId) -> String {
    format!("/invoices/{id}.pdf")
}

impl From<InvoiceSummary> for InvoiceSummaryView {
    fn from(summary: InvoiceSummary) -> Self {
        Self {
            url: url(summary.id),
            id: summary.id.to_string(),
            number: summary.number.to_string(),
            kind: summary.number.kind().into(),
            issued_at: summary.issued_at.to_string(),
            order_id: summary.order.map(|id| id.to_string()),
            checkout_id: summary.checkout.map(|id| id.to_string()),
            total: Dollars(summary.total),
        }
    }
}

/// The shop as the seller.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Seller)]
pub(crate) struct SellerView {
    name: String,
    line1: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    line2: Option<String>,
    city: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    postcode: Option<String>,
    /// ISO 3166-1 alpha-2.
    country: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    tax_id: Option<String>,
    email: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    phone: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    terms: Option<String>,
}

impl SellerView {
    pub(crate) fn of(seller: &Seller) -> Self {
        let shown = |text: Option<&dyn ToString>| text.map(ToString::to_string);
        Self {
            name: seller.name.to_string(),
            line1: seller.line1.to_string(),
            line2: shown(seller.line2.as_ref().map(|text| text as _)),
            city: seller.city.to_string(),
            region: shown(seller.region.as_ref().map(|text| text as _)),
            postcode: shown(seller.postcode.as_ref().map(|text| text as _)),
            country: seller.country.code().to_owned(),
            tax_id: shown(seller.tax_id.as_ref().map(|text| text as _)),
            email: seller.email.to_string(),
            phone: shown(seller.phone.as_ref().map(|text| text as _)),
            terms: shown(seller.terms.as_ref().map(|text| text as _)),
        }
    }
}

/// An address as it is printed.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PrintedAddressView {
    #[serde(skip_serializing_if = "Option::is_none")]
    company: Option<String>,
    lines: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    city: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    postcode: Option<String>,
    /// ISO 3166-1 alpha-2.
    #[serde(skip_serializing_if = "Option::is_none")]
    country: Option<String>,
}

impl PrintedAddressView {
    fn of(address: &PrintedAddress) -> Self {
        Self {
            company: address.company.as_ref().map(ToString::to_string),
            lines: address.lines.iter().map(ToString::to_string).collect(),
            city: address.city.as_ref().map(ToString::to_string),
            region: address.region.as_ref().map(ToString::to_string),
            postcode: address.postcode.as_ref().map(ToString::to_string),
            country: address.country.map(|country| country.code().to_owned()),
        }
    }
}

/// Who bought.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BuyerView {
    name: String,
    email: String,
    phone: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    vat_id: Option<String>,
    address: PrintedAddressView,
}

/// A line of a document.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InvoiceLineView {
    /// The number of the order that the line is.
    order_number: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    part_number: Option<String>,
    name: String,
    quantity: u32,
    #[schema(value_type = f64)]
    unit: Dollars,
    /// Unit price times quantity.
    #[schema(value_type = f64)]
    goods: Dollars,
    /// This line's part of the freight.
    #[schema(value_type = f64)]
    shipping: Dollars,
    /// In percent.
    #[schema(value_type = f64)]
    tax_rate: Balance,
    #[schema(value_type = f64)]
    tax: Dollars,
}

impl From<&DocumentLine> for InvoiceLineView {
    fn from(line: &DocumentLine) -> Self {
        Self {
            order_number: line.order.to_string(),
            part_number: line.part_number.as_ref().map(ToString::to_string),
            name: line.name.to_string(),
            quantity: line.quantity,
            unit: Dollars(line.unit_price),
            goods: Dollars(line.goods),
            shipping: Dollars(line.freight),
            tax_rate: Balance(line.rate.basis_points.into()),
            tax: Dollars(line.tax),
        }
    }
}

/// What is charged at one rate.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TaxTotalView {
    name: String,
    /// UNCL 5305: `S`, `Z`, `E`, `AE` or `O`.
    category: &'static str,
    basis_points: u32,
    /// Goods and freight.
    #[schema(value_type = f64)]
    base: Dollars,
    #[schema(value_type = f64)]
    tax: Dollars,
}

impl From<&RateTotal> for TaxTotalView {
    fn from(of: &RateTotal) -> Self {
        Self {
            name: of.rate.reason().map_or_else(|| of.rate.name.clone(), ToOwned::to_owned),
            category: of.rate.category.code(),
            basis_points: of.rate.basis_points,
            base: Dollars(of.base),
            tax: Dollars(of.tax),
        }
    }
}

/// What an invoice or a credit note says. It never changes.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Invoice)]
pub(crate) struct InvoiceView {
    #[serde(rename = "_id")]
    id: String,
    number: String,
    kind: InvoiceKindName,
    /// RFC 3339, UTC.
    issued_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    order_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    checkout_id: Option<String>,
    /// The number of what was bought, such as `DL-10428`.
    purchase: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    po_number: Option<String>,
    /// The number of the invoice that a credit note is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    credits: Option<String>,
    /// RFC 3339, UTC; not of what was shipped on account.
    #[serde(skip_serializing_if = "Option::is_none")]
    paid_at: Option<String>,
    seller: SellerView,
    buyer: BuyerView,
    deliver_to: PrintedAddressView,
    lines: Vec<InvoiceLineView>,
    #[schema(value_type = f64)]
    goods: Dollars,
    #[schema(value_type = f64)]
    shipping: Dollars,
    #[schema(value_type = f64)]
    tax: Dollars,
    taxes: Vec<TaxTotalView>,
    #[schema(value_type = f64)]
    total: Dollars,
    /// What of it was owed when it was issued.
    #[schema(value_type = f64)]
    due: Dollars,
    /// Where its PDF is.
    url: String,
}

impl InvoiceView {
    pub(crate) fn of(invoice: &Invoice) -> Self {
        let (facts, totals) = (invoice.facts(), invoice.totals());
        let (credits, paid_at): (Option<InvoiceNumber>, _) = match facts.subject {
            InvoiceSubject::Invoice(Settlement::Paid { at }) => (None, Some(at.to_string())),
            InvoiceSubject::Invoice(Settlement::OnAccount) => (None, None),
            InvoiceSubject::Credit { of, .. } => (Some(of), None),
        };
        Self {
            id: facts.id.to_string(),
            number: facts.number.to_string(),
            kind: invoice.kind().into(),
            issued_at: facts.issued_at.to_string(),
            order_id: facts.purchase.order.map(|id| id.to_string()),
            checkout_id: facts.purchase.checkout.map(|id| id.to_string()),
            purchase: facts.purchase.number.to_string(),
            po_number: facts.po_number.as_ref().map(ToString::to_string),
            credits: credits.map(|number| number.to_string()),
            paid_at,
            seller: SellerView::of(&facts.seller),
            buyer: BuyerView {
                name: facts.buyer.name.to_string(),
                email: facts.buyer.email.to_string(),
                phone: facts.buyer.phone.to_string(),
                vat_id: facts.buyer.vat_id.as_ref().map(ToString::to_string),
                address: PrintedAddressView::of(&facts.buyer.address),
            },
            deliver_to: PrintedAddressView::of(&facts.deliver_to),
            lines: invoice.lines().iter().map(Into::into).collect(),
            goods: Dollars(totals.goods),
            shipping: Dollars(totals.freight),
            tax: Dollars(totals.tax),
            taxes: totals.taxes.iter().map(Into::into).collect(),
            total: Dollars(totals.total),
            due: Dollars(invoice.due()),
            url: url(facts.id),
        }
    }
}
