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

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::checkout::record::CheckoutContact;
    use crate::orders::order::EventMeta;
    use crate::orders::order::tests::{contact, item};
    use crate::{
        AccountId, Actor, Address, BasisPoints, CheckoutId, CheckoutLine, EventId, Item, OrderId, Purchase, Terms,
        Text, Timestamp, TransactionId, TypedAddress,
    };

    fn cents(cents: i64) -> Money {
        Money::from_cents(cents).unwrap()
    }

    fn meta() -> EventMeta {
        EventMeta { event: EventId::new(Uuid::from_u128(9)), by: Actor::Shop, at: Timestamp::UNIX_EPOCH }
    }

    fn transaction() -> TransactionId {
        "pi_1".parse().unwrap()
    }

    /// The order of a line: 50 units at $2.
    fn order(line: u16, charges: Option<(i64, i64)>) -> Order {
        let charges = charges.map(|(shipping, tax)| Charges { shipping: cents(shipping), tax: cents(tax) });
        let line = Some(CheckoutLine { checkout: CheckoutId::new(Uuid::from_u128(8)), line, charges });
        let item = Item { purchase: Some(Box::new(Purchase { line, po_number: None })), ..item(200, 50) };
        let customer = AccountId::new(Uuid::from_u128(3));
        Order::fresh(OrderId::new(Uuid::from_u128(2)), customer, contact(), item, Timestamp::UNIX_EPOCH)
    }

    fn cancelled(order: Order) -> Order {
        order.cancel_with_refund(meta()).unwrap().after
    }

    fn paid(order: Order) -> Order {
        order.settle(transaction(), meta()).unwrap().after
    }

    fn vat(points: i64) -> LineTax {
        LineTax { name: Text::new("VAT").unwrap(), rate: BasisPoints::new(points).unwrap() }
    }

    /// A checkout whose first and third line are taxed.
    fn checkout() -> Checkout {
        let address = TypedAddress {
            line1: Some("1 Workshop Lane"),
            city: Some("Berlin"),
            postcode: Some("10115"),
            country: Some("DE"),
            ..TypedAddress::default()
        };
        Checkout {
            id: CheckoutId::new(Uuid::from_u128(8)),
            number: None,
            customer: AccountId::new(Uuid::from_u128(3)),
            contact: CheckoutContact {
                name: Text::new("A Buyer").unwrap(),
                email: "buyer@example.com".parse().unwrap(),
                phone: Text::new("555 0100").unwrap(),
            },
            address: Address::new(&address).unwrap(),
            po_number: None,
            note: None,
            terms: Terms::Card,
            method: None,
            goods: cents(30_000),
            shipping: None,
            tax: None,
            taxes: vec![(1, vat(1_900)), (3, vat(700))],
            placed_at: Timestamp::UNIX_EPOCH,
        }
    }

    #[test]
    fn a_checkout_stands_as_its_orders_do_that_are_not_cancelled() {
        let (waiting, placed) = (order(1, None), order(2, Some((0, 0))));
        for (orders, state, name) in [
            (vec![], CheckoutState::Cancelled, "cancelled"),
            (vec![cancelled(placed.clone()), cancelled(waiting.clone())], CheckoutState::Cancelled, "cancelled"),
            (vec![waiting.clone(), paid(placed.clone())], CheckoutState::Waiting, "waiting"),
            (vec![cancelled(waiting), placed.clone()], CheckoutState::Unpaid, "unpaid"),
            (vec![paid(placed.clone()), placed.clone()], CheckoutState::Unpaid, "unpaid"),
            (vec![paid(placed.clone()), cancelled(placed)], CheckoutState::Paid, "paid"),
        ] {
            assert_eq!((CheckoutState::of(&orders), CheckoutState::of(&orders).as_str()), (state, name), "{orders:?}");
        }
    }

    #[test]
    fn the_sums_are_those_of_the_orders_that_stand_each_line_with_its_own_tax() {
        let orders = [order(1, Some((500, 1_995))), order(2, Some((300, 0))), order(3, Some((200, 714)))];
        let sums = checkout().sums(&orders);
        assert_eq!((sums.goods, sums.shipping, sums.tax), (cents(30_000), Some(cents(1_000)), Some(cents(2_709))));
        assert_eq!(sums.due, Some(cents(33_709)));
        let figures = |sums: &CheckoutSums| -> Vec<_> {
            sums.taxes.iter().map(|total| (total.by.clone(), total.base.cents(), total.tax.cents())).collect()
        };
        assert_eq!(figures(&sums), [(vat(1_900), 10_500, 1_995), (vat(700), 10_200, 714)]);
        let [one, two, three] = orders;
        let fewer = checkout().sums(&[one, cancelled(two), cancelled(three)]);
        assert_eq!((fewer.goods, fewer.due), (cents(10_000), Some(cents(12_495))));
        assert_eq!(figures(&fewer), [(vat(1_900), 10_500, 1_995)]);
    }

    #[test]
    fn a_cancelled_checkout_shows_what_it_was_and_a_waiting_one_only_its_goods() {
        let over = checkout().sums(&[cancelled(order(2, Some((300, 7)))), cancelled(order(4, Some((0, 0))))]);
        assert_eq!((over.goods, over.due), (cents(20_000), Some(cents(20_307))));
        let waiting = checkout().sums(&[order(1, None), order(2, Some((300, 0)))]);
        assert_eq!((waiting.goods, waiting.shipping, waiting.tax, waiting.due), (cents(20_000), None, None, None));
        assert_eq!(waiting.taxes, []);
    }
}
