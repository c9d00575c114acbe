//! A Stripe of our own: the part of its API that takes cards, as its documentation describes it
//! (<https://docs.stripe.com/api>), on loopback and on its bad days.
//!
//! [`Account`] is the whole of it, pure and repeatable from a seed; [`FakeStripe`] puts it behind HTTP and carries its
//! webhooks. What Stripe would refuse, it refuses: a parameter that it does not know is an error and not a shrug.

mod account;
mod cards;
mod desk;
mod dice;
mod disputes;
mod faults;
mod form;
mod intents;
mod methods;
mod outbox;
mod refunds;
mod refusal;
mod server;
#[cfg(test)]
mod tests;

pub use account::{Account, Answer, Keys, Outcome, Payment, Request};
pub use dice::Dice;
pub use faults::{Garbage, Rates, Trouble};
pub use outbox::{Endpoint, Sending, signature};
pub use server::{FakeStripe, Settings};
