//! `schema.rs` names the tables and columns that the migrations make.

use std::collections::BTreeMap;

use diesel::prelude::*;
use diesel::sql_types::{Bool, Text};

use crate::world::World;

/// Each table's columns in their order, as `schema.rs` writes them. The first line is the table with its primary key.
type Tables = BTreeMap<String, Vec<String>>;

#[derive(QueryableByName)]
struct Column {
    #[diesel(sql_type = Text)]
    table: String,
    #[diesel(sql_type = Text)]
    key: String,
    #[diesel(sql_type = Text)]
    name: String,
    /// Postgres' own name of the type; that of an array begins with `_`.
    #[diesel(sql_type = Text)]
    of: String,
    #[diesel(sql_type = Bool)]
    nullable: bool,
}

fn as_diesel_calls(of: &str) -> String {
    if let Some(element) = of.strip_prefix('_') {
        // An element of an array may always be NULL.
        return format!("Array<Nullable<{}>>", as_diesel_calls(element));
    }
    let mut chars = of.chars();
    chars.next().map_or_else(String::new, |first| format!("{}{}", first.to_uppercase(), chars.as_str()))
}

fn made_by_the_migrations(connection: &mut PgConnection) -> Tables {
    let columns: Vec<Column> = diesel::sql_query(
        "SELECT relname::text AS table, attname::text AS name, typname::text AS of, NOT attnotnull AS nullable,
            coalesce((SELECT string_agg(k.attname, ', ' ORDER BY place)
                FROM pg_constraint, unnest(conkey) WITH ORDINALITY AS key (number, place)
                JOIN pg_attribute AS k ON k.attrelid = pg_class.oid AND k.attnum = number
                WHERE conrelid = pg_class.oid AND contype = 'p'), '') AS key
        FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid JOIN pg_type ON pg_type.oid = atttypid
        WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND attnum > 0 AND NOT attisdropped
            AND relname <> '__diesel_schema_migrations'
        ORDER BY relname, attnum",
    )
    .load(connection)
    .unwrap();
    let mut tables = Tables::new();
    for Column { table, key, name, of, nullable } in columns {
        let of = as_diesel_calls(&of);
        let of = if nullable { format!("Nullable<{of}>") } else { of };
        let head = format!("{table} ({key}) {{");
        tables.entry(table).or_insert_with(|| vec![head]).push(format!("{name} -> {of},"));
    }
    tables
}

fn written_down() -> Tables {
    let mut tables = Tables::new();
    let mut lines = include_str!("../../src/schema.rs").lines().map(str::trim);
    while lines.any(|line| line == "diesel::table! {") {
        let table: Vec<String> = lines.by_ref().take_while(|line| *line != "}").map(str::to_owned).collect();
        let name = table[0].split(' ').next().unwrap().to_owned();
        tables.insert(name, table);
    }
    tables
}

#[tokio::test(flavor = "multi_thread")]
async fn schema_rs_is_what_the_migrations_make() {
    let world = World::fresh().await;
    let made = made_by_the_migrations(&mut world.raw());
    assert!(made.len() > 20, "a schema of {} tables proves little", made.len());
    assert_eq!(written_down(), made, "run make schema");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_schema_rs_that_is_out_of_date_is_noticed() {
    for change in [
        "ALTER TABLE products ADD COLUMN shelf_mark integer",
        "ALTER TABLE profiles ALTER COLUMN saved_at DROP NOT NULL",
        "ALTER TABLE reviews ALTER COLUMN rating TYPE bigint",
        "ALTER TABLE profiles DROP COLUMN lives_in",
        "ALTER TABLE newsletter DROP CONSTRAINT newsletter_pkey",
        "CREATE TABLE new_table (id integer PRIMARY KEY)",
    ] {
        let world = World::fresh().await;
        world.sql(change);
        assert_ne!(written_down(), made_by_the_migrations(&mut world.raw()), "{change}");
    }
}

/// The sample that Postgres analyzes is as large as the column with the largest target asks for.
#[tokio::test(flavor = "multi_thread")]
async fn tables_that_grow_with_each_order_are_cheap_to_analyze() {
    let world = World::fresh().await;
    let dear = "SELECT count(*) FROM pg_attribute
        WHERE attrelid IN ('orders'::regclass, 'order_events'::regclass, 'outbox'::regclass, 'stock_ledger'::regclass)
            AND attnum > 0 AND NOT attisdropped AND attstattarget <> 20";
    assert_eq!(world.count(dear), 0);
    let expressions = "SELECT count(*) FROM pg_index
        WHERE indrelid IN ('orders'::regclass, 'order_events'::regclass, 'outbox'::regclass, 'stock_ledger'::regclass)
            AND indexprs IS NOT NULL";
    assert_eq!(world.count(expressions), 0, "an index on an expression has a target of its own");
}
