//! A sandbox card network, for trying the shop out: no money moves, and everything else happens as it would at Stripe
//! in test mode.
//!
//! Architecture invariant: card data never gets further than [`cards::judge`]. The ledger, its journal and the log see
//! only the verdict.

mod cards;
mod journal;
mod ledger;
#[cfg(test)]
mod tests;

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};

use async_trait::async_trait;
use domain::{Dispute, Money, Payable, ProviderRefund, TransactionId};
use ports::{
    BrowserPayments, CancelOutcome, Card, CardFormOrigins, CardRefused, Clock, PaymentGateway, PaymentIntent,
    PaymentProvider, ProviderError, ProviderKind, RefundOutcome, RefundRequest, TestCardEndpoint,
};
use thiserror::Error;
use tokio::sync::oneshot;

use crate::amount;

use journal::Journal;
pub use journal::JournalError;
use ledger::{Answer, Command, Confirmed, Fresh, Ledger, Misuse, fresh_refund_id};

/// How many operations may wait: far more than one machine's shoppers cause, and few enough to complete within a
/// second.
const WAITING: usize = 256;
/// How many waiting operations share one flush to disk.
const BATCH: usize = 64;

/// The card network that stands in for Stripe: [`PaymentProvider`] for the shop, [`TestCardEndpoint`] for the browser.
///
/// One thread owns the ledger, so concurrent operations are serialised. A result that was returned is on disk, unless
/// the ledger is kept in memory.
pub struct SandboxPayments {
    clock: Arc<dyn Clock>,
    ledger: SyncSender<Request>,
}

impl fmt::Debug for SandboxPayments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SandboxPayments(…)")
    }
}

struct Request {
    command: Command,
    reply: oneshot::Sender<Result<Answer, ProviderError>>,
}

/// Why the sandbox's ledger returned no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
enum NoAnswer {
    #[error("too many payments wait for the sandbox's ledger")]
    Crowded,
    #[error("the sandbox's ledger has stopped")]
    Stopped,
    #[error("the sandbox's ledger answered another question")]
    Confused,
}

impl SandboxPayments {
    /// Uses a journal file, which is created if it is missing; what was acknowledged survives a crash.
    ///
    /// # Errors
    /// [`JournalError`] if the file cannot be read or written, holds what no sandbox wrote, or is in use.
    pub fn kept_in(journal: &Path, clock: Arc<dyn Clock>) -> Result<Self, JournalError> {
        let (journal, entries) = Journal::open(journal)?;
        let ledger = Ledger::from_entries(entries).ok_or_else(|| JournalError::contradicts_itself(journal.path()))?;
        Self::start(Some(journal), ledger, clock)
    }

    /// Keeps everything in memory.
    ///
    /// # Errors
    /// [`JournalError`] if the system cannot start a thread.
    pub fn in_memory(clock: Arc<dyn Clock>) -> Result<Self, JournalError> {
        Self::start(None, Ledger::default(), clock)
    }

    /// The sandbox as the shop's payment provider. It sends no events: the card form's own call reports a payment.
    #[must_use]
    pub fn gateway(self) -> PaymentGateway {
        let sandbox = Arc::new(self);
        PaymentGateway {
            provider: sandbox.clone(),
            browser: BrowserPayments {
                kind: ProviderKind::Sandbox,
                public_key: None,
                origins: CardFormOrigins::default(),
            },
            events: None,
            test_cards: Some(sandbox),
        }
    }

    fn start(journal: Option<Journal>, ledger: Ledger, clock: Arc<dyn Clock>) -> Result<Self, JournalError> {
        let (sender, receiver) = sync_channel(WAITING);
        std::thread::Builder::new()
            .name("sandbox-ledger".to_owned())
            .spawn(move || keep(&receiver, ledger, journal))
            .map_err(JournalError::NoThread)?;
        Ok(Self { clock, ledger: sender })
    }

    async fn execute(&self, command: Command) -> Result<Answer, ProviderError> {
        let (reply, answer) = oneshot::channel();
        self.ledger.try_send(Request { command, reply }).map_err(|refused| match refused {
            TrySendError::Full(_) => unavailable(NoAnswer::Crowded),
            TrySendError::Disconnected(_) => unavailable(NoAnswer::Stopped),
        })?;
        answer.await.map_err(|_| unavailable(NoAnswer::Stopped))?
    }
}

fn unavailable(cause: impl std::error::Error + Send + Sync + 'static) -> ProviderError {
    ProviderError::Unavailable(Box::new(cause))
}

fn invalid_response(cause: impl std::error::Error + Send + Sync + 'static) -> ProviderError {
    ProviderError::InvalidResponse(Box::new(cause))
}

