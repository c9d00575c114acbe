//! One running server: its thread, whether it accepts connections, and stopping it.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, waitid};

use super::cluster::NAME;
use super::error::{StartError, StopError};

/// The port in the name of the socket's file; as each cluster has its own folder, it need not differ.
const SOCKET_PORT: u16 = 5432;

/// The longest path of a Unix socket, in bytes (unix(7): 108 with the final zero).
const LONGEST_SOCKET_PATH: usize = 107;

/// How long a starting server may take to answer one probe.
const ONE_ANSWER: Duration = Duration::from_secs(2);

/// The address that a server listens on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Endpoint {
    /// A socket in this folder.
    Socket(PathBuf),
    /// A port of 127.0.0.1.
    Loopback(u16),
}

impl Endpoint {
    /// A socket in `folder`, if its path is short enough and its file system supports sockets.
    pub(super) fn socket(folder: &Path) -> Option<Self> {
        let file = socket_file(folder);
        if file.as_os_str().len() > LONGEST_SOCKET_PATH || folder.to_str().is_none() {
            return None;
        }
        let probe = UnixListener::bind(&file).and_then(|_listener| std::fs::remove_file(&file));
        probe.is_ok().then(|| Self::Socket(folder.to_owned()))
    }

    /// A port that is free right now; another process may still take it first.
    pub(super) fn free_port() -> Result<Self, StartError> {
        TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
            .and_then(|listener| listener.local_addr())
            .map(|address| Self::Loopback(address.port()))
            .map_err(|source| StartError::System { what: "find a free port on 127.0.0.1", source })
    }

    /// Configures a server to listen here and nowhere else.
    pub(super) fn configure(&self, postgres: &mut Command) {
        match self {
            Self::Socket(folder) => {
                postgres
                    .args(["-c", "listen_addresses="])
                    .args(["-c", "unix_socket_permissions=0700"])
                    .arg("-p")
                    .arg(SOCKET_PORT.to_string())
                    .arg("-k")
                    .arg(folder);
            }
            Self::Loopback(port) => {
                postgres.args(["-c", "listen_addresses=127.0.0.1"]).arg("-p").arg(port.to_string()).args(["-k", ""]);
            }
        }
    }

    /// A connection URL as libpq reads it. It leaves nothing to the environment of the client.
    pub(super) fn url(&self, password: &str, database: &str) -> String {
        let database = utf8_percent_encode(database, RESERVED);
        match self {
            Self::Socket(folder) => {
                let folder = folder.to_string_lossy();
                let folder = utf8_percent_encode(&folder, RESERVED);
                format!("postgres://{NAME}:{password}@{folder}:{SOCKET_PORT}/{database}")
            }
            Self::Loopback(port) => {
                format!("postgres://{NAME}:{password}@127.0.0.1:{port}/{database}?sslmode=disable")
            }
        }
    }

    /// Whether a server at this endpoint accepts the shop's role, except for the password.
    ///
    /// A server that is still replaying its log already answers an `SSLRequest`, so that is no proof. It asks for a
    /// password (`R`) only once it accepts connections, and refuses with an error (`E`) before.
    /// Source: `PostgreSQL` documentation, "Frontend/Backend Protocol", message flow of start-up.
    pub(super) fn accepts_connections(&self) -> bool {
        let first_byte = match self {
            Self::Socket(folder) => UnixStream::connect(socket_file(folder)).and_then(|stream| {
                stream.set_read_timeout(Some(ONE_ANSWER))?;
                probe(stream)
            }),
            Self::Loopback(port) => TcpStream::connect((Ipv4Addr::LOCALHOST, *port)).and_then(|stream| {
                stream.set_read_timeout(Some(ONE_ANSWER))?;
                probe(stream)
            }),
        };
        matches!(first_byte, Ok(b'R'))
    }
}

fn socket_file(folder: &Path) -> PathBuf {
    folder.join(format!(".s.PGSQL.{SOCKET_PORT}"))
}

/// Sends a start-up message of protocol 3.0 and returns the type of the first message that comes back.
fn probe(mut stream: impl Read + Write) -> io::Result<u8> {
    let parameters = format!("user\0{NAME}\0database\0{NAME}\0\0");
    let length = u32::try_from(parameters.len() + 8).map_err(io::Error::other)?;
    let mut message = length.to_be_bytes().to_vec();
    message.extend(196_608_u32.to_be_bytes());
    message.extend(parameters.as_bytes());
    stream.write_all(&message)?;
    let mut head = [0; 5];
    stream.read_exact(&mut head)?;
    // Closing the connection before the rest of the message would leave an error in the server's log.
    let [kind, length @ ..] = head;
    let rest = u64::from(u32::from_be_bytes(length).saturating_sub(4));
    io::copy(&mut stream.take(rest), &mut io::sink())?;
    Ok(kind)
}

/// Everything but the unreserved characters of RFC 3986.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A child process, and the thread that has started it and waits for it.
///
/// The thread matters: the kernel sends the parent-death signal when the thread that started the child ends, and this
/// one lives exactly as long as the child.
#[derive(Debug, Clone)]
pub(super) struct Server {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    /// The child, until it has been reaped. Its process id is safe to signal only while the lock is held and it is here.
    child: Mutex<Option<Child>>,
    reaped: Condvar,
}

