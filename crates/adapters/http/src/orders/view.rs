//! Orders as the client sees them, and as rows of a file.

use domain::{EngineNo, Order, OrderedVehicle, Payment, Text};
use serde::Serialize;
use utoipa::ToSchema;

use crate::wire::enums::{CategoryName, VerdictName};
use crate::wire::money::Dollars;

/// The payment of an order.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PaymentView {
    /// The order's id.
    product: String,
    /// The provider's id of the payment.
    transaction_id: String,
    status: PaymentStatus,
}

/// Whether the shop holds the money, or sent it back.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum PaymentStatus {
    Paid,
    Refunded,
}

/// `Pending` until an order ships, `paid` from then on.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub(crate) enum OrderStatus {
    Pending,
    #[serde(rename = "paid")]
    Shipped,
}

/// The vehicle that an order's part is for, as it was when it was ordered.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OrderedVehicle)]
pub(crate) struct OrderedVehicleView {
    /// The vehicle's id.
    id: i32,
    /// The engine's id, if the customer knew it.
    #[schema(required)]
    engine: Option<i32>,
    /// The vehicle, and its engine if it was known.
    label: String,
    /// Whether the part fitted it, as far as the shop knew.
    verdict: VerdictName,
    /// Of `if`, the conditions.
    conditions: Vec<OrderedConditionView>,
}

/// A condition under which a part fits.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OrderedCondition)]
pub(crate) struct OrderedConditionView {
    id: i32,
    text: String,
    /// Whether the customer said that it is true.
    confirmed: bool,
}

impl From<OrderedVehicle> for OrderedVehicleView {
    fn from(vehicle: OrderedVehicle) -> Self {
        let conditions = vehicle.conditions.into_iter().map(|each| OrderedConditionView {
            id: each.condition.id.get(),
            text: each.condition.text.into_string(),
            confirmed: each.confirmed,
        });
        Self {
            id: vehicle.vehicle.get(),
            engine: vehicle.engine.map(EngineNo::get),
            label: vehicle.label.into_string(),
            verdict: VerdictName(vehicle.verdict),
            conditions: conditions.collect(),
        }
    }
}

/// An order.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Order)]
pub(crate) struct OrderView {
    /// `UUIDv7`.
    #[serde(rename = "_id")]
    id: String,
    /// The human-readable number, such as `DL-10428`.
    #[schema(required)]
    number: Option<String>,
    product_id: String,
    /// The customer's name.
    name: String,
    /// The customer's e-mail.
    email: String,
    phone: String,
    address: String,
    product_name: String,
    /// The maker's number of the product, if it had one when it was ordered.
    #[schema(required)]
    part_number: Option<String>,
    category: CategoryName,
    /// How the product was described when it was ordered.
    description: String,
    /// The same.
    details: String,
    img: String,
    /// Left out if no vehicle was named.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    vehicle: Option<OrderedVehicleView>,
    /// Dollars for one unit.
    #[schema(value_type = f64)]
    unit_price: Dollars,
    quantity: u32,
    /// What the goods cost, in dollars: unit price times quantity.
    #[schema(value_type = f64)]
    price: Dollars,
    #[serde(flatten)]
    purchase: PurchaseView,
    /// Whether the money is in.
    paid: bool,
    status: OrderStatus,
    #[schema(required)]
    payment: Option<PaymentView>,
    /// RFC 3339, UTC.
    created_at: String,
    /// Until when its units are reserved: the order is cancelled if it is not paid by then. Null once it is paid or
    /// shipped.
    #[schema(required)]
    reserved_until: Option<String>,
    /// RFC 3339, UTC.
    #[schema(required)]
    paid_at: Option<String>,
    /// RFC 3339, UTC.
    #[schema(required)]
    shipped_at: Option<String>,
    /// Until when a return can be requested; null unless it is shipped and paid.
    #[schema(required)]
    returnable_until: Option<String>,
    /// RFC 3339, UTC; only lists that include cancelled orders have any.
    #[schema(required)]
    cancelled_at: Option<String>,
    /// Whether a card can pay it: up to $999,999.99. A larger order is sent on account.
    payable_by_card: bool,
}

/// How an order was bought, and what is due for it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PurchaseView {
    /// The checkout that it is a line of; left out if it was bought alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    checkout_id: Option<String>,
    /// Which line of it, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    line: Option<u16>,
    /// Its part of the freight; left out without a checkout, or while the freight waits for our figure.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<f64>)]
    shipping: Option<Dollars>,
    /// The tax on goods and freight; left out as long.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<f64>)]
    tax: Option<Dollars>,
    /// The customer's purchase order number.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    po_number: Option<String>,
    /// What has to be paid, in dollars: goods, freight and tax.
    #[schema(value_type = f64)]
    due: Dollars,
    /// What of it went back, or is on its way back, in dollars. `paid` stays true until it is all.
    #[schema(value_type = f64)]
    refunded: Dollars,
}

