//! An HTTP server on loopback with scripted answers.

use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// The server's reaction to one request.
#[derive(Debug, Clone)]
pub enum Reply {
    /// A status and a JSON body, in which `{base}` is the server's address.
    Json(u16, String),
    /// These bytes, including the head.
    Raw(Vec<u8>),
    /// Never answers.
    Hang,
    /// Closes the connection once the request has arrived.
    HangUp,
}

/// A request that was received.
#[derive(Debug, Clone)]
pub struct Received {
    /// The request line and the headers.
    pub head: String,
    pub body: Vec<u8>,
}

impl Received {
    /// The value of a header, whatever the case of its name.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.head.lines().skip(1).filter_map(|line| line.split_once(':'));
        headers.find(|(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
    }
}

/// An HTTP server on loopback, stopped when it is dropped.
pub struct StandIn {
    base: String,
    received: Arc<Mutex<Vec<Received>>>,
    server: tokio::task::JoinHandle<()>,
}

impl Drop for StandIn {
    fn drop(&mut self) {
        self.server.abort();
    }
}

impl StandIn {
    /// Answers the requests one after the other with the replies, and all further ones with the last.
    ///
    /// # Panics
    /// If no port is free.
    pub async fn start(replies: Vec<Reply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port on loopback");
        let base = format!("http://{}", listener.local_addr().expect("a listening socket has an address"));
        let received = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&received);
        let at = base.clone();
        let server = tokio::spawn(async move {
            let mut hanging = Vec::new();
            for number in 0.. {
                let (mut stream, _) = listener.accept().await.expect("a connection");
                let Some(request) = read(&mut stream).await else {
                    continue;
                };
                seen.lock().expect("no test panicked here").push(request);
                match &replies[usize::min(number, replies.len() - 1)] {
                    Reply::Json(status, body) => {
                        let body = body.replace("{base}", &at);
                        let head = format!(
                            "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
                            body.len()
                        );
                        let _ = stream.write_all((head + &body).as_bytes()).await;
                    }
                    Reply::Raw(bytes) => {
                        let _ = stream.write_all(bytes).await;
                    }
                    Reply::Hang => hanging.push(stream),
                    Reply::HangUp => {}
                }
            }
        });
        Self { base, received, server }
    }

    /// Its address, without a trailing slash.
    #[must_use]
    pub fn base(&self) -> String {
        self.base.clone()
    }

    /// The received requests, in order.
    ///
    /// # Panics
    /// If a request could not be recorded.
    #[must_use]
    pub fn received(&self) -> Vec<Received> {
        self.received.lock().expect("no test panicked here").clone()
    }
}

async fn read(stream: &mut TcpStream) -> Option<Received> {
    let mut bytes = Vec::new();
    loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
            let request = Received { head, body: bytes[end + 4..].to_vec() };
            let length = request.header("content-length").map_or(0, |length| length.parse().expect("a length"));
            if request.body.len() >= length {
                return Some(request);
            }
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
}
