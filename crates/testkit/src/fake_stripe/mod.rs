//! A fake Stripe: the part of its API that accepts card payments, as its documentation describes it
//! (<https://docs.stripe.com/api>), on loopback, failures included.
//!
//! [`Account`] is the model, pure and repeatable from a seed; [`FakeStripe`] serves it over HTTP and sends its
//! webhooks. It refuses what Stripe would refuse: an unknown parameter is an error and is not ignored.

mod account;
mod calls;
mod cards;
mod charging;
mod control;
mod disputes;
mod faults;
mod form;
mod intent;
mod intents;
mod methods;
mod outbox;
mod parameters;
mod refunds;
mod refusal;
mod rng;
mod server;
#[cfg(test)]
mod tests;

pub use account::{Account, Keys, Payment};
pub use calls::{Answer, Outcome, Request};
pub use faults::{Garbage, Rates, Trouble};
pub use outbox::{Endpoint, Sending, signature};
pub use rng::SeededRng;
pub use server::{FakeStripe, Settings};
