//! Sends e-mails through a mail server (RFC 5321).
//!
//! lettre speaks the protocol, one command at a time, but its pool is not used. That pool takes back a connection on
//! which a caller timed out, and a late reply on it would be taken for the reply to the next e-mail; and it waits for
//! replies without a limit. Here one timeout bounds the whole conversation, a connection on which one failed is closed,
//! and only one on which it succeeded is kept for the next e-mail.

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
use ports::{EmailError, EmailMessage, EmailSender, provider_call};

use crate::message::Composer;
use crate::server::{MailServer, Privacy};

/// Timeout for sending one e-mail, from connecting to the server's acceptance.
const TIMEOUT: Duration = Duration::from_secs(25);
/// How long an idle connection is kept for the next e-mail. Servers wait for minutes.
const IDLE: Duration = Duration::from_secs(20);
/// How many idle connections are kept: as many as are in use in a busy hour.
const KEPT: usize = 24;

/// Sends e-mails through a mail server.
pub struct SmtpSender {
    server: MailServer,
    tls: Option<TlsParameters>,
    composer: Composer,
    me: ClientId,
    idle: Mutex<Vec<(AsyncSmtpConnection, Instant)>>,
    timeout: Duration,
}

impl std::fmt::Debug for SmtpSender {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SmtpSender")
            .field("server", &self.server)
            .field("composer", &self.composer)
            .finish_non_exhaustive()
    }
}

impl SmtpSender {
    /// A sender that has not connected to its server yet.
    ///
    /// # Errors
    /// [`EmailError::Unavailable`] if this machine has no root certificates to verify the server's with.
    pub fn new(server: MailServer, composer: Composer) -> Result<Self, EmailError> {
        let tls = match server.privacy {
            Privacy::None => None,
            Privacy::Upgraded | Privacy::Whole => {
                Some(TlsParameters::new_rustls(server.host.clone()).map_err(unavailable)?)
            }
        };
        let me = ClientId::Domain(composer.from().domain().to_owned());
        Ok(Self { server, tls, composer, me, idle: Mutex::default(), timeout: TIMEOUT })
    }

    async fn hand_over(&self, to: Address, message: &[u8]) -> Result<(), EmailError> {
        let mut connection = self.connection().await?;
        // A server that refuses us or our sender address refuses every e-mail: that is our configuration's fault, and
        // no reason to dead-letter an e-mail.
        let from = Mail::new(Some(self.composer.from().address().clone()), Vec::new());
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

    /// A connection that is ready for an e-mail: a kept one that still responds, or a new one.
    async fn connection(&self) -> Result<AsyncSmtpConnection, EmailError> {
        while let Some(mut idle) = self.idle_connection() {
            if idle.test_connected().await {
                return Ok(idle);
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

    fn idle_connection(&self) -> Option<AsyncSmtpConnection> {
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
        let message = self.composer.compose(email)?.message;
        let to = message.envelope().to().first().cloned().ok_or_else(|| EmailError::Refused("no recipient".into()))?;
        let message = message.formatted();
        let handing_over = async {
            tokio::time::timeout(self.timeout, self.hand_over(to, &message)).await.map_err(|_| {
                let seconds = self.timeout.as_secs_f32();
                EmailError::Unavailable(format!("it did not answer within {seconds} seconds").into())
            })?
        };
        provider_call("mail", "send", &self.server.host, handing_over, |()| None).await
    }
}

/// An error that is not this e-mail's fault.
fn unavailable(error: Error) -> EmailError {
    EmailError::Unavailable(Box::new(error))
}

/// An error of this e-mail or its recipient, if the server's refusal is permanent.
fn judged(error: Error) -> EmailError {
    if error.is_permanent() { EmailError::Refused(Box::new(error)) } else { unavailable(error) }
}

/// lettre accepts `3xx` as success, which here would mean that commands and replies are out of step.
fn completed(response: &Response) -> Result<(), EmailError> {
    let done = response.code().severity == Severity::PositiveCompletion;
    if done { Ok(()) } else { Err(out_of_step(response)) }
}

fn out_of_step(response: &Response) -> EmailError {
    EmailError::Unavailable(format!("it sent the unexpected reply {}", response.code()).into())
}

#[cfg(test)]
mod tests;
