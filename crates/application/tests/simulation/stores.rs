//! The shop's ports to its database, its clock and its ids, on the simulated world.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use domain::order::Change;
use domain::{
    AccountId, Category, Day, Order, OrderEvent, OrderId, PictureUrl, Product, ProductId, Timestamp, TransactionId,
};
use ports::{
    Applied, Attached, Clock, DayOfSales, IdempotencyKey, Ids, Imported, IntentStore, NewOrder, NewProduct,
    NewProducts, OpenIntent, OrderPage, OrderQuery, OrderStates, OrderStore, PaymentEventStore, PlaceError,
    ProductPage, ProductQuery, ProductStore, RestockError, Restocking, SharedClock, StoreError,
};
use uuid::Uuid;

use crate::books::{Placed, Restocked};
use crate::planted::Bug;
use crate::world::{Luck, State, World};

/// Every port to the database.
pub(crate) struct Stores(pub(crate) Arc<World>);

fn away() -> StoreError {
    StoreError::Away("the connection broke".into())
}

impl Stores {
    /// A look at the tables, which changes nothing.
    async fn read<T: Send>(&self, call: &str, look: impl FnOnce(&State) -> T + Send) -> Result<T, StoreError> {
        self.0.pass(call).await;
        self.0.with(|state| state.run(|state| look(state)))
    }

    /// One transaction.
    async fn write<T: Send>(&self, call: &str, act: impl FnOnce(&mut State) -> T + Send) -> Result<T, StoreError> {
        self.0.pass(call).await;
        self.0.with(|state| {
            state.version += 1;
            state.run(act)
        })
    }
}

impl State {
    /// Where the connection breaks, it breaks before the transaction or after it, and nobody can tell.
    fn run<T>(&mut self, act: impl FnOnce(&mut Self) -> T) -> Result<T, StoreError> {
        let luck = self.database_luck();
        if luck != Luck::Good {
            self.notes.count("the database failed");
            self.tell(|| format!("    {luck:?}"));
        }
        if luck == Luck::FailsBefore {
            return Err(away());
        }
        let done = act(self);
        if luck == Luck::Good { Ok(done) } else { Err(away()) }
    }

    fn note_change(&mut self, change: &Change, applied: Applied) {
        let what = match applied {
            Applied::Stale => "a change came too late",
            Applied::Written => "an order changed",
        };
        self.notes.count(what);
        self.tell(|| format!("    {applied:?}: {:?}", change.event.happening));
    }
}

#[async_trait]
impl OrderStore for Stores {
    async fn place(&self, new: &NewOrder) -> Result<OrderId, PlaceError> {
        let placed = self
            .write("place an order", |state| {
                let bug = state.bug;
                state.books.place(new, bug)
            })
            .await;
        match placed {
            Err(_) if self.0.with(|state| state.has(Bug::AcknowledgesTooSoon)) => Ok(new.order.id),
            Err(error) => Err(error.into()),
            Ok(Placed::As(id)) => Ok(id),
            Ok(Placed::PriceChanged(now)) => Err(PlaceError::PriceChanged { now }),
            Ok(Placed::NotEnough(left)) => Err(PlaceError::NotEnough { left }),
            Ok(Placed::Gone) => Err(PlaceError::Gone),
        }
    }

    async fn placed_under(&self, buyer: AccountId, once: IdempotencyKey) -> Result<Option<OrderId>, StoreError> {
        self.read("find an order by its key", |state| state.books.placed_under(buyer, once)).await
    }

    async fn apply(&self, change: &Change) -> Result<Applied, StoreError> {
        self.write("change an order", |state| {
            let applied = state.books.apply(change, state.bug);
            state.note_change(change, applied);
            applied
        })
        .await
    }

    async fn find(&self, id: OrderId) -> Result<Option<Order>, StoreError> {
        self.read("find an order", |state| state.books.orders.get(&id).map(|row| row.order.clone())).await
    }

    async fn of_buyer(&self, buyer: AccountId) -> Result<Vec<Order>, StoreError> {
        self.read("list a buyer's orders", |state| {
            let orders = state.books.orders.values().map(|row| &row.order);
            let mut own: Vec<Order> =
                orders.filter(|order| order.buyer == buyer && !order.is_cancelled()).cloned().collect();
            own.sort_by_key(|order| std::cmp::Reverse((order.placed_at, order.id)));
            own
        })
        .await
    }

    async fn list(&self, _: &OrderQuery) -> Result<OrderPage, StoreError> {
        unreachable!("nobody lists everybody's orders")
    }

    async fn sales(&self, _: Day, _: Day) -> Result<Vec<DayOfSales>, StoreError> {
        unreachable!("nobody looks at the sales")
    }

    async fn states(&self) -> Result<OrderStates, StoreError> {
        unreachable!("nobody counts orders")
    }

    async fn owing(&self, limit: u32) -> Result<Vec<Order>, StoreError> {
        self.read("find what is owed", |state| {
            if state.has(Bug::ForgetsDebts) {
                return Vec::new();
            }
            let orders = state.books.orders.values().map(|row| &row.order);
            orders.filter(|order| order.owed().is_some()).take(limit as usize).cloned().collect()
        })
        .await
    }

    async fn take_lapsed(&self, limit: u32) -> Result<Vec<OrderId>, StoreError> {
        self.write("take unpaid orders whose time is up", |state| {
            let now = state.timestamp();
            state.books.take_lapsed(now, limit as usize)
        })
        .await
    }

    async fn reserve(&self, _: Duration, _: u32) -> Result<u32, StoreError> {
        self.read("look for orders of the previous program", |_| 0).await
    }

