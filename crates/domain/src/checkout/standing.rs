//! How far the orders of a checkout have come, and what they come to.

use crate::checkout::assessment::{LineTax, TaxTotal, tax_totals};
use crate::{Charges, Checkout, Money, Order};

/// How far a checkout has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckoutState {
    /// It waits for an admin to say what the freight costs.
    Waiting,
    /// Some of its orders are neither paid nor cancelled.
    Unpaid,
    /// All its orders that are not cancelled are paid.
    Paid,
    /// All its orders are cancelled.
    Cancelled,
}

impl CheckoutState {
    /// The state of a checkout of these orders.
    #[must_use]
    pub fn of(orders: &[Order]) -> Self {
        let standing = || orders.iter().filter(|order| !order.is_cancelled());
        if standing().next().is_none() {
            Self::Cancelled
        } else if standing().any(|order| order.item.charges().is_none()) {
            Self::Waiting
        } else if standing().any(|order| order.state.transaction().is_none()) {
            Self::Unpaid
        } else {
            Self::Paid
        }
    }

    /// The name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Unpaid => "unpaid",
            Self::Paid => "paid",
            Self::Cancelled => "cancelled",
        }
    }
}

/// The sums of a checkout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckoutSums {
    /// What the goods cost.
    pub goods: Money,
    /// The freight; `None` while it waits for an admin's figure.
    pub shipping: Option<Money>,
    /// The tax; `None` as long.
    pub tax: Option<Money>,
    /// The taxes by rate; none as long.
    pub taxes: Vec<TaxTotal>,
    /// Goods, freight and tax; `None` as long.
    pub due: Option<Money>,
}

/// Checked when the checkout was placed.
fn sum(all: impl IntoIterator<Item = Money>) -> Money {
    all.into_iter().try_fold(Money::ZERO, Money::plus).unwrap_or(Money::MAX)
}

impl Checkout {
    /// The sums of its orders that stand; of one that is cancelled, what they were.
    #[must_use]
    pub fn sums(&self, orders: &[Order]) -> CheckoutSums {
        let mut counted: Vec<&Order> = orders.iter().filter(|order| !order.is_cancelled()).collect();
        if counted.is_empty() {
            counted.extend(orders);
        }
        let goods: Vec<Money> = counted.iter().map(|order| order.item.total).collect();
        let charges: Option<Vec<Charges>> = counted.iter().map(|order| order.item.charges()).collect();
        let tax_of = |order: &&Order| -> Option<LineTax> {
            let line = order.item.line()?.line;
            self.taxes.iter().find(|(of, _)| *of == line).map(|(_, tax)| tax.clone())
        };
        let by_line: Vec<Option<LineTax>> = counted.iter().map(tax_of).collect();
        let taxes = charges.as_ref().and_then(|charges| tax_totals(&goods, &by_line, charges).ok());
        let of = |part: fn(&Charges) -> Money| charges.as_ref().map(|charges| sum(charges.iter().map(part)));
        CheckoutSums {
            goods: sum(goods.iter().copied()),
            shipping: of(|charges| charges.shipping),
            tax: of(|charges| charges.tax),
            taxes: taxes.unwrap_or_default(),
            due: charges.as_ref().map(|_| sum(counted.iter().map(|order| order.due()))),
        }
    }
}
