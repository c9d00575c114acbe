//! A database whose disk is full, and has room again later. It needs small file systems of its own, which only root can mount;
//! otherwise the tests print that and pass, unless `FULL_DISK` is 1. What any server says of a full disk is in
//! `foreign.rs`.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::Value;
use tempfile::TempDir;
use testkit::TestDatabase;
use tokio::time::sleep;

use crate::copies::times;
use crate::instance::Instance;
use crate::link::unprivileged;
use crate::server::{Server, as_owner, initialise, programs};
use crate::stops::{buy, faults};
use crate::{START, is_unavailable, order_of, products};

/// How soon the shop has to sell again once there is room, the server's recovery included.
const BACK_WITHIN: Duration = Duration::from_secs(30);
/// How long nothing may be placed until the disk counts as full.
const STILL: Duration = Duration::from_secs(2);

/// A file system in memory.
struct SmallDisk {
    path: PathBuf,
}

impl SmallDisk {
    /// `None` where nothing can be mounted.
    fn mount(path: &Path, megabytes: u32, owner: u32) -> Option<Self> {
        fs::create_dir(path).unwrap();
        let options = format!("size={megabytes}m,mode=700,uid={owner},gid={owner}");
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", &options, "tmpfs"]).arg(path);
        let mounted = mount.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
        if mounted.is_ok_and(|status| status.success()) {
            return Some(Self { path: path.to_owned() });
        }
        assert!(times("FULL_DISK", 0) == 0, "no file system can be mounted here (it takes root)");
        eprintln!("not run: no file system can be mounted here (it takes root)");
        None
    }

    fn ballast(&self) -> PathBuf {
        self.path.join("ballast")
    }

    /// Leaves no byte free.
    fn fill(&self) {
        let mut ballast = File::create(self.ballast()).unwrap();
        for size in [1024 * 1024, 4096, 1] {
            let bytes = vec![0; size];
            while ballast.write_all(&bytes).is_ok() {}
        }
    }

    fn empty(&self) {
        fs::remove_file(self.ballast()).unwrap();
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(&self.path).status();
    }
}

/// A server of which one folder is on a small disk.
struct World {
    server: Server,
    disk: SmallDisk,
    shop: Instance,
    part: String,
    buyers: Vec<String>,
    _folder: TempDir,
}

/// What is on the small disk.
#[derive(Clone, Copy, PartialEq)]
enum Small {
    Tables,
    Log,
}

impl World {
    async fn begin(small: Small) -> Option<Self> {
        let programs = programs()?;
        let owner = unprivileged(TestDatabase::empty().url());
        let folder = tempfile::tempdir().unwrap();
        std::os::unix::fs::chown(folder.path(), Some(owner), Some(owner)).unwrap();
        let disk = SmallDisk::mount(&folder.path().join("small"), 120, owner)?;
        let large = folder.path().join("large");
        assert!(as_owner(Path::new("mkdir"), owner).arg(&large).status().unwrap().success());
        let (data, log) = match small {
            Small::Tables => (disk.path.join("data"), large.join("log")),
            Small::Log => (large.join("data"), disk.path.join("log")),
        };
        initialise(&programs, &data, owner);
        let inside = data.join("pg_wal");
        let moved = as_owner(Path::new("cp"), owner).arg("-a").arg(&inside).arg(&log).status().unwrap();
        assert!(moved.success());
        fs::remove_dir_all(&inside).unwrap();
        std::os::unix::fs::symlink(&log, &inside).unwrap();
        // Some segments more than one, so that the next is always near.
        let settings = "min_wal_size = '32MB'\nmax_wal_size = '48MB'\ncheckpoint_timeout = '30s'\n";
        fs::write(data.join("postgresql.auto.conf"), settings).unwrap();
        std::os::unix::fs::chown(data.join("postgresql.auto.conf"), Some(owner), Some(owner)).unwrap();
        let server = Server::start(&programs, &data, owner);

        let shop = Instance::start(&[("DATABASE_URL", &server.url()), ("RATE_LIMIT_BURST", "100000")]);
        shop.is_ready_within(START).await;
        let (_, mut ids) = products(&shop, &server.url(), &["Oil filter"]).await;
        let buyers = (0..8).map(|nth| {
            let (shop, email) = (&shop, format!("buyer-{nth}@example.com"));
            async move { shop.sign_up(&email).await }
        });
        let buyers = join_all(buyers).await;
        Some(Self { server, disk, shop, part: ids.remove(0), buyers, _folder: folder })
    }

