//! Generates the calls about checkouts: placing, freight, payments of several orders, and what settles or cancels them.

use std::time::Duration;

use domain::orders::order::Change;
use domain::{
    AccountId, Actor, BasisPoints, Checkout, CheckoutContact, CheckoutId, CheckoutLine, CheckoutState, Contact, Email,
    EventId, Ladder, LineTax, Money, Order, OrderId, Payable, PaymentShare, Product, ProductDetails, ProductId,
    Purchase, Quantity, Stock, Terms, Text, Tier, UnitPrice, charge,
};
use ports::{
    CheckoutQuery, NewCheckout, NewOrder, Pagination, PaymentAttempt, PriceBasis, ReservationRules, StoredCheckout,
};

use crate::books::Books;
use crate::calls::Call;
use crate::checkouts::address;
use crate::generator::{CallGenerator, cents, key, reused};

impl CallGenerator {
    pub(crate) fn buy_together(&mut self) -> Option<Call> {
        match self.rng.below(18) {
            0..=4 => Some(self.place_checkout()),
            5..=7 => self.attach_shares(),
            8..=10 => self.settle_together(),
            11 | 12 => self.cancel_together(),
            13 => self.set_freight(),
            14 => Some(self.set_tiers()),
            _ => Some(self.read_checkouts()),
        }
    }

    fn place_checkout(&mut self) -> Call {
        let customer = self.pick(&self.customers.clone()).unwrap();
        let mut products = self.products.clone();
        if self.one_in(2) {
            products.remove(usize::try_from(self.rng.below(3)).unwrap());
        }
        let (id, is_known, tax) = (CheckoutId::new(self.id()), !self.one_in(4), self.one_in(2).then(tax));
        let sent: Vec<(Product, Quantity, UnitPrice)> = products.into_iter().map(|shown| self.line(shown)).collect();
        let goods: Vec<Money> =
            sent.iter().map(|(_, quantity, price)| price.money().times(quantity.get()).unwrap()).collect();
        let taxes: Vec<Option<LineTax>> = (0..goods.len()).map(|place| tax.clone().filter(|_| place != 1)).collect();
        let shipping = cents(i64::try_from(self.rng.below(10_000)).unwrap());
        let charged = charge(&goods, &taxes, shipping).unwrap();
        let contact = contact(customer.email.clone());
        let most_new = (!self.one_in(3)).then_some(4);
        let reservations = ReservationRules { usual: Duration::from_hours(24), new: Duration::from_hours(1), most_new };
        let epoch = self.books(Books::epoch);
        let mut orders = Vec::new();
        for (((product, quantity, price), charges), line) in sent.iter().zip(&charged.lines).zip(1..) {
            let (order, at) = (OrderId::new(self.id()), self.moment());
            let order = Order::place(order, customer.id, contact.clone(), product, *quantity, *price, at).unwrap();
            let line = CheckoutLine { checkout: id, line, charges: is_known.then_some(*charges) };
            let order = order.bought(Purchase { line: Some(line), po_number: Text::new("PO-4711").ok() });
            let by = Actor::Account { id: customer.id, email: customer.email.clone() };
            orders.push(NewOrder {
                event: order.placed(EventId::new(self.id()), by),
                order,
                basis: PriceBasis { list: product.details.price, epoch },
                idempotency_key: None,
                holds_claim: true,
                reservations,
            });
        }
        let idempotency_key = self.one_in(3).then(|| key(self.rng.below(8)));
        let checkout = Checkout {
            id,
            number: None,
            customer: customer.id,
            contact: CheckoutContact { name: contact.name, email: contact.email, phone: contact.phone },
            address: address(),
            po_number: Text::new("PO-4711").ok(),
            note: None,
            terms: Terms::Card,
            method: None,
            goods: goods.iter().fold(Money::ZERO, |sum, goods| sum.plus(*goods).unwrap()),
            shipping: is_known.then_some(charged.shipping),
            tax: is_known.then_some(charged.tax),
            taxes: (1..).zip(taxes).filter_map(|(line, tax)| Some((line, tax?))).collect(),
            placed_at: self.moment(),
        };
        let idempotency_key = idempotency_key.map(|key| reused(key, self.one_in(4)));
        Call::PlaceCheckout(Box::new(NewCheckout {
            checkout,
            orders,
            idempotency_key,
            holds_claim: true,
            reservations,
        }))
    }

