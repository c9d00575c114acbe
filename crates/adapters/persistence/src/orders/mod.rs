//! Orders, their timelines, and the reservations of unpaid ones; returns, notes, and what each customer ordered.

pub(crate) mod batch;
pub(crate) mod batch_rows;
pub(crate) mod changing;
pub(crate) mod customers;
pub(crate) mod event_json;
mod finding;
pub(crate) mod lists;
pub(crate) mod notes;
pub(crate) mod placing;
mod purchase_columns;
pub(crate) mod repository;
pub(crate) mod reservations;
pub(crate) mod return_rows;
pub(crate) mod returns;
pub(crate) mod rollups;
pub(crate) mod rows;
pub(crate) mod sales;
mod shipments;
mod vehicle_json;
