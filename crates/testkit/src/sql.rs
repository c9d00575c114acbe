//! A database connection that bypasses the shop's code.

use diesel::connection::SimpleConnection as _;
use diesel::prelude::*;
use diesel::sql_types::BigInt;

/// A database session of its own.
pub struct Sql(PgConnection);

#[derive(QueryableByName)]
struct Number {
    #[diesel(sql_type = BigInt)]
    n: i64,
}

impl Sql {
    /// Connects to a `postgres://` URL.
    ///
    /// # Panics
    /// If the database does not answer.
    #[must_use]
    pub fn connect(url: &str) -> Self {
        Self(PgConnection::establish(url).expect("a database that answers"))
    }

    /// Runs statements.
    ///
    /// # Panics
    /// If one fails.
    pub fn run(&mut self, statements: &str) {
        self.0.batch_execute(statements).unwrap_or_else(|error| panic!("{statements}: {error}"));
    }

    /// The number that a query returns.
    ///
    /// # Panics
    /// If it fails.
    #[must_use]
    pub fn number(&mut self, query: &str) -> i64 {
        diesel::sql_query(format!("SELECT ({query})::bigint AS n"))
            .get_result::<Number>(&mut self.0)
            .unwrap_or_else(|error| panic!("{query}: {error}"))
            .n
    }
}
