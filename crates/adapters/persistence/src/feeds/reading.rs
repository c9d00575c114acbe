//! Reads the file of a feed, and says what it would do.

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Integer, Jsonb, Nullable, Text, Uuid as SqlUuid};
use domain::{FeedConsent, FeedCounts, FeedFinding, FeedKind, FeedState, Header};
use encoding_rs::WINDOWS_1252;
use ports::Ids;

use crate::feeds::job::{Job, Tools, progress};
use crate::feeds::records::{Broken, Records, delimiter};
use crate::feeds::spans::Spans;
use crate::feeds::staging::{FINDINGS_MAX, Staged, StagedRow};
use crate::schema::{feed_chunks, feeds};

/// What becomes of a feed once it is checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Ended {
    /// Somebody called it off.
    Cancelled,
    /// It cannot be read.
    Failed(String),
    /// It waits for somebody to have it applied.
    Checked,
    /// It is applied now.
    MayApply,
}

/// The file as it is read.
struct Reading<'a> {
    job: &'a Job,
    ids: &'a dyn Ids,
    header: Option<Header>,
    refused: Option<(u64, String)>,
    staged: Staged,
    spans: Spans<'a>,
    kept: usize,
    findings: u64,
    /// The line of the last row, if it has fewer cells than the header.
    short: Option<u64>,
    error: Option<diesel::result::Error>,
    decimal_comma: bool,
}

impl Reading<'_> {
    fn take(&mut self, line: u64, cells: &[&[u8]]) {
        if self.refused.is_some() || self.error.is_some() {
            return;
        }
        let utf8 = self.job.is_utf8;
        let texts: Vec<std::borrow::Cow<'_, str>> =
            cells
                .iter()
                .map(|cell| {
                    if utf8 { String::from_utf8_lossy(cell) } else { WINDOWS_1252.decode_without_bom_handling(cell).0 }
                })
                .collect();
        let texts: Vec<&str> = texts.iter().map(AsRef::as_ref).collect();
        let Some(header) = &self.header else {
            match Header::read(self.job.kind, texts.into_iter(), self.decimal_comma) {
                Ok(header) => self.header = Some(header),
                Err(why) => self.refused = Some((line, why.to_string())),
            }
            return;
        };
        if texts.iter().all(|cell| cell.trim().is_empty()) {
            return;
        }
        self.short = (texts.len() < header.width).then_some(line);
        let mut findings: Vec<FeedFinding> = Vec::new();
        let mut row = header.row(line, &texts, &mut findings);
        self.staged.fitments.extend(self.spans.stage(&mut row, &mut findings, &mut self.staged.spans));
        match StagedRow::of(row, self.ids.fresh()) {
            Ok(row) => self.staged.rows.push(row),
            Err(error) => self.error = Some(error),
        }
        self.findings += u64::try_from(findings.len()).unwrap_or_default();
        let room = FINDINGS_MAX.saturating_sub(self.kept);
        self.kept += findings.len().min(room);
        self.staged.problems.extend(findings.into_iter().take(room).map(Into::into));
    }

    fn copy(&mut self, connection: &mut PgConnection) -> QueryResult<()> {
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        std::mem::take(&mut self.staged).copy(connection)
    }
}

/// Checks a feed, and notes what it would do.
pub(crate) fn check(connection: &mut PgConnection, job: &Job, tools: Tools<'_>) -> QueryResult<Ended> {
    begin(connection, job)?;
    let findings = match read(connection, job, tools)? {
        Ok(Some(findings)) => findings,
        Ok(None) => return Ok(Ended::Cancelled),
        Err((line, why)) => return refuse(connection, job, line, &why),
    };
    connection.batch_execute(include_str!("merge/find.sql"))?;
    connection.batch_execute(match job.kind {
        FeedKind::Products | FeedKind::Stock => include_str!("merge/judge_products.sql"),
        FeedKind::Prices => include_str!("merge/judge_prices.sql"),
        FeedKind::Numbers => include_str!("merge/judge_numbers.sql"),
        FeedKind::Fitment => include_str!("merge/judge_fitment.sql"),
    })?;
    conclude(connection, job, findings)
}

