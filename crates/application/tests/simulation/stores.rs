//! The ports to the database, the clock and the ids, on the simulated world.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use domain::orders::order::Change;
use domain::{
    AccountId, Actor, Category, CorrectStockRefused, Day, Dispute, DisputeState, EditRefused, Ladder, Money, Order,
    OrderEvent, OrderEventKind, OrderId, PartRefused, Payable, Payment, PictureUrl, Pictures, Product, ProductId,
    Refund, RefundCause, RefundId, RefundState, RestockRefused, Stock, Tier, Timestamp, TransactionId,
};
use ports::{
    Acknowledged, Applied, Attached, AttentionItem, CheckSooner, Clock, CustomerTotals, DayOfSales, Editing, Ended,
    IdempotencyKey, Ids, Imported, MoneyTally, NewOrder, NewPart, NewProduct, NewProducts, NewRefund, OrderQuery,
    OrderRepository, OrderStates, Page, PaymentAttempt, PaymentAttempts, PaymentEvents, PaymentRef, PlaceError,
    ProductCursor, ProductQuery, ProductRepository, RefundBegun, RefundRepository, Restocking, SharedClock,
    StockCorrection, StockEvent, StoreError, Waits, WriteError,
};
use uuid::Uuid;

use crate::books::{KeyReused, Placed, Restocked};
use crate::bug::Bug;
use crate::world::{CallOutcome, State, World};

/// All repositories.
pub(crate) struct Stores(pub(crate) Arc<World>);

fn unavailable() -> StoreError {
    StoreError::Unavailable("the connection broke".into())
}

impl Stores {
    /// A query, which changes nothing.
    pub(crate) async fn read<T: Send>(
        &self,
        call: &str,
        query: impl FnOnce(&State) -> T + Send,
    ) -> Result<T, StoreError> {
        self.0.pass(call).await;
        self.0.with(|state| state.run(|state| query(state)))
    }

    /// One transaction.
    pub(crate) async fn write<T: Send>(
        &self,
        call: &str,
        act: impl FnOnce(&mut State) -> T + Send,
    ) -> Result<T, StoreError> {
        self.0.pass(call).await;
        self.0.with(|state| {
            state.version += 1;
            state.run(act)
        })
    }
}

impl State {
    /// A broken connection fails before or after the commit; the caller cannot log which.
    fn run<T>(&mut self, act: impl FnOnce(&mut Self) -> T) -> Result<T, StoreError> {
        let outcome = self.database_outcome();
        if outcome != CallOutcome::Good {
            self.notes.count("the database failed");
            self.log(|| format!("    {outcome:?}"));
        }
        if outcome == CallOutcome::FailsBefore {
            return Err(unavailable());
        }
        let done = act(self);
        if outcome == CallOutcome::Good { Ok(done) } else { Err(unavailable()) }
    }

    /// Counts what became of the orders of a checkout together.
    fn note_checkout(&mut self, changes: &[Change], applied: Applied) {
        let Some(first) = changes.first().filter(|_| applied == Applied::Written) else { return };
        match (&first.event.kind, &first.event.by) {
            (OrderEventKind::Paid { .. }, _) => self.notes.count("a checkout was paid"),
            (OrderEventKind::Cancelled, Actor::Shop) => self.notes.count("a checkout lapsed"),
            (OrderEventKind::Cancelled, Actor::Account { .. }) => self.notes.count("a checkout was cancelled"),
            _ => {}
        }
    }

    fn note_change(&mut self, change: &Change, applied: Applied) {
        let what = match applied {
            Applied::Conflict => "a change conflicted",
            Applied::Written => "an order changed",
        };
        self.notes.count(what);
        self.log(|| format!("    {applied:?}: {:?}", change.event.kind));
    }
}

#[async_trait]
impl OrderRepository for Stores {
    async fn place(&self, new: &NewOrder) -> Result<OrderId, PlaceError> {
        let placed = self
            .write("place an order", |state| {
                let (now, bug) = (state.timestamp(), state.bug);
                state.books.place(new, now, bug)
            })
            .await;
        match placed {
            Err(_) if self.0.with(|state| state.has(Bug::AcknowledgesTooSoon)) => Ok(new.order.id),
            Err(error) => Err(error.into()),
            Ok(Placed::As(id)) => Ok(id),
            Ok(Placed::Refused(refused)) => Err(refused.into()),
            Ok(Placed::KeyReused) => Err(StoreError::KeyReused.into()),
        }
    }

