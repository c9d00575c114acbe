//! The audit trail: written with the change or not at all, chained without deadlocks, never changed, and without secrets.

use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::result::Error;
use diesel::sql_types::{Array, Text};
use domain::{Account, AuditChain, AuditEntry, Role};
use ports::{
    AccountRepository, AdminAction, AuditFilter, AuditNote, AuditQuery, AuditScope, AuditTrail, Pagination, RoleGrant,
};

use crate::world::{World, at};

/// What a request of an admin sets, as `persistence::audit::scope` writes it.
const WHO: &str = r#"{"account": "00000000-0000-0000-0000-00000000a001", "email": "boss@example.com",
    "operation": "addSynonym", "method": "POST", "route": "/synonyms", "address": "203.0.113.9", "request": "r"}"#;

fn begin() -> String {
    format!("BEGIN; SELECT set_config('driveline.audit', '{WHO}', true);")
}

/// A transaction of an admin.
fn by_admin(statements: &str) -> String {
    format!("{} {statements}; COMMIT", begin())
}

fn add(word: &str) -> String {
    format!("INSERT INTO synonyms (word, means) VALUES ('{word}', 'brake')")
}

async fn entries(world: &World) -> Vec<AuditEntry> {
    world.database.after(0, 1_000).await.unwrap()
}

/// The entries, once they are seen to be a chain that ends at the head.
async fn chained(world: &World) -> Vec<AuditEntry> {
    let (head, entries) = (world.database.head().await.unwrap(), entries(world).await);
    let mut chain = AuditChain::new(vec![head]);
    for entry in &entries {
        chain.follow(entry).unwrap();
    }
    assert_eq!(chain.finish().unwrap(), head);
    assert_eq!(world.count("SELECT count(*) FROM audit_pending"), 0);
    entries
}

