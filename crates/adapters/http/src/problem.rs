//! Problem details (RFC 9457): the only place that knows status codes for errors.
//!
//! The client gets a sentence (`message`); the cause is logged, once.

use std::convert::Infallible;
use std::error::Error as StdError;
use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::http::header::{ACCEPT_ENCODING, CONTENT_TYPE, RETRY_AFTER};
use actix_web::{HttpResponse, ResponseError};
use application::{
    AddProductError, AttentionError, CancelOrderError, ChangePasswordError, ChangeRoleError, ContinueWithGoogleError,
    CorrectStockError, DeliveryError, Failure, HandleEventError, IdempotencyError, IssueTokenError, LinkGoogleError,
    ListAccountsError, LogInError, OpenPaymentError, OverviewError, PlaceOrderError, ProductFileError, ProfileError,
    ReadOrderError, ReadRoleError, RefundOrderError, RemoveAccountError, RemoveReviewError, RenameError,
    RequestVerificationError, ResetPasswordError, RestockProductError, SessionError, SettleError, ShipOrderError,
    SignInMethodsError, SignUpError, SubscriptionError, Unavailable, UnlinkGoogleError, UploadPhotoError,
    UploadPictureError, VerifyEmailError, WriteReviewError,
};
use domain::Money;
use domain::accounts::access::Denied;
use domain::orders::order::{CancelPaidRefused, CancelRefused};
use domain::payments::refund::Withheld;
use ports::{Busy, CardRefused, ImageRefused, ProviderError, StoreError, error_chain};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::wire::money::Dollars;

/// The media type of every error.
const MEDIA_TYPE: &str = "application/problem+json";

/// How long clients should wait when the image host accepts no more pictures; the host does not say.
const IMAGE_LIMIT_WAIT: Duration = Duration::from_mins(5);

/// What went wrong with one field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct FieldError {
    /// The field as it is called in the payload; a dotted path for a nested one.
    pub field: String,
    /// The sentence that belongs beside it.
    pub message: String,
}

/// An error that is sent as problem details.
#[derive(Debug, Clone)]
pub struct Problem {
    status: StatusCode,
    slug: &'static str,
    title: &'static str,
    message: String,
    errors: Vec<FieldError>,
    more: Map<String, Value>,
    wait_seconds: Option<u32>,
    /// Whether the response has to say that only unencoded bodies are accepted (RFC 9110, section 15.5.16).
    plain_only: bool,
    passing: bool,
}

/// Marks a response as temporary: the same request may get another one later, so it is not stored under its idempotency
/// key.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Passing;

/// An error as it goes out (RFC 9457, `application/problem+json`).
#[derive(Serialize, ToSchema)]
#[schema(as = Problem)]
pub(crate) struct ProblemView<'a> {
    /// `/problems/<slug>`, stable, for programs.
    #[serde(rename = "type")]
    kind: String,
    /// The kind in a few words.
    title: &'a str,
    /// The HTTP status.
    status: u16,
    /// What happened this time.
    detail: &'a str,
    /// The sentence that a screen may show.
    message: &'a str,
    /// What is wrong with which field.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    #[schema(required = false)]
    errors: &'a [FieldError],
    /// Figures that a program may use, such as `available` or `price`.
    #[serde(flatten)]
    #[schema(value_type = Object)]
    more: &'a Map<String, Value>,
}

impl Problem {
    fn new(status: StatusCode, slug: &'static str, title: &'static str, message: impl Into<String>) -> Self {
        let message = message.into();
        Self {
            status,
            slug,
            title,
            message,
            errors: Vec::new(),
            more: Map::new(),
            wait_seconds: None,
            plain_only: false,
            passing: false,
        }
    }