    async fn placed_under(
        &self,
        customer: AccountId,
        idempotency_key: IdempotencyKey,
    ) -> Result<Option<OrderId>, StoreError> {
        let found =
            self.read("find an order by its key", |state| state.books.placed_under(customer, idempotency_key)).await?;
        found.map_err(|KeyReused| StoreError::KeyReused)
    }

    async fn apply(&self, change: &Change) -> Result<Applied, StoreError> {
        self.write("change an order", |state| {
            let applied = state.books.apply(change, state.bug);
            state.note_change(change, applied);
            applied
        })
        .await
    }

    async fn apply_all(&self, changes: &[Change], event: Option<(String, Timestamp)>) -> Result<Applied, StoreError> {
        self.write("change several orders", |state| {
            let applied = state.books.apply_all(changes, event.as_ref(), state.bug);
            for change in changes {
                state.note_change(change, applied);
            }
            state.note_checkout(changes, applied);
            applied
        })
        .await
    }

    async fn find_all(&self, ids: &[OrderId]) -> Result<Vec<Order>, StoreError> {
        self.read("find several orders", |state| {
            ids.iter().filter_map(|id| state.books.orders.get(id)).map(|row| row.order.clone()).collect()
        })
        .await
    }

    async fn find(&self, id: OrderId) -> Result<Option<Order>, StoreError> {
        self.read("find an order", |state| state.books.orders.get(&id).map(|row| row.order.clone())).await
    }

    async fn unpaid_with_total(
        &self,
        customer: AccountId,
        total: Money,
        most: u32,
    ) -> Result<Vec<OrderId>, StoreError> {
        self.read("find a customer's unpaid orders", |state| {
            let orders = state.books.orders.values().map(|row| &row.order);
            let own = orders.filter(|order| order.customer == customer && !order.is_cancelled());
            let fitting = own.filter(|order| order.state.payment() == Payment::Unpaid && order.item.total == total);
            fitting.map(|order| order.id).take(most as usize).collect()
        })
        .await
    }

    async fn list(&self, _: &OrderQuery) -> Result<Page<Order, OrderId>, StoreError> {
        unreachable!("the simulation lists no orders")
    }

    async fn sales(&self, _: Day, _: Day) -> Result<Vec<DayOfSales>, StoreError> {
        unreachable!("the simulation reads no sales")
    }

    async fn states(&self) -> Result<OrderStates, StoreError> {
        unreachable!("the simulation counts no orders")
    }

    async fn totals_of(&self, _: AccountId) -> Result<CustomerTotals, StoreError> {
        unreachable!("the simulation sums up no customer")
    }

    async fn fold(&self, _: u32) -> Result<bool, StoreError> {
        unreachable!("the simulation folds no counts")
    }

    async fn lease_lapsed(&self, limit: u32) -> Result<Vec<OrderId>, StoreError> {
        self.write("lease unpaid orders that have expired", |state| {
            let now = state.timestamp();
            state.books.lease_lapsed(now, limit as usize)
        })
        .await
    }

    async fn reserve(&self, _: Duration, _: u32) -> Result<u32, StoreError> {
        self.read("find orders of the previous release", |_| 0).await
    }

    async fn remind(&self, _: u32) -> Result<u32, StoreError> {
        self.read("find customers to remind", |_| 0).await
    }

    async fn overdue(&self) -> Result<u64, StoreError> {
        unreachable!("the simulation counts no overdue orders")
    }

    async fn timeline(&self, id: OrderId) -> Result<Vec<OrderEvent>, StoreError> {
        self.read("read a timeline", |state| {
            let row = state.books.orders.get(&id);
            row.map(|row| row.timeline.iter().map(|(_, event)| event.clone()).collect()).unwrap_or_default()
        })
        .await
    }
}

#[async_trait]
impl PaymentAttempts for Stores {
    async fn attach(&self, intent: &PaymentAttempt, _: Timestamp) -> Result<Attached, StoreError> {
        self.write("record a payment", |state| {
            let attached = {
                let now = state.timestamp();
                state.books.attach(intent, now, state.bug)
            };
            state.notes.count(match attached {
                Attached::Refused if intent.payable.order().is_none() => "a payment came too late for its checkout",
                Attached::Open => "a payment was recorded",
                Attached::Another(_) => "another payment was open",
                Attached::Refused => "a payment came too late for its order",
            });
            attached
        })
        .await
    }

    async fn open_for(&self, payable: Payable) -> Result<Option<PaymentAttempt>, StoreError> {
        self.read("find the open payment", |state| state.books.open_for(payable)).await
    }