    /// A product with its price, sometimes an outdated one, and more units than there may be.
    fn line(&mut self, shown: Product) -> (Product, Quantity, UnitPrice) {
        let price = match self.books(|books| books.product(shown.id)) {
            Some(product) if !self.one_in(10) => product.details.price,
            _ => shown.details.price,
        };
        let details = ProductDetails { price, available: Stock::new(1_000_000).unwrap(), ..shown.details };
        let quantity = Quantity::new(50 + i64::try_from(self.rng.below(40)).unwrap()).unwrap();
        (Product { details, ..shown }, quantity, price)
    }

    /// A random checkout, as it is now or as it was earlier.
    fn checkout(&mut self) -> Option<StoredCheckout> {
        if self.one_in(5)
            && let Some(old) = self.pick(&self.old_checkouts.clone())
        {
            return Some(old);
        }
        let ids: Vec<CheckoutId> = self.books(|books| books.checkouts.keys().copied().collect());
        let id = self.pick(&ids)?;
        let stored = self.books(|books| books.find_checkout(id))?;
        self.old_checkouts.push(stored.clone());
        Some(stored)
    }

    fn attach_shares(&mut self) -> Option<Call> {
        let StoredCheckout { checkout, orders } = self.checkout()?;
        let unpaid = orders.iter().filter(|order| order.state.transaction().is_none() && !order.is_cancelled());
        let mut shares: Vec<PaymentShare> =
            unpaid.map(|order| PaymentShare { order: order.id, amount: order.due() }).collect();
        if shares.is_empty() {
            return None;
        }
        shares.sort_by_key(|share| share.order);
        if self.one_in(8) {
            shares[0].amount = shares[0].amount.plus(cents(1)).unwrap();
        }
        let id = match self.payment() {
            Some(known) if self.one_in(6) => known.id,
            _ => self.payment_id(),
        };
        let amount = shares.iter().fold(Money::ZERO, |sum, share| sum.plus(share.amount).unwrap());
        let payment = PaymentAttempt { id, payable: Payable::Checkout(checkout.id), amount, shares };
        self.payments.push(payment.clone());
        Some(Call::Attach(payment))
    }

    /// What settles all orders of a payment, perhaps by an event.
    fn settle_together(&mut self) -> Option<Call> {
        let StoredCheckout { checkout, orders } = self.checkout()?;
        let opened = self.books(|books| books.open_for(Payable::Checkout(checkout.id)))?;
        let mut changes: Vec<Change> = Vec::new();
        for order in orders.into_iter().filter(|order| opened.share_of(order.id).is_some()) {
            let meta = self.meta();
            changes.extend(order.settle(opened.id.clone(), meta).ok());
        }
        changes.sort_by_key(|change| change.after.id);
        let event = self.one_in(2).then(|| (self.event(), self.moment()));
        (!changes.is_empty()).then_some(Call::ApplyAll(changes, event))
    }

    fn cancel_together(&mut self) -> Option<Call> {
        let orders = self.checkout()?.orders;
        let mut changes: Vec<Change> = Vec::new();
        for order in orders {
            let meta = self.meta();
            changes.extend(order.cancel(meta).ok());
        }
        (!changes.is_empty()).then_some(Call::ApplyAll(changes, None))
    }

