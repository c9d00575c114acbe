//! What clients that send slowly, much, or large pictures cost everybody else. The numbers are those of the shop's bars; how
//! quick the answers have to be is held to in the long form only (`BOUNDS=held`), on a machine that does nothing else.

use std::io::Cursor;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use image::{ImageFormat, Rgb, RgbImage};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use crate::fixtures::{User, eventually};
use crate::pictures::multipart;
use crate::server::{Demo, all, call, get, raise_descriptors, run, spawn};

/// Clients that send their headers or their body a byte at a time.
const SLOW: u32 = 1_000;
const SLOW_HEAD: &[u8] = b"GET /products HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ";
const SLOW_BODY: &[u8] =
    b"POST /auth/login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{";
const HONEST: &[u8] = b"GET /products?limit=5 HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";
/// The server's deadline for a head. That for a body is twice as long.
const HEAD_DEADLINE: Duration = Duration::from_secs(10);
/// Within how many milliseconds 99 of 100 honest requests have to be answered.
const LATE: f64 = 500.0;
/// How long an honest request waits at all: for longer than a machine with other work lets it.
const PATIENCE: Duration = Duration::from_secs(30);
/// The metric of the server's open files, of which each connection that it has accepted is one.
const OPEN_FILES: &str = "process_open_fds";
/// How many of them are connections to the database at most: they come and go.
const TO_DATABASE: f64 = 16.0;

const OVERSIZED: usize = 100;
/// How many bytes an oversized body is said to have.
const ANNOUNCED: usize = 100 * 1_024 * 1_024;
/// How many MiB of it may have been sent before it is refused: a quarter, which is more than the system keeps of what nobody reads.
const UNREAD: f64 = 25.0;
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

/// The value of a metric that has no labels.
async fn metric(demo: &Demo, name: &str) -> f64 {
    let metrics = get("/metrics").at(demo).await.is(200).text();
    let value = metrics.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    value.unwrap_or_else(|| panic!("no {name}: {metrics}")).parse().unwrap()
}