impl PurchaseView {
    fn of(order: &Order) -> Self {
        let line = order.item.line();
        let charges = line.and_then(|line| line.charges);
        let po_number = order.item.purchase.as_ref().and_then(|purchase| purchase.po_number.as_ref());
        Self {
            checkout_id: line.map(|line| line.checkout.to_string()),
            line: line.map(|line| line.line),
            shipping: charges.map(|charges| Dollars(charges.shipping)),
            tax: charges.map(|charges| Dollars(charges.tax)),
            po_number: po_number.map(|number| number.as_str().to_owned()),
            due: Dollars(order.due()),
            refunded: Dollars(order.refunded),
        }
    }
}

impl From<Order> for OrderView {
    fn from(order: Order) -> Self {
        let id = order.id.to_string();
        let (payment, paid_at) = match order.state.payment() {
            Payment::Unpaid => (None, None),
            Payment::Paid { transaction, at } => (Some((transaction, PaymentStatus::Paid)), Some(at.to_string())),
            Payment::Refunded { transaction, .. } => (Some((transaction, PaymentStatus::Refunded)), None),
        };
        let payment = payment.map(|(transaction, status)| PaymentView {
            product: id.clone(),
            transaction_id: transaction.to_string(),
            status,
        });
        let status = if order.is_shipped() { OrderStatus::Shipped } else { OrderStatus::Pending };
        let shipped_at = order.state.shipped_at().map(|at| at.to_string());
        let cancelled_at = order.state.cancelled_at().map(|at| at.to_string());
        let returnable_until = order.returnable_until().map(|until| until.to_string());
        let payable_by_card = order.is_payable_by_card();
        let reserved_until = order.reserved_until().map(|until| until.to_string());
        let purchase = PurchaseView::of(&order);
        let details = order.item.details.into_string();
        Self {
            id,
            number: order.assigned.number.map(|number| number.to_string()),
            product_id: order.item.product.to_string(),
            name: order.contact.name.into_string(),
            email: order.contact.email.to_string(),
            phone: order.contact.phone.into_string(),
            address: order.contact.address.into_string(),
            product_name: order.item.name.into_string(),
            part_number: order.item.part_number.map(Text::into_string),
            category: CategoryName(order.item.category),
            description: details.clone(),
            details,
            img: order.item.img.to_string(),
            vehicle: order.item.vehicle.map(|vehicle| (*vehicle).into()),
            unit_price: Dollars(order.item.unit_price.money()),
            quantity: order.item.quantity.get(),
            price: Dollars(order.item.total),
            purchase,
            paid: order.state.paid_by().is_some(),
            status,
            payment,
            created_at: order.placed_at.to_string(),
            reserved_until,
            paid_at,
            shipped_at,
            returnable_until,
            cancelled_at,
            payable_by_card,
        }
    }
}

impl OrderView {
    /// As a row of a CSV file, in the order of [`COLUMNS`].
    pub(super) fn cells(self) -> [String; COLUMNS.len()] {
        [
            self.id,
            self.created_at,
            self.name,
            self.email,
            self.phone,
            self.address,
            self.product_name,
            self.category.0.as_str().to_owned(),
            self.quantity.to_string(),
            self.unit_price.plain(),
            self.price.plain(),
            self.paid.to_string(),
            self.payment.map(|payment| payment.transaction_id).unwrap_or_default(),
            self.paid_at.unwrap_or_default(),
            match self.status {
                OrderStatus::Pending => "Pending",
                OrderStatus::Shipped => "paid",
            }
            .to_owned(),
            self.shipped_at.unwrap_or_default(),
            self.number.unwrap_or_default(),
            self.part_number.unwrap_or_default(),
        ]
    }
}

pub(super) fn views(orders: Vec<Order>) -> Vec<OrderView> {
    orders.into_iter().map(Into::into).collect()
}

/// The columns of an order file, in their order.
pub(super) const COLUMNS: [&str; 18] = [
    "id",
    "createdAt",
    "name",
    "email",
    "phone",
    "address",
    "productName",
    "category",
    "quantity",
    "unitPrice",
    "price",
    "paid",
    "transactionId",
    "paidAt",
    "status",
    "shippedAt",
    "number",
    "partNumber",
];

/// The columns of an order file, for the API's description.
pub(super) fn export_description() -> String {
    format!("A file: `{}`", COLUMNS.join(","))
}
