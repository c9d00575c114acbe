//! The interfaces (ports) through which the use cases reach databases, providers and the clock, as traits.
//!
//! A port is named for the need and not for the vendor. Each method's doc states what holds on success, on failure and
//! on a repeated call. Repositories offer complete operations or compare-and-set, never a unit of work.

#![warn(missing_docs)]

pub mod accounts;
pub mod audit;
pub mod baskets;
pub mod catalog;
pub mod checkout;
#[cfg(feature = "contract")]
pub mod contract;
pub mod delivery;
pub mod documents;
pub mod feeds;
pub mod notifications;
pub mod orders;
pub mod payments;
pub mod platform;
pub mod pricing;
pub mod tax;

pub use accounts::access_tokens::{AccessToken, TokenClaims, TokenIssuer};
pub use accounts::account_tokens::{
    AccountToken, AccountTokenRepository, AccountTokens, EmailLimit, NewAccountToken, TokenPurpose,
};
pub use accounts::garage::{
    Added, GarageFull, GarageRepository, NewGarageVehicle, SealedVin, StoredGarageVehicle, VinSeal, VinText,
};
pub use accounts::google::{
    GoogleIdentity, GoogleSignIn, GoogleSubject, SandboxAccounts, SignInAttempt, SignInRefused,
};
pub use accounts::ownership::{
    Deletion, GoogleClaim, GoogleClaimed, GoogleLink, Linking, OwnerProof, OwnershipRepository, PendingSignIn,
    PendingSignInLimit, Recipient, SignInMethods, TakeOver, Unlinking,
};
pub use accounts::passwords::{
    Busy, Counted, DeviceAccount, DeviceCookies, HashingLane, HashingQueue, LoginAttemptId, LoginAttempts,
    PasswordHasher,
};
pub use accounts::profiles::{NewsletterRepository, ProfileRepository, Saved};
pub use accounts::repository::{
    AccountQuery, AccountRepository, AccountSort, AccountTotals, Credentials, NewAccount, PasswordChange, PasswordHash,
    Removal, RoleChange, RoleGrant,
};
pub use accounts::second_factors::{
    AppSecret, AppSetup, ChallengePurpose, CodeAttempt, CodeAttemptId, FactorAdded, FactorAddition, FactorName,
    FactorRemoved, MadePasskey, NewChallenge, NewFactor, OneTimeCodes, PasskeyChallenge, PasskeyCredential,
    PasskeyRefused, Passkeys, Proof, RecoveryCode, SealedAppSecret, SecondFactors, StoredApp, StoredFactors,
    StoredPasskey,
};
pub use accounts::sessions::{
    Browser, Ending, LiveSession, NewSession, SecretHash, SessionRepository, SessionSecret, SessionSecrets,
};
pub use audit::scope::{AdminAction, AuditScope, LocalWork};
pub use audit::trail::{AuditFilter, AuditNote, AuditQuery, AuditTrail};
pub use baskets::carts::{Cart, CartRepository};
pub use baskets::lists::{ListEdit, ListRepository, ListSummary, ListsFull, NewList, SavedList};
pub use catalog::changes::{CatalogChange, CatalogChanges};
pub use catalog::counting::{
    ATTRIBUTE_VALUES_MAX, AttributeCounts, FACET_ATTRIBUTES_MAX, FACET_VALUES_MAX, price_bands, with_chosen,
};
pub use catalog::fitments::{FitFilter, FitmentRepository, FitsAtLeast, NewFitment, TypeCoverage, VehicleFitment};
pub use catalog::images::{ImageHost, ImageRefused, PictureLibrary, StoredPicture};
pub use catalog::index::{
    CatalogLog, Changes, DocumentAttribute, DocumentNumber, DocumentValue, Documents, EngineError, Follower, IndexLag,
    Named, Position, SearchDocument, SearchEngine, Standing,
};
pub use catalog::ordered_parts::{CHOICES_MAX, CLOSE_MAX, NumberMatch, OrderedParts};
pub use catalog::pages::{ListedPart, PartPages, PartsBlock};
pub use catalog::parts::{Brand, EntryRefused, PartRepository, PartType, Synonym};
pub use catalog::products::{
    AttributeFilter, AttributeMatch, Editing, Imported, NewPart, NewProduct, NewProducts, ProductCursor, ProductKey,
    ProductQuery, ProductRepository, ProductSort, Restocking, StockCorrection, StockEvent, StockEventKind,
};
pub use catalog::reviews::{HiddenReview, NewReview, ReviewCursor, ReviewRepository};
pub use catalog::search::{
    AttributeFacet, Candidate, CatalogSearch, FacetValue, Facets, Hit, NumberHits, PRICE_BANDS, PriceBand,
};
pub use checkout::repository::{
    CheckoutPlaced, CheckoutQuery, CheckoutRepository, NewCheckout, PlaceCheckoutError, StoredCheckout,
};
pub use delivery::address_book::{AddressBook, AddressBookFull, NewAddress};
pub use delivery::shipping_methods::{MethodNameTaken, ShippingMethods, UNWEIGHED_MAX, UnweighedProduct};
pub use documents::renderer::{DocumentRenderer, RenderError};
pub use documents::repository::{DocumentRepository, InvoiceSummary, PrintedPurchase, PurchaseId, StoredInvoice};
pub use feeds::repository::{Feed, FeedChange, FeedDetails, FeedRepository, FeedRules, FileSeen, NewFeed};
pub use feeds::vehicle_names::{MeantEngine, MeantVehicles, NamedVehicles, UnknownNames, VehicleNames};
pub use feeds::work::FeedWork;
pub use notifications::email::{EmailAttachment, EmailError, EmailMessage, EmailSender};
pub use notifications::notification::{Notification, OrderSummary, PurchaseSummary};
pub use notifications::outbox::{
    Backlog, Delivery, DeliveryFailure, DeliveryQuery, LeaseRequest, Leased, Outbox, Queue, Requeued,
};
pub use notifications::webhooks::{
    AddedSubscription, Breaker, BreakerState, OpenedSecret, SealedSecret, StoredSubscription, WebhookDeliveryQuery,
    WebhookError, WebhookEvent, WebhookSecret, WebhookSecrets, WebhookSender, WebhookSubject, WebhookSubscriptions,
    WebhookUrlRefused,
};
pub use orders::notes::{NewNote, NoteRepository};
pub use orders::repository::{
    Applied, CustomerTotals, DayOfSales, NewOrder, OrderFilter, OrderQuery, OrderRepository, OrderSort, OrderStates,
    PlaceError, PriceBasis, ReservationRules,
};
pub use orders::returns::{NewReturn, ReturnDecided, ReturnDecision, ReturnRepository, ReturnRequested};
pub use orders::sales::{
    AgeGroup, CategorySales, Conversion, SalesFigures, SalesPeriod, SalesRepository, TopCustomer, TopProduct,
};
pub use orders::shipments::{NewShipment, ShipmentRepository, ShipmentSent};
pub use payments::attempts::{Attached, CheckSooner, Ended, PaymentAttempt, PaymentAttempts, PaymentRef, Waits};
pub use payments::events::{EventMessage, EventRefused, PaymentEvent, PaymentEventKind, PaymentEvents, ProviderEvents};
pub use payments::gateway::{BrowserPayments, CardFormOrigins, PaymentGateway, ProviderKind};
pub use payments::provider::{
    CancelOutcome, Card, CardRefused, PaymentIntent, PaymentIntentState, PaymentProvider, RefundOutcome, RefundRequest,
    TestCardEndpoint,
};
pub use payments::refunds::{
    Acknowledged, AttentionItem, MoneyTally, NewRefund, REFUND_LEASE, REFUND_OVERDUE, REFUND_WAIT, REFUND_WAIT_MOST,
    REFUND_WATCH, RefundBegun, RefundRepository,
};
pub use platform::clock::{Clock, Ids, SharedClock};
pub use platform::error::{ProviderError, StoreError, WriteError, error_chain};
pub use platform::health::{Lifecycle, Readiness};
pub use platform::idempotency::{
    Claim, Claimed, Fingerprint, IdempotencyKey, IdempotencyStore, KeyDigest, ResponseSeal, SealedResponse,
};

