//! A database whose machine vanishes without a word. It takes a network of its own, which only root can make: without, this
//! test says so and passes.

use std::fs;
use std::net::Ipv4Addr;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use testkit::TestDatabase;

use crate::START;
use crate::link::{Copy, unprivileged};
use crate::server::{Server, initialise, programs};

/// The two ends of the cable.
const HERE: &str = "10.231.117.1/30";
const THERE: Ipv4Addr = Ipv4Addr::new(10, 231, 117, 2);

/// A network that is reached by one cable.
struct Network {
    name: String,
    /// The cable's end in this one.
    near: String,
}

fn ip(arguments: &[&str]) -> bool {
    let quiet =
        Command::new("ip").args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    quiet.is_ok_and(|status| status.success())
}

impl Network {
    /// `None` where nobody may make one.
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
            eprintln!("not run: no network can be laid here");
            return None;
        }
        Some(network)
    }

    /// Loses whatever is sent either way, and nobody is told; or no longer. A cable that is pulled at this end would not do: the
    /// sender knows of that, and tries again all the time.
    fn lose(&self, everything: bool) {
        let here = HERE.split('/').next().unwrap_or(HERE);
        assert!(ip(&["-n", &self.name, "route", if everything { "add" } else { "del" }, "blackhole", here]));
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        // The cable first: the network itself stays for as long as one of the server's processes does.
        ip(&["link", "del", &self.near]);
        ip(&["netns", "del", &self.name]);
    }
}

/// How many connections to the server stand, and wait for a word of it, for more than twelve seconds.
fn waiting_for_the_server() -> usize {
    let there = format!("{:08X}:", u32::from_le_bytes(THERE.octets()));
    let sockets = fs::read_to_string("/proc/net/tcp").unwrap();
    // Local, remote, state (01 is an established connection), bytes that are sent and not acknowledged, the timer, and how
    // often they were sent again: the sixth time is after twelve seconds.
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
async fn a_database_that_vanished_is_let_go_of_and_its_return_is_noticed_at_once() {
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

    let shop = Copy::start(&[("DATABASE_URL", &server.url())]);
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
    // TCP would wait for fifteen minutes, and the threads that ask, and their places in the pool, with it. What the shop tried
    // at last is younger than that.
    assert_eq!(waiting_for_the_server(), 0, "connections from before that nobody has given up");
    network.lose(false);
    let back = Instant::now();
    while shop.status("/products").await != 200 {
        assert!(back.elapsed() < Duration::from_secs(10), "not served after {:?}", back.elapsed());
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    drop(shop);
}
