//! Slow clients that neither finish their request nor read their response do not block others.

use std::fmt::Write as _;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::{sleep, timeout};

use crate::fixtures::User;
use crate::server::{Demo, call, get, raise_descriptors, run, spawn};

const SILENT: usize = 10;

fn address(demo: &Demo) -> SocketAddr {
    demo.address().strip_prefix("http://").unwrap().parse().unwrap()
}

/// Requests all products, with a tiny receive buffer.
async fn request_everything(demo: &Demo) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4_096).unwrap();
    let mut stream = socket.connect(address(demo)).await.unwrap();
    stream.write_all(b"GET /products HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n").await.unwrap();
    stream
}

/// Whether the whole response can still be read.
async fn reads_everything(mut stream: TcpStream, pause: Duration) -> bool {
    let mut read = Vec::new();
    let mut buffer = vec![0; 64 * 1_024];
    loop {
        match timeout(Duration::from_secs(20), stream.read(&mut buffer)).await {
            Ok(Ok(0)) => return read.ends_with(b"0\r\n\r\n"),
            Ok(Ok(many)) => read.extend_from_slice(&buffer[..many]),
            Ok(Err(_)) | Err(_) => return false,
        }
        sleep(pause).await;
    }
}

#[test]
fn a_client_that_reads_nothing_is_disconnected_and_a_slow_one_is_not() {
    run(async {
        let demo = Demo::open(&[("WRITE_TIMEOUT_SECONDS", "2")]);
        let boss = User::log_in_at(&demo, "admin@example.com", "demo-password").await;
        // More than any kernel buffers for a connection.
        for part in 0..3 {
            let mut file = "name,description,category,price,availableQty,img\r\n".to_owned();
            for nth in 0..1_000 {
                let words = "A sturdy part. ".repeat(120);
                write!(file, "{part} {nth},{words},BRAKES,2.50,100,/pictures/{part}-{nth}.webp\r\n").unwrap();
            }
            boss.send(call("POST", "/products.csv").body("text/csv", file)).at(&demo).await.is(200);
        }
        let mut silent = Vec::new();
        for _ in 0..SILENT {
            silent.push(request_everything(&demo).await);
        }
        let slow = request_everything(&demo).await;
        let slow = spawn(reads_everything(slow, Duration::from_millis(2)));
        // The timeout starts only when the kernel's buffers are full, and a busy machine takes a while to fill them.
        let begun = Instant::now();
        while !silent.is_empty() {
            assert!(begun.elapsed() < Duration::from_mins(1), "{} are still connected", silent.len());
            sleep(Duration::from_millis(200)).await;
            silent.retain(|stream| stream.take_error().unwrap().is_none());
        }
        assert!(slow.await.unwrap(), "a client that was reading was disconnected");
        get("/products?limit=1").at(&demo).await.is(200);
    });
}

/// What an attacker does with a connection, repeatedly: opens it, sends something, and waits until it is closed.
async fn hold_connection(demo: SocketAddr, sent: &'static [u8], until: Instant) {
    while Instant::now() < until {
        let Ok(mut stream) = TcpStream::connect(demo).await else {
            sleep(Duration::from_millis(20)).await;
            continue;
        };
        let _ = stream.write_all(sent).await;
        let mut buffer = [0; 1_024];
        while let Ok(Ok(1..)) = timeout(until.saturating_duration_since(Instant::now()), stream.read(&mut buffer)).await
        {
        }
        sleep(Duration::from_millis(100)).await;
    }
}

#[test]
fn idle_connections_make_room_for_active_ones() {
    raise_descriptors();
    run(async {
        let demo = Demo::open(&[("DESCRIPTORS", "512")]);
        get("/health/live").at(&demo).await.is(200);
        for sent in [
            &b"GET /products HTTP/1.1\r\nHost: 127.0.0.1\r\n"[..],
            b"GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        ] {
            let until = Instant::now() + Duration::from_secs(8);
            // More than the server has room for, which is 400: of its 512 descriptors it reserves 96 for itself and 16
            // for its database. Many more would only keep the machine busy.
            let idle: Vec<_> = (0..450).map(|_| spawn(hold_connection(address(&demo), sent, until))).collect();
            sleep(Duration::from_secs(1)).await;
            let (mut took, mut cut_off) = (Vec::new(), 0);
            while Instant::now() + Duration::from_secs(1) < until {
                let begun = Instant::now();
                // From another address, so on a new connection.
                let probe = get("/health/live").at(&demo).from([127, 0, 0, 9]).attempt();
                match timeout(Duration::from_secs(3), probe).await {
                    Ok(Ok(answer)) => {
                        answer.is(200);
                        took.push(begun.elapsed());
                    }
                    // A machine that is busy with its tests may delay a probe's request head past the timeout.
                    Ok(Err(_)) => cut_off += 1,
                    Err(late) => panic!("no request is served: {late}"),
                }
                sleep(Duration::from_millis(50)).await;
            }
            took.sort();
            // A server that did not close idle connections would be full for ten seconds, its deadline for a head, or
            // thirty, for which it keeps a connection open: none of the probes would be served in time.
            assert!(took.len() >= 5 && cut_off * 3 <= took.len(), "{cut_off} were cut off: {took:?}");
            let median = took[took.len() / 2];
            assert!(median < Duration::from_millis(1_500), "{median:?} of {took:?}");
            for one in idle {
                one.await.unwrap();
            }
        }
    });
}