    fn set_freight(&mut self) -> Option<Call> {
        let waiting: Vec<StoredCheckout> = self.books(|books| {
            let waiting = books.checkouts.iter().filter(|(_, row)| row.checkout.shipping.is_none());
            waiting.filter_map(|(id, _)| books.find_checkout(*id)).collect()
        });
        let StoredCheckout { checkout, orders } = if self.one_in(3) { self.checkout()? } else { self.pick(&waiting)? };
        let standing: Vec<Order> = orders.into_iter().filter(|order| !order.is_cancelled()).collect();
        if standing.is_empty() {
            return None;
        }
        let shipping = cents(i64::try_from(self.rng.below(20_000)).unwrap());
        let goods: Vec<Money> = standing.iter().map(|order| order.item.total).collect();
        let charged = charge(&goods, &vec![None; goods.len()], shipping).unwrap();
        let mut changes = Vec::new();
        for (mut order, charges) in standing.into_iter().zip(charged.lines) {
            // As it was read before somebody else set it.
            if let Some(line) = order.item.purchase.as_mut().and_then(|purchase| purchase.line.as_mut()) {
                line.charges = None;
            }
            let meta = self.meta();
            changes.push(order.set_freight(charges, meta).unwrap());
        }
        Some(Call::SetFreight { checkout: checkout.id, shipping, tax: charged.tax, changes })
    }

    fn set_tiers(&mut self) -> Call {
        let product = self.pick(&self.products.clone()).unwrap();
        let id = if self.one_in(6) { ProductId::new(self.id()) } else { product.id };
        let unit = product.details.price.money().cents() - i64::try_from(self.rng.below(50)).unwrap();
        let tier = Tier { from: 60, unit: UnitPrice::new(cents(unit)).unwrap() };
        Call::SetTiers(id, Ladder::new(vec![tier]).unwrap())
    }

    fn read_checkouts(&mut self) -> Call {
        let customer = self.pick(&self.customers.clone()).unwrap().id;
        match (self.rng.below(5), self.checkout()) {
            (0, Some(stored)) => Call::FindCheckout(stored.checkout.id),
            (1, Some(stored)) => Call::FindOrders(stored.orders.iter().map(|order| order.id).collect()),
            (2, _) => Call::Epoch,
            (3, stored) => {
                let after = stored.filter(|_| self.one_in(2)).map(|stored| stored.checkout.id);
                let limit = self.limit();
                let customer = self.one_in(2).then_some(customer);
                self.list(customer, Pagination { limit: Some(limit), after, uncounted: false })
            }
            _ => Call::CheckoutUnder(customer, reused(key(self.rng.below(8)), self.one_in(3))),
        }
    }

    fn list(&mut self, customer: Option<AccountId>, page: Pagination<CheckoutId>) -> Call {
        const STATES: [CheckoutState; 4] =
            [CheckoutState::Waiting, CheckoutState::Unpaid, CheckoutState::Paid, CheckoutState::Cancelled];
        let state = if self.one_in(4) { None } else { self.pick(&STATES) };
        Call::ListCheckouts(CheckoutQuery { customer, search: None, state, counted_up_to: None, page })
    }

    /// Every read call about the checkouts that exist.
    pub(crate) fn reads_of_checkouts(&mut self) -> Vec<Call> {
        let ids: Vec<CheckoutId> = self.books(|books| books.checkouts.keys().copied().collect());
        let mut all = vec![Call::Epoch, Call::ListCheckouts(CheckoutQuery::default())];
        for id in ids {
            let payable = Payable::Checkout(id);
            all.extend([Call::FindCheckout(id), Call::OpenFor(payable), Call::Attempts(payable)]);
        }
        all
    }
}

fn tax() -> LineTax {
    LineTax { name: Text::new("Sales tax").unwrap(), rate: BasisPoints::new(825).unwrap() }
}

fn contact(email: Email) -> Contact {
    Contact {
        name: Text::new("Customer").unwrap(),
        email,
        phone: Text::new("555 0100").unwrap(),
        address: address().one_line(),
    }
}