fn begin(connection: &mut PgConnection, job: &Job) -> QueryResult<()> {
    connection.batch_execute(include_str!("merge/stage.sql"))?;
    diesel::sql_query(
        "INSERT INTO feed_job (feed_id, kind, mode, archive_percent, actor_id, actor_email) VALUES ($1, $2, $3, $4, $5, $6)",
    )
    .bind::<Integer, _>(job.id)
    .bind::<Text, _>(job.kind.as_str())
    .bind::<Text, _>(job.mode.as_str())
    .bind::<Integer, _>(i32::from(job.archive_percent))
    .bind::<Nullable<SqlUuid>, _>(job.actor.0)
    .bind::<Nullable<Text>, _>(&job.actor.1)
    .execute(connection)?;
    // One row, and not the thousands that Postgres expects of a table it knows nothing of.
    connection.batch_execute("ANALYZE pg_temp.feed_job")
}

/// A line of the file, and what is wrong with it.
type FileRefused = (u64, String);

/// Copies all rows. Returns how many findings were not kept, or `None` if somebody called the feed off.
fn read(connection: &mut PgConnection, job: &Job, tools: Tools<'_>) -> QueryResult<Result<Option<u64>, FileRefused>> {
    let mut reading = Reading {
        job,
        ids: tools.ids,
        header: None,
        refused: None,
        staged: Staged::default(),
        spans: Spans::new(tools.vehicles),
        kept: 0,
        findings: 0,
        short: None,
        error: None,
        decimal_comma: false,
    };
    let mut records: Option<Records> = None;
    let mut bytes = 0;
    for no in 0.. {
        let Some(piece) = piece(connection, job.id, no)? else { break };
        let records = records.get_or_insert_with(|| {
            let sign = delimiter(&piece);
            reading.decimal_comma = sign != b',';
            Records::new(sign)
        });
        // A part of the piece at a time, so that no more rows are held than are copied together.
        for part in piece.chunks(64 * 1_024) {
            if let Err((line, broken)) = records.read(part, &mut |line, cells| reading.take(line, cells)) {
                return Ok(Err((line, sentence(broken))));
            }
            if reading.staged.is_full() {
                reading.copy(connection)?;
            }
            if let Some(refused) = reading.refused.take() {
                return Ok(Err(refused));
            }
        }
        bytes += i64::try_from(piece.len()).unwrap_or_default();
        let hundredths = if job.state == FeedState::Applying { 0 } else { bytes * 80 / job.bytes.max(1) };
        if !progress(connection, job, hundredths)? {
            return Ok(Ok(None));
        }
    }
    let Some(mut records) = records else { return Ok(Err((1, "The file is empty.".to_owned()))) };
    let is_whole = records.ends_line();
    if let Err((line, broken)) = records.end(&mut |line, cells| reading.take(line, cells)) {
        return Ok(Err((line, sentence(broken))));
    }
    if let Some(refused) = reading.refused.take() {
        return Ok(Err(refused));
    }
    if let Some(line) = reading.short.filter(|_| !is_whole) {
        return Ok(Err((line, "The file ends in the middle of this row. Send all of it.".to_owned())));
    }
    if reading.header.is_none() {
        return Ok(Err((1, "The file is empty.".to_owned())));
    }
    reading.copy(connection)?;
    let kept = u64::try_from(reading.kept).unwrap_or_default();
    Ok(Ok(Some(reading.findings.saturating_sub(kept))))
}

fn sentence(broken: Broken) -> String {
    match broken {
        Broken::Unclosed => "A quotation mark in this row is never closed.",
        Broken::TooLarge => "This row is too long. Is a quotation mark never closed?",
    }
    .to_owned()
}

fn piece(connection: &mut PgConnection, feed: i32, no: i32) -> QueryResult<Option<Vec<u8>>> {
    feed_chunks::table.find((feed, no)).select(feed_chunks::body).first(connection).optional()
}

