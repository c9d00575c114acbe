//! Checkouts in the shop's database, in memory, and the ports to them.

use async_trait::async_trait;
use domain::orders::order::Change;
use domain::orders::refusals::PlaceRefused;
use domain::{
    AccountId, Address, Charges, Checkout, CheckoutId, CheckoutNumber, CheckoutState, Money, Order, OrderState,
    Payment, Timestamp, TypedAddress,
};
use ports::{
    Applied, CheckoutPlaced, CheckoutQuery, CheckoutRepository, IdempotencyKey, NewCheckout, Page, PlaceCheckoutError,
    StoreError, StoredCheckout,
};

use crate::books::{Books, KeyReused, is_under};
use crate::bug::Bug;
use crate::stores::Stores;

/// A checkout on record. Its orders are among all others.
pub(crate) struct CheckoutRow {
    pub(crate) checkout: Checkout,
    pub(crate) idempotency_key: Option<IdempotencyKey>,
}

/// What became of a checkout that was to be placed.
pub(crate) enum CheckoutOutcome {
    Placed(CheckoutPlaced),
    Lines(Vec<(u16, PlaceRefused)>),
    OneUnpaid,
    KeyReused,
}

impl Books {
    /// The checkout that a customer placed under an idempotency key.
    pub(crate) fn checkout_under(
        &self,
        customer: AccountId,
        key: IdempotencyKey,
    ) -> Result<Option<CheckoutId>, KeyReused> {
        for (id, row) in self.checkouts.iter().filter(|(_, row)| row.checkout.customer == customer) {
            if is_under(row.idempotency_key, key)? {
                return Ok(Some(*id));
            }
        }
        Ok(None)
    }

    /// The checkout and all its orders, or nothing.
    pub(crate) fn place_checkout(&mut self, new: &NewCheckout, now: Timestamp, bug: Option<Bug>) -> CheckoutOutcome {
        let (id, customer) = (new.checkout.id, new.checkout.customer);
        if let Some(key) = new.idempotency_key.filter(|_| bug != Some(Bug::ForgetsKeysOfCheckouts)) {
            match self.checkout_under(customer, key) {
                Ok(None) => {}
                Ok(Some(first)) => return CheckoutOutcome::Placed(CheckoutPlaced::Before(first)),
                Err(KeyReused) => return CheckoutOutcome::KeyReused,
            }
        }
        let is_limited = new.reservations.most_new.is_some() && !self.has_paid(customer);
        if is_limited && self.has_unpaid_checkout(customer) {
            return CheckoutOutcome::OneUnpaid;
        }
        let refused = |order: &ports::NewOrder| Some((line_of(&order.order), self.obstacle(order, bug)?));
        let refused: Vec<(u16, PlaceRefused)> = new.orders.iter().filter_map(refused).collect();
        let some_will_do = bug == Some(Bug::PlacesWhatItCan) && refused.len() < new.orders.len();
        if !refused.is_empty() && !some_will_do {
            return CheckoutOutcome::Lines(refused);
        }
        let number = CheckoutNumber::new(1 + i64::try_from(self.checkouts.len()).unwrap()).unwrap();
        let checkout = Checkout { number: Some(number), ..new.checkout.clone() };
        self.checkouts.insert(id, CheckoutRow { checkout, idempotency_key: new.idempotency_key });
        let fits = |order: &&ports::NewOrder| !refused.iter().any(|(line, _)| *line == line_of(&order.order));
        for order in new.orders.iter().filter(fits) {
            self.insert(order, now);
        }
        CheckoutOutcome::Placed(CheckoutPlaced::Now { id, number })
    }

    /// The orders of a checkout, by their lines.
    pub(crate) fn lines_of(&self, id: CheckoutId) -> Vec<&Order> {
        let all = self.orders.values().map(|row| &row.order);
        let mut lines: Vec<&Order> = all.filter(|order| order.checkout() == Some(id)).collect();
        lines.sort_by_key(|order| line_of(order));
        lines
    }

    pub(crate) fn find_checkout(&self, id: CheckoutId) -> Option<StoredCheckout> {
        let checkout = self.checkouts.get(&id)?.checkout.clone();
        Some(StoredCheckout { checkout, orders: self.lines_of(id).into_iter().cloned().collect() })
    }

    /// A page of checkouts, newest first. Nothing is searched for here.
    pub(crate) fn list_checkouts(&self, query: &CheckoutQuery) -> Page<StoredCheckout, CheckoutId> {
        assert!(query.search.is_none(), "words are compared by the database alone");
        let all = self.checkouts.keys().rev().filter_map(|id| self.find_checkout(*id));
        let matches = |stored: &StoredCheckout| {
            query.customer.is_none_or(|customer| stored.checkout.customer == customer)
                && query.state.is_none_or(|state| is_in(stored, state))
        };
        let matching: Vec<StoredCheckout> = all.filter(matches).collect();
        let total = matching.len() as u64;
        let after = |stored: &StoredCheckout| query.page.after.is_none_or(|after| stored.checkout.id < after);
        let mut items: Vec<StoredCheckout> = matching.into_iter().filter(after).collect();
        let limit = query.page.limit.map_or(usize::MAX, |limit| limit as usize);
        let has_more = items.len() > limit;
        items.truncate(limit);
        let next = items.last().filter(|_| has_more).map(|last| last.checkout.id);
        Page { items, total, next }
    }

