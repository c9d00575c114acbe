//! Orders and their timelines.

pub mod assigned;
pub mod contact;
pub mod event;
pub mod item;
pub mod note;
pub mod order;
pub mod purchase;
pub mod refusals;
mod replay;
pub mod return_reason;
pub mod returns;
pub mod shipment;
pub mod state;
pub mod vehicle;
