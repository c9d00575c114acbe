//! Ninety days of trade, so that a demo opens as a shop that is in business.
//!
//! Orders are placed, paid, shipped, cancelled and refunded by the shop's own use cases, each at its time in the past. The
//! plan is made of a fixed seed and of the moment at which the demo was opened first, so that an interrupted start can
//! be repeated, and a later one changes nothing.

mod opinions;
mod plan;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use application::{
    App, Failure, OpenPayment, PlaceOrder, PlacedOrder, Ports, ProductSelector, RefundOrder, RestockProduct,
    ReviewDraft, SettlePayment,
};
use domain::notifications::delivery::Topic;
use domain::{
    Caller, Money, OrderId, ProductId, Rating, Role, SecondFactor, SessionId, Stock, Text, Timestamp, UnitPrice,
};
use jiff::tz::TimeZone;
use ports::{Card, Clock, Ids, LeaseRequest, Queue, StoreError, TestCardEndpoint};
use uuid::{NoContext, Uuid};

use self::opinions::OPINIONS;
use self::plan::{CUSTOMERS, Fate, PlannedOrder, Trade, plan};
use super::range::Part;
use super::seed::{ADMIN, Seeded, account, earlier, failed, once_key, unsound};
use crate::startup_error::StartupError;

const DAY: Duration = Duration::from_hours(24);
/// When the accounts of the history signed up, in days before the demo was opened.
const SIGNED_UP: u32 = 97;
/// How many e-mails of the history are discarded at a time.
const EMAILS: u32 = 500;

/// The time and the ids of a moment in the past.
struct Past(Mutex<Timestamp>);

impl Past {
    fn set(&self, now: Timestamp) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = now;
    }
}

