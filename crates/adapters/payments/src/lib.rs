//! Taking cards: [`StripePayments`] by way of Stripe, [`StripeEvents`] by listening to it, and [`SandboxPayments`],
//! which stands in for Stripe where no money may move.
//!
//! None of them is known to the rest of the shop by name. Whoever wires the shop chooses, and everybody else sees
//! [`ports::PaymentProvider`].

mod amount;
mod sandbox;
mod stripe;
mod stripe_webhook;

pub use amount::AmountOutOfBounds;
pub use sandbox::{JournalError, SandboxPayments};
pub use stripe::{StripePayments, StripeSetupError};
pub use stripe_webhook::{InvalidWebhookSecret, NoProviderEvents, StripeEvents};
