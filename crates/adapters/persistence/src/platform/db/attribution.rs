//! On whose behalf the tasks of this process change something, as the database's triggers read it.
//!
//! A task's attribution reaches its own calls of [`Database::run`](super::Database::run) and its like, and no other task: calls that
//! share a transaction run in a task of their own, which has none.

use std::sync::Arc;

use diesel::prelude::*;
use diesel::sql_types::Text;

use crate::platform::sql_file::sql_file;

tokio::task_local! {
    static ATTRIBUTION: Arc<str>;
}

/// Runs `work` with an attribution.
pub(crate) fn attributing<W: Future>(attribution: Arc<str>, work: W) -> impl Future<Output = W::Output> {
    ATTRIBUTION.scope(attribution, work)
}

/// The attribution of the task that runs.
pub(super) fn current() -> Option<Arc<str>> {
    ATTRIBUTION.try_with(Arc::clone).ok()
}

/// Does `work` in one transaction, which has the attribution: also what would otherwise be statements on their own. The work's own
/// transactions are savepoints in it. If it has met an error that it expected, Postgres rolls back what is committed here, and there
/// was nothing to commit.
pub(super) fn attributed<T>(
    connection: &mut PgConnection,
    attribution: &str,
    work: impl FnOnce(&mut PgConnection) -> QueryResult<T>,
) -> QueryResult<T> {
    connection.transaction(|connection| {
        sql_file!("attribute.sql", { attribution: Text = attribution }).execute(connection)?;
        work(connection)
    })
}
