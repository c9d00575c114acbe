//! Checkouts as they are shown.

use application::{Assessed, PlacedAs};
use domain::{Address, CheckoutState, CheckoutSums, Money, Order, TaxTotal, Text};
use ports::{InvoiceSummary, StoredCheckout};
use serde::Serialize;
use utoipa::ToSchema;

use super::invoices::InvoiceView;
use super::refusals::RefusedLineView;
use crate::wire::money::Dollars;

/// A line of a placed checkout.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CheckoutLine)]
pub(crate) struct LineView {
    /// Which line, from 1.
    line: u16,
    order_id: String,
    /// The order's number, such as `DL-10428`.
    #[schema(required)]
    order_number: Option<String>,
    product_id: String,
    name: String,
    #[schema(required)]
    part_number: Option<String>,
    img: String,
    quantity: u32,
    /// Dollars for one unit.
    #[schema(value_type = f64)]
    unit: Dollars,
    /// Dollars for the goods.
    #[schema(value_type = f64)]
    price: Dollars,
    /// Goods, freight and tax, in dollars; `null` while the freight waits for our figure.
    #[schema(required, value_type = Option<f64>)]
    due: Option<Dollars>,
    /// What of it went back, or is on its way back, in dollars.
    #[schema(value_type = f64)]
    refunded: Dollars,
    /// Whether the money is in.
    paid: bool,
    /// `Pending`, or `paid` once it has shipped, as orders have it.
    status: &'static str,
    cancelled: bool,
}

impl LineView {
    fn of(order: &Order, line: u16) -> Self {
        Self {
            line: order.item.line().map_or(line, |of| of.line),
            order_id: order.id.to_string(),
            order_number: order.assigned.number.map(|number| number.to_string()),
            product_id: order.item.product.to_string(),
            name: order.item.name.as_str().to_owned(),
            part_number: order.item.part_number.as_ref().map(|number| number.as_str().to_owned()),
            img: order.item.img.to_string(),
            quantity: order.item.quantity.get(),
            unit: Dollars(order.item.unit_price.money()),
            price: Dollars(order.item.total),
            due: order.item.charges().map(|_| Dollars(order.due())),
            refunded: Dollars(order.refunded),
            paid: order.is_paid(),
            status: if order.is_shipped() { "paid" } else { "Pending" },
            cancelled: order.is_cancelled(),
        }
    }
}

/// The tax of one rate.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = TaxTotal)]
pub(crate) struct TaxView {
    name: String,
    basis_points: u16,
    /// Goods and freight that it is computed from, in dollars.
    #[schema(value_type = f64)]
    base: Dollars,
    /// In dollars.
    #[schema(value_type = f64)]
    tax: Dollars,
}

pub(super) fn tax_views(totals: &[TaxTotal]) -> Vec<TaxView> {
    let view = |total: &TaxTotal| TaxView {
        name: total.by.name.as_str().to_owned(),
        basis_points: total.by.rate.get(),
        base: Dollars(total.base),
        tax: Dollars(total.tax),
    };
    totals.iter().map(view).collect()
}

/// An address.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PostalAddress)]
pub(crate) struct AddressView {
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    company: Option<String>,
    line1: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    line2: Option<String>,
    city: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    region: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    postcode: Option<String>,
    country: String,
}

impl From<&Address> for AddressView {
    fn from(address: &Address) -> Self {
        let owned = |text: Option<&str>| text.map(ToOwned::to_owned);
        Self {
            company: owned(address.company()),
            line1: address.line1().to_owned(),
            line2: owned(address.line2()),
            city: address.city().to_owned(),
            region: owned(address.region()),
            postcode: owned(address.postcode()),
            country: address.country().code().to_owned(),
        }
    }
}

/// Who is to be reached.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PlacedContact)]
pub(crate) struct ContactView {
    name: String,
    email: String,
    phone: String,
}

/// How far a checkout has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum CheckoutStateName {
    /// It waits for our freight figure.
    Waiting,
    /// Some of its orders are neither paid nor cancelled.
    Unpaid,
    /// All its orders that are not cancelled are paid.
    Paid,
    /// All its orders are cancelled.
    Cancelled,
}

impl From<CheckoutState> for CheckoutStateName {
    fn from(state: CheckoutState) -> Self {
        match state {
            CheckoutState::Waiting => Self::Waiting,
            CheckoutState::Unpaid => Self::Unpaid,
            CheckoutState::Paid => Self::Paid,
            CheckoutState::Cancelled => Self::Cancelled,
        }
    }
}

/// The sums of a checkout: of the orders that stand.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SumsView {
    /// Dollars for all goods.
    #[schema(value_type = f64)]
    goods: Dollars,
    /// The freight in dollars; `null` while it waits for our figure.
    #[schema(required, value_type = Option<f64>)]
    shipping: Option<Dollars>,
    /// The tax in dollars; `null` as long.
    #[schema(required, value_type = Option<f64>)]
    tax: Option<Dollars>,
    /// The taxes by rate.
    taxes: Vec<TaxView>,
    /// Goods, freight and tax, in dollars; `null` as long.
    #[schema(required, value_type = Option<f64>)]
    due: Option<Dollars>,
}

impl From<&CheckoutSums> for SumsView {
    fn from(sums: &CheckoutSums) -> Self {
        Self {
            goods: Dollars(sums.goods),
            shipping: sums.shipping.map(Dollars),
            tax: sums.tax.map(Dollars),
            taxes: tax_views(&sums.taxes),
            due: sums.due.map(Dollars),
        }
    }
}

