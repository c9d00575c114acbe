//! Internal notes on the wire, one file per action.

pub(crate) mod add_to_customer;
pub(crate) mod add_to_order;
pub(crate) mod of_customer;
pub(crate) mod of_order;
pub(crate) mod remove;
pub(crate) mod view;
