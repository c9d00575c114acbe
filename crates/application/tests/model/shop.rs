//! The model: which steps there are in a state.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use domain::orders::order::EventMeta;
use domain::{
    AccountId, Actor, Category, Contact, EventId, MinOrder, Order, OrderId, Product, ProductDetails, ProductId,
    Quantity, Stock, Text, Timestamp, TransactionId, UnitPrice,
};
use stateright::{Model, Property};
use uuid::Uuid;

use crate::flaw::Flaw;
use crate::promises;
use crate::run::{Cancelling, Opening, PayingBack, Reconciling, Refunding, Run, Settling, Then};
use crate::world::{Intent, Recorded, Row, Standing, Which, World};

/// The bounds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shop {
    /// Each places one order.
    pub(crate) customers: usize,
    /// How many orders the stock is enough for.
    pub(crate) lots: u8,
    /// Payment attempts of an order.
    pub(crate) attempts: u8,
    /// Use cases that run at the same time.
    pub(crate) at_once: usize,
    pub(crate) flaw: Option<Flaw>,
}

/// What may happen next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Action {
    Start(Run),
    /// Places an order: one statement, which takes the units only if they are there.
    Place(Which),
    /// The customer's bank pays, which no shop can prevent.
    Pay(Intent),
    /// The use case at this place makes its next call.
    Step(usize),
    /// It is cut off: its process was killed, or its caller hung up.
    Cut(usize),
}

impl Shop {
    fn starts(&self, world: &World) -> Vec<Run> {
        let mut starts = Vec::new();
        for order in (0..self.customers).filter(|order| world.orders[*order].is_some()) {
            starts.extend([
                Run::Open(order, Opening::Count),
                Run::Cancel(order, Cancelling::Read),
                Run::Ship(order, None),
                Run::Refund(order, Refunding::Read),
            ]);
        }
        for intent in 0..world.intents.len() {
            // A webhook comes once, twice or never; a browser's report is the same.
            if world.intents[intent].standing == Standing::Succeeded && world.recorded[intent] != Recorded::Unknown {
                starts.push(Run::Settle(intent, Settling::Read, Then::Nothing));
            }
        }
        starts.extend((0..world.intents.len()).flat_map(|intent| jobs(world, intent)));
        starts
    }

    /// The world after the background jobs alone have worked on it for a while.
    pub(crate) fn after_the_jobs(&self, world: &World) -> World {
        let mut world = world.clone();
        for _ in 0..3 {
            for intent in 0..world.intents.len() {
                for job in jobs(&world, intent) {
                    let mut running = Some(job);
                    while let Some(run) = running {
                        running = run.step(self, &mut world);
                    }
                }
            }
        }
        world
    }
}

impl Model for Shop {
    type State = World;
    type Action = Action;

    fn init_states(&self) -> Vec<World> {
        vec![World {
            stock: i8::try_from(self.lots).unwrap(),
            orders: vec![None; self.customers],
            intents: Vec::new(),
            recorded: Vec::new(),
            refunds: Vec::new(),
            running: Vec::new(),
        }]
    }

    fn actions(&self, world: &World, actions: &mut Vec<Action>) {
        for order in (0..self.customers).filter(|order| world.orders[*order].is_none()) {
            actions.push(Action::Place(order));
        }
        for intent in 0..world.intents.len() {
            // Only who was given its secret can pay it, and whoever has it may do so however the shop has closed it.
            if world.intents[intent].standing == Standing::Open && world.recorded[intent] != Recorded::Unknown {
                actions.push(Action::Pay(intent));
            }
        }
        if world.running.len() < self.at_once {
            actions.extend(self.starts(world).into_iter().map(Action::Start));
        }
        for place in 0..world.running.len() {
            actions.extend([Action::Step(place), Action::Cut(place)]);
        }
    }

    fn next_state(&self, world: &World, action: Action) -> Option<World> {
        let mut next = world.clone();
        match action {
            // What starts makes its first call at once: until then it is as if it had not come.
            Action::Start(run) => {
                let running = run.step(self, &mut next);
                next.running.extend(running);
            }
            Action::Place(order) if next.running.contains(&Run::Place { order, left: next.stock }) => return None,
            Action::Place(order) if next.stock > 0 && self.flaw == Some(Flaw::StockReadBefore) => {
                if next.running.len() >= self.at_once {
                    return None;
                }
                next.running.push(Run::Place { order, left: next.stock });
            }
            Action::Place(order) if next.stock > 0 => {
                next.stock -= 1;
                next.orders[order] = Some(Row(domain::orders::state::OrderState::Placed));
            }
            Action::Place(_) => return None,
            Action::Pay(intent) => next.intents[intent].standing = Standing::Succeeded,
            Action::Step(place) => {
                let running = next.running.remove(place).step(self, &mut next);
                next.running.extend(running);
            }
            Action::Cut(place) => {
                next.running.remove(place);
            }
        }
        // In which order they came does not matter: the same use cases are the same state.
        next.running.sort_by_cached_key(|run| BuildHasherDefault::<DefaultHasher>::default().hash_one(run));
        (next != *world).then_some(next)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        promises::all()
    }
}

/// The background jobs that monitor a payment now.
fn jobs(world: &World, intent: Intent) -> Vec<Run> {
    let reconciling = (world.recorded[intent] == Recorded::Open).then_some(Run::Reconcile(intent, Reconciling::Ask));
    let paying_back = world.needs_paying_back(intent).then_some(Run::PayBack(intent, PayingBack::Request));
    reconciling.into_iter().chain(paying_back).collect()
}

/// An order in this state.
pub(crate) fn order_of(row: &Row) -> Order {
    Order { state: row.0.clone(), ..placed_order() }
}

/// Time stands still: no rule of these moves asks for it.
pub(crate) fn meta() -> EventMeta {
    EventMeta { event: EventId::new(Uuid::nil()), by: Actor::Shop, at: Timestamp::UNIX_EPOCH }
}

/// The id of a payment, and back.
pub(crate) fn payment_id(intent: Intent) -> TransactionId {
    format!("pi_{intent}").parse().unwrap()
}

pub(crate) fn intent_of(payment: &TransactionId) -> Intent {
    payment.as_str().trim_start_matches("pi_").parse().unwrap()
}

fn placed_order() -> Order {
    let details = ProductDetails::new(
        Text::new("Ventilated brake disc").unwrap(),
        Text::new("A pair.").unwrap(),
        Category::Brakes,
        "/pictures/brake-disc-640.webp".parse().unwrap(),
        UnitPrice::from_dollars(129.99).unwrap(),
        MinOrder::effective(50).unwrap(),
        Stock::new(50).unwrap(),
    );
    let product = Product { id: ProductId::new(Uuid::nil()), details, created_at: Timestamp::UNIX_EPOCH };
    let contact = Contact {
        name: Text::new("Nia").unwrap(),
        email: "customer@example.com".parse().unwrap(),
        phone: Text::new("555 0100").unwrap(),
        address: Text::new("1 Workshop Lane").unwrap(),
    };
    let (id, customer) = (OrderId::new(Uuid::nil()), AccountId::new(Uuid::nil()));
    let price = product.details.price;
    Order::place(id, customer, contact, &product, Quantity::new(50).unwrap(), price, Timestamp::UNIX_EPOCH).unwrap()
}