    async fn attempts(&self, payable: Payable) -> Result<u32, StoreError> {
        self.read("count attempts", |state| {
            u32::try_from(state.books.of_payable(payable).filter(|row| row.closed).count()).unwrap()
        })
        .await
    }

    async fn find(&self, id: &TransactionId) -> Result<Option<PaymentAttempt>, StoreError> {
        self.read("find a payment on record", |state| {
            state.books.payment_attempts.get(id).map(|row| row.opened.clone())
        })
        .await
    }

    async fn undecided(&self, order: OrderId) -> Result<Vec<PaymentAttempt>, StoreError> {
        self.read("find payments that have not ended", |state| state.books.undecided(order)).await
    }

    async fn close(&self, id: &TransactionId, ended: Ended, _: Timestamp) -> Result<(), StoreError> {
        self.write("close a payment", |state| state.books.close(id, ended)).await
    }

    async fn check_sooner(&self, id: &TransactionId, why: CheckSooner) -> Result<(), StoreError> {
        self.write("poll a payment sooner", |state| {
            let now = state.timestamp();
            state.books.check_sooner(id, why, now);
        })
        .await
    }

    async fn lease_due(&self, waits: Waits, limit: u32) -> Result<Vec<PaymentAttempt>, StoreError> {
        self.write("lease payments to poll", |state| {
            let (now, bug) = (state.timestamp(), state.bug);
            state.books.lease_due(waits, now, limit, bug)
        })
        .await
    }

    async fn note_known(&self, id: &TransactionId, known: bool) -> Result<(), StoreError> {
        self.write("note whether a payment is known", |state| {
            if !known {
                state.notes.count("a payment was unknown");
            }
            state.books.note_known(id, known);
        })
        .await
    }

    async fn note_mismatch(&self, id: &TransactionId) -> Result<(), StoreError> {
        self.write("note a mismatched payment", |state| {
            let now = state.timestamp();
            state.notes.count("a payment mismatched");
            state.books.note_mismatch(id, now);
        })
        .await
    }

    async fn lease_settled(&self, waits: Waits, limit: u32) -> Result<Vec<PaymentRef>, StoreError> {
        self.write("lease payments to audit", |state| {
            let now = state.timestamp();
            state.books.lease_settled(waits, now, limit)
        })
        .await
    }

    async fn note_agreement(&self, id: &TransactionId, agree: bool) -> Result<(), StoreError> {
        self.write("note an agreement", |state| {
            if let Some(row) = state.books.payment_attempts.get_mut(id) {
                row.drifted = !agree;
            }
        })
        .await
    }

    async fn disagreements(&self) -> Result<u64, StoreError> {
        self.read("count disagreements", |state| state.books.disagreements() as u64).await
    }
}

#[async_trait]
impl RefundRepository for Stores {
    async fn begin(&self, new: &NewRefund) -> Result<RefundBegun, StoreError> {
        self.write("record a refund", |state| {
            let (now, bug) = (state.timestamp(), state.bug);
            let begun = state.books.begin(new, now, bug);
            if begun == RefundBegun::Written {
                let refund = &new.refund;
                let share = state.books.payment_attempts.get(&refund.payment).and_then(|row| {
                    let is_shared = row.opened.shares.len() > 1;
                    row.opened.share_of(refund.order).filter(|_| is_shared)
                });
                match refund.cause {
                    RefundCause::Admin if share > Some(refund.amount) => {
                        state.notes.count("a line was partly refunded");
                    }
                    RefundCause::OrderCancelled if share.is_some() => {
                        state.notes.count("a paid line was cancelled with a refund");
                    }
                    RefundCause::Late if share.is_some() => {
                        state.notes.count("a share of a late payment was refunded");
                    }
                    RefundCause::Elsewhere if share.is_some() => {
                        state.notes.count("an external refund was booked on a line");
                    }
                    _ => {}
                }
                state.notes.count(match new.refund.cause {
                    RefundCause::OrderCancelled => "a cancelled order's refund was decided",
                    RefundCause::Admin => "an order was partly refunded",
                    RefundCause::Late => "a late payment was refunded",
                    RefundCause::Overpaid => "an overpayment was refunded",
                    RefundCause::Mismatch => "a mismatched payment was refunded",
                    RefundCause::Elsewhere => "an external refund was found",
                    RefundCause::Returned => "a bounced refund was sent again",
                });
            }
            state.log(|| format!("    {begun:?}"));
            begun
        })
        .await
    }

