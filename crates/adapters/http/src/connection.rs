//! Client connections, and how long the server waits for them.
//!
//! actix has a timeout for a request's head and one for the next request, and no others. The missing ones are here,
//! around the stream itself, because no layer above it notices a silent client:
//!
//! - a client that reads none of its response for a while is disconnected, and its unsent data is discarded;
//! - when connections run short, those that have not sent a complete head yet are closed to make room for new ones, the
//!   longest waiting first. There is no limit per address: behind a proxy all clients share one address.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::io::{Error, ErrorKind, Result};
use std::pin::Pin;
use std::rc::{Rc, Weak};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep};

/// How long a new connection is safe from eviction before it has sent a head, however many others arrive.
const GRACE: Duration = Duration::from_millis(100);
/// Deadline for a head once connections run short.
const HURRIED_HEAD: Duration = Duration::from_millis(500);
/// How often a connection that waits for a head checks whether connections run short.
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// The open connections of one worker, which is one thread.
pub(crate) struct Connections {
    /// The most that it may have open.
    room: usize,
    open: Cell<usize>,
    /// Connections that have sent no head yet, the longest waiting first; some have sent one since.
    headless: RefCell<VecDeque<Weak<Seat>>>,
}

impl Connections {
    pub(crate) fn new(room: usize) -> Rc<Self> {
        Rc::new(Self { room, open: Cell::new(0), headless: RefCell::default() })
    }

    /// Whether more than half of the places are taken. Idle connections then have to make room.
    fn run_short(&self) -> bool {
        self.open.get() > self.room / 2
    }

    fn admit(self: &Rc<Self>) -> Rc<Seat> {
        self.open.set(self.open.get() + 1);
        let seat = Rc::new(Seat {
            connections: Rc::clone(self),
            since: Instant::now(),
            phase: Cell::new(Phase::Headless),
            waker: RefCell::default(),
        });
        let mut headless = self.headless.borrow_mut();
        while headless.front().is_some_and(|seat| seat.upgrade().is_none_or(|seat| !seat.is_headless())) {
            headless.pop_front();
        }
        if self.run_short()
            && let Some(oldest) = headless.front().and_then(Weak::upgrade)
            && oldest.since.elapsed() >= GRACE
        {
            headless.pop_front();
            oldest.evict();
        }
        headless.push_back(Rc::downgrade(&seat));
        seat
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// No complete head has arrived yet.
    Headless,
    /// A request has arrived.
    Served,
    /// The connection has to make room for another.
    Evicted,
}

/// A connection's place among those of its worker.
pub(crate) struct Seat {
    connections: Rc<Connections>,
    since: Instant,
    phase: Cell<Phase>,
    waker: RefCell<Option<Waker>>,
}

impl Seat {
    /// Records that a request has arrived.
    pub(crate) fn serve(&self) {
        self.phase.set(Phase::Served);
    }

    fn is_served(&self) -> bool {
        self.phase.get() == Phase::Served
    }

    /// Whether an idle connection should be closed instead of kept open.
    pub(crate) fn is_wanted(&self) -> bool {
        self.connections.run_short()
    }

    fn is_headless(&self) -> bool {
        self.phase.get() == Phase::Headless
    }

    fn evict(&self) {
        self.phase.set(Phase::Evicted);
        if let Some(waker) = self.waker.borrow_mut().take() {
            waker.wake();
        }
    }

    /// Whether it has waited for its head for longer than allowed.
    fn is_overdue(&self) -> bool {
        match self.phase.get() {
            Phase::Served => false,
            Phase::Evicted => true,
            Phase::Headless => self.connections.run_short() && self.since.elapsed() >= HURRIED_HEAD,
        }
    }
}

/// A TCP stream with timeouts.
pub(crate) struct Connection {
    stream: TcpStream,
    seat: Rc<Seat>,
    /// How long the client may read none of the pending data.
    write_timeout: Duration,
    /// Runs while the client reads nothing.
    stalled: Option<Pin<Box<Sleep>>>,
    /// Runs while no head has arrived.
    look: Option<Pin<Box<Sleep>>>,
    /// Whether data has arrived since the stream was last pending.
    has_read: bool,
}

impl Connection {
    pub(crate) fn new(stream: TcpStream, connections: &Rc<Connections>, write_timeout: Duration) -> Self {
        // Otherwise the last piece of a response waits until the client has acknowledged the one before, which it may do 40 ms
        // later. Without the option the shop is slower and works.
        let _ = stream.set_nodelay(true);
        Self { stream, seat: connections.admit(), write_timeout, stalled: None, look: None, has_read: false }
    }

    pub(crate) fn seat(&self) -> Rc<Seat> {
        Rc::clone(&self.seat)
    }

    /// Closes the connection immediately and discards what the kernel still has to send.
    fn abandon(&self) -> Error {
        // Without this the kernel keeps retransmitting for minutes.
        let _ = self.stream.set_zero_linger();
        Error::from(ErrorKind::TimedOut)
    }
}

/// Polls a timer that starts at the first call. The caller clears it when the awaited event happens.
fn has_elapsed(timer: &mut Option<Pin<Box<Sleep>>>, after: Duration, cx: &mut Context<'_>) -> bool {
    timer.get_or_insert_with(|| Box::pin(sleep(after))).as_mut().poll(cx).is_ready()
}

impl Drop for Connection {
    fn drop(&mut self) {
        let open = &self.seat.connections.open;
        open.set(open.get().saturating_sub(1));
    }
}

impl AsyncRead for Connection {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<Result<()>> {
        let this = &mut *self;
        let read = Pin::new(&mut this.stream).poll_read(cx, buffer);
        if read.is_ready() {
            this.has_read = true;
            return read;
        }
        // Data that has just arrived may complete the head, so it is parsed before the client is disconnected.
        let is_judged = !std::mem::take(&mut this.has_read);
        if is_judged && this.seat.is_overdue() {
            return Poll::Ready(Err(this.abandon()));
        }
        if !this.seat.is_served() {
            this.seat.waker.replace(Some(cx.waker().clone()));
            while has_elapsed(&mut this.look, LOOK_EVERY, cx) {
                this.look = None;
                if is_judged && this.seat.is_overdue() {
                    return Poll::Ready(Err(this.abandon()));
                }
            }
        }
        Poll::Pending
    }
}

impl AsyncWrite for Connection {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<Result<usize>> {
        let this = &mut *self;
        let written = Pin::new(&mut this.stream).poll_write(cx, bytes);
        if written.is_ready() {
            this.stalled = None;
        } else if has_elapsed(&mut this.stalled, this.write_timeout, cx) {
            return Poll::Ready(Err(this.abandon()));
        }
        written
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use tokio::net::TcpListener;

    use super::*;

    #[actix_web::test]
    async fn no_piece_of_a_response_waits_for_the_acknowledgement_of_another() {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let _client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (accepted, _) = listener.accept().await.unwrap();
        assert!(!accepted.nodelay().unwrap());
        let connection = Connection::new(accepted, &Connections::new(1), Duration::from_secs(1));
        assert!(connection.stream.nodelay().unwrap());
    }
}
