//! Listening for the changes that the database's triggers announce (LISTEN/NOTIFY).
//!
//! A connection of its own listens. It also sends itself a message every second: messages arrive in the order of their
//! commits, so one of its own that has arrived proves that all from before have. Whoever reads from memory asks for
//! that proof; without it they ask the database.

use std::sync::{Arc, Weak};
use std::thread;
use std::time::{Duration, Instant};

use diesel::connection::SimpleConnection;
use diesel::pg::PgNotification;
use diesel::prelude::*;
use diesel::result::Error;
use diesel::sql_types::Integer;
use uuid::Uuid;

use crate::Database;
use crate::platform::changes::{ChangedRows, Changes, Channel};
use crate::platform::db::establish;
use crate::platform::db::pool::Pooler;

/// How often the connection is asked for messages.
const LOOK_EVERY: Duration = Duration::from_millis(5);
/// How often it sends itself one.
const BEAT_EVERY: Duration = Duration::from_secs(1);
/// How long a message to itself may take before the connection counts as lost.
const BEAT_TIMEOUT: Duration = Duration::from_secs(4);
/// Pause before the next attempt to connect.
const RETRY_EVERY: Duration = Duration::from_secs(1);

impl Database {
    /// Begins to listen for what changes, on a thread and a connection of its own, until the last clone is dropped. A
    /// connection that is lost is opened again.
    ///
    /// # Errors
    /// If no thread can be started.
    pub fn listen(&self) -> std::io::Result<()> {
        let (changes, url) = (Arc::downgrade(&self.changes()), self.direct_url());
        thread::Builder::new().name("changes".to_owned()).spawn(move || follow(&changes, &url)).map(drop)
    }
}

/// Listens until nobody wants to know any more.
fn follow(changes: &Weak<Changes>, url: &str) {
    let mut is_lost = false;
    while changes.strong_count() > 0 {
        let listening = establish(url, Pooler::None)
            .map_err(|error| error.to_string())
            .and_then(|connection| Listener::new(connection).map_err(|error| error.to_string()))
            .and_then(|listener| {
                is_lost = false;
                listener.run(changes).map_err(|error| error.to_string())
            });
        let Err(error) = listening else { return };
        // Once per outage.
        if !std::mem::replace(&mut is_lost, true) {
            tracing::warn!(error, "changes are not heard: what is kept in memory is read from the database meanwhile");
        }
        thread::sleep(RETRY_EVERY);
    }
}

#[derive(QueryableByName)]
struct Backend {
    #[diesel(sql_type = Integer)]
    pid: i32,
}

/// A connection that listens.
struct Listener {
    connection: PgConnection,
    /// The channel of its messages to itself; no two connections have the same process.
    own: String,
    /// When the last of them was sent, and whether it has arrived.
    beat: Option<(Instant, bool)>,
}

impl Listener {
    fn new(mut connection: PgConnection) -> QueryResult<Self> {
        let Backend { pid } = diesel::sql_query("SELECT pg_backend_pid() AS pid").get_result(&mut connection)?;
        let own = format!("driveline_listener_{pid}");
        for channel in Channel::ALL {
            connection.batch_execute(&format!("LISTEN {}", channel.name()))?;
        }
        connection.batch_execute(&format!("LISTEN {own}"))?;
        Ok(Self { connection, own, beat: None })
    }

    fn run(mut self, changes: &Weak<Changes>) -> QueryResult<()> {
        // Whatever changed while nobody listened.
        if let Some(changes) = changes.upgrade() {
            for channel in Channel::ALL {
                changes.note(channel, ChangedRows::everything());
            }
        }
        while let Some(changes) = changes.upgrade() {
            self.beat()?;
            self.hear(&changes)?;
            drop(changes);
            thread::sleep(LOOK_EVERY);
        }
        Ok(())
    }

    /// Sends itself a message, once the last one has arrived and a second has passed.
    fn beat(&mut self) -> QueryResult<()> {
        match self.beat {
            Some((sent, true)) if sent.elapsed() < BEAT_EVERY => return Ok(()),
            Some((sent, false)) if sent.elapsed() < BEAT_TIMEOUT => return Ok(()),
            Some((_, false)) => return Err(Error::QueryBuilderError("no message arrives: is there a pooler?".into())),
            Some((_, true)) | None => {}
        }
        self.beat = Some((Instant::now(), false));
        self.connection.batch_execute(&format!("NOTIFY {}", self.own))
    }

    fn hear(&mut self, changes: &Changes) -> QueryResult<()> {
        let heard: Vec<PgNotification> = self.connection.notifications_iter().collect::<QueryResult<_>>()?;
        for PgNotification { channel: name, payload, .. } in heard {
            if let Some(channel) = Channel::ALL.into_iter().find(|channel| channel.name() == name) {
                changes.note(channel, named_rows(&payload));
            } else if let Some((sent, has_arrived)) = &mut self.beat {
                *has_arrived = true;
                changes.prove(*sent);
            }
        }
        Ok(())
    }
}

/// The rows that a message names; all of them if it names none.
fn named_rows(payload: &str) -> ChangedRows {
    match payload.split(',').map(Uuid::parse_str).collect() {
        Ok(ids) => ChangedRows { all: false, ids },
        Err(_) => ChangedRows::everything(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    const ROW: Uuid = Uuid::from_u128(7);

    #[test]
    fn a_message_names_rows_or_is_about_all() {
        let other = Uuid::from_u128(8);
        assert_eq!(named_rows(&format!("{ROW},{other}")).ids, HashSet::from([ROW, other]));
        for payload in ["", "everything", "7"] {
            assert_eq!(named_rows(payload), ChangedRows::everything(), "{payload}");
        }
    }
}