    /// Orders while the disk fills up, stays full and is emptied. Nothing that was acknowledged may be lost by that.
    async fn fills_up(&mut self, small: Small) {
        let Self { server, disk, shop, part, buyers, .. } = self;
        let (url, enough) = (server.url(), AtomicBool::new(false));
        let count = || testkit::number(&url, "SELECT count(*) FROM orders");
        let buying = buyers.iter().enumerate().map(|(nth, token)| buy(shop, nth, token, part, &enough));
        let filling = async {
            sleep(Duration::from_secs(1)).await;
            disk.fill();
            if small == Small::Log {
                // Otherwise it takes a minute until the next segment is needed.
                let _ = testkit::number(&url, "SELECT count(*) FROM pg_switch_wal()");
            }
            let (full, meanwhile) = is_full(shop, &buyers[0], part, server).await;
            if small == Small::Tables {
                for path in [&format!("/products/{part}"), "/products?search=oil"] {
                    assert_eq!(shop.status(path).await, 200, "reads go on: {path}");
                }
            }
            let before = loop {
                server.starts_again_if_it_has_ended();
                if let Some(before) = count() {
                    break Some(before);
                }
                if full.elapsed() > STILL {
                    break None;
                }
                sleep(Duration::from_millis(100)).await;
            };
            disk.empty();
            let begun = Instant::now();
            while count().is_none_or(|now| before.is_some_and(|before| now <= before)) {
                assert!(begun.elapsed() < BACK_WITHIN, "no order for {BACK_WITHIN:?} after there was room again");
                server.starts_again_if_it_has_ended();
                sleep(Duration::from_millis(50)).await;
            }
            let back = begun.elapsed();
            sleep(Duration::from_secs(1)).await;
            enough.store(true, Ordering::SeqCst);
            (back, meanwhile)
        };
        let (placed, (back, meanwhile)) = tokio::join!(join_all(buying), filling);
        let placed = [placed.concat(), meanwhile].concat();
        println!("a full disk, {} orders, an order again {} ms after there was room", placed.len(), back.as_millis());
        assert!(placed.len() > 20, "only {} orders prove nothing", placed.len());
        assert_eq!(faults(&url, &placed), Vec::<String>::new());
        // And a loss would be noticed.
        let lost = format!("ALTER TABLE orders DISABLE TRIGGER ALL; DELETE FROM orders WHERE id = '{}'", placed[0]);
        testkit::execute(&url, &lost);
        assert!(!faults(&url, &placed).is_empty());
        assert!(shop.is_running());
    }
}

/// Waits until no order is placed any more for a while, each of which is answered as it should be. Returns since when,
/// and the orders that were placed before.
async fn is_full(shop: &Instance, token: &str, part: &str, server: &mut Server) -> (Instant, Vec<String>) {
    let begun = Instant::now();
    let (mut refused_since, mut placed) = (None::<Instant>, Vec::new());
    loop {
        assert!(begun.elapsed() < Duration::from_mins(2), "the disk does not fill up");
        server.starts_again_if_it_has_ended();
        let answer = shop.ask(Method::POST, "/orders", token, &order_of(part)).await;
        if answer.status().as_u16() == 201 {
            refused_since = None;
            let answer: Value = answer.json().await.unwrap();
            placed.push(answer["insertedId"].as_str().unwrap().to_owned());
        } else {
            is_unavailable(answer).await;
            let since = *refused_since.get_or_insert_with(Instant::now);
            if since.elapsed() > STILL {
                return (since, placed);
            }
        }
        sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_whose_disk_is_full_loses_no_acknowledged_order_and_sells_again_when_there_is_room() {
    let Some(mut world) = World::begin(Small::Tables).await else { return };
    world.fills_up(Small::Tables).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_whose_log_has_no_room_loses_no_acknowledged_order_and_sells_again_when_there_is_room() {
    let Some(mut world) = World::begin(Small::Log).await else { return };
    world.fills_up(Small::Log).await;
}
