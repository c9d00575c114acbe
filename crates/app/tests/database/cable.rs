//! A database host that vanishes silently. This needs its own network, which only root can create; otherwise the test
//! prints that and passes.

use std::fs;
use std::net::Ipv4Addr;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use testkit::TestDatabase;

use crate::START;
use crate::instance::Instance;
use crate::link::unprivileged;
use crate::server::{Server, initialise, programs};

/// The two ends of the virtual cable.
const HERE: &str = "10.231.117.1/30";
const THERE: Ipv4Addr = Ipv4Addr::new(10, 231, 117, 2);

/// A network that is reached by one virtual cable.
struct Network {
    name: String,
    /// The cable's end in this network namespace.
    near: String,
}

fn ip(arguments: &[&str]) -> bool {
    let quiet =
        Command::new("ip").args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    quiet.is_ok_and(|status| status.success())
}

impl Network {
    /// Creates the network; `None` without the privileges.
    fn make() -> Option<Self> {
        let id = std::process::id();
        let network = Self { name: format!("driveline{id}"), near: format!("dl{id}") };
        if !ip(&["netns", "add", &network.name]) {
            eprintln!("not run: no network namespace can be made here (it takes root and iproute2)");
            return None;
        }
        let there = format!("{THERE}/30");
        let inside = |arguments: &[&str]| ip(&[&["-n", &network.name], arguments].concat());
        let made = ip(&["link", "add", &network.near, "type", "veth", "peer", "name", "far", "netns", &network.name])
            && ip(&["addr", "add", HERE, "dev", &network.near])
            && ip(&["link", "set", &network.near, "up"])
            && inside(&["addr", "add", &there, "dev", "far"])
            && inside(&["link", "set", "far", "up"]);
        if !made {
            eprintln!("not run: the network cannot be set up here");
            return None;
        }
        Some(network)
    }

    /// Drops everything that is sent to us, or stops doing so. Taking our end of the cable down would not do: the
    /// sender would know, and keep retrying.
    fn lose(&self, everything: bool) {
        let here = HERE.split('/').next().unwrap_or(HERE);
        assert!(ip(&["-n", &self.name, "route", if everything { "add" } else { "del" }, "blackhole", here]));
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        // The cable first: the namespace exists as long as one of the server's processes does.
        ip(&["link", "del", &self.near]);
        ip(&["netns", "del", &self.name]);
    }
}

/// The number of connections to the server that have waited for an acknowledgement for more than twelve seconds.
fn waiting_for_the_server() -> usize {
    let there = format!("{:08X}:", u32::from_le_bytes(THERE.octets()));
    let sockets = fs::read_to_string("/proc/net/tcp").unwrap();
    // Local, remote, state (01: established), unacknowledged bytes, timer, and number of retransmissions: the sixth
    // happens after twelve seconds.
    let is_stuck = |line: &&str| {
        let columns: Vec<&str> = line.split_whitespace().collect();
        let [_, _, remote, "01", queues, _, sent_again, ..] = columns.as_slice() else { return false };
        remote.starts_with(&there)
            && !queues.starts_with("00000000:")
            && u32::from_str_radix(sent_again, 16).is_ok_and(|times| times >= 6)
    };
    sockets.lines().filter(is_stuck).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_to_a_vanished_database_are_closed_and_its_return_is_noticed() {
    let Some(programs) = programs() else { return };
    let Some(network) = Network::make() else { return };
    let owner = unprivileged(TestDatabase::empty().url());
    let folder = tempfile::tempdir().unwrap();
    let _ = std::os::unix::fs::chown(folder.path(), Some(owner), Some(owner));
    let data = folder.path().join("data");
    initialise(&programs, &data, owner);
    let rules = data.join("pg_hba.conf");
    fs::write(&rules, fs::read_to_string(&rules).unwrap() + "host all all 10.231.117.0/30 trust\n").unwrap();
    let mut postgres = Command::new("ip");
    postgres.args(["netns", "exec", &network.name, "setpriv", "--clear-groups"]);
    postgres.arg(format!("--reuid={owner}")).arg(format!("--regid={owner}")).arg(programs.join("postgres"));
    postgres.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).current_dir("/");
    let server = Server::start_at(THERE, postgres, &data);

    let shop = Instance::start(&[("DATABASE_URL", &server.url())]);
    shop.is_ready_within(START).await;
    assert_eq!(shop.status("/products").await, 200);

    network.lose(true);
    let begun = Instant::now();
    let asked = futures_util::future::join_all((0..60).map(|_| shop.status("/products"))).await;
    assert!(asked.iter().all(|status| *status == 503), "{asked:?}");
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    while begun.elapsed() < Duration::from_secs(20) {
        assert_eq!(shop.status("/health/live").await, 200);
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    // TCP alone would wait for fifteen minutes, and so would the threads and their pool slots. Only the latest attempts
    // are younger than twelve seconds.
    assert_eq!(waiting_for_the_server(), 0, "old connections are still open");
    network.lose(false);
    let back = Instant::now();
    while shop.status("/products").await != 200 {
        assert!(back.elapsed() < Duration::from_secs(10), "not served after {:?}", back.elapsed());
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    drop(shop);
}