    /// Adds a member, such as a figure for programs.
    pub(crate) fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.more.insert(name.to_owned(), value.into());
        self
    }

    /// Marks the problem as temporary, see [`Passing`].
    fn passing(mut self) -> Self {
        self.passing = true;
        self
    }

    fn after(mut self, wait: Duration) -> Self {
        self.wait_seconds = Some(u32::try_from(wait.as_secs()).unwrap_or(u32::MAX).max(1));
        self
    }

    pub(crate) fn bad_request(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "bad-request", "Bad request", message)
    }

    /// Parseable but invalid, field by field; the message is that of the first field.
    pub(crate) fn invalid(errors: Vec<FieldError>) -> Self {
        let message = errors.first().map_or_else(|| "Something is not valid".to_owned(), |first| first.message.clone());
        Self { errors, ..Self::new(StatusCode::UNPROCESSABLE_ENTITY, "validation", "Invalid input", message) }
    }

    pub(crate) fn invalid_field(field: &str, message: impl Into<String>) -> Self {
        Self::invalid(vec![FieldError { field: field.to_owned(), message: message.into() }])
    }

    pub(crate) fn unauthenticated() -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "unauthenticated", "Not signed in", "Please sign in to go on")
    }

    fn forbidden() -> Self {
        Self::new(StatusCode::FORBIDDEN, "forbidden", "Not allowed", "You are not authorized to do this")
    }

    /// Another site's page made this call with the visitor's cookies.
    pub(crate) fn foreign_page() -> Self {
        let message = "This was asked for by another website, so nothing was done";
        Self::new(StatusCode::FORBIDDEN, "foreign-page", "Asked by another site", message)
    }

    /// The request is for a host name that is not this shop's.
    pub(crate) fn misdirected() -> Self {
        let message = "A demo answers only to 127.0.0.1 and localhost";
        Self::new(StatusCode::MISDIRECTED_REQUEST, "misdirected", "Another host", message)
    }

    pub(crate) fn not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, "not-found", "Not found", "This does not exist, or not any more")
    }

    /// Google does not vouch for the e-mail address.
    pub(crate) fn google_unverified(message: &'static str) -> Self {
        Self::conflict("google-unverified", "E-mail not verified", message)
    }

    /// A link that was used, has expired, or never existed.
    fn link_gone() -> Self {
        Self::new(StatusCode::GONE, "link-gone", "Gone", "This link has been used or is too old")
    }

    /// The path exists, but not with this method.
    pub(crate) fn method_not_allowed() -> Self {
        let message = "This cannot be done here";
        Self::new(StatusCode::METHOD_NOT_ALLOWED, "method-not-allowed", "Method not allowed", message)
    }

    fn conflict(slug: &'static str, title: &'static str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, slug, title, message)
    }

    /// The body is larger than this route accepts.
    pub(crate) fn too_large(most: usize) -> Self {
        let message = format!("This is larger than the {} that are accepted here", size(most));
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "payload-too-large", "Too large", message)
    }

    /// The file has more rows than this route accepts.
    pub(crate) fn too_many_rows(most: usize) -> Self {
        let message = format!("This file has more than the {most} rows that are accepted here");
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "payload-too-large", "Too large", message)
    }

    /// Not a media type that this route accepts.
    pub(crate) fn unsupported_media(message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported-media-type", "Wrong media type", message)
    }

    /// The body is compressed or otherwise encoded.
    pub(crate) fn encoded() -> Self {
        let plain = Self::unsupported_media("Please send the body as it is, without a Content-Encoding");
        Self { plain_only: true, ..plain }
    }

    /// The body did not arrive in time.
    pub(crate) fn too_slow() -> Self {
        let message = "The request took too long to arrive";
        Self::new(StatusCode::REQUEST_TIMEOUT, "timeout", "Too slow", message)
    }

    /// Too many requests from one client.
    pub(crate) fn rate_limited(wait: Duration) -> Self {
        let message = "That was a lot at once, please wait a moment";
        Self::new(StatusCode::TOO_MANY_REQUESTS, "rate-limited", "Too many requests", message).after(wait)
    }

    /// Temporarily unavailable: the client should retry.
    pub(crate) fn unavailable() -> Self {
        let message = "The shop is very busy, please try again in a moment";
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", "Not available", message)
            .after(Duration::from_secs(2))
    }

    fn defect(cause: &(dyn StdError + 'static)) -> Self {
        tracing::error!(cause = error_chain(cause), "internal error");
        let message = "Something went wrong on our side";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "defect", "Our mistake", message)
    }

    fn view(&self) -> ProblemView<'_> {
        ProblemView {
            kind: format!("/problems/{}", self.slug),
            title: self.title,
            status: self.status.as_u16(),
            detail: &self.message,
            message: &self.message,
            errors: &self.errors,
            more: &self.more,
        }
    }
}

fn size(bytes: usize) -> String {
    if bytes >= 1_000_000 { format!("{} MB", bytes / 1_000_000) } else { format!("{} KB", bytes / 1_000) }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.status, self.message)
    }
}

impl ResponseError for Problem {
    fn status_code(&self) -> StatusCode {
        self.status
    }

