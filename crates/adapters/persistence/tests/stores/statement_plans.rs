//! Query plans of the statements in `.sql` files, on the database of a shop after some years.

use std::fs;
use std::path::Path;

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::Text;

use crate::world::World;

/// A value for each parameter, by its name: `name type value`. The same name means the same in every file.
const VALUES: &str = "
    account uuid '00000007-268d-27e4-fcf2-14ba69be43a2'
    account_limit int8 10
    actor_email text 'a7@example.com'
    actor_emails text[] '{a7@example.com}'
    actor_id uuid '00000007-268d-27e4-fcf2-14ba69be43a2'
    actor_ids uuid[] '{00000007-268d-27e4-fcf2-14ba69be43a2}'
    added_by uuid '00000007-268d-27e4-fcf2-14ba69be43a2'
    ahead_micros int8 60000000
    after uuid '00000000-0000-0000-0000-000000000000'
    archived bool false
    are_above_card_max bool[] '{false}'
    are_claimed bool[] '{false}'
    are_judged bool false
    are_limited bool[] '{true}'
    are_visitors bool[] '{false}'
    at timestamptz now()
    before_time timestamptz now()
    block_size int4 50000
    attribution text '{}'
    bounds timestamptz[] ARRAY[now()-interval'30d',now()-interval'7d']
    beyond_limit int8 3
    brand_keys text[] '{bosch}'
    branded_keys text[] '{DL77}'
    branded_places int4[] '{0}'
    caller uuid '00000007-268d-27e4-fcf2-14ba69be43a2'
    callers uuid[] '{00000007-268d-27e4-fcf2-14ba69be43a2}'
    cancelled_at timestamptz NULL
    cancelled_at_before timestamptz NULL
    card_max_cents int8 99999999
    categories text[] '{BRAKES}'
    category text 'BRAKES'
    checkout_id uuid '00000007-f5bf-48aa-4034-3ee3e8d8fd97'
    client text '192.0.2.1'
    condition_ids int4[] '{0,0}'
    contact_address text 'B'
    contact_addresses text[] '{B}'
    contact_email text 'a7@example.com'
    contact_emails text[] '{a7@example.com}'
    contact_name text 'A'
    contact_names text[] '{A}'
    contact_phone text '1'
    contact_phones text[] '{1}'
    created_at timestamptz now()
    created_before timestamptz now()-interval'30d'
    customer uuid '00000007-268d-27e4-fcf2-14ba69be43a2'
    customers uuid[] '{00000007-268d-27e4-fcf2-14ba69be43a2}'
    day_start timestamptz now()-interval'1d'
    delta int4 1
    details text 'A'
    details_of text[] '{A}'
    device bytea '\\x00112233445566778899aabbccddeeff'
    device_limit int8 10
    email text 'a7@example.com'
    enables bool true
    engine_ids int4[] '{0,0}'
    event uuid gen_random_uuid()
    event_at timestamptz now()
    event_data jsonb '{}'
    event_kind text 'paid'
    events uuid[] '{00000007-77b0-a9d8-ff45-5d8a8c9b9a67}'
    events_at timestamptz[] ARRAY[now()]
    events_data jsonb[] ARRAY['{}'::jsonb]
    expires_at timestamptz now()
    facebook text NULL
    first_day date current_date-30
    first_day_before date current_date-60
    fold_to int8 59900
    folded_to int8 59700
    from_address text '2001:db8:7::/64'
    from_time timestamptz now()-interval'7d'
    fulfilment text 'pending'
    fulfilment_before text 'pending'
    github text NULL
    gives_up_after_ms int8 1000
    holder uuid gen_random_uuid()
    holders uuid[] ARRAY[gen_random_uuid()]
    id uuid '00000007-77b0-a9d8-ff45-5d8a8c9b9a66'
    idempotency_key bytea sha256('key')
    idempotency_keys bytea[] ARRAY[sha256('key')]
    ids uuid[] '{00000007-77b0-a9d8-ff45-5d8a8c9b9a68}'
    img text '/p.jpg'
    imgs text[] '{/p.jpg}'
    interval_micros int8 1000000
    is_above_card_max bool false
    is_visitor bool false
    key bytea sha256('key')
    kind text 'export'
    keys bytea[] ARRAY[sha256('key')]
    last_day date current_date
    lease_ms int8 60000
    leases_ms int8[] '{60000}'
    limit int8 50
    limited text 'emails'
    linkedin text NULL
    list_price_cents int8 500
    list_prices_cents int8[] '{500}'
    lives_in text 'Graz'
    max_cents int8 99999999999999
    max_seconds float8 3600
    max_wait_seconds float8 3600
    min_seconds float8 5
    network_limit int8 10
    new_account_ttl_seconds float8 3600
    new_account_ttls_seconds float8[] '{3600}'
    note text NULL
    opened_at timestamptz now()
    opens_after int4 5
    orders_folded_to int8 59700
    overdue_seconds float8 3600
    paid_at timestamptz now()
    paid_at_before timestamptz NULL
    part_keys text[] '{DL77}'
    order_id uuid '00000007-f5bf-48aa-4034-3ee3e8d8fd97'
    part_number text NULL
    part_numbers text[] '{NULL}'
    part_type_ids int4[] '{0,0}'
    password_hash text 'hash'
    payment_state text 'paid'
    payment_state_before text 'unpaid'
    per_vehicles int2[] '{1,1}'
    phone text NULL
    placed_at timestamptz now()
    placed_folded_to int8 59700
    places int4[] '{0}'
    positions int2[] '{0,0}'
    price_epoch int8 1
    price_epochs int8[] '{1}'
    probe_every_ms int8 60000
    product uuid '00000007-f5bf-48aa-4034-3ee3e8d8fd97'
    product_name text 'Part'
    product_no int4 77
    product_names text[] '{Part}'
    product_nos int4[] '{17,18}'
    products uuid[] '{00000007-f5bf-48aa-4034-3ee3e8d8fd97}'
    quantities int4[] '{50}'
    quantity int4 50
    reason text 'found'
    refunded_at timestamptz NULL
    refunded_at_before timestamptz NULL
    request_fingerprint bytea sha256('request')
    request_fingerprints bytea[] ARRAY[sha256('request')]
    responses bytea[] ARRAY['sealed'::bytea]
    returned uuid gen_random_uuid()
    returns_units bool true
    revenue_folded_to int8 29700
    role text 'customer'
    rollup text 'orders'
    sales_folded_to int8 29700
    saved_at timestamptz now()
    search_key text 'a'
    search_keys text[] '{a}'
    secret bytea 'sealed'
    secret_hash bytea sha256('secret')
    sent_before timestamptz now()-interval'30d'
    seq int8 19000
    sets_facebook bool false
    sets_github bool false
    sets_linkedin bool false
    sets_lives_in bool true
    sets_phone bool false
    sets_study_in bool false
    share float8 4
    shipped_at timestamptz NULL
    shipped_at_before timestamptz NULL
    source int4 1
    study_in text NULL
    subscription uuid '00000007-9fe4-4f4a-0b7d-2a9e3b0b1c5d'
    target text NULL
    times_placed timestamptz[] ARRAY[now()]
    topic text 'account.reset'
    topics text[] '{account.reset,order.paid}'
    total_cents int8 5000
    totals_cents int8[] '{5000}'
    transaction_id text 'pi-new'
    transaction_id_before text NULL
    ttl_seconds float8 86400
    ttls_seconds float8[] '{3600}'
    unit_price_cents int8 507
    unit_prices_cents int8[] '{507}'
    units int4 50
    unpaid_limit int8 20
    url text 'https://erp.example.com'
    usual_ttl_seconds float8 86400
    vehicle int4 77
    vehicles int4[] '{77,78}'
    wait_seconds float8 5
    watch_seconds float8 86400
    window_start timestamptz now()-interval'1h'
    xact int8 900
