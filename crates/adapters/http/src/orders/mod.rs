//! Orders on the wire, one file per action.

pub(crate) mod cancel;
pub(crate) mod counts;
pub(crate) mod export;
pub(crate) mod filters;
pub(crate) mod get;
pub(crate) mod list;
pub(crate) mod list_all;
pub(crate) mod notes;
pub(crate) mod overview;
pub(crate) mod overview_export;
pub(crate) mod overview_payments;
pub(crate) mod overview_top;
pub(crate) mod place;
pub(crate) mod refund;
pub(crate) mod returns;
pub(crate) mod ship;
pub(crate) mod shipments;
pub(crate) mod timeline;
pub(crate) mod vehicle;
pub(crate) mod view;
