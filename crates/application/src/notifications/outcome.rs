//! What came of a delivery.

use domain::one_line;
use ports::{DeliveryFailure, error_chain};

/// The results of delivering since the last run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Delivered {
    /// Accepted by the recipient's server.
    pub sent: u32,
    /// Rescheduled after a failure.
    pub reschedule: u32,
    /// Dead-lettered.
    pub dead: u32,
}

/// The outcome of one attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Sent,
    PutOff,
    Dead,
    TakenBack,
}

/// A failure without an HTTP status.
pub(crate) fn failure(why: &str) -> DeliveryFailure {
    DeliveryFailure { why: why.to_owned(), status: None }
}

/// An error and its causes, as an admin reads them.
pub(crate) fn reason(error: &dyn std::error::Error) -> String {
    one_line(&error_chain(error))
}
