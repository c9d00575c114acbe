//! Taking cards: [`StripeWebhooks`] listens to Stripe, and [`SandboxPayments`] stands in for Stripe where no money may
//! move.
//!
//! Neither is known to the rest of the shop by name. Whoever wires the shop chooses one, and everybody else sees
//! [`ports::PaymentProvider`].

mod amount;
mod sandbox;
mod stripe_webhook;

pub use amount::AmountOutOfBounds;
pub use sandbox::{JournalError, SandboxPayments};
pub use stripe_webhook::{InvalidWebhookSecret, NoWebhooks, StripeWebhooks};