impl Clock for Past {
    fn now(&self) -> Timestamp {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ids for Past {
    fn fresh(&self) -> Uuid {
        let now = self.now();
        let seconds = u64::try_from(now.as_second()).unwrap_or_default();
        let nanoseconds = u32::try_from(now.subsec_nanosecond()).unwrap_or_default();
        Uuid::new_v7(uuid::Timestamp::from_unix(NoContext, seconds, nanoseconds))
    }
}

/// The shop as it was, and who traded with it.
struct History {
    ports: Ports,
    past: Arc<Past>,
    opened: Timestamp,
    test_cards: Arc<dyn TestCardEndpoint>,
    admin: Caller,
    customers: BTreeMap<&'static str, Caller>,
    range: Vec<Part>,
    products: BTreeMap<&'static str, ProductId>,
}

/// Adds the history, unless it has been added.
pub(super) async fn add(
    ports: &Ports,
    test_cards: Arc<dyn TestCardEndpoint>,
    Seeded { opened, range, products }: Seeded,
) -> Result<(), StartupError> {
    let past = Arc::new(Past(Mutex::new(earlier(opened, DAY, SIGNED_UP))));
    let ports = Ports { clock: past.clone(), ids: past.clone(), ..ports.clone() };
    let admin = caller(&ports, ADMIN, "Alex Admin", Role::Admin).await?;
    let mut customers = BTreeMap::new();
    for Trade { email, account, .. } in CUSTOMERS {
        customers.insert(*email, caller(&ports, email, account, Role::Customer).await?);
    }
    let orders = plan(&range, opened);
    let history = History { ports, past, opened, test_cards, admin, customers, range, products };
    if history.is_there(&orders).await? {
        return Ok(());
    }
    history.stock_up(&orders, earlier(opened, DAY, SIGNED_UP - 1)).await?;
    for (number, order) in orders.iter().enumerate() {
        history.play(number, order).await?;
    }
    history.discard_emails().await.map_err(failed)
}

async fn caller(ports: &Ports, email: &str, name: &str, role: Role) -> Result<Caller, StartupError> {
    let (account, _) = account(ports, email, name, role).await?;
    let email = email.parse().map_err(unsound(email))?;
    Ok(Caller {
        session: SessionId::new(ports.ids.fresh()),
        account,
        email,
        role,
        signed_in_at: ports.clock.now(),
        second_factor: SecondFactor::None,
    })
}

/// What a use case did: `None` if it refused, as it does if an earlier start got this far.
fn done<T, R>(result: Result<T, Failure<R>>) -> Result<Option<T>, StartupError> {
    match result {
        Ok(done) => Ok(Some(done)),
        Err(Failure::Refused(_) | Failure::Denied(_)) => Ok(None),
        Err(Failure::Unavailable(cause)) => Err(StartupError::internal(format!("cannot seed the history: {cause:?}"))),
    }
}

impl History {
    /// Whether the last order of the plan has been placed.
    async fn is_there(&self, orders: &[PlannedOrder]) -> Result<bool, StartupError> {
        let Some(last) = orders.last() else { return Ok(true) };
        let key = once_key("order", &(orders.len() - 1).to_string());
        let found = self.ports.orders.placed_under(self.customer(last)?.account, key).await.map_err(failed)?;
        Ok(found.is_some())
    }

    fn customer(&self, order: &PlannedOrder) -> Result<&Caller, StartupError> {
        let email = order.by.email;
        self.customers.get(email).ok_or_else(|| StartupError::internal(format!("the history has no {email}")))
    }

    fn product(&self, part_number: &str) -> Result<ProductId, StartupError> {
        let found = self.products.get(part_number).copied();
        found.ok_or_else(|| StartupError::internal(format!("the history has no {part_number}")))
    }

    /// Adds what the history will sell, so that it ends with the catalogue's stock.
    async fn stock_up(&self, orders: &[PlannedOrder], at: Timestamp) -> Result<(), StartupError> {
        self.past.set(at);
        let mut sold = BTreeMap::<&str, i64>::new();
        for order in orders.iter().filter(|order| !order.fate.returns_its_units()) {
            *sold.entry(order.part_number).or_default() += order.quantity;
        }
        let catalog = App::new(&self.ports).catalog;
        for Part { item, .. } in &self.range {
            let Some(units) = sold.get(item.part_number) else { continue };
            let price = Money::from_cents(item.cents).ok().and_then(|money| UnitPrice::new(money).ok());
            let (Ok(arriving), Some(price)) = (Stock::new(*units), price) else { continue };
            let command = RestockProduct {
                product: self.product(item.part_number)?,
                arriving,
                price,
                seen_price: None,
                idempotency_key: Some(once_key("stock", item.part_number)),
            };
            done(catalog.restock_product(&self.admin, command).await)?;
        }
        Ok(())
    }

    /// Lets one order live to its end.
    async fn play(&self, number: usize, order: &PlannedOrder) -> Result<(), StartupError> {
        // Limits on how often somebody may ask are kept by the services: new ones have counted nothing.
        let app = App::new(&self.ports);
        let customer = self.customer(order)?;
        self.past.set(order.placed_at);
        let command = PlaceOrder {
            selector: ProductSelector::ById(self.product(order.part_number)?),
            quantity: order.quantity,
            shown_total: None,
            name: Text::new(order.by.contact).map_err(unsound(order.by.contact))?,
            email: None,
            phone: Text::new(order.by.phone).map_err(unsound(order.by.phone))?,
            address: Text::new(order.by.address).map_err(unsound(order.by.address))?,
            vehicle: None,
            idempotency_key: Some(once_key("order", &number.to_string())),
            holds_claim: true,
        };
        let Some(PlacedOrder { id, .. }) = done(app.orders.place_order(customer, command).await)? else {
            return Ok(());
        };
        match order.fate {
            Fate::Unpaid => {}
            Fate::Cancelled { at } => {
                self.past.set(at);
                done(app.orders.cancel_order(customer, id).await)?;
            }
            Fate::Waiting { paid_at } => self.pay(&app, customer, id, paid_at).await?,
            Fate::Shipped { paid_at, shipped_at } => {
                self.pay(&app, customer, id, paid_at).await?;
                self.ship(&app, id, shipped_at).await?;
                self.review(&app, customer, order, shipped_at).await?;
            }
            Fate::OnAccount { shipped_at, paid_at } => {
                self.ship(&app, id, shipped_at).await?;
                if let Some(paid_at) = paid_at {
                    self.pay(&app, customer, id, paid_at).await?;
                }
            }
            Fate::Refunded { paid_at, at } => {
                self.pay(&app, customer, id, paid_at).await?;
                self.refund(&app, id, None, "Ordered twice by mistake", at).await?;
            }
            Fate::PartlyRefunded { paid_at, shipped_at, at } => {
                self.pay(&app, customer, id, paid_at).await?;
                self.ship(&app, id, shipped_at).await?;
                let units = Money::from_cents(order.damaged_cents).map_err(unsound(order.part_number))?;
                self.refund(&app, id, Some(units), "Two units damaged in transit", at).await?;
            }
        }
        Ok(())
    }

    async fn pay(&self, app: &App, customer: &Caller, id: OrderId, at: Timestamp) -> Result<(), StartupError> {
        self.past.set(at);
        let opening = OpenPayment { payable: Some(domain::Payable::Order(id)), shown_total: None };
        let Some(secret) = done(app.payments.open_payment(customer, opening).await)? else { return Ok(()) };
        let year = i64::from(at.to_zoned(TimeZone::UTC).year()) + 2;
        let card = Card { number: "4242424242424242".to_owned(), exp_month: 12, exp_year: year, cvc: "123".to_owned() };
        let confirmed = self.test_cards.confirm(&secret.0, &card).await;
        let intent = confirmed.map_err(|refused| StartupError::internal(format!("a test card failed: {refused:?}")))?;
        let hint = SettlePayment { order: id, product: None, transaction: intent.id.to_string() };
        done(app.payments.settle_payment(customer, hint).await).map(drop)
    }

    async fn ship(&self, app: &App, id: OrderId, at: Timestamp) -> Result<(), StartupError> {
        self.past.set(at);
        done(app.orders.ship_order(&self.admin, id).await).map(drop)
    }

    /// Writes what the customer thinks of the part, if the history has it and it is not written yet.
    async fn review(
        &self,
        app: &App,
        customer: &Caller,
        order: &PlannedOrder,
        shipped_at: Timestamp,
    ) -> Result<(), StartupError> {
        for opinion in OPINIONS.iter().filter(|opinion| opinion.is_of(order)) {
            let at = earlier(self.opened, opinion.age(), 1);
            if at <= shipped_at {
                continue;
            }
            self.past.set(at);
            let draft = ReviewDraft {
                name: Text::new(order.by.account).map_err(unsound(order.by.account))?,
                details: Text::new(opinion.details).map_err(unsound(opinion.email))?,
                rating: Rating::new(opinion.rating).map_err(unsound(opinion.email))?,
                part: Some(self.product(order.part_number)?),
            };
            // Of several orders of such parts the first one's review stays the only one under this key.
            let key = once_key("opinion", opinion.part);
            done(app.catalog.write_review(customer, draft, Some(key)).await)?;
        }
        Ok(())
    }

    async fn refund(
        &self,
        app: &App,
        id: OrderId,
        amount: Option<Money>,
        reason: &str,
        at: Timestamp,
    ) -> Result<(), StartupError> {
        self.past.set(at);
        let reason = Some(Text::new(reason).map_err(unsound(reason))?);
        let command = RefundOrder { amount, reason, idempotency_key: None };
        done(app.payments.refund_order(&self.admin, id, command).await).map(drop)
    }

    /// Discards the e-mails of the history, which nobody is waiting for.
    async fn discard_emails(&self) -> Result<(), StoreError> {
        let request = LeaseRequest { queue: Queue::Mail, topics: Topic::ALL.to_vec(), lease: DAY, limit: EMAILS };
        loop {
            let leased = self.ports.outbox.lease(&request).await?;
            if leased.deliveries.is_empty() {
                return Ok(());
            }
            for delivery in leased.deliveries {
                self.ports.outbox.discard(delivery.id).await?;
            }
        }
    }
}
