//! Webhook subscriptions to the events of orders.

pub(crate) mod add;
pub(crate) mod deliveries;
pub(crate) mod list;
pub(crate) mod remove;
pub(crate) mod view;
