//! Steps up and down.

use std::time::Duration;

use diesel::prelude::*;
use diesel::sql_types::Text;
use diesel_migrations::MigrationHarness;
use persistence::Database;
use persistence::migrations::MIGRATIONS;
use testkit::TestDatabase;

use crate::world::at_once;

/// Everything that the steps make, in words: columns, constraints, indices, triggers, functions, views.
fn shape(connection: &mut PgConnection) -> Vec<String> {
    #[derive(QueryableByName)]
    struct Line {
        #[diesel(sql_type = Text)]
        line: String,
    }
    let lines: Vec<Line> = diesel::sql_query(
        "SELECT line FROM (
            SELECT format('column %s.%s %s %s %s', table_name, column_name, data_type, is_nullable, column_default) AS line
                FROM information_schema.columns WHERE table_schema = 'public'
            UNION ALL SELECT format('constraint %s %s', conname, pg_get_constraintdef(oid)) FROM pg_constraint
                WHERE connamespace = 'public'::regnamespace
            UNION ALL SELECT format('index %s', indexdef) FROM pg_indexes WHERE schemaname = 'public'
            UNION ALL SELECT format('trigger %s', pg_get_triggerdef(oid)) FROM pg_trigger WHERE NOT tgisinternal
            UNION ALL SELECT format('function %s', proname) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
            UNION ALL SELECT format('view %s %s', viewname, definition) FROM pg_views WHERE schemaname = 'public'
        ) AS lines WHERE line NOT LIKE '%__diesel_schema_migrations%' ORDER BY line",
    )
    .load(connection)
    .unwrap();
    lines.into_iter().map(|line| line.line).collect()
}

#[test]
fn every_step_goes_down_and_up_again_and_leaves_nothing_behind() {
    let database = TestDatabase::empty();
    let mut connection = PgConnection::establish(database.url()).unwrap();
    let steps = connection.run_pending_migrations(MIGRATIONS).unwrap().len();
    let up = shape(&mut connection);
    assert!(up.len() > 100, "a shape of {} lines tells little", up.len());

    connection.revert_all_migrations(MIGRATIONS).unwrap();
    assert_eq!(shape(&mut connection), Vec::<String>::new());
    connection.run_pending_migrations(MIGRATIONS).unwrap();
    assert_eq!(shape(&mut connection), up);

    // One at a time too: no step's way down leans on a later one.
    for _ in 0..steps {
        connection.revert_last_migration(MIGRATIONS).unwrap();
        connection.run_next_migration(MIGRATIONS).unwrap();
        connection.revert_last_migration(MIGRATIONS).unwrap();
    }
    assert_eq!(shape(&mut connection), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn several_copies_that_start_at_once_take_every_step_once() {
    let database = TestDatabase::empty();
    let taken = at_once(6, |_| {
        let url = database.url().to_owned();
        async move { persistence::migrations::run(&url).await.unwrap().len() }
    })
    .await;
    let shares: Vec<_> = taken.iter().filter(|steps| **steps > 0).collect();
    assert_eq!(shares.len(), 1, "{taken:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_is_ready_once_no_step_is_pending() {
    let test = TestDatabase::empty();
    let database = Database::connect(test.url(), 2, Duration::from_secs(10)).await.unwrap();
    let pending = database.pending().await.unwrap();
    assert!(!pending.is_empty());
    // Asking changed nothing.
    assert_eq!(shape(&mut PgConnection::establish(test.url()).unwrap()), Vec::<String>::new());
    assert_eq!(database.migrate().await.unwrap().len(), pending.len());
    assert_eq!(database.pending().await.unwrap(), Vec::<String>::new());
    assert_eq!(database.migrate().await.unwrap(), Vec::<String>::new());
}
