//! What clients that send slowly, much, or large pictures cost everybody else. The numbers are those of the shop's bars; how
//! quick the answers have to be is held to in the long form only (`BOUNDS=held`), on a machine that does nothing else.

use std::io::Cursor;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use image::{ImageFormat, Rgb, RgbImage};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};

use crate::fixtures::User;
use crate::pictures::multipart;
use crate::server::{Demo, all, call, get, raise_descriptors, run, spawn};

/// Clients that send their headers or their body a byte at a time.
const SLOW: usize = 1_000;
const OVERSIZED: usize = 100;
const PICTURES: usize = 20;
const MIB: f64 = 1_024.0 * 1_024.0;

#[expect(clippy::disallowed_methods, reason = "the extent of a test is not an application setting")]
fn is_held() -> bool {
    std::env::var("BOUNDS").is_ok_and(|bounds| bounds == "held")
}

/// Prints a figure, and in the long form holds it to its limit.
fn within(what: &str, figure: f64, limit: f64, unit: &str) {
    println!("{what}: {figure:.1} of {limit} {unit}");
    assert!(!is_held() || fits(figure, limit), "{what}: {figure:.1} {unit} is more than {limit}");
}

fn fits(figure: f64, limit: f64) -> bool {
    figure <= limit
}

#[test]
fn a_figure_over_its_limit_and_one_that_is_none_do_not_fit() {
    assert!(fits(499.9, 500.0) && !fits(500.1, 500.0) && !fits(f64::NAN, 500.0));
}

fn address(demo: &Demo) -> SocketAddr {
    demo.address().strip_prefix("http://").unwrap().parse().unwrap()
}

async fn resident(demo: &Demo) -> f64 {
    let metrics = get("/metrics").at(demo).await.is(200).text();
    let line = metrics.lines().find(|line| line.starts_with("process_resident_memory_bytes ")).unwrap();
    line.split(' ').nth(1).unwrap().parse::<f64>().unwrap() / MIB
}

/// The most memory that the server has had resident until the work ended, in MiB.
async fn most_during<T>(demo: &Demo, work: impl Future<Output = T>) -> (T, f64) {
    let mut most: f64 = 0.0;
    tokio::pin!(work);
    loop {
        tokio::select! {
            done = &mut work => return (done, most.max(resident(demo).await)),
            () = sleep(Duration::from_millis(50)) => most = most.max(resident(demo).await),
        }
    }
}

/// Sends the beginning, and then a byte a second until the server has had enough of it.
async fn drip(server: SocketAddr, beginning: &'static [u8], until: Instant) {
    let Ok(mut stream) = TcpStream::connect(server).await else { return };
    if stream.write_all(beginning).await.is_err() {
        return;
    }
    while Instant::now() < until {
        if stream.write_all(b"a").await.is_err() {
            return;
        }
        sleep(Duration::from_secs(1)).await;
    }
}

#[test]
fn a_thousand_slow_connections_keep_nobody_else_waiting() {
    raise_descriptors();
    run(async {
        let demo = Demo::open(&[]);
        get("/products?limit=1").at(&demo).await.is(200);
        let until = Instant::now() + Duration::from_secs(12);
        let dripping: Vec<_> = (0..SLOW)
            .map(|nth| {
                let beginning: &[u8] = if nth % 2 == 0 {
                    b"GET /products HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "
                } else {
                    b"POST /auth/login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"
                };
                spawn(drip(address(&demo), beginning, until))
            })
            .collect();
        sleep(Duration::from_secs(1)).await;
        let mut took = Vec::new();
        while Instant::now() + Duration::from_secs(1) < until {
            let begun = Instant::now();
            get("/products?limit=5").at(&demo).await.is(200);
            took.push(begun.elapsed().as_secs_f64() * 1_000.0);
            sleep(Duration::from_millis(20)).await;
        }
        for one in dripping {
            one.abort();
        }
        took.sort_by(f64::total_cmp);
        let late = took[took.len() * 99 / 100];
        within(&format!("99th percentile of {} honest requests", took.len()), late, 500.0, "ms");
        assert!(took.len() > 20, "{took:?}");
    });
}

