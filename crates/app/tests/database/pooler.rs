//! The server behind `PgBouncer` in transaction mode. If it is not installed, these tests print that and pass.

use std::fs;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::{Value, json};
use testkit::TestDatabase;

use crate::START;
use crate::instance::{Instance, command};
use crate::link::{Server, read};

/// A `PgBouncer` for one test.
struct PgBouncer {
    process: Child,
    port: u16,
    _folder: tempfile::TempDir,
}

impl PgBouncer {
    /// Starts it in front of a database; `None` if the program is not installed.
    fn before(database: &TestDatabase) -> Option<Self> {
        let program = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/usr/local/bin/pgbouncer"]
            .into_iter()
            .find(|program| Path::new(program).exists());
        let Some(program) = program else {
            eprintln!("not run: PgBouncer is not installed (apt-get install pgbouncer)");
            return None;
        };
        let (server, who) = read(database.url());
        let (user, password) = who.split_once(':').unwrap();
        let host = match &server {
            Server::Socket(path) => path.parent().unwrap().display().to_string(),
            Server::Port(_) => "127.0.0.1".to_owned(),
        };
        let (owner, server_port) = match &server {
            Server::Socket(path) => {
                let port = path.extension().unwrap().to_str().unwrap().to_owned();
                (fs::metadata(path).unwrap().uid(), port)
            }
            Server::Port(port) => (65_534, port.to_string()),
        };
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port();
        let folder = tempfile::tempdir().unwrap();
        let users = folder.path().join("users");
        fs::write(&users, format!("\"{user}\" \"{password}\"\n")).unwrap();
        let settings = folder.path().join("pgbouncer.ini");
        fs::write(
            &settings,
            format!(
                "[databases]\n* = host={host} port={server_port}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\n\
                unix_socket_dir =\nauth_type = plain\nauth_file = {}\npool_mode = transaction\ndefault_pool_size = 8\n\
                max_client_conn = 500\nserver_login_retry = 1\nlogfile =\npidfile =\n",
                users.display()
            ),
        )
        .unwrap();
        // PgBouncer does not run as root.
        for place in [folder.path(), &users, &settings] {
            let _ = std::os::unix::fs::chown(place, Some(owner), None);
        }
        let mut program = Command::new(program);
        if rustix::process::geteuid().is_root() {
            use std::os::unix::process::CommandExt;
            program.uid(owner);
        }
        let process = program.arg(&settings).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let begun = Instant::now();
        while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
            assert!(begun.elapsed() < Duration::from_secs(10), "PgBouncer does not listen");
            std::thread::sleep(Duration::from_millis(20));
        }
        Some(Self { process, port, _folder: folder })
    }

    fn url(&self, database: &TestDatabase) -> String {
        format!("postgres://{}@127.0.0.1:{}/{}", read(database.url()).1, self.port, database.name())
    }
}

impl Drop for PgBouncer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_transaction_pooler_is_refused_unless_it_is_configured() {
    let database = TestDatabase::empty();
    let Some(pooler) = PgBouncer::before(&database) else { return };
    let ended = command(&["serve"], &[("DATABASE_URL", &pooler.url(&database))]).output().unwrap();
    let stderr = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert_eq!(ended.status.code(), Some(2), "{stderr}");
    let refused = stderr.lines().filter(|line| line.starts_with("driveline: ")).count();
    assert_eq!(refused, 1, "{stderr}");
    assert!(stderr.contains("DATABASE_POOLER=transaction"), "{stderr}");
}

#[tokio::test(flavor = "multi_thread")]
async fn behind_a_transaction_pooler_every_call_succeeds_and_the_data_stays_consistent() {
    let database = TestDatabase::empty();
    let Some(pooler) = PgBouncer::before(&database) else { return };
    let url = pooler.url(&database);
    let settings =
        [("DATABASE_URL", url.as_str()), ("DATABASE_POOLER", "transaction"), ("DATABASE_DIRECT_URL", database.url())];
    let instances = [Instance::start(&settings), Instance::start(&settings)];
    for instance in &instances {
        instance.is_ready_within(START).await;
    }
    let token = instances[0].sign_up("admin@example.com").await;
    database.sql("UPDATE accounts SET role = 'admin', email_verified_at = now() WHERE email = 'admin@example.com'");
    let part = json!({"name": "Oil filter", "description": "A part", "category": "BRAKES", "img": "/pictures/x.webp",
        "price": 2, "availableQty": 1_000_000, "minOrder": 50});
    let added: Value = instances[0].ask(Method::POST, "/products", &token, &part).await.json().await.unwrap();
    let id = added["insertedId"].as_str().unwrap();
    let order = json!({"productId": id, "quantity": 50, "name": "Some Body", "phone": "+1 555 0100",
        "address": "1 Main Street"});
    for _ in 0..5 {
        let calls = (0..40).map(|nth| {
            let (instance, token, order) = (&instances[nth % 2], &token, &order);
            let path = format!("/products/{id}");
            async move {
                let answer = match nth % 4 {
                    0 => instance.ask(Method::POST, "/orders", token, order).await,
                    1 => instance.get(&path).await,
                    2 => instance.ask(Method::GET, "/orders", token, &Value::Null).await,
                    _ => instance.ask(Method::GET, "/allOrders?limit=5", token, &Value::Null).await,
                };
                let wanted = if nth % 4 == 0 { 201 } else { 200 };
                assert_eq!(answer.status().as_u16(), wanted, "{}", answer.text().await.unwrap());
            }
        });
        futures_util::future::join_all(calls).await;
    }
    assert_eq!(testkit::invariants(database.url()), Vec::<String>::new());
    // The settings that our sessions may not set are set for the role.
    for instance in &instances {
        assert!(instance.logged("the role's statements are not bounded") == 0);
    }
    assert_eq!(instances.iter().map(|instance| instance.logged("the role's settings bound")).sum::<usize>().min(1), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn three_concurrent_migrations_through_a_pooler_succeed_and_leave_no_lock() {
    let database = TestDatabase::empty();
    let Some(pooler) = PgBouncer::before(&database) else { return };
    let url = pooler.url(&database);
    let running: Vec<_> = (0..3)
        .map(|_| {
            let settings = [("DATABASE_URL", url.as_str()), ("DATABASE_POOLER", "transaction")];
            command(&["migrate"], &settings).spawn().unwrap()
        })
        .collect();
    for mut one in running {
        assert_eq!(one.wait().unwrap().code(), Some(0));
    }
    assert_eq!(testkit::invariants(database.url()), Vec::<String>::new());
}

/// Whoever migrates need not know what the address leads through.
#[tokio::test(flavor = "multi_thread")]
async fn one_migration_after_the_other_through_a_pooler_that_nobody_configured_succeeds() {
    let database = TestDatabase::empty();
    let Some(pooler) = PgBouncer::before(&database) else { return };
    let url = pooler.url(&database);
    for _ in 0..4 {
        let mut migrating = command(&["migrate"], &[("DATABASE_URL", url.as_str())]).spawn().unwrap();
        assert_eq!(migrating.wait().unwrap().code(), Some(0));
    }
}
