//! The promises of the module, each checked with a real Postgres.
//!
//! Several tests need a process that can be killed. They run this test program again, with only
//! [`part_played_by_a_child_process`] in it, which then is a small `demo` of its own.

use std::env;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use super::leftovers::{gone_within, working_in};
use super::{Durability, PrivatePostgres, Settings, StartError};

/// The variable that marks a run of this test program as a child, and names its folder.
const CHILDS_FOLDER: &str = "PRIVATE_POSTGRES_TEST_FOLDER";

const NOBODY: u32 = 65_534;

#[expect(clippy::disallowed_methods, reason = "the tests stand in for app::config here")]
fn variable(name: &str) -> Option<std::ffi::OsString> {
    env::var_os(name)
}

fn settings(data_dir: &Path, durability: Durability) -> Settings {
    Settings { data_dir: data_dir.to_owned(), search: Vec::new(), path_variable: variable("PATH"), durability }
}

fn durable(data_dir: &Path) -> Result<PrivatePostgres, StartError> {
    PrivatePostgres::start(&settings(data_dir, Durability::Durable))
}

/// A data folder that any account may enter, as one in a home folder usually is.
fn open_folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

fn cluster(data_dir: &Path) -> PathBuf {
    fs::canonicalize(data_dir).unwrap().join("postgres/cluster")
}

fn is_running(data_dir: &Path) -> bool {
    !working_in(&cluster(data_dir)).is_empty()
}

fn we_are_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// A process that runs a private Postgres until its input ends.
struct Demo {
    process: Child,
    output: BufReader<Box<dyn Read + Send>>,
}

impl Demo {
    fn launch(data_dir: &Path, as_user: Option<u32>) -> Self {
        let this_program = env::current_exe().unwrap();
        // Another user may not enter the folder of the build, so the program is copied to where any user may run it.
        let program = if as_user.is_some() {
            let copy = data_dir.join("program");
            fs::copy(&this_program, &copy).unwrap();
            fs::set_permissions(&copy, fs::Permissions::from_mode(0o755)).unwrap();
            copy
        } else {
            this_program
        };
        let (_crate_name, tests) = module_path!().split_once("::").unwrap();
        let mut command = Command::new(program);
        command
            .arg(format!("{tests}::part_played_by_a_child_process"))
            .args(["--exact", "--nocapture", "--test-threads=1"])
            .env(CHILDS_FOLDER, data_dir)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        if let Some(user) = as_user {
            command.uid(user).gid(user);
        }
        let mut process = testkit::spawn_copied(&mut command);
        let output: Box<dyn Read + Send> = Box::new(process.stdout.take().unwrap());
        Self { process, output: BufReader::new(output) }
    }

    /// Waits for the child's report on how its start went.
    fn word(&mut self) -> String {
        let mut line = String::new();
        loop {
            line.clear();
            assert_ne!(self.output.read_line(&mut line).unwrap(), 0, "the child reported nothing");
            if let Some((_, word)) = line.split_once("child: ") {
                return word.trim().to_owned();
            }
        }
    }

    fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    fn end(mut self) {
        drop(self.process.stdin.take());
        assert!(self.process.wait().unwrap().success());
    }
}

#[test]
fn part_played_by_a_child_process() {
    let Some(data_dir) = variable(CHILDS_FOLDER) else {
        return;
    };
    let started = durable(Path::new(&data_dir));
    let word = match &started {
        Ok(postgres) => postgres.url("driveline"),
        Err(refused) => format!("refused: {refused}"),
    };
    println!("\nchild: {word}");
    std::io::stdout().flush().unwrap();
    let _ = std::io::stdin().read_to_end(&mut Vec::new());
    if let Ok(postgres) = started {
        postgres.stop().unwrap();
    }
}

#[test]
fn a_first_start_creates_a_cluster_and_a_later_one_reuses_it() {
    let data = open_folder();
    let begin = Instant::now();
    let first = durable(data.path()).unwrap();
    let first_took = begin.elapsed();
    let url = first.url("driveline");
    let inode = fs::metadata(cluster(data.path())).unwrap().ino();
    first.stop().unwrap();
    assert!(!is_running(data.path()));

    let begin = Instant::now();
    let second = durable(data.path()).unwrap();
    let second_took = begin.elapsed();
    assert_eq!(second.url("driveline"), url);
    assert_eq!(fs::metadata(cluster(data.path())).unwrap().ino(), inode);
    assert!(second.endpoint.accepts_connections());
    // A second or two; the rest is for the other tests that create clusters at the same time.
    assert!(first_took < Duration::from_secs(30), "{first_took:?}");
    assert!(second_took < first_took, "{second_took:?} after {first_took:?}");
}

#[test]
fn dropping_it_leaves_no_process_behind() {
    let data = open_folder();
    let postgres = durable(data.path()).unwrap();
    assert!(is_running(data.path()));
    drop(postgres);
    assert!(!is_running(data.path()));
}

