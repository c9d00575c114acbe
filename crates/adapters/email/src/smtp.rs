//! Handing letters to a mail server (RFC 5321).
//!
//! lettre speaks the protocol, one command at a time, and its pool is left alone. That pool puts a connection back on which
//! somebody gave up waiting, and a late answer on it would be taken for the next letter's; and it waits for answers without
//! end. Here one clock bounds the whole conversation, a connection that did not end one well is closed, and only one that
//! did is kept for the next letter.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use lettre::Address;
use lettre::transport::smtp::Error;
use lettre::transport::smtp::authentication::Mechanism;
use lettre::transport::smtp::client::{AsyncSmtpConnection, TlsParameters};
use lettre::transport::smtp::commands::{Data, Mail, Rcpt};
use lettre::transport::smtp::extension::ClientId;
use lettre::transport::smtp::response::{Response, Severity};
use ports::{EmailError, EmailMessage, EmailSender};

use crate::message::{Sender, written};
use crate::server::{MailServer, Privacy};

/// How long handing over one letter may take, from connecting to being accepted.
const PATIENCE: Duration = Duration::from_secs(25);
/// How long a connection is kept for the next letter. Servers wait for minutes.
const IDLE: Duration = Duration::from_secs(20);
/// How many connections are kept: as many as are busy in a busy hour.
const KEPT: usize = 24;

/// Hands letters to a mail server.
pub struct SmtpSender {
    server: MailServer,
    tls: Option<TlsParameters>,
    from: Sender,
    me: ClientId,
    idle: Mutex<Vec<(AsyncSmtpConnection, Instant)>>,
    patience: Duration,
}

impl std::fmt::Debug for SmtpSender {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SmtpMailer").field("server", &self.server).field("from", &self.from).finish_non_exhaustive()
    }
}

impl SmtpSender {
    /// A mailer that has not spoken to its server yet.
    ///
    /// # Errors
    /// [`EmailError::Unavailable`] if this machine has no certificates to judge the server's by.
    pub fn new(server: MailServer, from: Sender) -> Result<Self, EmailError> {
        let tls = match server.privacy {
            Privacy::None => None,
            Privacy::Upgraded | Privacy::Whole => {
                Some(TlsParameters::new_rustls(server.host.clone()).map_err(unavailable)?)
            }
        };
        let me = ClientId::Domain(from.domain().to_owned());
        Ok(Self { server, tls, from, me, idle: Mutex::default(), patience: PATIENCE })
    }

    async fn hand_over(&self, to: Address, message: &[u8]) -> Result<(), EmailError> {
        let mut connection = self.connection().await?;
        // A server that refuses us, or whom we write for, refuses every letter: that is ours to mend, and no reason to give
        // a letter up.
        let from = Mail::new(Some(self.from.address().clone()), Vec::new());
        completed(&connection.command(from).await.map_err(unavailable)?)?;
        completed(&connection.command(Rcpt::new(to, Vec::new())).await.map_err(judged)?)?;
        let go_on = connection.command(Data).await.map_err(judged)?;
        if !go_on.has_code(354) {
            return Err(out_of_step(&go_on));
        }
        completed(&connection.message(message).await.map_err(judged)?)?;
        self.keep(connection);
        Ok(())
    }

    /// A connection that is ready for a letter: a kept one that still answers, or a new one.
    async fn connection(&self) -> Result<AsyncSmtpConnection, EmailError> {
        while let Some(mut kept) = self.kept() {
            if kept.test_connected().await {
                return Ok(kept);
            }
        }
        let server = (self.server.host.as_str(), self.server.port);
        let at_once = self.tls.clone().filter(|_| self.server.privacy == Privacy::Whole);
        let mut connection =
            AsyncSmtpConnection::connect_tokio1(server, None, &self.me, at_once, None).await.map_err(unavailable)?;
        if let (Privacy::Upgraded, Some(tls)) = (self.server.privacy, &self.tls) {
            connection.starttls(tls.clone(), &self.me).await.map_err(unavailable)?;
        }
        if let Some(credentials) = &self.server.credentials {
            connection.auth(&[Mechanism::Plain, Mechanism::Login], credentials).await.map_err(unavailable)?;
        }
        Ok(connection)
    }

    fn kept(&self) -> Option<AsyncSmtpConnection> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.retain(|(_, since)| since.elapsed() < IDLE);
        idle.pop().map(|(connection, _)| connection)
    }

    fn keep(&self, connection: AsyncSmtpConnection) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < KEPT {
            idle.push((connection, Instant::now()));
        }
    }
}

#[async_trait]
impl EmailSender for SmtpSender {
    async fn send(&self, email: &EmailMessage) -> Result<(), EmailError> {
        let message = written(email, &self.from)?;
        let to =
            message.envelope().to().first().cloned().ok_or_else(|| EmailError::Refused("nobody to send to".into()))?;
        let message = message.formatted();
        tokio::time::timeout(self.patience, self.hand_over(to, &message)).await.map_err(|_| {
            EmailError::Unavailable(format!("it did not answer within {} seconds", self.patience.as_secs_f32()).into())
        })?
    }
}

/// Trouble that is no fault of the letter's.
fn unavailable(error: Error) -> EmailError {
    EmailError::Unavailable(Box::new(error))
}

/// Trouble with this letter or its reader: a permanent refusal is one.
fn judged(error: Error) -> EmailError {
    if error.is_permanent() { EmailError::Refused(Box::new(error)) } else { unavailable(error) }
}

/// lettre lets `3xx` pass for yes, which here would mean that question and answer are out of step.
fn completed(response: &Response) -> Result<(), EmailError> {
    let done = response.code().severity == Severity::PositiveCompletion;
    if done { Ok(()) } else { Err(out_of_step(response)) }
}

fn out_of_step(response: &Response) -> EmailError {
    EmailError::Unavailable(format!("it answered {} where that is no answer", response.code()).into())
}

#[cfg(test)]
mod tests;
