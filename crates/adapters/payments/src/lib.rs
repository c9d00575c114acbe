//! Card payments: [`StripePayments`] calls Stripe, [`StripeEvents`] verifies and reads its webhook events, and
//! [`SandboxPayments`] stands in for Stripe where no money may move.
//!
//! The rest of the shop knows none of them by name. The composition root chooses one, and everything else sees
//! [`ports::PaymentProvider`].

mod amount;
mod sandbox;
mod stripe;
mod stripe_webhook;

pub use amount::AmountOutOfBounds;
pub use sandbox::{JournalError, SandboxPayments};
pub use stripe::{StripePayments, StripeSetupError};
pub use stripe_webhook::{InvalidWebhookSecret, NoProviderEvents, StripeEvents};
