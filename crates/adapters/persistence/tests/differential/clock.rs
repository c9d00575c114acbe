//! Postgres with a clock that the test sets.
//!
//! The repositories call `now()` and `clock_timestamp()` without a schema. Functions of the same names, in a schema
//! that comes first on the search path, replace the server's own, in column defaults and in triggers too.

use std::sync::Mutex;
use std::time::Duration;

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use domain::Timestamp;
use persistence::Database;
use testkit::TestDatabase;

/// Tables are created in the first schema of the path.
const PATH: &str = "options=-csearch_path%3Dpublic%2Cset_clock%2Cpg_catalog";

/// Calls pay with payments that nobody has opened, and that is not the store's to judge.
const NOT_JUDGED: &str = "what paid for an order is a payment that the shop opened";

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
    // Dropped after the pool, so that the pool's connections are not cut off in the middle of a statement.
    test: TestDatabase,
}

fn with_path(url: &str) -> String {
    format!("{url}{}{PATH}", if url.contains('?') { '&' } else { '?' })
}

fn migrate(url: &str) {
    PgConnection::establish(url).unwrap().batch_execute(CLOCK).unwrap();
    let url = with_path(url);
    // The testkit calls this from inside a runtime, where another runtime cannot block.
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

    /// Sets the clock to this time.
    pub(crate) fn set(&self, now: Timestamp) {
        let statement = format!("UPDATE set_clock.hand SET at = '{now}'");
        self.hand.lock().unwrap().batch_execute(&statement).unwrap();
    }

    /// The database invariants that do not hold, but for [`NOT_JUDGED`].
    pub(crate) fn broken(&self) -> Vec<String> {
        assert!(testkit::invariant_sentences().any(|one| one == NOT_JUDGED), "no invariant is called so");
        let mut broken = testkit::invariants(self.test.url());
        broken.retain(|one| !one.starts_with(NOT_JUDGED));
        broken
    }
}