#[test]
fn a_throwaway_server_removes_its_folder() {
    let parent = open_folder();
    let data = parent.path().join("data");
    let postgres = PrivatePostgres::start(&settings(&data, Durability::Throwaway)).unwrap();
    assert!(cluster(&data).is_dir());
    postgres.stop().unwrap();
    assert!(!data.exists());
}

#[test]
fn a_throwaway_server_leaves_other_files_in_its_folder_alone() {
    let data = open_folder();
    let theirs = data.path().join("notes");
    fs::write(&theirs, "").unwrap();
    PrivatePostgres::start(&settings(data.path(), Durability::Throwaway)).unwrap().stop().unwrap();
    assert!(theirs.exists());
    assert!(!data.path().join("postgres").exists());
}

#[test]
fn a_second_server_on_the_same_folder_is_refused_and_harms_nothing() {
    let data = open_folder();
    let first = durable(data.path()).unwrap();
    let mut second = Demo::launch(data.path(), None);
    let word = second.word();
    assert!(word.contains(&format!("already in use by process {}", std::process::id())), "{word}");
    second.end();
    assert!(first.endpoint.accepts_connections());
    first.stop().unwrap();
}

#[test]
fn a_killed_process_takes_its_server_with_it_and_the_next_start_succeeds_immediately() {
    let data = open_folder();
    for _ in 0..3 {
        let mut demo = Demo::launch(data.path(), None);
        let url = demo.word();
        assert!(url.starts_with("postgres://"), "{url}");
        demo.kill();
        let next = durable(data.path()).unwrap();
        assert_eq!(next.url("driveline"), url.replace(port(&url), port(&next.url("driveline"))));
        next.stop().unwrap();
    }
    let mut demo = Demo::launch(data.path(), None);
    demo.word();
    demo.kill();
    assert!(gone_within(&cluster(data.path()), Duration::from_secs(10)), "an orphan is left");
}

#[test]
fn a_kill_at_any_time_of_the_first_start_does_not_break_the_next_one() {
    for milliseconds in [50, 250, 450, 650] {
        let data = open_folder();
        let mut demo = Demo::launch(data.path(), None);
        thread::sleep(Duration::from_millis(milliseconds));
        demo.kill();
        let postgres = durable(data.path()).unwrap_or_else(|refused| panic!("after {milliseconds} ms: {refused}"));
        assert!(postgres.endpoint.accepts_connections());
        postgres.stop().unwrap();
        assert!(!is_running(data.path()));
        assert!(!data.path().join("postgres/cluster.new").exists());
    }
}

/// Kills the server, whose process id is returned.
fn kill(postgres: &PrivatePostgres) -> u32 {
    let id = postgres.server.id().unwrap();
    kill_process(Pid::from_raw(i32::try_from(id).unwrap()).unwrap(), Signal::KILL).unwrap();
    id
}

#[test]
fn a_server_that_was_itself_killed_is_started_again_at_the_same_address_with_its_data() {
    let data = open_folder();
    let postgres = durable(data.path()).unwrap();
    let url = postgres.url("driveline");
    testkit::execute(&url, "CREATE TABLE kept (number int); INSERT INTO kept VALUES (7)");
    for _ in 0..3 {
        let killed = kill(&postgres);
        let begun = Instant::now();
        while testkit::number(&url, "SELECT number FROM kept") != Some(7) {
            assert!(begun.elapsed() < Duration::from_secs(30), "it is not started again");
            std::thread::sleep(Duration::from_millis(20));
        }
        assert_ne!(postgres.server.id(), Some(killed));
    }
    postgres.stop().unwrap();
    assert!(!is_running(data.path()));
}

#[test]
fn a_server_that_is_stopped_while_it_is_started_again_stays_stopped() {
    let data = open_folder();
    for pause in [0, 5, 50, 250, 400] {
        let postgres = durable(data.path()).unwrap();
        kill(&postgres);
        std::thread::sleep(Duration::from_millis(pause));
        // Whether the new one was already there decides how it ended.
        let _ = postgres.stop();
        assert!(!is_running(data.path()), "after {pause} ms");
    }
}

#[test]
fn a_throwaway_server_that_was_killed_is_left_alone() {
    let data = open_folder();
    let postgres = PrivatePostgres::start(&settings(data.path(), Durability::Throwaway)).unwrap();
    kill(&postgres);
    std::thread::sleep(Duration::from_millis(600));
    assert_eq!(postgres.server.id(), None);
}