    async fn apply(
        &self,
        before: &Refund,
        after: &Refund,
        change: Option<Change>,
        wait: Duration,
    ) -> Result<Applied, StoreError> {
        self.write("update a refund", |state| {
            let next = state.timestamp().checked_add(wait).unwrap();
            let applied = state.books.move_refund(before, after, change.as_ref(), next, state.bug);
            if applied == Applied::Written {
                match (before.state, after.state) {
                    (before, RefundState::Failed) if before != RefundState::Failed => {
                        state.notes.count("a refund failed");
                    }
                    (RefundState::Failed, RefundState::Due) => state.notes.count("a refund was sent again"),
                    (_, RefundState::Recorded) => state.notes.count("a bank transfer was recorded"),
                    (RefundState::Due, RefundState::Due) if after.attempt > before.attempt => {
                        state.notes.count("a refund was refused");
                    }
                    _ => {}
                }
            }
            state.log(|| {
                format!(
                    "    {applied:?}: {:?} to {:?}, {:?}",
                    before.state,
                    after.state,
                    change.map(|change| change.event.kind)
                )
            });
            applied
        })
        .await
    }

    async fn find(&self, id: RefundId) -> Result<Option<Refund>, StoreError> {
        self.read("find a refund", |state| state.books.refunds.get(&id).map(|row| row.refund.clone())).await
    }

    async fn begun_under(&self, order: OrderId, idempotency_key: IdempotencyKey) -> Result<Option<Refund>, StoreError> {
        self.read("find a refund by its key", |state| state.books.begun_under(order, idempotency_key)).await
    }

    async fn of_payment(&self, payment: &TransactionId) -> Result<Vec<Refund>, StoreError> {
        self.read("find a payment's refunds", |state| state.books.refunds_of_payment(payment)).await
    }

    async fn of_order(&self, order: OrderId) -> Result<Vec<Refund>, StoreError> {
        self.read("find an order's refunds", |state| state.books.refunds_of(order)).await
    }

    async fn lease_due(&self, limit: u32) -> Result<Vec<Refund>, StoreError> {
        self.write("lease due refunds", |state| {
            if state.has(Bug::ForgetsDebts) {
                return Vec::new();
            }
            let now = state.timestamp();
            state.books.lease_refunds(now, limit)
        })
        .await
    }

    async fn note_dispute(
        &self,
        payment: &PaymentRef,
        before: Option<DisputeState>,
        dispute: &Dispute,
        change: Option<Change>,
        at: Timestamp,
    ) -> Result<Applied, StoreError> {
        self.write("note a dispute", |state| {
            state.notes.count("a dispute was noted");
            state.books.note_dispute(payment, before, dispute, change.as_ref(), at, state.bug)
        })
        .await
    }

    async fn disputes_of(&self, payment: &TransactionId) -> Result<Vec<Dispute>, StoreError> {
        self.read("find a payment's disputes", |state| state.books.disputes_of(payment)).await
    }

    async fn acknowledge(&self, what: &Acknowledged, _: &Actor, _: Timestamp) -> Result<bool, StoreError> {
        self.write("acknowledge", |state| state.books.acknowledge(what)).await
    }

    async fn attention(&self, limit: u32) -> Result<Vec<(AttentionItem, Timestamp)>, StoreError> {
        self.read("find what needs attention", |state| {
            let mut all = state.books.attention(state.timestamp());
            all.truncate(limit as usize);
            all
        })
        .await
    }

    async fn tally(&self) -> Result<MoneyTally, StoreError> {
        self.read("count what needs attention", |state| state.books.tally(state.timestamp())).await
    }
}

#[async_trait]
impl PaymentEvents for Stores {
    async fn is_known(&self, event: &str) -> Result<bool, StoreError> {
        self.write("look up an event", |state| {
            let known = state.books.received.contains_key(event);
            if state.has(Bug::RemembersTooSoon) {
                let at = state.timestamp();
                state.books.received.insert(event.to_owned(), at);
            }
            known
        })
        .await
    }

    async fn apply(&self, event: &str, change: &Change, at: Timestamp) -> Result<Applied, StoreError> {
        self.write("change an order and record the event", |state| {
            let applied = state.books.apply_received(event, change, at, state.bug);
            state.note_change(change, applied);
            applied
        })
        .await
    }

    async fn remember(&self, event: &str, at: Timestamp) -> Result<(), StoreError> {
        self.write("record an event", |state| {
            state.books.received.entry(event.to_owned()).or_insert(at);
        })
        .await
    }

    async fn forget(&self, before: Timestamp, limit: u32) -> Result<u32, StoreError> {
        self.write("forget events", |state| u32::try_from(state.books.forget_received(before, limit as usize)).unwrap())
            .await
    }
}

