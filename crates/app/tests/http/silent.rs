//! Clients that say nothing: they neither finish their request nor take their answer, and nobody else waits for them.

use std::fmt::Write as _;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::{sleep, timeout};

use crate::shop::{Demo, call, get, run, spawn};
use crate::things::Person;

const SILENT: usize = 10;

fn address(demo: &Demo) -> SocketAddr {
    demo.address().strip_prefix("http://").unwrap().parse().unwrap()
}

/// Asks for all products, into a buffer that takes next to nothing.
async fn asks_for_everything(demo: &Demo) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4_096).unwrap();
    let mut stream = socket.connect(address(demo)).await.unwrap();
    stream.write_all(b"GET /products HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n").await.unwrap();
    stream
}

/// Whether the whole answer is still to be had.
async fn gets_everything(mut stream: TcpStream, pause: Duration) -> bool {
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
fn whoever_takes_nothing_of_an_answer_is_let_go_of_and_whoever_is_slow_is_not() {
    run(async {
        let demo = Demo::open(&[("WRITE_TIMEOUT_SECONDS", "2")]);
        let boss = Person::log_in_at(&demo, "admin@example.com", "demo-password").await;
        // More than any kernel keeps for a connection.
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
            silent.push(asks_for_everything(&demo).await);
        }
        let slow = asks_for_everything(&demo).await;
        let slow = spawn(gets_everything(slow, Duration::from_millis(2)));
        // Only once the kernel's buffers are full is there anything to wait for, and a busy machine takes a while to fill them.
        let begun = Instant::now();
        while !silent.is_empty() {
            assert!(begun.elapsed() < Duration::from_mins(1), "{} are still there", silent.len());
            sleep(Duration::from_millis(200)).await;
            silent.retain(|stream| stream.take_error().unwrap().is_none());
        }
        assert!(slow.await.unwrap(), "it let go of somebody who did take the answer");
        get("/products?limit=1").at(&demo).await.is(200);
    });
}

/// What an attacker does with a connection, over and over: opens it, says something, and waits for it to be closed.
async fn reservations(demo: SocketAddr, said: &'static [u8], until: Instant) {
    while Instant::now() < until {
        let Ok(mut stream) = TcpStream::connect(demo).await else {
            sleep(Duration::from_millis(20)).await;
            continue;
        };
        let _ = stream.write_all(said).await;
        let mut buffer = [0; 1_024];
        while let Ok(Ok(1..)) = timeout(until.saturating_duration_since(Instant::now()), stream.read(&mut buffer)).await
        {
        }
        sleep(Duration::from_millis(100)).await;
    }
}

#[test]
fn connections_that_are_held_for_nothing_make_room_for_those_that_ask() {
    let limit = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum }).unwrap();
    run(async {
        let demo = Demo::open(&[("DESCRIPTORS", "512")]);
        get("/health/live").at(&demo).await.is(200);
        for said in [
            &b"GET /products HTTP/1.1\r\nHost: 127.0.0.1\r\n"[..],
            b"GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        ] {
            let until = Instant::now() + Duration::from_secs(8);
            let held: Vec<_> = (0..700).map(|_| spawn(reservations(address(&demo), said, until))).collect();
            sleep(Duration::from_secs(1)).await;
            let (mut took, mut cut_off) = (Vec::new(), 0);
            while Instant::now() + Duration::from_secs(1) < until {
                let begun = Instant::now();
                // From an address of its own, so by a connection of its own.
                let probe = get("/health/live").at(&demo).from([127, 0, 0, 9]).attempt();
                match timeout(Duration::from_secs(3), probe).await {
                    Ok(Ok(answer)) => {
                        answer.is(200);
                        took.push(begun.elapsed());
                    }
                    // A machine that is busy with its tests may keep a probe from sending its head in time.
                    Ok(Err(_)) => cut_off += 1,
                    Err(late) => panic!("nobody is served: {late}"),
                }
                sleep(Duration::from_millis(50)).await;
            }
            took.sort();
            assert!(took.len() >= 10 && cut_off * 10 <= took.len(), "{cut_off} were cut off: {took:?}");
            let median = took[took.len() / 2];
            assert!(median < Duration::from_millis(500), "{median:?} of {took:?}");
            for one in held {
                one.await.unwrap();
            }
        }
    });
}
