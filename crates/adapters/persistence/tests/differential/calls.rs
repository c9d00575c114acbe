//! Port calls as values, and their results as texts that can be compared.

use std::fmt::{self, Debug};
use std::time::Duration;

use domain::orders::assigned::StoreAssigned;
use domain::orders::order::Change;
use domain::{
    AccountId, Actor, Category, Checkout, CheckoutId, Dispute, DisputeState, Ladder, Money, Order, OrderEvent,
    OrderEventKind, OrderId, Payable, PictureUrl, ProductId, Refund, RefundId, Timestamp, TransactionId,
};
use ports::{
    Acknowledged, CheckSooner, CheckoutPlaced, CheckoutQuery, CheckoutRepository, Editing, Ended, IdempotencyKey,
    NewCheckout, NewOrder, NewRefund, OrderRepository, PaymentAttempt, PaymentAttempts, PaymentEvents, PaymentRef,
    PlaceCheckoutError, PriceRepository, ProductRepository, RefundRepository, Restocking, StoredCheckout, Waits,
};

/// One port call.
#[derive(Debug, Clone)]
pub(crate) enum Call {
    Place(Box<NewOrder>),
    PlacedUnder(AccountId, IdempotencyKey),
    Apply(Box<Change>),
    FindOrder(OrderId),
    UnpaidWithTotal(AccountId, Money),
    LeaseLapsed(u32),
    Timeline(OrderId),
    Attach(PaymentAttempt),
    OpenFor(Payable),
    Attempts(Payable),
    FindPaymentAttempt(TransactionId),
    Undecided(OrderId),
    Close(TransactionId, Ended),
    CheckSooner(TransactionId, CheckSooner),
    LeaseDuePaymentAttempts(Waits, u32),
    NoteKnown(TransactionId, bool),
    NoteMismatch(TransactionId),
    LeaseSettled(Waits, u32),
    NoteAgreement(TransactionId, bool),
    Disagreements,
    BeginRefund(Box<NewRefund>),
    MoveRefund { before: Box<Refund>, after: Box<Refund>, change: Option<Box<Change>>, wait: Duration },
    FindRefund(RefundId),
    BegunUnder(OrderId, IdempotencyKey),
    RefundsOf(OrderId),
    RefundsOfPayment(TransactionId),
    LeaseDueRefunds(u32),
    NoteDispute { payment: PaymentRef, before: Option<DisputeState>, dispute: Dispute, change: Option<Box<Change>> },
    DisputesOf(PaymentRef),
    Acknowledge(Acknowledged),
    Attention(u32),
    Tally,
    IsKnown(String),
    ApplyReceived(String, Box<Change>),
    Remember(String, Timestamp),
    Forget(Timestamp, u32),
    FindProduct(ProductId),
    Matching(String, Category, PictureUrl),
    Restock(Restocking),
    Archive(ProductId),
    Restore(ProductId),
    Edit(Box<Editing>),
    PlaceCheckout(Box<NewCheckout>),
    CheckoutUnder(AccountId, IdempotencyKey),
    FindCheckout(CheckoutId),
    ListCheckouts(CheckoutQuery),
    SetFreight { checkout: CheckoutId, shipping: Money, tax: Money, changes: Vec<Change> },
    ApplyAll(Vec<Change>, Option<(String, Timestamp)>),
    FindOrders(Vec<OrderId>),
    SetTiers(ProductId, Ladder),
    Epoch,
}

impl Call {
    /// The name of the call, without its arguments.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Attach(intent) if intent.payable.order().is_none() => return "AttachShares".to_owned(),
            Self::ApplyAll(changes, _) => match changes.first().map(|change| &change.event.kind) {
                Some(OrderEventKind::Paid { .. }) => return "Settle".to_owned(),
                Some(OrderEventKind::Cancelled) => return "Cancel".to_owned(),
                _ => {}
            },
            _ => {}
        }
        let whole = format!("{self:?}");
        whole.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_owned()
    }

    /// Whether the call may change something.
    pub(crate) const fn changes(&self) -> bool {
        !matches!(
            self,
            Self::PlacedUnder(..)
                | Self::FindOrder(_)
                | Self::UnpaidWithTotal(..)
                | Self::Timeline(_)
                | Self::OpenFor(_)
                | Self::Attempts(_)
                | Self::FindPaymentAttempt(_)
                | Self::Undecided(_)
                | Self::Disagreements
                | Self::FindRefund(_)
                | Self::BegunUnder(..)
                | Self::RefundsOf(_)
                | Self::DisputesOf(_)
                | Self::Attention(_)
                | Self::Tally
                | Self::IsKnown(_)
                | Self::FindProduct(_)
                | Self::Matching(..)
                | Self::RefundsOfPayment(_)
                | Self::CheckoutUnder(..)
                | Self::FindCheckout(_)
                | Self::ListCheckouts(_)
                | Self::FindOrders(_)
                | Self::Epoch
        )
    }
}