impl SumsView {
    /// Goods, freight, tax and what is due, with two decimals; empty while it waits.
    pub(super) fn plain(&self) -> [String; 4] {
        let waiting = |sum: &Option<Dollars>| sum.as_ref().map(|sum| Dollars(sum.0).plain()).unwrap_or_default();
        [Dollars(self.goods.0).plain(), waiting(&self.shipping), waiting(&self.tax), waiting(&self.due)]
    }

    /// Of what would be placed.
    pub(super) fn assessed(assessed: &Assessed) -> Self {
        let charged = assessed.charged.as_ref();
        Self {
            goods: Dollars(assessed.goods),
            shipping: charged.map(|charged| Dollars(charged.shipping)),
            tax: charged.map(|charged| Dollars(charged.tax)),
            taxes: tax_views(&assessed.totals),
            due: charged.map(|charged| Dollars(charged.due)),
        }
    }

    /// Of goods without freight and tax.
    pub(super) fn of_goods(goods: Money) -> Self {
        let none = Some(Dollars(Money::ZERO));
        let goods = Dollars(goods);
        Self { goods, shipping: none, tax: none, taxes: Vec::new(), due: Some(goods) }
    }
}

/// A checkout.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Checkout)]
pub(crate) struct CheckoutView {
    /// The checkout's id; `null` for one line alone, which is a plain order.
    #[schema(required)]
    checkout_id: Option<String>,
    #[serde(rename = "_id", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    id: Option<String>,
    /// Such as `P-1001`; of a plain order its own.
    #[schema(required)]
    number: Option<String>,
    /// RFC 3339, UTC.
    placed_at: String,
    contact: ContactView,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    address: Option<AddressView>,
    #[schema(required)]
    po_number: Option<String>,
    #[schema(required)]
    note: Option<String>,
    /// `card` or `account`.
    terms: &'static str,
    /// What the shipping method is called; `null` without one.
    #[schema(required)]
    shipping_method: Option<String>,
    lines: Vec<LineView>,
    /// Lines that were left out.
    refused: Vec<RefusedLineView>,
    #[serde(flatten)]
    sums: SumsView,
    /// Whether all orders that stand are paid.
    paid: bool,
    /// How many orders stand: are not cancelled.
    standing: usize,
    state: CheckoutStateName,
    /// Until when the units are reserved: what is not paid by then is cancelled. `null` once all is paid.
    #[schema(required)]
    reserved_until: Option<String>,
    /// Its invoices and credit notes.
    invoices: Vec<InvoiceView>,
}

pub(super) fn texts<const MOST: usize>(text: Option<&Text<MOST>>) -> Option<String> {
    text.map(|text| text.as_str().to_owned())
}

impl CheckoutView {
    pub(super) fn of(stored: &StoredCheckout, refused: Vec<RefusedLineView>) -> Self {
        let StoredCheckout { checkout, orders } = stored;
        let standing: Vec<&Order> = orders.iter().filter(|order| !order.is_cancelled()).collect();
        let state = CheckoutState::of(orders);
        let id = checkout.id.to_string();
        Self {
            checkout_id: Some(id.clone()),
            id: Some(id),
            number: checkout.number.map(|number| number.to_string()),
            placed_at: checkout.placed_at.to_string(),
            contact: ContactView {
                name: checkout.contact.name.as_str().to_owned(),
                email: checkout.contact.email.to_string(),
                phone: checkout.contact.phone.as_str().to_owned(),
            },
            address: Some((&checkout.address).into()),
            po_number: texts(checkout.po_number.as_ref()),
            note: texts(checkout.note.as_ref()),
            terms: checkout.terms.as_str(),
            shipping_method: checkout.method.as_ref().map(|method| method.name.as_str().to_owned()),
            lines: orders.iter().map(|order| LineView::of(order, 0)).collect(),
            refused,
            sums: (&checkout.sums(orders)).into(),
            paid: state == CheckoutState::Paid,
            standing: standing.len(),
            state: state.into(),
            reserved_until: standing.iter().find_map(|order| order.reserved_until()).map(|until| until.to_string()),
            invoices: Vec::new(),
        }
    }

    pub(super) fn with_invoices(self, invoices: Vec<InvoiceSummary>) -> Self {
        Self { invoices: invoices.into_iter().map(Into::into).collect(), ..self }
    }

    /// One line alone, which is a plain order.
    fn of_order(order: &Order, refused: Vec<RefusedLineView>) -> Self {
        let state = CheckoutState::of(std::slice::from_ref(order));
        Self {
            checkout_id: None,
            id: None,
            number: order.assigned.number.map(|number| number.to_string()),
            placed_at: order.placed_at.to_string(),
            contact: ContactView {
                name: order.contact.name.as_str().to_owned(),
                email: order.contact.email.to_string(),
                phone: order.contact.phone.as_str().to_owned(),
            },
            address: None,
            po_number: texts(order.item.purchase.as_ref().and_then(|purchase| purchase.po_number.as_ref())),
            note: None,
            terms: "card",
            shipping_method: None,
            lines: vec![LineView::of(order, 1)],
            refused,
            sums: SumsView::of_goods(order.item.total),
            paid: state == CheckoutState::Paid,
            standing: usize::from(!order.is_cancelled()),
            state: state.into(),
            reserved_until: order.reserved_until().map(|until| until.to_string()),
            invoices: Vec::new(),
        }
    }

    pub(super) fn placed(placed: &PlacedAs, refused: Vec<RefusedLineView>) -> Self {
        match placed {
            PlacedAs::Checkout(stored) => Self::of(stored, refused),
            PlacedAs::Order(order) => Self::of_order(order, refused),
        }
    }
}
