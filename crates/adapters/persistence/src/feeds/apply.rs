//! Applies a feed that is checked: each brand in a transaction of its own.

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::result::Error;
use diesel::sql_types::{Integer, Text, Uuid as SqlUuid};
use domain::FeedKind;
use domain::catalog::part_number::MOST_STEPS;
use uuid::Uuid;

use crate::feeds::job::{Job, progress};
use crate::platform::sql_file::sql_file;
use crate::schema::feed_brands;

#[derive(QueryableByName)]
struct Group {
    #[diesel(sql_type = Text)]
    group_key: String,
}

/// Applies the rows of every brand that is not applied yet.
pub(crate) fn apply(connection: &mut PgConnection, job: &Job) -> QueryResult<()> {
    let groups: Vec<Group> = diesel::sql_query(
        "SELECT group_key FROM (
            SELECT group_key FROM feed_found WHERE outcome IN ('added', 'changed') UNION SELECT group_key FROM feed_gone
        ) AS brands
        WHERE NOT EXISTS (SELECT FROM feed_brands WHERE feed_id = $1 AND brand_key = group_key)
        ORDER BY group_key",
    )
    .bind::<Integer, _>(job.id)
    .load(connection)?;
    connection.batch_execute("CREATE INDEX ON pg_temp.feed_gone (group_key); ANALYZE pg_temp.feed_gone")?;
    let many = i64::try_from(groups.len()).unwrap_or(i64::MAX);
    for (done, Group { group_key }) in (0_i64..).zip(groups) {
        diesel::sql_query("UPDATE feed_job SET group_key = $1").bind::<Text, _>(&group_key).execute(connection)?;
        if done == 0 {
            // Of the rows of one brand, or those of all are read for each.
            connection.batch_execute("ANALYZE pg_temp.feed_job")?;
        }
        connection.transaction(|connection| {
            // First, so that a second worker would fail here and not after its work.
            diesel::insert_into(feed_brands::table)
                .values((feed_brands::feed_id.eq(job.id), feed_brands::brand_key.eq(&group_key)))
                .execute(connection)?;
            match job.kind {
                FeedKind::Products | FeedKind::Stock => {
                    connection.batch_execute(include_str!("merge/apply_products.sql"))
                }
                FeedKind::Prices => connection.batch_execute(include_str!("merge/apply_prices.sql")),
                FeedKind::Numbers => {
                    connection.batch_execute(include_str!("merge/apply_numbers.sql"))?;
                    chains_are_short(connection)
                }
                FeedKind::Fitment => connection.batch_execute(include_str!("merge/apply_fitment.sql")),
            }
        })?;
        progress(connection, job, (done + 1) * 100 / many)?;
    }
    Ok(())
}

/// Numbers that a feed supersedes cannot be.
#[derive(Debug, thiserror::Error)]
#[error("Parts would replace one another in a circle, or in more than eight steps. Nothing of that brand was changed.")]
pub(crate) struct TooManySteps;

#[derive(QueryableByName)]
struct Replacing {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
}

/// No product may come to replace others in a circle, or in too many steps.
fn chains_are_short(connection: &mut PgConnection) -> QueryResult<()> {
    let replacing: Vec<Replacing> = diesel::sql_query(
        "SELECT DISTINCT product.id FROM feed_found AS row JOIN feed_job USING (group_key)
        JOIN products AS product ON product.no = row.product_no
        WHERE row.outcome = 'added' AND row.number_kind = 5",
    )
    .load(connection)?;
    for Replacing { id } in replacing {
        let steps: i32 =
            sql_file!("../catalog/longest_chain.sql" => Integer, { id: SqlUuid = id }).get_result(connection)?;
        if steps > i32::from(MOST_STEPS) {
            return Err(Error::QueryBuilderError(Box::new(TooManySteps)));
        }
    }
    Ok(())
}