#[async_trait]
impl ProductRepository for Stores {
    async fn state(&self) -> Result<String, StoreError> {
        unreachable!("the simulation reads no catalogue version")
    }

    async fn list(&self, _: &ProductQuery) -> Result<Page<Product, ProductCursor>, StoreError> {
        unreachable!("the simulation lists no products")
    }

    async fn running_low(&self, _: u32) -> Result<Vec<Product>, StoreError> {
        unreachable!("the simulation reads no low stock")
    }

    async fn numbers(&self, _: &[ProductId]) -> Result<HashMap<ProductId, i32>, StoreError> {
        unreachable!("the simulation searches for nothing")
    }

    async fn find(&self, id: ProductId) -> Result<Option<Product>, StoreError> {
        self.read("find a product", |state| state.books.product(id)).await
    }

    async fn find_all(&self, ids: &[ProductId], archived: bool) -> Result<Vec<Product>, StoreError> {
        assert!(!archived, "the simulation finds no archived products");
        self.read("find several products", |state| {
            let found = ids.iter().filter_map(|id| state.books.product(*id));
            found
                .map(|product| if state.has(Bug::ReadsOtherTiers) { with_other_tiers(product) } else { product })
                .collect()
        })
        .await
    }

    async fn matching(&self, name: &str, category: Category, img: &PictureUrl) -> Result<Vec<Product>, StoreError> {
        self.read("find a product by its attributes", |state| {
            let alike = |product: &Product| product.details.selector() == (name, category, img.as_str());
            state.books.for_sale().filter(alike).take(2).collect()
        })
        .await
    }

    async fn add(&self, _: &NewProduct) -> Result<ProductId, WriteError<PartRefused>> {
        unreachable!("all products exist from the start")
    }

    async fn add_parts(&self, _: &[NewPart]) -> Result<Vec<ProductId>, WriteError<PartRefused>> {
        unreachable!("all products exist from the start")
    }

    async fn add_all(&self, _: &NewProducts) -> Result<Imported, StoreError> {
        unreachable!("all products exist from the start")
    }

    async fn duplicates(&self, _: &[Product]) -> Result<Vec<usize>, StoreError> {
        unreachable!("all products exist from the start")
    }

    async fn restock(&self, restocking: &Restocking) -> Result<(), WriteError<RestockRefused>> {
        match self.write("restock a product", |state| state.books.restock(restocking)).await? {
            Restocked::Done => Ok(()),
            Restocked::Unknown => Err(WriteError::Refused(RestockRefused::Unknown)),
            Restocked::PriceChanged(now) => Err(WriteError::Refused(RestockRefused::PriceChanged { now })),
            Restocked::TooMuch => Err(WriteError::Refused(RestockRefused::TooMuch)),
        }
    }

    async fn correct(&self, _: &StockCorrection) -> Result<Stock, WriteError<CorrectStockRefused>> {
        unreachable!("the simulation corrects no stock")
    }

    async fn stock_history(&self, _: ProductId, _: u32) -> Result<Option<Vec<StockEvent>>, StoreError> {
        unreachable!("the simulation reads no stock history")
    }

    async fn archive(&self, id: ProductId, _: &Actor, _: Timestamp) -> Result<bool, StoreError> {
        self.write("archive a product", |state| state.books.archive(id)).await
    }

    async fn edit(&self, editing: &Editing) -> Result<bool, WriteError<EditRefused>> {
        self.write("edit a product", |state| state.books.edit(editing)).await?.map_err(WriteError::Refused)
    }

    async fn set_pictures(&self, _: ProductId, _: &Pictures) -> Result<Option<bool>, StoreError> {
        unreachable!("the simulation sets no pictures")
    }

    async fn restore(&self, id: ProductId) -> Result<Option<bool>, StoreError> {
        self.write("restore a product", |state| state.books.restore(id)).await
    }
}

fn with_other_tiers(mut product: Product) -> Product {
    let tiers = product.details.ladder.tiers().iter().map(|tier| Tier { from: tier.from / 2, ..*tier });
    product.details.ladder = Ladder::new(tiers.collect()).unwrap();
    product
}

/// The simulated time, as the shop reads it.
pub(crate) struct Time(pub(crate) Arc<World>);

impl Clock for Time {
    fn now(&self) -> Timestamp {
        self.0.with(|state| state.timestamp())
    }
}

#[async_trait]
impl SharedClock for Time {
    async fn read(&self) -> Result<Timestamp, StoreError> {
        Ok(self.0.with(|state| state.timestamp()))
    }
}

impl Ids for Time {
    fn fresh(&self) -> Uuid {
        self.0.with(State::fresh_id)
    }
}
