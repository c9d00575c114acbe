//! A connection to the database that a test can cut and restore, and the server at its other end.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use rustix::io::Errno;
use rustix::net::connect_unspec;
use testkit::TestDatabase;
use tokio::net::TcpSocket;

use crate::wire::Translator;

/// Where a Postgres listens.
#[derive(Clone)]
pub(crate) enum Server {
    Socket(PathBuf),
    Port(u16),
}

/// The parts of a testkit URL: where the server is, and `user:password`.
pub(crate) fn read(url: &str) -> (Server, String) {
    let rest = url.strip_prefix("postgres://").unwrap();
    let (who, rest) = rest.split_once('@').unwrap();
    let (host, rest) = rest.split_once(':').unwrap();
    let port = rest.split('/').next().unwrap();
    let server = match host.strip_prefix("%2F") {
        Some(_) => Server::Socket(PathBuf::from(format!("{}/.s.PGSQL.{port}", unescaped(host)))),
        None => Server::Port(port.parse().unwrap()),
    };
    (server, who.to_owned())
}

/// The user that the server at a URL runs as. Other servers can run as the same user if this process is root.
pub(crate) fn unprivileged(url: &str) -> u32 {
    match read(url).0 {
        Server::Socket(path) => std::fs::metadata(path).unwrap().uid(),
        Server::Port(_) => 65_534,
    }
}

fn unescaped(text: &str) -> String {
    let mut parts = text.split('%');
    let mut plain = parts.next().unwrap().to_owned();
    for part in parts {
        plain.push(char::from(u8::from_str_radix(&part[..2], 16).unwrap()));
        plain.push_str(&part[2..]);
    }
    plain
}

/// What is wrong with a link that is up.
#[derive(Default)]
struct Trouble {
    /// Nothing is passed on.
    stalls: AtomicBool,
    /// How long whatever is passed on takes, in milliseconds.
    delay: AtomicU64,
    /// Connections end with a reset, and not in order.
    resets: AtomicBool,
}

/// A local port that forwards to a database while the link is up, and where nothing listens while it is down.
pub(crate) struct Link {
    pub(crate) port: u16,
    /// Bound to the port and never listening, so that no other test gets the port while the link is down.
    _reserved: TcpSocket,
    server: Server,
    connections: Arc<Mutex<Vec<TcpStream>>>,
    trouble: Arc<Trouble>,
    translated: bool,
    worker: Option<(Arc<AtomicBool>, thread::JoinHandle<()>)>,
}

impl Link {
    /// A link that is down.
    pub(crate) fn to(database: &TestDatabase) -> Self {
        let reserved = TcpSocket::new_v4().unwrap();
        // With this option, which the standard library sets as well, a port may be bound again unless someone listens.
        reserved.set_reuseaddr(true).unwrap();
        reserved.bind((Ipv4Addr::LOCALHOST, 0).into()).unwrap();
        let port = reserved.local_addr().unwrap().port();
        let server = read(database.url()).0;
        Self {
            port,
            _reserved: reserved,
            server,
            connections: Arc::default(),
            trouble: Arc::default(),
            translated: false,
            worker: None,
        }
    }

    /// A link that is down, to a server whose messages are in another language.
    pub(crate) fn translated(database: &TestDatabase) -> Self {
        let mut link = Self::to(database);
        link.translated = true;
        link
    }

    /// The database's URL through this link.
    pub(crate) fn url(&self, database: &TestDatabase) -> String {
        let who = read(database.url()).1;
        // What is translated is read, so that it begins with the protocol itself.
        let parameters = if self.translated { "?sslmode=disable&gssencmode=disable" } else { "" };
        format!("postgres://{who}@127.0.0.1:{}/{}{parameters}", self.port, database.name())
    }