";

/// Tables of a few rows, however old and large the shop is: changes are those of the last
/// seconds, and totals and rollups have a row for each role, each state and each kind; sources of fitments are a list each.
const SMALL: [&str; 11] = [
    "price_epoch",
    "webhook_endpoints",
    "catalogue_followers",
    "catalogue_lease",
    "account_changes",
    "order_changes",
    "account_totals",
    "order_totals",
    "rollups",
    "fitment_sources",
    "sales_rollups",
];

/// Every `.sql` file of the crate, by its path in `src`.
fn files() -> Vec<(String, String)> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    for subject in fs::read_dir(&src).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()) {
        for path in fs::read_dir(subject).unwrap().map(|entry| entry.unwrap().path()) {
            if path.extension().is_some_and(|extension| extension == "sql") {
                let name = path.strip_prefix(&src).unwrap().to_string_lossy().into_owned();
                found.push((name, fs::read_to_string(path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

/// A file's text with numbers for its parameters, and of each its type and its value.
fn numbered(text: &str) -> (String, Vec<&'static str>, Vec<&'static str>) {
    let code = |line: &str| line.split_once("--").map_or(line, |(code, _)| code).to_owned();
    let mut text = text.lines().map(code).collect::<Vec<_>>().join("\n");
    let mut values: Vec<Vec<&str>> = VALUES.trim().lines().map(|line| line.trim().splitn(3, ' ').collect()).collect();
    // The longer name first: `:event_kind` is not `:event` and a rest.
    values.sort_by_key(|value| std::cmp::Reverse(value[0].len()));
    let (mut types, mut given) = (Vec::new(), Vec::new());
    for value in &values {
        let name = format!(":{}", value[0]);
        if text.replace("::", "").contains(&name) {
            types.push(value[1]);
            given.push(value[2]);
            text = text.replace(&name, &format!("${}", types.len()));
        }
    }
    (text, types, given)
}

/// The plans that a connection gets for a file's statement, one after the other: from the sixth run on, Postgres may take
/// one plan for all values.
fn plans(connection: &mut PgConnection, text: &str) -> Vec<String> {
    let (text, types, values) = numbered(text);
    let list = |items: &[&str]| if items.is_empty() { String::new() } else { format!("({})", items.join(", ")) };
    let prepare = format!("DEALLOCATE ALL; PREPARE it {} AS {}", list(&types), text.trim().trim_end_matches(';'));
    connection.batch_execute(&prepare).unwrap_or_else(|error| panic!("{prepare}: {error}"));
    let explain = format!("EXPLAIN (COSTS OFF) EXECUTE it {}", list(&values));
    let plan = |_| plan(connection, &explain).unwrap_or_else(|error| panic!("{explain}: {error}"));
    (0..7).map(plan).collect()
}

/// The lines of EXPLAIN are not rows that Diesel reads; those of a function are.
const PLAN: &str = "CREATE FUNCTION pg_temp.plan(explain text) RETURNS SETOF text LANGUAGE plpgsql
    AS $$ BEGIN RETURN QUERY EXECUTE explain; END $$";

#[derive(QueryableByName)]
struct Plan {
    #[diesel(sql_type = Text)]
    lines: String,
}

fn plan(connection: &mut PgConnection, explain: &str) -> QueryResult<String> {
    let plan: Plan = diesel::sql_query("SELECT string_agg(line, chr(10)) AS lines FROM pg_temp.plan($1) AS line")
        .bind::<Text, _>(explain)
        .get_result(connection)?;
    Ok(plan.lines)
}

/// The growing tables that a plan reads from beginning to end.
fn scanned(plan: &str) -> Vec<&str> {
    plan.lines()
        .filter_map(|line| line.split_once("Seq Scan on ")?.1.split(' ').next())
        .filter(|table| !SMALL.contains(table))
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn no_statement_reads_a_whole_table_that_grows() {
    let world = World::with_pool(1).await;
    let mut connection = PgConnection::establish(world.url()).unwrap();
    connection.batch_execute(include_str!("filled_shop.sql")).unwrap();
    connection.batch_execute(PLAN).unwrap();

    let files = files();
    assert!(files.len() > 30, "the files are somewhere else");
    let mut wrong = Vec::new();
    for (file, text) in &files {
        let plans = plans(&mut connection, text);
        let scans = plans.iter().find(|plan| !scanned(plan).is_empty());
        wrong.extend(scans.map(|plan| format!("{file} reads all of {}:\n{plan}", scanned(plan).join(", "))));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));

    // Making a plan for a batch takes longer than running it: one plan serves any number of rows.
    for file in ["orders/place_orders.sql", "orders/lock_products.sql", "platform/claim_keys.sql"] {
        let (_, text) = files.iter().find(|(name, _)| name == file).unwrap();
        plans(&mut connection, text);
        let generic = "SELECT generic_plans::text AS lines FROM pg_prepared_statements WHERE name = 'it'";
        assert_ne!(diesel::sql_query(generic).get_result::<Plan>(&mut connection).unwrap().lines, "0", "{file}");
    }

    // Without the index, the same statement is caught.
    let (_, paid) = files.iter().find(|(file, _)| file == "payments/lease_paid_orders.sql").unwrap();
    connection.batch_execute("DROP INDEX orders_to_audit").unwrap();
    assert_eq!(scanned(&plans(&mut connection, paid)[0]), ["orders"]);
}
