//! Payment problems that an admin has to handle, and the actions to do so.

pub(crate) mod acknowledge_dispute;
pub(crate) mod acknowledge_refund;
pub(crate) mod bank_transfer;
pub(crate) mod list;
pub(crate) mod retry;
pub(crate) mod send_back;
pub(crate) mod view;
