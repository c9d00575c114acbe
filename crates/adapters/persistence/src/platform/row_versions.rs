//! The state of a whole table, without reading what stands in it.

use diesel::prelude::*;
use diesel::sql_types::Text;

#[derive(QueryableByName)]
struct State {
    #[diesel(sql_type = Text)]
    state: String,
}

/// A text that changes with every row that is added, changed or taken away. Each row counts by its id and by the transaction
/// that wrote it last (`xmin`), so that an update which leaves nothing changed is a change, too; a sum does not depend on the
/// order in which rows are met, and holds none of them.
pub(crate) fn state_of(connection: &mut PgConnection, table: &'static str) -> QueryResult<String> {
    let state: State = diesel::sql_query(format!(
        "SELECT concat(count(*), ':', coalesce(sum(hashtextextended(id::text || xmin::text, 0)), 0)) AS state FROM {table}"
    ))
    .get_result(connection)?;
    Ok(state.state)
}