/// The whole file is refused, by one finding.
fn refuse(connection: &mut PgConnection, job: &Job, line: u64, why: &str) -> QueryResult<Ended> {
    let finding = FeedFinding { line, field: String::new(), reason: "file".to_owned(), message: why.to_owned() };
    connection.batch_execute("TRUNCATE feed_problems")?;
    Staged { problems: vec![finding.into()], ..Staged::default() }.copy(connection)?;
    connection.batch_execute(include_str!("merge/keep_findings.sql"))?;
    diesel::update(feeds::table.find(job.id)).set(feeds::finding_count.eq(1)).execute(connection)?;
    Ok(Ended::Failed(format!("Line {line}: {why}")))
}

#[derive(QueryableByName)]
struct Counted {
    #[diesel(sql_type = BigInt)]
    row_count: i64,
    #[diesel(sql_type = BigInt)]
    added: i64,
    #[diesel(sql_type = BigInt)]
    changed: i64,
    #[diesel(sql_type = BigInt)]
    same: i64,
    #[diesel(sql_type = BigInt)]
    refused: i64,
    #[diesel(sql_type = BigInt)]
    archived: i64,
    #[diesel(sql_type = BigInt)]
    findings: i64,
    #[diesel(sql_type = Bool)]
    archives_much: bool,
}

#[derive(QueryableByName)]
struct Changes {
    #[diesel(sql_type = Jsonb)]
    changes: serde_json::Value,
}

/// Notes what the feed would do. One that goes on after a crash has done a part of it, and was agreed to before.
fn conclude(connection: &mut PgConnection, job: &Job, not_kept: u64) -> QueryResult<Ended> {
    let has_begun =
        diesel::dsl::exists(crate::schema::feed_brands::table.filter(crate::schema::feed_brands::feed_id.eq(job.id)));
    if job.state == FeedState::Applying && diesel::select(has_begun).get_result(connection)? {
        return Ok(Ended::MayApply);
    }
    let counted: Counted = diesel::sql_query(include_str!("merge/counts.sql")).get_result(connection)?;
    let changes: Changes = diesel::sql_query(match job.kind {
        FeedKind::Products | FeedKind::Stock => include_str!("merge/changes_products.sql"),
        FeedKind::Prices => include_str!("merge/changes_prices.sql"),
        FeedKind::Numbers => include_str!("merge/changes_numbers.sql"),
        FeedKind::Fitment => include_str!("merge/changes_fitment.sql"),
    })
    .get_result(connection)?;
    let count = |number: i64| u64::try_from(number).unwrap_or_default();
    let counts =
        FeedCounts { refused: count(counted.refused), archived: count(counted.archived), ..FeedCounts::default() };
    let consent = FeedConsent { partial: job.partial, confirm_archived: job.confirm_archived.map(count) };
    let refused = counts.may_apply(counted.archives_much, consent).err();
    let waits = job.dry_run && job.state == FeedState::Reading || refused.is_some();
    // Somebody had it applied, and what they agreed to is not so any more.
    let is_stale = job.state == FeedState::Applying && refused.is_some();
    let state = if waits { FeedState::Checked } else { FeedState::Applying };
    let noted = connection.transaction(|connection| {
        connection.batch_execute(include_str!("merge/keep_findings.sql"))?;
        diesel::update(feeds::table.find(job.id))
            .filter(feeds::state.eq_any(["reading", "applying"]))
            .set((
                feeds::state.eq(state.as_str()),
                (
                    feeds::row_count.eq(counted.row_count),
                    feeds::added.eq(counted.added),
                    feeds::changed.eq(counted.changed),
                    feeds::same.eq(counted.same),
                    feeds::refused.eq(counted.refused),
                    feeds::archived.eq(counted.archived),
                ),
                feeds::archives_much.eq(counted.archives_much),
                feeds::finding_count.eq(counted.findings + i64::try_from(not_kept).unwrap_or_default()),
                feeds::changes.eq(changes.changes),
                feeds::progress.eq(if waits { 100 } else { 0 }),
                feeds::attempts.eq(i16::from(!waits)),
                feeds::error.eq(is_stale.then_some("The catalog changed since this was checked. Look at it again.")),
                feeds::changed_at.eq(diesel::dsl::now),
            ))
            .execute(connection)
    })?;
    Ok(match (noted, waits) {
        (0, _) => Ended::Cancelled,
        (_, true) => Ended::Checked,
        (_, false) => Ended::MayApply,
    })
}
