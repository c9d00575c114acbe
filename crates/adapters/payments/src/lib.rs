//! Card payments: [`StripeSettings`] makes a gateway to Stripe, and [`SandboxPayments`] one that stands in for it where
//! no money may move.
//!
//! A provider is a folder here. The rest of the shop knows none of them by name: the composition root chooses one, and
//! everything else sees a [`ports::PaymentGateway`].

mod amount;
mod sandbox;
mod stripe;

pub use amount::AmountOutOfBounds;
pub use sandbox::{JournalError, SandboxPayments};
pub use stripe::{
    InvalidWebhookSecret, StripeEvents, StripeGatewayError, StripePayments, StripeSettings, StripeSetupError,
};
