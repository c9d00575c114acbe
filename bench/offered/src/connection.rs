//! One connection to the server, which sends one request after the other.

use std::io;
use std::rc::Rc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::{Instant, timeout};

use crate::figures::Figures;

/// How long a client waits for an answer.
const DEADLINE: Duration = Duration::from_secs(20);
/// How long a connection is kept without a request.
const IDLE: Duration = Duration::from_secs(15);
/// The longest head of a response.
const HEAD_MAX: usize = 16 * 1024;

/// A request that is due.
pub(crate) struct Due {
    pub(crate) at: Instant,
    pub(crate) kind: usize,
    pub(crate) bytes: Vec<u8>,
    pub(crate) figures: Rc<Figures>,
}

/// What matters of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) says_when: bool,
    closes: bool,
}

/// Sends what it is given until the server closes the connection; `give_back` says that it is free again.
pub(crate) async fn keep_calling(address: &str, first: Due, mut next: UnboundedReceiver<Due>, give_back: impl Fn()) {
    let mut due = first;
    let Ok(Ok(mut stream)) = timeout(DEADLINE, TcpStream::connect(address)).await else {
        return due.figures.broken(due.kind, "not connected");
    };
    let _ = stream.set_nodelay(true);
    let mut buffer = Vec::with_capacity(64 * 1024);
    loop {
        let answer = match timeout(DEADLINE, call(&mut stream, &due.bytes, &mut buffer)).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) => return due.figures.broken(due.kind, "cut"),
            Err(_) => return due.figures.broken(due.kind, "no answer"),
        };
        due.figures.answered(&due, answer);
        if answer.closes {
            return;
        }
        give_back();
        // Closed by this side before the server does, so that no request meets a connection that is just being closed.
        due = match timeout(IDLE, next.recv()).await {
            Ok(Some(due)) => due,
            _ => return,
        };
    }
}

async fn call(stream: &mut TcpStream, request: &[u8], buffer: &mut Vec<u8>) -> io::Result<Answer> {
    stream.write_all(request).await?;
    buffer.clear();
    let (answer, head, body) = loop {
        if stream.read_buf(buffer).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        if let Some(parsed) = parse(buffer)? {
            break parsed;
        }
        if buffer.len() > HEAD_MAX {
            return Err(io::Error::other("the head is too long"));
        }
    };
    match body {
        Body::Of(length) => {
            while buffer.len() < head + length {
                if stream.read_buf(buffer).await? == 0 {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
            }
        }
        Body::Chunked => {
            // No chunk of these texts ends so but the last one.
            while !buffer[head..].ends_with(b"0\r\n\r\n") {
                if stream.read_buf(buffer).await? == 0 {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
            }
        }
    }
    Ok(answer)
}

enum Body {
    Of(usize),
    Chunked,
}

/// The answer, the length of its head and its body, once the head is complete.
fn parse(bytes: &[u8]) -> io::Result<Option<(Answer, usize, Body)>> {
    let mut headers = [httparse::EMPTY_HEADER; 48];
    let mut response = httparse::Response::new(&mut headers);
    let httparse::Status::Complete(head) = response.parse(bytes).map_err(io::Error::other)? else { return Ok(None) };
    let header = |name: &str| {
        let found = response.headers.iter().find(|header| header.name.eq_ignore_ascii_case(name));
        found.map(|header| String::from_utf8_lossy(header.value).to_ascii_lowercase())
    };
    let body = match header("content-length") {
        Some(length) => Body::Of(length.trim().parse().map_err(io::Error::other)?),
        None if header("transfer-encoding").is_some() => Body::Chunked,
        None => Body::Of(0),
    };
    let answer = Answer {
        status: response.code.unwrap_or_default(),
        says_when: header("retry-after").is_some_and(|value| !value.is_empty()),
        closes: header("connection").is_some_and(|value| value == "close"),
    };
    Ok(Some((answer, head, body)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_is_read_once_it_is_complete() {
        let whole = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 2\r\nContent-Length: 3\r\n\r\nabc";
        assert!(parse(&whole[..40]).unwrap().is_none());
        let (answer, head, body) = parse(whole).unwrap().unwrap();
        assert_eq!(answer, Answer { status: 503, says_when: true, closes: false });
        assert_eq!(&whole[head..], b"abc");
        assert!(matches!(body, Body::Of(3)));
        let (answer, _, body) =
            parse(b"HTTP/1.1 503 No\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n").unwrap().unwrap();
        assert_eq!(answer, Answer { status: 503, says_when: false, closes: true });
        assert!(matches!(body, Body::Chunked));
    }
}