fn action(boss: &Account, operation: &str) -> AdminAction {
    AdminAction {
        account: boss.id,
        email: boss.email.clone(),
        operation: operation.to_owned(),
        method: "POST".to_owned(),
        route: "/somewhere/{id}".to_owned(),
        client_address: "2001:db8::7".parse().unwrap(),
        user_agent: Some("A browser\0 \"quoted\" ü".to_owned()),
        request_id: "request-1".to_owned(),
        not_own: false,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_notes_what_it_changes_for_an_admin_and_nothing_else() {
    // One connection: what is set for one call must be gone for the next.
    let world = World::with_pool(1).await;
    let (boss, customer) =
        (world.account_as("boss@example.com", Role::Admin).await, world.customer("c@example.com").await);
    let grant = |role| RoleGrant { role, needs_proof: false, at: at(1) };
    let database = world.database.clone();
    let work = Box::pin(async {
        database.set_role(&customer.email, grant(Role::Admin)).await.unwrap();
        database
            .note(&AuditNote { kind: "export", target: None, details: vec![("q".into(), "a\0b".into())] })
            .await
            .unwrap();
    });
    world.database.attribute(&action(&boss, "grantAdmin"), work).await;
    world.database.set_role(&customer.email, grant(Role::Customer)).await.unwrap();
    assert!(world.database.note(&AuditNote { kind: "export", target: None, details: Vec::new() }).await.is_err());

    let entries = chained(&world).await;
    let [granted, exported] = &entries[..] else { panic!("{entries:#?}") };
    assert_eq!((granted.kind.as_str(), granted.change.as_str()), ("account", "changed"));
    assert_eq!(granted.target, Some(customer.id.to_string()));
    assert_eq!(granted.before.as_deref(), Some(r#"{"role": "customer"}"#));
    assert_eq!(granted.after.as_deref(), Some(r#"{"role": "admin"}"#));
    assert_eq!((granted.account, granted.email.as_str()), (boss.id.uuid(), "boss@example.com"));
    assert_eq!((granted.operation.as_str(), granted.route.as_str()), ("grantAdmin", "/somewhere/{id}"));
    assert_eq!(granted.client_address, "2001:db8::7");
    assert_eq!(granted.user_agent.as_deref(), Some("A browser \"quoted\" ü"));
    assert_eq!((exported.kind.as_str(), exported.change.as_str()), ("export", "done"));
    assert_eq!(exported.after.as_deref(), Some(r#"{"q":"ab"}"#));
}

#[tokio::test(flavor = "multi_thread")]
async fn orders_that_share_a_transaction_with_an_admins_are_nobodys_changes() {
    let world = World::fresh().await;
    let boss = world.account_as("boss@example.com", Role::Admin).await;
    let (customer, product) = (world.customer("c@example.com").await, world.product(100_000).await);
    for _ in 0..20 {
        let (one, other) = (world.place(&boss, &product, 50), world.place(&customer, &product, 50));
        let attributed =
            world.database.attribute(&action(&boss, "placeOrder"), Box::pin(async { one.await.map(drop).unwrap() }));
        let ((), other) = tokio::join!(attributed, other);
        other.unwrap();
    }
    assert_eq!(chained(&world).await, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_rolled_back_leaves_no_entry_and_no_gap() {
    let world = World::fresh().await;
    world.sql(&by_admin(&add("one")));
    world.sql(&format!("{} {}; ROLLBACK", begin(), add("two")));
    world.sql(&by_admin(&format!("SAVEPOINT here; {}; ROLLBACK TO here; {}", add("three"), add("four"))));
    world.sql(&by_admin(&format!("SAVEPOINT here; {}; ROLLBACK TO here", add("five"))));
    world.sql(&by_admin(&format!("{}; SAVEPOINT here; {}; ROLLBACK TO here", add("six"), add("seven"))));
    // The same values again are no change; nor is anything outside of an admin's transaction.
    world.sql(&by_admin("UPDATE synonyms SET means = means"));
    world.sql(&add("eight"));
    world.refuses(&by_admin(&format!("{}; {}", add("nine"), add("nine"))), "synonyms");
    let after: Vec<_> = chained(&world).await.into_iter().filter_map(|entry| entry.after).collect();
    assert_eq!(after.len(), 3, "{after:?}");
    for (text, word) in after.iter().zip(["one", "four", "six"]) {
        assert!(text.contains(&format!("\"{word}\"")), "{text}");
    }
}

/// Two admins, of whom one changes something and then wants what the other has locked, who then changes something as well. Returns
/// the errors.
fn cross(world: &World) -> Vec<Error> {
    let (mut one, mut other) = (world.raw(), world.raw());
    one.batch_execute(&format!("{} UPDATE synonyms SET means = 'a' WHERE word = 'first'", begin())).unwrap();
    other.batch_execute(&format!("{} SELECT FROM synonyms WHERE word = 'shared' FOR UPDATE", begin())).unwrap();
    let (waits, is_waiting) = channel();
    let waiting = thread::spawn(move || {
        waits.send(()).unwrap();
        one.batch_execute("UPDATE synonyms SET means = 'a' WHERE word = 'shared'; COMMIT")
    });
    is_waiting.recv().unwrap();
    thread::sleep(Duration::from_millis(200));
    let other = other.batch_execute("UPDATE synonyms SET means = 'b' WHERE word = 'last'; COMMIT");
    [waiting.join().unwrap(), other].into_iter().filter_map(Result::err).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_chain_makes_no_deadlock_because_it_is_locked_last() {
    let world = World::fresh().await;
    world.sql(&[add("first"), add("shared"), add("last")].join(";"));
    assert_eq!(cross(&world), []);
    assert_eq!(chained(&world).await.len(), 3);

    // Chained at once, as one would at first, the same two wait for each other.
    let unguarded = World::fresh().await;
    unguarded.sql(&[add("first"), add("shared"), add("last")].join(";"));
    unguarded.sql(
        "ALTER TABLE audit_pending ALTER is_last_round SET DEFAULT true;
        DROP TRIGGER audit_pending_is_chained ON audit_pending;
        CREATE TRIGGER audit_pending_is_chained AFTER INSERT ON audit_pending FOR EACH ROW EXECUTE FUNCTION chain_audit()",
    );
    let errors = cross(&unguarded);
    assert!(errors.iter().any(|error| error.to_string().contains("deadlock")), "{errors:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_chain_comes_after_other_triggers_that_wait_for_the_commit_and_has_what_they_changed() {
    let world = World::fresh().await;
    world.sql(
        "CREATE TABLE seen (number bigint);
        INSERT INTO brands (name, name_key) VALUES ('A brand', 'abrand');
        CREATE FUNCTION later() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            INSERT INTO seen SELECT number FROM audit_head;
            UPDATE brands SET name = 'Another brand';
            RETURN NULL;
        END $$;
        CREATE CONSTRAINT TRIGGER later AFTER INSERT ON synonyms DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW EXECUTE FUNCTION later()",
    );
    // Queued behind the chain's own trigger, whose row was noted by the first statement.
    world.sql(&by_admin(&format!("INSERT INTO brands (name, name_key) VALUES ('B', 'b'); {}", add("one"))));
    assert_eq!(world.count("SELECT max(number) FROM seen"), 0);
    let kinds: Vec<_> = chained(&world).await.into_iter().map(|entry| entry.kind).collect();
    assert_eq!(kinds, ["brand", "synonym", "brand", "brand"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn many_admins_at_once_make_one_chain() {
    let world = World::fresh().await;
    let workers: Vec<_> = (0..8)
        .map(|worker| {
            let mut connection = world.raw();
            thread::spawn(move || {
                for n in 0..25 {
                    let end = if n % 5 == 0 { "ROLLBACK" } else { "COMMIT" };
                    let two = format!("{}; {}", add(&format!("w{worker}n{n}a")), add(&format!("w{worker}n{n}b")));
                    connection.batch_execute(&format!("{} {two}; {end}", begin())).unwrap();
                }
            })
        })
        .collect();
    for worker in workers {
        worker.join().unwrap();
    }
    let entries = chained(&world).await;
    assert_eq!(entries.len(), 8 * 20 * 2);
    assert!(entries.is_sorted_by_key(|entry| entry.at), "times go back");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_trail_is_only_added_to_by_the_chain() {
    let world = World::fresh().await;
    world.sql(&by_admin(&add("one")));
    let refused = "the audit trail is only added to";
    for statement in [
        "UPDATE audit_entries SET email = 'nobody@example.com'",
        "DELETE FROM audit_entries",
        "TRUNCATE audit_entries",
        "INSERT INTO audit_entries SELECT 2, at, account_id, email, operation, method, route, kind, change, target, parent,
            before, after, client_address, user_agent, request_id, hash, previous FROM audit_entries",
        "UPDATE audit_head SET number = 0",
        "DELETE FROM audit_head",
        "TRUNCATE audit_head",
        "INSERT INTO audit_head (one, number, hash, at) VALUES (false, 1, '', now())",
    ] {
        world.refuses(statement, refused);
    }
    // Behind the triggers, the constraints.
    let off = "ALTER TABLE audit_entries DISABLE TRIGGER USER; ALTER TABLE audit_head DISABLE TRIGGER USER;";
    for (statement, by) in [
        ("UPDATE audit_entries SET number = 0", "audit_entries_number_check"),
        ("UPDATE audit_entries SET change = 'stolen'", "audit_entries_change_check"),
        ("UPDATE audit_entries SET hash = ''", "audit_entries_hash_check"),
        ("INSERT INTO audit_entries SELECT * FROM audit_entries", "audit_entries_pkey"),
        ("UPDATE audit_head SET one = false", "audit_head_one_check"),
        ("INSERT INTO audit_head SELECT * FROM audit_head", "audit_head_pkey"),
        (
            "INSERT INTO audit_pending (id, is_first, kind, change) OVERRIDING SYSTEM VALUE VALUES (1, false, 'a', 'b'), (1, false, 'a', 'b')",
            "audit_pending_pkey",
        ),
    ] {
        world.refuses(&format!("BEGIN; {off} {statement}"), by);
    }
    assert_eq!(chained(&world).await.len(), 1);
}

#[derive(QueryableByName, Debug)]
struct Audited {
    #[diesel(sql_type = Text)]
    of: String,
    #[diesel(sql_type = Array<Text>)]
    hidden: Vec<String>,
    #[diesel(sql_type = Array<Text>)]
    named: Vec<String>,
    #[diesel(sql_type = Array<Text>)]
    columns: Vec<String>,
}

fn audited(world: &World) -> Vec<Audited> {
    diesel::sql_query(
        r"SELECT relname::text AS of, coalesce(arguments[4], '{}')::text[] AS hidden,
            array_remove(coalesce(arguments[3], '{}')::text[] || coalesce(arguments[5], '{}')::text[] || arguments[2], '')
                AS named,
            (SELECT array_agg(attname::text) FROM pg_attribute WHERE attrelid = tgrelid AND attnum > 0 AND NOT attisdropped)
                AS columns
        FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid,
            LATERAL string_to_array(encode(tgargs, 'escape'), '\000') AS arguments
        WHERE tgfoid = 'note_audited_row'::regproc ORDER BY relname",
    )
    .load(&mut world.raw())
    .unwrap()
}

/// Whether a column's name says that it holds something that nobody may read, or an idempotency key.
fn is_secret(column: &str) -> bool {
    ["secret", "hash", "token", "sealed", "password", "vin", "card", "once_", "fingerprint", "subject"]
        .iter()
        .any(|word| column.split('_').any(|part| part == *word) || (word.ends_with('_') && column.starts_with(word)))
}

#[tokio::test(flavor = "multi_thread")]
async fn no_column_that_holds_a_secret_is_noted() {
    let world = World::fresh().await;
    let audited = audited(&world);
    assert!(audited.len() >= 31, "{audited:#?}");
    for Audited { of, hidden, named, columns } in &audited {
        let shown: Vec<_> = columns.iter().filter(|column| !hidden.contains(column)).collect();
        let secret: Vec<_> = shown.iter().filter(|column| is_secret(column)).collect();
        assert!(secret.is_empty(), "{of} shows {secret:?}");
        let unknown: Vec<_> = hidden.iter().chain(named).filter(|column| !columns.contains(column)).collect();
        assert!(unknown.is_empty(), "{of} has no {unknown:?}");
    }
    let of = |table: &str| audited.iter().any(|one| one.of == table);
    for kept_out in ["sessions", "account_tokens", "google_sign_ins", "garage", "answers", "login_guesses", "carts"] {
        assert!(!of(kept_out), "{kept_out}");
    }
    for word in ["password_hash", "vin_sealed", "secret", "token_hashes", "once_key", "google_subject"] {
        assert!(is_secret(word), "{word}");
    }
    assert!(!is_secret("provider_refund_id") && !is_secret("saving_cents"));
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_and_filters_find_what_they_are_asked_for() {
    let world = World::fresh().await;
    for n in 0..30 {
        world.sql(&by_admin(&add(&format!("word{n}"))));
    }
    let find = async |filter: AuditFilter, page| {
        AuditTrail::list(&world.database, &AuditQuery { filter, page }).await.unwrap()
    };
    let numbers = |page: &ports::Page<AuditEntry, u64>| page.items.iter().map(|entry| entry.number).collect::<Vec<_>>();
    let first = find(AuditFilter::default(), Pagination::first(10)).await;
    assert_eq!((numbers(&first), first.total, first.next), ((21..=30).rev().collect(), 30, Some(21)));
    let last = find(AuditFilter::default(), Pagination { after: Some(11), ..Pagination::first(10) }).await;
    assert_eq!((numbers(&last), last.next), ((1..=10).rev().collect(), None));
    let tenth = first.items[9].clone();
    let since = AuditFilter { from: Some(tenth.at), ..AuditFilter::default() };
    assert_eq!(numbers(&find(since, Pagination::first(50)).await).len(), 10);
    let until = AuditFilter { until: Some(tenth.at), ..AuditFilter::default() };
    assert_eq!(find(until, Pagination::first(5)).await.total, 20);
    for (filter, found) in [
        (AuditFilter { email: Some("boss@example.com".into()), ..AuditFilter::default() }, 30),
        (AuditFilter { email: Some("nobody@example.com".into()), ..AuditFilter::default() }, 0),
        (AuditFilter { operation: Some("addSynonym".into()), ..AuditFilter::default() }, 30),
        (AuditFilter { kind: Some("brand".into()), ..AuditFilter::default() }, 0),
        (AuditFilter { target: tenth.target, ..AuditFilter::default() }, 1),
    ] {
        assert_eq!(find(filter.clone(), Pagination::first(5)).await.total, found, "{filter:?}");
    }
}
