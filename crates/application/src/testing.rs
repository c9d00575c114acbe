//! Services on mocks that expect nothing, and the test data that the tests share.
//!
//! A test replaces the ports that its use case may call: `Catalog { products: Arc::new(products), ..catalog() }`.
//! Calling any other port panics, which proves that the use case does not call it.

use std::collections::HashMap;
use std::sync::Arc;

use domain::accounts::access::Denied;
use domain::orders::order::EventMeta;
use domain::{
    Account, AccountId, Actor, Address, Caller, Category, Contact, EventId, MinOrder, Order, OrderId, Product,
    ProductDetails, ProductId, Quantity, Role, SessionId, Stock, Text, Timestamp, TransactionId, TypedAddress,
    UnitPrice,
};
use ports::{
    Credentials, FeedRules, MockAccountRepository, MockAccountTokenRepository, MockAccountTokens, MockAddressBook,
    MockAuditTrail, MockCatalogLog, MockCatalogSearch, MockCheckoutRepository, MockClock, MockDeviceCookies,
    MockExemptions, MockFeedRepository, MockFeedWork, MockFitmentRepository, MockGarageRepository, MockIds,
    MockImageHost, MockLoginAttempts, MockNewsletterRepository, MockNoteRepository, MockOrderRepository, MockOutbox,
    MockOwnershipRepository, MockPartPages, MockPartRepository, MockPasswordHasher, MockPaymentAttempts,
    MockPaymentEvents, MockPaymentProvider, MockPriceRepository, MockProductRepository, MockProfileRepository,
    MockRefundRepository, MockReturnRepository, MockReviewRepository, MockSalesRepository, MockSessionRepository,
    MockSessionSecrets, MockSharedClock, MockShipmentRepository, MockShippingMethods, MockTaxRates, MockTokenIssuer,
    MockVatCheck, MockVinSeal, MockWebhookSecrets, MockWebhookSender, MockWebhookSubscriptions, PaymentAttempt,
    PaymentIntent, PaymentIntentState, PriceBook, PriceEpoch, ReservationRules, StoreError,
};
use uuid::Uuid;

use crate::orders::event_source::EventSource;
use crate::{
    AccountLinks, Accounts, Catalog, Checkouts, Failure, Notifications, Orders, Payments, Ports, Pricing, SigningIn,
};

pub(crate) fn now() -> Timestamp {
    Timestamp::from_second(1_800_000_000).unwrap()
}

/// Prices of a shop without price lists.
fn without_lists() -> MockPriceRepository {
    let mut prices = MockPriceRepository::new();
    prices.expect_epoch().returning(|| Ok(PriceEpoch(1)));
    prices
        .expect_book()
        .returning(|| Ok(PriceBook { epoch: PriceEpoch(1), lists: HashMap::new(), accounts: HashMap::new() }));
    prices
}

/// It is always [`now`].
fn clock() -> MockClock {
    let mut clock = MockClock::new();
    clock.expect_now().returning(now);
    clock
}

fn ids() -> MockIds {
    let mut ids = MockIds::new();
    let mut last = 10_000;
    ids.expect_fresh().returning(move || {
        last += 1;
        Uuid::from_u128(last)
    });
    ids
}