    async fn remind(&self, _: u32) -> Result<u32, StoreError> {
        self.read("look for buyers to remind", |_| 0).await
    }

    async fn overdue(&self) -> Result<u64, StoreError> {
        unreachable!("nobody counts what is overdue")
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
impl IntentStore for Stores {
    async fn attach(&self, intent: &OpenIntent, _: Timestamp) -> Result<Attached, StoreError> {
        self.write("record a payment", |state| {
            let attached = state.books.attach(intent);
            state.notes.count(match attached {
                Attached::Open => "a payment was recorded",
                Attached::Another(_) => "another payment was open",
                Attached::Refused => "a payment came too late for its order",
            });
            attached
        })
        .await
    }

    async fn open_for(&self, order: OrderId) -> Result<Option<OpenIntent>, StoreError> {
        self.read("find the open payment", |state| state.books.open_for(order)).await
    }

    async fn attempts(&self, order: OrderId) -> Result<u32, StoreError> {
        self.read("count attempts", |state| {
            u32::try_from(state.books.of_order(order).filter(|row| row.closed).count()).unwrap()
        })
        .await
    }

    async fn find(&self, id: &TransactionId) -> Result<Option<OpenIntent>, StoreError> {
        self.read("find a payment on record", |state| state.books.intents.get(id).map(|row| row.opened.clone())).await
    }

    async fn close(&self, id: &TransactionId, _: Timestamp) -> Result<(), StoreError> {
        self.write("close a payment", |state| {
            if let Some(row) = state.books.intents.get_mut(id) {
                row.closed = true;
            }
        })
        .await
    }

    async fn take_due(&self, not_since: Timestamp, now: Timestamp, limit: u32) -> Result<Vec<OpenIntent>, StoreError> {
        let due =
            self.write("take payments to look at", |state| state.books.take_due(not_since, now, state.bug)).await?;
        assert!(due.len() <= limit as usize, "a history is too small to fill a round");
        Ok(due)
    }

    async fn take_settled(
        &self,
        not_since: Timestamp,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<OpenIntent>, StoreError> {
        let due = self.write("take payments to audit", |state| state.books.take_settled(not_since, now)).await?;
        assert!(due.len() <= limit as usize, "a history is too small to fill a round");
        Ok(due)
    }

    async fn note_agreement(&self, id: &TransactionId, agree: bool) -> Result<(), StoreError> {
        self.write("note an agreement", |state| {
            if let Some(row) = state.books.intents.get_mut(id) {
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
impl PaymentEventStore for Stores {
    async fn is_known(&self, event: &str) -> Result<bool, StoreError> {
        self.write("ask for a message", |state| {
            let known = state.books.heard.contains_key(event);
            if state.has(Bug::RemembersTooSoon) {
                let at = state.timestamp();
                state.books.heard.insert(event.to_owned(), at);
            }
            known
        })
        .await
    }

    async fn apply(&self, event: &str, change: &Change, at: Timestamp) -> Result<Applied, StoreError> {
        self.write("change an order and note the message", |state| {
            let applied = state.books.apply_heard(event, change, at, state.bug);
            state.note_change(change, applied);
            applied
        })
        .await
    }

    async fn remember(&self, event: &str, at: Timestamp) -> Result<(), StoreError> {
        self.write("note a message", |state| {
            state.books.heard.entry(event.to_owned()).or_insert(at);
        })
        .await
    }

    async fn forget(&self, before: Timestamp, limit: u32) -> Result<u32, StoreError> {
        self.write("forget messages", |state| {
            let known = state.books.heard.len();
            state.books.heard.retain(|_, at| *at >= before);
            u32::try_from(known - state.books.heard.len()).unwrap_or(limit)
        })
        .await
    }
}

#[async_trait]
impl ProductStore for Stores {
    async fn list(&self, _: &ProductQuery) -> Result<ProductPage, StoreError> {
        unreachable!("nobody lists products")
    }

    async fn running_low(&self, _: u32) -> Result<Vec<Product>, StoreError> {
        unreachable!("nobody asks what runs low")
    }

    async fn find(&self, id: ProductId) -> Result<Option<Product>, StoreError> {
        self.read("find a product", |state| state.books.product(id)).await
    }

    async fn matching(&self, name: &str, category: Category, img: &PictureUrl) -> Result<Vec<Product>, StoreError> {
        self.read("find a product by its looks", |state| {
            let alike = |product: &Product| product.looks() == (name, category, img.as_str());
            state.books.for_sale().filter(alike).take(2).collect()
        })
        .await
    }

    async fn add(&self, _: &NewProduct) -> Result<ProductId, StoreError> {
        unreachable!("what is for sale is there from the beginning")
    }

    async fn add_all(&self, _: &NewProducts) -> Result<Imported, StoreError> {
        unreachable!("what is for sale is there from the beginning")
    }

    async fn twins(&self, _: &[Product]) -> Result<Vec<usize>, StoreError> {
        unreachable!("what is for sale is there from the beginning")
    }

    async fn restock(&self, restocking: &Restocking) -> Result<(), RestockError> {
        match self.write("restock a product", |state| state.books.restock(restocking)).await? {
            Restocked::Done => Ok(()),
            Restocked::Unknown => Err(RestockError::Unknown),
            Restocked::TooMuch => Err(RestockError::TooMuch),
        }
    }

    async fn archive(&self, id: ProductId, _: Timestamp) -> Result<bool, StoreError> {
        self.write("archive a product", |state| state.books.archive(id)).await
    }
}

/// The world's time, as the shop reads it.
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