#[test]
fn a_postmaster_pid_of_an_unrelated_process_stops_no_start_and_harms_no_process() {
    let data = open_folder();
    durable(data.path()).unwrap().stop().unwrap();
    let mut stranger = Command::new("sleep").arg("600").spawn().unwrap();
    let stale = cluster(data.path()).join("postmaster.pid");
    fs::write(&stale, format!("{}\n{}\n", stranger.id(), cluster(data.path()).display())).unwrap();
    let started = durable(data.path());
    let unharmed = stranger.try_wait().unwrap().is_none();
    stranger.kill().unwrap();
    stranger.wait().unwrap();
    started.unwrap().stop().unwrap();
    assert!(unharmed);
}

#[test]
fn a_lost_password_is_replaced_and_the_new_one_is_stored() {
    let data = open_folder();
    let first = durable(data.path()).unwrap();
    let old = first.password.clone();
    first.stop().unwrap();
    fs::remove_file(data.path().join("postgres/password")).unwrap();
    let second = durable(data.path()).unwrap();
    assert_ne!(second.password, old);
    let kept = second.password.clone();
    second.stop().unwrap();
    let third = durable(data.path()).unwrap();
    assert_eq!(third.password, kept);
}

#[test]
fn a_port_is_used_if_the_socket_path_is_too_long() {
    let data = open_folder();
    let deep = data.path().join("d".repeat(90));
    let postgres = durable(&deep).unwrap();
    assert!(postgres.url("driveline").contains("@127.0.0.1:"));
    assert!(postgres.endpoint.accepts_connections());
}

#[test]
fn a_cluster_of_another_version_is_reported_clearly_and_left_as_it_is() {
    let data = open_folder();
    durable(data.path()).unwrap().stop().unwrap();
    let version = cluster(data.path()).join("PG_VERSION");
    let written = fs::read_to_string(&version).unwrap();
    fs::write(&version, "12\n").unwrap();
    let refused = durable(data.path()).unwrap_err();
    assert!(matches!(refused, StartError::OtherVersion { cluster: 12, .. }), "{refused}");
    assert_eq!(refused.to_string().lines().count(), 1);
    fs::write(&version, written).unwrap();
    durable(data.path()).unwrap().stop().unwrap();
}

#[test]
fn a_folder_that_is_not_a_cluster_is_reported_clearly() {
    let data = open_folder();
    fs::create_dir_all(data.path().join("postgres/cluster")).unwrap();
    let refused = durable(data.path()).unwrap_err();
    assert!(matches!(refused, StartError::NotACluster { .. }), "{refused}");
}

#[test]
fn a_server_that_does_not_start_shows_the_end_of_its_log() {
    let data = open_folder();
    durable(data.path()).unwrap().stop().unwrap();
    fs::write(cluster(data.path()).join("postgresql.conf"), "no_such_setting = 1\n").unwrap();
    let refused = durable(data.path()).unwrap_err();
    let StartError::Exited { tail, .. } = &refused else {
        panic!("{refused}");
    };
    assert!(tail.contains("no_such_setting"), "{tail}");
}

#[test]
fn root_serves_data_below_a_folder_that_only_root_may_enter() {
    if !we_are_root() {
        return;
    }
    let data = tempfile::tempdir().unwrap();
    fs::set_permissions(data.path(), fs::Permissions::from_mode(0o700)).unwrap();
    let postgres = durable(&data.path().join("data")).unwrap();
    assert!(postgres.url("driveline").contains("@127.0.0.1:"));
    postgres.stop().unwrap();
    let again = durable(&data.path().join("data")).unwrap();
    assert!(again.endpoint.accepts_connections());
    drop(again);
    assert_eq!(fs::metadata(data.path()).unwrap().permissions().mode() & 0o777, 0o700);
}

#[test]
fn an_ordinary_user_and_then_root_serve_the_same_folder() {
    if !we_are_root() {
        return;
    }
    let data = open_folder();
    std::os::unix::fs::chown(data.path(), Some(NOBODY), Some(NOBODY)).unwrap();
    let mut demo = Demo::launch(data.path(), Some(NOBODY));
    let word = demo.word();
    assert!(word.starts_with("postgres://"), "{word}");
    demo.end();
    assert_eq!(fs::metadata(cluster(data.path())).unwrap().uid(), NOBODY);

    durable(data.path()).unwrap().stop().unwrap();
    assert_eq!(fs::metadata(cluster(data.path())).unwrap().uid(), NOBODY);

    let mut demo = Demo::launch(data.path(), Some(NOBODY));
    let word = demo.word();
    assert!(word.starts_with("postgres://"), "{word}");
    demo.end();
}

#[test]
fn a_folder_of_another_user_is_reported_clearly() {
    if !we_are_root() {
        return;
    }
    let data = open_folder();
    let mut demo = Demo::launch(data.path(), Some(NOBODY));
    let word = demo.word();
    assert!(word.contains("cannot write to") && word.contains("ermission denied"), "{word}");
    demo.end();
}

/// The part of a URL that may differ between two starts: the port.
fn port(url: &str) -> &str {
    let end = url.rfind('/').unwrap();
    &url[url[..end].rfind(':').unwrap()..end]
}