    fn error_response(&self) -> HttpResponse {
        let mut response = HttpResponse::build(self.status);
        if let Some(wait) = self.wait_seconds {
            response.insert_header((RETRY_AFTER, wait.to_string()));
        }
        if self.plain_only {
            response.insert_header((ACCEPT_ENCODING, "identity"));
        }
        let body = serde_json::to_vec(&self.view()).unwrap_or_default();
        let mut response = response.insert_header((CONTENT_TYPE, MEDIA_TYPE)).body(body);
        if self.passing {
            response.extensions_mut().insert(Passing);
        }
        response
    }
}

impl From<Denied> for Problem {
    fn from(denied: Denied) -> Self {
        match denied {
            Denied::Forbidden => Self::forbidden(),
            Denied::NotFound => Self::not_found(),
        }
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        match &error {
            StoreError::Unavailable(_) => {
                tracing::warn!(cause = error_chain(&error), "the database is unavailable");
                Self::unavailable()
            }
            StoreError::Internal(_) => Self::defect(&error),
            StoreError::KeyReused => IdempotencyError::Mismatch.into(),
        }
    }
}

impl From<ProviderError> for Problem {
    fn from(error: ProviderError) -> Self {
        tracing::warn!(cause = error_chain(&error), "a provider failed");
        match error {
            ProviderError::Unavailable(_) => Self::unavailable(),
            ProviderError::InvalidResponse(_) => {
                let message = "A service that we rely on gave an answer that we do not trust; nothing was changed";
                Self::new(StatusCode::BAD_GATEWAY, "bad-gateway", "Bad answer from a provider", message)
            }
        }
    }
}

impl From<Busy> for Problem {
    fn from(busy: Busy) -> Self {
        match busy {
            Busy::OwnQueue => Self::rate_limited(Duration::from_secs(1)),
            Busy::Machine => Self::unavailable(),
        }
    }
}

impl<R: Into<Problem>> From<Failure<R>> for Problem {
    fn from(failure: Failure<R>) -> Self {
        match failure {
            Failure::Denied(denied) => denied.into(),
            Failure::Unavailable(cause) => cause.into(),
            Failure::Refused(refusal) => refusal.into(),
        }
    }
}

impl From<Unavailable> for Problem {
    fn from(cause: Unavailable) -> Self {
        match cause {
            Unavailable::Store(error) => error.into(),
            Unavailable::Provider(error) => error.into(),
            Unavailable::Busy(busy) => busy.into(),
            Unavailable::Contended => Self::unavailable(),
        }
    }
}

