//! Migrations, up and down.

use std::time::{Duration, Instant};

use diesel::connection::SimpleConnection;
use diesel::migration::MigrationSource;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::Text;
use diesel_migrations::{FileBasedMigrations, MigrationHarness};
use persistence::Database;
use persistence::migrations::{self, MIGRATIONS};
use ports::StoreError;
use testkit::TestDatabase;

use crate::world::{World, concurrently};

/// Everything that the migrations create, as text: columns, constraints, indexes, triggers, functions, views.
fn schema(connection: &mut PgConnection) -> Vec<String> {
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
fn every_migration_reverts_and_reapplies_and_leaves_nothing_behind() {
    let database = TestDatabase::empty();
    let mut connection = PgConnection::establish(database.url()).unwrap();
    let steps = connection.run_pending_migrations(MIGRATIONS).unwrap().len();
    let up = schema(&mut connection);
    assert!(up.len() > 100, "a schema of {} lines proves little", up.len());

    connection.revert_all_migrations(MIGRATIONS).unwrap();
    assert_eq!(schema(&mut connection), Vec::<String>::new());
    connection.run_pending_migrations(MIGRATIONS).unwrap();
    assert_eq!(schema(&mut connection), up);

    // Also one at a time: no down migration depends on a later migration.
    for _ in 0..steps {
        connection.revert_last_migration(MIGRATIONS).unwrap();
        connection.run_next_migration(MIGRATIONS).unwrap();
        connection.revert_last_migration(MIGRATIONS).unwrap();
    }
    assert_eq!(schema(&mut connection), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrently_started_instances_apply_every_migration_once() {
    let database = TestDatabase::empty();
    let applied = concurrently(6, |_| {
        let url = database.url().to_owned();
        async move { persistence::migrations::run(&url).await.unwrap().len() }
    })
    .await;
    let steps = MigrationSource::<Pg>::migrations(&MIGRATIONS).unwrap().len();
    assert_eq!(applied.iter().sum::<usize>(), steps, "{applied:?}");
    let mut connection = PgConnection::establish(database.url()).unwrap();
    let left: i64 = diesel::select(diesel::dsl::sql::<diesel::sql_types::BigInt>(
        "(SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))",
    ))
    .get_result(&mut connection)
    .unwrap();
    assert_eq!(left, 0, "a lock was left behind");
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_may_make_nothing_finds_an_up_to_date_database_up_to_date() {
    let database = TestDatabase::empty();
    migrations::run(database.url()).await.unwrap();
    let mut connection = PgConnection::establish(database.url()).unwrap();
    // Roles are the whole server's.
    let name = database.url().rsplit('/').next().and_then(|name| name.split('?').next()).unwrap();
    let role = format!("reader_of_{name}");
    connection
        .batch_execute(&format!(
            "REVOKE CREATE ON SCHEMA public FROM PUBLIC; CREATE ROLE {role}; GRANT USAGE ON SCHEMA public TO {role};
            GRANT SELECT ON ALL TABLES IN SCHEMA public TO {role}"
        ))
        .unwrap();
    let separator = if database.url().contains('?') { '&' } else { '?' };
    let as_reader = format!("{}{separator}options=-c%20role%3D{role}", database.url());
    // Nor does it wait for somebody else who migrates.
    let held = database.hold(&format!("SELECT pg_advisory_xact_lock({})", 0x6472_6976_656c_696e_i64));
    assert_eq!(migrations::run(&as_reader).await.unwrap(), Vec::<String>::new());
    drop(held);
    connection.batch_execute(&format!("DROP OWNED BY {role}; DROP ROLE {role}")).unwrap();
}

/// Migrations of a test, on top of the application's.
fn steps(written: &[(&str, &str, &str)]) -> (tempfile::TempDir, FileBasedMigrations) {
    let folder = tempfile::tempdir().unwrap();
    for (name, up, metadata) in written {
        let step = folder.path().join(name);
        std::fs::create_dir(&step).unwrap();
        std::fs::write(step.join("up.sql"), up).unwrap();
        std::fs::write(step.join("down.sql"), "SELECT 1").unwrap();
        if !metadata.is_empty() {
            std::fs::write(step.join("metadata.toml"), metadata).unwrap();
        }
    }
    let steps = FileBasedMigrations::from_path(folder.path()).unwrap();
    (folder, steps)
}

#[tokio::test(flavor = "multi_thread")]
async fn orders_succeed_while_a_migration_waits_for_a_long_reader() {
    let world = World::fresh().await;
    let customer = world.customer("customer@example.com").await;
    let product = world.product(100_000).await;
    let mut reader = world.raw();
    // As a backup does: it reads and keeps its locks.
    reader.batch_execute("BEGIN; SELECT count(*) FROM orders").unwrap();
    let (folder, steps) = steps(&[("9001_a_column", "ALTER TABLE orders ADD COLUMN tried text", "")]);
    let url = world.url().to_owned();
    let migrating = tokio::spawn(async move { migrations::run_from(&url, steps, Duration::from_mins(1)).await });
    let started = Instant::now();
    let mut slowest = Duration::ZERO;
    let mut placed = 0;
    while started.elapsed() < Duration::from_secs(6) {
        let one = Instant::now();
        world.place(&customer, &product, 50).await.unwrap();
        slowest = slowest.max(one.elapsed());
        placed += 1;
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(!migrating.is_finished(), "the migration had nothing to wait for");
    assert!(slowest < Duration::from_secs(2), "an order waited {slowest:?} behind the migration");
    assert!(placed > 20, "{placed} orders");
    reader.batch_execute("ROLLBACK").unwrap();
    assert_eq!(migrating.await.unwrap().unwrap(), ["9001_a_column"]);
    drop(folder);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_migration_that_cannot_get_its_lock_gives_up_and_changes_nothing() {
    let world = World::fresh().await;
    let before = schema(&mut world.raw());
    let mut reader = world.raw();
    reader.batch_execute("BEGIN; SELECT count(*) FROM orders").unwrap();
    let (folder, steps) = steps(&[("9001_a_column", "ALTER TABLE orders ADD COLUMN tried text", "")]);
    let given_up = migrations::run_from(world.url(), steps, Duration::from_secs(2)).await;
    let Err(StoreError::Unavailable(cause)) = given_up else { panic!("{given_up:?}") };
    assert!(cause.to_string().contains("is in use"), "{cause}");
    reader.batch_execute("ROLLBACK").unwrap();
    assert_eq!(schema(&mut world.raw()), before);
    drop(folder);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_index_is_built_while_orders_succeed_and_once_for_all_instances() {
    let world = World::fresh().await;
    // Left behind by an instance that was killed while building the index.
    world.sql("CREATE INDEX orders_tried ON orders (total_cents)");
    world.sql("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'orders_tried'::regclass");
    let applied = concurrently(3, |_| {
        let url = world.url().to_owned();
        async move {
            let (_folder, steps) = steps(&[(
                "9001_an_index",
                "CREATE INDEX CONCURRENTLY orders_tried ON orders (total_cents)",
                "run_in_transaction = false",
            )]);
            migrations::run_from(&url, steps, Duration::from_secs(30)).await.unwrap().len()
        }
    })
    .await;
    assert_eq!(applied.iter().sum::<usize>(), 1, "{applied:?}");
    assert_eq!(
        world.count("SELECT count(*) FROM pg_index WHERE indexrelid = 'orders_tried'::regclass AND indisvalid"),
        1
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_is_ready_once_no_migration_is_pending() {
    let test = TestDatabase::empty();
    let database = Database::connect(test.url(), 2, Duration::from_secs(10)).await.unwrap();
    let pending = database.pending().await.unwrap();
    assert!(!pending.is_empty());
    // The check changed nothing.
    assert_eq!(schema(&mut PgConnection::establish(test.url()).unwrap()), Vec::<String>::new());
    assert_eq!(database.migrate().await.unwrap().len(), pending.len());
    assert_eq!(database.pending().await.unwrap(), Vec::<String>::new());
    assert_eq!(database.migrate().await.unwrap(), Vec::<String>::new());
}
