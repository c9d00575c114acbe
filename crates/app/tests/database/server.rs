//! Postgres servers for single tests, beside the shared one.

use std::fs;
use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

/// The folder of a Postgres installation with all its programs.
pub(crate) fn programs() -> Option<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = versions.map(|version| version.path().join("bin")).collect();
    folders.sort();
    let found = folders.into_iter().rev().find(|folder| folder.join("pg_basebackup").exists());
    if found.is_none() {
        eprintln!("not run: pg_basebackup is not installed (apt-get install postgresql)");
    }
    found
}

/// A server without a password, reachable only from this machine.
pub(crate) struct Server {
    process: Child,
    /// How it was started, to start it again.
    command: Command,
    address: Ipv4Addr,
    port: u16,
}

impl Server {
    pub(crate) fn start(programs: &Path, data: &Path, owner: u32) -> Self {
        Self::start_at(Ipv4Addr::LOCALHOST, as_owner(&programs.join("postgres"), owner), data)
    }

    /// Starts a server by a command that runs `postgres` with the given arguments, and waits until it responds.
    pub(crate) fn start_at(address: Ipv4Addr, mut postgres: Command, data: &Path) -> Self {
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port();
        let listen = format!("listen_addresses={address}");
        postgres
            .arg("-D")
            .arg(data)
            .args(["-p", &port.to_string(), "-k", "", "-c", &listen, "-c", "wal_level=replica"])
            .args(["-c", "hot_standby_feedback=on", "-c", "max_connections=60", "-c", "shared_buffers=16MB"]);
        let process = postgres.spawn().unwrap();
        let server = Self { process, command: postgres, address, port };
        server.wait_until_it_answers();
        server
    }

    fn wait_until_it_answers(&self) {
        let begun = Instant::now();
        while !self.answers() {
            assert!(begun.elapsed() < Duration::from_secs(30), "the server does not start");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Stops it without letting anybody finish, as `pg_ctl stop -m immediate` does.
    pub(crate) fn stop_at_once(&mut self) {
        kill_process(Pid::from_child(&self.process), Signal::QUIT).unwrap();
        self.process.wait().unwrap();
    }

    /// Starts it again on its data, which it recovers first.
    pub(crate) fn start_again(&mut self) {
        self.process = self.command.spawn().unwrap();
        self.wait_until_it_answers();
    }

    /// As a supervisor does, without waiting for it.
    pub(crate) fn starts_again_if_it_has_ended(&mut self) {
        if self.process.try_wait().unwrap().is_some() {
            self.process = self.command.spawn().unwrap();
        }
    }

    pub(crate) fn url(&self) -> String {
        format!("postgres://shop@{}:{}/postgres", self.address, self.port)
    }

    fn answers(&self) -> bool {
        testkit::number(&self.url(), "1").is_some()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

pub(crate) fn as_owner(program: &Path, owner: u32) -> Command {
    let mut command = Command::new(program);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).current_dir("/");
    if rustix::process::geteuid().is_root() {
        command.uid(owner).gid(owner);
    }
    command
}

/// Creates a data folder for a server that trusts local connections.
pub(crate) fn initialise(programs: &Path, data: &Path, owner: u32) {
    let made = as_owner(&programs.join("initdb"), owner)
        .args(["-U", "shop", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", "-D"])
        .arg(data)
        .status()
        .unwrap();
    assert!(made.success());
}
