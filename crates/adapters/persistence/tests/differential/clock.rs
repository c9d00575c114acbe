//! Postgres by a clock that the test sets.
//!
//! The stores ask for `now()` and `clock_timestamp()` by these names alone, so that functions of the same names which come
//! first on the search path stand in for the server's own, in the defaults of columns and in triggers too.

use std::sync::Mutex;
use std::time::Duration;

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use domain::Timestamp;
use persistence::Database;
use testkit::TestDatabase;

/// Tables go into the first of them.
const PATH: &str = "options=-csearch_path%3Dpublic%2Cset_clock%2Cpg_catalog";

const CLOCK: &str = "
    CREATE SCHEMA set_clock;
    CREATE TABLE set_clock.hand (at timestamptz NOT NULL);
    INSERT INTO set_clock.hand VALUES ('2020-01-01');
    CREATE FUNCTION set_clock.clock_timestamp() RETURNS timestamptz LANGUAGE sql STABLE AS 'SELECT at FROM set_clock.hand';
    CREATE FUNCTION set_clock.now() RETURNS timestamptz LANGUAGE sql STABLE AS 'SELECT at FROM set_clock.hand';
";

pub(crate) struct Clocked {
    pub(crate) database: Database,
    hand: Mutex<PgConnection>,
    // Dropped after the pool, which would otherwise be cut off in the middle of something.
    test: TestDatabase,
}

fn with_path(url: &str) -> String {
    format!("{url}{}{PATH}", if url.contains('?') { '&' } else { '?' })
}

fn migrate(url: &str) {
    PgConnection::establish(url).unwrap().batch_execute(CLOCK).unwrap();
    let url = with_path(url);
    // The testkit calls from inside a runtime, which cannot wait for another one.
    std::thread::scope(|scope| {
        let migrating = scope.spawn(|| {
            let runtime = tokio::runtime::Runtime::new().unwrap();
            runtime.block_on(persistence::migrations::run(&url)).unwrap()
        });
        assert!(!migrating.join().unwrap().is_empty());
    });
}

impl Clocked {
    pub(crate) async fn fresh() -> Self {
        let test = TestDatabase::fresh(migrate);
        let database = Database::connect(&with_path(test.url()), 4, Duration::from_secs(10)).await.unwrap();
        let hand = Mutex::new(PgConnection::establish(test.url()).unwrap());
        Self { database, hand, test }
    }

    /// Sets the clock.
    pub(crate) fn set(&self, now: Timestamp) {
        let statement = format!("UPDATE set_clock.hand SET at = '{now}'");
        self.hand.lock().unwrap().batch_execute(&statement).unwrap();
    }

    /// What of the shop's invariants does not hold.
    pub(crate) fn broken(&self) -> Vec<String> {
        testkit::invariants(self.test.url())
    }
}
