//! A checkout as it was placed.

use crate::checkout::assessment::LineTax;
use crate::checkout::purchase_order::{CheckoutNumber, Terms};
use crate::{AccountId, Address, CheckoutId, Email, Money, ShippingMethodId, Text, Timestamp};

/// Who is to be reached about a checkout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckoutContact {
    /// The name.
    pub name: Text<120>,
    /// The account's address.
    pub email: Email,
    /// The telephone number.
    pub phone: Text<40>,
}

/// By which method it is delivered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChosenMethod {
    /// The method; it may be gone since.
    pub id: ShippingMethodId,
    /// What it was called.
    pub name: Text<60>,
}

/// What was bought together. Its lines are orders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkout {
    /// Its id.
    pub id: CheckoutId,
    /// Its number; `None` before it is stored.
    pub number: Option<CheckoutNumber>,
    /// The account that placed it.
    pub customer: AccountId,
    /// Who is to be reached.
    pub contact: CheckoutContact,
    /// Where it goes.
    pub address: Address,
    /// The customer's purchase order number.
    pub po_number: Option<Text<60>>,
    /// What the customer wants the shop to know.
    pub note: Option<Text<1000>>,
    /// How it is to be paid.
    pub terms: Terms,
    /// How it is delivered; `None` if the shop had no method.
    pub method: Option<ChosenMethod>,
    /// What all its goods cost.
    pub goods: Money,
    /// The whole freight; `None` while it waits for an admin's figure.
    pub shipping: Option<Money>,
    /// The whole tax; `None` as long.
    pub tax: Option<Money>,
    /// By what each line is taxed: lines that are not are left out.
    pub taxes: Vec<(u16, LineTax)>,
    /// When it was placed.
    pub placed_at: Timestamp,
}
