//! What the services are built from.

use std::sync::Arc;
use std::time::Duration;

use domain::SecondFactorPolicy;
use ports::{
    AccountRepository, AccountTokenRepository, AccountTokens, AddressBook, AuditTrail, CartRepository, CatalogLog,
    CatalogSearch, CheckoutRepository, Clock, DeviceCookies, DocumentRenderer, DocumentRepository, EmailSender,
    Exemptions, FeedRepository, FeedRules, FeedWork, FitmentRepository, GarageRepository, GoogleSignIn, Ids, ImageHost,
    ListRepository, LoginAttempts, NewsletterRepository, NoteRepository, OneTimeCodes, OrderRepository, OrderedParts,
    Outbox, OwnershipRepository, PartPages, PartRepository, Passkeys, PasswordHasher, PaymentAttempts, PaymentEvents,
    PaymentProvider, PriceRepository, ProductRepository, ProfileRepository, RefundRepository, ReservationRules,
    ReturnRepository, ReviewRepository, SalesRepository, SearchEngine, SecondFactors, SessionRepository,
    SessionSecrets, SharedClock, ShipmentRepository, ShippingMethods, TaxRates, TokenIssuer, VatCheck, VehicleNames,
    VinSeal, WebhookSecrets, WebhookSender, WebhookSubscriptions,
};
use uuid::Uuid;

/// What the services are built from: the ports, and the shop's own rules. Each service keeps those that it needs.
#[derive(Clone)]
pub struct Ports {
    /// Generates and hashes the tokens of e-mailed links.
    pub account_tokens: Arc<dyn AccountTokens>,
    /// The tokens that are valid.
    pub account_token_store: Arc<dyn AccountTokenRepository>,
    pub accounts: Arc<dyn AccountRepository>,
    /// What admins changed.
    pub audit_trail: Arc<dyn AuditTrail>,
    /// The carts of accounts.
    pub carts: Arc<dyn CartRepository>,
    /// The lists that accounts keep to order from.
    pub lists: Arc<dyn ListRepository>,
    /// Finds the parts of whole orders.
    pub ordered_parts: Arc<dyn OrderedParts>,
    /// The addresses that customers keep.
    pub address_book: Arc<dyn AddressBook>,
    /// What changed in the products.
    pub catalog_log: Arc<dyn CatalogLog>,
    pub checkouts: Arc<dyn CheckoutRepository>,
    pub clock: Arc<dyn Clock>,
    /// Issues and verifies the cookies of known devices.
    pub device_cookies: Arc<dyn DeviceCookies>,
    /// Draws documents.
    pub document_renderer: Arc<dyn DocumentRenderer>,
    /// Invoices, credit notes, and what purchases say.
    pub documents: Arc<dyn DocumentRepository>,
    pub webhook_sender: Arc<dyn WebhookSender>,
    /// Seals and opens the signing secrets of webhook subscriptions.
    pub webhook_secrets: Arc<dyn WebhookSecrets>,
    /// Webhook subscriptions.
    pub webhook_subscriptions: Arc<dyn WebhookSubscriptions>,
    /// Which parts fit which vehicles.
    pub fitments: Arc<dyn FitmentRepository>,
    /// The vehicles that customers keep.
    pub garage: Arc<dyn GarageRepository>,
    /// Who pays no tax where.
    pub exemptions: Arc<dyn Exemptions>,
    /// Feeds and their files.
    pub feeds: Arc<dyn FeedRepository>,
    /// The limits on feeds.
    pub feed_rules: FeedRules,
    /// Checks and applies feeds.
    pub feed_work: Arc<dyn FeedWork>,
    /// Sign-in with Google; `None` if it is not configured.
    pub google: Option<Arc<dyn GoogleSignIn>>,
    /// How long the units of unpaid orders are reserved.
    pub reservations: ReservationRules,
    /// Counts failed logins.
    pub login_attempts: Arc<dyn LoginAttempts>,
    pub ids: Arc<dyn Ids>,
    pub images: Arc<dyn ImageHost>,
    pub payment_attempts: Arc<dyn PaymentAttempts>,
    /// Sends e-mails; `None` if no mail server is configured: then e-mails wait in the outbox.
    pub email_sender: Option<Arc<dyn EmailSender>>,
    pub newsletter: Arc<dyn NewsletterRepository>,
    /// Internal notes about orders and customers.
    pub notes: Arc<dyn NoteRepository>,
    pub sales: Arc<dyn SalesRepository>,
    pub orders: Arc<dyn OrderRepository>,
    /// Who owns which account.
    pub ownership: Arc<dyn OwnershipRepository>,
    /// The transactional outbox.
    pub outbox: Arc<dyn Outbox>,
    /// Hashes passwords.
    pub passwords: Arc<dyn PasswordHasher>,
    /// The provider's events that have been processed.
    pub payment_events: Arc<dyn PaymentEvents>,
    pub payment_provider: Arc<dyn PaymentProvider>,
    /// Ladders and price lists.
    pub prices: Arc<dyn PriceRepository>,
    /// The addresses of parts on pages for everybody.
    pub part_pages: Arc<dyn PartPages>,
    /// Brands, part types, synonyms and part numbers.
    pub parts: Arc<dyn PartRepository>,
    pub products: Arc<dyn ProductRepository>,
    pub profiles: Arc<dyn ProfileRepository>,
    /// Refunds and disputes.
    pub refunds: Arc<dyn RefundRepository>,
    /// Returns of orders.
    pub returns: Arc<dyn ReturnRepository>,
    pub reviews: Arc<dyn ReviewRepository>,
    /// How long an account without a paid order waits between two reviews; `None` for no limit.
    pub review_pause: Option<Duration>,
    /// Finds products by words and numbers.
    pub search: Arc<dyn CatalogSearch>,
    /// The search engine that is filled; `None` if searches are answered from the database alone.
    pub search_engine: Option<Arc<dyn SearchEngine>>,
    /// By which the lease on writing to the search engine knows this copy of the program.
    pub search_holder: Uuid,
    pub session_secrets: Arc<dyn SessionSecrets>,
    pub sessions: Arc<dyn SessionRepository>,
    /// The clock that all instances share.
    pub shared_clock: Arc<dyn SharedClock>,
    /// What has left of which order.
    pub shipments: Arc<dyn ShipmentRepository>,
    /// How goods are delivered, and what it costs.
    pub shipping_methods: Arc<dyn ShippingMethods>,
    /// What is taxed where, and when.
    pub tax_rates: Arc<dyn TaxRates>,
    /// Issues and verifies access tokens.
    pub tokens: Arc<dyn TokenIssuer>,
    /// Asks the registers of VAT numbers.
    pub vat_check: Arc<dyn VatCheck>,
    /// Knows vehicles by their names.
    pub vehicle_names: Arc<dyn VehicleNames>,
    /// Seals and opens the VINs of vehicles that customers keep.
    pub vins: Arc<dyn VinSeal>,
    /// Whether admins need a second factor.
    pub admin_second_factor: SecondFactorPolicy,
    /// Makes and checks the codes of authenticator apps.
    pub one_time_codes: Arc<dyn OneTimeCodes>,
    /// The `WebAuthn` ceremonies; `None` where browsers make no passkeys.
    pub passkeys: Option<Arc<dyn Passkeys>>,
    /// What accounts prove themselves with beside a password or Google.
    pub second_factors: Arc<dyn SecondFactors>,
    /// Whether only an account with a proved address can become an admin.
    pub roles_need_proof: bool,
}