    /// The freight and the tax with the changes of all orders, or nothing.
    pub(crate) fn set_freight(
        &mut self,
        id: CheckoutId,
        (shipping, tax): (Money, Money),
        changes: &[Change],
        bug: Option<Bug>,
    ) -> Applied {
        let waits = |change: &Change| {
            let row = self.orders.get(&change.after.id);
            row.is_some_and(|row| row.order.item.charges().is_none() && row.order.state == change.before)
        };
        let Some(row) = self.checkouts.get(&id).filter(|row| row.checkout.shipping.is_none()) else {
            return Applied::Conflict;
        };
        if !changes.iter().all(waits) {
            return Applied::Conflict;
        }
        let checkout = Checkout { shipping: Some(shipping), tax: Some(tax), ..row.checkout.clone() };
        self.checkouts.entry(id).and_modify(|row| row.checkout = checkout);
        for change in changes {
            self.apply(change, bug);
        }
        Applied::Written
    }
}

/// Which line of its checkout an order is; 0 for one that is none.
pub(crate) fn line_of(order: &Order) -> u16 {
    order.item.line().map_or(0, |line| line.line)
}

/// What all lines together owe besides their goods. Those that were cancelled before the freight was known owe nothing.
pub(crate) fn charges_of(orders: &[&Order], part: fn(&Charges) -> Money) -> i64 {
    orders.iter().filter_map(|order| order.item.charges()).map(|charges| part(&charges).cents()).sum()
}

/// Where everything goes.
pub(crate) fn address() -> Address {
    let typed = TypedAddress {
        line1: Some("1 Workshop Lane"),
        city: Some("Springfield"),
        region: Some("IL"),
        postcode: Some("62704"),
        country: Some("US"),
        ..TypedAddress::default()
    };
    Address::new(&typed).unwrap()
}

fn is_in(stored: &StoredCheckout, state: CheckoutState) -> bool {
    let standing = || stored.orders.iter().filter(|order| !order.is_cancelled());
    let unpaid = || standing().any(|order| order.state.payment() == Payment::Unpaid);
    match state {
        CheckoutState::Waiting => stored.checkout.shipping.is_none() && standing().next().is_some(),
        CheckoutState::Unpaid => stored.checkout.shipping.is_some() && unpaid(),
        CheckoutState::Paid => standing().next().is_some() && !unpaid(),
        CheckoutState::Cancelled => standing().next().is_none(),
    }
}

#[async_trait]
impl CheckoutRepository for Stores {
    async fn place(&self, new: &NewCheckout) -> Result<CheckoutPlaced, PlaceCheckoutError> {
        let placed = self.write("place a checkout", |state| {
            let (now, bug) = (state.timestamp(), state.bug);
            state.books.place_checkout(new, now, bug)
        });
        match placed.await? {
            CheckoutOutcome::Placed(placed) => Ok(placed),
            CheckoutOutcome::Lines(lines) => Err(PlaceCheckoutError::Lines(lines)),
            CheckoutOutcome::OneUnpaid => Err(PlaceCheckoutError::OneUnpaid),
            CheckoutOutcome::KeyReused => Err(StoreError::KeyReused.into()),
        }
    }

    async fn placed_under(
        &self,
        customer: AccountId,
        idempotency_key: IdempotencyKey,
    ) -> Result<Option<CheckoutId>, StoreError> {
        let found = self.read("find a checkout by its key", |state| {
            if state.has(Bug::ForgetsKeysOfCheckouts) {
                return Ok(None);
            }
            state.books.checkout_under(customer, idempotency_key)
        });
        found.await?.map_err(|KeyReused| StoreError::KeyReused)
    }

    async fn find(&self, id: CheckoutId) -> Result<Option<StoredCheckout>, StoreError> {
        self.read("find a checkout", |state| {
            let mut found = state.books.find_checkout(id);
            if let (Some(stored), true) = (&mut found, state.has(Bug::PaysBeforeFreight)) {
                stored.orders.iter_mut().for_each(forget_the_freight);
            }
            found
        })
        .await
    }

    async fn list(&self, query: &CheckoutQuery) -> Result<Page<StoredCheckout, CheckoutId>, StoreError> {
        self.read("list checkouts", |state| state.books.list_checkouts(query)).await
    }

    async fn set_freight(
        &self,
        id: CheckoutId,
        shipping: Money,
        tax: Money,
        changes: &[Change],
    ) -> Result<Applied, StoreError> {
        self.write("set a checkout's freight", |state| {
            let applied = state.books.set_freight(id, (shipping, tax), changes, state.bug);
            if applied == Applied::Written {
                state.notes.count("a checkout's freight was set");
            }
            applied
        })
        .await
    }
}

/// As if there were none to wait for.
fn forget_the_freight(order: &mut Order) {
    let line = order.item.purchase.as_mut().and_then(|purchase| purchase.line.as_mut());
    if let Some(line) = line.filter(|line| line.charges.is_none() && order.state == OrderState::Placed) {
        line.charges = Some(Charges::NONE);
    }
}
