//! Request smuggling. Where two servers disagree about the length of a request, the one behind takes for the next request
//! what the one in front took for a body. So a head that can be read in two ways is refused, its connection is closed, and
//! nothing that comes after it is read as a request.

use std::net::SocketAddr;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::fixtures::{PASSWORD, User, eventually};
use crate::server::{post, run, shared_address};

/// How long the server may take to close a connection. It does so at once, but on a busy machine that takes a while.
const PATIENCE: Duration = Duration::from_secs(10);

const LOG_IN: &str = "POST /auth/login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json";
const LOG_IN_WITHOUT_HOST: &str = "POST /auth/login HTTP/1.1\r\nContent-Type: application/json";
const LOG_IN_OF_HTTP_1_0: &str = "POST /auth/login HTTP/1.0\r\nHost: 127.0.0.1\r\nContent-Type: application/json";
const CHUNKS: &str = "2\r\n{}\r\n0\r\n\r\n";

/// What is malformed, the beginning of the head, its last headers, and the body. Each can be read, by a server that is lenient
/// or mistaken, so that the next request begins right behind it.
const MALFORMED: &[(&str, &str, &str, &str)] = &[
    ("a length and chunks", LOG_IN, "Content-Length: 5\r\nTransfer-Encoding: chunked", "0\r\n\r\n"),
    ("chunks and a length", LOG_IN, "Transfer-Encoding: chunked\r\nContent-Length: 5", "0\r\n\r\n"),
    ("two lengths", LOG_IN, "Content-Length: 0\r\nContent-Length: 2", "{}"),
    ("the same length twice", LOG_IN, "Content-Length: 2\r\nContent-Length: 2", "{}"),
    ("a list of lengths", LOG_IN, "Content-Length: 2, 2", "{}"),
    ("a negative length", LOG_IN, "Content-Length: -2", ""),
    ("a signed length", LOG_IN, "Content-Length: +2", "{}"),
    ("a hexadecimal length", LOG_IN, "Content-Length: 0x2", "{}"),
    ("an empty length", LOG_IN, "Content-Length:", ""),
    ("a length of 2^64 + 2", LOG_IN, "Content-Length: 18446744073709551618", "{}"),
    ("a chunk size that is no number", LOG_IN, "Transfer-Encoding: chunked", "zz\r\n\r\n"),
    ("a negative chunk size", LOG_IN, "Transfer-Encoding: chunked", "-2\r\n{}\r\n0\r\n\r\n"),
    ("a prefixed chunk size", LOG_IN, "Transfer-Encoding: chunked", "0x2\r\n{}\r\n0\r\n\r\n"),
    ("a chunk size of 2^64 + 2", LOG_IN, "Transfer-Encoding: chunked", "10000000000000002\r\n{}\r\n0\r\n\r\n"),
    ("a chunk longer than its size", LOG_IN, "Transfer-Encoding: chunked", "1\r\n{}\r\n0\r\n\r\n"),
    ("a bare LF after a chunk size", LOG_IN, "Transfer-Encoding: chunked", "2\n{}\r\n0\r\n\r\n"),
    ("a bare LF in a chunk extension", LOG_IN, "Transfer-Encoding: chunked", "2;a\n{}\r\n0\r\n\r\n"),
    ("an unknown transfer coding", LOG_IN, "Transfer-Encoding: xchunked", CHUNKS),
    ("chunks inside another coding", LOG_IN, "Transfer-Encoding: chunked, identity", CHUNKS),
    ("chunks around another coding", LOG_IN, "Transfer-Encoding: identity, chunked", CHUNKS),
    ("a coding without chunks", LOG_IN, "Transfer-Encoding: identity", ""),
    ("chunks twice", LOG_IN, "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", CHUNKS),
    ("chunks and no chunks", LOG_IN, "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity", CHUNKS),
    ("a quoted transfer coding", LOG_IN, "Transfer-Encoding: \"chunked\"", CHUNKS),
    ("a vertical tab before the coding", LOG_IN, "Transfer-Encoding:\u{b}chunked", CHUNKS),
    ("an odd space after the coding", LOG_IN, "Transfer-Encoding: chunked\u{a0}", CHUNKS),
    ("a space before the colon", LOG_IN, "Transfer-Encoding : chunked", CHUNKS),
    ("a folded header", LOG_IN, "Transfer-Encoding:\r\n chunked", CHUNKS),
    ("a folded header of no meaning", LOG_IN, "Content-Length: 2\r\nX-Note: a\r\n b", "{}"),
    ("a coding behind a bare LF", LOG_IN, "Content-Length: 2\r\nX-Note: a\nTransfer-Encoding: chunked", "{}"),
    ("a coding behind a bare CR", LOG_IN, "Content-Length: 2\r\nX-Note: a\rTransfer-Encoding: chunked", "{}"),
    ("NUL in a header", LOG_IN, "Content-Length: 2\r\nX-Note: a\0b", "{}"),
    ("NUL in a header's name", LOG_IN, "Content-Length: 2\r\nX\0Note: a", "{}"),
    ("a header without a colon", LOG_IN, "Content-Length: 2\r\nX-Note", "{}"),
    ("no host", LOG_IN_WITHOUT_HOST, "Content-Length: 2", "{}"),
    ("two hosts", LOG_IN, "Host: shop.example\r\nContent-Length: 2", "{}"),
    ("chunks in HTTP/1.0", LOG_IN_OF_HTTP_1_0, "Transfer-Encoding: chunked", CHUNKS),
];

