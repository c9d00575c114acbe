//! What must be true of the shop's tables at any moment between two transactions.

mod sentences;

use diesel::prelude::*;
use diesel::sql_types::Text;

use self::sentences::INVARIANTS;

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = Text)]
    broken: String,
}

/// What [`invariants`] checks, a sentence each.
pub fn invariant_sentences() -> impl Iterator<Item = &'static str> {
    INVARIANTS.into_iter().map(|(sentence, _)| sentence)
}

/// The violated invariants of the database at a `postgres://` URL: one sentence per case, none if all hold.
///
/// # Panics
/// If the database does not answer.
#[must_use]
pub fn invariants(url: &str) -> Vec<String> {
    invariants_on(&mut PgConnection::establish(url).expect("a database that answers"))
}

/// The same as a connection sees it, in its transaction if it has begun one.
///
/// # Panics
/// If the database does not answer.
#[must_use]
pub fn invariants_on(connection: &mut PgConnection) -> Vec<String> {
    let mut violated = Vec::new();
    for (sentence, query) in INVARIANTS {
        let rows: Vec<Row> =
            diesel::sql_query(query).load(connection).unwrap_or_else(|error| panic!("{sentence}: {error}"));
        violated.extend(rows.into_iter().map(|row| format!("{sentence}; but {}", row.broken)));
    }
    violated
}