pub use platform::page::{Page, Pagination, SortOrder};
pub use platform::patience::{Patience, Waiting};
pub use platform::rate_limits::{COUNT_WITHIN, Limited, RateLimit, SharedRateLimits};
pub use platform::traces::{CallersSpan, SPANS, Trace, TraceId, Traces, provider_call};
pub use tax::exemptions::{EXEMPTIONS_MAX, ExemptionRepeated, Exemptions, ListedExemption};
pub use tax::rates::{RatesOn, RatesOverlap, TaxRates};
pub use tax::vat_check::{VatAnswer, VatCheck};

#[cfg(all(feature = "mock", not(test)))]
pub use self::mocks::*;

#[cfg(all(feature = "mock", not(test)))]
mod mocks {
    pub use crate::accounts::access_tokens::MockTokenIssuer;
    pub use crate::accounts::account_tokens::{MockAccountTokenRepository, MockAccountTokens};
    pub use crate::accounts::garage::{MockGarageRepository, MockVinSeal};
    pub use crate::accounts::google::{MockGoogleSignIn, MockSandboxAccounts};
    pub use crate::accounts::ownership::MockOwnershipRepository;
    pub use crate::accounts::passwords::{MockDeviceCookies, MockLoginAttempts, MockPasswordHasher};
    pub use crate::accounts::profiles::{MockNewsletterRepository, MockProfileRepository};
    pub use crate::accounts::repository::MockAccountRepository;
    pub use crate::accounts::second_factors::{MockOneTimeCodes, MockPasskeys, MockSecondFactors};
    pub use crate::accounts::sessions::{MockSessionRepository, MockSessionSecrets};
    pub use crate::audit::trail::MockAuditTrail;
    pub use crate::baskets::carts::MockCartRepository;
    pub use crate::baskets::lists::MockListRepository;
    pub use crate::catalog::changes::MockCatalogChanges;
    pub use crate::catalog::fitments::MockFitmentRepository;
    pub use crate::catalog::images::{MockImageHost, MockPictureLibrary};
    pub use crate::catalog::index::{MockCatalogLog, MockSearchEngine};
    pub use crate::catalog::ordered_parts::MockOrderedParts;
    pub use crate::catalog::pages::MockPartPages;
    pub use crate::catalog::parts::MockPartRepository;
    pub use crate::catalog::products::MockProductRepository;
    pub use crate::catalog::reviews::MockReviewRepository;
    pub use crate::catalog::search::MockCatalogSearch;
    pub use crate::checkout::repository::MockCheckoutRepository;
    pub use crate::delivery::address_book::MockAddressBook;
    pub use crate::delivery::shipping_methods::MockShippingMethods;
    pub use crate::documents::renderer::MockDocumentRenderer;
    pub use crate::documents::repository::MockDocumentRepository;
    pub use crate::feeds::repository::MockFeedRepository;
    pub use crate::feeds::vehicle_names::MockVehicleNames;
    pub use crate::feeds::work::MockFeedWork;
    pub use crate::notifications::email::MockEmailSender;
    pub use crate::notifications::outbox::MockOutbox;
    pub use crate::notifications::webhooks::{MockWebhookSecrets, MockWebhookSender, MockWebhookSubscriptions};
    pub use crate::orders::notes::MockNoteRepository;
    pub use crate::orders::repository::MockOrderRepository;
    pub use crate::orders::returns::MockReturnRepository;
    pub use crate::orders::sales::MockSalesRepository;
    pub use crate::orders::shipments::MockShipmentRepository;
    pub use crate::payments::attempts::MockPaymentAttempts;
    pub use crate::payments::events::{MockPaymentEvents, MockProviderEvents};
    pub use crate::payments::provider::{MockPaymentProvider, MockTestCardEndpoint};
    pub use crate::payments::refunds::MockRefundRepository;
    pub use crate::platform::clock::{MockClock, MockIds, MockSharedClock};
    pub use crate::platform::health::MockLifecycle;
    pub use crate::platform::idempotency::{MockIdempotencyStore, MockResponseSeal};
    pub use crate::platform::rate_limits::MockSharedRateLimits;
    pub use crate::pricing::repository::MockPriceRepository;
    pub use crate::tax::exemptions::MockExemptions;
    pub use crate::tax::rates::MockTaxRates;
    pub use crate::tax::vat_check::MockVatCheck;
}
pub use pricing::repository::{ListedPrices, PriceBook, PriceEpoch, PriceList, PriceListId, PriceRepository};