impl From<Infallible> for Problem {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

impl From<SignUpError> for Problem {
    fn from(error: SignUpError) -> Self {
        match error {
            SignUpError::Taken => {
                let message = "An account with this email exists already, please log in";
                let errors = vec![FieldError { field: "email".into(), message: message.into() }];
                Self { errors, ..Self::conflict("email-taken", "E-mail taken", message) }
            }
            SignUpError::Busy(busy) => busy.into(),
            SignUpError::Store(error) => error.into(),
        }
    }
}

impl From<LogInError> for Problem {
    fn from(error: LogInError) -> Self {
        match error {
            LogInError::Wrong => {
                let message = "The email or the password is wrong";
                Self::new(StatusCode::UNAUTHORIZED, "wrong-credentials", "Wrong credentials", message)
            }
            LogInError::TooMany { wait } => {
                let minutes = wait.as_secs().div_ceil(60);
                let message = format!("Too many wrong passwords, please try again in {minutes} minutes");
                Self::new(StatusCode::TOO_MANY_REQUESTS, "too-many-attempts", "Too many attempts", message).after(wait)
            }
            LogInError::Busy(busy) => busy.into(),
            LogInError::Store(error) => error.into(),
        }
    }
}

impl From<ChangePasswordError> for Problem {
    fn from(error: ChangePasswordError) -> Self {
        match error {
            ChangePasswordError::Denied(denied) => denied.into(),
            ChangePasswordError::None => {
                let message = "Your account has no password yet: you sign in with Google. \"Forgot your password?\" sends you a link to choose one";
                Self::conflict("no-password", "No password", message)
            }
            ChangePasswordError::Check(LogInError::Wrong) => {
                Self::invalid_field("currentPassword", "This is not your current password")
            }
            ChangePasswordError::Check(error) => error.into(),
            ChangePasswordError::Weak(weak) => Self::invalid_field("newPassword", weak.to_string()),
        }
    }
}

impl From<SessionError> for Problem {
    fn from(error: SessionError) -> Self {
        match error {
            SessionError::Denied(denied) => denied.into(),
            SessionError::Store(error) => error.into(),
        }
    }
}

impl From<UploadPhotoError> for Problem {
    fn from(error: UploadPhotoError) -> Self {
        match error {
            UploadPhotoError::Denied(denied) => denied.into(),
            UploadPhotoError::Gone => Self::unauthenticated(),
            UploadPhotoError::Image(refused) => UploadPictureError::from(refused).into(),
            UploadPhotoError::Store(error) => error.into(),
        }
    }
}

impl From<WriteReviewError> for Problem {
    fn from(error: WriteReviewError) -> Self {
        match error {
            WriteReviewError::Denied(denied) => denied.into(),
            WriteReviewError::TooSoon { wait } => {
                let message = "You can write one review a day until you have paid for an order";
                Self::new(StatusCode::TOO_MANY_REQUESTS, "one-review-a-day", "One review a day", message).after(wait)
            }
            WriteReviewError::Store(error) => error.into(),
        }
    }
}

impl From<ResetPasswordError> for Problem {
    fn from(error: ResetPasswordError) -> Self {
        match error {
            ResetPasswordError::Gone => Self::link_gone(),
            ResetPasswordError::Weak(weak) => Self::invalid_field("password", weak.to_string()),
            ResetPasswordError::Busy(busy) => busy.into(),
            ResetPasswordError::Store(error) => error.into(),
        }
    }
}

impl From<VerifyEmailError> for Problem {
    fn from(error: VerifyEmailError) -> Self {
        match error {
            VerifyEmailError::Gone => Self::link_gone(),
            VerifyEmailError::NotShown => {
                let message = "Please log in to this account or type its password to confirm the address";
                Self::conflict("confirm-as-owner", "Not shown to be yours", message)
            }
            VerifyEmailError::WrongPassword => {
                Self::invalid_field("password", "This is not the password of the account")
            }
            VerifyEmailError::Admin => {
                let message = "An admin's account cannot be deleted by a link";
                Self::conflict("admin-stays", "An admin's account", message)
            }
            VerifyEmailError::Weak(weak) => Self::invalid_field("password", weak.to_string()),
            VerifyEmailError::Busy(busy) => busy.into(),
            VerifyEmailError::Store(error) => error.into(),
        }
    }
}

impl From<RequestVerificationError> for Problem {
    fn from(error: RequestVerificationError) -> Self {
        match error {
            RequestVerificationError::Denied(denied) => denied.into(),
            RequestVerificationError::Gone => Self::unauthenticated(),
            RequestVerificationError::Store(error) => error.into(),
        }
    }
}

impl From<ContinueWithGoogleError> for Problem {
    fn from(error: ContinueWithGoogleError) -> Self {
        match error {
            ContinueWithGoogleError::NotOffered => Self::not_found(),
            ContinueWithGoogleError::Unproven => {
                let message = "The sign-in with Google could not be confirmed, please try again";
                Self::new(StatusCode::BAD_REQUEST, "google-unproven", "Sign-in not confirmed", message)
            }
            ContinueWithGoogleError::SignInFirst => {
                let message = "Please log in with your password, then link Google on your profile";
                Self::conflict("google-sign-in-first", "Log in first", message)
            }
            ContinueWithGoogleError::Gone => {
                let message = "This link has been used, is too old, or was asked for in another browser";
                Self::new(StatusCode::GONE, "link-gone", "Gone", message)
            }
            ContinueWithGoogleError::Removed => {
                let message = "This account has been removed";
                Self::new(StatusCode::UNAUTHORIZED, "removed", "Account removed", message)
            }
            ContinueWithGoogleError::Provider(error) => error.into(),
            ContinueWithGoogleError::Store(error) => error.into(),
        }
    }
}

impl From<LinkGoogleError> for Problem {
    fn from(error: LinkGoogleError) -> Self {
        match error {
            LinkGoogleError::SignedOut => Self::unauthenticated(),
            LinkGoogleError::Taken => {
                let message = "This Google account is linked to another account, or yours to another Google account";
                Self::conflict("google-taken", "Linked elsewhere", message)
            }
            LinkGoogleError::Unproved => {
                let message = "Please confirm your address before you link Google";
                Self::conflict("unproved", "Address not confirmed", message)
            }
            LinkGoogleError::Store(error) => error.into(),
        }
    }
}

impl From<UnlinkGoogleError> for Problem {
    fn from(error: UnlinkGoogleError) -> Self {
        match error {
            UnlinkGoogleError::Denied(denied) => denied.into(),
            UnlinkGoogleError::LastWay => {
                let message = "Google is your only way to log in. Choose a password first";
                Self::conflict("last-way-in", "Last way in", message)
            }
            UnlinkGoogleError::Store(error) => error.into(),
        }
    }
}

impl From<SignInMethodsError> for Problem {
    fn from(error: SignInMethodsError) -> Self {
        match error {
            SignInMethodsError::Denied(denied) => denied.into(),
            SignInMethodsError::Gone => Self::unauthenticated(),
            SignInMethodsError::Store(error) => error.into(),
        }
    }
}

impl From<RenameError> for Problem {
    fn from(error: RenameError) -> Self {
        match error {
            RenameError::Denied(denied) => denied.into(),
            RenameError::Gone => Self::unauthenticated(),
            RenameError::Store(error) => error.into(),
        }
    }
}

impl From<IssueTokenError> for Problem {
    fn from(error: IssueTokenError) -> Self {
        match error {
            IssueTokenError::Denied(denied) => denied.into(),
            IssueTokenError::Unsigned => Self::defect(&error),
        }
    }
}

impl From<PlaceOrderError> for Problem {
    fn from(error: PlaceOrderError) -> Self {
        match error {
            PlaceOrderError::Denied(denied) => denied.into(),
            PlaceOrderError::NoSuchProduct => Self::not_found(),
            PlaceOrderError::NotOneProduct => Self::invalid_field("productName", "No single product looks like that"),
            PlaceOrderError::BelowMinimum { minimum } => {
                Self::invalid_field("quantity", format!("At least {minimum} have to be ordered"))
                    .with("minOrder", minimum)
            }
            PlaceOrderError::NotEnough { left } => {
                let message = match left.get() {
                    0 => "This product is sold out".to_owned(),
                    left => format!("Only {left} are left, which is not enough for this order"),
                };
                Self::conflict("out-of-stock", "Not enough in stock", message).with("available", left.get())
            }
            PlaceOrderError::PriceChanged { unit, total } => {
                let message = format!("The price has changed: this order is {total} now");
                Self::conflict("price-changed", "Price changed", message)
                    .with("price", Dollars(total).to_json())
                    .with("unitPrice", Dollars(unit.money()).to_json())
            }
            PlaceOrderError::TooManyUnpaid { most } => {
                let message =
                    "You have as many unpaid orders as a new account may have. Pay or cancel one, then order again";
                Self::conflict("too-many-unpaid", "Too many unpaid orders", message).with("most", most)
            }
            PlaceOrderError::Total(_) => Self::invalid_field("quantity", "The total is more than we can bill"),
            PlaceOrderError::TooBusy => Self::unavailable(),
            PlaceOrderError::Store(error) => error.into(),
        }
    }
}

impl From<DeliveryError> for Problem {
    fn from(error: DeliveryError) -> Self {
        match error {
            DeliveryError::Denied(denied) => denied.into(),
            DeliveryError::NotDead => {
                Self::conflict("not-dead", "Not given up", "This was not given up: it is sent, or it will be")
            }
            DeliveryError::Store(error) => error.into(),
        }
    }
}

impl From<SubscriptionError> for Problem {
    fn from(error: SubscriptionError) -> Self {
        match error {
            SubscriptionError::Denied(denied) => denied.into(),
            SubscriptionError::Address(refused) => Self::invalid_field("url", format!("URL {refused}")),
            SubscriptionError::Full => {
                let message = "There are as many endpoints as are told; please remove one first";
                Self::conflict("too-many-endpoints", "Too many endpoints", message)
            }
            SubscriptionError::Unsealed => Self::defect(&error),
            SubscriptionError::Store(error) => error.into(),
        }
    }
}

impl From<RefundOrderError> for Problem {
    fn from(error: RefundOrderError) -> Self {
        match error {
            RefundOrderError::Denied(denied) => denied.into(),
            RefundOrderError::Refused(CancelPaidRefused::Unpaid) => {
                Self::conflict("not-paid", "Not paid", "This order is not paid, so there is nothing to refund")
            }
            // If the order was shipped meanwhile, a retry refunds it.
            RefundOrderError::Refused(CancelPaidRefused::Shipped) | RefundOrderError::TooBusy => Self::unavailable(),
            RefundOrderError::Refused(CancelPaidRefused::Cancelled) => Self::not_found(),
            RefundOrderError::TooMuch { left } => {
                let message = if left == Money::ZERO {
                    "Nothing of this order is left to be refunded".to_owned()
                } else {
                    format!("Only {left} of this order is left to be refunded")
                };
                Self::invalid_field("cents", message).with("left", Dollars(left).to_json())
            }
            RefundOrderError::Store(error) => error.into(),
        }
    }
}

impl From<CancelOrderError> for Problem {
    fn from(error: CancelOrderError) -> Self {
        match error {
            CancelOrderError::Denied(denied) => denied.into(),
            CancelOrderError::Refused(CancelRefused::Paid) => {
                Self::conflict("already-paid", "Paid", "A paid order cannot be cancelled")
            }
            CancelOrderError::Refused(CancelRefused::Shipped) => {
                Self::conflict("conflict", "Shipped", "A shipped order cannot be cancelled")
            }
            CancelOrderError::Refused(CancelRefused::Cancelled) => Self::not_found(),
            CancelOrderError::TooBusy => Self::unavailable(),
            CancelOrderError::Provider(error) => error.into(),
            CancelOrderError::Store(error) => error.into(),
        }
    }
}

impl From<ShipOrderError> for Problem {
    fn from(error: ShipOrderError) -> Self {
        match error {
            ShipOrderError::Denied(denied) => denied.into(),
            ShipOrderError::Refunded => Self::conflict("conflict", "Refunded", "A refunded order cannot be shipped"),
            ShipOrderError::Withheld(Withheld::Disputed) => {
                let message = "The buyer's bank has asked for this order's money, so it cannot be shipped";
                Self::conflict("payment-disputed", "Disputed", message)
            }
            ShipOrderError::Withheld(Withheld::RefundedElsewhere) => {
                let message = "Money of this order was sent back at the payment provider, so it cannot be shipped";
                Self::conflict("refunded-elsewhere", "Refunded elsewhere", message)
            }
            ShipOrderError::Withheld(Withheld::Disagreement) => {
                let message = "The payment provider no longer confirms this order's payment, so it cannot be shipped";
                Self::conflict("payment-unconfirmed", "Payment not confirmed", message)
            }
            ShipOrderError::Provider(error) => error.into(),
            ShipOrderError::TooBusy => Self::unavailable(),
            ShipOrderError::Store(error) => error.into(),
        }
    }
}

impl From<AttentionError> for Problem {
    fn from(error: AttentionError) -> Self {
        match error {
            AttentionError::Denied(denied) => denied.into(),
            AttentionError::Over => {
                Self::conflict("conflict", "Over", "There is nothing left to do about this; please look again")
            }
            AttentionError::TooBusy => Self::unavailable(),
            AttentionError::Provider(error) => error.into(),
            AttentionError::Store(error) => error.into(),
        }
    }
}

impl From<OpenPaymentError> for Problem {
    fn from(error: OpenPaymentError) -> Self {
        match error {
            OpenPaymentError::Denied(denied) => denied.into(),
            OpenPaymentError::NotOneOrder => {
                Self::invalid_field("price", "No single unpaid order of yours has this total")
            }
            OpenPaymentError::PriceChanged { total } => {
                let message = format!("The order's total is {total}");
                Self::conflict("price-changed", "Price changed", message)
                    .passing()
                    .with("price", Dollars(total).to_json())
            }
            OpenPaymentError::Paid => Self::conflict("already-paid", "Paid", "This order is paid already").passing(),
            OpenPaymentError::Cancelled => {
                Self::conflict("conflict", "Cancelled", "This order was cancelled").passing()
            }
            OpenPaymentError::NotChargeable => {
                let message =
                    "This order is too large for a card, which can pay up to $999,999.99. We send it on account";
                Self::conflict("not-payable-by-card", "Too large for a card", message)
            }
            OpenPaymentError::TooMany { wait } => Self::rate_limited(wait),
            OpenPaymentError::TooBusy => Self::unavailable(),
            OpenPaymentError::Provider(error) => error.into(),
            OpenPaymentError::Store(error) => error.into(),
        }
    }
}

impl From<SettleError> for Problem {
    fn from(error: SettleError) -> Self {
        match error {
            SettleError::Denied(denied) => denied.into(),
            SettleError::NotPaid => {
                let message = "The payment has not succeeded yet";
                Self::new(StatusCode::PAYMENT_REQUIRED, "payment-refused", "Not paid", message)
            }
            SettleError::Mismatch => {
                Self::conflict("conflict", "Not this order's payment", "This payment does not belong to this order")
                    .passing()
            }
            SettleError::PaidByAnother => {
                Self::conflict("already-paid", "Paid", "Another payment has settled this order; yours is sent back")
                    .passing()
            }
            SettleError::TooMany { wait } => Self::rate_limited(wait),
            SettleError::TooBusy => Self::unavailable(),
            SettleError::Provider(error) => error.into(),
            SettleError::Store(error) => error.into(),
        }
    }
}

impl From<CardRefused> for Problem {
    fn from(error: CardRefused) -> Self {
        match error {
            CardRefused::Declined(message) => {
                Self::new(StatusCode::PAYMENT_REQUIRED, "payment-refused", "Card refused", message)
            }
            CardRefused::Unknown => Self::not_found(),
            CardRefused::Cancelled => Self::conflict("conflict", "Cancelled", "This payment was cancelled"),
            CardRefused::Provider(error) => error.into(),
        }
    }
}

impl From<RestockProductError> for Problem {
    fn from(error: RestockProductError) -> Self {
        match error {
            RestockProductError::Denied(denied) => denied.into(),
            RestockProductError::Unknown => Self::not_found(),
            RestockProductError::PriceChanged { now } => {
                let message = format!("Somebody else has changed the price: it is {} now", now.money());
                Self::conflict("price-changed", "Price changed", message).with("price", Dollars(now.money()).to_json())
            }
            RestockProductError::TooMuch => {
                Self::invalid_field("updatedQuantity", "Quantity is more than any shelf holds")
            }
            RestockProductError::Store(error) => error.into(),
        }
    }
}

impl From<CorrectStockError> for Problem {
    fn from(error: CorrectStockError) -> Self {
        match error {
            CorrectStockError::Denied(denied) => denied.into(),
            CorrectStockError::Unknown => Self::not_found(),
            CorrectStockError::NotEnough { left } => {
                let message = format!("Only {} are in stock, so no more than that can be taken away", left.get());
                Self::conflict("out-of-stock", "Not enough in stock", message).with("available", left.get())
            }
            CorrectStockError::TooMuch => Self::invalid_field("delta", "Quantity is more than can be in stock"),
            CorrectStockError::Store(error) => error.into(),
        }
    }
}

impl From<ChangeRoleError> for Problem {
    fn from(error: ChangeRoleError) -> Self {
        match error {
            ChangeRoleError::Denied(denied) => denied.into(),
            ChangeRoleError::Unknown => Self::not_found(),
            ChangeRoleError::LastAdmin => Self::conflict("last-admin", "Last admin", "The last admin has to stay one"),
            ChangeRoleError::Unproved => {
                let message = "This address is not confirmed yet, so it cannot become an admin's";
                Self::conflict("unproved", "Address not confirmed", message)
            }
            ChangeRoleError::Store(error) => error.into(),
        }
    }
}

impl From<RemoveAccountError> for Problem {
    fn from(error: RemoveAccountError) -> Self {
        match error {
            RemoveAccountError::Denied(denied) => denied.into(),
            RemoveAccountError::Unknown => Self::not_found(),
            RemoveAccountError::Oneself => Self::conflict("conflict", "Oneself", "You cannot remove yourself"),
            RemoveAccountError::LastAdmin => {
                Self::conflict("last-admin", "Last admin", "The last admin cannot be removed")
            }
            RemoveAccountError::Store(error) => error.into(),
        }
    }
}

impl From<UploadPictureError> for Problem {
    fn from(error: UploadPictureError) -> Self {
        match error {
            UploadPictureError::Denied(denied) => denied.into(),
            UploadPictureError::Image(ImageRefused::NotAPicture) => {
                Self::unsupported_media(ImageRefused::NotAPicture.to_string())
            }
            UploadPictureError::Image(ImageRefused::TooLarge) => {
                let message = ImageRefused::TooLarge.to_string();
                Self::new(StatusCode::PAYLOAD_TOO_LARGE, "payload-too-large", "Too large", message)
            }
            UploadPictureError::Image(refused @ ImageRefused::NotTaken(_)) => {
                tracing::warn!(cause = error_chain(&refused), "the image host refused a picture");
                Self::invalid_field("image", refused.to_string())
            }
            UploadPictureError::Image(refused @ ImageRefused::LimitReached(_)) => {
                tracing::warn!(cause = error_chain(&refused), "the image host takes no more pictures");
                let status = StatusCode::SERVICE_UNAVAILABLE;
                Self::new(status, "image-host-limit", "Image host's limit reached", refused.to_string())
                    .after(IMAGE_LIMIT_WAIT)
            }
            UploadPictureError::Image(refused @ ImageRefused::KeyRefused(_)) => {
                tracing::error!(cause = error_chain(&refused), "the image host refuses the shop's key");
                let status = StatusCode::BAD_GATEWAY;
                Self::new(status, "image-host-key", "Image host's key refused", refused.to_string())
            }
            UploadPictureError::Image(ImageRefused::Provider(error)) => {
                let message = match &error {
                    ProviderError::Unavailable(_) => {
                        "The picture cannot be stored right now, please try again in a moment"
                    }
                    ProviderError::InvalidResponse(_) => {
                        "The image host gave an answer that we do not trust; please try again"
                    }
                };
                Self { message: message.to_owned(), ..error.into() }
            }
        }
    }
}

impl From<IdempotencyError> for Problem {
    fn from(error: IdempotencyError) -> Self {
        match error {
            IdempotencyError::Mismatch => {
                let message = "This Idempotency-Key was used for another request";
                Self::new(StatusCode::UNPROCESSABLE_ENTITY, "idempotency-mismatch", "Key used before", message)
            }
            IdempotencyError::StillRunning => Self::unavailable(),
            IdempotencyError::Store(error) => error.into(),
        }
    }
}

impl From<HandleEventError> for Problem {
    fn from(error: HandleEventError) -> Self {
        match error {
            HandleEventError::Refused(refused) => {
                metrics::counter!("webhooks_refused_total", "reason" => format!("{refused:?}")).increment(1);
                Self::bad_request("This message is not signed by the payment provider")
            }
            HandleEventError::TooBusy => Self::unavailable(),
            HandleEventError::Provider(error) => error.into(),
            HandleEventError::Store(error) => error.into(),
        }
    }
}

/// Errors that are either a refused permission or a store error.
macro_rules! denied_or_store {
    ($($error:ident),+ $(,)?) => {$(
        impl From<$error> for Problem {
            fn from(error: $error) -> Self {
                match error {
                    $error::Denied(denied) => denied.into(),
                    $error::Store(error) => error.into(),
                }
            }
        }
    )+};
}

denied_or_store!(
    AddProductError,
    ListAccountsError,
    OverviewError,
    ProductFileError,
    ProfileError,
    ReadOrderError,
    ReadRoleError,
    RemoveReviewError,
);

#[cfg(test)]
mod tests {
    use domain::{Money, Stock, UnitPrice};