#[expect(clippy::too_many_lines, reason = "a line for each port")]
pub(crate) fn ports() -> Ports {
    Ports {
        account_tokens: Arc::new(MockAccountTokens::new()),
        account_token_store: Arc::new(MockAccountTokenRepository::new()),
        accounts: Arc::new(MockAccountRepository::new()),
        carts: Arc::new(ports::MockCartRepository::new()),
        lists: Arc::new(ports::MockListRepository::new()),
        ordered_parts: Arc::new(ports::MockOrderedParts::new()),
        address_book: Arc::new(MockAddressBook::new()),
        catalog_log: Arc::new(MockCatalogLog::new()),
        clock: Arc::new(clock()),
        checkouts: Arc::new(MockCheckoutRepository::new()),
        device_cookies: Arc::new(MockDeviceCookies::new()),
        document_renderer: Arc::new(ports::MockDocumentRenderer::new()),
        documents: Arc::new(ports::MockDocumentRepository::new()),
        webhook_sender: Arc::new(MockWebhookSender::new()),
        webhook_secrets: Arc::new(MockWebhookSecrets::new()),
        webhook_subscriptions: Arc::new(MockWebhookSubscriptions::new()),
        garage: Arc::new(MockGarageRepository::new()),
        exemptions: Arc::new(MockExemptions::new()),
        feeds: Arc::new(MockFeedRepository::new()),
        feed_rules: FeedRules { most_bytes: 1_000, archive_percent: 20 },
        feed_work: Arc::new(MockFeedWork::new()),
        vehicle_names: Arc::new(ports::MockVehicleNames::new()),
        google: None,
        login_attempts: Arc::new(MockLoginAttempts::new()),
        ids: Arc::new(ids()),
        images: Arc::new(MockImageHost::new()),
        payment_attempts: Arc::new(MockPaymentAttempts::new()),
        email_sender: None,
        newsletter: Arc::new(MockNewsletterRepository::new()),
        notes: Arc::new(MockNoteRepository::new()),
        orders: Arc::new(MockOrderRepository::new()),
        outbox: Arc::new(MockOutbox::new()),
        ownership: Arc::new(MockOwnershipRepository::new()),
        passwords: Arc::new(MockPasswordHasher::new()),
        payment_events: Arc::new(MockPaymentEvents::new()),
        payment_provider: Arc::new(MockPaymentProvider::new()),
        prices: Arc::new(without_lists()),
        fitments: Arc::new(MockFitmentRepository::new()),
        part_pages: Arc::new(MockPartPages::new()),
        parts: Arc::new(MockPartRepository::new()),
        products: Arc::new(MockProductRepository::new()),
        profiles: Arc::new(MockProfileRepository::new()),
        refunds: Arc::new(MockRefundRepository::new()),
        returns: Arc::new(MockReturnRepository::new()),
        reviews: Arc::new(MockReviewRepository::new()),
        review_pause: None,
        sales: Arc::new(MockSalesRepository::new()),
        reservations: ReservationRules::UNLIMITED,
        shared_clock: Arc::new(agreeing_clock()),
        search: Arc::new(MockCatalogSearch::new()),
        search_engine: None,
        search_holder: Uuid::nil(),
        session_secrets: Arc::new(MockSessionSecrets::new()),
        sessions: Arc::new(MockSessionRepository::new()),
        shipments: Arc::new(MockShipmentRepository::new()),
        shipping_methods: Arc::new(MockShippingMethods::new()),
        tax_rates: Arc::new(MockTaxRates::new()),
        tokens: Arc::new(MockTokenIssuer::new()),
        audit_trail: Arc::new(MockAuditTrail::new()),
        vat_check: Arc::new(MockVatCheck::new()),
        vins: Arc::new(MockVinSeal::new()),
        admin_second_factor: domain::SecondFactorPolicy::Optional,
        one_time_codes: Arc::new(ports::MockOneTimeCodes::new()),
        passkeys: Some(Arc::new(ports::MockPasskeys::new())),
        second_factors: Arc::new(ports::MockSecondFactors::new()),
        roles_need_proof: true,
    }
}

pub(crate) fn catalog() -> Catalog {
    Catalog::new(&ports())
}

pub(crate) fn accounts() -> Accounts {
    Accounts::new(&ports())
}

pub(crate) fn account_links() -> AccountLinks {
    AccountLinks::new(&ports(), Arc::new(orders_on(ports())), Arc::new(signing_in()))
}

pub(crate) fn signing_in() -> SigningIn {
    SigningIn::new(&ports(), Arc::new(orders_on(ports())))
}

pub(crate) fn notifications() -> Notifications {
    Notifications::new(&ports())
}

#[expect(clippy::needless_pass_by_value, reason = "reads better: orders_on(Ports { orders, ..ports() })")]
pub(crate) fn orders_on(ports: Ports) -> Orders {
    let payments = Arc::new(Payments::new(&ports));
    let pricing = Arc::new(Pricing::new(&ports));
    Orders::new(&ports, payments, pricing)
}

#[expect(clippy::needless_pass_by_value, reason = "as above")]
pub(crate) fn payments_on(ports: Ports) -> Payments {
    Payments::new(&ports)
}

pub(crate) fn checkouts_on(ports: &Ports) -> Checkouts {
    let (orders, payments) = (orders_on(ports.clone()), payments_on(ports.clone()));
    Checkouts::new(ports, Arc::new(orders), Arc::new(payments), Arc::new(Pricing::new(ports)))
}

/// The id, actor and time of a new event.
pub(crate) fn meta(by: Actor) -> EventMeta {
    EventSource::new(&ports()).meta(by)
}

/// A shared clock that agrees with [`now`].
fn agreeing_clock() -> MockSharedClock {
    let mut clock = MockSharedClock::new();
    clock.expect_read().returning(|| Ok(now()));
    clock
}

pub(crate) fn caller(role: Role) -> Caller {
    Caller {
        session: SessionId::new(Uuid::from_u128(1)),
        account: AccountId::new(Uuid::from_u128(2)),
        email: "customer@example.com".parse().unwrap(),
        role,
        signed_in_at: Timestamp::UNIX_EPOCH,
        second_factor: domain::SecondFactor::None,
    }
}

/// Why a caller was denied something, if so.
pub(crate) fn denial<T, R>(outcome: &Result<T, Failure<R>>) -> Option<Denied> {
    match outcome {
        Err(Failure::Denied(denied)) => Some(*denied),
        _ => None,
    }
}

pub(crate) fn is_forbidden<T, R>(outcome: &Result<T, Failure<R>>) -> bool {
    denial(outcome) == Some(Denied::Forbidden)
}

pub(crate) fn is_not_found<T, R>(outcome: &Result<T, Failure<R>>) -> bool {
    denial(outcome) == Some(Denied::NotFound)
}