impl Shared {
    fn child(&self) -> MutexGuard<'_, Option<Child>> {
        self.child.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Server {
    /// Starts `command` in a thread of its own.
    pub(super) fn spawn(mut command: Command) -> io::Result<Self> {
        let (sender, receiver) = sync_channel(1);
        thread::Builder::new().name("private-postgres".to_owned()).spawn(move || match command.spawn() {
            Ok(child) => {
                let pid = pid_of(&child);
                let shared = Arc::new(Shared { child: Mutex::new(Some(child)), reaped: Condvar::new() });
                // There is no receiver if the caller died, and then the child is about to be signalled.
                let _ = sender.send(Ok(Arc::clone(&shared)));
                reap(&shared, pid);
            }
            Err(error) => {
                let _ = sender.send(Err(error));
            }
        })?;
        let shared = receiver.recv().map_err(io::Error::other)??;
        Ok(Self { shared })
    }

    /// Waits until `endpoint` accepts connections.
    pub(super) fn wait_until_ready(&self, endpoint: &Endpoint, timeout: Duration) -> Ready {
        let deadline = Instant::now() + timeout;
        let mut pause = Duration::from_millis(2);
        loop {
            if self.gone_within(pause) {
                return Ready::Ended;
            }
            if endpoint.accepts_connections() {
                return Ready::Yes;
            }
            if Instant::now() >= deadline {
                return Ready::NotInTime;
            }
            pause = (pause * 2).min(Duration::from_millis(20));
        }
    }

    /// Stops the server: fast, then immediately, then by SIGKILL. A server that has already ended is no error.
    ///
    /// Source: `PostgreSQL` documentation, "Shutting Down the Server" (SIGINT: fast, SIGQUIT: immediate).
    pub(super) fn stop(&self) -> Result<(), StopError> {
        let steps = [(Signal::INT, 15), (Signal::QUIT, 5), (Signal::KILL, 5)];
        for (signal, seconds) in steps {
            self.signal(signal);
            if self.gone_within(Duration::from_secs(seconds)) {
                return if signal == Signal::INT { Ok(()) } else { Err(StopError::Forced) };
            }
        }
        Err(StopError::Remains { pid: self.id().unwrap_or_default() })
    }

    /// The process id, while it runs.
    pub(super) fn id(&self) -> Option<u32> {
        self.shared.child().as_ref().map(Child::id)
    }

    fn signal(&self, signal: Signal) {
        if let Some(pid) = self.shared.child().as_ref().and_then(pid_of) {
            // It may have ended and be waiting to be reaped, which is fine.
            let _ = kill_process(pid, signal);
        }
    }

    /// Waits until it has ended. Returns whether that happened in time.
    pub(super) fn gone_within(&self, timeout: Duration) -> bool {
        let guard = self.shared.child();
        let waited = self.shared.reaped.wait_timeout_while(guard, timeout, |child| child.is_some());
        waited.unwrap_or_else(PoisonError::into_inner).0.is_none()
    }
}

/// The result of waiting for a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ready {
    /// It accepts connections.
    Yes,
    /// It has ended instead.
    Ended,
    /// Neither, within the deadline.
    NotInTime,
}

/// Waits for the child to end, and only then, under the lock, reaps it, so that its process id can be reused.
fn reap(shared: &Shared, pid: Option<Pid>) {
    if let Some(pid) = pid {
        let ended_but_there = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        while let Err(Errno::INTR) = waitid(WaitId::Pid(pid), ended_but_there) {}
    }
    let mut child = shared.child();
    if let Some(child) = child.as_mut() {
        // How it ended is in its log.
        let _ = child.wait();
    }
    *child = None;
    drop(child);
    shared.reaped.notify_all();
}

fn pid_of(child: &Child) -> Option<Pid> {
    Pid::from_raw(i32::try_from(child.id()).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::CommandExt;

    #[test]
    fn a_url_encodes_any_name_of_a_folder_or_database() {
        let socket = Endpoint::Socket(PathBuf::from("/a b/ü@x/run"));
        assert_eq!(socket.url("ff", "my/db"), "postgres://driveline:ff@%2Fa%20b%2F%C3%BC%40x%2Frun:5432/my%2Fdb");
        assert_eq!(
            Endpoint::Loopback(5555).url("ff", "driveline"),
            "postgres://driveline:ff@127.0.0.1:5555/driveline?sslmode=disable"
        );
    }

    #[test]
    fn a_socket_whose_path_is_too_long_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Endpoint::socket(folder.path()).is_some());
        let deep = folder.path().join("d".repeat(100));
        std::fs::create_dir(&deep).unwrap();
        assert_eq!(Endpoint::socket(&deep), None);
    }

    #[test]
    fn a_server_that_ignores_the_first_signal_is_stopped_by_the_next() {
        let folder = tempfile::tempdir().unwrap();
        let trap_is_set = folder.path().join("trap-is-set");
        let mut stubborn = Command::new("sh");
        stubborn
            .args(["-c", "trap '' INT; : > \"$0\"; while :; do sleep 0.05; done"])
            .arg(&trap_is_set)
            .process_group(0);
        let server = Server::spawn(stubborn).unwrap();
        // Until the trap is set, the first signal would do.
        let begun = Instant::now();
        while !trap_is_set.exists() {
            assert!(begun.elapsed() < Duration::from_secs(20), "the shell does not start");
            thread::sleep(Duration::from_millis(10));
        }
        server.signal(Signal::INT);
        assert!(!server.gone_within(Duration::from_millis(300)));
        server.signal(Signal::QUIT);
        assert!(server.gone_within(Duration::from_secs(5)));
        assert_eq!(server.id(), None);
    }

    #[test]
    fn stopping_a_server_that_has_already_ended_is_no_failure() {
        let server = Server::spawn(Command::new("true")).unwrap();
        assert!(server.gone_within(Duration::from_secs(5)));
        server.stop().unwrap();
    }

    #[test]
    fn a_missing_program_is_reported_to_the_caller() {
        let refused = Server::spawn(Command::new("/nowhere/postgres")).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::NotFound);
    }
}