async fn resident(demo: &Demo) -> f64 {
    metric(demo, "process_resident_memory_bytes").await / MIB
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

/// How many slow connections there were so far.
#[derive(Default)]
struct Counted {
    connected: AtomicU32,
    /// Those of them that the server has answered or closed.
    ended: AtomicU32,
}

/// Slow connections, which end with this value.
struct Slow {
    counted: Arc<Counted>,
    dripping: Vec<JoinHandle<()>>,
}

impl Slow {
    /// Opens all of them at the same time. Half of them never finish their head, and half their body.
    fn begin(server: SocketAddr, until: Instant) -> Self {
        let counted = Arc::new(Counted::default());
        let drips = (0..SLOW).map(|nth| {
            let beginning = if nth.is_multiple_of(2) { SLOW_HEAD } else { SLOW_BODY };
            spawn(drip(server, beginning, until, Arc::clone(&counted)))
        });
        let dripping = drips.collect();
        Self { counted, dripping }
    }

    fn connected(&self) -> u32 {
        self.counted.connected.load(Ordering::Relaxed)
    }

    fn ended(&self) -> u32 {
        self.counted.ended.load(Ordering::Relaxed)
    }
}

impl Drop for Slow {
    fn drop(&mut self) {
        for one in &self.dripping {
            one.abort();
        }
    }
}

/// Sends the beginning, and then a byte a second until the server has had enough of it.
async fn drip(server: SocketAddr, beginning: &'static [u8], until: Instant, counted: Arc<Counted>) {
    let Ok(mut stream) = TcpStream::connect(server).await else { return };
    if stream.write_all(beginning).await.is_err() {
        return;
    }
    counted.connected.fetch_add(1, Ordering::Relaxed);
    let mut answer = [0; 64];
    while Instant::now() < until {
        let has_ended = timeout(Duration::from_secs(1), stream.read(&mut answer)).await.is_ok();
        if has_ended || stream.write_all(b"a").await.is_err() {
            break;
        }
    }
    counted.ended.fetch_add(1, Ordering::Relaxed);
}

/// How many of the slow connections a shop keeps until their deadlines: all of them, or as many as half of its places, from
/// which on it closes those without a head. Of its files it reserves 96 for itself besides those for its database.
async fn kept_by(demo: &Demo) -> f64 {
    let places = metric(demo, "process_max_fds").await - 96.0 - TO_DATABASE;
    f64::from(SLOW).min(places / 2.0)
}

/// How many milliseconds an honest request takes on a connection of its own: for ever, if it gets no good answer in time.
async fn honest(server: SocketAddr, patience: Duration) -> f64 {
    let begun = Instant::now();
    let ask = async {
        let mut stream = TcpStream::connect(server).await.ok()?;
        stream.write_all(HONEST).await.ok()?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.ok()?;
        let took = begun.elapsed().as_secs_f64() * 1_000.0;
        answer.starts_with(b"HTTP/1.1 200 ").then_some(took)
    };
    timeout(patience, ask).await.ok().flatten().unwrap_or(f64::INFINITY)
}

/// Makes honest requests one after the other, and returns how many milliseconds each took.
async fn ask(server: SocketAddr, until: Instant, patience: Duration) -> Vec<f64> {
    let mut took = Vec::new();
    while Instant::now() < until {
        took.push(honest(server, patience).await);
        sleep(Duration::from_millis(20)).await;
    }
    took
}

/// What is wrong with how long honest requests took, if 99 of 100 have to take no longer than `limit` milliseconds.
fn faults(shop: &str, mut took: Vec<f64>, limit: f64) -> Vec<String> {
    took.sort_by(f64::total_cmp);
    let (all, unanswered) = (took.len(), took.iter().filter(|took| took.is_infinite()).count());
    let late = took[all * 99 / 100];
    println!("{shop}: 99th percentile of {all} honest requests: {late:.1} of {LATE} ms, {unanswered} not answered");
    let late = (!fits(late, limit)).then(|| format!("the 99th percentile of {all} is {late:.1} ms"));
    let unanswered = (unanswered > 0).then(|| format!("{unanswered} of {all} are not answered"));
    late.into_iter().chain(unanswered).collect()
}

#[test]
fn a_thousand_slow_connections_keep_nobody_else_waiting() {
    raise_descriptors();
    run(async {
        let demo = Demo::open(&[]);
        get("/products?limit=1").at(&demo).await.is(200);
        let (server, kept) = (address(&demo), kept_by(&demo).await);
        let before = metric(&demo, OPEN_FILES).await;
        let accepted = async || metric(&demo, OPEN_FILES).await - before;
        let begun = Instant::now();
        let slow = Slow::begin(server, begun + Duration::from_secs(12));
        // Until then some of them may be in the system's queue, of which the server knows nothing.
        eventually(Duration::from_secs(8), async || accepted().await >= kept - TO_DATABASE).await;

        let mut took = ask(server, begun + Duration::from_secs(6), PATIENCE).await;
        let (connected, ended, files) = (slow.connected(), slow.ended(), accepted().await);
        let now = begun.elapsed();
        println!("{connected} of {SLOW} slow connections opened, {ended} of them answered or closed after {now:.1?}");
        assert_eq!(connected, SLOW, "the others were never opened");
        // On a busy machine the first half of them may have had its time.
        let kept = if now < HEAD_DEADLINE { kept } else { kept / 2.0 };
        let open = f64::from(connected.saturating_sub(ended));
        assert!(open >= kept && files >= kept - TO_DATABASE, "{open} open here and {files} there, of {kept}: {now:?}");

        took.extend(ask(server, begun + Duration::from_secs(11), PATIENCE).await);
        assert!(took.len() > 20, "{took:?}");
        let limit = if is_held() { LATE } else { f64::MAX };
        assert_eq!(faults("a shop", took, limit), Vec::<String>::new());
    });
}

/// Each slow body has sent its head, and so keeps its place until its own deadline: here they take all that there are.
#[test]
fn a_shop_with_too_few_places_for_slow_connections_is_noticed() {
    raise_descriptors();
    run(async {
        // Room for 400 connections: of its 512 descriptors it reserves 96 for itself and 16 for its database.
        let demo = Demo::open(&[("DESCRIPTORS", "512")]);
        let server = address(&demo);
        assert!(honest(server, PATIENCE).await.is_finite(), "it answers while nobody is slow");
        assert!(kept_by(&demo).await < f64::from(SLOW), "it is not to keep all of them");
        let slow = Slow::begin(server, Instant::now() + Duration::from_secs(15));
        eventually(Duration::from_secs(8), async || slow.connected() == SLOW).await;
        let took = ask(server, Instant::now() + Duration::from_secs(2), Duration::from_millis(1_500)).await;
        let faults = faults("planted, a shop with too few places", took, LATE);
        assert_eq!(faults.len(), 2, "{faults:?}");
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
            let mut refused = Vec::new();
            for sender in senders {
                refused.push(sender.await.unwrap());
            }
            refused
        };
        let (refused, most) = most_during(&demo, refusals).await;
        let (slowest, sent) = worst(&refused);
        within("slowest 413 of a hundred", slowest, 1_000.0, "ms");
        within("most that was sent of a body before its 413", sent, UNREAD, "MiB");
        assert!(fits(sent, UNREAD), "{sent} MiB of a body were read before it was refused");
        within("memory for a hundred oversized bodies", most - before, 64.0, "MiB");
        assert!(most - before < 256.0, "{before} and then {most} MiB: the bodies are kept");
    });
}

