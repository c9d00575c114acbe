//! A fingerprint of a whole table's state.

use diesel::prelude::*;
use diesel::sql_types::Text;

#[derive(QueryableByName)]
struct State {
    #[diesel(sql_type = Text)]
    state: String,
}

/// A text that changes with every row that is inserted, updated or deleted. Each row contributes its id and the
/// transaction that wrote it last (`xmin`), so an update that changes no value counts too. A sum does not depend on the
/// order of the rows, and needs no memory per row.
pub(crate) fn state_of(connection: &mut PgConnection, table: &'static str) -> QueryResult<String> {
    let state: State = diesel::sql_query(format!(
        "SELECT concat(count(*), ':', coalesce(sum(hashtextextended(id::text || xmin::text, 0)), 0)) AS state FROM {table}"
    ))
    .get_result(connection)?;
    Ok(state.state)
}
