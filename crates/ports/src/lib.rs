//! What the shop's rules need from the world, as traits.
//!
//! A port is named for the need and not for the vendor. Each method's doc is a promise: what holds on success, on
//! failure, and on a second call. Stores offer whole deeds or compare-and-set, never a unit of work.

pub mod account_tokens;
pub mod accounts;
pub mod clock;
pub mod endpoints;
pub mod error;
pub mod google;
pub mod health;
pub mod idempotency;
pub mod images;
pub mod mail;
pub mod orders;
pub mod outbox;
pub mod ownership;
pub mod passwords;
pub mod payment_attempts;
pub mod payments;
pub mod products;
pub mod profiles;
pub mod refunds;
pub mod reviews;
pub mod sessions;
pub mod tokens;
pub mod webhooks;

pub use account_tokens::{
    AccountToken, AccountTokenRepository, AccountTokens, EmailLimit, NewAccountToken, TokenPurpose,
};
pub use accounts::{
    AccountPage, AccountQuery, AccountRepository, AccountSort, AddAccountError, Credentials, NewAccount,
    PasswordChange, PasswordHash, Removal, RoleChange, RoleGrant,
};
pub use clock::{Clock, Ids, SharedClock};
pub use endpoints::{
    AddedSubscription, Breaker, OpenedSecret, SealedSecret, StoredSubscription, Trouble, WebhookDeliveryQuery,
    WebhookError, WebhookEvent, WebhookSecret, WebhookSecrets, WebhookSender, WebhookSubscriptions, WebhookUrlRefused,
};
pub use error::{ProviderError, StoreError};
pub use google::{
    GoogleIdentity, GoogleSignIn, GoogleSubject, SandboxPeople, SandboxPerson, SignInAttempt, SignInRefused,
};
pub use health::{Lifecycle, Readiness};
pub use idempotency::{
    Claim, Claimed, Fingerprint, IdempotencyKey, IdempotencyStore, KeyDigest, ResponseSeal, SealedResponse,
    StoredResponse,
};
pub use images::{ImageHost, ImageRefused, PictureLibrary, StoredPicture};
pub use mail::{EmailError, EmailMessage, EmailSender};
pub use orders::{
    Applied, DayOfSales, NewOrder, OrderPage, OrderQuery, OrderRepository, OrderSort, OrderState, OrderStates,
    PlaceError, ReservationRules,
};
pub use outbox::{
    Backlog, Delivery, DeliveryFailure, DeliveryPage, DeliveryQuery, LeaseRequest, Leased, Outbox, Queue, Requeued,
};
pub use ownership::{
    Deletion, GoogleClaim, GoogleClaimed, GoogleLink, HeldSignIn, Linking, OwnerProof, OwnershipRepository, Recipient,
    ReservationWindow, SignInMethods, Unlinking,
};
pub use passwords::{
    Busy, Counted, DeviceCookies, HashingLane, HashingQueue, LoginAttemptId, LoginAttempts, PasswordHasher,
};
pub use payment_attempts::{Attached, Ended, Hurry, PaymentAttempt, PaymentAttempts, Waits};
pub use payments::{
    CancelOutcome, Card, CardDesk, CardRefused, PaymentIntent, PaymentIntentState, PaymentProvider, RefundOrder,
    RefundOutcome,
};
pub use products::{
    CorrectStockError, Imported, NewProduct, NewProducts, ProductCursor, ProductKey, ProductPage, ProductQuery,
    ProductRepository, RestockError, Restocking, Sort, StockCorrection, StockEvent, StockEventKind,
};
pub use profiles::{NewsletterRepository, ProfileRepository, Saved};
pub use refunds::{
    Acknowledged, Begun, Matter, MoneyTally, NewRefund, REFUND_LEASE, REFUND_OVERDUE, REFUND_WAIT, REFUND_WAIT_MOST,
    REFUND_WATCH, RefundRepository,
};
pub use reviews::{AddReviewError, NewReview, ReviewPlace, ReviewRepository};
pub use sessions::{
    Browser, Ending, LiveSession, NewSession, SecretHash, SessionRepository, SessionSecret, SessionSecrets,
};
pub use tokens::{AccessToken, TokenClaims, TokenIssuer};
pub use webhooks::{EventRefused, PaymentEvent, PaymentEventKind, PaymentEvents, ProviderEvents};

#[cfg(feature = "mock")]
pub use self::mocks::*;

#[cfg(feature = "mock")]
mod mocks {
    pub use crate::account_tokens::{MockAccountTokenRepository, MockAccountTokens};
    pub use crate::accounts::MockAccountRepository;
    pub use crate::clock::{MockClock, MockIds, MockSharedClock};
    pub use crate::endpoints::{MockWebhookSecrets, MockWebhookSender, MockWebhookSubscriptions};
    pub use crate::google::{MockGoogleSignIn, MockSandboxPeople};
    pub use crate::health::MockLifecycle;
    pub use crate::idempotency::{MockIdempotencyStore, MockResponseSeal};
    pub use crate::images::{MockImageHost, MockPictureLibrary};
    pub use crate::mail::MockEmailSender;
    pub use crate::orders::MockOrderRepository;
    pub use crate::outbox::MockOutbox;
    pub use crate::ownership::MockOwnershipRepository;
    pub use crate::passwords::{MockDeviceCookies, MockLoginAttempts, MockPasswordHasher};
    pub use crate::payment_attempts::MockPaymentAttempts;
    pub use crate::payments::{MockCardDesk, MockPaymentProvider};
    pub use crate::products::MockProductRepository;
    pub use crate::profiles::{MockNewsletterRepository, MockProfileRepository};
    pub use crate::refunds::MockRefundRepository;
    pub use crate::reviews::MockReviewRepository;
    pub use crate::sessions::{MockSessionRepository, MockSessionSecrets};
    pub use crate::tokens::MockTokenIssuer;
    pub use crate::webhooks::{MockPaymentEvents, MockProviderEvents};
}