/// What it took until a body was refused.
struct Refused {
    milliseconds: f64,
    /// How much of it was sent until then, in MiB.
    sent: f64,
}

/// The longest time, and the most that was sent.
fn worst(refused: &[Refused]) -> (f64, f64) {
    let most = |of: fn(&Refused) -> f64| refused.iter().map(of).fold(0.0, f64::max);
    (most(|one| one.milliseconds), most(|one| one.sent))
}

/// Announces a body of 100 MiB and sends of it what the server takes, until the 413 is there.
async fn sends_too_much(server: SocketAddr) -> Refused {
    let begun = Instant::now();
    let mut stream = TcpStream::connect(server).await.unwrap();
    let head = format!(
        "POST /auth/login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: {ANNOUNCED}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let (mut reading, mut writing) = stream.split();
    let mut chunks: u32 = 0;
    let send = async {
        let chunk = [b' '; 8 * 1_024];
        while writing.write_all(&chunk).await.is_ok() {
            chunks += 1;
        }
        std::future::pending::<()>().await;
    };
    let mut start = [0; 12];
    let answer = timeout(Duration::from_secs(30), reading.read_exact(&mut start));
    let read = tokio::select! { read = answer => read.unwrap(), () = send => unreachable!() };
    read.unwrap();
    assert_eq!(&start, b"HTTP/1.1 413", "{}", String::from_utf8_lossy(&start));
    Refused { milliseconds: begun.elapsed().as_secs_f64() * 1_000.0, sent: f64::from(chunks) * 8.0 / 1_024.0 }
}

/// A server that reads a whole body before it refuses it.
async fn reads_what_it_refuses(listener: TcpListener) {
    loop {
        let (mut stream, _) = listener.accept().await.unwrap();
        spawn(async move {
            let (mut left, mut buffer) = (ANNOUNCED, vec![0; 64 * 1_024]);
            while left > 0 {
                let Ok(read @ 1..) = stream.read(&mut buffer).await else { return };
                left = left.saturating_sub(read);
            }
            stream.write_all(b"HTTP/1.1 413 Content Too Large\r\n\r\n").await.unwrap();
            // Closed with something unread, it would take its answer back.
            while let Ok(1..) = stream.read(&mut buffer).await {}
        });
    }
}

#[test]
fn a_server_that_reads_what_it_refuses_is_noticed() {
    run(async {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let server = listener.local_addr().unwrap();
        let planted = spawn(reads_what_it_refuses(listener));
        let (milliseconds, sent) = worst(&[sends_too_much(server).await]);
        planted.abort();
        println!("planted: refused after {milliseconds:.1} ms and {sent:.1} MiB");
        assert!(!fits(sent, UNREAD), "{sent} MiB");
    });
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