    pub(crate) fn mend(&mut self) {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, self.port)).unwrap();
        self.trouble = Arc::default();
        let (connections, server, trouble, translated) =
            (Arc::clone(&self.connections), self.server.clone(), Arc::clone(&self.trouble), self.translated);
        let closing = Arc::new(AtomicBool::new(false));
        let is_closing = Arc::clone(&closing);
        let worker = thread::spawn(move || {
            while let Ok((near, _)) = listener.accept() {
                if is_closing.load(Ordering::SeqCst) || !forward(&near, &server, &trouble, translated) {
                    return;
                }
                connections.lock().unwrap().push(near);
            }
        });
        self.worker = Some((closing, worker));
    }

    /// Passes nothing on, as a server does that hangs on a machine that lives; connections are still accepted. Or goes on.
    pub(crate) fn stall(&self, stalls: bool) {
        self.trouble.stalls.store(stalls, Ordering::SeqCst);
    }

    /// Takes this long for whatever is passed on from now on.
    pub(crate) fn slow(&self, delay: Duration) {
        self.trouble.delay.store(delay.as_millis().try_into().unwrap(), Ordering::SeqCst);
    }

    /// Goes down, and closes its connections in order.
    pub(crate) fn cut(&mut self) {
        self.go_down(|near| drop(near.shutdown(Shutdown::Both)));
    }

    /// Goes down, and resets its connections, as a machine does that has begun anew.
    pub(crate) fn reset(&mut self) {
        self.trouble.resets.store(true, Ordering::SeqCst);
        self.go_down(|near| {
            // Whoever reads gives it up first: the system resets no connection that somebody waits for.
            let _ = near.shutdown(Shutdown::Read);
            while connect_unspec(near) == Err(Errno::BUSY) {
                thread::sleep(Duration::from_millis(1));
            }
        });
    }

    fn go_down(&mut self, close: impl Fn(&TcpStream)) {
        if let Some((closing, worker)) = self.worker.take() {
            closing.store(true, Ordering::SeqCst);
            // The worker waits for the next connection.
            let _ = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port));
            worker.join().unwrap();
        }
        for near in self.connections.lock().unwrap().drain(..) {
            close(&near);
        }
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.cut();
    }
}

/// Forwards bytes in both directions until either end closes; false if the server is not there.
fn forward(near: &TcpStream, server: &Server, trouble: &Arc<Trouble>, translated: bool) -> bool {
    let both = |near: TcpStream, far: Box<dyn Write + Send>, other: Box<dyn Read + Send>| {
        let (up, down) = (near.try_clone().unwrap(), near);
        pass_on(Box::new(up.try_clone().unwrap()), far, up, trouble, None);
        let translator = translated.then(Translator::default);
        pass_on(other, Box::new(down.try_clone().unwrap()), down, trouble, translator);
    };
    let near = near.try_clone().unwrap();
    match server {
        Server::Socket(path) => {
            let Ok(far) = UnixStream::connect(path) else { return false };
            let closer = far.try_clone().unwrap();
            both(near, Box::new(far), Box::new(closer));
        }
        Server::Port(port) => {
            let Ok(far) = TcpStream::connect((Ipv4Addr::LOCALHOST, *port)) else { return false };
            let closer = far.try_clone().unwrap();
            both(near, Box::new(far), Box::new(closer));
        }
    }
    true
}

/// Passes bytes on in one direction, as far as the trouble of the link lets it.
fn pass_on(
    mut from: Box<dyn Read + Send>,
    mut to: Box<dyn Write + Send>,
    near: TcpStream,
    trouble: &Arc<Trouble>,
    mut translator: Option<Translator>,
) {
    let trouble = Arc::clone(trouble);
    thread::spawn(move || {
        let mut bytes = [0; 16 * 1024];
        while let Ok(read @ 1..) = from.read(&mut bytes) {
            thread::sleep(Duration::from_millis(trouble.delay.load(Ordering::SeqCst)));
            while trouble.stalls.load(Ordering::SeqCst) {
                thread::sleep(Duration::from_millis(10));
            }
            let read = &bytes[..read];
            let passed_on = translator.as_mut().map_or_else(|| read.to_vec(), |translator| translator.translate(read));
            if to.write_all(&passed_on).is_err() {
                break;
            }
        }
        if !trouble.resets.load(Ordering::SeqCst) {
            let _ = near.shutdown(Shutdown::Both);
        }
    });
}
