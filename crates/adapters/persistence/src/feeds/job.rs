//! A feed that is worked on.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Integer};
use domain::{FeedKind, FeedMode, FeedState};
use ports::{Ids, VehicleNames};
use uuid::Uuid;

/// What a worker needs beside the database.
#[derive(Clone, Copy)]
pub(crate) struct Tools<'a> {
    pub(crate) ids: &'a dyn Ids,
    pub(crate) vehicles: &'a dyn VehicleNames,
}

/// A feed that is worked on.
#[derive(Debug, Clone)]
pub(crate) struct Job {
    pub(crate) id: i32,
    pub(crate) kind: FeedKind,
    pub(crate) mode: FeedMode,
    pub(crate) state: FeedState,
    pub(crate) dry_run: bool,
    pub(crate) partial: bool,
    pub(crate) confirm_archived: Option<i64>,
    pub(crate) bytes: i64,
    pub(crate) is_utf8: bool,
    pub(crate) actor: (Option<Uuid>, Option<String>),
    pub(crate) archive_percent: u8,
}

/// Notes how far a step has come; `false` if the feed was called off.
pub(crate) fn progress(connection: &mut PgConnection, job: &Job, hundredths: i64) -> QueryResult<bool> {
    let noted = diesel::sql_query(
        "UPDATE feeds SET progress = least(greatest($2, 0), 100)::smallint, changed_at = now()
        WHERE id = $1 AND state IN ('reading', 'applying')",
    )
    .bind::<Integer, _>(job.id)
    .bind::<BigInt, _>(hundredths)
    .execute(connection)?;
    Ok(noted > 0)
}