/// Pairs of call and kind of result that must be seen at least once; otherwise the comparison proves little.
pub(crate) const EXPECTED: [&str; 99] = [
    "Place Ok",
    "Place PriceChanged",
    "Place NotEnough",
    "Place Gone",
    "Place TooManyUnpaid",
    "PlacedUnder Some",
    "PlacedUnder None",
    "Apply Written",
    "Apply Conflict",
    "FindOrder Some",
    "UnpaidWithTotal some",
    "UnpaidWithTotal none",
    "LeaseLapsed some",
    "LeaseLapsed none",
    "Timeline some",
    "Attach Open",
    "Attach Another",
    "Attach Refused",
    "OpenFor Some",
    "OpenFor None",
    "Attempts 0",
    "Attempts 1",
    "FindPaymentAttempt Some",
    "FindPaymentAttempt None",
    "Undecided some",
    "Undecided none",
    "Close Ok",
    "CheckSooner Ok",
    "LeaseDuePaymentAttempts some",
    "LeaseDuePaymentAttempts none",
    "NoteKnown Ok",
    "NoteMismatch Ok",
    "LeaseSettled some",
    "LeaseSettled none",
    "NoteAgreement Ok",
    "Disagreements 0",
    "Disagreements 1",
    "BeginRefund Written",
    "BeginRefund Known",
    "BeginRefund Conflict",
    "BeginRefund TooMuch",
    "MoveRefund Written",
    "MoveRefund Conflict",
    "FindRefund Some",
    "BegunUnder Some",
    "BegunUnder None",
    "RefundsOf some",
    "RefundsOf none",
    "LeaseDueRefunds some",
    "LeaseDueRefunds none",
    "NoteDispute Written",
    "NoteDispute Conflict",
    "DisputesOf some",
    "DisputesOf none",
    "Acknowledge true",
    "Acknowledge false",
    "Attention some",
    "IsKnown true",
    "IsKnown false",
    "ApplyReceived Written",
    "ApplyReceived Conflict",
    "Remember Ok",
    "Forget 1",
    "Restock Ok",
    "Restock Unknown",
    "Archive true",
    "Restore Some",
    "Edit true",
    "Edit false",
    "Edit Changed",
    "Edit Unknown",
    "Place KeyReused",
    "PlacedUnder KeyReused",
    "PlaceCheckout Now",
    "PlaceCheckout Before",
    "PlaceCheckout PriceChanged",
    "PlaceCheckout NotEnough",
    "PlaceCheckout Gone",
    "PlaceCheckout OneUnpaid",
    "PlaceCheckout KeyReused",
    "CheckoutUnder Some",
    "CheckoutUnder None",
    "CheckoutUnder KeyReused",
    "FindCheckout Some",
    "ListCheckouts some",
    "ListCheckouts none",
    "SetFreight Written",
    "SetFreight Conflict",
    "Settle Written",
    "Settle Conflict",
    "Cancel Written",
    "Cancel Conflict",
    "AttachShares Open",
    "AttachShares Another",
    "AttachShares Refused",
    "FindOrders some",
    "RefundsOfPayment some",
    "SetTiers true",
    "SetTiers false",
];

/// The result of a call.
#[derive(PartialEq, Eq)]
pub(crate) struct Answer(String);

impl Answer {
    fn of(answer: impl Debug) -> Self {
        Self(format!("{answer:?}"))
    }

    fn list<T: Debug>(answer: &[T]) -> Self {
        Self(format!("{} {answer:?}", if answer.is_empty() { "none" } else { "some" }))
    }

