//! What the shop is measured against in the same run.

use std::collections::HashMap;
use std::io::{self, Read, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use actix_web::http::StatusCode;
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::web::{self, Bytes, Data};
use actix_web::{App, HttpRequest, HttpResponse, HttpServer};
use argon2::{Algorithm, Argon2, Params, Version};
use clap::{Parser, Subcommand};
use serde::Deserialize;

/// What the shop is measured against.
#[derive(Debug, Parser)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Answer with the responses of standard input from memory, on a free port, which is printed
    Http {
        /// How many threads answer
        #[arg(long)]
        workers: usize,
    },
    /// Print how many passwords a second are hashed as the shop hashes them, and nothing else is done
    Argon2 {
        /// How many threads hash
        #[arg(long)]
        threads: usize,
        /// For how long
        #[arg(long)]
        seconds: u64,
    },
}

/// One response of the shop, as it was on the wire.
#[derive(Debug, Deserialize)]
struct Recorded {
    /// Path and query of the request.
    target: String,
    status: u16,
    /// Without those that the server adds itself: the length, the date, the connection's.
    headers: Vec<(String, String)>,
    /// The body, byte for byte, as bytes.
    body: Vec<u8>,
}

struct Response {
    status: StatusCode,
    headers: Vec<(HeaderName, HeaderValue)>,
    body: Bytes,
}

type Responses = HashMap<String, Response>;

fn main() -> io::Result<()> {
    match Cli::parse().command {
        Command::Http { workers } => serve(workers),
        Command::Argon2 { threads, seconds } => {
            let rate = hashes_per_second(threads, Duration::from_secs(seconds))?;
            writeln!(io::stdout(), "{rate:.2}")
        }
    }
}

fn serve(workers: usize) -> io::Result<()> {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text)?;
    let recorded: Vec<Recorded> = serde_json::from_str(&text)?;
    let responses = recorded.into_iter().map(response).collect::<Result<Responses, _>>().map_err(io::Error::other)?;
    let responses = Data::new(responses);
    let listener = TcpListener::bind("127.0.0.1:0")?;
    writeln!(io::stdout(), "{}", listener.local_addr()?.port())?;
    actix_web::rt::System::new().block_on(async move {
        HttpServer::new(move || App::new().app_data(responses.clone()).default_service(web::to(answer)))
            .workers(workers)
            .backlog(1024)
            .listen(listener)?
            .run()
            .await
    })
}

fn response(recorded: Recorded) -> Result<(String, Response), Box<dyn std::error::Error + Send + Sync>> {
    let headers = recorded
        .headers
        .iter()
        .map(|(name, value)| Ok((HeaderName::try_from(name.as_str())?, HeaderValue::try_from(value.as_str())?)))
        .collect::<Result<_, Box<dyn std::error::Error + Send + Sync>>>()?;
    let status = StatusCode::from_u16(recorded.status)?;
    Ok((recorded.target, Response { status, headers, body: recorded.body.into() }))
}

async fn answer(responses: Data<Responses>, request: HttpRequest) -> HttpResponse {
    let target = request.uri().path_and_query().map_or("/", |target| target.as_str());
    let Some(known) = responses.get(target) else { return HttpResponse::NotFound().finish() };
    let mut response = HttpResponse::build(known.status);
    for header in &known.headers {
        response.append_header(header.clone());
    }
    response.body(known.body.clone())
}

/// Hashes as `driveline-identity` does: argon2id, 19 MiB, two passes, one lane.
fn hashes_per_second(threads: usize, time: Duration) -> io::Result<f64> {
    let (done, over) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
    let params = Params::new(19_456, 2, 1, None).map_err(io::Error::other)?;
    let begun = Instant::now();
    let workers: Vec<_> = (0..threads)
        .map(|_| {
            let (done, over, params) = (Arc::clone(&done), Arc::clone(&over), params.clone());
            std::thread::spawn(move || {
                let hasher = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
                let mut output = [0; 32];
                while !over.load(Ordering::Relaxed) {
                    if hasher.hash_password_into(b"a password", b"a salt of sixteen", &mut output).is_ok() {
                        done.fetch_add(1, Ordering::Relaxed);
                    }
                }
            })
        })
        .collect();
    std::thread::sleep(time);
    // Counted before the last hashes end, and timed at the same moment.
    let (hashes, took) = (done.load(Ordering::Relaxed), begun.elapsed());
    over.store(true, Ordering::Relaxed);
    for worker in workers {
        worker.join().map_err(|_| io::Error::other("a thread that hashes panicked"))?;
    }
    Ok(f64::from(u32::try_from(hashes).unwrap_or(u32::MAX)) / took.as_secs_f64())
}