/// A request whose body has no end that the next request could begin behind, and the status of its response.
const ENDLESS: [(&str, &str, u16); 3] = [
    (
        "an upgrade",
        "GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
        200,
    ),
    ("a tunnel", "CONNECT 127.0.0.1:80 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", 404),
    (
        "a length of 2^64 - 1",
        "POST /auth/login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n\
         Content-Length: 18446744073709551615\r\n\r\n",
        413,
    ),
];

fn account(email: &str) -> Value {
    json!({"name": "Some Body", "email": email, "password": PASSWORD})
}

/// A sign-up as it is sent behind another request. It is well formed, and so is answered if it is read as a request.
fn sign_up(email: &str) -> String {
    let body = account(email).to_string();
    format!(
        "POST /auth/signup HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// Whether a sign-up has taken the address.
async fn is_taken(email: &str) -> bool {
    let answer = post("/auth/signup", &account(email)).await;
    assert!(matches!(answer.status, 201 | 409), "{answer}");
    answer.status == 409
}

/// What the server did with a connection.
#[derive(Debug, Default)]
struct Exchange {
    /// The statuses of its responses.
    statuses: Vec<u16>,
    /// Whether it closed the connection.
    is_closed: bool,
}

/// Sends all at once on a new connection, and reads until the server closes it.
async fn exchange(sent: &str) -> Exchange {
    let server: SocketAddr = shared_address().strip_prefix("http://").unwrap().parse().unwrap();
    let mut stream = TcpStream::connect(server).await.unwrap();
    stream.write_all(sent.as_bytes()).await.unwrap();
    let mut read = Vec::new();
    // A connection that is reset is closed as well.
    let is_closed = timeout(PATIENCE, stream.read_to_end(&mut read)).await.is_ok();
    Exchange { statuses: statuses(&read), is_closed }
}

/// The statuses of all responses. One may begin in the middle of a line, because a body need not end with one.
fn statuses(read: &[u8]) -> Vec<u16> {
    let read = String::from_utf8_lossy(read);
    read.split("HTTP/1.").skip(1).map(|response| response[2..5].parse().unwrap()).collect()
}

/// Without this, a reader that misses a second response would find every head of this file harmless.
#[test]
fn two_requests_sent_together_get_two_responses_and_both_take_effect() {
    run(async {
        for (first, status) in [
            ("GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".to_owned(), 200),
            (format!("{LOG_IN}\r\nContent-Length: 2\r\n\r\n{{}}"), 422),
            (format!("{LOG_IN}\r\nTransfer-Encoding: chunked\r\n\r\n{CHUNKS}"), 422),
        ] {
            let (mut email, mut seen) = (String::new(), Exchange::default());
            // A server that is busy is asked again.
            eventually(Duration::from_mins(1), async || {
                email = User::fresh_email();
                seen = exchange(&format!("{first}{}", sign_up(&email))).await;
                !seen.statuses.contains(&503)
            })
            .await;
            assert_eq!(seen.statuses, [status, 201], "{first}: {seen:?}");
            assert!(seen.is_closed, "{first}: {seen:?}");
            assert!(is_taken(&email).await, "{first}");
        }
    });
}

#[test]
fn a_head_that_can_be_read_in_two_ways_is_refused_with_all_that_comes_after_it() {
    run(async {
        for (what, begin, headers, body) in MALFORMED {
            let email = User::fresh_email();
            let seen = exchange(&format!("{begin}\r\n{headers}\r\n\r\n{body}{}", sign_up(&email))).await;
            // None at all is a connection that was closed without a word.
            assert!(seen.statuses.len() <= 1, "{what}: {seen:?}");
            assert!(seen.statuses.iter().all(|status| matches!(status, 400..=499 | 501)), "{what}: {seen:?}");
            assert!(seen.is_closed, "{what}: {seen:?}");
            assert!(!is_taken(&email).await, "{what}: the request behind it was run");
        }
    });
}

#[test]
fn nothing_is_read_as_a_request_behind_a_body_without_an_end() {
    run(async {
        for (what, head, status) in ENDLESS {
            let email = User::fresh_email();
            let seen = exchange(&format!("{head}{}", sign_up(&email))).await;
            assert_eq!(seen.statuses, [status], "{what}: {seen:?}");
            assert!(seen.is_closed, "{what}: {seen:?}");
            assert!(!is_taken(&email).await, "{what}: the request behind it was run");
        }
    });
}