pub(crate) fn credentials(email: &str) -> Credentials {
    let account = Account {
        id: AccountId::new(Uuid::from_u128(3)),
        email: email.parse().unwrap(),
        display_name: Text::new("Nia").unwrap(),
        photo_url: None,
        role: Role::Customer,
        created_at: now(),
        email_verified_at: None,
        proved_at: None,
    };
    let password = Some(ports::PasswordHash::new("phc".into()));
    Credentials { account, password, google_linked: false, removed: false }
}

/// An address in Detroit.
pub(crate) fn address() -> Address {
    let typed = TypedAddress {
        company: None,
        line1: Some("1 Workshop Lane"),
        line2: None,
        city: Some("Detroit"),
        region: Some("MI"),
        postcode: Some("48201"),
        country: Some("US"),
    };
    Address::new(&typed).unwrap()
}

pub(crate) fn product() -> Product {
    let details = ProductDetails::new(
        Text::new("Ventilated brake disc").unwrap(),
        Text::new("A pair.").unwrap(),
        Category::Brakes,
        "/pictures/brake-disc-640.webp".parse().unwrap(),
        UnitPrice::from_dollars(129.99).unwrap(),
        MinOrder::effective(50).unwrap(),
        Stock::new(500).unwrap(),
    );
    Product { id: ProductId::new(Uuid::from_u128(4)), details, created_at: now() }
}

/// An unpaid order of 50 units, placed by [`caller`].
pub(crate) fn customers_order() -> Order {
    let contact = Contact {
        name: Text::new("Nia").unwrap(),
        email: caller(Role::Customer).email,
        phone: Text::new("555 0100").unwrap(),
        address: Text::new("1 Workshop Lane").unwrap(),
    };
    let fifty = Quantity::new(50).unwrap();
    let id = OrderId::new(Uuid::from_u128(5));
    Order::place(id, caller(Role::Customer).account, contact, &product(), fifty, product().details.price, now())
        .unwrap()
}

/// An order repository that returns one order unchanged, and expects nothing else.
pub(crate) fn holding(order: &Order) -> MockOrderRepository {
    let mut orders = MockOrderRepository::new();
    let order = order.clone();
    orders.expect_find().returning(move |_| Ok(Some(order.clone())));
    orders
}

/// An order repository that returns these orders unchanged, and expects nothing else.
pub(crate) fn holding_all(orders: &[Order]) -> MockOrderRepository {
    let stored = orders.to_vec();
    let mut store = MockOrderRepository::new();
    store.expect_find().returning(move |id| Ok(stored.iter().find(|order| order.id == id).cloned()));
    store
}

/// An order repository in which the order `bad` cannot be decoded; any other is found, as this one.
pub(crate) fn holding_beside_undecodable(bad: OrderId, order: &Order) -> MockOrderRepository {
    let mut orders = MockOrderRepository::new();
    let order = order.clone();
    orders.expect_find().returning(move |id| {
        if id == bad { Err(StoreError::Internal("a phone of spaces".into())) } else { Ok(Some(order.clone())) }
    });
    orders
}

/// The same order, paid by [`transaction`].
pub(crate) fn paid_order() -> Order {
    let meta = EventMeta { event: EventId::new(Uuid::from_u128(6)), by: Actor::Shop, at: now() };
    customers_order().settle(transaction(), meta).unwrap().after
}

/// The same order, cancelled since: the shop owes its money.
pub(crate) fn cancelled_paid() -> Order {
    paid_order().cancel_with_refund(meta(Actor::Shop)).unwrap().after
}

/// An order repository that returns an order so often as it was, and then as it is.
pub(crate) fn turning_after(reads: usize, before: &Order, after: &Order) -> MockOrderRepository {
    let mut orders = MockOrderRepository::new();
    let (before, after) = (before.clone(), after.clone());
    orders.expect_find().times(reads).returning(move |_| Ok(Some(before.clone())));
    orders.expect_find().returning(move |_| Ok(Some(after.clone())));
    orders
}

pub(crate) fn transaction() -> TransactionId {
    "pi_1".parse().unwrap()
}

/// A payment at the provider that matches an order.
pub(crate) fn intent(order: &Order, state: PaymentIntentState) -> PaymentIntent {
    PaymentIntent {
        id: transaction(),
        client_secret: "pi_1_secret_1".into(),
        amount: order.item.total,
        currency: "usd".into(),
        payable: Some(domain::Payable::Order(order.id)),
        received: if state == PaymentIntentState::Succeeded { order.item.total } else { domain::Money::ZERO },
        refunded: domain::Money::ZERO,
        disputed: false,
        state,
    }
}

/// Payment attempts that know the one that paid [`paid_order`].
pub(crate) fn opened() -> MockPaymentAttempts {
    let mut attempts = MockPaymentAttempts::new();
    attempts.expect_find().returning(|id| {
        let order = paid_order();
        Ok((*id == transaction()).then(|| PaymentAttempt::of_order(transaction(), order.id, order.item.total)))
    });
    attempts
}

/// A refund repository without refunds or disputes.
pub(crate) fn no_refunds() -> MockRefundRepository {
    let mut refunds = MockRefundRepository::new();
    refunds.expect_of_payment().returning(|_| Ok(Vec::new()));
    refunds.expect_disputes_of().returning(|_| Ok(Vec::new()));
    refunds
}
