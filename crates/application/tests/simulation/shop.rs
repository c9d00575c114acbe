//! The application on the simulated world, and who uses it.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use application::{App, Ports};
use domain::{AccountId, Caller, Order, Role, SecondFactor, SecondFactorPolicy, SessionId, Timestamp};
use ports::{
    MockAccountRepository, MockAccountTokenRepository, MockAccountTokens, MockAddressBook, MockAuditTrail,
    MockCartRepository, MockCatalogLog, MockCatalogSearch, MockDeviceCookies, MockDocumentRenderer,
    MockDocumentRepository, MockFeedRepository, MockFeedWork, MockFitmentRepository, MockGarageRepository,
    MockImageHost, MockListRepository, MockLoginAttempts, MockNewsletterRepository, MockNoteRepository,
    MockOneTimeCodes, MockOrderedParts, MockOutbox, MockOwnershipRepository, MockPartPages, MockPartRepository,
    MockPasswordHasher, MockProfileRepository, MockReturnRepository, MockReviewRepository, MockSalesRepository,
    MockSecondFactors, MockSessionRepository, MockSessionSecrets, MockShipmentRepository, MockTokenIssuer,
    MockVatCheck, MockVehicleNames, MockVinSeal, MockWebhookSecrets, MockWebhookSender, MockWebhookSubscriptions,
    ReservationRules,
};
use uuid::Uuid;

use crate::provider::Stripe;
use crate::stores::{Stores, Time};
use crate::terms;
use crate::world::World;

/// Maximum age of an unpaid order.
pub(crate) const RESERVATION_TTL: Duration = Duration::from_hours(24);

/// Parts of which none was replaced by another.
fn without_successors() -> MockOrderedParts {
    let mut parts = MockOrderedParts::new();
    parts.expect_successors().returning(|_| Ok(HashMap::new()));
    parts
}

/// The application with every port that a history needs. A call to any other port panics.
#[expect(clippy::too_many_lines, reason = "a line for each port")]
pub(crate) fn shop(world: &Arc<World>) -> App {
    let (stores, time) = (Arc::new(Stores(Arc::clone(world))), Arc::new(Time(Arc::clone(world))));
    App::new(&Ports {
        account_tokens: Arc::new(MockAccountTokens::new()),
        account_token_store: Arc::new(MockAccountTokenRepository::new()),
        accounts: Arc::new(MockAccountRepository::new()),
        catalog_log: Arc::new(MockCatalogLog::new()),
        checkouts: Arc::clone(&stores) as _,
        clock: Arc::clone(&time) as _,
        device_cookies: Arc::new(MockDeviceCookies::new()),
        document_renderer: Arc::new(MockDocumentRenderer::new()),
        documents: Arc::new(MockDocumentRepository::new()),
        webhook_sender: Arc::new(MockWebhookSender::new()),
        webhook_secrets: Arc::new(MockWebhookSecrets::new()),
        webhook_subscriptions: Arc::new(MockWebhookSubscriptions::new()),
        google: None,
        login_attempts: Arc::new(MockLoginAttempts::new()),
        reservations: ReservationRules { usual: RESERVATION_TTL, new: RESERVATION_TTL, most_new: None },
        ids: Arc::clone(&time) as _,
        images: Arc::new(MockImageHost::new()),
        payment_attempts: Arc::clone(&stores) as _,
        email_sender: None,
        newsletter: Arc::new(MockNewsletterRepository::new()),
        notes: Arc::new(MockNoteRepository::new()),
        orders: Arc::clone(&stores) as _,
        outbox: Arc::new(MockOutbox::new()),
        ownership: Arc::new(MockOwnershipRepository::new()),
        passwords: Arc::new(MockPasswordHasher::new()),
        payment_events: Arc::clone(&stores) as _,
        payment_provider: Arc::new(Stripe(Arc::clone(world))),
        fitments: Arc::new(MockFitmentRepository::new()),
        part_pages: Arc::new(MockPartPages::new()),
        parts: Arc::new(MockPartRepository::new()),
        products: Arc::clone(&stores) as _,
        garage: Arc::new(MockGarageRepository::new()),
        carts: Arc::new(MockCartRepository::new()),
        lists: Arc::new(MockListRepository::new()),
        ordered_parts: Arc::new(without_successors()),
        vins: Arc::new(MockVinSeal::new()),
        address_book: Arc::new(MockAddressBook::new()),
        exemptions: Arc::new(terms::exemptions()),
        shipments: Arc::new(MockShipmentRepository::new()),
        shipping_methods: Arc::new(terms::shipping_methods()),
        tax_rates: Arc::new(terms::tax_rates()),
        audit_trail: Arc::new(MockAuditTrail::new()),
        vat_check: Arc::new(MockVatCheck::new()),
        profiles: Arc::new(MockProfileRepository::new()),
        prices: Arc::clone(&stores) as _,
        refunds: stores,
        returns: Arc::new(MockReturnRepository::new()),
        reviews: Arc::new(MockReviewRepository::new()),
        review_pause: None,
        search: Arc::new(MockCatalogSearch::new()),
        feeds: Arc::new(MockFeedRepository::new()),
        feed_rules: ports::FeedRules { most_bytes: 0, archive_percent: 0 },
        feed_work: Arc::new(MockFeedWork::new()),
        vehicle_names: Arc::new(MockVehicleNames::new()),
        sales: Arc::new(MockSalesRepository::new()),
        search_engine: None,
        search_holder: Uuid::nil(),
        session_secrets: Arc::new(MockSessionSecrets::new()),
        shared_clock: time,
        sessions: Arc::new(MockSessionRepository::new()),
        tokens: Arc::new(MockTokenIssuer::new()),
        admin_second_factor: SecondFactorPolicy::Optional,
        one_time_codes: Arc::new(MockOneTimeCodes::new()),
        passkeys: None,
        second_factors: Arc::new(MockSecondFactors::new()),
        roles_need_proof: true,
    })
}

pub(crate) fn customer(number: u64) -> Caller {
    caller(number, Role::Customer)
}

pub(crate) fn admin() -> Caller {
    caller(9, Role::Admin)
}

fn caller(number: u64, role: Role) -> Caller {
    Caller {
        session: SessionId::new(Uuid::from_u128(u128::from(900 + number))),
        account: AccountId::new(Uuid::from_u128(u128::from(1_000 + number) << 64)),
        email: format!("account{number}@example.com").parse().unwrap(),
        role,
        signed_in_at: Timestamp::UNIX_EPOCH,
        second_factor: SecondFactor::None,
    }
}

/// Number of customers.
pub(crate) const CUSTOMERS: u64 = 3;

pub(crate) fn owner(order: &Order) -> Caller {
    (0..CUSTOMERS).map(customer).find(|customer| customer.account == order.customer).unwrap()
}