    /// The first word of the result, without what is around it.
    pub(crate) fn kind(&self) -> &str {
        let around = ["Ok(", "Err(", "Refused(", "Stock(", "Store("];
        let inner = around.iter().fold(self.0.as_str(), |inner, around| inner.trim_start_matches(around));
        if inner.starts_with("())") || inner.starts_with("OrderId") {
            return "Ok";
        }
        inner.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default()
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// Removes the order number, which Postgres counts with gaps, and what was refunded, which only Postgres sums up.
fn unnumbered(order: Order) -> Order {
    Order { assigned: StoreAssigned { number: None, ..order.assigned }, refunded: Money::ZERO, ..order }
}

fn unnumbered_entry(event: OrderEvent) -> OrderEvent {
    let kind = match event.kind {
        OrderEventKind::Ordered { customer, contact, item, assigned } => {
            OrderEventKind::Ordered { customer, contact, item, assigned: StoreAssigned { number: None, ..assigned } }
        }
        other => other,
    };
    OrderEvent { kind, ..event }
}

/// Removes a checkout's number, which Postgres counts with gaps, and those of its orders.
fn unnumbered_checkout(stored: StoredCheckout) -> StoredCheckout {
    StoredCheckout {
        checkout: Checkout { number: None, ..stored.checkout },
        orders: stored.orders.into_iter().map(unnumbered).collect(),
    }
}

fn placed(outcome: Result<CheckoutPlaced, PlaceCheckoutError>) -> Answer {
    match outcome {
        Ok(CheckoutPlaced::Now { id, .. }) => Answer(format!("Now {id}")),
        // By the first of its lines.
        Err(PlaceCheckoutError::Lines(lines)) => Answer(format!("Err({:?}) {lines:?}", lines[0].1)),
        other => Answer::of(other),
    }
}

/// Makes the call on one side.
#[expect(clippy::too_many_lines, reason = "one arm per call of the ports")]
pub(crate) async fn perform<S>(stores: &S, call: &Call) -> Answer
where
    S: OrderRepository
        + CheckoutRepository
        + PaymentAttempts
        + RefundRepository
        + PaymentEvents
        + ProductRepository
        + PriceRepository,
{
    let at = Timestamp::UNIX_EPOCH;
    match call.clone() {
        Call::Place(new) => Answer::of(OrderRepository::place(stores, &new).await),
        Call::PlacedUnder(customer, key) => Answer::of(OrderRepository::placed_under(stores, customer, key).await),
        Call::Apply(change) => Answer::of(OrderRepository::apply(stores, &change).await),
        Call::FindOrder(id) => Answer::of(OrderRepository::find(stores, id).await.map(|found| found.map(unnumbered))),
        Call::UnpaidWithTotal(customer, total) => {
            Answer::list(&sorted(stores.unpaid_with_total(customer, total, 1_000).await.unwrap()))
        }
        Call::LeaseLapsed(limit) => Answer::list(&sorted(stores.lease_lapsed(limit).await.unwrap())),
        Call::Timeline(id) => {
            let timeline = stores.timeline(id).await.unwrap();
            Answer::list(&timeline.into_iter().map(unnumbered_entry).collect::<Vec<_>>())
        }
        Call::Attach(intent) => Answer::of(stores.attach(&intent, at).await),
        Call::OpenFor(payable) => Answer::of(stores.open_for(payable).await),
        Call::Attempts(payable) => Answer::of(stores.attempts(payable).await),
        Call::FindPaymentAttempt(id) => Answer::of(PaymentAttempts::find(stores, &id).await),
        Call::Undecided(order) => Answer::list(&by_id(stores.undecided(order).await.unwrap())),
        Call::Close(id, ended) => Answer::of(stores.close(&id, ended, at).await),
        Call::CheckSooner(id, why) => Answer::of(stores.check_sooner(&id, why).await),
        Call::LeaseDuePaymentAttempts(waits, limit) => {
            Answer::list(&by_id(PaymentAttempts::lease_due(stores, waits, limit).await.unwrap()))
        }
        Call::NoteKnown(id, known) => Answer::of(stores.note_known(&id, known).await),
        Call::NoteMismatch(id) => Answer::of(stores.note_mismatch(&id).await),
        Call::LeaseSettled(waits, limit) => {
            let mut leased = stores.lease_settled(waits, limit).await.unwrap();
            leased.sort_by_key(|payment| payment.order);
            Answer::list(&leased)
        }
        Call::NoteAgreement(id, agree) => Answer::of(stores.note_agreement(&id, agree).await),
        Call::Disagreements => Answer::of(stores.disagreements().await),
        Call::BeginRefund(new) => Answer::of(stores.begin(&new).await),
        Call::MoveRefund { before, after, change, wait } => {
            Answer::of(RefundRepository::apply(stores, &before, &after, change.map(|change| *change), wait).await)
        }
        Call::FindRefund(id) => Answer::of(RefundRepository::find(stores, id).await),
        Call::BegunUnder(order, key) => Answer::of(stores.begun_under(order, key).await),
        Call::RefundsOf(order) => Answer::list(&stores.of_order(order).await.unwrap()),
        Call::RefundsOfPayment(payment) => Answer::list(&stores.of_payment(&payment).await.unwrap()),
        Call::LeaseDueRefunds(limit) => {
            let mut leased = RefundRepository::lease_due(stores, limit).await.unwrap();
            leased.sort_by_key(|refund| refund.id);
            Answer::list(&leased)
        }
        Call::NoteDispute { payment, before, dispute, change } => {
            let change = change.map(|change| *change);
            let at = change.as_ref().map_or(at, |change| change.event.at);
            Answer::of(stores.note_dispute(&payment, before, &dispute, change, at).await)
        }
        Call::DisputesOf(payment) => Answer::list(&stores.disputes_of(&payment.id).await.unwrap()),
        Call::Acknowledge(what) => Answer::of(stores.acknowledge(&what, &Actor::Shop, at).await),
        Call::Attention(limit) => Answer::list(&stores.attention(limit).await.unwrap()),
        Call::Tally => Answer::of(stores.tally().await),
        Call::IsKnown(event) => Answer::of(stores.is_known(&event).await),
        Call::ApplyReceived(event, change) => {
            Answer::of(PaymentEvents::apply(stores, &event, &change, change.event.at).await)
        }
        Call::Remember(event, at) => Answer::of(stores.remember(&event, at).await),
        Call::Forget(before, limit) => Answer::of(stores.forget(before, limit).await),
        Call::FindProduct(id) => Answer::of(ProductRepository::find(stores, id).await),
        Call::Matching(name, category, img) => Answer::list(&stores.matching(&name, category, &img).await.unwrap()),
        Call::Restock(restocking) => Answer::of(stores.restock(&restocking).await),
        Call::Archive(id) => Answer::of(stores.archive(id, &Actor::Shop, at).await),
        Call::Restore(id) => Answer::of(ProductRepository::restore(stores, id).await),
        Call::Edit(editing) => Answer::of(stores.edit(&editing).await),
        Call::PlaceCheckout(new) => placed(CheckoutRepository::place(stores, &new).await),
        Call::CheckoutUnder(customer, key) => Answer::of(CheckoutRepository::placed_under(stores, customer, key).await),
        Call::FindCheckout(id) => {
            Answer::of(CheckoutRepository::find(stores, id).await.map(|found| found.map(unnumbered_checkout)))
        }
        Call::ListCheckouts(query) => {
            let page = CheckoutRepository::list(stores, &query).await.unwrap();
            let items: Vec<StoredCheckout> = page.items.into_iter().map(unnumbered_checkout).collect();
            Answer(format!("{} {} {:?}", Answer::list(&items), page.total, page.next))
        }
        Call::SetFreight { checkout, shipping, tax, changes } => {
            Answer::of(stores.set_freight(checkout, shipping, tax, &changes).await)
        }
        Call::ApplyAll(changes, event) => Answer::of(stores.apply_all(&changes, event).await),
        Call::FindOrders(ids) => {
            let mut found = OrderRepository::find_all(stores, &ids).await.unwrap();
            found.sort_by_key(|order| order.id);
            Answer::list(&found.into_iter().map(unnumbered).collect::<Vec<_>>())
        }
        Call::SetTiers(product, ladder) => Answer::of(stores.set_tiers(product, &ladder).await),
        Call::Epoch => Answer::of(stores.epoch().await),
    }
}

fn sorted<T: Ord>(mut all: Vec<T>) -> Vec<T> {
    all.sort();
    all
}

fn by_id(mut all: Vec<PaymentAttempt>) -> Vec<PaymentAttempt> {
    all.sort_by(|one, other| one.id.as_str().cmp(other.id.as_str()));
    all
}
