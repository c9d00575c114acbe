//! What came of a delivery, and how that is recorded.

use std::time::Duration;

use domain::notifications::delivery::MAX_ATTEMPTS;
use domain::one_line;
use ports::{Delivery, DeliveryFailure, StoreError, error_chain};

use crate::Notifications;

/// The results of delivering since the last run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Delivered {
    /// Accepted by the recipient's server.
    pub sent: u32,
    /// Rescheduled after a failure.
    pub rescheduled: u32,
    /// Dead-lettered.
    pub dead: u32,
}

/// The outcome of one attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Sent,
    Rescheduled,
    DeadLettered,
    Discarded,
}

/// A failure without an HTTP status.
pub(crate) fn failure(why: &str) -> DeliveryFailure {
    DeliveryFailure { why: why.to_owned(), status: None }
}

/// An error and its causes, as an admin reads them.
pub(crate) fn reason(error: &dyn std::error::Error) -> String {
    one_line(&error_chain(error))
}

impl Notifications {
    /// Runs an attempt to deliver, unless no attempt can succeed: then the delivery is dead-lettered.
    pub(crate) async fn guarded(
        &self,
        delivery: &Delivery,
        attempt: impl Future<Output = Result<Outcome, StoreError>>,
    ) -> Result<Outcome, StoreError> {
        // All attempts are used up without a recorded result. If the process crashes or panics on a delivery, nothing is
        // recorded, and it would be retried for ever.
        if delivery.attempts > MAX_ATTEMPTS {
            return self.dead_letter(delivery, failure("the attempts broke off")).await;
        }
        match attempt.await {
            // The code cannot decode the delivery's data: another attempt would fail in the same way.
            Err(error @ StoreError::Internal(_)) => self.dead_letter(delivery, failure(&reason(&error))).await,
            done => done,
        }
    }

    /// After a failure that may be temporary: reschedules, unless the attempts are used up.
    pub(crate) async fn reschedule_or_dead_letter(
        &self,
        delivery: &Delivery,
        wait: Duration,
        why: DeliveryFailure,
    ) -> Result<Outcome, StoreError> {
        if delivery.attempts >= MAX_ATTEMPTS {
            return self.dead_letter(delivery, why).await;
        }
        self.outbox.reschedule(delivery.id, delivery.attempts, wait, &why).await?;
        Ok(Outcome::Rescheduled)
    }

    pub(crate) async fn dead_letter(&self, delivery: &Delivery, why: DeliveryFailure) -> Result<Outcome, StoreError> {
        self.outbox.dead_letter(delivery.id, delivery.attempts, &why).await?;
        // The reason is not logged: a server's refusal may quote the recipient's address. An admin finds it with the
        // delivery.
        tracing::warn!(channel = delivery.channel.as_str(), delivery = %delivery.id, attempts = delivery.attempts, "a delivery was dead-lettered");
        Ok(Outcome::DeadLettered)
    }
}