    use super::*;

    fn json(problem: &Problem) -> Value {
        serde_json::to_value(problem.view()).unwrap()
    }

    #[test]
    fn a_problem_has_the_members_of_rfc_9457_and_a_message() {
        let told = json(&Problem::not_found());
        assert_eq!(told["type"], "/problems/not-found");
        assert_eq!(told["status"], 404);
        for member in ["title", "detail", "message"] {
            assert!(told[member].as_str().is_some_and(|text| !text.is_empty()), "{member}");
        }
        assert_eq!(told.get("errors"), None);
    }

    #[test]
    fn a_stock_or_price_conflict_carries_the_figures() {
        let left = Stock::new(12).unwrap();
        assert_eq!(json(&PlaceOrderError::NotEnough { left }.into())["available"], 12);
        let unit = UnitPrice::from_dollars(1.5).unwrap();
        let total = Money::from_cents(7_500).unwrap();
        let told = json(&PlaceOrderError::PriceChanged { unit, total }.into());
        assert_eq!((&told["price"], &told["unitPrice"]), (&75.into(), &1.5.into()));
    }

    #[test]
    fn an_unavailable_database_asks_for_a_retry_and_leaks_no_detail() {
        let problem = Problem::from(StoreError::Unavailable("connection to 10.0.0.7 refused".into()));
        let response = problem.error_response();
        assert_eq!(response.status(), 503);
        assert!(response.headers().contains_key(RETRY_AFTER));
        assert!(!json(&problem).to_string().contains("10.0.0.7"));
    }
}