/// Performs operations until no sender is left. Operations that wait together share one flush to disk, and no result is
/// returned before it.
fn keep(requests: &Receiver<Request>, mut ledger: Ledger, mut journal: Option<Journal>) {
    while let Ok(first) = requests.recv() {
        let mut entries = Vec::new();
        let mut answers = Vec::new();
        for Request { command, reply } in std::iter::once(first).chain(requests.try_iter().take(BATCH - 1)) {
            let (entry, answer) = ledger.perform(command);
            entries.extend(entry);
            answers.push((reply, answer));
        }
        let written = match &mut journal {
            Some(journal) if !entries.is_empty() => journal.append(&entries),
            _ => Ok(()),
        };
        match written {
            Ok(()) => {
                for (reply, answer) in answers {
                    // The caller may have stopped waiting; the operation still counts.
                    let _ = reply.send(answer.map_err(invalid_response));
                }
            }
            Err(error) => {
                tracing::error!(%error, "the sandbox's journal cannot be written");
                for (reply, _) in answers {
                    let _ = reply.send(Err(unavailable(NoAnswer::Stopped)));
                }
                // The ledger is now ahead of the disk, and only what is on disk counts.
                match journal.as_mut().map(Journal::reread) {
                    Some(Ok(entries)) => match Ledger::from_entries(entries) {
                        Some(remembered) => ledger = remembered,
                        None => return,
                    },
                    Some(Err(error)) => {
                        tracing::error!(%error, "the sandbox's journal cannot be read back");
                        return;
                    }
                    None => return,
                }
            }
        }
    }
}

#[async_trait]
impl PaymentProvider for SandboxPayments {
    async fn open(&self, order: Payable, attempt: u32, amount: Money) -> Result<PaymentIntent, ProviderError> {
        let fresh = Fresh::from_system()?;
        let amount = amount::check(amount)?;
        let command = Command::Open { order, attempt, amount, fresh };
        match self.execute(command).await? {
            Answer::PaymentIntent(Some(intent)) => Ok(intent),
            _ => Err(invalid_response(NoAnswer::Confused)),
        }
    }

    async fn find(&self, id: &TransactionId) -> Result<Option<PaymentIntent>, ProviderError> {
        match self.execute(Command::Find(id.clone(), self.clock.now())).await? {
            Answer::PaymentIntent(intent) => Ok(intent),
            _ => Err(invalid_response(NoAnswer::Confused)),
        }
    }

    async fn cancel(&self, id: &TransactionId) -> Result<CancelOutcome, ProviderError> {
        match self.execute(Command::Cancel(id.clone())).await? {
            Answer::Cancel(outcome) => Ok(outcome),
            _ => Err(invalid_response(NoAnswer::Confused)),
        }
    }

    async fn refund(&self, order: &RefundRequest) -> Result<RefundOutcome, ProviderError> {
        let command = Command::Refund { order: order.clone(), id: fresh_refund_id()?, now: self.clock.now() };
        match self.execute(command).await? {
            Answer::Refund(outcome) => Ok(outcome),
            _ => Err(invalid_response(NoAnswer::Confused)),
        }
    }

    async fn refunds_of(&self, payment: &TransactionId) -> Result<Vec<ProviderRefund>, ProviderError> {
        match self.execute(Command::RefundsOf(payment.clone(), self.clock.now())).await? {
            Answer::Refunds(refunds) => Ok(refunds),
            _ => Err(invalid_response(NoAnswer::Confused)),
        }
    }

    async fn disputes_of(&self, payment: &TransactionId) -> Result<Vec<Dispute>, ProviderError> {
        match self.execute(Command::DisputesOf(payment.clone())).await? {
            Answer::Disputes(disputes) => Ok(disputes),
            _ => Err(invalid_response(NoAnswer::Confused)),
        }
    }
}

#[async_trait]
impl TestCardEndpoint for SandboxPayments {
    async fn confirm(&self, client_secret: &str, card: &Card) -> Result<PaymentIntent, CardRefused> {
        let command =
            Command::Confirm { client_secret: client_secret.to_owned(), verdict: cards::judge(card, self.clock.now()) };
        match self.execute(command).await? {
            Answer::Confirm(Confirmed::Paid(intent)) => Ok(intent),
            Answer::Confirm(Confirmed::Declined(sentence)) => Err(CardRefused::Declined(sentence)),
            Answer::Confirm(Confirmed::Unknown) => Err(CardRefused::Unknown),
            Answer::Confirm(Confirmed::Cancelled) => Err(CardRefused::Cancelled),
            _ => Err(invalid_response(NoAnswer::Confused).into()),
        }
    }
}

impl From<Misuse> for ProviderError {
    fn from(misuse: Misuse) -> Self {
        invalid_response(misuse)
    }
}