#[test]
fn a_hundred_oversized_bodies_are_refused_unread() {
    run(async {
        let demo = Demo::open(&[]);
        let before = resident(&demo).await;
        let server = address(&demo);
        let refusals = async {
            let senders: Vec<_> = (0..OVERSIZED).map(|_| spawn(sends_too_much(server))).collect();
            let mut took = Vec::new();
            for sender in senders {
                took.push(sender.await.unwrap());
            }
            took
        };
        let (took, most) = most_during(&demo, refusals).await;
        let slowest = took.iter().copied().fold(0.0, f64::max);
        within("slowest 413 of a hundred", slowest, 1_000.0, "ms");
        within("memory for a hundred oversized bodies", most - before, 64.0, "MiB");
        assert!(most - before < 256.0, "{before} and then {most} MiB: the bodies are kept");
    });
}

/// Announces a body of 100 MiB and sends of it what the server takes. Returns how long the 413 took, in milliseconds.
async fn sends_too_much(server: SocketAddr) -> f64 {
    let begun = Instant::now();
    let mut stream = TcpStream::connect(server).await.unwrap();
    let head = "POST /auth/login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 104857600\r\n\r\n";
    stream.write_all(head.as_bytes()).await.unwrap();
    let (mut reading, mut writing) = stream.split();
    let send = async {
        let chunk = [b' '; 8 * 1_024];
        while writing.write_all(&chunk).await.is_ok() {}
        std::future::pending::<()>().await;
    };
    let mut start = [0; 12];
    let answer = timeout(Duration::from_secs(30), reading.read_exact(&mut start));
    let read = tokio::select! { read = answer => read.unwrap(), () = send => unreachable!() };
    read.unwrap();
    assert_eq!(&start, b"HTTP/1.1 413", "{}", String::from_utf8_lossy(&start));
    begun.elapsed().as_secs_f64() * 1_000.0
}

/// A picture of one color, which is small until it is unpacked.
/// Of forty million pixels, the most that the shop takes, in the long form, and of ten in the short one.
fn large() -> Vec<u8> {
    let (width, height) = if is_held() { (8_000, 5_000) } else { (4_000, 2_500) };
    let mut bytes = Cursor::new(Vec::new());
    RgbImage::from_pixel(width, height, Rgb([200, 80, 20])).write_to(&mut bytes, ImageFormat::Png).unwrap();
    bytes.into_inner()
}

#[test]
fn of_twenty_large_pictures_a_few_are_unpacked_at_a_time() {
    run(async {
        let demo = Demo::open(&[]);
        let boss = User::log_in_at(&demo, "admin@example.com", "demo-password").await;
        let (media_type, body) = multipart("image", "large.png", "image/png", &large());
        let before = resident(&demo).await;
        let uploads: Vec<_> = (0..PICTURES)
            .map(|_| boss.send(call("POST", "/images").body(&media_type, body.clone())).at(&demo).while_unavailable())
            .collect();
        let (answers, most) = most_during(&demo, all(uploads)).await;
        for answer in &answers {
            assert!([200, 503].contains(&answer.status), "{answer}");
            assert!(answer.status == 200 || !answer.header("retry-after").is_empty(), "{answer}");
        }
        let taken = answers.iter().filter(|answer| answer.status == 200).count();
        println!("{taken} of {PICTURES} pictures were taken, the others have to come again");
        assert!(taken > 0);
        // One of forty megapixels takes 153 MiB unpacked, and twenty would take three thousand.
        within("memory for twenty large pictures", most - before, 1_024.0, "MiB");
        assert!(most - before > 20.0, "{before} and then {most} MiB: the measure did not see a picture being unpacked");
        let unpacked_together = if is_held() { 3_052.0 } else { 763.0 };
        assert!(most - before < unpacked_together / 2.0, "{before} and then {most} MiB");
    });
}
